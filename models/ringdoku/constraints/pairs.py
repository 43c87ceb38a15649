"""Rules of two cells: dots, X and V, inequalities, clones, and rules for all neighbours without a mark."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import eq
from typing import ClassVar

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cell, Cells, Constraint, Digits, Groups, OfCells, Pairs
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Disc, Mark, Shade, Stroke
from ringdoku.domain.primitives import Count, Primitive, Relation, chain, pairs_of, related, relation


@dataclass(frozen=True)
class Pair(Constraint):
    """A relation of two cells, in the order in which they are given."""

    cells: Cells

    dot: ClassVar[tuple[str, str, float]] = ("#ffffff", "none", 0.4)
    """The fill, the outline and the size of its dot."""

    @abstractmethod
    def allows(self, first: int, second: int) -> bool:
        """Whether the cells may hold these digits."""

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len(set(self.cells)) != 2 or len(self.cells) != 2:
            raise UsageError(f"{self.text} is about two cells, not {len(self.cells)}")

    def holds(self, grid: Grid) -> bool:
        return self.allows(*grid.at(self.cells))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first, second = self.cells
        name = f"{self.text} at {board.cell_name(first)} {board.cell_name(second)}"
        yield Relation(first, second, pairs_of(board.digits, self.allows), name)

    def label(self) -> str:
        """The text in its dot."""
        return ""

    def marks(self, board: Board) -> Iterator[Mark]:
        # a thin line between cells that do not share an edge
        if not board.share_edge(*self.cells):
            yield Stroke(self.cells, "#808080", 0.03)
        yield Disc(self.cells, *self.dot, self.label())


def _sign(greater: int, less: int, board: Board) -> Mark:
    """The sign between two neighbours."""
    signs = {1: ">", -1: "<", board.columns: "∨", -board.columns: "∧"}
    return Disc((greater, less), "#ffffff", "none", 0.36, signs[less - greater])


@dataclass(frozen=True)
class Difference(Pair):
    """A white dot: the digits differ by exactly `difference`."""

    difference: int

    text = "difference"
    summary = "a white dot: the two digits differ by the number, usually 1"
    example = "difference 1: r1c1 r1c2"
    dot = ("#ffffff", "#000000", 0.3)

    def allows(self, first: int, second: int) -> bool:
        return abs(first - second) == self.difference

    def label(self) -> str:
        return "" if self.difference == 1 else str(self.difference)


@dataclass(frozen=True)
class Ratio(Pair):
    """A black dot: one digit is `factor` times the other."""

    ratio: int

    text = "ratio"
    summary = "a black dot: one of the two digits is the other times the number, usually 2"
    example = "ratio 2: r1c1 r1c2"
    dot = ("#000000", "#000000", 0.3)

    def allows(self, first: int, second: int) -> bool:
        return first == self.ratio * second or second == self.ratio * first

    def label(self) -> str:
        return "" if self.ratio == 2 else str(self.ratio)


@dataclass(frozen=True)
class PairSum(Pair):
    """Two neighbours with a sum: an X for 10, a V for 5."""

    total: int

    text = "pair-sum"
    summary = "the two digits have the sum: 10 for an X, 5 for a V"
    example = "pair-sum 5: r1c1 r1c2"

    def allows(self, first: int, second: int) -> bool:
        return first + second == self.total

    def label(self) -> str:
        return {10: "X", 5: "V"}.get(self.total, str(self.total))


@dataclass(frozen=True)
class Greater(Pair):
    """The first digit is greater than the second."""

    text = "greater"
    summary = "the digit of the first cell is greater than that of the second"
    example = "greater: r1c1 r1c2"

    def allows(self, first: int, second: int) -> bool:
        return first > second

    def marks(self, board: Board) -> Iterator[Mark]:
        first, second = self.cells
        if board.share_edge(first, second):
            yield _sign(first, second, board)
        else:
            yield Stroke(self.cells, "#808080", 0.03, head=True)


@dataclass(frozen=True)
class Unmarked(Constraint):
    """No two neighbours, except the pairs listed, have the relation that a mark between them would show."""

    exempt: Groups

    optional = ("exempt",)

    @abstractmethod
    def excludes(self, first: int, second: int) -> bool:
        """Whether neighbours without a mark may not hold these digits."""

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if any(len(group) != 2 for group in self.exempt):
            raise UsageError(f"what {self.text} excepts are pairs of cells")

    def _pairs(self, board: Board) -> Iterator[tuple[int, int]]:
        exempt = {frozenset(group) for group in self.exempt}
        return (pair for pair in board.neighbours() if frozenset(pair) not in exempt)

    def holds(self, grid: Grid) -> bool:
        digits = grid.digits
        return not any(self.excludes(digits[one], digits[other]) for one, other in self._pairs(grid.board))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        allowed = frozenset((a, b) for a in board.digits for b in board.digits if not self.excludes(a, b))
        for one, other in self._pairs(board):
            yield Relation(one, other, allowed, f"{self.text} at {board.cell_name(one)} {board.cell_name(other)}")


@dataclass(frozen=True)
class NonConsecutive(Unmarked):
    """Neighbours never differ by 1."""

    text = "non-consecutive"
    summary = "neighbours do not differ by 1, except the pairs listed"
    example = "non-consecutive"

    def excludes(self, first: int, second: int) -> bool:
        return abs(first - second) == 1


@dataclass(frozen=True)
class NoRatio(Unmarked):
    """No neighbours without a dot have a ratio."""

    ratios: Digits

    text = "no-ratio"
    summary = "no neighbours have one of the ratios, except the pairs listed"
    example = "no-ratio 2: r1c1 r1c2"

    def excludes(self, first: int, second: int) -> bool:
        return any(first == ratio * second or second == ratio * first for ratio in self.ratios)


@dataclass(frozen=True)
class NoDifference(Unmarked):
    """No neighbours without a dot have a difference."""

    differences: Digits

    text = "no-difference"
    summary = "no neighbours have one of the differences, except the pairs listed"
    example = "no-difference 1: r1c1 r1c2"

    def excludes(self, first: int, second: int) -> bool:
        return abs(first - second) in self.differences


@dataclass(frozen=True)
class NoPairSum(Unmarked):
    """No neighbours without an X or V have their sums."""

    totals: Digits

    text = "no-pair-sum"
    summary = "no neighbours have one of the sums, except the pairs listed: 5 and 10 for X and V"
    example = "no-pair-sum 5 10: r1c1 r1c2 | r2c1 r2c2"

    def excludes(self, first: int, second: int) -> bool:
        return first + second in self.totals


MOST_STEPS = 25**4
"""Cells times the square of the digits: about so many pairs of cells have a digit that they cannot both hold."""


@dataclass(frozen=True)
class AntiTaxicab(Constraint):
    """Two cells that are d steps along rows and columns apart do not both hold d."""

    text = "anti-taxicab"
    summary = "no two cells hold the digit that counts the steps between them, along rows and columns"
    example = "anti-taxicab"

    def refuse(self, board: Board) -> None:
        if board.rows * board.columns * board.order**2 > MOST_STEPS:
            raise UsageError(f"{self.text} is for boards of up to 25x25, not for {board}")

    def _pairs(self, board: Board) -> Iterator[tuple[int, int, int]]:
        for steps in board.digits:
            # each pair once: down, or along the row to the right
            moves = {(down, right) for down in range(1, steps + 1) for right in (steps - down, down - steps)}
            for one, other in board.pairs(moves | ({(0, steps)} if steps > 0 else set())):
                yield one, other, steps

    def holds(self, grid: Grid) -> bool:
        digits = grid.digits
        return not any(digits[one] == digits[other] == steps for one, other, steps in self._pairs(grid.board))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        for one, other, steps in self._pairs(board):
            name = f"{steps} steps from {board.cell_name(one)} to {board.cell_name(other)}"
            yield Count(((one, steps), (other, steps)), 0, 1, name)


@dataclass(frozen=True)
class Clone(Constraint):
    """Groups of cells of equal size are equal cell by cell."""

    groups: Groups

    text = "clone"
    summary = "groups of cells that are equal cell by cell, in the order given"
    example = "clone: r1c1 r1c2 | r3c3 r3c4"

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len({len(group) for group in self.groups}) != 1:
            raise UsageError("clones have the same number of cells")

    def holds(self, grid: Grid) -> bool:
        return len({grid.at(group) for group in self.groups}) == 1

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first, *others = self.groups
        for group in others:
            for one, other in zip(first, group, strict=True):
                if one != other:
                    name = f"the clones {board.cell_name(one)} {board.cell_name(other)}"
                    yield relation(board.digits, one, other, eq, name)

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Shade(group, "#d8d8d8") for group in self.groups)


@dataclass(frozen=True)
class Extreme(Constraint):
    """A cell that is less, or greater, than each neighbour except those listed."""

    cell: Cell
    exempt: Cells

    optional = ("exempt",)

    @abstractmethod
    def allows(self, digit: int, neighbour: int) -> bool:
        """Whether the cell and a neighbour may hold these digits."""

    def _neighbours(self, board: Board) -> Iterator[int]:
        for one, other in board.neighbours():
            if self.cell in (one, other):
                neighbour = other if one == self.cell else one
                if neighbour not in self.exempt:
                    yield neighbour

    def holds(self, grid: Grid) -> bool:
        digit = grid.digits[self.cell]
        return all(self.allows(digit, grid.digits[other]) for other in self._neighbours(grid.board))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = f"the {self.text} at {board.cell_name(self.cell)}"
        pairs = pairs_of(board.digits, self.allows)
        return (Relation(self.cell, other, pairs, name) for other in self._neighbours(board))


@dataclass(frozen=True)
class Minimum(Extreme):
    """Less than each neighbour."""

    text = "minimum"
    summary = "the digit is less than each neighbour's, except those listed second"
    example = "minimum: r2c2"

    def allows(self, digit: int, neighbour: int) -> bool:
        return digit < neighbour

    def marks(self, board: Board) -> Iterator[Mark]:
        yield Shade((self.cell,), "#e4e4e4")
        yield from (_sign(other, self.cell, board) for other in self._neighbours(board))


@dataclass(frozen=True)
class Maximum(Extreme):
    """Greater than each neighbour."""

    text = "maximum"
    summary = "the digit is greater than each neighbour's, except those listed second"
    example = "maximum: r2c2"

    def allows(self, digit: int, neighbour: int) -> bool:
        return digit > neighbour

    def marks(self, board: Board) -> Iterator[Mark]:
        yield Shade((self.cell,), "#e4e4e4")
        yield from (_sign(self.cell, other, board) for other in self._neighbours(board))


@dataclass(frozen=True)
class Successive(OfCells):
    """Any relation between each cell of a line and the next, given by the pairs of digits that it allows."""

    pairs: Pairs
    cells: Cells

    text = "pairs"
    summary = "each cell of the line and the next hold one of the pairs of digits"
    example = "pairs 1,2 2,1 2,3 3,2: r1c1-r1c3"
    shade = "#fff3c4"

    def holds(self, grid: Grid) -> bool:
        return all(pair in self.pairs for pair in pairwise(grid.at(self.cells)))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        return chain(board.digits, self.cells, lambda a, b: (a, b) in self.pairs, self.name(board))


@dataclass(frozen=True)
class EveryPair(Successive):
    """Any relation between each cell and every later one."""

    text = "every-pair"
    summary = "each cell and every later one hold one of the pairs of digits"
    example = "every-pair 1,2 2,1 1,3 3,1: r1c1 r1c2"

    def holds(self, grid: Grid) -> bool:
        return all(pair in self.pairs for pair in combinations(grid.at(self.cells), 2))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        name = f"every pair at {board.cell_name(self.cells[0])}"
        return (related(one, other, self.pairs, name) for one, other in combinations(self.cells, 2))
