"""Where things are on a board: cells, units, peers and rings of an n×n grid with h×w boxes.

A cell is its index, row·n + column, counted from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import isqrt

from ringdoku.domain.errors import DimensionError
from ringdoku.domain.numbers import counted, whole_numbers

MAX_ORDER = 1024
"""Largest order accepted; a grid of it has about a million cells."""


@dataclass(frozen=True)
class Unit:
    """A set of n cells that hold every digit once, with the name people use for it."""

    name: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Geometry:
    """An n×n board with boxes of `box_height` rows × `box_width` columns, n = box_height·box_width.

    Raises `UsageError` for what is no whole number, `DimensionError` when a side is below 1 or the order above
    `MAX_ORDER`.
    """

    box_height: int
    box_width: int

    def __post_init__(self) -> None:
        height, width = whole_numbers((self.box_height, self.box_width), "box sides")
        object.__setattr__(self, "box_height", height)
        object.__setattr__(self, "box_width", width)
        if self.box_height < 1 or self.box_width < 1:
            raise DimensionError(f"a box has at least one row and column, not {self.box_height}x{self.box_width}")
        if self.order > MAX_ORDER:
            raise DimensionError(f"order {self.order} is above the largest supported, {MAX_ORDER}")

    @staticmethod
    def of_order(order: int, box: tuple[int, int] | None = None) -> Geometry:
        """The geometry of an order; square boxes unless `box` = (height, width) is given."""
        (order,) = whole_numbers((order,), "orders")
        if order < 1 or order > MAX_ORDER:
            raise DimensionError(f"an order is between 1 and {MAX_ORDER}, not {order}")
        if box is None:
            side = isqrt(order)
            if side * side != order:
                raise DimensionError(
                    f"order {order} is not a square number, so its box shape must be given, for example --box "
                    + " or ".join(f"{height}x{width}" for height, width in box_shapes(order))
                )
            box = (side, side)
        if not isinstance(box, Sequence) or len(box) != 2:
            raise DimensionError(f"a box is a height and a width, not {box!r}")
        if box[0] * box[1] != order:
            raise DimensionError(f"a box of {box[0]}x{box[1]} has {counted(box[0] * box[1], 'cell')}, not {order}")
        return _shared(*box)

    @property
    def order(self) -> int:
        """n: the side of the board, and the largest digit."""
        return self.box_height * self.box_width

    @property
    def cell_count(self) -> int:
        """n²."""
        return self.order * self.order

    @cached_property
    def rows(self) -> tuple[Unit, ...]:
        """From the top."""
        n = self.order
        return tuple(Unit(f"row {r + 1}", tuple(range(r * n, r * n + n))) for r in range(n))

    @cached_property
    def columns(self) -> tuple[Unit, ...]:
        """From the left."""
        n = self.order
        return tuple(Unit(f"column {c + 1}", tuple(range(c, n * n, n))) for c in range(n))

    @cached_property
    def boxes(self) -> tuple[Unit, ...]:
        """Boxes from left to right, then down; there are box_width bands of boxes with box_height boxes each."""
        n, height, width = self.order, self.box_height, self.box_width
        return tuple(
            Unit(f"box {band * height + stack + 1}", tuple(r * n + c for r in rows for c in columns))
            for band, rows in enumerate(range(top, top + height) for top in range(0, n, height))
            for stack, columns in enumerate(range(left, left + width) for left in range(0, n, width))
        )

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The 3n units: rows, columns, boxes."""
        return self.rows + self.columns + self.boxes

    @cached_property
    def units_of(self) -> tuple[tuple[int, int, int], ...]:
        """For each cell the indices of its row, column and box in `units`."""
        n = self.order
        return tuple(
            (r, n + c, 2 * n + r // self.box_height * self.box_height + c // self.box_width)
            for r in range(n)
            for c in range(n)
        )

    def peers(self, cell: int) -> frozenset[int]:
        """The other cells that share a unit with `cell`. Raises `IndexError` off the board."""
        self._require(cell)
        return frozenset(peer for unit in self.units_of[cell] for peer in self.units[unit].cells) - {cell}

    @property
    def ring_count(self) -> int:
        """⌈n / 2⌉."""
        return (self.order + 1) // 2

    def ring(self, cell: int) -> int:
        """Distance of a cell from the border; the outermost ring is 0. Raises `IndexError` off the board."""
        self._require(cell)
        row, column = divmod(cell, self.order)
        last = self.order - 1
        return min(row, column, last - row, last - column)

    def cell_name(self, cell: int) -> str:
        """As people write it: row 1 column 1 is `r1c1`. Raises `IndexError` off the board."""
        self._require(cell)
        row, column = divmod(cell, self.order)
        return f"r{row + 1}c{column + 1}"

    def _require(self, cell: int) -> None:
        if not 0 <= cell < self.cell_count:
            raise IndexError(f"there is no cell {cell} on a board of order {self.order}")

    def __str__(self) -> str:
        return f"{self.order}x{self.order} with {self.box_height}x{self.box_width} boxes"


def box_shapes(order: int) -> list[tuple[int, int]]:
    """Every (height, width) with height·width = order, the squarest first and flat ones before tall ones."""
    heights = [height for height in range(1, order + 1) if order % height == 0]
    shapes = [(height, order // height) for height in heights]
    return sorted(shapes, key=lambda shape: (abs(shape[0] - shape[1]), shape[0]))


@lru_cache(maxsize=32)
def _shared(box_height: int, box_width: int) -> Geometry:
    # units are costly for large orders, so equal geometries are one object
    return Geometry(box_height, box_width)
