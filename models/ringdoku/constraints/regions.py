"""Sets of cells without repeats, apart from rows, columns and boxes."""

from collections.abc import Iterator
from itertools import product
from math import isqrt
from typing import ClassVar

from ringdoku.domain import Board, Cells, Constraint, Groups, House, OfBoxes, OfCells, UsageError, counted, refuse
from ringdoku.domain.marks import Border, Mark, Shade, Stroke

_SHADE = "#d0d0d0"


class Regions(Constraint):
    """No digit twice in a region, as in a jigsaw sudoku."""

    regions: Groups

    example = "regions: r1c1 r1c2 r2c1 r2c2 | r1c3 r1c4 r2c3 r2c4"

    def refuse(self, board: Board) -> None:
        cells = [cell for region in self.regions for cell in region]
        if len(set(cells)) < len(cells):
            twice = next(cell for cell in cells if cells.count(cell) > 1)
            raise UsageError(f"regions do not overlap, but {board.cell_name(twice)} is in two")

    def houses(self, board: Board) -> Iterator[House]:  # noqa: ARG002
        return (House(f"region {number}", region) for number, region in enumerate(self.regions, 1))

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Border(region) for region in self.regions)


class Diagonals(Constraint):
    """No digit twice on either long diagonal."""

    example = "diagonal"
    directions: ClassVar[tuple[str, ...]] = ("down", "up")

    def refuse(self, board: Board) -> None:
        refuse(board.rows != board.columns, f"{self.text} is for square boards, not for {board}")

    def houses(self, board: Board) -> Iterator[House]:
        n = board.rows
        for direction in self.directions:
            rows = range(n) if direction == "down" else reversed(range(n))
            yield House(f"the diagonal {direction}", tuple(row * n + column for column, row in enumerate(rows)))

    def marks(self, board: Board) -> Iterator[Mark]:
        return (Stroke(house.cells, "#34bbe6", 0.04, whole=True) for house in self.houses(board))


class DiagonalDown(Diagonals):
    """No digit twice on the diagonal from top left to bottom right."""

    example = "diagonal-down"
    directions = ("down",)


class DiagonalUp(Diagonals):
    """No digit twice on the diagonal from bottom left to top right."""

    example = "diagonal-up"
    directions = ("up",)


class ExtraRegion(OfCells):
    """No digit twice in these cells."""

    cells: Cells

    example = "extra-region: r2c2 r2c3 r3c2 r3c3"
    called = "extra region"
    shade = _SHADE
    differ = True


class Windoku(OfBoxes):
    """No digit twice in the windows, boxes one cell away from the border and from each other."""

    example = "windoku 2x2"

    def refuse(self, board: Board) -> None:
        if self.height < 1 or self.width < 1 or not list(self.houses(board)):
            raise UsageError(f"there is no room for windows of {self.height}x{self.width} on {board}")
        size = self.height * self.width
        wrong = board.is_plain and isqrt(board.order) ** 2 == board.order != size
        refuse(wrong, f"a window of {self.height}x{self.width} has {counted(size, 'cell')}, not {board.order}")

    def houses(self, board: Board) -> Iterator[House]:
        tops = range(1, board.rows - self.height, self.height + 1)
        lefts = range(1, board.columns - self.width, self.width + 1)
        for number, (top, left) in enumerate(product(tops, lefts), 1):
            yield House(f"window {number}", board.block(top, left, self.height, self.width))

    def marks(self, board: Board) -> Iterator[Mark]:
        return (Shade(house.cells, _SHADE) for house in self.houses(board))


class DisjointGroups(OfBoxes):
    """No digit twice in the same place of different boxes of this many rows and columns."""

    example = "disjoint-groups 2x2"

    def houses(self, board: Board) -> Iterator[House]:
        for number, (down, right) in enumerate(product(range(self.height), range(self.width)), 1):
            rows, columns = range(down, board.rows, self.height), range(right, board.columns, self.width)
            cells = tuple(board.cell(row, column) for row, column in product(rows, columns))
            yield House(f"place {number} of the boxes", cells)


class AntiKnight(Constraint):
    """No digit twice a knight's move of chess apart."""

    example = "anti-knight"

    def houses(self, board: Board) -> Iterator[House]:
        return (House("a knight's move", pair) for pair in board.pairs(((1, 2), (2, 1), (2, -1), (1, -2))))


class AntiKing(Constraint):
    """No digit twice a king's move of chess apart."""

    example = "anti-king"

    def houses(self, board: Board) -> Iterator[House]:
        return (House("a king's move", pair) for pair in board.pairs(((1, 1), (1, -1), (0, 1), (1, 0))))
