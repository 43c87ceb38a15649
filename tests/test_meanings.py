"""What names stand for, each against a second source: a table written by hand, or numpy."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from conftest import FIXTURES, Run

from ringdoku import Board, Grid, check, parse
from ringdoku.constraints.registry import ALIASES, LISTED, read_constraint

MEANINGS = dict(line.split(" = ") for line in (FIXTURES / "above" / "names.txt").read_text().splitlines())


@pytest.mark.parametrize("line", MEANINGS)
def test_a_name_of_other_programs_is_that_constraint(line: str) -> None:
    board = Board.square(6 if line.startswith("entrop") else 4)
    assert read_constraint(line, board) == read_constraint(MEANINGS[line], board)


def test_every_name_of_other_programs_and_every_constraint_has_examples() -> None:
    assert len(MEANINGS) == len(ALIASES)
    assert all(any(line.startswith(alias) for line in MEANINGS) for alias in ALIASES)
    told = {(re.split("[ :]", rule)[0], keeps) for _, rule, _, keeps in examples()}
    assert told == {(name, keeps) for name in LISTED for keeps in (True, False)}
    board = Board.square(9)
    assert read_constraint("german whispers 4: r1c1 r1c2", board) == read_constraint("whisper 4: r1c1 r1c2", board)


MOVES: dict[str, list[Callable[[np.ndarray], np.ndarray]]] = {
    "half-turn": [lambda clues: np.rot90(clues, 2)],
    "quarter-turn": [np.rot90],
    "mirror": [np.fliplr],
    "diagonal": [np.transpose],
    "full": [np.rot90, np.fliplr],
}


@pytest.mark.parametrize("symmetry", MOVES)
def test_a_symmetry_keeps_the_places_of_clues(ringdoku_here: Run, symmetry: str) -> None:
    done = ringdoku_here("generate", "--order", "9", "--symmetry", symmetry, "--count", "6", "--seed", "3")
    assert done.returncode == 0
    for line in done.stdout.split():
        places = np.array([character not in ".0" for character in line]).reshape(9, 9)
        assert all(np.array_equal(move(places), places) for move in MOVES[symmetry])


def examples() -> list[tuple[str, str, str, bool]]:
    """Board, constraint, rows, and whether they keep the constraint."""
    found = []
    for block in (FIXTURES / "meanings.txt").read_text().split("\n\n")[1:]:
        board, rule, *lists = block.splitlines()
        found += [(board, rule, rows, line[0] == "+") for line in lists for rows in line[1:].split()]
    return found


def blank_of(rows: str) -> str:
    return "\n".join("." * len(line) for line in rows.split("/"))


def is_everywhere(board: str, rule: str) -> bool:
    """Whether the board is square, and a constraint names no cells, directions or numbers that differ."""
    height, width = re.findall("[0-9]+", board)[:2]
    parts = re.findall("[0-9]+", rule)
    return height == width and len(set(parts)) < 2 and not re.search("r[0-9]|diagonal-|:|flatmates", rule)


@pytest.mark.parametrize(("board", "rule", "rows", "keeps"), examples())
def test_a_constraint_means_what_its_examples_say(board: str, rule: str, rows: str, keeps: bool) -> None:
    puzzle = parse(f"{board}\nno lines\nno boxes\n{rule}\n{blank_of(rows)}\n")
    grid = Grid(tuple(int(digit) for line in rows.split("/") for digit in line), puzzle.board)
    assert (not check(puzzle, grid)) == keeps


@pytest.mark.parametrize(("board", "rule", "rows", "keeps"), [each for each in examples() if is_everywhere(*each[:2])])
def test_a_constraint_of_the_whole_board_has_no_direction(board: str, rule: str, rows: str, keeps: bool) -> None:
    puzzle = parse(f"{board}\nno lines\nno boxes\n{rule}\n{blank_of(rows)}\n")
    grid = np.array([list(map(int, line)) for line in rows.split("/")])
    for image in (turned for times in range(4) for turned in (np.rot90(grid, times), np.rot90(grid, times).T)):
        assert (not check(puzzle, Grid(tuple(image.ravel().tolist()), puzzle.board))) == keeps
