"""The linear relaxation over (cell, digit) and its dual prices, in floating point.

Maximise Σ w_c·d·x[c,d] with Σ_d x[c,d] = 1 for every cell, Σ_{c∈u} x[c,d] = 1 for every unit u and digit d, the rows of
all other rules, x ≥ 0. The solver is PDLP (Applegate et al., "Practical large-scale linear programming using
primal-dual hybrid gradient", NeurIPS 2021). Unlike the prices of a simplex method, its prices lie inside the optimal
face. There every candidate that no optimal fractional solution uses has a positive reduced cost, so far fewer
candidates survive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf

import numpy as np
from ortools.linear_solver import pywraplp  # noqa: TID253 - this module itself is loaded on use
from ortools.linear_solver.linear_solver_pb2 import MPModelProto  # noqa: TID253

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
        program = _Program(incidence, candidates, orbits, deadline)
        program.maximise(weights)
        program.add_cells()
        priced = list(program.add_units())
        rows = list(program.add_rows())
    except TimeLimitError:
        return LpSolution(LpStatus.FAILED, unit_prices, row_prices, candidates.astype(np.float64))
    solver.LoadModelFromProto(program.model)
    outcome = interruptible(solver.Solve, solver.InterruptSolve, deadline)
    if outcome != pywraplp.Solver.OPTIMAL:
        status = LpStatus.INFEASIBLE if outcome == pywraplp.Solver.INFEASIBLE else LpStatus.FAILED
        return LpSolution(status, unit_prices, row_prices, candidates.astype(np.float64))
    duals = np.array([constraint.dual_value() for constraint in solver.constraints()])
    for unit, digit, constraint in priced:
        unit_prices[unit, digit] = duals[constraint]
    for row, constraint in rows:
        row_prices[row] = duals[constraint]
    values = program.values([variable.solution_value() for variable in solver.variables()])
    return LpSolution(LpStatus.SOLVED, unit_prices[orbits.units], row_prices, values[orbits.cells])


class _Program:
    """The variables of the open candidates of each orbit's first cell, and their constraints, as a message: calls of
    the solver for each coefficient took longer than to solve it."""

    def __init__(self, incidence: Incidence, candidates: Candidates, orbits: Orbits, deadline: Deadline) -> None:
        self.model = MPModelProto(maximize=True)
        self._deadline = deadline
        self._incidence = incidence
        self._candidates = candidates
        self._orbits = orbits
        self._open = np.count_nonzero(candidates, axis=1) > 1
        first = np.flatnonzero((orbits.cells == np.arange(len(candidates))) & self._open)
        rows, self._digits = np.nonzero(candidates[first])
        self._cells = first[rows]
        refuse_many(len(self._cells))

    def maximise(self, weights: Floats) -> None:
        """Add the variables with their part of the objective."""
        new = self.model.variable.add
        gains = self._orbits.cell_sizes[self._cells] * weights[self._cells] * self._incidence.digits[self._digits]
        for number, gain in enumerate(gains.tolist()):
            if number % STEPS == 0:
                self._deadline.check()
            new(lower_bound=0.0, upper_bound=inf, objective_coefficient=gain)

    # Each constraint is multiplied by the size of its orbit, so that the program equals the one without symmetry.

    def add_cells(self) -> None:
        """Add "exactly one" for every cell."""
        # places ascend, so the candidates of a cell are next to each other
        starts = np.flatnonzero(np.diff(self._cells, prepend=-1))
        cells = self._cells[starts].tolist()
        ends = [*starts.tolist(), len(self._cells)][1:]
        for cell, start, end in zip(cells, starts.tolist(), ends, strict=True):
            self._deadline.check()
            self._exactly(float(self._orbits.cell_sizes[cell]), range(start, end))

    def add_units(self) -> Iterator[tuple[int, int, int]]:
        """Add "exactly one" for every (unit, digit). Yield each unit and digit with the number of its constraint."""
        # -1 where there is no variable
        variable_of = np.full(self._candidates.shape, -1, dtype=np.int64)
        variable_of[self._cells, self._digits] = np.arange(len(self._cells))
        for unit in np.flatnonzero(self._orbits.units == np.arange(len(self._orbits.units))).tolist():
            self._deadline.check()
            size = float(self._orbits.unit_sizes[unit])
            cells = self._incidence.units[unit]
            cells = self._orbits.cells[cells[self._open[cells]]]
            for digit, places in enumerate(variable_of[cells].T.tolist()):
                members = [variable for variable in places if variable >= 0]
                if members:
                    yield unit, digit, self._exactly(size, members)

    def add_rows(self) -> Iterator[tuple[int, int]]:
        """Add the rows of rules other than units, which have no symmetry. Yield each with the number of its
        constraint."""
        incidence, n = self._incidence, self._incidence.order
        variable_of = np.full(self._candidates.size, -1, dtype=np.int64)
        variable_of[self._cells * n + self._digits] = np.arange(len(self._cells))
        fixed = (self._candidates & ~self._open[:, None]).reshape(-1)
        known = np.zeros(len(incidence.rows), dtype=np.int64)
        np.add.at(known, incidence.row_of, incidence.coefficients * fixed[incidence.candidate_of])
        members = variable_of[incidence.candidate_of]
        used = members >= 0
        # row by row, as they come
        of_row = incidence.row_of[used]
        order = np.argsort(of_row, kind="stable")
        starts = np.flatnonzero(np.diff(of_row[order], prepend=-1))
        ends = [*starts.tolist(), len(order)][1:]
        variables, coefficients = members[used][order], incidence.coefficients[used][order].astype(np.float64)
        for row, start, end in zip(of_row[order][starts].tolist(), starts.tolist(), ends, strict=True):
            self._deadline.check()
            total = float(incidence.totals[row] - known[row])
            least = total if incidence.exact[row] else -inf
            yield row, self._add(variables[start:end].tolist(), coefficients[start:end].tolist(), least, total)

    def values(self, of_variables: Sequence[float]) -> Floats:
        """x (cells, n), 1 for the only candidate of a cell."""
        values = self._candidates.astype(np.float64)
        values[self._cells, self._digits] = of_variables
        return values

    def _exactly(self, times: float, members: Sequence[int]) -> int:
        # cells of one orbit share a variable
        counts = Counter(members)
        return self._add(list(counts), [times * count for count in counts.values()], times, times)

    def _add(self, variables: list[int], coefficients: list[float], least: float, most: float) -> int:
        self.model.constraint.add(var_index=variables, coefficient=coefficients, lower_bound=least, upper_bound=most)
        return len(self.model.constraint) - 1
