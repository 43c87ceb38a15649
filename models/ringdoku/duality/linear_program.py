"""The linear relaxation over (cell, digit) and its dual prices, in floating point.

Maximise Σ w_c·d·x[c,d] with Σ_d x[c,d] = 1 for every cell, Σ_{c∈u} x[c,d] = 1 for every unit u and digit d, the rows of
all other rules, x ≥ 0. The solver is PDLP (Applegate et al., "Practical large-scale linear programming using
primal-dual hybrid gradient", NeurIPS 2021). Unlike the prices of a simplex method, its prices lie inside the optimal
face. There every candidate that no optimal fractional solution uses has a positive reduced cost, so far fewer
candidates survive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from ortools.linear_solver import pywraplp  # noqa: TID253 - this module itself is loaded on use

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.errors import DimensionError, TimeLimitError
from ringdoku.duality.incidence import Floats, Incidence
from ringdoku.duality.symmetry import Orbits
from ringdoku.limits import Deadline, interruptible

MOST_VARIABLES = 1_500_000
"""Enough for a blank 225×225 over its orbits; building a larger program takes minutes."""


STEPS = 10_000
"""Variables or coefficients between two checks of the deadline."""


class LpStatus(Enum):
    """How the solver of the linear program ended."""

    SOLVED = "solved"
    """It found near-optimal values and prices."""
    INFEASIBLE = "infeasible"
    """It reports that there is no fractional solution; that is not a proof."""
    FAILED = "failed"
    """It reached a limit or had numerical trouble."""


@dataclass(frozen=True, eq=False)
class LpSolution:
    """`unit_prices` (units, n) and `row_prices` (rows,) are duals, `values` (cells, n) the primal x; approximate."""

    status: LpStatus
    unit_prices: Floats
    row_prices: Floats
    values: Floats


def refuse_many(variables: int) -> None:
    """Raises `DimensionError` for more than `MOST_VARIABLES` variables."""
    if variables > MOST_VARIABLES:
        raise DimensionError(
            f"the linear program has {variables} variables, more than the {MOST_VARIABLES} that are tried"
        )


def solve_linear_program(
    incidence: Incidence,
    candidates: Candidates,
    weights: Floats,
    orbits: Orbits,
    tolerance: float,
    deadline: Deadline,
) -> LpSolution:
    """The relaxation on the candidates with one cell and one unit for each orbit.

    `weights` (cells,) are best scaled to at most 1. `tolerance` is absolute and relative.
    """
    solver = pywraplp.Solver.CreateSolver("PDLP")
    solver.SetSolverSpecificParametersAsString(
        "termination_criteria { simple_optimality_criteria {"
        f" eps_optimal_absolute: {tolerance} eps_optimal_relative: {tolerance} }} }}"
    )
    unit_prices = np.zeros((len(incidence.units), incidence.order))
    row_prices = np.zeros(len(incidence.rows))
    try:
        program = _Program(solver, incidence, candidates, orbits, deadline)
        program.maximise(weights)
        priced = list(program.constraints())
        rows = list(program.rows())
    except TimeLimitError:
        return LpSolution(LpStatus.FAILED, unit_prices, row_prices, candidates.astype(np.float64))
    outcome = interruptible(solver.Solve, solver.InterruptSolve, deadline)
    if outcome != pywraplp.Solver.OPTIMAL:
        status = LpStatus.INFEASIBLE if outcome == pywraplp.Solver.INFEASIBLE else LpStatus.FAILED
        return LpSolution(status, unit_prices, row_prices, candidates.astype(np.float64))
    for unit, digit, constraint in priced:
        unit_prices[unit, digit] = constraint.dual_value()
    for row, constraint in rows:
        row_prices[row] = constraint.dual_value()
    return LpSolution(LpStatus.SOLVED, unit_prices[orbits.units], row_prices, program.values()[orbits.cells])


class _Program:
    """The variables of the open candidates of each orbit's first cell, and their constraints."""

    def __init__(
        self, solver: Any, incidence: Incidence, candidates: Candidates, orbits: Orbits, deadline: Deadline
    ) -> None:
        self._deadline = deadline
        self._solver = solver
        self._incidence = incidence
        self._candidates = candidates
        self._orbits = orbits
        self._open = np.count_nonzero(candidates, axis=1) > 1
        first = np.flatnonzero((orbits.cells == np.arange(len(candidates))) & self._open)
        rows, self._digits = np.nonzero(candidates[first])
        self._cells = first[rows]
        refuse_many(len(self._cells))
        infinity = solver.infinity()
        new = solver.NumVar
        self._variables = []
        for number in range(len(self._cells)):
            if number % STEPS == 0:
                deadline.check()
            self._variables.append(new(0.0, infinity, ""))

    def maximise(self, weights: Floats) -> None:
        objective = self._solver.Objective()
        gains = self._orbits.cell_sizes[self._cells] * weights[self._cells] * self._incidence.digits[self._digits]
        for number, (variable, gain) in enumerate(zip(self._variables, gains.tolist(), strict=True)):
            if number % STEPS == 0:
                self._deadline.check()
            objective.SetCoefficient(variable, gain)
        objective.SetMaximization()

    def constraints(self) -> Iterator[tuple[int, int, Any]]:
        """Add "exactly one" for every cell and every (unit, digit). Yield each unit and digit with its constraint.

        Each constraint is multiplied by the size of its orbit, so that the program equals the one without symmetry.
        """
        for cell, members in self._by_cell():
            self._deadline.check()
            self._exactly(float(self._orbits.cell_sizes[cell]), Counter(members))
        variable_of = np.full(self._candidates.shape, -1, dtype=np.int64)
        variable_of[self._cells, self._digits] = np.arange(len(self._cells))
        for unit in np.flatnonzero(self._orbits.units == np.arange(len(self._orbits.units))).tolist():
            cells = self._incidence.units[unit]
            cells = self._orbits.cells[cells[self._open[cells]]]
            for digit, members in enumerate(variable_of[cells].T.tolist()):
                counts = Counter(members)
                del counts[-1]
                if counts:
                    self._deadline.check()
                    yield unit, digit, self._exactly(float(self._orbits.unit_sizes[unit]), counts)

    def rows(self) -> Iterator[tuple[int, Any]]:
        """Add the rows of rules other than units, which have no symmetry. Yield each with its constraint."""
        incidence, n = self._incidence, self._incidence.order
        variable_of = np.full(self._candidates.size, -1, dtype=np.int64)
        variable_of[self._cells * n + self._digits] = np.arange(len(self._cells))
        fixed = (self._candidates & ~self._open[:, None]).reshape(-1)
        known = np.zeros(len(incidence.rows), dtype=np.int64)
        np.add.at(known, incidence.row_of, incidence.coefficients * fixed[incidence.candidate_of])
        constraints: dict[int, Any] = {}
        infinity = self._solver.infinity()
        members = variable_of[incidence.candidate_of]
        used = members >= 0
        terms = zip(
            incidence.row_of[used].tolist(), members[used].tolist(), incidence.coefficients[used].tolist(), strict=True
        )
        for row, variable, coefficient in terms:
            if row not in constraints:
                total = float(incidence.totals[row] - known[row])
                constraints[row] = self._solver.Constraint(total if incidence.exact[row] else -infinity, total)
            constraints[row].SetCoefficient(self._variables[variable], float(coefficient))
        yield from constraints.items()

    def values(self) -> Floats:
        values = self._candidates.astype(np.float64)
        values[self._cells, self._digits] = [variable.solution_value() for variable in self._variables]
        return values

    def _exactly(self, times: float, counts: Counter[int]) -> Any:
        constraint = self._solver.Constraint(times, times)
        set_coefficient = constraint.SetCoefficient
        for variable, count in counts.items():
            set_coefficient(self._variables[variable], times * count)
        return constraint

    def _by_cell(self) -> Iterator[tuple[int, range]]:
        # places ascend, so the candidates of a cell are next to each other
        starts = np.flatnonzero(np.diff(self._cells, prepend=-1))
        cells = self._cells[starts]
        ends = [*starts.tolist(), len(self._cells)][1:]
        for cell, start, end in zip(cells.tolist(), starts.tolist(), ends, strict=True):
            yield cell, range(start, end)
