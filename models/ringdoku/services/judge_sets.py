"""Sets of tests for judges of contests: puzzles that catch what wrong or slow programs do, with proved answers.

The clue counts are those of NOIP 2009 "target sudoku" (Luogu P1074): 40 % of the tests have at least 30 clues, 80 % at
least 26, all at least 24. No test has more than `MOST_SOLUTIONS` solutions, so that a program can look at all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Any

from ringdoku.domain.errors import DisagreementError, RingdokuError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import classic
from ringdoku.services.generate import random_solution
from ringdoku.services.generator import make
from ringdoku.services.session import Session
from ringdoku.services.spec import Solutions, Spec

RULES = classic(9)
WEIGHTS = ring_weights(RULES.board)
MOST_SOLUTIONS = 1000
MOST_NODES = 50_000
"""Of a plain search; what takes more is not searched to the end."""
HARD = 100
"""How many times as many nodes row order has to need."""

SPANS = ((0.4, 30, 36), (0.8, 26, 29), (1.0, 24, 25))
"""Up to which share of the tests there are so many clues, from and to."""


@dataclass(frozen=True)
class Test:
    """A puzzle, what it is for in a sentence, and what is known of it: its best score and one best grid, -1 and None
    where there is no solution; how many solutions there are and how many of them are best; and what `plain_search`
    returns for it."""

    puzzle: Puzzle
    purpose: str
    score: int
    grid: Grid | None
    solutions: int
    best: int
    by_rows: tuple[int, Grid | None]
    by_fewest: tuple[int, Grid | None]


@dataclass(frozen=True)
class Purpose:
    """What a test is for, in a sentence; what it must hold; the settings of its `Spec`, or the cells that may have
    random clues, with the bounds of their number that are at least asked for."""

    sentence: str
    holds: Callable[[Test], object] = bool
    settings: Mapping[str, Any] = field(default_factory=dict)
    cells: Sequence[int] = ()
    at_least: tuple[int, int] = (0, 0)

    def candidate(self, random: Random, session: Session, least: int, most: int) -> Puzzle | None:
        """A puzzle with so many clues that may be such a test."""
        if self.cells:
            solution = random_solution(RULES, random, session)
            count = random.randint(max(least, self.at_least[0]), max(most, self.at_least[1]))
            return Puzzle(RULES, solution.only(set(random.sample(self.cells, count))))
        if "symmetry" in self.settings:
            most += most % 2
        return next(make(Spec(RULES, (least, most), **self.settings), random.getrandbits(60))).puzzle


def _first_is_worse(test: Test) -> bool:
    found = (test.by_rows[1], test.by_fewest[1])
    return test.solutions > 1 and all(grid is None or WEIGHTS.score(grid) != test.score for grid in found)


_ALL = range(81)
_INNER = [cell for cell in _ALL if RULES.board.ring(cell) > 0]
_UNIQUE = Purpose("one solution", lambda test: test.solutions == 1)
_MANY = Purpose("several solutions", lambda test: test.solutions > 1, {"solutions": Solutions.MANY})
_NONE = Purpose(
    "no solution, and no two clues contradict each other",
    lambda test: test.solutions == 0,
    {"solutions": Solutions.NONE},
)
_SYMMETRIC = Purpose(
    "one solution, clues symmetric by a half turn", lambda test: test.solutions == 1, {"symmetry": "half-turn"}
)
_HARD = Purpose(
    f"row order searches more than {HARD} times as long as fewest candidates first",
    lambda test: test.by_rows[0] > HARD * test.by_fewest[0],
)
_LAST = Purpose("clues in the last six rows only: row order begins with blank rows", cells=_ALL[27:], at_least=(30, 36))
_MIDDLE = Purpose("no clue on the border", cells=_INNER, at_least=(28, 33))
_TIES = Purpose("several grids have the best score", lambda test: test.best > 1, cells=_ALL)
_LATER = Purpose("the solution that plain searches find first is not the best", _first_is_worse, cells=_ALL)

JUDGES: Mapping[str, tuple[Purpose, ...]] = MappingProxyType(
    {
        "P1074": (_UNIQUE, _MANY, _NONE, _LATER, _TIES, _LAST, _HARD, _MIDDLE, _SYMMETRIC),
        "solve": (_UNIQUE, _HARD, _NONE, _MANY, _LAST, _SYMMETRIC, _MIDDLE),
    }
)
"""What the tests of each task are for, in turn: P1074 asks for the best score, solve for any solution."""


def judge_set(task: str, count: int, seed: int = 0) -> Iterator[Test]:
    """So many tests for a task, a name of `JUDGES`, those with most clues first. The same seed gives the same tests."""
    session, purposes = Session(), JUDGES[task]
    for number in range(count):
        least, most = next((low, high) for share, low, high in SPANS if number < share * count)
        purpose, random = purposes[number % len(purposes)], Random(f"{task} {seed} {number}")
        candidates = (purpose.candidate(random, session, least, most) for _ in range(3000))
        puzzles = (puzzle for puzzle in candidates if puzzle and puzzle.clues.filled_count >= least)
        tests = (tested(puzzle, purpose.sentence, session) for puzzle in puzzles)
        if (test := next((test for test in tests if test and purpose.holds(test)), None)) is None:
            raise RingdokuError(f"no test with {least}-{most} clues was found: {purpose.sentence}")
        yield test


def tested(puzzle: Puzzle, purpose: str, session: Session) -> Test | None:
    """None where there are too many solutions. The best score is proved by two ways: a solver, and all solutions."""
    found = list(islice(session.solutions(puzzle), MOST_SOLUTIONS + 1))
    if len(found) > MOST_SOLUTIONS:
        return None
    scores = [WEIGHTS.score(grid) for grid in found]
    result, best = session.maximise(puzzle, WEIGHTS), max(scores, default=-1)
    if (-1 if result.score is None else result.score) != best:
        raise DisagreementError(f"the best score is {result.score} by a solver, but all solutions say {best}")
    by_rows, by_fewest = plain_search(puzzle, fewest=False), plain_search(puzzle, fewest=True)
    return Test(puzzle, purpose, best, result.grid, len(found), scores.count(best), by_rows, by_fewest)


def plain_search(puzzle: Puzzle, fewest: bool) -> tuple[int, Grid | None]:
    """How many digits a search without propagation on a classic board tries until it has seen all solutions, up to
    `MOST_NODES`, and the solution that it finds first. It goes by rows, or to the cell with the `fewest` candidates."""
    units_of, digits = puzzle.ruleset.units_of, list(puzzle.clues.digits)
    # a mask for each unit
    used = [0] * len(puzzle.ruleset.units)
    for cell, digit in enumerate(digits):
        for unit in units_of[cell] if digit else ():
            used[unit] |= 1 << digit - 1
    nodes, first = 0, None

    def free(cell: int) -> int:
        row, column, box = units_of[cell]
        return (1 << puzzle.order) - 1 & ~(used[row] | used[column] | used[box])

    def fill(blank: list[int]) -> None:
        nonlocal nodes, first
        if not blank:
            first = first or Grid(tuple(digits))
            return
        cell = min(blank, key=lambda cell: free(cell).bit_count()) if fewest else blank[0]
        rest = [other for other in blank if other != cell]
        left = free(cell)
        while left and nodes < MOST_NODES:
            nodes += 1
            mask = left & -left
            left ^= mask
            digits[cell] = mask.bit_length()
            for unit in units_of[cell]:
                used[unit] |= mask
            fill(rest)
            for unit in units_of[cell]:
                used[unit] ^= mask

    fill([cell for cell, digit in enumerate(digits) if not digit])
    return nodes, first
