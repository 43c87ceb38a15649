"""Rules about two cells: dots, X and V, inequalities, clones, and rules for all neighbours without a mark."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, pairwise
from operator import eq, gt, lt
from typing import ClassVar

from ringdoku.domain import Board, Count, Grid, Primitive, UsageError, pairs_of, refuse, related
from ringdoku.domain.constraint import Cell, Cells, Constraint, Digits, Groups, OfCells, Pairs, codecs_of
from ringdoku.domain.marks import Disc, Mark, Shade, Stroke


class Related(Constraint):
    """The digits of some pairs of cells have a relation. The two cells of a pair may be the same cell."""

    compare: ClassVar[Callable[..., bool]]
    """The relation of two digits, which are followed by the constraint's own numbers, if it has some."""

    @abstractmethod
    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:
        """The pairs of cells, in the order of the relation."""

    def allowed_pairs(self, board: Board) -> frozenset[tuple[int, int]]:
        """The pairs of digits that the cells of a pair may hold; one object for all constraints with this relation."""
        numbers = [getattr(self, name) for name, codec in codecs_of(type(self)).items() if codec.is_number]
        return pairs_of(board.digits, type(self).compare, *numbers)

    def name_of(self, first: int, second: int, board: Board) -> str:
        """The name of the primitive of a pair."""
        return f"{self.text} at {board.cell_name(first)} {board.cell_name(second)}"

    def holds(self, grid: Grid) -> bool:
        digits, board = grid.digits, grid.board
        allowed = self.allowed_pairs(board)
        return all((digits[first], digits[second]) in allowed for first, second in self.related_pairs(board))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        allowed = self.allowed_pairs(board)
        for first, second in self.related_pairs(board):
            yield related(first, second, allowed, self.name_of(first, second, board))


class OnLine(Related, OfCells):
    """The same relation between each cell of a line and the next."""

    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:  # noqa: ARG002
        return pairwise(self.cells)

    def name_of(self, first: int, second: int, board: Board) -> str:  # noqa: ARG002
        return self.name(board)


class Pair(Related):
    """A relation of two cells, in the order in which they are given."""

    cells: Cells

    dot: ClassVar[tuple[str, str, float]] = ("#ffffff", "none", 0.4)
    """The fill, the outline and the size of its dot."""

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len(set(self.cells)) != 2 or len(self.cells) != 2:
            raise UsageError(f"{self.text} is about two cells, not {len(self.cells)}")

    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:  # noqa: ARG002
        first, second = self.cells
        return [(first, second)]

    def label(self) -> str:
        """The text in its dot."""
        return ""

    def marks(self, board: Board) -> Iterator[Mark]:
        first, second = self.cells
        # a thin line between cells that do not share an edge
        if second not in board.around(first):
            yield Stroke(self.cells, "#808080", 0.03)
        yield Disc(self.cells, *self.dot, self.label())


def _sign(greater: int, less: int, board: Board) -> Mark:
    """The inequality sign between two neighbours."""
    signs = {1: ">", -1: "<", board.columns: "∨", -board.columns: "∧"}
    return Disc((greater, less), "#ffffff", "none", 0.36, signs[less - greater])


class Difference(Pair):
    """A white dot: the two digits differ by the number, usually 1."""

    difference: int

    example = "difference 1: r1c1 r1c2"
    compare = staticmethod(lambda one, other, difference: abs(one - other) == difference)
    dot = ("#ffffff", "#000000", 0.3)

    def label(self) -> str:
        return "" if self.difference == 1 else str(self.difference)


class Ratio(Pair):
    """A black dot: one of the two digits is the other times the number, usually 2."""

    ratio: int

    example = "ratio 2: r1c1 r1c2"
    compare = staticmethod(lambda one, other, ratio: one == ratio * other or other == ratio * one)
    dot = ("#000000", "#000000", 0.3)

    def label(self) -> str:
        return "" if self.ratio == 2 else str(self.ratio)


class PairSum(Pair):
    """The two digits have the sum: 10 for an X, 5 for a V."""

    total: int

    example = "pair-sum 5: r1c1 r1c2"
    compare = staticmethod(lambda one, other, total: one + other == total)

    def label(self) -> str:
        return {10: "X", 5: "V"}.get(self.total, str(self.total))


class Greater(Pair):
    """The digit of the first cell is greater than that of the second."""

    example = "greater: r1c1 r1c2"
    compare = gt

    def marks(self, board: Board) -> Iterator[Mark]:
        first, second = self.cells
        if second in board.around(first):
            yield _sign(first, second, board)
        else:
            yield Stroke(self.cells, "#808080", 0.03, head=True)


class Unmarked(Related):
    """No two neighbours have the relation that a mark between them would show, except the pairs listed."""

    exempt: Groups

    optional = ("exempt",)

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        # other programs have marks between cells that are no neighbours
        refuse(any(len(group) != 2 for group in self.exempt), f"what {self.text} excepts are pairs of cells")

    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:
        exempt = set(map(frozenset, self.exempt))
        return (pair for pair in board.neighbours() if frozenset(pair) not in exempt)


class NonConsecutive(Unmarked):
    """Neighbours do not differ by 1, except the pairs listed."""

    example = "non-consecutive"
    compare = staticmethod(lambda one, other: abs(one - other) != 1)


class NoRatio(Unmarked):
    """No neighbours have one of the ratios, except the pairs listed."""

    ratios: Digits

    example = "no-ratio 2: r1c1 r1c2"
    compare = staticmethod(lambda one, other, ratios: not any(one == k * other or other == k * one for k in ratios))


class NoDifference(Unmarked):
    """No neighbours have one of the differences, except the pairs listed."""

    differences: Digits

    example = "no-difference 1: r1c1 r1c2"
    compare = staticmethod(lambda one, other, differences: abs(one - other) not in differences)


class NoPairSum(Unmarked):
    """No neighbours have one of the sums, except the pairs listed: 5 and 10 for X and V."""

    totals: Digits

    example = "no-pair-sum 5 10: r1c1 r1c2 | r2c1 r2c2"
    compare = staticmethod(lambda one, other, totals: one + other not in totals)


class AntiTaxicab(Constraint):
    """No two cells hold the digit that counts the steps between them, along rows and columns."""

    example = "anti-taxicab"

    def refuse(self, board: Board) -> None:
        # about as many pairs of cells have a digit that they cannot both hold
        refuse(board.grid_count * board.order**2 > 25**4, f"{self.text} is for boards of up to 25x25, not for {board}")

    def _pairs(self, board: Board) -> Iterator[tuple[int, int, int]]:
        """Yields each pair of cells whose distance is a digit, and this digit."""
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


class Clone(Related):
    """Groups of cells that are equal cell by cell, in the order given."""

    groups: Groups

    example = "clone: r1c1 r1c2 | r3c3 r3c4"
    compare = eq

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        refuse(len(self.groups) < 2, "clones are several groups, with | between them")
        refuse(len(set(map(len, self.groups))) > 1, "clones have the same number of cells")

    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:  # noqa: ARG002
        first, *others = self.groups
        return (pair for group in others for pair in zip(first, group, strict=True) if pair[0] != pair[1])

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        return (Shade(group, "#d8d8d8") for group in self.groups)


class Minimum(Related):
    """The digit is less than each neighbour's, except those listed second."""

    cell: Cell
    exempt: Cells

    example = "minimum: r2c2"
    compare = lt
    optional = ("exempt",)

    def refuse(self, board: Board) -> None:
        refuse(not {*board.around(self.cell)}.issuperset(self.exempt), f"what a {self.text} excepts are its neighbours")

    def related_pairs(self, board: Board) -> Iterator[tuple[int, int]]:
        return ((self.cell, other) for other in board.around(self.cell) if other not in self.exempt)

    def name_of(self, first: int, second: int, board: Board) -> str:  # noqa: ARG002
        return f"the {self.text} at {board.cell_name(first)}"

    def marks(self, board: Board) -> Iterator[Mark]:
        yield Shade((self.cell,), "#e4e4e4")
        for cell, other in self.related_pairs(board):
            yield _sign(other, cell, board) if self.text == "minimum" else _sign(cell, other, board)


class Maximum(Minimum):
    """The digit is greater than each neighbour's, except those listed second."""

    example = "maximum: r2c2"
    compare = gt


class Successive(OnLine):
    """Each cell of the line and the next hold one of the pairs of digits."""

    pairs: Pairs
    cells: Cells

    example = "pairs 1,2 2,1 2,3 3,2: r1c1-r1c3"
    compare = staticmethod(lambda one, other, pairs: (one, other) in pairs)
    shade = "#fff3c4"


class EveryPair(Successive):
    """Each cell and every later one hold one of the pairs of digits."""

    example = "every-pair 1,2 2,1 1,3 3,1: r1c1 r1c2"
    called = "every pair"

    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:  # noqa: ARG002
        return combinations(self.cells, 2)
