"""A grid: n×n digits, 0 for blank."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isqrt

from ringdoku.domain.errors import DimensionError
from ringdoku.domain.numbers import counted, whole_numbers


@dataclass(frozen=True)
class Grid:
    """n² digits in reading order, each 0..n (0 blank).

    Raises `UsageError` for what is no whole number, `DimensionError` when the length is not a square number or a digit
    is out of range.
    """

    digits: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", whole_numbers(self.digits, "digits"))
        order = self.order
        if not order or order * order != len(self.digits):
            raise DimensionError(f"a grid has n² digits, not {len(self.digits)}")
        if min(self.digits) < 0 or max(self.digits) > order:
            wrong = next(digit for digit in self.digits if not 0 <= digit <= order)
            raise DimensionError(f"a digit of a {order}x{order} grid is 0..{order}, not {wrong}")

    @staticmethod
    def of_rows(rows: Iterable[Iterable[int]]) -> Grid:
        """From n rows of n digits."""
        return Grid(square(rows, "digits"))

    @staticmethod
    def blank(order: int) -> Grid:
        """n² blanks."""
        if order < 1:
            raise DimensionError(f"an order is at least 1, not {order}")
        return Grid((0,) * (order * order))

    @property
    def order(self) -> int:
        """n, the number of rows."""
        return isqrt(len(self.digits))

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """n rows of n digits, from the top."""
        n = self.order
        return tuple(self.digits[start : start + n] for start in range(0, n * n, n))

    @property
    def is_full(self) -> bool:
        """Whether no cell is blank."""
        return 0 not in self.digits

    @property
    def filled_count(self) -> int:
        """How many cells are not blank."""
        return len(self.digits) - self.digits.count(0)

    def __getitem__(self, place: tuple[int, int]) -> int:
        """The digit at (row, column), both 0..n − 1; raises `IndexError` outside."""
        row, column = place
        if not (0 <= row < self.order and 0 <= column < self.order):
            raise IndexError(f"there is no row {row}, column {column} in a grid of order {self.order}")
        return self.digits[row * self.order + column]


def square(rows: Iterable[Iterable[int]], what: str) -> tuple[int, ...]:
    """The n² numbers of n rows of n. Raises `DimensionError` when it is no square, `UsageError` as `whole_numbers`."""
    numbers = [whole_numbers(row, what) for row in rows]
    for place, row in enumerate(numbers, 1):
        if len(row) != len(numbers):
            raise DimensionError(
                f"row {place} has {counted(len(row), 'number')} in a matrix of {counted(len(numbers), 'row')}"
            )
    return tuple(number for row in numbers for number in row)
