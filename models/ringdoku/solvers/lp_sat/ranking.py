"""The best solutions in order, after a search has found the best one, by questions to live solvers.

A level is a question for all solutions that score at least a target. Each solution that is found is excluded and waits.
It is the next one if no unknown solution can score more: if its score reaches the bound, or if the question is refuted
and the bound falls below the target. If many solutions wait, the target rises to the better half of them. If a question
stays open, a whole search that excludes the known solutions finds the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.result import Result, Status
from ringdoku.solvers.lp_sat.above import FINE
from ringdoku.solvers.lp_sat.question import Answer, Question
from ringdoku.solvers.lp_sat.search import Search

CONFLICTS = 20_000
"""The conflicts for one solution of a level, before a whole search takes over."""
MANY = 16
"""The most solutions that wait; with more the target rises."""
SOLVER = "minisat22"


class Ranking:
    """Continues a finished search, and maximises like it."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._objective, self._reachable = search.known.objective, search.known.reachable
        self._upper = search.known.upper
        self._waiting: list[Grid] = []
        self._taken: list[Grid] = []
        self._level: Question | None = None
        self._steps = 0
        for grid in search.known.found:
            self._keep(grid)

    def results(self) -> Iterator[Result]:
        """The solutions, each proved to be the next, then infeasible. At the deadline the last one is not proved."""
        try:
            while not self._search.known.infeasible:
                if not self._waiting or self._score(self._waiting[0]) < self._upper:
                    if self._search.run.deadline.expired:
                        yield self._unproved()
                        return
                    self._ask()
                    continue
                grid = self._waiting.pop(0)
                self._taken.append(grid)
                score = self._score(grid)
                yield Result(Status.OPTIMAL, grid, score, score, statistics=self._search.statistics)
                self._tell()
            yield Result(Status.INFEASIBLE, statistics=self._search.statistics)
        finally:
            self._leave_level()

    def _ask(self) -> None:
        """One more solution, a lower bound, or neither at the deadline."""
        if self._level is None:
            try:
                self._level = self._search.question(self._target(), SOLVER, FINE, self._known())
            except TimeLimitError:
                return
        level = self._level
        before = level.conflicts
        answer = level.ask(CONFLICTS)
        self._search.statistics["conflicts"] += level.conflicts - before
        if answer is Answer.FOUND and level.best is not None:
            self._keep(level.best)
            level.exclude(level.best)
            if len(self._waiting) > MANY:
                middle = self._score(self._waiting[MANY // 2])
                if middle > level.target:
                    level.raise_target(middle)
        elif answer is Answer.REFUTED:
            self._lower_bound_below(level.target)
        elif not self._search.run.deadline.expired:
            self._search_again()

    def _target(self) -> int:
        """The best possible score at first, then further below the bound each time."""
        target = self._reachable.at_most(self._upper - self._steps * self._reachable.step)
        self._steps = max(1, 2 * self._steps)
        return max(target, self._search.known.least)

    def _lower_bound_below(self, target: int) -> None:
        self._leave_level()
        if target > self._search.known.least:
            self._upper = self._reachable.at_most(target - 1)
        elif self._waiting:
            self._upper = self._score(self._waiting[-1])
        else:
            self._search.known.infeasible = True
        self._tell()

    def _search_again(self) -> None:
        self._leave_level()
        self._search = self._search.excluding(self._taken, self._upper)
        for grid in self._waiting:
            self._search.known.offer(grid)
        self._search.take_turns()
        self._upper = self._search.known.upper
        for grid in self._search.known.found:
            self._keep(grid)

    def _keep(self, grid: Grid) -> None:
        if any(grid.rows == other.rows for other in self._known()):
            return
        self._waiting.append(grid)
        self._waiting.sort(key=self._score, reverse=True)
        self._tell()

    def _unproved(self) -> Result:
        if not self._waiting:
            return Result(Status.UNKNOWN, bound=self._upper, statistics=self._search.statistics)
        best = self._waiting[0]
        return Result(Status.FEASIBLE, best, self._score(best), self._upper, statistics=self._search.statistics)

    def _known(self) -> tuple[Grid, ...]:
        return (*self._taken, *self._waiting)

    def _leave_level(self) -> None:
        if self._level is not None:
            self._level.close()
            self._level = None

    def _score(self, grid: Grid) -> int:
        return self._objective.score(grid)

    def _tell(self) -> None:
        best = self._score(self._waiting[0]) if self._waiting else None
        self._search.tell(best, self._upper)
