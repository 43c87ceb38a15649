"""The linear objective: score = Σ weight·digit over the cells of the grid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from operator import mul
from typing import Any

from ringdoku.domain.board import Board
from ringdoku.domain.errors import DimensionError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import expect, rows_of_numbers, whole_numbers
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
    """An integer weight for each cell of the grid, in reading order, and a sense. Extra cells of a board have none.
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
    def of_rows(rows: Iterable[Iterable[int]], sense: Sense = Sense.MAXIMISE) -> Objective:
        """From rows of weights. Raises `DimensionError` unless all rows are equally long."""
        numbers = rows_of_numbers(rows, "weights")
        for place, row in enumerate(numbers, 1):
            if len(row) != len(numbers[0]):
                raise DimensionError(f"row {place} has {len(row)} weights, row 1 has {len(numbers[0])}")
        columns = len(numbers[0]) if numbers else None
        return Objective(tuple(weight for row in numbers for weight in row), sense, columns)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """What `np.asarray(objective)` gives: the weights, in rows if they were given so."""
        import numpy as np

        weights = np.array(self.weights, dtype=dtype)
        return weights.reshape(-1, self.columns) if self.columns else weights

    def score(self, grid: Grid) -> int:
        """Σ weight·digit, exact; blanks count 0. Raises `DimensionError` for a grid of another size."""
        self.fits(grid.board)
        digits = grid.digits[: len(self.weights)]
        blank = grid.board.blank
        if blank and blank in digits:
            digits = tuple(0 if digit == blank else digit for digit in digits)
        return sum(map(mul, self.weights, digits))

    def of_cells(self, board: Board) -> tuple[int, ...]:
        """A weight for each cell of the board: extra cells weigh nothing."""
        return (*self.weights, *(0 for _ in board.extra))

    def upwards(self) -> Objective:
        """The objective that maximises sign·score, and so has the same best solutions."""
        return Objective(tuple(self.sense.sign * weight for weight in self.weights))

    def fits(self, board: Board) -> None:
        """Raise `DimensionError` unless there is one weight for each cell of the grid."""
        if len(self.weights) != board.grid_count or self.columns not in (None, board.columns):
            raise DimensionError(
                f"{self.size} weights do not fit a board of {board}, which has {board.grid_count} cells"
            )

    @property
    def size(self) -> str:
        """`9x9`, or the number of weights if the rows are not known."""
        count = len(self.weights)
        return f"{count // self.columns}x{self.columns}" if self.columns else str(count)


@lru_cache(maxsize=16)
def ring_weights(board: Board, sense: Sense = Sense.MAXIMISE) -> Objective:
    """The target-sudoku score of NOIP 2009 (Luogu P1074): 6 + ring for every cell, 6..10 on 9×9."""
    expect(board, Board, "what has rings")
    return Objective(tuple(6 + board.ring(cell) for cell in range(board.grid_count)), sense)
