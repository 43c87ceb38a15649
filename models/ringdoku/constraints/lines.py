"""Rules about the digits along a line."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from itertools import combinations
from operator import eq, gt, le, lt

from ringdoku.constraints.pairs import OnLine
from ringdoku.domain import Board, Cells, Grid, House, OfCells, UsageError, refuse
from ringdoku.domain.marks import GREY, Disc
from ringdoku.domain.primitives import Allowed, OneOf, Primitive, occurrences, pairs_of, related

THICKNESS = 0.18


class Line(OfCells):
    """A constraint whose first field is a line of cells; it has a colour."""

    cells: Cells

    called = "{} line"
    stroke = (GREY, THICKNESS)


class Thermometer(OnLine, Line):
    """The digits rise from the first cell on."""

    example = "thermometer: r1c1-r1c4"
    compare = lt
    stroke = (GREY, 0.3)
    circles = (Disc((0,), GREY, GREY, 0.8),)
    # this follows from the order, and makes sums and formulas tighter
    differ = True

    def primitives(self, board: Board) -> Iterator[Primitive]:
        size, digits = len(self.cells), board.digits
        for place, cell in enumerate(self.cells):
            yield Allowed(cell, frozenset(digits[place : len(digits) - size + place + 1]))
        yield from super().primitives(board)


class SlowThermometer(OnLine, Line):
    """The digits rise or stay the same from the first cell on."""

    example = "slow-thermometer: r1c1-r1c4"
    compare = le
    stroke = (GREY, 0.3)
    circles = (Disc((0,), "#ffffff", GREY, 0.8),)


class Whisper(OnLine, Line):
    """Neighbours on the line differ by at least the number.

    5 for German whispers at 9×9.
    """

    difference: int
    example = "whisper 2: r1c1-r1c3"
    compare = staticmethod(lambda one, other, difference: abs(one - other) >= difference)
    stroke = ("#67c266", THICKNESS)

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        refuse(self.difference < 1, f"digits of a whisper differ by 1 or more, not by {self.difference}")


class Palindrome(OnLine, Line):
    """The digits read the same both ways."""

    example = "palindrome: r1c1-r3c3-r3c4"
    compare = eq

    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:  # noqa: ARG002
        return zip(self.cells[: len(self.cells) // 2], reversed(self.cells), strict=False)


class Renban(Line):
    """Consecutive digits without repeats, in any order."""

    example = "renban: r1c1-r1c4"
    stroke = ("#e57be5", THICKNESS)

    def houses(self, board: Board) -> Iterator[House]:
        yield House(self.name(board), tuple(dict.fromkeys(self.cells)))

    def holds(self, grid: Grid) -> bool:
        digits = set(grid.at(self.cells))
        return max(digits) - min(digits) == len(set(self.cells)) - 1

    def primitives(self, board: Board) -> Iterator[Primitive]:
        cells = tuple(dict.fromkeys(self.cells))
        size, digits, name = len(cells), board.digits, self.name(board)
        cases: list[tuple[Primitive, ...]] = []
        for run in (digits[start : start + size] for start in range(len(digits) - size + 1)):
            # redundant: every run of digits is complete, which solvers find out late
            counts = (occurrences(cells, (digit,), 1, size, name) for digit in run)
            cases.append((*(Allowed(cell, frozenset(run)) for cell in cells), *counts))
        if len(cases) > 1:
            yield OneOf(tuple(cases), name)


class Nabner(OnLine, Line):
    """Any two digits on the line differ by at least 2."""

    example = "nabner: r1c1 r1c2"
    compare = staticmethod(lambda one, other: abs(one - other) >= 2)
    stroke = ("#c9a227", THICKNESS)

    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:  # noqa: ARG002
        return combinations(dict.fromkeys(self.cells), 2)


class Between(Line):
    """The digits inside are strictly between those at the two ends."""

    example = "between: r1c1-r1c4"
    fewest = 2
    stroke = (GREY, 0.06)
    circles = (Disc((0, -1), "#ffffff", GREY, 0.8),)

    def holds(self, grid: Grid) -> bool:
        first, *inner, last = grid.at(self.cells)
        return all(min(first, last) < digit < max(first, last) for digit in inner)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first, *inner, last = self.cells
        if inner:
            name, digits = self.name(board), board.digits
            less = pairs_of(digits, lt)
            rising, falling = (
                tuple(related(*pair, less, name) for cell in inner for pair in ((low, cell), (cell, high)))
                for low, high in ((first, last), (last, first))
            )
            # a digit inside is neither the least nor the greatest
            yield from (Allowed(cell, frozenset(digits[1:-1])) for cell in inner)
            yield OneOf((rising, falling), name)


class Lockout(Line):
    """The ends differ by at least the number; the digits inside are not between them or equal to them."""

    difference: int
    example = "lockout 2: r1c1-r3c1"
    fewest = 2
    stroke = ("#8fb5ff", 0.06)
    circles = (Disc((0, -1), "#ffffff", "#8fb5ff", 0.8, square=True),)

    def refuse(self, board: Board) -> None:
        super().refuse(board)
        if not 0 <= self.difference < board.order:
            raise UsageError(f"digits differ by at most {board.order - 1}, not by {self.difference}")

    def holds(self, grid: Grid) -> bool:
        first, *inner, last = grid.at(self.cells)
        low, high = min(first, last), max(first, last)
        return high - low >= self.difference and not any(low <= digit <= high for digit in inner)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first, *inner, last = self.cells
        name, digits = self.name(board), board.digits
        yield related(first, last, pairs_of(digits, lambda a, b: abs(a - b) >= self.difference), name)
        both = [pairs_of(digits, order) for order in (lt, gt)]
        for cell in inner:
            # below both ends, or above both
            yield OneOf(tuple(tuple(related(cell, end, pairs, name) for end in (first, last)) for pairs in both), name)


class Windows(OnLine, Line):
    """Digits fall into k classes, and any k consecutive cells hold a digit of each class."""

    @abstractmethod
    def class_of(self, digit: int, board: Board) -> int:
        """The class of a digit."""

    def related_pairs(self, board: Board) -> Iterable[tuple[int, int]]:
        size = len({self.class_of(digit, board) for digit in board.digits})
        for start, cell in enumerate(self.cells):
            for other in self.cells[start + 1 : start + size]:
                yield cell, other

    def allowed_pairs(self, board: Board) -> frozenset[tuple[int, int]]:
        return pairs_of(board.digits, lambda one, other: self.class_of(one, board) != self.class_of(other, board))


class Modular(Windows):
    """Any consecutive cells, as many as the number, have all remainders modulo the number."""

    modulus: int

    example = "modular 2: r1c1-r1c4"
    stroke = ("#4fc3c7", THICKNESS)

    def refuse(self, board: Board) -> None:
        refuse(not 1 <= self.modulus <= board.order, f"a modulus is between 1 and {board.order}, not {self.modulus}")

    def class_of(self, digit: int, board: Board) -> int:  # noqa: ARG002
        return digit % self.modulus


class Entropic(Windows):
    """Any three successive cells have a low, a middle and a high digit."""

    example = "entropic: r1c1-r1c4"
    stroke = ("#f5a05a", THICKNESS)

    def refuse(self, board: Board) -> None:
        refuse(board.order % 3, f"{board.order} digits cannot be cut into low, middle and high ones")

    def class_of(self, digit: int, board: Board) -> int:
        return 3 * (digit - board.least) // board.order


class ParityLine(OnLine, Line):
    """Odd and even digits alternate along the line."""

    example = "parity-line: r1c1-r1c4"
    compare = staticmethod(lambda one, other: (one - other) % 2 == 1)
    stroke = ("#ff6b6b", THICKNESS)
