"""Regions that are not given: extra cells of the board hold which region a cell is in, and more that follows from it.

A cell that says yes or no holds the board's least digit for no and the next one for yes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cell, Cells, Constraint, Digits, Groups, House
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.primitives import Allowed, Count, Diagram, OneOf, Primitive, diagram, relation


def steps_from(start: int, cells: set[int], board: Board) -> dict[int, int]:
    """For each of the cells how many steps over edges, all inside, lead there; without those that none lead to."""
    steps = {start: 0}
    found = [start]
    for cell in found:
        row, column = divmod(cell, board.columns)
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            other = board.at(row + down, column + right)
            if other in cells and other not in steps:
                steps[other] = steps[cell] + 1
                found.append(other)
    return steps


def is_yes(cell: int, board: Board) -> Allowed:
    """The cell says yes."""
    return Allowed(cell, frozenset((board.least + 1,)))


def is_no(cell: int, board: Board) -> Allowed:
    """The cell says no."""
    return Allowed(cell, frozenset((board.least,)))


def alike(cell: int, one: int, other: int, board: Board) -> Iterator[Primitive]:
    """The first cell says whether the others hold the same digit."""
    name = f"{board.cell_name(one)} and {board.cell_name(other)} alike"
    yield Allowed(cell, frozenset((board.least, board.least + 1)))
    yield OneOf(((is_no(cell, board),), (relation(board.digits, one, other, lambda a, b: a == b, name),)), name)
    yield OneOf(((is_yes(cell, board),), (relation(board.digits, one, other, lambda a, b: a != b, name),)), name)


def ways(steps: Cells, joins: Cells, board: Board) -> Iterator[Primitive]:
    """Neighbours in one region are at most a step apart, and each cell but the first has one that is a step nearer.

    `joins` say for each two neighbours, as the board lists them, whether they are in one region.
    """
    around: dict[int, list[tuple[int, int]]] = {}
    for join, (one, other) in zip(joins, board.neighbours(), strict=True):
        name = f"the steps from {board.cell_name(one)} to {board.cell_name(other)}"
        near = relation(board.digits, steps[one], steps[other], lambda a, b: abs(a - b) <= 1, name)
        yield OneOf(((is_no(join, board),), (near,)), name)
        around.setdefault(one, []).append((other, join))
        around.setdefault(other, []).append((one, join))
    for cell, neighbours in around.items():
        name = f"the way to {board.cell_name(cell)}"
        cases: list[tuple[Primitive, ...]] = [(is_no(steps[cell], board),)]
        for other, join in neighbours:
            nearer = relation(board.digits, steps[cell], steps[other], lambda a, b: a == b + 1, name)
            cases.append((is_yes(join, board), nearer))
        yield OneOf(tuple(cases), name)


@dataclass(frozen=True)
class UnknownRegions(Constraint):
    """The grid falls into connected regions of `size` cells, in which no digit stands twice.

    What extra cells hold: `labels`, for each cell the number of its region, from the least digit on in the order of
    their first cells; `steps`, for each cell how many steps inside the region lead there from its first cell, the least
    digit for none; `joins`, for each two neighbours, as the board lists them, whether they are in one region;
    `digit_labels`, for each row and digit the region of that digit, or nothing where rows may lack digits.
    """

    size: int
    labels: Cells
    steps: Cells
    joins: Cells
    digit_labels: Cells

    text = "unknown-regions"
    summary = "the grid falls into connected regions of that size without repeats, which extra cells number"
    example = "unknown-regions 9: label1 … | steps1 … | join1 … | mark1 …"
    optional = ("digit_labels",)

    def refuse(self, board: Board) -> None:
        if not 2 <= self.size <= board.order or board.grid_count % self.size:
            raise UsageError(f"regions of {self.size} cells, from 2 to {board.order}, do not fill {board}")
        if board.grid_count // self.size > board.order:
            raise UsageError(f"there are more than {board.order} regions")
        pairs = len(list(board.neighbours()))
        if not len(self.labels) == len(self.steps) == board.grid_count or len(self.joins) != pairs:
            raise UsageError(f"there are {board.grid_count} labels and steps, and {pairs} joins")
        if self.digit_labels and (board.columns != board.order or len(self.digit_labels) != board.grid_count):
            raise UsageError(f"there are {board.grid_count} marks, where a row has a cell for each digit, or none")

    @property
    def _numbers(self) -> int:
        return len(self.labels) // self.size

    def _marks(self, row: int, board: Board) -> Cells:
        return self.digit_labels[row * board.order : (row + 1) * board.order]

    def houses(self, board: Board) -> Iterator[House]:
        # cells so far apart are in two regions
        for one, other in combinations(range(board.grid_count), 2):
            if _distance(one, other, board) >= self.size:
                yield House("cells far apart", (self.labels[one], self.labels[other]))
        if self.digit_labels:
            for row in range(board.rows):
                yield House(f"row {row + 1}", tuple(range(row * board.columns, (row + 1) * board.columns)))
            for number, digit in enumerate(board.digits):
                yield House(f"the regions of {digit}", self.digit_labels[number :: board.order])

    def holds(self, grid: Grid) -> bool:
        board, labels = grid.board, grid.at(self.labels)
        regions: dict[int, list[int]] = {}
        for cell, label in enumerate(labels):
            regions.setdefault(label, []).append(cell)
        if list(regions) != list(range(board.least, board.least + self._numbers)):
            return False
        for cells in regions.values():
            steps = steps_from(cells[0], set(cells), board)
            stated = {cell: grid.digits[self.steps[cell]] - board.least for cell in cells}
            if len(cells) != self.size or stated != steps or len(set(grid.at(cells))) < self.size:
                return False
        joins = tuple(board.least + (labels[one] == labels[other]) for one, other in board.neighbours())
        rows = zip(*[iter(zip(grid.digits, labels, strict=False))] * board.columns, strict=True)
        marks = tuple(label for row in rows for _, label in sorted(row)) if self.digit_labels else ()
        return grid.at(self.joins) == joins and grid.at(self.digit_labels) == marks

    def primitives(self, board: Board) -> Iterator[Primitive]:
        around: dict[int, list[int]] = {}
        for join, (one, other) in zip(self.joins, board.neighbours(), strict=True):
            yield from alike(join, self.labels[one], self.labels[other], board)
            around.setdefault(one, []).append(join)
            around.setdefault(other, []).append(join)
        yield self._first_cells(board)
        yield from ways(self.steps, self.joins, board)
        # what follows, and is seen sooner so: no region has one cell, or two if there are more
        for joins in around.values():
            yield OneOf(tuple((is_yes(join, board),) for join in joins), "a region has two cells")
        for join, (one, other) in zip(self.joins, board.neighbours(), strict=True):
            if self.size > 2:
                cases = [is_no(join, board), *(is_yes(more, board) for more in {*around[one], *around[other]} - {join})]
                yield OneOf(tuple((case,) for case in cases), "a region has three cells")
        yield from self._row_marks(board) if self.digit_labels else self._repeats(board)

    def _first_cells(self, board: Board) -> Diagram:
        """The first cell with each label is no step away, every other is some, and labels come in their order."""

        def step(state: tuple[int, bool], place: int, digit: int) -> tuple[int, bool] | None:
            seen, first = state
            number = digit - board.least
            if place % 2:
                return (seen, False) if first == (number == 0) else None
            if number > seen or number >= self._numbers:
                return None
            return seen + (number == seen), number == seen

        cells = [cell for pair in zip(self.labels, self.steps, strict=True) for cell in pair]
        every, all_seen = [board.digits] * len(cells), (self._numbers, False)
        return diagram(cells, every, (0, False), step, lambda state: state == all_seen, "the numbers of regions")

    def _row_marks(self, board: Board) -> Iterator[Primitive]:
        for cell in range(board.grid_count):
            name = f"the region of the digit in {board.cell_name(cell)}"
            for digit, mark in zip(board.digits, self._marks(cell // board.columns, board), strict=True):
                other = Allowed(cell, frozenset(board.digits) - {digit})
                same = relation(board.digits, self.labels[cell], mark, lambda a, b: a == b, name)
                yield OneOf(((other,), (same,)), name)

    def _repeats(self, board: Board) -> Iterator[Primitive]:
        for number in board.digits[: self._numbers]:
            candidates = tuple((cell, number) for cell in self.labels)
            yield Count(candidates, self.size, board.grid_count, f"the cells of region {number}")
        for one, other in combinations(range(board.grid_count), 2):
            if _distance(one, other, board) < self.size:
                name = f"the regions of {board.cell_name(one)} and {board.cell_name(other)}"
                apart = relation(board.digits, self.labels[one], self.labels[other], lambda a, b: a != b, name)
                differ = relation(board.digits, one, other, lambda a, b: a != b, name)
                yield OneOf(((apart,), (differ,)), name)


def _distance(one: int, other: int, board: Board) -> int:
    (up, left), (down, right) = divmod(one, board.columns), divmod(other, board.columns)
    return abs(up - down) + abs(left - right)


@dataclass(frozen=True)
class Connected(Constraint):
    """For each of the digits, the cells of the grid that hold it are connected.

    What extra cells hold: `steps`, for each cell how many steps over cells with its digit lead there from the first of
    them, the least digit for none and for cells with other digits; `joins`, for each two neighbours, as the board
    lists them, whether they hold the same digit.
    """

    values: Digits
    steps: Cells
    joins: Cells

    text = "connected-digits"
    summary = (
        "the cells with each of the digits are connected, by fewer steps than there are digits, which extra cells count"
    )
    example = "connected-digits 1 2: steps1 … | join1 …"

    def refuse(self, board: Board) -> None:
        pairs = len(list(board.neighbours()))
        if len(self.steps) != board.grid_count or len(self.joins) != pairs or board.order < 2:
            raise UsageError(f"there are {board.grid_count} steps and {pairs} joins")

    def holds(self, grid: Grid) -> bool:
        board, digits = grid.board, grid.digits
        steps = dict.fromkeys(range(board.grid_count), 0)
        for value in self.values:
            cells = [cell for cell in steps if digits[cell] == value]
            steps |= dict.fromkeys(cells, -1) | (steps_from(cells[0], set(cells), board) if cells else {})
        joins = tuple(board.least + (digits[one] == digits[other]) for one, other in board.neighbours())
        return grid.at(self.joins) == joins and grid.at(self.steps) == tuple(board.least + n for n in steps.values())

    def primitives(self, board: Board) -> Iterator[Primitive]:
        for join, (one, other) in zip(self.joins, board.neighbours(), strict=True):
            yield from alike(join, one, other, board)
        for value in self.values:
            yield self._first_cell(value, board)
        for cell, steps in enumerate(self.steps):
            yield relation(
                board.digits, cell, steps, lambda a, b: a in self.values or b == board.least, "cells with other digits"
            )
        yield from ways(self.steps, self.joins, board)

    def _first_cell(self, value: int, board: Board) -> Diagram:
        """The first cell with the digit is no step away, every other is some."""

        def step(state: tuple[bool, bool | None], place: int, digit: int) -> tuple[bool, bool | None] | None:
            seen, first = state
            if place % 2:
                return (seen, None) if first in (None, digit == board.least) else None
            return (True, not seen) if digit == value else (seen, None)

        cells = [cell for pair in enumerate(self.steps) for cell in pair]
        start: tuple[bool, bool | None] = (False, None)
        return diagram(cells, [board.digits] * len(cells), start, step, lambda _: True, f"the first {value}")


@dataclass(frozen=True)
class Alike(Constraint):
    """The first cell says whether the two others hold the same digit."""

    cell: Cell
    one: Cell
    other: Cell

    text = "alike"
    summary = "the first cell holds the second digit of the board if the two others are equal, else the first"
    example = "alike: r1c1 | r2c2 | r3c3"

    def refuse(self, board: Board) -> None:
        if self.one == self.other or board.order < 2:
            raise UsageError("two different cells are alike or not, for which there are two digits")

    def holds(self, grid: Grid) -> bool:
        digits = grid.digits
        return digits[self.cell] == grid.board.least + (digits[self.one] == digits[self.other])

    def primitives(self, board: Board) -> Iterator[Primitive]:
        return alike(self.cell, self.one, self.other, board)


@dataclass(frozen=True)
class Run(Constraint):
    """The digit of the cell, and `more`, is 1 and how many cells say yes on the arms, each up to its first no."""

    more: int
    cell: Cell
    arms: Groups

    text = "run-length"
    summary = (
        "the first cell and the number are 1 more than the cells of the arms that say yes, each up to its first no"
    )
    example = "run-length 0: r1c1 | r2c1 r2c2 | r3c1"

    def holds(self, grid: Grid) -> bool:
        yes = grid.board.least + 1
        count = 1
        for arm in self.arms:
            digits = grid.at(arm)
            count += next((place for place, digit in enumerate(digits) if digit != yes), len(digits))
        return count == grid.digits[self.cell] + self.more

    def primitives(self, board: Board) -> Iterator[Primitive]:
        cells = [cell for arm in self.arms for cell in arm]
        starts = {sum(map(len, self.arms[:number])) for number in range(len(self.arms))}

        def step(state: tuple[int, bool], place: int, digit: int) -> tuple[int, bool] | None:
            count, goes_on = state
            if place == len(cells):
                return (0, True) if count == digit + self.more else None
            goes_on = (goes_on or place in starts) and digit == board.least + 1
            return count + goes_on, goes_on

        name = f"the run at {board.cell_name(self.cell)}"
        every = [board.digits] * (len(cells) + 1)
        yield diagram([*cells, self.cell], every, (1, True), step, lambda _: True, name)
