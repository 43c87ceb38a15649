"""Which scores can occur at all: those congruent to a residue modulo a step."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np

from ringdoku.duality.incidence import Candidates, Ints


@dataclass(frozen=True)
class Reachable:
    """score ≡ residue (mod step) on every solution; step ≥ 1."""

    step: int
    residue: int

    def at_most(self, score: int) -> int:
        """The highest reachable score up to this one."""
        return score - (score - self.residue) % self.step


def reachable_scores(order: int, candidates: Candidates, weights: Ints) -> Reachable:
    """From the common divisor of what integer multiples of row and column sums leave of the weights of open cells.

    A chess board of ±1 on an odd order gives step 4.
    """
    table = weights.reshape(order, order)
    rows = table[:, :1]
    columns = table[:1] - table[0, 0]
    left = (table - rows - columns).reshape(-1)
    open_cells = np.count_nonzero(candidates, axis=1) > 1
    step = gcd(*left[open_cells].tolist()) if open_cells.any() else 0
    if step == 0:
        return Reachable(1, 0)
    known = sum((left * (candidates.argmax(axis=1) + 1))[~open_cells].tolist())
    total = int(rows.sum() + columns.sum()) * (order * (order + 1) // 2)
    return Reachable(step, (total + known) % step)
