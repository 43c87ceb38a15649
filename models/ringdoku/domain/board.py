"""A board: the cells of a puzzle and the digits they take. It has no rules. A cell is its index, counted from 0:
row·columns + column for the cells of the grid, then the extra cells."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, TypeVar

from ringdoku.domain.errors import DimensionError, UsageError, counted, listed, whole_number, whole_numbers

MAX_ORDER = 1024
"""The largest side of a board, count of digits, and absolute value of a digit. A grid has up to a million cells."""

ROOK = ((-1, 0), (0, -1), (0, 1), (1, 0))
"""To the cells that share an edge, in reading order."""
KING = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))
PLACE = re.compile(r"[rR]([0-9]{1,4})[cC]([0-9]{1,4})")
_EXTRA = re.compile(r"(?![rR][0-9]+[cC][0-9]+$)[A-Za-z][A-Za-z0-9_]{0,29}", re.ASCII)
"""Names of extra cells. Programs that read models accept no others."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class Board:
    """A grid of `rows` × `columns` cells with the digits `least`..`greatest`, and `extra` cells with names beside it.

    `greatest` None means as many digits as the longer side has cells. A blank is written as the number below the least
    digit, which is 0 for digits from 1. Extra cells have different names of at most 30 letters, digits and underscores,
    which begin with a letter and do not look like `r1c1`. Raises `UsageError` for other names and for what is no whole
    number, `DimensionError` for a side or a count of digits outside 1..`MAX_ORDER`, or a digit outside ±`MAX_ORDER`.
    """

    rows: int
    columns: int
    least: int = 1
    greatest: int | None = None
    extra: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        what = "sides and digits of a board"
        rows, columns, least = whole_numbers((self.rows, self.columns, self.least), what)
        greatest = least + max(rows, columns) - 1 if self.greatest is None else whole_number(self.greatest, what)
        for name, value in (("rows", rows), ("columns", columns), ("least", least), ("greatest", greatest)):
            object.__setattr__(self, name, value)
        for side in (rows, columns):
            if not 1 <= side <= MAX_ORDER:
                raise DimensionError(f"a side of a board has between 1 and {MAX_ORDER} cells, not {side}")
        if not 1 <= self.order <= MAX_ORDER:
            raise DimensionError(f"a board has between 1 and {MAX_ORDER} digits, not {self.order}")
        if self.largest > MAX_ORDER:
            raise DimensionError(f"digits are between −{MAX_ORDER} and {MAX_ORDER}, not {least}..{greatest}")
        names = tuple(listed(self.extra, "names of extra cells"))
        object.__setattr__(self, "extra", names)
        if wrong := [name for name in names if not (isinstance(name, str) and _EXTRA.fullmatch(name))]:
            raise UsageError(
                "an extra cell has a name of at most 30 letters, digits and underscores that begins with a letter, "
                f"not {wrong[0]!r}"
            )
        if len(set(self.extra)) < len(self.extra):
            raise UsageError(f"the names of extra cells are different, not {' '.join(self.extra)}")

    @staticmethod
    def square(order: int) -> "Board":
        """The board of n×n cells with the digits 1..n. Raises `UsageError` and `DimensionError`."""
        return Board(order, order)

    @cached_property
    def order(self) -> int:
        """How many digits there are: n for 1..n."""
        assert self.greatest is not None
        return self.greatest - self.least + 1

    @property
    def digits(self) -> range:
        """Every digit, ascending."""
        return range(self.least, self.least + self.order)

    @property
    def blank(self) -> int:
        """The number that a grid has for a blank cell."""
        return self.least - 1

    @property
    def largest(self) -> int:
        """The largest absolute value of a digit."""
        return max(abs(self.least), abs(self.digits[-1]))

    @property
    def grid_count(self) -> int:
        """How many cells the grid has: rows · columns."""
        return self.rows * self.columns

    def in_rows(self, values: Sequence[Value]) -> list[list[Value]]:
        """The values, one for each cell, as rows of the grid; those of extra cells are left out."""
        return [list(values[start : start + self.columns]) for start in range(0, self.grid_count, self.columns)]

    def beside(self, values: Iterable[Value]) -> dict[str, Value]:
        """The values of the extra cells by their names, from the values of all cells."""
        return dict(zip(self.extra, islice(values, self.grid_count, None), strict=False))

    @cached_property
    def cell_count(self) -> int:
        """How many cells there are, the extra ones too."""
        return self.rows * self.columns + len(self.extra)

    @property
    def is_plain(self) -> bool:
        """Whether the board is n×n with the digits 1..n and has no extra cells."""
        return self.rows == self.columns == self.greatest and self.least == 1 and not self.extra

    def cell(self, row: int, column: int) -> int:
        """The index of a cell of the grid, row and column from 0. Raises `IndexError` outside."""
        if (cell := self.at(row, column)) is None:
            raise IndexError(f"there is no row {row}, column {column} on a board of {self.rows}x{self.columns}")
        return cell

    def at(self, row: int, column: int) -> int | None:
        """The index of a cell of the grid, None outside."""
        return row * self.columns + column if 0 <= row < self.rows and 0 <= column < self.columns else None

    def block(self, top: int, left: int, height: int, width: int) -> tuple[int, ...]:
        """The cells of the rectangle of `height` × `width` cells from row `top`, column `left` on, row by row."""
        rows = range(top, top + height)
        return tuple(row * self.columns + column for row in rows for column in range(left, left + width))

    def named(self, name: str) -> int | None:
        """The index of the cell of this name: `r1c1` and so on, or that of an extra cell; None if there is none."""
        if found := PLACE.fullmatch(name):
            return self.at(int(found[1]) - 1, int(found[2]) - 1)
        return self.grid_count + self.extra.index(name) if name in self.extra else None

    def given(self, cell: Any) -> int:
        """The index of a cell that a caller gives by its index or name. Raises `UsageError`."""
        found = self.named(cell) if isinstance(cell, str) else whole_number(cell, "cells")
        if found is None or not 0 <= found < self.cell_count:
            raise UsageError(f"there is no cell {cell!r} on a board of {self}")
        return found

    def around(self, cell: int, moves: Collection[tuple[int, int]] = ROOK) -> list[int]:
        """The cells that the moves (rows, columns) lead to from a cell of the grid."""
        row, column = divmod(cell, self.columns)
        return [other for other in (self.at(row + down, column + right) for down, right in moves) if other is not None]

    def pairs(self, moves: Collection[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Every pair of a cell of the grid and the cell that one of the moves (rows, columns) leads to."""
        return ((cell, other) for cell in range(self.grid_count) for other in self.around(cell, moves))

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """Every two cells that share an edge, the upper or left one first."""
        return self.pairs(((0, 1), (1, 0)))

    def are_connected(self, cells: Iterable[int], around: Callable[[int], Iterable[int]] | None = None) -> bool:
        """Whether shared edges lead from each of the cells of the grid to all others, found by `around` if given."""
        first, *others = sorted(cells)
        left, reached = set(others), [first]
        while reached:
            near = left.intersection((around or self.around)(reached.pop()))
            reached += sorted(near)
            left -= near
        return not left

    def tangled(self, cages: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Those in the grid whose cells are not connected, or that cross another: neither is inside the other."""
        sets = [(cells, set(cells)) for cells in cages if max(cells) < self.grid_count]
        crossed = [one for one, own in sets if any(own & more and own - more and more - own for _, more in sets)]
        return [cells for cells, _ in sets if cells in crossed or not self.are_connected(cells)]

    def indices_at(self, sets: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
        """For each cell, the indices of the sets of cells that it is in."""
        found: list[list[int]] = [[] for _ in range(self.cell_count)]
        for index, cells in enumerate(sets):
            for cell in cells:
                found[cell].append(index)
        return tuple(map(tuple, found))

    def jumps(self, path: Sequence[int]) -> bool:
        """Whether two successive cells of a path in the grid do not touch."""
        return max(path) < self.grid_count and any(two not in self.around(one, KING) for one, two in pairwise(path))

    def ring(self, cell: int) -> int:
        """Distance of a cell of the grid from the border; the outermost ring is 0. Raises `IndexError` for others."""
        if not 0 <= cell < self.grid_count:
            raise IndexError(f"there is no cell {cell} in a grid of {self.rows}x{self.columns}")
        row, column = divmod(cell, self.columns)
        return min(row, column, self.rows - 1 - row, self.columns - 1 - column)

    def cell_name(self, cell: int) -> str:
        """The name of a cell: `r1c1` for row 1 column 1; an extra cell has its own. Raises `IndexError` outside."""
        if not 0 <= cell < self.cell_count:
            raise IndexError(f"there is no cell {cell} on {self}")
        if cell >= self.grid_count:
            return self.extra[cell - self.grid_count]
        row, column = divmod(cell, self.columns)
        return f"r{row + 1}c{column + 1}"

    def __str__(self) -> str:
        digits = "" if self.is_plain else f" with digits {self.least}-{self.greatest}"
        extra = f" and {counted(len(self.extra), 'extra cell')}" if self.extra else ""
        return f"{self.rows}x{self.columns}{digits}{extra}"
