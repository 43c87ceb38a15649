"""Cages, sums, products and arrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cells, Constraint, Digits, Groups, House, OfCells
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Disc, Mark, Outline, Outside, Stroke
from ringdoku.domain.primitives import Diagram, Linear, OneOf, Primitive, equal_sums, weighted_sum

GREY = "#b8b8b8"
LARGEST_LOOP = 100_000
"""Cells of a sum loop times the square of its sum, which its diagrams grow with: 40 cells with a sum of 50."""

LARGEST_FACTOR = 1000
"""Propagators have a bit for each possible sum, so larger factors would fill the memory."""


@dataclass(frozen=True)
class Killer(OfCells):
    """A cage: its digits differ and add up to the total, if there is one."""

    total: int | None
    cells: Cells

    text = "killer"
    called = "cage"
    summary = "the digits differ and have the sum, if one is given"
    example = "killer 8: r1c1 r1c2 r2c1"

    def refuse(self, board: Board) -> None:
        self.refuse_repeats("a cage has each cell once")
        if self.total is not None:
            digits = list(board.digits)
            size = len(self.cells)
            low, high = sum(digits[:size]), sum(digits[-size:])
            if size <= len(digits) and not low <= self.total <= high:
                raise UsageError(f"{size} different digits have a sum from {low} to {high}, not {self.total}")

    def houses(self, board: Board) -> Iterator[House]:
        yield House(self.name(board), self.cells)

    def holds(self, grid: Grid) -> bool:
        return self.total is None or sum(grid.at(self.cells)) == self.total

    def primitives(self, board: Board) -> Iterator[Primitive]:
        if self.total is not None:
            yield Linear(self.cells, (1,) * len(self.cells), self.total, self.total, self.name(board))

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outline(self.cells, dashed=True, text="" if self.total is None else str(self.total))


@dataclass(frozen=True)
class Sum(OfCells):
    """Digits, which may repeat, add up to the total; a cell that is listed twice counts twice."""

    total: int
    cells: Cells

    text = "sum"
    summary = "the digits, which may repeat, have the sum"
    example = "sum 6: r1c1 r2c2 r3c3"

    def holds(self, grid: Grid) -> bool:
        return sum(grid.at(self.cells)) == self.total

    def primitives(self, board: Board) -> Iterator[Primitive]:
        yield equal_sums(self.cells, (), self.name(board), self.total)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outline(self.cells, dashed=True, text=str(self.total))


@dataclass(frozen=True)
class Product(OfCells):
    """A cage of KenKen: the digits, which may repeat, multiplied; a cell that is listed twice counts twice."""

    total: int
    cells: Cells

    text = "product"
    summary = "the digits, which may repeat, have the product"
    example = "product 6: r1c1 r1c2 r2c2"

    def holds(self, grid: Grid) -> bool:
        return prod(grid.at(self.cells)) == self.total

    def refuse(self, board: Board) -> None:
        products = {1}
        for _ in self.cells:
            products = {
                after for product in products for digit in board.digits for after in self._after(product, digit)
            }
        if self.total not in products:
            raise UsageError(f"{len(self.cells)} digits from {board.least} to {board.digits[-1]} have no such product")

    def _after(self, product: int, digit: int) -> Iterator[int]:
        """The product with one more digit, if the total can follow; for a total of 0 only whether it is 0."""
        product *= digit
        if self.total == 0:
            yield int(product != 0)
        elif product and self.total % product == 0:
            yield product

    def primitives(self, board: Board) -> Iterator[Primitive]:
        yield self.diagram(
            board,
            1,
            lambda product, _, digit: next(self._after(product, digit), None),
            lambda product: product == self.total,
        )

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outline(self.cells, dashed=True, text=f"{self.total}×")


@dataclass(frozen=True)
class LittleKiller(Sum):
    """The digits along a diagonal, which may repeat, add up to the total. The clue is next to the first cell."""

    text = "little-killer"
    called = "little killer"
    summary = "the digits on a diagonal, seen from outside, have the sum and may repeat"
    example = "little-killer 9: r1c2-r3c4"

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outside(self.cells, str(self.total), arrow=True)


@dataclass(frozen=True)
class WeightedSum(OfCells):
    """Σ factor·digit is the total: the first number, then a factor for each cell."""

    total: int
    factors: Digits
    cells: Cells

    text = "weighted-sum"
    called = "weighted sum"
    summary = "the total, then a factor for each cell: the sum of factor times digit is the total"
    example = "weighted-sum 0 1 1 -1: r1c1 r1c2 r1c3"
    shade = "#f0f0ff"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len(self.factors) != len(self.cells):
            raise UsageError(f"there are {len(self.factors)} factors for {len(self.cells)} cells")
        if large := [factor for factor in self.factors if abs(factor) > LARGEST_FACTOR]:
            raise UsageError(f"a factor is between -{LARGEST_FACTOR} and {LARGEST_FACTOR}, not {large[0]}")

    def holds(self, grid: Grid) -> bool:
        return sum(f * d for f, d in zip(self.factors, grid.at(self.cells), strict=True)) == self.total

    def primitives(self, board: Board) -> Iterator[Primitive]:
        terms: dict[int, int] = {}
        for factor, cell in zip(self.factors, self.cells, strict=True):
            terms[cell] = terms.get(cell, 0) + factor
        yield weighted_sum(terms, self.total, self.total, self.name(board))


@dataclass(frozen=True)
class Arrow(Constraint):
    """The digits along the shaft add up to the number in the circle; several circle cells are read as one number."""

    circle: Cells
    shaft: Cells

    text = "arrow"
    summary = "the digits along the shaft have the sum in the circle; two or three circle cells make one number"
    example = "arrow: r1c1 | r1c2 r1c3"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if not 1 <= len(self.circle) <= 3:
            raise UsageError(f"the number in an arrow's circle has one to three cells, not {len(self.circle)}")

    def holds(self, grid: Grid) -> bool:
        number = 0
        for digit in grid.at(self.circle):
            number = 10 * number + digit
        return sum(grid.at(self.shaft)) == number

    def primitives(self, board: Board) -> Iterator[Primitive]:
        terms: dict[int, int] = {}
        for cell in self.shaft:
            terms[cell] = terms.get(cell, 0) + 1
        for place, cell in enumerate(reversed(self.circle)):
            terms[cell] = terms.get(cell, 0) - 10**place
        yield weighted_sum(terms, 0, 0, f"the arrow at {board.cell_name(self.circle[0])}")

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Stroke((self.circle[-1], *self.shaft), GREY, 0.06, head=True)
        yield Disc(self.circle, "#ffffff", GREY, 0.8, pill=len(self.circle) > 1)


@dataclass(frozen=True)
class DoubleArrow(OfCells):
    """The digits between the ends add up to the sum of both ends."""

    cells: Cells

    text = "double-arrow"
    called = "double arrow"
    summary = "the digits between the two ends have the sum of the ends"
    example = "double-arrow: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        first, *inner, last = grid.at(self.cells)
        return sum(inner) == first + last

    def primitives(self, board: Board) -> Iterator[Primitive]:
        ends = (self.cells[0], self.cells[-1])
        yield equal_sums(self.cells[1:-1], ends, self.name(board))

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len(self.cells) < 2:
            raise UsageError("a double arrow has two ends")

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Stroke(self.cells, GREY, 0.06)
        yield from (Disc((cell,), "#ffffff", GREY, 0.8) for cell in (self.cells[0], self.cells[-1]))


@dataclass(frozen=True)
class EqualSums(Constraint):
    """All groups of cells have the same sum: the parts of a region sum line, one for each visit to a box."""

    groups: Groups

    text = "equal-sums"
    summary = "all groups of cells have the same sum, as the parts of a region sum line"
    example = "equal-sums: r1c1 r1c2 | r2c3 r2c4 | r4c1"

    def holds(self, grid: Grid) -> bool:
        return len({sum(grid.at(group)) for group in self.groups}) == 1

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = f"the equal sums at {board.cell_name(self.groups[0][0])}"
        return (
            equal_sums(one, other, f"{name} {first} {second}")
            for (first, one), (second, other) in combinations(enumerate(self.groups, 1), 2)
            if second == first + 1 or first == 1
        )

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Stroke(group, "#8bc9f0", 0.15) for group in self.groups)


@dataclass(frozen=True)
class Zipper(OfCells):
    """Two cells equally far from the middle of the line always have the same sum. If there is a middle cell, it holds
    that sum."""

    cells: Cells

    text = "zipper"
    summary = "two cells equally far from the middle always have the same sum, which is also the middle digit"
    example = "zipper: r1c1-r1c4-r2c4"

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        half = len(digits) // 2
        sums = {digits[place] + digits[-1 - place] for place in range(half)}
        return len(sums | set(digits[half : half + len(digits) % 2])) <= 1

    def primitives(self, board: Board) -> Iterator[Primitive]:
        cells, half = self.cells, len(self.cells) // 2
        groups: list[Cells] = [(cells[half],)] if len(cells) % 2 else []
        groups += [(cells[place], cells[-1 - place]) for place in range(half)]
        first, others = groups[0], groups[1:]
        return (equal_sums(other, first, f"{self.name(board)} {number}") for number, other in enumerate(others, 1))

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Stroke(self.cells, "#c9a0dc", 0.15)


@dataclass(frozen=True)
class SumLine(OfCells):
    """The line can be cut into pieces that each have the sum."""

    total: int
    cells: Cells

    text = "sum-line"
    summary = "the line can be cut into pieces that each have the sum"
    example = "sum-line 5: r1c1-r1c4"

    def holds(self, grid: Grid) -> bool:
        return self.is_cut(grid.at(self.cells))

    def is_cut(self, digits: Sequence[int]) -> bool:
        """Whether these digits can be cut into pieces."""
        # sums from the start at which a piece may end; with zeros there may be several cuts
        ends, total = {0}, 0
        for digit in digits:
            total += digit
            if total - self.total in ends:
                ends.add(total)
        return total in ends and total > 0

    def primitives(self, board: Board) -> Iterator[Primitive]:
        yield self.pieces(board, 0, self.total)

    def pieces(self, board: Board, before: int, after: int) -> Diagram:
        """The line starts inside a piece that already has the sum `before`, and ends with a part of a piece that has
        the sum `after`."""

        def step(piece: int, _: int, digit: int) -> int | None:
            if digit:
                # a zero may also belong to the piece before it
                piece = abs(piece) % self.total + digit
            return piece if piece <= self.total else None

        # the start is negative, since a piece must not consist of zeros only
        return self.diagram(board, -before, step, lambda piece: piece == after)

    def refuse(self, board: Board) -> None:
        if self.total < 1 or board.least < 0:
            raise UsageError(f"a piece of a {self.text} has a sum of at least 1, not {self.total}")
        if self.total > (most := len(self.cells) * board.digits[-1]):
            raise UsageError(f"digits of {len(self.cells)} cells have a sum of at most {most}, not {self.total}")

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Stroke(self.cells, "#f5c542", 0.15)


@dataclass(frozen=True)
class SumLoop(SumLine):
    """A closed line, whose last cell is next to its first, can be cut into pieces that each have the sum."""

    text = "sum-loop"
    summary = "the closed line can be cut into pieces that each have the sum"
    example = "sum-loop 5: r1c1 r1c2 r2c2 r2c1"

    def refuse(self, board: Board) -> None:
        super().refuse(board)
        if len(self.cells) * self.total**2 > LARGEST_LOOP:
            raise UsageError(f"a sum of {self.total} is too large for a loop of {len(self.cells)} cells to be solved")

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        return any(self.is_cut(digits[start:] + digits[:start]) for start in range(len(digits)))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        # the piece at the end of the list continues at its start
        open_pieces = [self.pieces(board, part, part) for part in range(1, self.total)]
        every = [part for part in (self.pieces(board, 0, self.total), *open_pieces) if part.layers[0]]
        yield OneOf(tuple((part,) for part in every), self.name(board))

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Stroke((*self.cells, self.cells[0]), "#f5c542", 0.15)


@dataclass(frozen=True)
class Rellik(OfCells):
    """A cage without a subset of cells that has the sum. Its digits differ."""

    total: int
    cells: Cells

    text = "rellik"
    called = "rellik cage"
    summary = "the digits differ, and no set of them has the sum"
    example = "rellik 9: r1c1 r1c2 r2c1"

    def houses(self, board: Board) -> Iterator[House]:
        yield House(self.name(board), self.cells)

    def holds(self, grid: Grid) -> bool:
        sums = {0}
        for digit in grid.at(self.cells):
            sums |= {total + digit for total in sums}
        return self.total not in sums - {0}

    def primitives(self, board: Board) -> Iterator[Primitive]:
        most = self.total

        def step(sums: int, _: int, digit: int) -> int | None:
            sums |= sums << digit
            return None if sums >> most & 1 else sums & ((1 << most) - 1)

        yield self.diagram(board, 1, step, lambda _: True)

    def refuse(self, board: Board) -> None:
        if self.total < 1 or board.least < 0:
            raise UsageError(f"the sum of a rellik cage is at least 1, not {self.total}")
        if self.total > (most := len(self.cells) * board.digits[-1]):
            raise UsageError(f"digits of {len(self.cells)} cells have a sum of at most {most}, not {self.total}")

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outline(self.cells, dashed=True, text=f"≠{self.total}")
