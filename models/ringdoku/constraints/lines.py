"""Rules of the digits along a line."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from operator import eq, gt, lt
from typing import ClassVar

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cells, House, OfCells
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.marks import Disc, Mark, Stroke
from ringdoku.domain.primitives import Allowed, Count, OneOf, Primitive, chain, pairs_of, related, relation

GREY = "#cfcfcf"


@dataclass(frozen=True)
class Line(OfCells):
    """A constraint whose only field is a line of cells; it has a colour."""

    cells: Cells

    called = "{} line"
    colour: ClassVar[str] = GREY
    thickness: ClassVar[float] = 0.18

    def marks(self, board: Board) -> Iterator[Mark]:  # noqa: ARG002
        yield Stroke(self.cells, self.colour, self.thickness)


@dataclass(frozen=True)
class Neighbours(Line):
    """A line whose neighbours have a relation, `allows`."""

    @abstractmethod
    def allows(self, digit: int, following: int, board: Board) -> bool:
        """Whether one digit may come directly before another."""

    def holds(self, grid: Grid) -> bool:
        board = grid.board
        return all(self.allows(one, other, board) for one, other in pairwise(grid.at(self.cells)))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        return chain(board.digits, self.cells, lambda a, b: self.allows(a, b, board), self.name(board))


@dataclass(frozen=True)
class Thermometer(Neighbours):
    """Digits rise from the bulb on."""

    text = "thermometer"
    summary = "the digits rise from the first cell on"
    example = "thermometer: r1c1-r1c4"
    thickness = 0.3

    def refuse(self, board: Board) -> None:
        if len(self.cells) > board.order:
            raise UsageError(f"a thermometer of {len(self.cells)} cells is longer than there are digits")

    def allows(self, digit: int, following: int, board: Board) -> bool:  # noqa: ARG002
        return digit < following

    def houses(self, board: Board) -> Iterator[House]:
        # this follows from the order, and makes sums and formulas tighter
        yield House(self.name(board), self.cells)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        size, digits = len(self.cells), board.digits
        for place, cell in enumerate(self.cells):
            yield Allowed(cell, frozenset(digits[place : len(digits) - size + place + 1]))
        yield from super().primitives(board)

    def marks(self, board: Board) -> Iterator[Mark]:
        yield from super().marks(board)
        yield Disc(self.cells[:1], GREY, GREY, 0.8)


@dataclass(frozen=True)
class SlowThermometer(Neighbours):
    """Digits never fall from the bulb on."""

    text = "slow-thermometer"
    summary = "the digits rise or stay the same from the first cell on"
    example = "slow-thermometer: r1c1-r1c4"
    thickness = 0.3

    def allows(self, digit: int, following: int, board: Board) -> bool:  # noqa: ARG002
        return digit <= following

    def marks(self, board: Board) -> Iterator[Mark]:
        yield from super().marks(board)
        yield Disc(self.cells[:1], "#ffffff", GREY, 0.8)


@dataclass(frozen=True)
class Whisper(Neighbours):
    """Neighbours on the line differ by at least `difference`: 5 for German whispers at 9×9."""

    difference: int
    cells: Cells

    text = "whisper"
    summary = "neighbours on the line differ by at least the number"
    example = "whisper 2: r1c1-r1c3"
    colour = "#67c266"

    def allows(self, digit: int, following: int, board: Board) -> bool:  # noqa: ARG002
        return abs(digit - following) >= self.difference


@dataclass(frozen=True)
class Palindrome(Line):
    """The digits read the same both ways."""

    text = "palindrome"
    summary = "the digits read the same both ways"
    example = "palindrome: r1c1-r3c3-r3c4"

    def holds(self, grid: Grid) -> bool:
        digits = grid.at(self.cells)
        return digits == digits[::-1]

    def primitives(self, board: Board) -> Iterator[Primitive]:
        equal = pairs_of(board.digits, eq)
        for place in range(len(self.cells) // 2):
            yield related(self.cells[place], self.cells[-1 - place], equal, self.name(board))


@dataclass(frozen=True)
class Renban(Line):
    """Consecutive digits in any order."""

    text = "renban"
    summary = "consecutive digits without repeats, in any order"
    example = "renban: r1c1-r1c4"
    colour = "#e57be5"

    def refuse(self, board: Board) -> None:
        if len(set(self.cells)) > board.order:
            raise UsageError(f"a renban line of {len(set(self.cells))} cells is longer than there are digits")

    def houses(self, board: Board) -> Iterator[House]:
        yield House(self.name(board), tuple(dict.fromkeys(self.cells)))

    def holds(self, grid: Grid) -> bool:
        digits = set(grid.at(self.cells))
        return max(digits) - min(digits) == len(set(self.cells)) - 1

    def primitives(self, board: Board) -> Iterator[Primitive]:
        cells = tuple(dict.fromkeys(self.cells))
        size, digits = len(cells), board.digits
        runs = [frozenset(digits[start : start + size]) for start in range(len(digits) - size + 1)]
        if len(runs) > 1:
            # redundant: every run of digits is complete, which solvers find out late
            name = self.name(board)
            yield OneOf(
                tuple(
                    (
                        *(Allowed(cell, run) for cell in cells),
                        *(Count(tuple((cell, digit) for cell in cells), 1, size, name) for digit in sorted(run)),
                    )
                    for run in runs
                ),
                name,
            )


@dataclass(frozen=True)
class Nabner(Line):
    """Any two digits on the line differ by at least 2."""

    text = "nabner"
    summary = "any two digits on the line differ by at least 2"
    example = "nabner: r1c1 r1c2"
    colour = "#c9a227"

    def holds(self, grid: Grid) -> bool:
        digits = sorted(grid.at(tuple(dict.fromkeys(self.cells))))
        return all(other - one >= 2 for one, other in pairwise(digits))

    def primitives(self, board: Board) -> Iterator[Primitive]:
        pairs = pairs_of(board.digits, lambda a, b: abs(a - b) >= 2)
        for one, other in combinations(dict.fromkeys(self.cells), 2):
            yield related(one, other, pairs, self.name(board))


@dataclass(frozen=True)
class Between(Line):
    """The digits inside lie strictly between those at the ends."""

    text = "between"
    summary = "the digits inside are strictly between those at the two ends"
    example = "between: r1c1-r1c4"
    thickness = 0.06

    def holds(self, grid: Grid) -> bool:
        first, *inner, last = grid.at(self.cells)
        return all(min(first, last) < digit < max(first, last) for digit in inner)

    def refuse(self, board: Board) -> None:  # noqa: ARG002
        if len(self.cells) < 2:
            raise UsageError(f"a {self.text} line has two ends")

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

    def marks(self, board: Board) -> Iterator[Mark]:
        yield from super().marks(board)
        yield from (Disc((cell,), "#ffffff", GREY, 0.8) for cell in (self.cells[0], self.cells[-1]))


@dataclass(frozen=True)
class Lockout(Line):
    """The ends differ by at least so much, and the digits inside are outside their range, ends included."""

    difference: int
    cells: Cells

    text = "lockout"
    summary = "the ends differ by at least the number; the digits inside are not between them or equal to them"
    example = "lockout 2: r1c1-r3c1"
    colour = "#8fb5ff"
    thickness = 0.06

    def holds(self, grid: Grid) -> bool:
        first, *inner, last = grid.at(self.cells)
        low, high = min(first, last), max(first, last)
        return high - low >= self.difference and not any(low <= digit <= high for digit in inner)

    def refuse(self, board: Board) -> None:
        if len(self.cells) < 2:
            raise UsageError(f"a {self.text} line has two ends")
        if not 0 <= self.difference < board.order:
            raise UsageError(f"digits differ by at most {board.order - 1}, not by {self.difference}")

    def primitives(self, board: Board) -> Iterator[Primitive]:
        first, *inner, last = self.cells
        name, digits = self.name(board), board.digits
        yield relation(digits, first, last, lambda a, b: abs(a - b) >= self.difference, name)
        less, greater = pairs_of(digits, lt), pairs_of(digits, gt)
        for cell in inner:
            # below both ends, or above both
            below, above = (
                tuple(related(cell, end, pairs, name) for end in (first, last)) for pairs in (less, greater)
            )
            yield OneOf((below, above), name)

    def marks(self, board: Board) -> Iterator[Mark]:
        yield from super().marks(board)
        ends = (self.cells[0], self.cells[-1])
        yield from (Disc((cell,), "#ffffff", self.colour, 0.8, square=True) for cell in ends)


@dataclass(frozen=True)
class Windows(Line):
    """Digits have classes. Any consecutive cells, as many as there are classes, have a digit of each class."""

    @abstractmethod
    def classes(self, board: Board) -> dict[int, int]:
        """The class of each digit."""

    def holds(self, grid: Grid) -> bool:
        kinds, digits = self.classes(grid.board), grid.at(self.cells)
        size = min(len(digits), len(set(kinds.values())))
        windows = (digits[start : start + size] for start in range(len(digits) - size + 1))
        return all(len({kinds[digit] for digit in window}) == size for window in windows)

    def primitives(self, board: Board) -> Iterator[Primitive]:
        kinds = self.classes(board)
        size = len(set(kinds.values()))
        pairs = pairs_of(board.digits, lambda a, b: kinds[a] != kinds[b])
        for start, cell in enumerate(self.cells):
            for other in self.cells[start + 1 : start + size]:
                yield related(cell, other, pairs, self.name(board))


@dataclass(frozen=True)
class Modular(Windows):
    """Any `modulus` consecutive cells have different remainders modulo `modulus`."""

    modulus: int

    text = "modular"
    summary = "any consecutive cells, as many as the number, have all remainders modulo the number"
    example = "modular 2: r1c1-r1c4"
    colour = "#4fc3c7"

    def refuse(self, board: Board) -> None:
        if not 2 <= self.modulus <= board.order:
            raise UsageError(f"a modulus is between 2 and {board.order}, not {self.modulus}")

    def classes(self, board: Board) -> dict[int, int]:
        return {digit: digit % self.modulus for digit in board.digits}


@dataclass(frozen=True)
class Entropic(Windows):
    """Any three successive cells have a low, a middle and a high digit; the digits are cut into thirds."""

    text = "entropic"
    summary = "any three successive cells have a low, a middle and a high digit"
    example = "entropic: r1c1-r1c4"
    colour = "#f5a05a"

    def refuse(self, board: Board) -> None:
        if board.order % 3:
            raise UsageError(f"{board.order} digits cannot be cut into low, middle and high ones")

    def classes(self, board: Board) -> dict[int, int]:
        return {digit: 3 * (digit - board.least) // board.order for digit in board.digits}


@dataclass(frozen=True)
class ParityLine(Neighbours):
    """Odd and even digits alternate along the line."""

    text = "parity-line"
    summary = "odd and even digits alternate along the line"
    example = "parity-line: r1c1-r1c4"
    colour = "#ff6b6b"

    def allows(self, digit: int, following: int, board: Board) -> bool:  # noqa: ARG002
        return (digit - following) % 2 == 1
