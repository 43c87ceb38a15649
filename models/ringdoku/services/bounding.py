"""The bound on the score that linear programming proves, with its proof."""

from contextlib import suppress
from math import gcd

from ringdoku.domain import DisagreementError, Status, TimeLimitError, gains_of
from ringdoku.duality.bound import Bound, check_bound
from ringdoku.limits import GRACE_SECONDS, Deadline, interrupts_held
from ringdoku.services.session import ObjectiveLike, PuzzleLike, Session, as_objective, as_puzzle


def bound(puzzle: PuzzleLike, objective: ObjectiveLike | None = None, time_limit: float | None = None) -> Bound | None:
    """A limit on the score of every solution, with prices that prove it and were checked. None: there is proved to be
    no solution.

    The limit is the optimum of the linear relaxation, rounded to a whole number; it does not depend on trusting a
    solver. There is no search, so a puzzle without a solution may have a bound too. Objective and errors are as for
    `maximise`, with `DimensionError` above 256×256. At the time limit (seconds) the bound is valid but weak.
    Raises `TimeLimitError` when writing and checking the proof takes more than a second longer.
    """
    # these import numpy and a solver, which nothing else here needs
    with interrupts_held():
        import numpy as np

        from ringdoku.deduction.singles import singles
        from ringdoku.duality.prices import incidence, lifted, rounded_prices
        from ringdoku.duality.relaxation import relax, require_size

    puzzle = as_puzzle(puzzle)
    objective, deadline = as_objective(objective, puzzle), Deadline.asked(time_limit)
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
            if Session().solve(puzzle, deadline.left()).status is Status.INFEASIBLE:
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
