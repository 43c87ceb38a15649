"""What puzzles are asked of the generator, and what it made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.graph import LARGEST_ORDER
from ringdoku.services.placing import PLACED, REGIONS

ALIKE = frozenset((REGIONS, "palindrome"))
"""Constraints under which digits can change places everywhere."""
HARDER = "harder"
"""In `Generated.missed`."""

Move: TypeAlias = Callable[[int, int, int, int], tuple[int, int]]
"""Where a symmetry takes a (row, column), given the last row and the last column, all from 0."""

SYMMETRIES: Mapping[str, tuple[Move, ...]] = MappingProxyType(
    {
        "none": (),
        "half-turn": (lambda row, column, last_row, last_column: (last_row - row, last_column - column),),
        "quarter-turn": (lambda row, column, last, _: (column, last - row),),
        "mirror": (lambda row, column, _, last: (row, last - column),),
        "diagonal": (lambda row, column, *_: (column, row),),
        "full": (lambda row, column, last, _: (column, last - row), lambda row, column, _, last: (row, last - column)),
    }
)
"""The symmetries of clues by name, each by moves that make all of it."""


def orbits(board: Board, symmetry: str) -> list[tuple[int, ...]]:
    """The cells of the grid in groups that a symmetry keeps together. Raises `UsageError` for an unknown name, and on a
    rectangle for a symmetry of squares."""
    if symmetry not in SYMMETRIES:
        raise UsageError(f"no symmetry is called {symmetry!r}; there are: {', '.join(SYMMETRIES)}")
    if board.rows != board.columns and symmetry in ("quarter-turn", "diagonal", "full"):
        raise UsageError(f"the symmetry {symmetry} is for square boards, not for {board}")
    found: dict[int, tuple[int, ...]] = {}
    for start in range(board.grid_count):
        orbit = [start]
        for cell in orbit:
            place = (*divmod(cell, board.columns), board.rows - 1, board.columns - 1)
            orbit += (other for move in SYMMETRIES[symmetry] if (other := board.cell(*move(*place))) not in orbit)
        found.setdefault(min(orbit), tuple(sorted(orbit)))
    return list(found.values())


class Solutions(Enum):
    """How many solutions a puzzle is to have."""

    ONE = "1"
    """Exactly one, proved."""
    MANY = "2+"
    """At least two, found."""
    NONE = "0"
    """None, proved, and no two clues that break a rule together."""


@dataclass(frozen=True)
class Spec:
    """What a puzzle is to be like.

    `least`..`most` clues, both None for as many as there happen to be. Groups of clues have a `symmetry`, a name of
    `SYMMETRIES`, or stand just in the cells of `pattern`. Constraints of the `kinds`, names of `placing.PLACED` or
    `regions`, are placed over the solution. A puzzle is minimal if it has one solution and no group of clues, nor a
    constraint that was placed, can be left out; otherwise the clues alone are. `levels`, the easiest and the hardest
    one of `explanation.LEVELS`, says how hard the puzzle is; unless it is to be minimal, it may have more clues than it
    needs for one solution. `tries` is how often a puzzle is begun before it is given up.

    Raises `UsageError` for fields that contradict each other or the board.
    """

    ruleset: Ruleset
    least: int | None = None
    most: int | None = None
    minimal: bool = False
    symmetry: str = "none"
    pattern: frozenset[int] | None = None
    solutions: Solutions = Solutions.ONE
    kinds: tuple[str, ...] = ()
    levels: tuple[str, str] | None = None
    tries: int = 1000

    def __post_init__(self) -> None:
        orbits(self.ruleset.board, self.symmetry)
        if fault := next(chain(self._faults_of_clues(), self._faults_of_kinds(), self._faults_of_levels()), None):
            raise UsageError(fault)

    @property
    def span(self) -> tuple[int, int] | None:
        """The fewest and the most clues, None where any number will do."""
        return None if self.least is None or self.most is None else (self.least, self.most)

    def _faults_of_clues(self) -> Iterator[str]:
        board, cells = self.ruleset.board, self.ruleset.board.grid_count
        if board.extra:
            yield "puzzles with extra cells cannot be generated"
        if self.span and not 0 <= self.span[0] <= self.span[1] <= cells:
            asked = "-".join(map(str, dict.fromkeys(self.span)))
            yield f"clues are from 0 to {cells}, the fewer first, not {asked}"
        if self.span and self.minimal:
            yield "a minimal puzzle has as many clues as it happens to need; ask for a number or for minimal"
        if self.pattern is not None and (self.span or self.minimal or self.symmetry != "none"):
            yield "a pattern says where clues are; it goes with no number, symmetry or minimal clues"
        if self.tries < 1:
            yield f"a number of tries is at least 1, not {self.tries}"

    def _faults_of_kinds(self) -> Iterator[str]:
        board = self.ruleset.board
        if self.solutions is not Solutions.ONE and (self.minimal or self.pattern is not None or self.kinds):
            yield "minimal puzzles, patterns and constraints that are laid go with one solution only"
        for kind in self.kinds:
            if kind not in (*PLACED, REGIONS):
                yield f"{kind!r} cannot be laid; there are: {', '.join((*PLACED, REGIONS))}"
        if REGIONS in self.kinds and not board.is_plain:
            yield f"regions are made on boards of n×n with digits 1-n, not on {board}"
        alike = self.kinds and ALIKE.issuperset(self.kinds) and self.ruleset.classic_box
        if alike and self.span and self.span[1] < board.order - 1:
            yield (
                f"the digits can change places under {' and '.join(self.kinds)}, so one solution needs at least "
                f"{board.order - 1} clues, not {self.most}"
            )

    def _faults_of_levels(self) -> Iterator[str]:
        if self.levels is None:
            return
        for level in self.levels:
            if level not in LEVELS:
                yield f"no level is called {level!r}; there are: {', '.join(LEVELS)}"
        easiest, hardest = map(LEVELS.index, self.levels)
        if easiest > hardest:
            yield f"levels are from the easier to the harder one, not {'-'.join(self.levels)}"
        if self.solutions is not Solutions.ONE:
            yield "levels are for puzzles with one solution"
        if self.ruleset.order > LARGEST_ORDER:
            yield f"levels are for orders up to {LARGEST_ORDER}, not {self.ruleset.order}"


@dataclass(frozen=True)
class Generated:
    """A puzzle with its solution, which is None where it has none, after so many tries.

    `puzzle` None: no such puzzle was found; `nearest` says how many clues the puzzle had that came nearest, if any.
    `timed_out`: the time limit came first. `level` is one of `explanation.LEVELS` where levels were asked for, and
    `missed` says how many puzzles had which other level; those that are harder than asked are all `harder`.
    """

    puzzle: Puzzle | None
    solution: Grid | None = None
    tries: int = 0
    nearest: int | None = None
    timed_out: bool = False
    level: str = ""
    missed: Mapping[str, int] = field(default_factory=dict)
