"""The linear objective: score = Σ weight·digit over the cells of the grid, or a sum of weights of candidates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any

from ringdoku.domain.board import Board
from ringdoku.domain.errors import DimensionError, UsageError, expect, listed, refuse, rows_of_numbers, whole_numbers
from ringdoku.domain.grid import Grid
from ringdoku.domain.showing import named

MAX_WEIGHT = 10**9
"""The largest absolute value of a weight. Every score of every order then fits in 63 bits."""


class Sense(Enum):
    """Whether the highest or the lowest score is best."""

    MAXIMISE = "maximise"
    """The highest score is best."""
    MINIMISE = "minimise"
    """The lowest score is best."""

    __repr__ = named

    @property
    def sign(self) -> int:
        """+1 or −1: the best solution has the largest sign·score."""
        return 1 if self is Sense.MAXIMISE else -1

    def better(self, score: int, than: int) -> bool:
        """Whether `score` is strictly better than `than`."""
        return self.sign * score > self.sign * than


@dataclass(frozen=True)
class Objective:
    """Integer weights and a sense. There is a weight for each cell of the grid, in reading order, which is multiplied
    by its digit; or one for each digit of each cell, which counts if the cell holds it. Extra cells have no weights.
    Raises `UsageError` for a weight that is not a whole number or a sense that is not a `Sense`, `DimensionError` for
    no weights or one above `MAX_WEIGHT` in absolute value."""

    weights: tuple[int, ...]
    sense: Sense = Sense.MAXIMISE
    columns: int | None = field(default=None, compare=False)
    """The number of weights in a row, if they were given in rows."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", whole_numbers(self.weights, "weights"))
        if not isinstance(self.sense, Sense):
            raise UsageError(f"a sense is Sense.MAXIMISE or Sense.MINIMISE, not {self.sense!r}")
        if not self.weights:
            raise DimensionError("an objective has a weight for each cell, not none")
        for weight in self.weights:
            if abs(weight) > MAX_WEIGHT:
                raise DimensionError(f"a weight is between −{MAX_WEIGHT} and {MAX_WEIGHT}, not {weight}")

    @staticmethod
    def of_rows(rows: Iterable[Iterable[Any]], sense: Sense = Sense.MAXIMISE) -> "Objective":
        """From a row of weights for each row of the grid; or for each cell a row with a weight for each digit, also as
        an array (rows, columns, digits). Raises `DimensionError` unless all rows are equally long."""
        what, width = "rows of weights", 1
        lines = [list(listed(row, what, ordered=True)) for row in listed(rows, what, ordered=True)]
        if lines and lines[0] and isinstance(lines[0][0], Iterable):
            width = len(lines[0])
            _require_equal_length(lines, "cells")
            lines = [list(listed(cell, "weights", ordered=True)) for row in lines for cell in row]
        numbers = rows_of_numbers(lines, "weights")
        _require_equal_length(numbers, "weights")
        columns = width * len(numbers[0]) if numbers else None
        return Objective(tuple(weight for row in numbers for weight in row), sense, columns)

    @staticmethod
    def counting(
        board: Board, digits: Iterable[int], cells: Iterable[int | str], sense: Sense = Sense.MAXIMISE
    ) -> "Objective":
        """How many of these cells, names such as "r1c1" or indices from 0, hold one of these digits. Raises
        `UsageError` for a cell or a digit that the board does not have, and for an extra cell."""
        wanted, where = set(whole_numbers(digits, "digits")), set(map(board.given, listed(cells, "cells")))
        if strange := wanted.difference(board.digits):
            raise UsageError(f"there is no digit {min(strange)} on a board of {board}")
        extra = [board.cell_name(cell) for cell in where if cell >= board.grid_count]
        refuse(extra, f"a score counts cells of the grid, not {', '.join(extra)}")
        places = ((cell in where and digit in wanted) for cell in range(board.grid_count) for digit in board.digits)
        return Objective(tuple(map(int, places)), sense, board.order)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """What `np.asarray(objective)` gives: the weights, in rows if they were given so."""
        import numpy as np

        weights = np.array(self.weights, dtype=dtype)
        return weights.reshape(-1, self.columns) if self.columns else weights

    def score(self, grid: Grid) -> int:
        """The score of a grid, exactly; blanks count 0. Raises `DimensionError` for a grid of another size."""
        self.fits(grid.board)
        board, blank = grid.board, grid.board.blank
        filled = [(cell, digit) for cell, digit in enumerate(grid.digits[: board.grid_count]) if digit != blank]
        if is_by_cell(self.weights, board):
            return sum([self.weights[cell] * digit for cell, digit in filled])
        return sum([self.weights[cell * board.order + digit - board.least] for cell, digit in filled])

    def of_cells(self, board: Board) -> tuple[int, ...]:
        """One weight for each cell of the grid, as pictures show them: the largest of those of its digits."""
        if is_by_cell(self.weights, board):
            return self.weights
        return tuple(map(max, gains_of(self.weights, board)[: board.grid_count]))

    def upwards(self) -> "Objective":
        """The objective that maximises sign·score, and so has the same best solutions."""
        return Objective(tuple(self.sense.sign * weight for weight in self.weights))

    def fits(self, board: Board) -> None:
        """Raise `DimensionError` unless there is one weight for each cell of the grid, or for each digit of each."""
        count, columns, order = board.grid_count, board.columns, board.order
        in_a_row = {count: (columns,), count * order: (order, columns * order)}.get(len(self.weights), ())
        if not in_a_row or self.columns not in (None, *in_a_row):
            raise DimensionError(f"{self.size} weights do not fit a board of {board}, {board.grid_count} cells")

    @property
    def size(self) -> str:
        """`9x9`, or the number of weights if the rows are not known."""
        count = len(self.weights)
        return f"{count // self.columns}x{self.columns}" if self.columns else str(count)


def _require_equal_length(rows: Sequence[Sequence[Any]], what: str) -> None:
    for place, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise DimensionError(f"row {place} has {len(row)} {what}, row 1 has {len(rows[0])}")


def is_by_cell(weights: Sequence[int], board: Board) -> bool:
    """Whether there is a weight for each cell, not for each digit of each."""
    return len(weights) == board.grid_count


def gains_of(weights: Sequence[int], board: Board) -> list[tuple[int, ...]]:
    """What each digit adds to the score in each cell, (cells, digits). Extra cells add nothing."""
    digits, n = board.digits, board.order
    if is_by_cell(weights, board):
        gains = [tuple([weight * digit for digit in digits]) for weight in weights]
    else:
        gains = [tuple(weights[start : start + n]) for start in range(0, len(weights), n)]
    return gains + [(0,) * n] * len(board.extra)


@lru_cache(maxsize=16)
def ring_weights(board: Board, sense: Sense = Sense.MAXIMISE) -> Objective:
    """The target-sudoku score of NOIP 2009 (Luogu P1074): 6 + ring for every cell, 6..10 on 9×9."""
    expect(board, Board, "what has rings")
    return Objective(tuple(6 + board.ring(cell) for cell in range(board.grid_count)), sense)
