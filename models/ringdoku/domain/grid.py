"""A grid: a digit, or a blank, for each cell of a board."""

from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from math import isqrt
from operator import index
from typing import Any, overload

from ringdoku.domain.board import Board
from ringdoku.domain.errors import DimensionError, UsageError, counted, expect, listed, rows_of_numbers, whole_numbers
from ringdoku.domain.showing import Shown


@dataclass(frozen=True)
class Grid(Shown):
    """A number for each cell of `board`: one of its digits, or its blank. Without a board, n² numbers 0..n.

    `digits` may be given as numbers, as rows of numbers, such as a NumPy array, or as a text: a number or a dot for
    each cell with spaces between, or a character for each. If those of the extra cells are left out, these are blank.

    Raises `UsageError` for anything that is not a whole number, `DimensionError` when the numbers do not fit the board.
    """

    digits: tuple[int, ...]
    board: Board = None  # type: ignore[assignment]  # set below

    def __post_init__(self) -> None:
        if type(self.digits) is not tuple or not {int}.issuperset(map(type, self.digits)):
            object.__setattr__(self, "digits", _numbers(self.digits, getattr(self.board, "blank", 0)))
        if self.board is None:
            order = isqrt(len(self.digits))
            if not order or order * order != len(self.digits):
                raise DimensionError(f"a grid has n² digits, not {len(self.digits)}")
            object.__setattr__(self, "board", Board.square(order))
        board = expect(self.board, Board, "the board of a grid")
        if len(self.digits) == board.grid_count < board.cell_count:
            object.__setattr__(self, "digits", self.digits + (board.blank,) * len(board.extra))
        if len(self.digits) != board.cell_count:
            raise DimensionError(f"a board of {board} has {board.cell_count} cells, not {len(self.digits)}")
        low, high = board.blank, board.blank + board.order
        if min(self.digits) < low or max(self.digits) > high:
            wrong = next(digit for digit in self.digits if not low <= digit <= high)
            raise DimensionError(f"a digit of a {board.rows}x{board.columns} grid is {low}..{high}, not {wrong}")

    @staticmethod
    def of_rows(rows: Iterable[Iterable[int]]) -> "Grid":
        """From n rows of n digits."""
        numbers = rows_of_numbers(rows, "digits")
        size = counted(len(numbers), "row")
        for place, row in enumerate(numbers, 1):
            if len(row) != len(numbers):
                raise DimensionError(f"row {place} has {counted(len(row), 'number')} in a matrix of {size}")
        return Grid(tuple(chain.from_iterable(numbers)))

    @staticmethod
    def blank(board: Board | int) -> "Grid":
        """A grid of blanks. A number n stands for the board of n×n."""
        board = board if isinstance(board, Board) else Board.square(board)
        return Grid((board.blank,) * board.cell_count, board)

    @property
    def order(self) -> int:
        """How many digits the board has."""
        return self.board.order

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The rows of the grid from the top, extra cells left out. Solutions with equal rows are the same solution."""
        return tuple(map(tuple, self.board.in_rows(self.digits)))

    @property
    def is_full(self) -> bool:
        """Whether no cell is blank."""
        return self.board.blank not in self.digits

    @property
    def filled_count(self) -> int:
        """How many cells are not blank."""
        return len(self.digits) - self.digits.count(self.board.blank)

    @property
    def filled(self) -> list[int]:
        """The cells that have a digit, ascending."""
        return [cell for cell, digit in enumerate(self.digits) if digit != self.board.blank]

    @property
    def open(self) -> list[int]:
        """The blank cells, ascending; extra cells are left out."""
        return [cell for cell in range(self.board.grid_count) if self.digits[cell] == self.board.blank]

    def put(self, cell: int, digit: int) -> "Grid":
        """The grid with this digit in a cell."""
        return Grid((*self.digits[:cell], digit, *self.digits[cell + 1 :]), self.board)

    def only(self, cells: Container[int]) -> "Grid":
        """The digits of these cells, all others blank."""
        blank = self.board.blank
        return Grid(tuple(d if cell in cells else blank for cell, d in enumerate(self.digits)), self.board)

    def at(self, cells: Iterable[int]) -> tuple[int, ...]:
        """The digits of these cells, by their indices."""
        return tuple([self.digits[cell] for cell in cells])

    @overload
    def __getitem__(self, place: tuple[int, int]) -> int: ...

    @overload
    def __getitem__(self, place: int) -> tuple[int, ...]: ...

    def __getitem__(self, place: tuple[int, int] | int) -> int | tuple[int, ...]:
        """The digit at (row, column), or a row, as in a list of rows; raises `IndexError` outside."""
        # whole numbers of NumPy too
        with suppress(TypeError):
            if not isinstance(place, tuple):
                return self.rows[index(place)]
            if len(place) == 2:
                return self.digits[self.board.cell(*map(index, place))]
        raise UsageError(f"a grid has grid[row, column] and grid[row], counted from 0, not grid[{place!r}]")

    def __len__(self) -> int:
        """How many rows there are."""
        return self.board.rows

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """The rows from the top."""
        return iter(self.rows)

    def __str__(self) -> str:
        """The rows as lines, a dot for a blank."""
        blank = self.board.blank
        texts = [["." if digit == blank else str(digit) for digit in row] for row in self.rows]
        width = max(len(text) for row in texts for text in row)
        return "\n".join(" ".join(text.rjust(width) for text in row) for row in texts)


def _numbers(digits: Any, blank: int) -> tuple[int, ...]:
    """The numbers in what a caller gives, `blank` for a dot. Raises `UsageError` for anything else."""
    if isinstance(digits, str):
        words = digits.split()
        if wrong := [word for word in words if not word.replace(".", "0").isdecimal()]:
            expected = "a grid is written with digits and dots, not with"
            raise UsageError(f"{expected} {wrong[0]!r}; ringdoku.parse reads puzzles")
        # no number is larger than n, the root of how many there are
        if any(len(word) > len(str(isqrt(len(words)))) for word in words):
            words = list("".join(words))
        return tuple(blank if word == "." else int(word) for word in words)
    numbers = tuple(listed(digits, "the numbers of a grid", ordered=True))
    if numbers and all(isinstance(row, Iterable) for row in numbers):
        numbers = tuple(chain.from_iterable(numbers))
    return whole_numbers(numbers, "digits")
