"""The linear relaxation over (cell, digit), its dual prices in floating point, and the bound that they prove when made
exact.

Maximise Σ g[c,d]·x[c,d] with Σ_d x[c,d] = 1 for every cell, Σ_{c∈u} x[c,d] = 1 for every unit u and digit d, the rows
of all other rules, x ≥ 0. The solver is PDLP (Applegate et al., "Practical large-scale linear programming using
primal-dual hybrid gradient", NeurIPS 2021). Unlike the prices of a simplex method, its prices lie inside the optimal
face. There every candidate that no optimal fractional solution uses has a positive reduced cost, so far fewer
candidates survive.
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
"""Of PDLP, on weights of at most 1. A tighter one takes longer and deletes hardly more candidates."""

MOST_VARIABLES = 3_000_000
"""Enough for a blank 225×225 over its orbits, and for 144×144 without symmetry, which takes 3.5 GiB."""

SMALL = 10_000
"""Up to so many variables PDLP, which Ctrl-C cannot interrupt, takes a tenth of a second at most."""

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
    """The upper bound on the sum of the gains (cells, n) of a solution's digits. Every cell must have a candidate. At
    the deadline it is weak.

    `is_rough` is for optimising on small boards, whose scores are small too (the bound is at most 0.05 weaker on 9×9),
    and under other rules than houses, whose bounds are seldom reached: it is twice as fast. The candidates are
    propagated then.

    What a digit gains everywhere adds the same to every score, and costs a first-order method accuracy. So where every
    row of the grid is a unit, that part is put into the prices of the rows beforehand.
    """
    is_open = np.count_nonzero(candidates, axis=1) > 1
    middle, size = np.zeros(incidence.ruleset.order), 1.0
    if is_open.any():
        middle = np.median(gains[is_open], axis=0) if incidence.has_lines else middle
        size = float(np.abs(gains[is_open] - middle).max()) / incidence.ruleset.board.largest or 1.0
    of_cells, of_units = orbits(incidence, candidates, gains)
    varies = of_cells == np.arange(len(of_cells))
    if is_rough and not incidence.rows:
        # propagation left the digit of a decided cell in no other cell of its units
        varies &= is_open
    cells, digits = np.nonzero(candidates & varies[:, None])
    values = candidates.astype(np.float64)
    worth: Floats = np.bincount(of_cells)[cells] * ((gains - middle)[cells, digits] / size)
    # -1 where there is no variable
    variables = np.full(candidates.shape, -1, dtype=np.int64)
    variables[cells, digits] = np.arange(len(cells))
    reason = None
    with suppress(TimeLimitError):
        program, used = _program(incidence, variables[of_cells], of_cells, of_units, worth, deadline)
        reason, duals, solution = _solved(program, is_rough, deadline)
    unit_prices = np.zeros((len(incidence.units), incidence.ruleset.order))
    row_prices = np.zeros(len(incidence.rows))
    if reason == OPTIMAL:
        values[cells, digits] = solution
        values = values[of_cells]
        prices = np.zeros(len(values) + unit_prices.size + len(row_prices))
        prices[used] = -duals * size
        _, of_units_and_digits, row_prices = np.split(prices, [len(values), len(prices) - len(row_prices)])
        unit_prices = of_units_and_digits.reshape(unit_prices.shape)[of_units]
    if incidence.has_lines:
        unit_prices[: incidence.ruleset.order] += middle
    exact = exact_prices(incidence, candidates, gains, unit_prices, row_prices)
    return Relaxation(exact, values, reason == INFEASIBLE)


def _program(
    incidence: Incidence, variables: Ints, of_cells: Ints, of_units: Ints, worth: Floats, deadline: Deadline
) -> tuple[pdlp.QuadraticProgram, Ints]:
    """The program over one cell and one unit of each orbit, and the numbers of its constraints.

    `variables` (cells, n) has that of each candidate, else -1, and `worth` what each gains.
    Constraints are numbered: "exactly one" for the cells, for each (unit, digit), then the rows of other rules. Each is
    multiplied by the size of its orbit, so that the program equals the one without symmetry.
    """
    count, n = len(worth), incidence.ruleset.order
    if count > MOST_VARIABLES:
        raise DimensionError(f"the linear program has {count} variables, more than the {MOST_VARIABLES} that are tried")
    rows, of_rows, coefficients = incidence.terms
    sizes_of_units = np.bincount(of_units, minlength=len(of_units))
    exactly = np.concatenate((np.bincount(of_cells, minlength=len(of_cells)), np.repeat(sizes_of_units, n)))
    most = np.concatenate((exactly, incidence.totals)).astype(np.float64)
    least = np.where(np.concatenate((np.ones(len(exactly), dtype=bool), incidence.exact)), most, -inf)
    # the terms of all constraints: number, variable, coefficient
    cells, digits = np.nonzero(variables >= 0)
    there = of_cells[cells] == cells
    parts = [(cells[there], variables[cells, digits][there], exactly[cells][there])]
    for units in incidence.units_of.T:
        # cells of one orbit share a variable
        unit = np.append(np.where(of_units == np.arange(len(of_units)), of_units, -1), -1)[units[cells]]
        numbers = len(of_cells) + unit * n + digits
        parts.append((numbers[unit >= 0], variables[cells, digits][unit >= 0], exactly[numbers[unit >= 0]]))
    members = variables.reshape(-1)[of_rows]
    parts.append((len(exactly) + rows[members >= 0], members[members >= 0], coefficients[members >= 0]))
    deadline.check()
    numbers, of_terms, factors = (np.concatenate(part) for part in zip(*parts, strict=True))
    # terms with the same variable are added up
    places, terms = np.unique(numbers * count + of_terms, return_inverse=True)
    factors = np.bincount(terms, factors)
    numbers, of_terms = np.divmod(places, max(count, 1))
    used, starts = np.unique(numbers, return_index=True)
    # as a message: calls of the solver for each coefficient took longer than to solve it
    model = MPModelProto(maximize=True)
    model.variable.extend([MPVariableProto(lower_bound=0.0)] * count)
    add, listed, listed_factors = model.constraint.add, of_terms.tolist(), factors.tolist()
    for start, end in zip(starts.tolist(), [*starts.tolist(), len(listed)][1:], strict=True):
        deadline.check()
        add(var_index=listed[start:end], coefficient=listed_factors[start:end])
    program = pdlp.qp_from_mpmodel_proto(model, relax_integer_variables=False)
    # PDLP minimises
    program.objective_vector = -worth
    program.constraint_lower_bounds, program.constraint_upper_bounds = least[used], most[used]
    return program, used


def _solved(program: pdlp.QuadraticProgram, is_rough: bool, deadline: Deadline) -> tuple[int, Floats, Floats]:
    """The reason why the solver ended, the dual values of the constraints, and the values of the variables."""
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
        found = _run(program, short)
        if found[0] != solve_log_pb2.TERMINATION_REASON_ITERATION_LIMIT:
            return found
    return _run(program, parameters) if is_small else run_in_process(partial(_run, program, parameters), deadline)


def _run(
    program: pdlp.QuadraticProgram, parameters: solvers_pb2.PrimalDualHybridGradientParams
) -> tuple[int, Floats, Floats]:
    found = pdlp.primal_dual_hybrid_gradient(program, parameters)
    return found.solve_log.termination_reason, found.dual_solution, found.primal_solution
