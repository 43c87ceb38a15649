"""An equal objective on fewer cells, with smaller coefficients.

Every unit sums to n(n+1)/2, so a multiple b_u of each unit's sum taken from the objective changes it by a constant:
scale·Σ w_c·digit_c = constant + step·Σ v_c·digit_c with step·v_c = scale·w_c − Σ_{u∋c} b_u, on every solution.
The b_u that minimise Σ|v_c| come from a small linear program; whatever they are rounded to, the equality is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

import numpy as np

from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Floats, Incidence, Ints, incidence

LARGEST_SCALE = 12
"""Denominators of the multipliers that are tried."""


@dataclass(frozen=True)
class Projection:
    """scale·score = constant + step·Σ coefficients·digit on every solution.

    `coefficients`, one for each cell, have no common divisor; `multipliers` b, one for each unit, prove the equality.
    """

    scale: int
    constant: int
    step: int
    coefficients: tuple[int, ...]
    multipliers: tuple[int, ...]

    def score(self, inner: int) -> int:
        """The score of a solution with Σ coefficients·digit = `inner`."""
        return (self.constant + self.step * inner) // self.scale


def projected(puzzle: Puzzle, objective: Objective) -> Projection:
    """The projection with the smallest Σ|coefficient| among multipliers with a denominator up to `LARGEST_SCALE`."""
    units, weights = incidence(puzzle), np.array(objective.weights, dtype=np.int64)
    multipliers = _multipliers(units, weights)
    sizes: list[tuple[float, int, Projection]] = []
    for scale in range(1, LARGEST_SCALE + 1):
        found = _with_multipliers(units, weights, np.rint(multipliers * scale).astype(np.int64), scale)
        size = sum(map(abs, found.coefficients)) * found.step / scale
        sizes.append((round(size, 6), scale, found))
    return min(sizes, key=lambda entry: entry[:2])[2]


def _with_multipliers(units: Incidence, weights: Ints, multipliers: Ints, scale: int) -> Projection:
    coefficients = (scale * weights - units.sums_at_cells(multipliers)).tolist()
    step = gcd(*coefficients) or 1
    constant = sum(multipliers.tolist()) * (units.order * (units.order + 1) // 2)
    reduced = tuple(coefficient // step for coefficient in coefficients)
    return Projection(scale, constant, step, reduced, tuple(multipliers.tolist()))


def _multipliers(units: Incidence, weights: Ints) -> Floats:
    """b minimising Σ|w_c − Σ b_u|, as the duals of: maximise Σ w·y where every unit's y sum to 0 and |y| ≤ 1."""
    from ortools.linear_solver import pywraplp

    size = max(1.0, float(np.abs(weights).max()))
    solver = pywraplp.Solver.CreateSolver("GLOP")
    variables = [solver.NumVar(-1.0, 1.0, "") for _ in range(len(weights))]
    objective = solver.Objective()
    for variable, weight in zip(variables, (weights / size).tolist(), strict=True):
        objective.SetCoefficient(variable, weight)
    objective.SetMaximization()
    constraints = []
    for cells in units.units.tolist():
        constraint = solver.Constraint(0.0, 0.0)
        for cell in cells:
            constraint.SetCoefficient(variables[cell], 1.0)
        constraints.append(constraint)
    solver.Solve()
    return np.array([constraint.dual_value() for constraint in constraints]) * size
