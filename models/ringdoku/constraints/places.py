"""Digits that name places: indexers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cell, Cells, Constraint
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Mark, Shade
from ringdoku.domain.primitives import Allowed, OneOf, Primitive, Relation, relation


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
