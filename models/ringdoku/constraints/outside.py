"""Clues outside the grid, each for a line of cells whose first is next to the clue; ranks, and digits that name
places."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from operator import eq, gt, lt, ne
from typing import Any, ClassVar

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cell, Cells, Constraint, House, Lines, OfCells, Pairs
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Mark, Note, Outside, Shade
from ringdoku.domain.primitives import (
    Allowed,
    Diagram,
    OneOf,
    Primitive,
    Relation,
    diagram,
    pairs_of,
    related,
    relation,
)


@dataclass(frozen=True)
class Clue(OfCells):
    """A number before a line of cells."""

    number: int
    cells: Cells

    called = "{} clue"

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outside(self.cells, str(self.number))


@dataclass(frozen=True)
class Walk(Clue):
    """A clue that an automaton reads cell by cell, from the state `start` to the state that `end` returns."""

    start: ClassVar[Any] = "before"

    @abstractmethod
    def step(self, state: Any, place: int, digit: int, board: Board) -> Any:
        """The state after a digit at a place of the line, counted from 0; None if the digit is not possible."""

    @abstractmethod
    def end(self, state: Any) -> bool:
        """Whether the line may end in this state."""

    def primitives(self, board: Board) -> Iterator[Primitive]:
        # the same for every line of so many cells
        at_the_start = replace(self, cells=tuple(range(len(self.cells))))
        yield replace(_walked(at_the_start, board), cells=self.cells, name=self.name(board))


@lru_cache(maxsize=512)
def _walked(walk: Walk, board: Board) -> Diagram:
    return walk.diagram(board, walk.start, lambda state, place, digit: walk.step(state, place, digit, board), walk.end)


@dataclass(frozen=True)
class Skyscraper(Walk):
    """The number of digits that are greater than all before them. A 0 is not a building and never counts."""

    text = "skyscraper"
    summary = (
        "as many digits as the number says are greater than all before them, from the first cell on; 0 never counts"
    )
    example = "skyscraper 3: r1c1-r1c4"
    start = (0, 0)

    def holds(self, grid: Grid) -> bool:
        digits = (0, *grid.at(self.cells))
        seen = [digit for place, digit in enumerate(digits) if all(digit > before for before in digits[:place])]
        return len(seen) - 1 == self.number

    def step(self, state: Any, place: int, digit: int, board: Board) -> Any:  # noqa: ARG002
        seen, highest = state
        if digit <= highest:
            return state
        return (seen + 1, digit) if seen < self.number else None

    def end(self, state: Any) -> bool:
        return bool(state[0] == self.number)


@dataclass(frozen=True)
class HiddenSkyscraper(Walk):
    """The first digit that is not greater than all before it."""

    text = "hidden-skyscraper"
    summary = "the number is the first digit that is hidden by a greater one before it"
    example = "hidden-skyscraper 3: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        hidden = [digit for place, digit in enumerate(digits) if any(digit < before for before in digits[:place])]
        return hidden[:1] == [self.number]

    def step(self, state: Any, place: int, digit: int, board: Board) -> Any:  # noqa: ARG002
        # the state is the highest digit so far
        if state == "found" or state == "before" or digit >= state:
            return state if state == "found" else digit
        return "found" if digit == self.number else None

    def end(self, state: Any) -> bool:
        return bool(state == "found")


@dataclass(frozen=True)
class Sandwich(Walk):
    """The sum between the least and the greatest digit of the board, in either order."""

    text = "sandwich"
    summary = "the digits between the least and the greatest digit, 1 and 9, have the sum"
    example = "sandwich 5: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        digits, ends = grid.at(self.cells), [grid.board.least, grid.board.digits[-1]]
        crusts = [place for place, digit in enumerate(digits) if digit in ends]
        if sorted(digits[place] for place in crusts) != ends:
            return False
        return sum(digits[crusts[0] + 1 : crusts[1]]) == self.number

    def step(self, state: Any, place: int, digit: int, board: Board) -> Any:  # noqa: ARG002
        least, greatest = board.least, board.digits[-1]
        crust = digit in (least, greatest)
        if state == "before":
            return (digit, 0) if crust else state
        if state == "after":
            return None if crust else state
        first, total = state
        if crust:
            # the other crust: both together are the least and the greatest digit
            return "after" if first + digit == least + greatest and total == self.number else None
        return (first, total + digit) if total + digit <= self.number or board.least < 0 else None

    def end(self, state: Any) -> bool:
        return bool(state == "after")


@dataclass(frozen=True)
class Lunchbox(Clue):
    """The sum between the least and the greatest digit that stand in the cells, whose digits differ."""

    text = "lunchbox"
    summary = "the cells differ, and the digits between the least and the greatest of them have the sum"
    example = "lunchbox 5: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        ends = sorted((digits.index(min(digits)), digits.index(max(digits))))
        return len(set(digits)) == len(digits) and sum(digits[ends[0] + 1 : ends[1]]) == self.number

    def refuse(self, board: Board) -> None:
        if not 2 <= len(self.cells) <= board.order:
            raise UsageError(f"a lunchbox has between 2 and {board.order} cells, not {len(self.cells)}")

    def primitives(self, board: Board) -> Iterator[Primitive]:
        # the least and the greatest digit depend on all digits: one automaton for each such pair
        lows = board.digits
        ends = ((low, high) for low in lows for high in range(low + len(self.cells) - 1, board.least + board.order))
        cases = (self._between(low, high, board) for low, high in ends)
        yield OneOf(tuple((case,) for case in cases if case.layers[0]), self.name(board))
        differ = pairs_of(board.digits, ne)
        yield from (related(one, other, differ, self.name(board)) for one, other in combinations(self.cells, 2))

    def _between(self, low: int, high: int, board: Board) -> Diagram:
        """The digits are between these two, which both stand there, and those between the places of both have the
        sum."""

        def step(state: Any, _: int, digit: int) -> Any:
            inside = isinstance(state, tuple)
            if digit not in (low, high):
                total = state[1] + digit if inside else 0
                return ((state[0], total) if total <= self.number or board.least < 0 else None) if inside else state
            if inside and state[0] != digit:
                return "after" if state[1] == self.number else None
            return (digit, 0) if state == "before" else None

        every = [range(low, high + 1)] * len(self.cells)
        return diagram(self.cells, every, "before", step, lambda state: state == "after", self.name(board))

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Shade(self.cells, "#ffe9d6")
        yield Note(self.cells[0], str(self.number))


@dataclass(frozen=True)
class XSum(Walk):
    """The sum of the first X digits, where X is the first digit."""

    text = "x-sum"
    summary = "the first X digits have the sum, where X is the first digit"
    example = "x-sum 8: r1c1-r1c4"
    start = (None, 0)

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        return 0 <= digits[0] <= len(digits) and sum(digits[: digits[0]]) == self.number

    def step(self, state: Any, place: int, digit: int, board: Board) -> Any:  # noqa: ARG002
        left, total = state
        if left is None:
            if not 0 <= digit <= len(self.cells):
                return None
            # no digit counts if the first is 0
            left = digit
        if left == 0:
            return state if state == (0, total) else (0, total) if total == self.number else None
        total += digit
        left -= 1
        if left == 0 and total != self.number:
            return None
        return (left, total) if total <= self.number or board.least < 0 else None

    def end(self, state: Any) -> bool:
        return bool(state == (0, self.number))


@dataclass(frozen=True)
class NumberedRoom(Walk):
    """The digit at the place that the first digit names."""

    text = "numbered-room"
    summary = "the number is the digit at the place that the first digit names"
    example = "numbered-room 3: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        return 1 <= digits[0] <= len(digits) and digits[digits[0] - 1] == self.number

    def step(self, state: Any, place: int, digit: int, board: Board) -> Any:  # noqa: ARG002
        if state == "before":
            if not 1 <= digit <= len(self.cells):
                return None
            state = digit - 1
        if state == place:
            return "found" if digit == self.number else None
        return state

    def end(self, state: Any) -> bool:
        return bool(state == "found")


# rows and columns read as numbers, in both directions: 4n readings of a grid of n×n


def sides(board: Board) -> list[list[Cells]]:
    """The readings from the left, from the right, from the top and from the bottom."""
    size = board.rows
    rows = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    columns = [tuple(range(column, size * size, size)) for column in range(size)]
    return [rows, [row[::-1] for row in rows], columns, [column[::-1] for column in columns]]


@lru_cache(maxsize=16)
def _pairs(board: Board, allows: Callable[[int, int], bool]) -> Pairs:
    # one set for thousands of relations
    return pairs_of(board.digits, allows)


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


# digits that name places


@dataclass(frozen=True)
class Indexer(Constraint):
    """The line holds the number at the place, counted from 1, that the digit of the cell names."""

    number: int
    cell: Cell
    cells: Cells

    text = "indexer"
    summary = "the line holds the number at the place that the first cell names, counted from 1"
    example = "indexer 2: r1c2 | r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        place = grid.digits[self.cell]
        return 1 <= place <= len(self.cells) and grid.digits[self.cells[place - 1]] == self.number

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = f"the indexer at {board.cell_name(self.cell)}"
        places = [digit for digit in board.digits if 1 <= digit <= len(self.cells)]
        # where the line contains the cell itself, place and number are equal
        crossing = [place for place in places if self.cells[place - 1] == self.cell and place != self.number]
        yield Allowed(self.cell, frozenset(places) - frozenset(crossing))
        for place in places:
            there = self.cells[place - 1]
            if there != self.cell:
                # the cell holds another place, or the number is there
                pairs = ((a, b) for a in board.digits for b in board.digits if a != place or b == self.number)
                yield Relation(self.cell, there, frozenset(pairs), name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Shade((self.cell,), "#cfe8cf")


@dataclass(frozen=True)
class ValueIndexing(Constraint):
    """The digit of the first cell stands on the line at the place, counted from 1, that the second cell names."""

    value: Cell
    place: Cell
    cells: Cells

    text = "value-indexing"
    summary = "the first cell's digit stands on the line at the place that the second cell names, counted from 1"
    example = "value-indexing: r1c1 | r2c1 | r2c2-r2c4"

    def holds(self, grid: Grid) -> bool:
        place = grid.digits[self.place]
        return 1 <= place <= len(self.cells) and grid.digits[self.cells[place - 1]] == grid.digits[self.value]

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = f"the value indexing at {board.cell_name(self.value)}"
        cases: list[tuple[Primitive, ...]] = []
        for place in board.digits:
            if 1 <= place <= len(self.cells):
                there = self.cells[place - 1]
                same = () if there == self.value else (relation(board.digits, self.value, there, int.__eq__, name),)
                cases.append((Allowed(self.place, frozenset((place,))), *same))
        yield OneOf(tuple(cases), name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Shade((self.value, self.place), "#cfe8cf")
