"""`ringdoku generate`: what was wished for, proved by another way; the same seed gives the same bytes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ringdoku import Grid, Puzzle, UsageError, check, classic, count_solutions
from ringdoku.domain.board import Board
from ringdoku.domain.checker import repeats
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.path import Outcome
from ringdoku.services.explaining import explain, rate
from ringdoku.services.generator import make
from ringdoku.services.placing import PLACED, Placing, random_regions
from ringdoku.services.spec import SYMMETRIES, Generated, Solutions, Spec, orbits

Run = Callable[..., "subprocess.CompletedProcess[str]"]

SIX = classic(6, (2, 3))
NINE = classic(9)


def made(wish: Spec, count: int = 1, seed: int = 1) -> Iterator[tuple[Puzzle, Generated]]:
    for each in islice(make(wish, seed), count):
        assert each.puzzle is not None
        if each.solution is not None:
            assert check(each.puzzle, each.solution) == []
        yield each.puzzle, each


def solutions_of(puzzle: Puzzle) -> int:
    """Up to 2, found without any SAT solver."""
    return count_solutions(puzzle, at_most=2, backend="search")


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_clues_are_minimal_in_groups_of_the_symmetry(symmetry: str) -> None:
    for puzzle, _ in made(Spec(NINE, minimal=True, symmetry=symmetry), 2):
        clues = puzzle.clues.digits
        assert solutions_of(puzzle) == 1
        for group in orbits(puzzle.board, symmetry):
            assert len({clues[cell] == 0 for cell in group}) == 1
            if clues[group[0]]:
                fewer = Grid(tuple(0 if cell in group else clue for cell, clue in enumerate(clues)))
                assert solutions_of(Puzzle(puzzle.ruleset, fewer)) == 2


def test_a_symmetry_takes_each_cell_once() -> None:
    for symmetry in SYMMETRIES:
        cells = [cell for group in orbits(Board.square(5), symmetry) for cell in group]
        assert sorted(cells) == list(range(25))
    assert max(map(len, orbits(Board.square(5), "full"))) == 8
    assert orbits(Board(1, 3), "half-turn") == [(0, 2), (1,)]
    with pytest.raises(UsageError, match="for square boards"):
        orbits(Board(2, 3), "diagonal")


@pytest.mark.parametrize(("wished", "count"), [("1", 1), ("2+", 2), ("0", 0)])
@pytest.mark.parametrize("span", [(None, None), (8, 12), (20, 20)])
def test_as_many_clues_and_solutions_as_wished(wished: str, count: int, span: tuple[int | None, int | None]) -> None:
    for puzzle, _ in made(Spec(SIX, *span, solutions=Solutions(wished)), 4):
        assert solutions_of(puzzle) == count
        assert next(repeats(puzzle, puzzle.clues), None) is None
        if span[0] is not None and span[1] is not None:
            assert span[0] <= puzzle.clues.filled_count <= span[1]


@pytest.mark.parametrize("kind", PLACED)
def test_a_constraint_is_laid_over_a_solution_until_it_is_unique(kind: str) -> None:
    plain = len(SIX.constraints)
    for puzzle, each in made(Spec(SIX, kinds=(kind,)), 2):
        assert each.solution is not None
        assert {rule.text for rule in puzzle.ruleset.constraints[plain:]} <= {kind}
        assert count_solutions(puzzle, at_most=2, backend="cpsat-alldifferent") == 1


def test_every_kind_can_be_laid_thickly() -> None:
    ((_, each),) = made(Spec(NINE))
    assert each.solution is not None
    for kind, lay in PLACED.items():
        laid = list(lay(Placing(each.solution, Random(1), 1.0)))
        assert laid, kind
        assert check(Puzzle(NINE.extended(*laid), Grid.blank(9)), each.solution) == []


def test_constraints_can_do_without_clues_and_each_may_be_needed() -> None:
    ((puzzle, _),) = made(Spec(SIX, 0, 0, kinds=("killer",)))
    assert (puzzle.clues.filled_count, solutions_of(puzzle)) == (0, 1)
    ((puzzle, _),) = made(Spec(SIX, minimal=True, kinds=("killer", "thermometer")))
    rules = puzzle.ruleset
    for index in range(2, len(rules.constraints)):
        fewer = type(rules)(rules.board, (*rules.constraints[:index], *rules.constraints[index + 1 :]))
        assert solutions_of(Puzzle(fewer, puzzle.clues)) == 2


def test_regions_are_connected_and_of_one_size() -> None:
    regions = random_regions(Board.square(7), Random(2)).regions
    assert sorted(cell for region in regions for cell in region) == list(range(49))
    assert {len(region) for region in regions} == {7}
    assert any(cell // 7 != region[0] // 7 for region in regions for cell in region)
    # well mixed
    rows = [
        region for region in random_regions(Board.square(9), Random(0)).regions if region[0] // 9 == region[-1] // 9
    ]
    assert not rows
    ((puzzle, _),) = made(Spec(classic(6, (1, 6)), kinds=("regions",)))
    assert solutions_of(puzzle) == 1


def test_a_pattern_says_where_clues_are(ringdoku_here: Run, tmp_path: Path) -> None:
    pattern = tmp_path / "pattern.txt"
    pattern.write_text("XX..\n..X.\n.X..\n..XX\n")
    done = ringdoku_here("generate", "--order", "4", "--pattern", pattern, "--count", "3", "--seed", "2")
    assert done.returncode == 0
    for line in done.stdout.split():
        assert [cell for cell, digit in enumerate(line) if digit != "."] == [0, 1, 6, 9, 14, 15]
    pattern.write_text("X...\n....\n....\n....\n")
    done = ringdoku_here("generate", "--order", "4", "--pattern", pattern, "--tries", "5")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "ringdoku: puzzle 1 was not found: not to be had after 5 beginnings\n"
    pattern.write_text("X...\n...\n")
    done = ringdoku_here("generate", "--order", "4", "--pattern", pattern)
    assert (done.returncode, done.stderr) == (
        2,
        f"ringdoku: error: {pattern}:2: found 3 characters, expected 4, one for each cell\n",
    )


def test_the_same_seed_gives_the_same_bytes(ringdoku_here: Run) -> None:
    ask = ("generate", "--clues", "24-30", "--symmetry", "half-turn", "--seed", "7")
    first = ringdoku_here(*ask, "--count", "4").stdout
    assert first == ringdoku_here(*ask, "--count", "4").stdout
    assert first.startswith(ringdoku_here(*ask, "--count", "2").stdout)
    assert first != ringdoku_here(*ask[:-1], "8", "--count", "4").stdout
    assert len(set(first.split())) == 4


@pytest.mark.parametrize("output_format", ["line", "packed", "boxed", "json"])
def test_what_is_written_is_read_again(ringdoku_here: Run, output_format: str) -> None:
    ask = ("generate", "--order", "6", "--box", "3x2", "--lay", "killer", "--count", "2", "--rule", "diagonal")
    text = ringdoku_here(*ask, "--output-format", output_format).stdout
    done = ringdoku_here("check", "--unique", input=text)
    assert (done.returncode, done.stdout.count("exactly one solution")) == (0, 2)


@pytest.mark.parametrize(
    ("levels", "settings"),
    [
        (("singles", "singles"), {}),
        (("1", "1"), {"symmetry": "half-turn"}),
        (("2", "3"), {"least": 26, "most": 28}),
        (("2", "2"), {"minimal": True}),
        (("singles", "singles"), {"kinds": ("killer",)}),
    ],
)
def test_a_level_is_that_of_the_rating(levels: tuple[str, str], settings: dict[str, Any]) -> None:
    for puzzle, each in made(Spec(NINE, levels=levels, **settings), 1):
        assert rate(puzzle).level == each.level
        assert LEVELS.index(levels[0]) <= LEVELS.index(each.level) <= LEVELS.index(levels[1])
        assert solutions_of(puzzle) == 1


def test_without_any_clue_a_puzzle_of_a_level_is_harder_or_has_more_solutions() -> None:
    for puzzle, _ in made(Spec(NINE, levels=("singles", "singles")), 1):
        clues = {cell for cell, clue in enumerate(puzzle.clues.digits) if clue}
        for cell in clues:
            fewer = Puzzle(puzzle.ruleset, puzzle.clues.only(clues - {cell}))
            assert explain(fewer, truths=0, cases=False).outcome is Outcome.STUCK


def test_json_has_the_solution_and_other_boards_their_rules(ringdoku_here: Run) -> None:
    done = ringdoku_here("generate", "--rule", "board 3x4", "--output-format", "json")
    record: dict[str, Any] = json.loads(done.stdout)
    assert (record["board"], record["name"]) == ("3x4", "seed 0 number 1")
    assert all(
        clue in (None, 0, digit)
        for clues, row in zip(record["grid"], record["solution"], strict=True)
        for clue, digit in zip(clues, row, strict=True)
    )
    packed = ringdoku_here("generate", "--rule", "no boxes", "--order", "5", "--output-format", "packed").stdout
    assert ringdoku_here("check", "--unique", input=packed).returncode == 0


def test_what_is_out_of_reach_is_said(ringdoku_here: Run) -> None:
    done = ringdoku_here("generate", "--clues", "3", "--order", "4", "--count", "2", "--tries", "4")
    assert (done.returncode, done.stdout) == (3, "")
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("ringdoku: puzzle 1 was not found: not to be had after 4 beginnings; the nearest had ")
    done = ringdoku_here("generate", "--level", "4-cases", "--order", "4", "--tries", "3")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "ringdoku: puzzle 1 was not found: not to be had after 3 beginnings; levels: 3 singles\n"
    done = ringdoku_here("generate", "--time-limit", "1e-9")
    assert (done.returncode, done.stdout) == (3, "")
    assert "the time limit passed" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--clues", "9-3"), "clues are from 0 to 81, the fewer first, not 9-3"),
        (("--clues", "x"), "--clues is a number or a span such as 24-30, not 'x'"),
        (("--clues", "24", "--minimal"), "ask for a number or for minimal"),
        (("--order", "6"), "its box shape must be given"),
        (("--lay", "kiler"), "'kiler' cannot be laid; there are: killer, arrow"),
        (("--rule", "kiler"), "no constraint is called 'kiler'"),
        (("--solutions", "0", "--lay", "killer"), "go with one solution only"),
        (("--level", "hard"), "no level is called 'hard'; there are: singles, 1, 2, 3, 4, 5, 6, cases"),
        (("--level", "singles-"), "--level is a level or a span such as 2-3, not 'singles-'"),
        (("--level", "3-1"), "levels are from the easier to the harder one, not 3-1"),
        (("--level", "1", "--solutions", "2+"), "levels are for puzzles with one solution"),
        (("--level", "1", "--order", "36"), "levels are for orders up to 25, not 36"),
        (("--symmetry", "half"), "no symmetry is called 'half'"),
        (("--pattern", "nowhere.txt"), "cannot read nowhere.txt"),
        (("--clues", "90"), "clues are from 0 to 81, the fewer first, not 90"),
        (("--lay", "regions", "--clues", "0"), "one solution needs at least 8 clues, not 0"),
        (("--judge", "solve", "--out", "tests", "--symmetry", "full"), "--judge goes with"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(ringdoku_here: Run, arguments: tuple[str, ...], message: str) -> None:
    done = ringdoku_here("generate", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in " ".join(done.stderr.split())
