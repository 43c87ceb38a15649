"""From candidates to a proved bound: centre and scale the weights, solve the linear program, make its prices exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.errors import DimensionError
from ringdoku.duality.incidence import Floats, Incidence, Ints
from ringdoku.duality.linear_program import LpStatus, refuse_many, solve_linear_program
from ringdoku.duality.prices import Prices, exact_prices
from ringdoku.duality.symmetry import SYMMETRIES, orbits
from ringdoku.limits import NEVER, Deadline

MOST_CANDIDATES = 2**26
"""Candidates before propagation; each takes several numbers."""

TOLERANCE = 1e-6
"""The tolerance of PDLP, on weights of at most 1. A tighter one takes longer and deletes hardly more candidates."""

ROUGH_TOLERANCE = 1e-4
"""For optimising on small boards, whose scores are small too (the bound is at most 0.05 weaker on 9×9), and under other
rules than houses, whose bounds are seldom reached (twice as fast, hardly weaker)."""


@dataclass(frozen=True, eq=False)
class Relaxation:
    """`prices` prove their bound for any `status`; `values` (cells, n) is the fractional solution."""

    status: LpStatus
    prices: Prices
    values: Floats


def require_size(order: int) -> None:
    """Raises `DimensionError` for an order whose relaxation would need tens of gigabytes."""
    if order**3 > MOST_CANDIDATES:
        largest = int(MOST_CANDIDATES ** (1 / 3))
        raise DimensionError(f"the bound of order {order} needs too much memory; the largest order is {largest}")


def require_candidates(candidates: Candidates) -> None:
    """Raises `DimensionError` if even with all 8 symmetries there are more than `MOST_VARIABLES` variables."""
    counts = np.count_nonzero(candidates, axis=1)
    refuse_many(int(counts[counts > 1].sum()) // SYMMETRIES)


def relax(
    incidence: Incidence,
    candidates: Candidates,
    weights: Ints,
    deadline: Deadline = NEVER,
    tolerance: float = TOLERANCE,
) -> Relaxation:
    """The upper bound on Σ weight·digit over the candidates; every cell must have one. At the deadline it is weak.

    A part that all weights have in common adds the same to every score, and costs a first-order method accuracy. So
    where every row of the grid is a unit, that part is put into the prices of the rows beforehand.
    """
    open_cells = np.count_nonzero(candidates, axis=1) > 1
    middle, size = 0.0, 1.0
    if open_cells.any():
        middle = float(np.median(weights[open_cells])) if incidence.has_lines else 0.0
        size = float(np.abs(weights[open_cells] - middle).max()) or 1.0
    solution = solve_linear_program(
        incidence,
        candidates,
        ((weights - middle) / size).astype(np.float64),
        orbits(incidence, candidates, weights),
        tolerance,
        deadline,
    )
    unit_prices = solution.unit_prices * size
    if incidence.has_lines:
        unit_prices[: incidence.order] += middle * incidence.digits
    prices = exact_prices(incidence, candidates, weights, unit_prices, solution.row_prices * size)
    return Relaxation(solution.status, prices, solution.values)
