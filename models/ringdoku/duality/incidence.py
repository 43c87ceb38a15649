"""The rules of a puzzle as index arrays for linear programming; nothing about clues or weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.rows import Row, rows_beside_units
from ringdoku.domain.ruleset import Ruleset

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Incidence:
    """The cells of each unit, the units of each cell, and the rows of all other rules.

    `digits` (n,) are the digits in order. `units` (units, n) has the cell indices of each unit. `units_of` (cells, k)
    has the unit indices of each cell, padded with `len(units)`. Where `has_lines`, each cell is in one of the first n
    units, the rows of the grid, and in one of the next n, its columns.

    `rows` are the rows of all other rules, made only when they are asked for. Their i-th term has the coefficient
    `coefficients[i]`, in row `row_of[i]`, at the candidate `candidate_of[i]` = cell·n + digit − least; `totals` and
    `exact` have a value for each row.
    """

    ruleset: Ruleset
    digits: Ints
    units: Ints
    units_of: Ints
    has_lines: bool

    @property
    def order(self) -> int:
        """How many digits there are."""
        return len(self.digits)

    @property
    def rows(self) -> tuple[Row, ...]:
        return rows_beside_units(self.ruleset)

    @cached_property
    def _terms(self) -> Ints:
        """(terms, 3): row, candidate and coefficient."""
        n, least = self.order, self.ruleset.board.least
        terms = [
            (index, cell * n + digit - least, factor)
            for index, row in enumerate(self.rows)
            for cell, digit, factor in row.terms
        ]
        return np.array(terms, dtype=np.int64).reshape(-1, 3)

    @property
    def row_of(self) -> Ints:
        return self._terms[:, 0]

    @property
    def candidate_of(self) -> Ints:
        return self._terms[:, 1]

    @property
    def coefficients(self) -> Ints:
        return self._terms[:, 2]

    @cached_property
    def totals(self) -> Ints:
        return np.array([row.total for row in self.rows], dtype=np.int64)

    @cached_property
    def exact(self) -> NDArray[np.bool_]:
        return np.array([row.exact for row in self.rows], dtype=bool)

    @property
    def is_symmetric(self) -> bool:
        """Whether there are only units on a square grid, so that a symmetry that keeps the units keeps the rules."""
        return self.has_lines and not self.rows

    def sums_at_cells(self, of_units: NDArray[Any]) -> NDArray[Any]:
        """For values of shape (units, …): for each cell the sum over its units, of shape (cells, …)."""
        padded = np.concatenate((of_units, np.zeros((1, *of_units.shape[1:]), dtype=of_units.dtype)))
        total = padded[self.units_of[:, 0]]
        for column in self.units_of.T[1:]:
            total = total + padded[column]
        return total

    def sums_at_candidates(self, of_rows: NDArray[Any]) -> NDArray[Any]:
        """For a value of each row, Σ coefficient·value at each candidate, (cells, n)."""
        total = np.zeros(len(self.units_of) * self.order, dtype=of_rows.dtype)
        np.add.at(total, self.candidate_of, self.coefficients * of_rows[self.row_of])
        return total.reshape(-1, self.order)


def incidence(puzzle: Puzzle) -> Incidence:
    """The units and the other rows of a puzzle's rules. Rules without rows are left out; bounds are still valid."""
    return _incidence(puzzle.ruleset)


@lru_cache(maxsize=8)
def _incidence(ruleset: Ruleset) -> Incidence:
    board, n = ruleset.board, ruleset.order
    units = [unit.cells for unit in ruleset.units]
    widest = max((len(found) for found in ruleset.units_of), default=0) or 1
    padded = [[*found, *[len(units)] * (widest - len(found))] for found in ruleset.units_of]
    lines = [tuple(range(start, start + n)) for start in range(0, n * n, n)] if board.is_plain else [()]
    return Incidence(
        ruleset,
        np.array(board.digits, dtype=np.int64),
        np.array(units, dtype=np.int64).reshape(-1, n),
        np.array(padded, dtype=np.int64),
        units[:n] == lines and units[n : 2 * n] == list(zip(*lines, strict=True)),
    )
