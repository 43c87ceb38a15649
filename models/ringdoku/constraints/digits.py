"""Which digits cells hold, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cell, Cells, Constraint, Digits, Groups, OfCells
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Disc, Mark, Note, Outline, Shade
from ringdoku.domain.primitives import Allowed, Count, OneOf, Primitive, diagram


def _label(digits: Digits) -> str:
    """The digits as text, joined as shortly as they can be distinguished."""
    return ("" if all(0 <= digit < 10 for digit in digits) else ",").join(map(str, digits))


@dataclass(frozen=True)
class AllowedDigits(Constraint):
    """Cells that hold one of a few digits."""

    digits: Digits
    cells: Cells

    text = "allowed"
    summary = "each of the cells holds one of the digits"
    example = "allowed 1 2 3: r1c1 r1c2"

    def refuse(self, board: Board) -> None:
        for digit in self.digits:
            if digit not in board.digits:
                raise UsageError(f"{digit} is not a digit of a {board} board")

    def holds(self, grid: Grid) -> bool:
        return set(grid.at(self.cells)) <= set(self.digits)

    def primitives(self, board: Board) -> Iterator[Primitive]:  # noqa: ARG002
        return (Allowed(cell, frozenset(self.digits)) for cell in self.cells)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Note(cell, _label(self.digits)) for cell in self.cells)


@dataclass(frozen=True)
class Odd(OfCells):
    """Cells that hold odd digits; `remainder` is that of the digits divided by 2."""

    cells: Cells

    text = "odd"
    summary = "the cells hold odd digits"
    example = "odd: r1c1 r1c2"
    remainder: ClassVar[int] = 1

    def holds(self, grid: Grid) -> bool:
        return all(digit % 2 == self.remainder for digit in grid.at(self.cells))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        digits = frozenset(digit for digit in board.digits if digit % 2 == self.remainder)
        return (Allowed(cell, digits) for cell in self.cells)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Disc((cell,), "#cfcfcf", "#cfcfcf", 0.7, square=self.remainder == 0) for cell in self.cells)


@dataclass(frozen=True)
class Even(Odd):
    """Cells that hold even digits."""

    text = "even"
    summary = "the cells hold even digits"
    example = "even: r1c1 r1c2"
    remainder = 0


def _counts(cells: Cells, digit: int, least: int, greatest: int, name: str) -> Count:
    return Count(tuple((cell, digit) for cell in dict.fromkeys(cells)), least, greatest, name)


@dataclass(frozen=True)
class Contains(OfCells):
    """Each digit stands in the cells at least as often as it is listed: a quadruple over four cells."""

    digits: Digits
    cells: Cells

    text = "contains"
    summary = "each digit stands in the cells at least as often as it is listed, as in a quadruple"
    example = "contains 1 2: r1c1 r1c2 r2c1 r2c2"
    digits_called: ClassVar[str] = "digits in"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len(self.digits) > len(self.cells):
            raise UsageError(f"{len(self.digits)} digits do not fit into {len(self.cells)} cells")

    def most(self, count: int) -> int:
        """The most cells with a digit that is listed so often."""
        return max(count, len(self.cells))

    def holds(self, grid: Grid) -> bool:
        found = Counter(grid.at(dict.fromkeys(self.cells)))
        return all(count <= found[digit] <= self.most(count) for digit, count in Counter(self.digits).items())

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = f"the {self.digits_called} {board.cell_name(self.cells[0])}"
        for digit, count in Counter(self.digits).items():
            if digit in board.digits:
                yield _counts(self.cells, digit, count, self.most(count), f"{name} {digit}")
            else:
                yield OneOf((), name)

    def marks(self, board: Board) -> Iterator[Mark]:
        label = _label(self.digits)
        if sorted(self.cells) in map(list, _squares(board)):
            yield Disc(self.cells, "#ffffff", "#000000", 0.6, label)
        else:
            yield Outline(self.cells, dashed=True, text=label)


@dataclass(frozen=True)
class ContainsExactly(Contains):
    """Each listed digit stands in the cells just as often as it is listed; other digits may stand there too."""

    text = "contains-exactly"
    summary = "each listed digit stands in the cells exactly as often as it is listed"
    example = "contains-exactly 1 1 2: r1c1 r1c2 r2c1 r2c2"
    digits_called = "exact digits in"

    def refuse(self, board: Board) -> None:
        """None is too often: then there is no solution."""

    def most(self, count: int) -> int:
        return count

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outline(self.cells, dashed=True, text=_label(self.digits))


MOST_SETS = 200
"""Sets of digits that circles may hold together; 9 digits have at most 23."""


def _sets_of_sum(digits: Digits, total: int) -> Iterator[frozenset[int]]:
    """The sets of digits above 0 that have the sum."""
    if total == 0:
        yield frozenset()
    elif total <= sum(digit for digit in digits if digit > 0):
        *rest, last = digits
        if 0 < last <= total:
            yield from (found | {last} for found in _sets_of_sum(tuple(rest), total - last))
        yield from _sets_of_sum(tuple(rest), total)


@dataclass(frozen=True)
class CountingCircles(OfCells):
    """A digit that stands in the cells stands there as often as its value."""

    cells: Cells

    text = "counting-circles"
    summary = "a digit that the cells hold stands in exactly as many of them as its value"
    example = "counting-circles: r1c1 r1c2 r2c1"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        self.refuse_repeats("a cell has one circle at most")

    def holds(self, grid: Grid) -> bool:
        return all(digit == count for digit, count in Counter(grid.at(self.cells)).items())

    def primitives(self, board: Board) -> Iterator[Primitive]:
        for digit in board.digits:
            name = f"the circles with {digit}"
            none = _counts(self.cells, digit, 0, 0, name)
            if digit == 0 or digit > len(self.cells):
                # a circle with a zero would contradict itself
                yield none
            else:
                yield OneOf(((none,), (_counts(self.cells, digit, digit, digit, name),)), name)
        # redundant: the digits that occur fill all circles together
        some = list(islice(_sets_of_sum(tuple(board.digits), len(self.cells)), MOST_SETS + 1))
        if len(some) <= MOST_SETS:
            yield OneOf(tuple(tuple(Allowed(cell, chosen) for cell in self.cells) for chosen in some), "the circles")

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Disc((cell,), "none", "#a0a0a0", 0.8) for cell in self.cells)


@dataclass(frozen=True)
class CountDistinct(Constraint):
    """The first cell says how many different digits stand in the others."""

    cell: Cell
    cells: Cells

    text = "count-distinct"
    summary = "the first cell says how many different digits the others hold"
    example = "count-distinct: r1c1 | r1c2 r1c3 r2c2"

    def holds(self, grid: Grid) -> bool:
        return len(set(grid.at(self.cells))) == grid.digits[self.cell]

    def primitives(self, board: Board) -> Iterator[Primitive]:
        # the digits so far, as a mask
        def step(seen: int, place: int, digit: int) -> int | None:
            if place == len(self.cells):
                return 0 if seen.bit_count() == digit else None
            return seen | 1 << digit - board.least

        cells = (*self.cells, self.cell)
        name = f"the different digits of {board.cell_name(self.cell)}"
        yield diagram(cells, [board.digits] * len(cells), 0, step, lambda _: True, name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Shade(self.cells, "#e8f4d9")
        yield Disc((self.cell,), "#ffffff", "#7a9a3a", 0.8)


@dataclass(frozen=True)
class EqualityCage(OfCells):
    """As many odd digits as even ones, and as many low ones as high ones; the middle digit is neither low nor high."""

    cells: Cells

    text = "equality-cage"
    called = "equality cage"
    summary = "as many odd digits as even ones, and as many low ones as high ones"
    example = "equality-cage: r1c1 r1c2 r2c1 r2c2"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        self.refuse_repeats("a cage has each cell once")

    def _classes(self, board: Board) -> tuple[tuple[list[int], list[int]], ...]:
        digits = list(board.digits)
        half = len(digits) // 2
        odd = [digit for digit in digits if digit % 2]
        return (odd, [d for d in digits if d not in odd]), (digits[:half], digits[len(digits) - half :])

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        return all(
            sum(digit in one for digit in digits) == sum(digit in other for digit in digits)
            for one, other in self._classes(grid.board)
        )

    def primitives(self, board: Board) -> Iterator[Primitive]:
        size = len(self.cells)
        for one, other in self._classes(board):
            kinds = dict.fromkeys(one, 1) | dict.fromkeys(other, -1)

            def step(more: int, place: int, digit: int, kinds: dict[int, int] = kinds) -> int | None:
                more += kinds.get(digit, 0)
                return more if abs(more) < size - place else None

            yield self.diagram(board, 0, step, lambda more: more == 0)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outline(self.cells, dashed=True, text="=")


@dataclass(frozen=True)
class GlobalEntropy(Constraint):
    """Every 2×2 square has a low, a middle and a high digit."""

    text = "global-entropy"
    summary = "every 2x2 square has a low, a middle and a high digit"
    example = "global-entropy"

    def refuse(self, board: Board) -> None:
        if board.order % 3:
            raise UsageError(f"{board.order} digits cannot be cut into low, middle and high ones")

    def _kinds(self, board: Board) -> list[list[int]]:
        third = board.order // 3
        digits = list(board.digits)
        return [digits[start : start + third] for start in range(0, len(digits), third)]

    def holds(self, grid: Grid) -> bool:
        kinds = self._kinds(grid.board)
        return all(any(digit in kind for digit in grid.at(square)) for square in _squares(grid.board) for kind in kinds)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        for square in _squares(board):
            for kind in self._kinds(board):
                candidates = tuple((cell, digit) for cell in square for digit in kind)
                name = f"{self.text} at {board.cell_name(square[0])} {kind[0]}"
                yield Count(candidates, 1, 4, name)


@dataclass(frozen=True)
class GlobalMod(GlobalEntropy):
    """Every 2×2 square has a digit of each remainder modulo 3."""

    text = "global-mod"
    summary = "every 2x2 square has a digit of each remainder modulo 3"
    example = "global-mod"

    def refuse(self, board: Board) -> None:
        if board.order < 3:
            raise UsageError("fewer than 3 digits do not have all remainders modulo 3")

    def _kinds(self, board: Board) -> list[list[int]]:
        return [[digit for digit in board.digits if digit % 3 == remainder] for remainder in range(3)]


def _squares(board: Board) -> Iterator[tuple[int, int, int, int]]:
    for row in range(board.rows - 1):
        for column in range(board.columns - 1):
            cell = row * board.columns + column
            yield cell, cell + 1, cell + board.columns, cell + board.columns + 1


@dataclass(frozen=True)
class Flatmates(Constraint):
    """Dutch flatmates: the middle digit has the least one above it or the greatest below it."""

    text = "dutch-flatmates"
    summary = "every middle digit has the least digit above it or the greatest below it: on 9x9, 5 with 1 or 9"
    example = "dutch-flatmates"

    def _digits(self, board: Board) -> tuple[int, int, int]:
        return board.least, board.least + board.order // 2, board.least + board.order - 1

    def _around(self, board: Board) -> Iterator[tuple[int, int | None, int | None]]:
        for cell in range(board.grid_count):
            row, column = divmod(cell, board.columns)
            yield cell, board.at(row - 1, column), board.at(row + 1, column)

    def holds(self, grid: Grid) -> bool:
        least, middle, greatest = self._digits(grid.board)
        return all(
            grid.digits[cell] != middle
            or (above is not None and grid.digits[above] == least)
            or (below is not None and grid.digits[below] == greatest)
            for cell, above, below in self._around(grid.board)
        )

    def primitives(self, board: Board) -> Iterator[Primitive]:
        least, middle, greatest = self._digits(board)
        others = [digit for digit in board.digits if digit != middle]
        for cell, above, below in self._around(board):
            # the cell holds another digit, or there is a flatmate
            candidates = [(cell, digit) for digit in others]
            candidates += [] if above is None else [(above, least)]
            candidates += [] if below is None else [(below, greatest)]
            yield Count(tuple(candidates), 1, len(candidates), f"the flatmates of {board.cell_name(cell)}")


@dataclass(frozen=True)
class SameDigits(Constraint):
    """Groups of cells of equal size that hold the same digits equally often."""

    groups: Groups

    text = "same-digits"
    summary = "groups of cells that hold the same digits, each equally often"
    example = "same-digits: r1c1 r1c2 | r3c1 r3c2"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len({len(group) for group in self.groups}) != 1:
            raise UsageError("groups that hold the same digits have the same number of cells")
        if any(len(set(group)) < len(group) for group in self.groups):
            raise UsageError("a group of cells that hold the same digits has each cell once")

    def holds(self, grid: Grid) -> bool:
        return len({tuple(sorted(grid.at(group))) for group in self.groups}) == 1

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first, *others = self.groups
        size = len(first)
        for number, group in enumerate(others, 2):
            for digit in board.digits:
                name = f"the same digits in group {number}: {digit}"
                # cells that are in both groups count on both sides
                one = tuple((cell, digit) for cell in first if cell not in group)
                other = tuple((cell, digit) for cell in group if cell not in first)
                if one:
                    cases = tuple(
                        (Count(one, count, count, name), Count(other, count, count, name)) for count in range(size + 1)
                    )
                    yield OneOf(cases[: len(one) + 1], name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Shade(group, "#e6e6fa") for group in self.groups)
