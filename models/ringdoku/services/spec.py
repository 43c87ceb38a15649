"""What puzzles are asked of the generator, and what it made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.graph import LARGEST_ORDER
from ringdoku.services.placing import PLACED, REGIONS
from ringdoku.services.symmetries import orbits

ALIKE = frozenset((REGIONS, "palindrome"))
"""Constraints under which digits can change places everywhere."""
HARDER = "harder"
"""In `Generated.missed`."""


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

    `least`..`most` clues, None for as many as there happen to be. Groups of clues have a `symmetry`, a name of
    `symmetries.SYMMETRIES`, or stand just in the cells of `pattern`. Constraints of the `kinds`, names of
    `placing.PLACED` or `regions`, are placed over the solution. A puzzle is minimal if it has one solution and no group
    of clues, nor a constraint that was placed, can be left out; otherwise the clues alone are. `levels`, the easiest
    and the hardest one of `rating.LEVELS`, says how hard the puzzle is; unless it is to be minimal, it may have more
    clues than it needs for one solution. `tries` is how often a puzzle is begun before it is given up.

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
        for fault in (self._fault_of_clues(), self._fault_of_constraints(), self._fault_of_levels()):
            if fault:
                raise UsageError(fault)

    def _fault_of_clues(self) -> str:
        board, least, most = self.ruleset.board, self.least, self.most
        if board.extra:
            return "puzzles with extra cells cannot be generated"
        if least is not None and most is not None and not 0 <= least <= most <= board.grid_count:
            wished = least if least == most else f"{least}-{most}"
            return f"clues are from 0 to {board.grid_count}, the fewer first, not {wished}"
        if self.minimal and most is not None:
            return "a minimal puzzle has as many clues as it happens to need; ask for a number or for minimal"
        if self.pattern is not None and (most is not None or self.minimal or self.symmetry != "none"):
            return "a pattern says where clues are; it goes with no number, symmetry or minimal clues"
        return f"a number of tries is at least 1, not {self.tries}" if self.tries < 1 else ""

    def _fault_of_constraints(self) -> str:
        board = self.ruleset.board
        if self.solutions is not Solutions.ONE and (self.minimal or self.pattern is not None or self.kinds):
            return "minimal puzzles, patterns and constraints that are laid go with one solution only"
        if unknown := [kind for kind in self.kinds if kind not in PLACED and kind != REGIONS]:
            return f"{unknown[0]!r} cannot be laid; there are: {', '.join((*PLACED, REGIONS))}"
        if REGIONS in self.kinds and not board.is_plain:
            return f"regions are made on boards of n×n with digits 1-n, not on {board}"
        few = self.most is not None and self.most < board.order - 1
        if few and self.kinds and ALIKE.issuperset(self.kinds) and self.ruleset.classic_box:
            return (
                f"the digits can change places under {' and '.join(self.kinds)}, so one solution needs at least "
                f"{board.order - 1} clues, not {self.most}"
            )
        return ""

    def _fault_of_levels(self) -> str:
        if self.levels is None:
            return ""
        if unknown := [level for level in self.levels if level not in LEVELS]:
            return f"no level is called {unknown[0]!r}; there are: {', '.join(LEVELS)}"
        easiest, hardest = self.levels
        if LEVELS.index(easiest) > LEVELS.index(hardest):
            return f"levels are from the easier to the harder one, not {easiest}-{hardest}"
        if self.solutions is not Solutions.ONE:
            return "levels are for puzzles with one solution"
        if self.ruleset.order > LARGEST_ORDER:
            return f"levels are for orders up to {LARGEST_ORDER}, not {self.ruleset.order}"
        return ""


@dataclass(frozen=True)
class Generated:
    """A puzzle with its solution, which is None where it has none, after so many tries.

    `puzzle` None: no such puzzle was found; `nearest` says how many clues the puzzle had that came nearest, if any.
    `timed_out`: the time limit came first. `level` is one of `rating.LEVELS` where levels were asked for, and
    `missed` says how many puzzles had which other level; those that are harder than asked are all `harder`.
    """

    puzzle: Puzzle | None
    solution: Grid | None = None
    tries: int = 0
    nearest: int | None = None
    timed_out: bool = False
    level: str = ""
    missed: Mapping[str, int] = field(default_factory=dict)
