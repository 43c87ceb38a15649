"""Which scores are possible: only those congruent to a residue modulo a step."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.duality.incidence import Incidence, Ints


@dataclass(frozen=True)
class Reachable:
    """score ≡ residue (mod step) on every solution; step ≥ 1."""

    step: int
    residue: int

    def at_most(self, score: int) -> int:
        """The highest reachable score up to this one."""
        return score - (score - self.residue) % self.step


def reachable_scores(incidence: Incidence, candidates: Candidates, weights: Ints) -> Reachable:
    """The step is the common divisor of the weights of open cells, after multiples of unit sums are subtracted.

    This is valid for any multiples. The ones used here reduce weights that are a number for the row plus a number for
    the column to 0, and a chess board of ±1 to multiples of 4. Only for this does it matter that the rows come first
    among the units, then the columns.
    """
    n = incidence.order
    multiples = np.zeros(len(incidence.units), dtype=np.int64)
    if incidence.has_lines:
        table = weights.reshape(n, n)
        multiples[:n] = table[:, 0]
        multiples[n : 2 * n] = table[0] - table[0, 0]
    left = weights - incidence.sums_at_cells(multiples)
    open_cells = np.count_nonzero(candidates, axis=1) > 1
    step = gcd(*left[open_cells].tolist())
    if step == 0:
        return Reachable(1, 0)
    known = sum((left * incidence.digits[candidates.argmax(axis=1)])[~open_cells].tolist())
    total = sum(multiples.tolist()) * sum(incidence.digits.tolist())
    return Reachable(step, (total + known) % step)
