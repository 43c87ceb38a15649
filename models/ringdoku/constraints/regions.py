"""Sets of cells without repeats, apart from rows, columns and boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cells, Constraint, Groups, House, OfCells
from ringdoku.domain.errors import UsageError
from ringdoku.domain.marks import Mark, Outline, Shade, Stroke

_DIAGONAL = "#34bbe6"
_SHADE = "#d0d0d0"


@dataclass(frozen=True)
class Regions(Constraint):
    """Regions of any shape instead of boxes, or in addition to them. No digit stands twice in one."""

    regions: Groups

    text = "regions"
    summary = "no digit twice in a region, as in a jigsaw sudoku"
    example = "regions: r1c1 r1c2 r2c1 r2c2 | r1c3 r1c4 r2c3 r2c4"

    def refuse(self, board: Board) -> None:
        cells = [cell for region in self.regions for cell in region]
        if len(set(cells)) < len(cells):
            twice = next(cell for cell in cells if cells.count(cell) > 1)
            raise UsageError(f"regions do not overlap, but {board.cell_name(twice)} is in two")

    def houses(self, board: Board) -> Iterator[House]:  # noqa: ARG002
        for number, region in enumerate(self.regions, 1):
            yield House(f"region {number}", region)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Outline(region, dashed=False) for region in self.regions)


@dataclass(frozen=True)
class Diagonals(Constraint):
    """Both long diagonals; `slopes` has 1 for the one from the top left corner, -1 for the one from the bottom left."""

    text = "diagonal"
    summary = "no digit twice on either long diagonal"
    example = "diagonal"
    slopes: ClassVar[tuple[int, ...]] = (1, -1)

    def refuse(self, board: Board) -> None:
        if board.rows != board.columns:
            raise UsageError(f"{self.text} is for square boards, not for {board}")

    def houses(self, board: Board) -> Iterator[House]:
        n = board.rows
        for slope in self.slopes:
            down = tuple(row * n + row for row in range(n))
            up = tuple((n - 1 - column) * n + column for column in range(n))
            yield House("the diagonal down", down) if slope == 1 else House("the diagonal up", up)

    def marks(self, board: Board) -> Iterator[Mark]:
        return (Stroke(house.cells, _DIAGONAL, 0.04, whole=True) for house in self.houses(board))


@dataclass(frozen=True)
class DiagonalDown(Diagonals):
    """The long diagonal from the top left corner."""

    text = "diagonal-down"
    summary = "no digit twice on the diagonal from top left to bottom right"
    example = "diagonal-down"
    slopes = (1,)


@dataclass(frozen=True)
class DiagonalUp(Diagonals):
    """The long diagonal from the bottom left corner."""

    text = "diagonal-up"
    summary = "no digit twice on the diagonal from bottom left to top right"
    example = "diagonal-up"
    slopes = (-1,)


@dataclass(frozen=True)
class ExtraRegion(OfCells):
    """A further set of cells without repeats."""

    cells: Cells

    text = "extra-region"
    called = "extra region"
    summary = "no digit twice in these cells"
    example = "extra-region: r2c2 r2c3 r3c2 r3c3"
    shade = _SHADE

    def houses(self, board: Board) -> Iterator[House]:
        yield House(self.name(board), self.cells)


@dataclass(frozen=True)
class Windoku(Constraint):
    """Windows as large as the boxes, one cell away from the border and from each other."""

    height: int
    width: int

    text = "windoku"
    summary = "no digit twice in the windows, boxes one cell away from the border and from each other"
    example = "windoku 2x2"
    joiner = "x"

    def refuse(self, board: Board) -> None:
        if self.height < 1 or self.width < 1 or not list(self.houses(board)):
            raise UsageError(f"there is no room for windows of {self.height}x{self.width} on {board}")

    def houses(self, board: Board) -> Iterator[House]:
        number = 0
        for top in range(1, board.rows - self.height, self.height + 1):
            for left in range(1, board.columns - self.width, self.width + 1):
                number += 1
                rows, columns = range(top, top + self.height), range(left, left + self.width)
                cells = tuple(row * board.columns + column for row in rows for column in columns)
                yield House(f"window {number}", cells)

    def marks(self, board: Board) -> Iterator[Mark]:
        return (Shade(house.cells, _SHADE) for house in self.houses(board))


@dataclass(frozen=True)
class DisjointGroups(Constraint):
    """The cells in the same place of their boxes."""

    height: int
    width: int

    text = "disjoint-groups"
    summary = "no digit twice in the same place of different boxes of this many rows and columns"
    example = "disjoint-groups 2x2"
    joiner = "x"

    def refuse(self, board: Board) -> None:
        if self.height < 1 or self.width < 1 or board.rows % self.height or board.columns % self.width:
            raise UsageError(f"boxes of {self.height}x{self.width} do not fill {board}")

    def houses(self, board: Board) -> Iterator[House]:
        for down in range(self.height):
            for right in range(self.width):
                rows = range(down, board.rows, self.height)
                cells = tuple(r * board.columns + c for r in rows for c in range(right, board.columns, self.width))
                yield House(f"place {down * self.width + right + 1} of the boxes", cells)


@dataclass(frozen=True)
class AntiKnight(Constraint):
    """Cells a knight's move apart differ."""

    text = "anti-knight"
    summary = "no digit twice a knight's move of chess apart"
    example = "anti-knight"

    def houses(self, board: Board) -> Iterator[House]:
        return (House("a knight's move", pair) for pair in board.pairs(((1, 2), (2, 1), (2, -1), (1, -2))))


@dataclass(frozen=True)
class AntiKing(Constraint):
    """Cells that touch at a corner differ. Cells that share an edge differ by the rules for rows and columns."""

    text = "anti-king"
    summary = "no digit twice a king's move of chess apart"
    example = "anti-king"

    def houses(self, board: Board) -> Iterator[House]:
        return (House("a king's move", pair) for pair in board.pairs(((1, 1), (1, -1), (0, 1), (1, 0))))
