"""The linear relaxation over (cell, digit), its dual prices in floating point, and the bound that they prove when made
exact.

Maximise Σ w_c·d·x[c,d] with Σ_d x[c,d] = 1 for every cell, Σ_{c∈u} x[c,d] = 1 for every unit u and digit d, the rows of
all other rules, x ≥ 0. The solver is PDLP (Applegate et al., "Practical large-scale linear programming using
primal-dual hybrid gradient", NeurIPS 2021). Unlike the prices of a simplex method, its prices lie inside the optimal
face. There every candidate that no optimal fractional solution uses has a positive reduced cost, so far fewer
candidates survive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import TypeAlias

import numpy as np
from ortools.linear_solver import pywraplp  # noqa: TID253 - this module itself is loaded on use
from ortools.linear_solver.linear_solver_pb2 import MPModelProto, MPVariableProto  # noqa: TID253
from ortools.pdlp import solve_log_pb2, solvers_pb2  # noqa: TID253
from ortools.pdlp.python import pdlp  # noqa: TID253

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.errors import BackendError, DimensionError, TimeLimitError
from ringdoku.duality.incidence import Floats, Incidence, Ints
from ringdoku.duality.prices import Prices, exact_prices
from ringdoku.duality.symmetry import SYMMETRIES, Orbits, orbits
from ringdoku.limits import NEVER, Deadline, interruptible

MOST_CANDIDATES = 2**26
"""Candidates before propagation; each takes several numbers."""

TOLERANCE = 1e-6
"""The tolerance of PDLP, on weights of at most 1. A tighter one takes longer and deletes hardly more candidates."""

ROUGH_TOLERANCE = 1e-4
"""For optimising on small boards, whose scores are small too (the bound is at most 0.05 weaker on 9×9), and under other
rules than houses, whose bounds are seldom reached (twice as fast, hardly weaker)."""

MOST_VARIABLES = 1_500_000
"""Enough for a blank 225×225 over its orbits; building a larger program takes minutes."""


MOST_ENTRIES = 2**20
"""Entries of the arrays that constraints are made of, between two checks."""

SMALL = 2000
"""Up to so many variables PDLP takes some milliseconds. It is called directly then, without a thread: that takes less
time, and it cannot be interrupted, so it has a limit."""

MOST_ITERATIONS = 1000
"""With short restarts 9×9 take 400, and seldom more than 600."""


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
    unit_prices = np.zeros((len(incidence.units), incidence.order))
    row_prices = np.zeros(len(incidence.rows))
    try:
        program = _Program(incidence, candidates, weights, orbits, deadline)
        program.add_cells()
        of_units = program.add_units()
        of_rows = program.add_rows()
        program.parameters.termination_criteria.simple_optimality_criteria.eps_optimal_absolute = tolerance
        program.parameters.termination_criteria.simple_optimality_criteria.eps_optimal_relative = tolerance
        at_once = program.solved_at_once() if len(program.gains) <= SMALL else None
        status, duals, values = at_once or program.solved()
    except TimeLimitError:
        status = LpStatus.FAILED
    if status is not LpStatus.SOLVED:
        return LpSolution(status, unit_prices, row_prices, candidates.astype(np.float64))
    after_cells = len(duals) - len(of_units) - len(of_rows)
    after_units = len(duals) - len(of_rows)
    unit_prices.reshape(-1)[of_units] = duals[after_cells:after_units]
    row_prices[of_rows] = duals[after_units:]
    return LpSolution(LpStatus.SOLVED, unit_prices[orbits.units], row_prices, program.values(values)[orbits.cells])


_Outcome: TypeAlias = tuple[LpStatus, Floats, Floats]
"""The status, the dual values of the constraints, and the values of the variables."""

_STATUS = {
    solve_log_pb2.TERMINATION_REASON_OPTIMAL: LpStatus.SOLVED,
    solve_log_pb2.TERMINATION_REASON_PRIMAL_INFEASIBLE: LpStatus.INFEASIBLE,
}


class _Program:
    """The variables of the open candidates of each orbit's first cell, and their constraints, as a message: calls of
    the solver for each coefficient took longer than to solve it."""

    def __init__(
        self, incidence: Incidence, candidates: Candidates, weights: Floats, orbits: Orbits, deadline: Deadline
    ) -> None:
        self._deadline = deadline
        self._incidence = incidence
        self._candidates = candidates
        self._orbits = orbits
        self._open = np.count_nonzero(candidates, axis=1) > 1
        first = np.flatnonzero((orbits.cells == np.arange(len(candidates))) & self._open)
        rows, self._digits = np.nonzero(candidates[first])
        self._cells = first[rows]
        refuse_many(len(self._cells))
        # -1 where there is no variable
        self._variable_of = np.full(candidates.shape, -1, dtype=np.int64)
        self._variable_of[self._cells, self._digits] = np.arange(len(self._cells))
        self.gains = orbits.cell_sizes[self._cells] * weights[self._cells] * incidence.digits[self._digits]
        self.parameters = solvers_pb2.PrimalDualHybridGradientParams()
        # numbers that arrays can hold come last: each would take as long as its variable or constraint itself
        self._model = MPModelProto(maximize=True)
        self._model.variable.extend([MPVariableProto(lower_bound=0.0)] * len(self._cells))
        self._least: list[float] = []
        self._most: list[float] = []

    def solved_at_once(self) -> _Outcome | None:
        """For few variables: with many short restarts, which mostly take half the time; None where they do not lead to
        an end soon."""
        # PDLP minimises
        program = pdlp.qp_from_mpmodel_proto(self._model, relax_integer_variables=False)
        program.objective_vector = -self.gains
        program.constraint_lower_bounds, program.constraint_upper_bounds = self._least, self._most
        quick = solvers_pb2.PrimalDualHybridGradientParams(
            restart_strategy=solvers_pb2.PrimalDualHybridGradientParams.EVERY_MAJOR_ITERATION
        )
        quick.termination_criteria.iteration_limit = MOST_ITERATIONS
        quick.MergeFrom(self.parameters)
        self._deadline.check()
        left = self._deadline.remaining()
        if left is not None:
            quick.termination_criteria.time_sec_limit = left
        found = pdlp.primal_dual_hybrid_gradient(program, quick)
        reason = found.solve_log.termination_reason
        if reason == solve_log_pb2.TERMINATION_REASON_ITERATION_LIMIT:
            return None
        return _STATUS.get(reason, LpStatus.FAILED), -found.dual_solution, found.primal_solution

    def solved(self) -> _Outcome:
        """In a thread, which the deadline and Ctrl-C stop."""
        for variable, gain in zip(self._model.variable, self.gains.tolist(), strict=True):
            variable.objective_coefficient = gain
        for constraint, least, most in zip(self._model.constraint, self._least, self._most, strict=True):
            constraint.lower_bound, constraint.upper_bound = least, most
        self._deadline.check()
        solver = pywraplp.Solver.CreateSolver("PDLP")
        solver.SetSolverSpecificParametersAsString(str(self.parameters))
        # a refused model stays empty, and an empty one is optimal
        if refusal := solver.LoadModelFromProto(self._model):
            raise BackendError(f"PDLP refuses the linear program: {refusal}")
        outcome = interruptible(solver.Solve, solver.InterruptSolve, self._deadline)
        if outcome != pywraplp.Solver.OPTIMAL:
            status = LpStatus.INFEASIBLE if outcome == pywraplp.Solver.INFEASIBLE else LpStatus.FAILED
            return status, np.zeros(0), np.zeros(0)
        duals = np.array([constraint.dual_value() for constraint in solver.constraints()])
        return LpStatus.SOLVED, duals, np.array([variable.solution_value() for variable in solver.variables()])

    # Each constraint is multiplied by the size of its orbit, so that the program equals the one without symmetry.

    def add_cells(self) -> None:
        """Add "exactly one" for every cell."""
        sizes = self._orbits.cell_sizes.astype(np.float64)
        self._add(self._cells, np.arange(len(self._cells)), sizes[self._cells], lambda cells: (sizes[cells],) * 2)

    def add_units(self) -> Ints:
        """Add "exactly one" for every (unit, digit); returns unit·n + digit of each."""
        n, found = self._incidence.order, [np.zeros(0, dtype=np.int64)]
        sizes = self._orbits.unit_sizes.astype(np.float64)
        units = np.flatnonzero(self._orbits.units == np.arange(len(self._orbits.units)))
        portion = max(1, MOST_ENTRIES // (n * n))
        for some in (units[start : start + portion] for start in range(0, len(units), portion)):
            cells = self._incidence.units[some]
            # (unit, cell, digit); cells of one orbit share a variable
            members = np.where(self._open[cells][:, :, None], self._variable_of[self._orbits.cells[cells]], -1)
            places, _, digits = np.nonzero(members >= 0)
            keys = some[places] * n + digits
            found.append(self._add(keys, members[members >= 0], sizes[keys // n], lambda keys: (sizes[keys // n],) * 2))
        return np.concatenate(found)

    def add_rows(self) -> Ints:
        """Add the rows of rules other than units, which have no symmetry; returns the number of each."""
        incidence = self._incidence
        if not incidence.rows:
            return np.zeros(0, dtype=np.int64)
        fixed = (self._candidates & ~self._open[:, None]).reshape(-1)
        known = np.zeros(len(incidence.rows), dtype=np.int64)
        np.add.at(known, incidence.row_of, incidence.coefficients * fixed[incidence.candidate_of])
        most = (incidence.totals - known).astype(np.float64)
        least = np.where(incidence.exact, most, -inf)
        members = self._variable_of.reshape(-1)[incidence.candidate_of]
        used = members >= 0
        coefficients = incidence.coefficients[used].astype(np.float64)
        return self._add(incidence.row_of[used], members[used], coefficients, lambda rows: (least[rows], most[rows]))

    def values(self, of_variables: Floats) -> Floats:
        """x (cells, n), 1 for the only candidate of a cell."""
        values = self._candidates.astype(np.float64)
        values[self._cells, self._digits] = of_variables
        return values

    def _add(
        self, keys: Ints, variables: Ints, coefficients: Floats, bounds: Callable[[Ints], tuple[Floats, Floats]]
    ) -> Ints:
        """For each key the constraint least ≤ Σ coefficient·variable ≤ most over its terms, where terms with the same
        variable are added up. Returns the keys in the order of their constraints."""
        places = keys * len(self._cells) + variables
        order = np.argsort(places, kind="stable")
        firsts = np.flatnonzero(np.diff(places[order], prepend=-1))
        of_terms = np.add.reduceat(coefficients[order], firsts).tolist() if len(firsts) else []
        keys, variables = np.divmod(places[order][firsts], len(self._cells))
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        least, most = bounds(keys[starts])
        self._least += least.tolist()
        self._most += most.tolist()
        new, of_variables, starting = self._model.constraint.add, variables.tolist(), starts.tolist()
        for start, end in zip(starting, [*starting, len(of_terms)][1:], strict=True):
            self._deadline.check()
            new(var_index=of_variables[start:end], coefficient=of_terms[start:end])
        return keys[starts]


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
