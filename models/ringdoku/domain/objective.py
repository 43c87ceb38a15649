"""The linear objective: score = Σ weight·digit over all cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from math import isqrt

from ringdoku.domain.errors import DimensionError, UsageError
from ringdoku.domain.geometry import Geometry
from ringdoku.domain.grid import Grid, square
from ringdoku.domain.numbers import whole_numbers

MAX_WEIGHT = 10**9
"""Largest weight in absolute value: every score of every order then fits 63 bits."""


class Sense(Enum):
    """Which end of the scores is wanted."""

    MAXIMISE = "maximise"
    """The highest score is best."""
    MINIMISE = "minimise"
    """The lowest score is best."""

    @property
    def sign(self) -> int:
        """+1 or −1: sign·score is what becomes larger."""
        return 1 if self is Sense.MAXIMISE else -1

    def better(self, score: int, than: int) -> bool:
        """Whether `score` is nearer to what is wanted, and not equal."""
        return self.sign * score > self.sign * than


@dataclass(frozen=True)
class Objective:
    """n² integer weights in reading order and a sense.

    Raises `UsageError` for what is no whole number or sense, `DimensionError` for a length that is no square number or
    a weight above `MAX_WEIGHT` in absolute value.
    """

    weights: tuple[int, ...]
    sense: Sense = Sense.MAXIMISE

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", whole_numbers(self.weights, "weights"))
        if not isinstance(self.sense, Sense):
            raise UsageError(f"a sense is Sense.MAXIMISE or Sense.MINIMISE, not {self.sense!r}")
        if not self.weights or isqrt(len(self.weights)) ** 2 != len(self.weights):
            raise DimensionError(f"weights are n² numbers, not {len(self.weights)}")
        for weight in self.weights:
            if abs(weight) > MAX_WEIGHT:
                raise DimensionError(f"a weight is between −{MAX_WEIGHT} and {MAX_WEIGHT}, not {weight}")

    @staticmethod
    def of_rows(rows: Iterable[Iterable[int]], sense: Sense = Sense.MAXIMISE) -> Objective:
        """From n rows of n weights."""
        return Objective(square(rows, "weights"), sense)

    @property
    def order(self) -> int:
        """n, for n² weights."""
        return isqrt(len(self.weights))

    def score(self, grid: Grid) -> int:
        """Σ weight·digit, exact; blanks count 0. Raises `DimensionError` for a grid of another order."""
        if len(grid.digits) != len(self.weights):
            raise DimensionError(f"weights of order {self.order} do not fit a grid of order {grid.order}")
        return sum(weight * digit for weight, digit in zip(self.weights, grid.digits, strict=True))

    def fits(self, geometry: Geometry) -> None:
        """Raise `DimensionError` unless there is one weight for each cell."""
        if len(self.weights) != geometry.cell_count:
            raise DimensionError(f"weights of order {self.order} do not fit a puzzle of order {geometry.order}")


def ring_weights(geometry: Geometry, sense: Sense = Sense.MAXIMISE) -> Objective:
    """The target-sudoku score of NOIP 2009 (Luogu P1074): 6 + ring for every cell, 6..10 on 9×9."""
    return Objective(tuple(6 + geometry.ring(cell) for cell in range(geometry.cell_count)), sense)
