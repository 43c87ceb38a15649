"""Prices as exact integers over a common denominator, the bound that they prove, and the candidates that they delete.

All arithmetic is on integers. The linear program only proposes β, so its rounding errors can make a bound weaker but
never wrong: α is chosen here so that every reduced cost is ≥ 0. Deleting by reduced costs goes back to Dantzig,
Fulkerson and Johnson, "Solution of a large-scale traveling-salesman problem", 1954.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.duality.incidence import Floats, Incidence, Ints

SAFE = 2**60
"""A limit on every sum of prices, so that 64-bit arithmetic is exact."""

LARGEST_COST = 2**62
"""A limit on the reduced costs of candidates."""

MOST_BITS = 24
"""The largest denominator is 2 to this power; with large weights it is smaller."""


@dataclass(frozen=True, eq=False)
class Prices:
    """Multiples of 1/`denominator`: `cell_prices` α (cells,), `unit_prices` β (units, n), `row_prices` γ (rows,) or
    (0,) where rows have none, `reduced_costs` r (cells, n).

    `bound` = Σα + Σβ + Σ total·γ, a Python integer. Reduced costs are meaningful for candidates only.
    """

    denominator: int
    cell_prices: Ints
    unit_prices: Ints
    row_prices: Ints
    reduced_costs: Ints
    bound: int

    @property
    def best_score(self) -> int:
        """The highest score that the prices leave possible."""
        return self.bound // self.denominator

    def slack(self, target: int) -> int:
        """The largest sum of reduced costs of a solution that scores at least `target`. If negative, there is no such
        solution."""
        return self.bound - self.denominator * target

    def survivors(self, candidates: Candidates, target: int) -> Candidates:
        """The candidates that a solution which scores at least `target` may use."""
        return candidates & (self.reduced_costs <= min(self.slack(target), LARGEST_COST))


def exact_prices(
    incidence: Incidence,
    candidates: Candidates,
    weights: Ints,
    unit_prices: Floats,
    row_prices: Floats | None = None,
    denominator: int | None = None,
) -> Prices:
    """Round unit and row prices, and choose the least cell prices that make every candidate's reduced cost ≥ 0.

    Without row prices the rows, which take long to make, are not looked at.

    Every cell needs a candidate. If prices are too large for exact arithmetic, they are all set to 0, which proves a
    weak bound. `denominator` is a wish; it is not granted if sums would be too large.
    """
    terms = incidence.units_of.shape[1] + 2
    gains = float(np.abs(weights).max(initial=0)) * float(np.abs(incidence.digits).max(initial=0))
    largest = 0.0
    if row_prices is None:
        row_prices = np.zeros(0)
    elif len(row_prices):
        # the price of a row with "at most" must not be negative
        row_prices = np.where(incidence.exact, row_prices, np.maximum(row_prices, 0.0))
        largest = float(np.abs(incidence.sums_at_candidates(np.abs(row_prices))).max(initial=0.0))
    size = max(float(np.abs(unit_prices).max(initial=0.0)), largest, gains, 1.0)
    if not size * terms < SAFE:
        unit_prices, row_prices = np.zeros_like(unit_prices), np.zeros_like(row_prices)
        size = max(gains, 1.0)
    largest_denominator = 2 ** min(MOST_BITS, int(np.log2(SAFE / (size * terms))))
    denominator = min(denominator or largest_denominator, largest_denominator)
    rounded = np.rint(unit_prices * denominator).astype(np.int64)
    of_rows = np.rint(row_prices * denominator).astype(np.int64)
    costs = incidence.sums_at_cells(rounded) - (denominator * weights)[:, None] * incidence.digits
    if len(of_rows):
        costs += incidence.sums_at_candidates(of_rows)
    totals = incidence.totals.tolist() if len(of_rows) else []
    cell_prices = -np.where(candidates, costs, np.iinfo(np.int64).max).min(axis=1)
    bound = sum(cell_prices.tolist()) + sum(map(sum, rounded.tolist()))
    bound += sum(total * price for total, price in zip(totals, of_rows.tolist(), strict=True))
    return Prices(denominator, cell_prices, rounded, of_rows, costs + cell_prices[:, None], bound)
