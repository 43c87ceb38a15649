"""Cages, sums, products and arrows."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import prod
from typing import TypeAlias

from ringdoku.domain import Board, Cells, Digits, DimensionError, Grid, Groups, OfCells, UsageError, counted, refuse
from ringdoku.domain.board import KING
from ringdoku.domain.errors import ImpossibleError
from ringdoku.domain.marks import Disc, Mark, Outside, Stroke
from ringdoku.domain.primitives import Diagram, OneOf, Primitive, occurrences, sets_with_sum, weighted_sum

ARROW = "#b8b8b8"
BLUE = "#8bc9f0"

MOST_SETS = 10_000
"""The most sets of digits that a rellik cage may exclude; those of 9×9 have at most 23."""

LARGEST_FACTOR = 1000
"""The largest factor of a weighted sum: propagators have a bit for each possible sum."""

Equation: TypeAlias = tuple[Sequence[tuple[int, int]], int, str]
"""Σ factor·digit = total: terms (cell, factor), where a cell may repeat, the total, and the suffix of the name."""


class Equations(OfCells):
    """Rules that are equations between sums of digits."""

    @abstractmethod
    def equations(self) -> Iterable[Equation]:
        """The equations, all of which hold."""

    def holds(self, grid: Grid) -> bool:
        digits = grid.digits
        return all(sum(f * digits[cell] for cell, f in terms) == total for terms, total, _ in self.equations())

    def primitives(self, board: Board) -> Iterator[Primitive]:
        for terms, total, end in self.equations():
            yield weighted_sum(terms, total, self.name(board) + end)


def _terms(left: Iterable[int], right: Iterable[int] = ()) -> list[tuple[int, int]]:
    """The terms of Σ left − Σ right."""
    return [*((cell, 1) for cell in left), *((cell, -1) for cell in right)]


class Killer(Equations):
    """The digits differ and have the sum, if one is given."""

    total: int | None
    cells: Cells

    example = "killer 8: r1c1 r1c2 r2c1"
    called = "cage"
    once = "a cage has each cell once"
    # its cells are a house, also for the checker
    differ = True
    caption = "{total}"

    def refuse(self, board: Board) -> None:
        super().refuse(board)
        digits, size = list(board.digits), len(self.cells)
        low, high = sum(digits[:size]), sum(digits[-size:])
        if self.total is not None and size <= len(digits) and not low <= self.total <= high:
            raise ImpossibleError(f"{size} different digits have a sum from {low} to {high}, not {self.total}")

    def equations(self) -> Iterable[Equation]:
        return [] if self.total is None else [(_terms(self.cells), self.total, "")]


class Sum(Equations):
    """The digits, which may repeat, have the sum.

    A cell that is listed twice counts twice.
    """

    total: int
    cells: Cells

    example = "sum 6: r1c1 r2c2 r3c3"
    caption = "{total}"

    def equations(self) -> Iterable[Equation]:
        return [(_terms(self.cells), self.total, "")]


class Product(OfCells):
    """The digits, which may repeat, have the product.

    A cage of KenKen; a cell that is listed twice counts twice.
    """

    total: int
    cells: Cells

    example = "product 6: r1c1 r1c2 r2c2"
    caption = "{total}×"

    def refuse(self, board: Board) -> None:
        if not self._products(board).layers[0]:
            raise UsageError(f"{len(self.cells)} digits from {board.least} to {board.digits[-1]} have no such product")

    def holds(self, grid: Grid) -> bool:
        return prod(grid.at(self.cells)) == self.total

    def primitives(self, board: Board) -> Iterator[Primitive]:
        yield self._products(board)

    def _products(self, board: Board) -> Diagram:
        def step(product: int, _: int, digit: int) -> int | None:
            product *= digit
            if self.total == 0:
                return int(product != 0)
            return product if product and self.total % product == 0 else None

        return self.diagram(board, 1, step, lambda product: product == self.total)


class LittleKiller(Sum):
    """The digits on a diagonal, seen from outside, have the sum and may repeat.

    The clue is next to the first cell.
    """

    example = "little-killer 9: r1c2-r3c4"
    called = "little killer"

    def refuse(self, board: Board) -> None:
        places = [divmod(cell, board.columns) for cell in self.cells]
        moves = {(down - up, right - left) for (up, left), (down, right) in pairwise(places)}
        if len(moves) > 1 or {abs(step) for move in moves for step in move} - {1}:
            raise UsageError("the cells of a little killer follow each other diagonally; a sum has any cells")

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Outside(self.cells, str(self.total), arrow=True)


class WeightedSum(Equations):
    """The total, then a factor for each cell: the sum of factor times digit is the total."""

    total: int
    factors: Digits
    cells: Cells

    example = "weighted-sum 0 1 1 -1: r1c1 r1c2 r1c3"
    called = "weighted sum"
    shade = "#f0f0ff"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len(self.factors) != len(self.cells):
            raise UsageError(f"there are {len(self.factors)} factors for {len(self.cells)} cells")
        if large := [factor for factor in self.factors if abs(factor) > LARGEST_FACTOR]:
            raise UsageError(f"a factor is between -{LARGEST_FACTOR} and {LARGEST_FACTOR}, not {large[0]}")

    def equations(self) -> Iterable[Equation]:
        return [(list(zip(self.cells, self.factors, strict=True)), self.total, "")]


class Arrow(Equations):
    """The digits along the shaft have the sum in the circle; two or three circle cells make one number."""

    circle: Cells
    shaft: Cells

    example = "arrow: r1c1 | r1c2 r1c3"

    @property
    def first(self) -> int:
        return self.circle[0]

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if not 1 <= len(self.circle) <= 3:
            raise UsageError(f"the number in an arrow's circle has one to three cells, not {len(self.circle)}")

    def equations(self) -> Iterable[Equation]:
        number = [(cell, -(10**place)) for place, cell in enumerate(reversed(self.circle))]
        return [(_terms(self.shaft) + number, 0, "")]

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Stroke((self.circle[-1], *self.shaft), ARROW, 0.06, head=True)
        yield Disc(self.circle, "#ffffff", ARROW, 0.8, pill=len(self.circle) > 1)


class DoubleArrow(Equations):
    """The digits between the two ends have the sum of the ends."""

    cells: Cells

    example = "double-arrow: r1c1-r1c4"
    called = "double arrow"
    fewest = 2
    stroke = (ARROW, 0.06)
    circles = (Disc((0, -1), "#ffffff", ARROW, 0.8),)

    def equations(self) -> Iterable[Equation]:
        first, *inner, last = self.cells
        return [(_terms(inner, (first, last)), 0, "")]


class EqualSums(Equations):
    """All groups of cells have the same sum, as the parts of a region sum line."""

    groups: Groups

    example = "equal-sums: r1c1 r1c2 | r2c3 r2c4 | r4c1"
    called = "equal sums"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        refuse(len(self.groups) < 2, "equal sums are those of several groups, with | between them")

    @property
    def first(self) -> int:
        return self.groups[0][0]

    def equations(self) -> Iterable[Equation]:
        for (first, one), (second, other) in combinations(enumerate(self.groups, 1), 2):
            if second == first + 1 or first == 1:
                yield _terms(one, other), 0, f" {first} {second}"

    def marks(self, board: Board) -> Iterator[Mark]:
        # one line through groups that follow each other
        lines = [self.groups[0]]
        for group in self.groups[1:]:
            if group[0] in board.around(lines[-1][-1], KING):
                lines[-1] += group
            else:
                lines.append(group)
        for line in lines:
            yield Stroke(line, BLUE, 0.15) if len(line) > 1 else Disc(line, BLUE, BLUE, 0.3)


class Zipper(Equations):
    """Two cells equally far from the middle always have the same sum, which is also the middle digit."""

    cells: Cells

    example = "zipper: r1c1-r1c4-r2c4"
    stroke = ("#c9a0dc", 0.15)

    def equations(self) -> Iterable[Equation]:
        cells, half = self.cells, len(self.cells) // 2
        groups: list[Cells] = [(cells[half],)] if len(cells) % 2 else []
        groups += zip(cells[:half], reversed(cells), strict=False)
        return [(_terms(other, groups[0]), 0, f" {number}") for number, other in enumerate(groups[1:], 1)]


class PartialSum(OfCells):
    """A rule about the sum of some of the digits, which are not negative."""

    total: int
    cells: Cells

    def refuse(self, board: Board) -> None:
        if self.total < 1 or board.least < 0:
            raise UsageError(f"the sum of a {self.called.format(self.text)} is at least 1, not {self.total}")
        if self.total > (most := len(self.cells) * board.digits[-1]):
            raise UsageError(f"digits of {counted(len(self.cells), 'cell')} sum to at most {most}, not {self.total}")


class SumLine(PartialSum):
    """The line can be cut into pieces that each have the sum."""

    example = "sum-line 5: r1c1-r1c4"
    stroke = ("#f5c542", 0.15)

    def holds(self, grid: Grid) -> bool:
        return self.can_be_cut(grid.at(self.cells))

    def can_be_cut(self, digits: Sequence[int]) -> bool:
        """Whether these digits can be cut into pieces with the sum."""
        # sums from the start at which a piece may end; with zeros there may be several cuts
        ends, total = {0}, 0
        for digit in digits:
            total += digit
            if total - self.total in ends:
                ends.add(total)
        return total in ends and total > 0

    def primitives(self, board: Board) -> Iterator[Primitive]:
        yield self.pieces_diagram(board, 0, self.total)

    def pieces_diagram(self, board: Board, before: int, after: int) -> Diagram:
        """The diagram of a line that continues a piece with the sum `before` so far, and ends in one with `after`."""

        def step(piece: int, _: int, digit: int) -> int | None:
            if digit:
                # a zero may also belong to the piece before it
                piece = abs(piece) % self.total + digit
            return piece if piece <= self.total else None

        # the start is negative, since a piece must not consist of zeros only
        return self.diagram(board, -before, step, lambda piece: piece == after)


class SumLoop(SumLine):
    """The closed line can be cut into pieces that each have the sum."""

    example = "sum-loop 5: r1c1 r1c2 r2c2 r2c1"

    def refuse(self, board: Board) -> None:
        super().refuse(board)
        # the diagrams grow with this; 40 cells with a sum of 50 are possible
        if len(self.cells) * self.total**2 > 100_000:
            raise UsageError(f"a sum of {self.total} is too large for a loop of {len(self.cells)} cells to be solved")

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        return any(self.can_be_cut(digits[start:] + digits[:start]) for start in range(len(digits)))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        # the piece at the end of the list continues at its start
        every = (self.pieces_diagram(board, part, part or self.total) for part in range(self.total))
        yield OneOf(tuple((part,) for part in every if part.layers[0]), self.name(board))

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Stroke((*self.cells, self.cells[0]), *self.stroke)


class Rellik(PartialSum):
    """The digits differ, and no set of them has the sum."""

    example = "rellik 9: r1c1 r1c2 r2c1"
    called = "rellik cage"
    differ = True
    caption = "≠{total}"

    def holds(self, grid: Grid) -> bool:
        sums = {0}
        for digit in grid.at(self.cells):
            sums |= {total + digit for total in sums}
        return self.total not in sums - {0}

    def primitives(self, board: Board) -> Iterator[Primitive]:
        sets = sets_with_sum(board.digits, self.total, len(self.cells), MOST_SETS)
        if sets is None:
            raise DimensionError(f"{self.name(board)} is too large: more than {MOST_SETS} sets of digits have its sum")
        for digits in sets:
            name = f"{self.name(board)} without {' '.join(map(str, digits))}"
            yield occurrences(self.cells, digits, 0, len(digits) - 1, name)
