"""The backend `lp-sat`."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from ringdoku.backends.base import Progress, Run, solve_by_optimising
from ringdoku.backends.lp_sat.search import Search
from ringdoku.deduction.propagation import propagate
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.duality.relaxation import require_size


class LpSat:
    """`ringdoku.backends.lp_sat.search` says how."""

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        return solve_by_optimising(self.optimise, puzzle, run)

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        start = monotonic()
        require_size(puzzle.order)
        candidates = propagate(puzzle, deadline=run.deadline)
        if candidates is None:
            return Result(Status.INFEASIBLE)
        sign = objective.sense.sign

        def tell(lower: int | None, upper: int) -> None:
            if run.on_progress is not None:
                score = None if lower is None else sign * lower
                run.on_progress(Progress(monotonic() - start, score, sign * upper))

        known = None if run.bound is None else sign * run.bound
        search = Search(puzzle, objective.upwards(), candidates, replace(run, bound=known), tell)
        search.take_turns()
        found, statistics = search.known, search.statistics
        bound = sign * found.upper
        if found.infeasible:
            return Result(Status.INFEASIBLE, statistics=statistics)
        if found.best is None or found.lower is None:
            return Result(Status.UNKNOWN, bound=bound, statistics=statistics)
        status = Status.OPTIMAL if found.finished else Status.FEASIBLE
        return Result(status, found.best, sign * found.lower, bound, statistics=statistics)
