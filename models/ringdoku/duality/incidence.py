"""The rules of a puzzle as index arrays for linear programming, and the symmetries of the square that keep them.

Averaging an optimal solution of a linear program over its symmetries gives an optimal solution that is constant on
orbits, so one cell and one unit of each orbit are enough (Bödi, Herr and Joswig, "Algorithms for highly symmetric
linear and integer programs", Mathematical Programming 137, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringdoku.deduction.propagation import Candidates
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
    units, the rows of the grid, and in one of the next n, its columns. `rows` are the rows of all other rules, made
    only when they are asked for; `totals` and `exact` have a value for each.
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
    def terms(self) -> Ints:
        """(3, terms): the row of each term, its candidate = cell·n + digit − least, and its coefficient."""
        n, least = self.order, self.ruleset.board.least
        terms = [
            (index, cell * n + digit - least, factor)
            for index, row in enumerate(self.rows)
            for cell, digit, factor in row.terms
        ]
        return np.array(terms, dtype=np.int64).reshape(-1, 3).T

    @cached_property
    def totals(self) -> Ints:
        return np.array([row.total for row in self.rows], dtype=np.int64)

    @cached_property
    def exact(self) -> NDArray[np.bool_]:
        return np.array([row.exact for row in self.rows], dtype=bool)

    def sums_at_cells(self, of_units: NDArray[Any]) -> NDArray[Any]:
        """For values of shape (units, …): for each cell the sum over its units, of shape (cells, …)."""
        padded = np.concatenate((of_units, np.zeros((1, *of_units.shape[1:]), dtype=of_units.dtype)))
        total = padded[self.units_of[:, 0]]
        for column in self.units_of.T[1:]:
            total = total + padded[column]
        return total

    def sums_at_candidates(self, of_rows: NDArray[Any]) -> NDArray[Any]:
        """For a value of each row, Σ coefficient·value at each candidate, (cells, n)."""
        rows, candidates, coefficients = self.terms
        total = np.zeros(len(self.units_of) * self.order, dtype=of_rows.dtype)
        np.add.at(total, candidates, coefficients * of_rows[rows])
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


def orbits(incidence: Incidence, candidates: Candidates, weights: Ints) -> tuple[Ints, Ints]:
    """For every cell, and for every unit, the least index in its orbit under those of the square's 8 symmetries that
    keep units, candidates and weights."""
    cells = np.arange(len(candidates), dtype=np.int64)
    units = np.arange(len(incidence.units), dtype=np.int64)
    names: dict[bytes, int] | None = None
    for image in _images(incidence.order) if incidence.has_lines and not incidence.rows else ():
        if (weights[image] != weights).any() or (candidates[image] != candidates).any():
            continue
        if names is None:
            names = {np.sort(unit).tobytes(): index for index, unit in enumerate(incidence.units)}
        moved = np.array([names.get(unit.tobytes(), -1) for unit in np.sort(image[incidence.units], axis=1)])
        # with boxes of one row or column some units are equal, and then their images are ambiguous
        if moved.min() >= 0 and len(set(moved.tolist())) == len(moved):
            cells = np.minimum(cells, image)
            units = np.minimum(units, moved)
    return cells, units


def half_turn(ruleset: Ruleset, candidates: Candidates, weights: Ints) -> Ints | None:
    """For each cell, the cell whose digit it repeats in a solution that a half turn does not change. Free cells repeat
    themselves.

    None when a half turn changes candidates or weights. If the order is odd, the middle row, column and box are their
    own images, and no digit may stand twice in them, so the middle band and the middle stack of boxes are free. Such a
    solution need not exist, but if it does, it is far easier to find than any other.
    """
    if ruleset.classic_box is None:
        return None
    n, (height, width) = ruleset.order, ruleset.classic_box
    cells = np.arange(n * n, dtype=np.int64)
    image = cells[::-1]
    if (weights[image] != weights).any() or (candidates[image] != candidates).any():
        return None
    repeated = np.minimum(cells, image)
    if n % 2:
        middle_band = cells // n // height == width // 2
        middle_stack = cells % n // width == height // 2
        repeated = np.where(middle_band | middle_stack, cells, repeated)
    return repeated


@lru_cache(maxsize=2)
def _images(order: int) -> tuple[Ints, ...]:
    """All but the one that changes nothing."""
    square = np.arange(order * order, dtype=np.int64).reshape(order, order)
    return tuple(np.rot90(mirrored, turns).reshape(-1) for mirrored in (square, square.T) for turns in range(4))[1:]
