"""The units of a puzzle as index arrays, nothing about clues or weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringdoku.domain.geometry import Geometry
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Candidates: TypeAlias = NDArray[np.bool_]
"""(n², n): whether cell c may hold digit d, at [c, d − 1]."""


@dataclass(frozen=True, eq=False)
class Incidence:
    """Which cells a unit has and which units a cell is in; a unit is n cells that hold every digit once.

    `units` is (units, n), cell indices; the rows come first, then the columns. `units_of` is (n², k), unit indices,
    filled up with `len(units)`.
    """

    order: int
    units: Ints
    units_of: Ints

    def sums_at_cells(self, of_units: NDArray[Any]) -> NDArray[Any]:
        """For values of shape (units, …), the sums over the units of each cell, of shape (n², …)."""
        padded = np.concatenate((of_units, np.zeros_like(of_units[:1])))
        total = padded[self.units_of[:, 0]]
        for column in self.units_of.T[1:]:
            total = total + padded[column]
        return total


def incidence(puzzle: Puzzle) -> Incidence:
    """The units among the rules of a puzzle. Rules over fewer cells are left out: bounds stay true without them."""
    return _incidence(puzzle.geometry)


@lru_cache(maxsize=8)
def _incidence(geometry: Geometry) -> Incidence:
    n = geometry.order
    units = [unit.cells for unit in Puzzle(geometry, Grid.blank(n)).units]
    of_cell: list[list[int]] = [[] for _ in range(n * n)]
    for unit, cells in enumerate(units):
        for cell in cells:
            of_cell[cell].append(unit)
    widest = max(map(len, of_cell))
    padded = [found + [len(units)] * (widest - len(found)) for found in of_cell]
    return Incidence(n, np.array(units, dtype=np.int64), np.array(padded, dtype=np.int64))
