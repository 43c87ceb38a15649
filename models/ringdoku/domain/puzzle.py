"""A puzzle: rules and clues. Contradictory clues are a puzzle too, one without a solution."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint
from ringdoku.domain.errors import DimensionError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.domain.showing import Shown


@dataclass(frozen=True, repr=False)
class Puzzle(Shown):
    """Rules, and clues on the same board. Raises `DimensionError` when the boards differ."""

    ruleset: Ruleset
    clues: Grid

    def __post_init__(self) -> None:
        if not isinstance(self.ruleset, Ruleset) or not isinstance(self.clues, Grid):
            raise UsageError("a Puzzle has a Ruleset and a Grid; texts are for ringdoku.parse, rows for Puzzle.of_rows")
        if self.clues.board != self.ruleset.board:
            raise DimensionError(f"clues of a {self.clues.board} board do not fit one of {self.ruleset.board}")

    @property
    def board(self) -> Board:
        """The cells and digits."""
        return self.ruleset.board

    @property
    def order(self) -> int:
        """How many digits there are: n for 1..n."""
        return self.ruleset.board.order

    def __repr__(self) -> str:
        if self.ruleset.classic_box in ((2, 2), (3, 3)):
            return f"parse('{''.join('.' if clue == 0 else str(clue) for clue in self.clues.digits)}')"
        return f"Puzzle({self.ruleset!r}, {self.clues!r})"

    def __str__(self) -> str:
        """The lines of the rules, and below them the clues with borders around the boxes: text that is read again.
        Raises `UsageError` for boxes of two shapes, for which there is no text."""
        text: str = import_module("ringdoku.text").write_puzzles([self], "boxed")
        return text.rstrip("\n")

    def with_rules(self, *rules: str | Constraint) -> "Puzzle":
        """The puzzle with further rules: lines of the text form, such as `thermometer: r1c1-r1c3` or `no boxes`, and
        constraints. Raises `UsageError` for a rule that cannot be read, or makes no sense on the board."""
        if not rules:
            return self
        # the text form knows all constraints, which the domain does not
        read = import_module("ringdoku.constraints.registry").with_rules
        ruleset = read(self.ruleset, [rule for rule in rules if isinstance(rule, str)])
        return Puzzle(ruleset.extended(*(rule for rule in rules if not isinstance(rule, str))), self.clues)

    @staticmethod
    def of_rows(
        rows: Iterable[Iterable[int]], box: tuple[int, int] | None = None, rules: Iterable[str | Constraint] = ()
    ) -> "Puzzle":
        """A puzzle from n rows of n digits; `box` = (height, width) is needed unless n is a square number. `rules` are
        as in `with_rules`."""
        clues = Grid.of_rows(rows)
        return Puzzle(classic(clues.order, box), clues).with_rules(*rules)

    @staticmethod
    def blank(order: int, box: tuple[int, int] | None = None) -> "Puzzle":
        """A classic puzzle without clues; `box` = (height, width) is needed unless the order is a square number."""
        ruleset = classic(order, box)
        return Puzzle(ruleset, Grid.blank(ruleset.board))


def pattern_solution(ruleset: Ruleset) -> Grid:
    """Each row is the one before, shifted by a box width, and by one more in each band: a solution of any classic
    ruleset."""
    n, (height, width) = ruleset.order, ruleset.require_classic("a pattern grid")
    return Grid(tuple((r % height * width + r // height + c) % n + 1 for r in range(n) for c in range(n)))
