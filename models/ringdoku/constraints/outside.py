"""Clues outside the grid, each for a line of cells. The first cell is the one next to the clue."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cells, OfCells
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Mark, Note, Outside, Shade
from ringdoku.domain.primitives import Diagram, OneOf, Primitive, diagram, relation


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
        cells, number = self.cells, self.number
        start: Any = "before"
        cases: list[tuple[Primitive, ...]] = []
        for low in board.digits:
            for high in range(low + len(cells) - 1, board.least + board.order):

                def step(state: Any, _: int, digit: int, low: int = low, high: int = high) -> Any:
                    if not low <= digit <= high:
                        return None
                    if digit in (low, high):
                        if state == "before":
                            return digit, 0
                        if isinstance(state, tuple) and state[0] != digit:
                            return "after" if state[1] == number else None
                        return None
                    if isinstance(state, tuple):
                        total = state[1] + digit
                        return (state[0], total) if total <= number or board.least < 0 else None
                    return state

                every = [range(low, high + 1)] * len(cells)
                made = diagram(cells, every, start, step, lambda state: state == "after", self.name(board))
                if made.layers[0]:
                    cases.append((made,))
        yield OneOf(tuple(cases), self.name(board))
        every_two = ((one, other) for place, one in enumerate(cells) for other in cells[place + 1 :])
        for one, other in every_two:
            yield relation(board.digits, one, other, lambda a, b: a != b, self.name(board))

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
