"""The symmetries of the square that a puzzle and its weights have, and the orbits of cells and units under them.

Averaging an optimal solution of a linear program over its symmetries gives an optimal solution that is constant on
orbits, so one cell and one unit of each orbit are enough (Bödi, Herr and Joswig, "Algorithms for highly symmetric
linear and integer programs", Mathematical Programming 137, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.ruleset import Ruleset
from ringdoku.duality.incidence import Incidence, Ints

SYMMETRIES = 8
"""The square has this many, so no orbit is larger."""


@dataclass(frozen=True, eq=False)
class Orbits:
    """For every cell and unit, the least index in its orbit and the size of the orbit."""

    cells: Ints
    cell_sizes: Ints
    units: Ints
    unit_sizes: Ints


def orbits(incidence: Incidence, candidates: Candidates, weights: Ints) -> Orbits:
    """The orbits under those of the square's 8 symmetries that keep units, candidates and weights."""
    cells = np.arange(len(candidates), dtype=np.int64)
    units = np.arange(len(incidence.units), dtype=np.int64)
    names: dict[bytes, int] | None = None
    for image in _images(incidence.order) if incidence.is_symmetric else ():
        if (weights[image] != weights).any() or (candidates[image] != candidates).any():
            continue
        if names is None:
            names = {np.sort(unit).tobytes(): index for index, unit in enumerate(incidence.units)}
        moved = np.array([names.get(unit.tobytes(), -1) for unit in np.sort(image[incidence.units], axis=1)])
        # with boxes of one row or column some units are equal, and then their images are ambiguous
        if moved.min() >= 0 and len(set(moved.tolist())) == len(moved):
            cells = np.minimum(cells, image)
            units = np.minimum(units, moved)
    return Orbits(cells, np.bincount(cells)[cells], units, np.bincount(units)[units])


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
