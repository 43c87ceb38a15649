"""A puzzle: a geometry, clues and rules. Contradictory clues are a puzzle too, one without a solution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ringdoku.domain.errors import DimensionError
from ringdoku.domain.geometry import Geometry
from ringdoku.domain.grid import Grid
from ringdoku.domain.rules import AllDifferent, Rule, sudoku_rules


@dataclass(frozen=True)
class Puzzle:
    """Raises `DimensionError` when the clues are of another order than the geometry."""

    geometry: Geometry
    clues: Grid

    def __post_init__(self) -> None:
        if len(self.clues.digits) != self.geometry.cell_count:
            raise DimensionError(f"clues of order {self.clues.order} do not fit a board of order {self.geometry.order}")

    @property
    def rules(self) -> tuple[Rule, ...]:
        """What every solution satisfies besides keeping the clues."""
        return _rules(self.geometry)

    @property
    def units(self) -> tuple[AllDifferent, ...]:
        """The rules over n cells, which hold every digit once: rows, columns, boxes."""
        return tuple(rule for rule in self.rules if isinstance(rule, AllDifferent) and len(rule.cells) == self.order)

    @property
    def order(self) -> int:
        """n, the side of the board and the largest digit."""
        return self.geometry.order

    @staticmethod
    def of_rows(rows: Iterable[Iterable[int]], box: tuple[int, int] | None = None) -> Puzzle:
        """From n rows of n digits; `box` = (height, width) is needed unless n is a square number."""
        clues = Grid.of_rows(rows)
        return Puzzle(Geometry.of_order(clues.order, box), clues)

    @staticmethod
    def parse(text: str, box: tuple[int, int] | None = None) -> Puzzle:
        """The one puzzle in a text of any known format; raises `InputError` when there is none, or more than one."""
        from ringdoku.formats import parse_one

        return parse_one(text, box)

    @staticmethod
    def blank(order: int, box: tuple[int, int] | None = None) -> Puzzle:
        """Without clues; `box` = (height, width) is needed unless the order is a square number."""
        return Puzzle(Geometry.of_order(order, box), Grid.blank(order))


@lru_cache(maxsize=32)
def _rules(geometry: Geometry) -> tuple[Rule, ...]:
    return sudoku_rules(geometry)
