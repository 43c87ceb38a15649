"""Puzzles on lines of one kind are read, solved, checked and written together: nothing but the speed may differ."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from io import BufferedReader, BytesIO, RawIOBase
from itertools import islice
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from puzzles import GEOMETRIES, NO_SOLUTION, ONE_SOLUTION, random_puzzle, random_solution

from ringdoku import DisagreementError, Puzzle, Ruleset, Session, check
from ringdoku.deduction.many import Digits, only_solutions
from ringdoku.domain.checker import are_solutions
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import classic
from ringdoku.services import batches
from ringdoku.text import Batch, Entry, Source, read, read_source

NINE = classic(9)
SOME = [random_puzzle(NINE, clues, seed=number) for number, clues in enumerate([17, 30, 34, 40] * 3)]
LINES = ["".join(map(str, each.clues.digits)) for each in SOME] + [ONE_SOLUTION, NO_SOLUTION, "11" + "0" * 79]
OTHERS = (
    "",
    "\t",
    "# a comment",
    "12",
    "x" * 81,
    "é" * 81,
    "1" * 80,
    "1" * 82,
    "killer 10: r1c1 r1c2",
    "anti-knight",
    "Grid 01",
    "puzzle,solution",
    '{"grid": 3}',
    "end",
    "[Puzzle]",
    "9x9",
    "3 3",
    "1.3." * 4,
    "." * 16,
    "." * 81,
    "0" * 81,
    "0" + "." * 80,
    ".0" + "12345678" * 9 + "......1",
    f" {ONE_SOLUTION}",
    f"{ONE_SOLUTION}  ",
    f"{ONE_SOLUTION} ; a name",
    f"{ONE_SOLUTION},{ONE_SOLUTION}",
    f"{ONE_SOLUTION} # it has a comment",
    f"\ufeff{ONE_SOLUTION}",
)
Run = Callable[..., subprocess.CompletedProcess[str]]


class Pipe(RawIOBase):
    """Gives what was written to it in parts of odd sizes."""

    def __init__(self, raw: bytes, random: Random) -> None:
        self._left = memoryview(raw)
        self._random = random

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = min(len(buffer), self._random.choice((1, 50, 82, 100, 1000)), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size


def mixed_text(random: Random) -> str:
    share = random.choice((0, 0.05, 0.3))
    lines = [
        random.choice(OTHERS) if random.random() < share else random.choice(LINES).replace("0", random.choice("00.*"))
        for _ in range(random.randint(1, 50))
    ]
    end = random.choice(("\n", "\n", "\r\n"))
    return end.join(lines) + random.choice(("", end))


def test_lines_mean_the_same_read_together_or_alone() -> None:
    together = 0
    for seed in range(100):
        random = Random(seed)
        raw = mixed_text(random).encode()
        alone = [item if isinstance(item, Entry) else str(item) for item in read(BytesIO(raw), "f")]
        for stream in (BytesIO(raw), BufferedReader(Pipe(raw, random), 100)):
            found: list[Entry | str] = []
            expected = alone
            if not stream.seekable():
                # rules below a grid are for files
                expected = [
                    item if isinstance(item, Entry) else str(item)
                    for item in read(BufferedReader(Pipe(raw, random), 100), "f")
                ]
            for item in read_source(Source(stream, random.choice((1, 2, 7, 1000))), "f"):
                if isinstance(item, Batch):
                    together += len(item)
                    found += item.entries()
                else:
                    found.append(item if isinstance(item, Entry) else str(item))
            assert found == expected, f"seed {seed}"
    assert together > 500


def test_a_source_gives_what_its_stream_holds() -> None:
    random = Random(1)
    raw = b"\n".join(b"x" * random.choice((0, 1, 5, 80)) for _ in range(200))
    for _ in range(20):
        source, plain = Source(BufferedReader(Pipe(raw, random), 64)), BytesIO(raw)
        while expected := plain.readline(size := random.choice((-1, 3, 50))):
            assert source.readline(size) == expected
        assert (source.readline(), source.given, bytes(source.held)) == (b"", len(raw), b"")
    assert Source(BytesIO(raw)).read(1000) == raw[:1000]


def mutants(puzzle: Puzzle, solution: Grid, random: Random) -> Iterator[tuple[int, ...]]:
    """The solution, and grids that are nearly the same."""
    digits, n = solution.digits, solution.order
    yield digits
    for _ in range(20):
        changed = list(digits)
        cell, other = random.sample(range(n * n), 2)
        match random.randrange(5):
            case 0:
                changed[cell] = random.randint(1, n)
            case 1:
                changed[cell], changed[other] = changed[other], changed[cell]
            case 2:
                # each row, and with luck each column or box, stays complete
                row, another = cell // n * n, other // n * n
                changed[row : row + n], changed[another : another + n] = (
                    changed[another : another + n],
                    changed[row : row + n],
                )
            case 3:
                # a solution, but of another puzzle
                names = random.sample(range(1, n + 1), n)
                changed = [names[digit - 1] for digit in digits]
            case 4:
                changed[cell] = 0
        yield tuple(changed)
    latin = tuple((row + column) % n + 1 for row in range(n) for column in range(n))
    yield from (latin, (1,) * n * n, puzzle.clues.digits)


@pytest.mark.parametrize("ruleset", GEOMETRIES, ids=str)
def test_the_checker_of_arrays_says_what_the_checker_says(ruleset: Ruleset) -> None:
    random, box = Random(7), ruleset.classic_box
    assert box
    clues, grids, right = [], [], []
    for seed in range(30):
        solution = random_solution(ruleset, seed=seed)
        given = random.sample(range(len(solution.digits)), random.randint(0, len(solution.digits) // 2))
        puzzle = Puzzle(ruleset, solution.only(given))
        for digits in mutants(puzzle, solution, random):
            clues.append(puzzle.clues.digits)
            grids.append(digits)
            right.append(not check(puzzle, Grid(digits, ruleset.board)))
    assert are_solutions(np.array(clues, np.uint8), np.array(grids, np.uint8), box).tolist() == right
    assert 30 < sum(right) < len(right) / 2
    # what no grid can hold
    beyond = np.array([grids[0]], np.uint8)
    beyond[0, 0] += ruleset.order
    assert not are_solutions(np.zeros_like(beyond), beyond, box).any()


@pytest.mark.parametrize("ruleset", GEOMETRIES, ids=str)
def test_arrays_find_only_solutions_whatever_stands_beside_them(ruleset: Ruleset) -> None:
    box, size = ruleset.classic_box, ruleset.board.cell_count
    assert box
    some = [random_puzzle(ruleset, count, seed=count, wrong=count % 3 % 2) for count in range(2, size, size // 16)]
    session = Session()
    solutions = [list(islice(session.solutions(puzzle), 2)) for puzzle in some]
    clues = np.array([puzzle.clues.digits for puzzle in some], np.uint8)
    grids, found = only_solutions(clues, box)
    for grid, is_found, all_of in zip(grids, found, solutions, strict=True):
        assert not is_found or [tuple(grid.tolist())] == [each.digits for each in all_of]
    assert found.sum() >= 3
    for index in range(len(some)):
        alone, is_found = only_solutions(clues[index : index + 1], box)
        assert is_found == found[index : index + 1]
        assert not is_found or (alone == grids[index]).all()


def test_a_search_that_was_cut_off_has_found_no_only_solution() -> None:
    # with so many clues some searches end after one of several solutions
    some = [random_puzzle(NINE, count, seed=seed) for count in (29, 30, 31, 32, 33) for seed in range(40)]
    clues = np.array([puzzle.clues.digits for puzzle in some], np.uint8)
    _, found = only_solutions(clues, (3, 3))
    session = Session()
    assert {session.count_solutions(some[index], at_most=2) for index in np.flatnonzero(found)} == {1}


def test_a_wrong_grid_of_arrays_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(clues: Digits, _: tuple[int, int]) -> tuple[Digits, NDArray[np.bool_]]:
        return np.ones_like(clues), np.ones(len(clues), np.bool_)

    monkeypatch.setattr(batches, "only_solutions", wrong)
    batch = Batch(NINE, ONE_SOLUTION.encode() * 3, "f", 1)
    with pytest.raises(DisagreementError, match="arrays gave a wrong answer: r2c1 is 1, but the clue is 4"):
        batches.solve_batch(batch, None, Session())
