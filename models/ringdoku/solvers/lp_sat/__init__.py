"""The backend `lp-sat`: linear programming proves a bound, then a SAT solver decides whether a solution reaches it.

Puzzles as people set them have few solutions, which are looked for before anything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import monotonic

from ringdoku.deduction.propagation import propagate
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.duality.relaxation import require_candidates, require_size
from ringdoku.solvers.base import Phase, Progress, Run, solve_by_optimising
from ringdoku.solvers.lp_sat.question import Rules
from ringdoku.solvers.lp_sat.ranking import ranked
from ringdoku.solvers.lp_sat.search import Search
from ringdoku.solvers.pysat import PySat
from ringdoku.solvers.registry import LARGEST_LIVE_ORDER

FEW, FEW_TO_RANK = 2, 20
"""Solutions that are looked for first; the second where more than the best is asked for."""
CELLS_A_CLUE = 5
"""Puzzles with fewer clues than one in so many cells have many solutions: with one solution, 17 are known on 9×9, and
larger shares on larger boards."""
FEW_CONFLICTS = 10_000
"""For each of them: about a second."""


class LpSat:
    """A few solutions on a solver that stays, in case there are no others; then `ringdoku.solvers.lp_sat.search`."""

    def __init__(self) -> None:
        self._sat = PySat("cadical195")
        self._rules: dict[str, Rules] = {}

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        return solve_by_optimising(self.optimise, puzzle, run)

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        return next(self._ranked(puzzle, objective, run, FEW))

    def ranked(self, puzzle: Puzzle, objective: Objective, run: Run) -> Iterator[Result]:
        return self._ranked(puzzle, objective, run, FEW_TO_RANK)

    def _ranked(self, puzzle: Puzzle, objective: Objective, run: Run, most: int) -> Iterator[Result]:
        start, sign = monotonic(), objective.sense.sign
        run.effort.enter(Phase.BUILD)
        require_size(puzzle.order)
        few, are_all = self._few_solutions(puzzle, run, most)
        if are_all:
            statistics: dict[str, int | float] = {"questions": 0, "solutions": len(few)}
            for grid in sorted(few, key=objective.score, reverse=sign > 0):
                score = objective.score(grid)
                yield Result(Status.OPTIMAL, grid, score, score, statistics=statistics)
            yield Result(Status.INFEASIBLE, statistics=statistics)
            return
        # the questions are asked on formulas of their own
        run.effort.facts = {"live": 0}
        run.effort.enter(Phase.BUILD)
        try:
            candidates = propagate(puzzle, deadline=run.deadline)
        except TimeLimitError:
            yield _known_at_once(puzzle, objective, few)
            return
        if candidates is None:
            yield Result(Status.INFEASIBLE)
            return
        require_candidates(candidates)

        def tell(lower: int | None, upper: int) -> None:
            if run.on_progress is not None:
                score = None if lower is None else sign * lower
                run.on_progress(Progress(monotonic() - start, score, sign * upper))

        run.effort.enter(Phase.SOLVE)
        upwards = replace(run, bound=None if run.bound is None else sign * run.bound)
        search = Search(puzzle, objective.upwards(), candidates, upwards, tell, self._rules)
        for grid in few:
            search.offer(grid)
        search.take_turns()
        for result in ranked(search):
            found = None if result.score is None else sign * result.score
            yield replace(result, score=found, bound=None if result.bound is None else sign * result.bound)

    def _few_solutions(self, puzzle: Puzzle, run: Run, most: int) -> tuple[list[Grid], bool]:
        """A few solutions that are not excluded, and whether there are no others; none on boards that take too long,
        where there will be many."""
        ranks, cells = most > FEW, puzzle.board.cell_count
        if puzzle.ruleset.classic_box and puzzle.clues.filled_count * CELLS_A_CLUE < cells:
            return [], False
        if puzzle.order > LARGEST_LIVE_ORDER or run.excluding or (puzzle.ruleset.rest and not ranks):
            # with other rules the search looks for any solution first, and goes on with the same solver
            return [], False
        found: list[Grid] = []
        try:
            for grid in self._sat.enumerate(puzzle, run, FEW_CONFLICTS):
                found.append(grid)
                if len(found) > most:
                    return found, False
        except TimeLimitError:
            return found, False
        return found, True


def _known_at_once(puzzle: Puzzle, objective: Objective, found: list[Grid]) -> Result:
    """The best grid so far, and the bound of every cell at its best."""
    sign, digits = objective.sense.sign, puzzle.board.digits
    bound = sign * sum(max(sign * weight * digit for digit in (digits[0], digits[-1])) for weight in objective.weights)
    if not found:
        return Result(Status.UNKNOWN, bound=bound)
    best = max(found, key=lambda grid: sign * objective.score(grid))
    return Result(Status.FEASIBLE, best, objective.score(best), bound)
