"""Rows and columns read as numbers, in both directions: 4n readings of a grid of n×n."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from operator import eq, gt, lt, ne

from ringdoku.constraints.outside import Clue
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cells, Constraint, House, Lines, Pairs
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.primitives import Allowed, OneOf, Primitive, Relation


def sides(board: Board) -> list[list[Cells]]:
    """The readings from the left, from the right, from the top and from the bottom."""
    size = board.rows
    rows = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    columns = [tuple(range(column, size * size, size)) for column in range(size)]
    return [rows, [row[::-1] for row in rows], columns, [column[::-1] for column in columns]]


@lru_cache(maxsize=16)
def _pairs(board: Board, allows: Callable[[int, int], bool]) -> Pairs:
    # one set for thousands of relations
    return frozenset((a, b) for a in board.digits for b in board.digits if allows(a, b))


def _require_full_square(constraint: Constraint, board: Board) -> None:
    if not board.rows == board.columns == board.order:
        raise UsageError(f"{constraint.text} is for boards of n×n with n digits, not for {board}")


@dataclass(frozen=True)
class FullRank(Clue):
    """The rank of a line among all readings in ascending order. No other reading is equal."""

    text = "full-rank"
    summary = (
        "the number is the rank of the line among all rows and columns, read in both directions; no other is equal"
    )
    example = "full-rank 5: r1c1-r1c4"
    may_tie = False

    def refuse(self, board: Board) -> None:
        _require_full_square(self, board)
        if not 1 <= self.number <= 4 * board.order:
            raise UsageError(f"a rank is between 1 and {4 * board.order}, not {self.number}")
        if not any(self.cells in side for side in sides(board)):
            raise UsageError("the cells are no whole row or column")

    def houses(self, board: Board) -> Iterator[House]:
        # the readings from one side start with different digits, so each digit starts four readings
        rows, columns = board.rows, board.columns
        every = list(Lines().houses(board))
        yield from (every[0], every[rows - 1], every[rows], every[rows + columns - 1])

    def holds(self, grid: Grid) -> bool:
        own = grid.at(self.cells)
        others = [grid.at(cells) for side in sides(grid.board) for cells in side if cells != self.cells]
        return sum(other < own for other in others) == self.number - 1 and (self.may_tie or own not in others)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first = board.digits[(self.number - 1) // 4]
        below = (self.number - 1) % 4
        yield Allowed(self.cells[0], frozenset((first,)))
        # from each other side one reading starts with that digit: this many of the three are less
        others = [side for side in sides(board) if self.cells not in side]
        cases = []
        for less in combinations(range(3), below):
            case: list[Primitive] = []
            for number, side in enumerate(others):
                for cells in side:
                    order = self._compare(cells, number in less, board, 1)
                    if cells[0] == self.cells[0]:
                        case.append(order)
                    else:
                        starts_otherwise = Allowed(cells[0], frozenset(board.digits) - {first})
                        case.append(OneOf(((starts_otherwise,), (order,)), self.name(board)))
            cases.append(tuple(case))
        yield OneOf(tuple(cases), self.name(board))

    def _compare(self, cells: Cells, less: bool, board: Board, place: int) -> Primitive:
        """From this place on the other reading is less, or greater. Up to here both are equal."""
        name = self.name(board)
        if place == len(cells):
            return OneOf(((),) if self.may_tie and not less else (), name)
        other, own = cells[place], self.cells[place]
        after = self._compare(cells, less, board, place + 1)
        if other == own:
            return after
        strict = Relation(other, own, _pairs(board, lt if less else gt), name)
        equal = Relation(other, own, _pairs(board, eq), name)
        return OneOf(((strict,), (equal, after)), name)


@dataclass(frozen=True)
class FullRankWithTies(FullRank):
    """The rank of a line if readings may be equal. Equal readings share the smallest of their ranks."""

    text = "full-rank-with-ties"
    summary = "as full-rank, but other rows and columns may be equal to the line; they share the smallest rank"
    example = "full-rank-with-ties 5: r1c1-r1c4"
    may_tie = True


@dataclass(frozen=True)
class NoTies(Constraint):
    """No two of the readings are equal."""

    text = "no-ties"
    summary = "no two rows or columns, read in both directions, are equal"
    example = "no-ties"

    def refuse(self, board: Board) -> None:
        _require_full_square(self, board)

    def holds(self, grid: Grid) -> bool:
        readings = [grid.at(cells) for side in sides(grid.board) for cells in side]
        return len(set(readings)) == len(readings)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        readings = [cells for side in sides(board) for cells in side]
        for one, other in combinations(readings, 2):
            # if two readings differ, so do both in the other direction
            if sorted((one, other)) <= sorted((one[::-1], other[::-1])):
                name = f"the readings from {board.cell_name(one[0])} and {board.cell_name(other[0])}"
                pairs = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
                cases = [(Relation(*pair, _pairs(board, ne), name),) for pair in pairs]
                yield OneOf(tuple(cases), name)
