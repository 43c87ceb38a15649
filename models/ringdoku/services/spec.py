"""What the generator is asked for, a `Spec`, and what it returns, a `Generated`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from ringdoku.domain import Board, Grid, Puzzle, Ruleset, counted, refuse
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.graph import LARGEST_ORDER
from ringdoku.explanations.techniques import TECHNIQUES
from ringdoku.services.placing import PLACED, REGIONS

SYMMETRIES: Mapping[str, tuple[Callable[[int, int, int, int], tuple[int, int]], ...]] = {
    "none": (),
    "half-turn": (lambda row, column, last_row, last_column: (last_row - row, last_column - column),),
    "quarter-turn": (lambda row, column, last, _: (column, last - row),),
    "mirror": (lambda row, column, _, last: (row, last - column),),
    "diagonal": (lambda row, column, *_: (column, row),),
    "full": (lambda row, column, last, _: (column, last - row), lambda row, column, _, last: (row, last - column)),
}
"""Symmetries by their generators: functions from (row, column, last row, last column) to where that cell goes."""


def orbits(board: Board, symmetry: str) -> list[tuple[int, ...]]:
    """The orbits of the cells under a symmetry. Raises `UsageError` for an unknown or unsuitable one."""
    refuse(symmetry not in SYMMETRIES, f"no symmetry is called {symmetry!r}; there are: {', '.join(SYMMETRIES)}")
    for_squares = board.rows != board.columns and symmetry in ("quarter-turn", "diagonal", "full")
    refuse(for_squares, f"the symmetry {symmetry} is for square boards, not for {board}")
    found: dict[int, tuple[int, ...]] = {}
    for start in range(board.grid_count):
        orbit = [start]
        for cell in orbit:
            place = (*divmod(cell, board.columns), board.rows - 1, board.columns - 1)
            orbit += (other for move in SYMMETRIES[symmetry] if (other := board.cell(*move(*place))) not in orbit)
        found.setdefault(min(orbit), tuple(sorted(orbit)))
    return list(found.values())


def span_of_levels(text: str) -> tuple[str, str]:
    """The easiest and the hardest level of a text such as `2` or `2-3`. Raises `UsageError`."""
    first, dash, last = text.partition("-")
    refuse(dash and not (first and last), f"the level is one or a span such as 2-3, not {text!r}")
    return first, last or first


class Solutions(Enum):
    """How many solutions a puzzle is to have: one, proved; several, two of them found; or none, proved, though no two
    clues break a rule together."""

    ONE = "1"
    MANY = "2+"
    NONE = "0"


@dataclass(frozen=True)
class Spec:
    """What a puzzle is to be like.

    `clues` are the fewest and the most clues, None for as many as there happen to be. Groups of clues have a
    `symmetry`, a name of `SYMMETRIES`, or stand just in the cells of `pattern`. Constraints of the `kinds`, names of
    `placing.PLACED` or `regions`, are placed over the solution. A puzzle is minimal if it has one solution and no group
    of clues and no placed constraint can be left out; otherwise, without `clues`, only its clues are minimal. `levels`
    are the easiest and the hardest level of `explanation.LEVELS`; unless the puzzle is to be minimal, it may then have
    more clues than it needs for one solution. `tries` is how many puzzles are begun before the generator gives up. The
    puzzle has this `solution`, a random one for None; the clues of `kept` stay, with all of their groups. One of its
    steps has the name `technique`; without `levels`, no step takes more truths than that technique.

    `solution` and `kept` are on the board. Raises `UsageError` for fields that contradict each other or the board.
    """

    ruleset: Ruleset
    clues: tuple[int, int] | None = None
    minimal: bool = False
    symmetry: str = "none"
    pattern: frozenset[int] | None = None
    solutions: Solutions = Solutions.ONE
    kinds: tuple[str, ...] = ()
    levels: tuple[str, str] | None = None
    tries: int = 1000
    solution: Grid | None = None
    kept: Grid | None = None
    technique: str | None = None

    def __post_init__(self) -> None:
        orbits(self.ruleset.board, self.symmetry)
        board, cells, several = self.ruleset.board, self.ruleset.board.grid_count, self.solutions is not Solutions.ONE
        refuse(board.extra, "puzzles with extra cells cannot be generated")
        least, most = self.clues or (0, cells)
        asked = "-".join(dict.fromkeys(map(str, (least, most))))
        refuse(not 0 <= least <= most <= cells, f"clues are from 0 to {cells}, the fewer first, not {asked}")
        conflict: object = self.clues and self.minimal
        refuse(conflict, "a minimal puzzle has as many clues as it happens to need; ask for a number or for minimal")
        conflict = self.pattern is not None and (self.clues or self.minimal or self.symmetry != "none")
        refuse(conflict, "a pattern says where clues are; it goes with no number, symmetry or minimal clues")
        conflict = several and (self.minimal or self.pattern is not None or self.kinds)
        refuse(conflict, "minimal puzzles, patterns and constraints that are laid go with one solution only")
        refuse(
            self.solution and self.solutions is Solutions.NONE, "a puzzle without solutions is made from no given one"
        )
        known = (*PLACED, REGIONS)
        for kind in self.kinds:
            refuse(kind not in known, f"{kind!r} cannot be laid; there are: {', '.join(known)}")
        refuse(REGIONS in self.kinds and not board.is_plain, f"regions need n×n and the digits 1-n, not {board}")
        distinguishing = {*self.kinds, *(rule.text for rule in self.ruleset.special)} - {REGIONS, "palindrome"}
        why = f"the digits can change places under {' and '.join(self.kinds)}, so one solution needs at least"
        too_few = self.kinds and board.is_plain and not distinguishing and most < board.order - 1
        refuse(too_few, f"{why} {board.order - 1} clues, not {most}")
        stay = self.kept.filled_count if self.kept else 0
        conflict = (self.solution or stay) and REGIONS in self.kinds
        refuse(conflict, "regions come before the solution, and cannot be laid over a given one")
        conflict = stay and (several or self.pattern is not None)
        refuse(conflict, "clues that stay go with one solution, and with no pattern")
        refuse(stay > most, f"{counted(stay, 'clue')} stay, which are more than {most}")
        if self.level_span:
            easiest, hardest = self.level_span
            for level in self.level_span:
                refuse(level not in LEVELS, f"no level is called {level!r}; there are: {', '.join(LEVELS)}")
            conflict = LEVELS.index(easiest) > LEVELS.index(hardest)
            refuse(conflict, f"levels are from the easier to the harder one, not {easiest}-{hardest}")
            refuse(several, "levels are for puzzles with one solution")
            order = self.ruleset.order
            refuse(order > LARGEST_ORDER, f"levels are for orders up to {LARGEST_ORDER}, not {order}")

    @property
    def level_span(self) -> tuple[str, str] | None:
        """The easiest and the hardest level that puzzles may have; None for any."""
        return self.levels or (self.technique and (LEVELS[0], str(TECHNIQUES[self.technique].size))) or None


@dataclass(frozen=True)
class Generated:
    """A puzzle, None if none was found, and its only solution, None if it has none or several. `remark` is what to tell
    the user, such as why none was found; `complete`: no time limit left a question open."""

    puzzle: Puzzle | None
    solution: Grid | None = None
    remark: str = ""
    complete: bool = True
