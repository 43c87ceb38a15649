"""The best solutions in order, after a search has found the best one.

A level is a question for all solutions that score at least a target. Each solution that is found is excluded and waits.
It is the next one if no unknown solution can score more: if its score reaches the bound, or if the question is refuted
and the bound falls below the target. If many solutions wait, the target rises to the better half of them. If a question
stays open, a whole search that excludes the known solutions finds the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.result import Result, Status
from ringdoku.solvers.lp_sat.question import Answer, Question
from ringdoku.solvers.lp_sat.search import Search

CONFLICTS = 20_000
"""The conflicts for one solution of a level, before a whole search takes over."""
MANY = 16
"""The most solutions that wait; with more the target rises."""
SOLVER = "minisat22"


def ranked(search: Search) -> Iterator[Result]:
    """The solutions, each proved to be the next, then infeasible. At the deadline the last one is not proved. The
    search has ended; like it, this maximises."""
    ranking = _Ranking(search, search.upper)
    ranking.keep(search.found)
    statistics = search.statistics
    try:
        while not ranking.search.infeasible:
            if ranking.waiting and ranking.score(ranking.waiting[0]) >= ranking.upper:
                grid = ranking.waiting.pop(0)
                ranking.taken.append(grid)
                score = ranking.score(grid)
                yield Result(Status.OPTIMAL, grid, score, score, statistics=statistics)
                ranking.tell()
            elif not ranking.search.run.deadline.expired:
                ranking.look_further()
            elif ranking.waiting:
                best = ranking.waiting[0]
                yield Result(Status.FEASIBLE, best, ranking.score(best), ranking.upper, statistics=statistics)
                return
            else:
                yield Result(Status.UNKNOWN, bound=ranking.upper, statistics=statistics)
                return
        yield Result(Status.INFEASIBLE, statistics=statistics)
    finally:
        ranking.leave_level()


@dataclass
class _Ranking:
    """`upper` is a bound on the scores of all solutions that are neither `waiting` nor `taken`."""

    search: Search
    upper: int
    waiting: list[Grid] = field(default_factory=list)
    taken: list[Grid] = field(default_factory=list)
    _level: Question | None = None
    _steps: int = 0

    def look_further(self) -> None:
        """One more solution, a lower bound, or neither at the deadline."""
        search = self.search
        if self._level is None:
            try:
                self._level = search.question(self._target(), SOLVER, (*self.taken, *self.waiting))
            except TimeLimitError:
                return
        level = self._level
        known = len(search.found)
        answer = search.ask(level, CONFLICTS)
        if answer is Answer.FOUND:
            self.keep(search.found[known:])
            level.exclude(search.found[-1])
            if len(self.waiting) > MANY and (middle := self.score(self.waiting[MANY // 2])) > level.target:
                level.aim(middle, for_good=True)
        elif answer is Answer.REFUTED:
            self._refuted(level.target)
        elif not search.run.deadline.expired:
            self._search_again()

    def keep(self, grids: Iterable[Grid]) -> None:
        known = {grid.rows for grid in (*self.taken, *self.waiting)}
        new = {grid.rows: grid for grid in grids if grid.rows not in known}
        self.waiting = sorted((*self.waiting, *new.values()), key=self.score, reverse=True)
        self.tell()

    def leave_level(self) -> None:
        if self._level is not None:
            self._level.close()
            self._level = None

    def score(self, grid: Grid) -> int:
        return self.search.objective.score(grid)

    def tell(self) -> None:
        self.search.tell(self.score(self.waiting[0]) if self.waiting else None, self.upper)

    def _target(self) -> int:
        """The best possible score at first, then further below the bound each time."""
        reachable = self.search.reachable
        target = reachable.at_most(self.upper - self._steps * reachable.step)
        self._steps = max(1, 2 * self._steps)
        return max(target, self.search.least)

    def _refuted(self, target: int) -> None:
        self.leave_level()
        if target > self.search.least:
            self.upper = self.search.reachable.at_most(target - 1)
        elif self.waiting:
            self.upper = self.score(self.waiting[-1])
        else:
            self.search.infeasible = True
        self.tell()

    def _search_again(self) -> None:
        self.leave_level()
        self.search = self.search.excluding(self.taken, self.upper)
        for grid in self.waiting:
            self.search.offer(grid)
        self.search.take_turns()
        self.upper = self.search.upper
        self.keep(self.search.found)
