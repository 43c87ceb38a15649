"""The bound on the score that linear programming proves, with its proof."""

from collections.abc import Callable
from contextlib import suppress
from math import gcd

from ringdoku.domain import DisagreementError, Objective, Puzzle, Result, Status, TimeLimitError, gains_of
from ringdoku.duality.bound import Bound, check_bound
from ringdoku.limits import GRACE_SECONDS, Deadline, interrupts_held


def bound(
    puzzle: Puzzle,
    objective: Objective,
    time_limit: float | None,
    solve: Callable[[Puzzle, float | None], Result],
) -> Bound | None:
    """`ringdoku.bound`; `solve` is asked where the relaxation has no solution."""
    # these import numpy and a solver, which nothing else here needs
    with interrupts_held():
        import numpy as np

        from ringdoku.deduction.singles import singles
        from ringdoku.duality.prices import incidence, lifted, rounded_prices
        from ringdoku.duality.relaxation import relax, require_size

    deadline = Deadline.asked(time_limit)
    late = Deadline(None if time_limit is None else time_limit + GRACE_SECONDS)
    require_size(puzzle.order)
    sign, board = objective.sense.sign, puzzle.board
    found = incidence(puzzle.ruleset)
    derived = singles(puzzle, late)
    if derived is None:
        return None
    left, steps = derived
    candidates = np.array([[digit in digits for digit in board.digits] for digits in left])
    gains = np.array(gains_of(objective.upwards().weights, board), dtype=np.int64)
    relaxation = relax(found, candidates, gains, deadline)
    if relaxation.is_infeasible:
        with suppress(TimeLimitError):
            if solve(puzzle, deadline.left()).status is Status.INFEASIBLE:
                return None
    best = relaxation.prices
    # that people can add up
    prices = rounded_prices(best, found, candidates, gains, lambda some: some.best_score == best.best_score)
    of_cells, of_units, of_rows = lifted(prices, found, steps, late)
    common = sign * gcd(prices.denominator, *of_cells, *(price for row in of_units for price in row), *of_rows)
    proved = Bound(
        sign * prices.best_score,
        prices.denominator // abs(common),
        tuple(price // common for price in of_cells),
        {unit.name: tuple(p // common for p in row) for unit, row in zip(puzzle.ruleset.units, of_units, strict=True)},
        {row.name: price // common for row, price in zip(found.rows, of_rows, strict=True) if price},
    )
    late.check()
    if faults := check_bound(puzzle, objective, proved):
        raise DisagreementError(f"the prices prove no bound: {'; '.join(faults)}")
    return proved
