"""Sets of tests for judges of contests: puzzles that catch what wrong or slow programs do, with proved answers.

The clue counts are those of NOIP 2009 "target sudoku" (Luogu P1074): 40 % of the tests have at least 30 clues, 80 % at
least 26, all at least 24. No test has more than `MOST_SOLUTIONS` solutions, so that a program can look at all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
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
class Facts:
    """What is known of a test: its best score and one best grid, None where there is no solution; how many solutions
    there are and how many of them are best; the nodes of plain searches in row order and by fewest candidates."""

    score: int | None
    grid: Grid | None
    solutions: int
    best: int
    row_nodes: int
    fewest_nodes: int


@dataclass(frozen=True)
class Purpose:
    """What a test is for, in a sentence; the settings of its `Spec`, or the cells that may have random clues, with the
    bounds of their number that are at least asked for; and what the facts must say."""

    sentence: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    cells: Collection[int] = ()
    at_least: tuple[int, int] = (0, 0)
    holds: Callable[[Puzzle, Facts], bool] = lambda _puzzle, _facts: True

    def candidate(self, random: Random, session: Session, least: int, most: int) -> Puzzle | None:
        """A puzzle with so many clues that may be such a test."""
        if self.cells:
            solution = random_solution(RULES, random, session)
            count = random.randint(max(least, self.at_least[0]), max(most, self.at_least[1]))
            return Puzzle(RULES, solution.only(set(random.sample(self.cells, count))))  # type: ignore[arg-type]
        if "symmetry" in self.settings:
            most += most % 2
        return next(make(Spec(RULES, least, most, **self.settings), random.getrandbits(60))).puzzle


@dataclass(frozen=True)
class Test:
    """A puzzle, what it is for in a sentence, and the facts."""

    puzzle: Puzzle
    purpose: str
    facts: Facts


def _first_is_worse(puzzle: Puzzle, facts: Facts) -> bool:
    score = facts.score
    if score is None or facts.solutions < 2:
        return False
    return all(WEIGHTS.score(first_found(puzzle, fewest)) < score for fewest in (False, True))


_ALL = range(81)
_UNIQUE = Purpose("one solution", holds=lambda _, facts: facts.solutions == 1)
_MANY = Purpose("several solutions", {"solutions": Solutions.MANY}, holds=lambda _, facts: facts.solutions > 1)
_NONE = Purpose(
    "no solution, and no two clues contradict each other",
    {"solutions": Solutions.NONE},
    holds=lambda _, facts: facts.solutions == 0,
)
_SYMMETRIC = Purpose(
    "one solution, clues symmetric by a half turn",
    {"symmetry": "half-turn"},
    holds=lambda _, facts: facts.solutions == 1,
)
_HARD = Purpose(
    f"row order searches more than {HARD} times as long as fewest candidates first",
    holds=lambda _, facts: facts.row_nodes > HARD * facts.fewest_nodes,
)
_LAST = Purpose(
    "clues in the last six rows only: row order begins with blank rows", cells=range(27, 81), at_least=(30, 36)
)
_MIDDLE = Purpose(
    "no clue on the border", cells=[cell for cell in _ALL if RULES.board.ring(cell) > 0], at_least=(28, 33)
)
_TIES = Purpose("several grids have the best score", cells=_ALL, holds=lambda _, facts: facts.best > 1)
_LATER = Purpose("the solution that plain searches find first is not the best", cells=_ALL, holds=_first_is_worse)

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
        tests = (
            Test(puzzle, purpose.sentence, facts)
            for puzzle in candidates
            if puzzle and puzzle.clues.filled_count >= least
            if (facts := facts_of(puzzle, session)) and purpose.holds(puzzle, facts)
        )
        if (test := next(tests, None)) is None:
            raise RingdokuError(f"no test with {least}-{most} clues was found: {purpose.sentence}")
        yield test


def facts_of(puzzle: Puzzle, session: Session) -> Facts | None:
    """None where there are too many solutions. The best score is proved by two ways: a solver, and all solutions."""
    found = list(islice(session.solutions(puzzle), MOST_SOLUTIONS + 1))
    if len(found) > MOST_SOLUTIONS:
        return None
    scores = [WEIGHTS.score(grid) for grid in found]
    result, best = session.maximise(puzzle, WEIGHTS), max(scores, default=None)
    if result.score != best:
        raise DisagreementError(f"the best score is {result.score} by a solver, but all solutions say {best}")
    nodes = [search_nodes(puzzle, fewest) for fewest in (False, True)]
    return Facts(best, result.grid, len(found), sum(score == best for score in scores), *nodes)


def search_nodes(puzzle: Puzzle, fewest: bool) -> int:
    """How many digits a plain search for all solutions tries, up to `MOST_NODES`: by rows, or `fewest` candidates
    first."""
    tree = _Plain(puzzle, fewest)
    for _ in tree.solutions():
        pass
    return tree.nodes


def first_found(puzzle: Puzzle, fewest: bool) -> Grid:
    """The solution that such a search finds first; the clues, where it finds none."""
    return next(_Plain(puzzle, fewest).solutions(), puzzle.clues)


class _Plain:
    """The search of a program without propagation on a classic board: a mask of used digits for each unit."""

    def __init__(self, puzzle: Puzzle, fewest: bool) -> None:
        self.nodes = 0
        self._fewest = fewest
        self._digits = list(puzzle.clues.digits)
        self._units_of = puzzle.ruleset.units_of
        self._used = [0] * len(puzzle.ruleset.units)
        self._all = (1 << puzzle.order) - 1
        for cell, digit in enumerate(self._digits):
            for unit in self._units_of[cell] if digit else ():
                self._used[unit] |= 1 << digit - 1
        self._blank = [cell for cell, digit in enumerate(self._digits) if not digit]

    def solutions(self) -> Iterator[Grid]:
        if not self._blank:
            yield Grid(tuple(self._digits))
            return
        free, used = self._free, self._used
        place = min(range(len(self._blank)), key=lambda at: free(self._blank[at]).bit_count()) if self._fewest else 0
        cell = self._blank.pop(place)
        left = free(cell)
        while left and self.nodes < MOST_NODES:
            self.nodes += 1
            digit = left & -left
            left ^= digit
            for unit in self._units_of[cell]:
                used[unit] |= digit
            self._digits[cell] = digit.bit_length()
            yield from self.solutions()
            for unit in self._units_of[cell]:
                used[unit] ^= digit
        self._digits[cell] = 0
        self._blank.insert(place, cell)

    def _free(self, cell: int) -> int:
        row, column, box = self._units_of[cell]
        return self._all & ~(self._used[row] | self._used[column] | self._used[box])
