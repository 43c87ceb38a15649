"""The linear relaxation over (cell, digit), its dual prices in floating point, and the bound that they prove once they
are made exact. Begin with `relax`.

Maximise Σ g[c,d]·x[c,d] with Σ_d x[c,d] = 1 for every cell, Σ_{c∈u} x[c,d] = 1 for every unit u and digit d, the rows
of all other rules, x ≥ 0. The solver is PDLP (Applegate et al., "Practical large-scale linear programming using
primal-dual hybrid gradient", NeurIPS 2021). Unlike those of a simplex method, its prices lie inside the optimal face.
There every candidate that no optimal fractional solution uses has a positive reduced cost, so far fewer survive.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import inf

import numpy as np
from ortools.linear_solver.linear_solver_pb2 import MPModelProto, MPVariableProto  # noqa: TID253 - loaded on use
from ortools.pdlp import solve_log_pb2, solvers_pb2  # noqa: TID253
from ortools.pdlp.python import pdlp  # noqa: TID253

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain import DimensionError, TimeLimitError
from ringdoku.duality.prices import Floats, Incidence, Ints, Prices, exact_prices, orbits
from ringdoku.limits import NEVER, Deadline, run_in_process

LARGEST_ORDER = 256
"""A bound has n³ reduced costs, and a proof of it as many Python integers: 15 s and 1.3 GiB at 225×225."""

TOLERANCE, ROUGH_TOLERANCE = 1e-6, 1e-4
"""Tolerances of PDLP, on weights of at most 1. Tighter ones take longer and delete hardly more candidates."""

MOST_VARIABLES = 3_000_000
"""Of a program: enough for a blank 225×225 over its orbits, and for 144×144 without symmetry, which takes 3.5 GiB."""

SMALL = 10_000
"""With up to so many variables PDLP, which Ctrl-C cannot interrupt, takes at most a tenth of a second."""

OPTIMAL = solve_log_pb2.TERMINATION_REASON_OPTIMAL
INFEASIBLE = solve_log_pb2.TERMINATION_REASON_PRIMAL_INFEASIBLE


@dataclass(frozen=True, eq=False)
class Relaxation:
    """`prices` prove their bound, whatever became of the linear program, and `values` (cells, n) is its solution.
    `is_infeasible`: the solver reports that there is no fractional solution, which is not a proof."""

    prices: Prices
    values: Floats
    is_infeasible: bool = False


def require_size(order: int) -> None:
    """Raises `DimensionError` above `LARGEST_ORDER`."""
    if order > LARGEST_ORDER:
        raise DimensionError(f"bounds need too much memory above order {LARGEST_ORDER}, and this is {order}")


def relax(
    incidence: Incidence, candidates: Candidates, gains: Ints, deadline: Deadline = NEVER, is_rough: bool = False
) -> Relaxation:
    """An upper bound on the sum of the gains (cells, n) of a solution's digits, a weak one if the deadline comes first.
    Every cell must have a candidate.

    `is_rough` is twice as fast, and requires propagated candidates. It is for optimising on small boards, whose scores
    are small too (the bound is at most 0.05 weaker on 9×9), and for rules beyond houses, whose bounds are rarely met.

    A gain that a digit has in all cells adds the same to every score, and costs a first-order method accuracy. So if
    every row of the grid is a unit, the median gain of each digit goes into the prices of the rows beforehand.
    """
    is_open = np.count_nonzero(candidates, axis=1) > 1
    median_gains, scale = np.zeros(incidence.ruleset.order), 1.0
    if is_open.any():
        median_gains = np.median(gains[is_open], axis=0) if incidence.has_lines else median_gains
        scale = float(np.abs(gains[is_open] - median_gains).max()) / incidence.ruleset.board.largest or 1.0
    cell_orbits, unit_orbits = orbits(incidence, candidates, gains)
    has_variables = cell_orbits == np.arange(len(cell_orbits))
    if is_rough and not incidence.rows:
        # propagation left the digit of a decided cell in no other cell of its units
        has_variables &= is_open
    cells, digits = np.nonzero(candidates & has_variables[:, None])
    values = candidates.astype(np.float64)
    objective: Floats = np.bincount(cell_orbits)[cells] * ((gains - median_gains)[cells, digits] / scale)
    # -1 for candidates without a variable
    variables = np.full(candidates.shape, -1, dtype=np.int64)
    variables[cells, digits] = np.arange(len(cells))
    reason = None
    with suppress(TimeLimitError):
        program, numbers = _program(incidence, variables[cell_orbits], cell_orbits, unit_orbits, objective, deadline)
        reason, duals, solution = _solve(program, is_rough, deadline)
    unit_prices = np.zeros((len(incidence.units), incidence.ruleset.order))
    row_prices = np.zeros(len(incidence.rows))
    if reason == OPTIMAL:
        values[cells, digits] = solution
        values = values[cell_orbits]
        prices = np.zeros(len(values) + unit_prices.size + len(row_prices))
        prices[numbers] = -duals * scale
        _, of_units_and_digits, row_prices = np.split(prices, [len(values), len(prices) - len(row_prices)])
        unit_prices = of_units_and_digits.reshape(unit_prices.shape)[unit_orbits]
    if incidence.has_lines:
        unit_prices[: incidence.ruleset.order] += median_gains
    return Relaxation(exact_prices(incidence, candidates, gains, unit_prices, row_prices), values, reason == INFEASIBLE)


def _program(
    incidence: Incidence, variables: Ints, cell_orbits: Ints, unit_orbits: Ints, objective: Floats, deadline: Deadline
) -> tuple[pdlp.QuadraticProgram, Ints]:
    """The program over one cell and one unit of each orbit, and the numbers of the constraints that it has.

    `variables` (cells, n) has the variable of each candidate, or -1, and `objective` the gain of each variable.
    Constraints are numbered: "exactly one" for each cell, for each (unit, digit), then the rows of other rules. Each is
    multiplied by the size of its orbit, so that the program equals the one without symmetry.
    """
    count, n = len(objective), incidence.ruleset.order
    if count > MOST_VARIABLES:
        raise DimensionError(f"the linear program has {count} variables, more than the {MOST_VARIABLES} that are tried")
    rows, of_rows, coefficients = incidence.terms
    sizes_of_units = np.bincount(unit_orbits, minlength=len(unit_orbits))
    orbit_sizes = np.concatenate((np.bincount(cell_orbits, minlength=len(cell_orbits)), np.repeat(sizes_of_units, n)))
    upper = np.concatenate((orbit_sizes, incidence.totals)).astype(np.float64)
    lower = np.where(np.concatenate((np.ones(len(orbit_sizes), dtype=bool), incidence.exact)), upper, -inf)
    # the terms of all constraints: number, variable, coefficient
    cells, digits = np.nonzero(variables >= 0)
    is_first = cell_orbits[cells] == cells
    parts = [(cells[is_first], variables[cells, digits][is_first], orbit_sizes[cells][is_first])]
    for units in incidence.units_of.T:
        # cells of one orbit share a variable
        unit = np.append(np.where(unit_orbits == np.arange(len(unit_orbits)), unit_orbits, -1), -1)[units[cells]]
        numbers = len(cell_orbits) + unit * n + digits
        parts.append((numbers[unit >= 0], variables[cells, digits][unit >= 0], orbit_sizes[numbers[unit >= 0]]))
    members = variables.reshape(-1)[of_rows]
    parts.append((len(orbit_sizes) + rows[members >= 0], members[members >= 0], coefficients[members >= 0]))
    deadline.check()
    numbers, of_terms, factors = (np.concatenate(part) for part in zip(*parts, strict=True))
    # terms with the same variable are added up
    places, terms = np.unique(numbers * count + of_terms, return_inverse=True)
    factors = np.bincount(terms, factors)
    numbers, of_terms = np.divmod(places, max(count, 1))
    used, starts = np.unique(numbers, return_index=True)
    # built as a protocol message: a call for each coefficient took longer than solving the program
    model = MPModelProto(maximize=True)
    model.variable.extend([MPVariableProto(lower_bound=0.0)] * count)
    add, listed, listed_factors = model.constraint.add, of_terms.tolist(), factors.tolist()
    for start, end in zip(starts.tolist(), [*starts.tolist(), len(listed)][1:], strict=True):
        deadline.check()
        add(var_index=listed[start:end], coefficient=listed_factors[start:end])
    program = pdlp.qp_from_mpmodel_proto(model, relax_integer_variables=False)
    # PDLP minimises
    program.objective_vector = -objective
    program.constraint_lower_bounds, program.constraint_upper_bounds = lower[used], upper[used]
    return program, used


def _solve(program: pdlp.QuadraticProgram, is_rough: bool, deadline: Deadline) -> tuple[int, Floats, Floats]:
    """The solver's termination reason, the dual values of the constraints, and the values of the variables."""
    parameters = solvers_pb2.PrimalDualHybridGradientParams()
    ending = parameters.termination_criteria
    ending.simple_optimality_criteria.eps_optimal_absolute = ROUGH_TOLERANCE if is_rough else TOLERANCE
    ending.simple_optimality_criteria.eps_optimal_relative = ROUGH_TOLERANCE if is_rough else TOLERANCE
    left = deadline.left()
    ending.time_sec_limit = inf if left is None else left
    is_small = len(program.objective_vector) <= SMALL
    if is_rough and is_small:
        # with many short restarts PDLP mostly takes half the time on 9×9, about 400 iterations, or does not end at all
        short = solvers_pb2.PrimalDualHybridGradientParams(restart_strategy="EVERY_MAJOR_ITERATION")
        short.MergeFrom(parameters)
        short.termination_criteria.iteration_limit = 1000
        result = _run_pdlp(program, short)
        if result[0] != solve_log_pb2.TERMINATION_REASON_ITERATION_LIMIT:
            return result
    whole = partial(_run_pdlp, program, parameters)
    return whole() if is_small else run_in_process(whole, deadline)


def _run_pdlp(
    program: pdlp.QuadraticProgram, parameters: solvers_pb2.PrimalDualHybridGradientParams
) -> tuple[int, Floats, Floats]:
    result = pdlp.primal_dual_hybrid_gradient(program, parameters)
    return result.solve_log.termination_reason, result.dual_solution, result.primal_solution
