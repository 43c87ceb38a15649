"""What a search knows so far: the best solution, the proved bound, and the possible scores. It maximises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from ringdoku.domain.errors import DisagreementError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.duality.reachable import Reachable
from ringdoku.solvers.base import Exchange, News

Tell: TypeAlias = Callable[[int | None, int], None]
"""A function that receives the best score found, None if there is none, and the proved bound."""


@dataclass
class Knowledge:
    """`upper` is the proved bound, `lower` the score of `best`, one of the solutions `found`; `tell` is called with
    every change of `lower` and `upper`. What is found is shared through the `exchange`, if there is one. `proved` is
    what others know about better solutions, as in `News`."""

    objective: Objective
    largest_digit: int
    reachable: Reachable
    upper: int
    tell: Tell
    best: Grid | None = None
    lower: int | None = None
    infeasible: bool = False
    found: list[Grid] = field(default_factory=list)
    exchange: Exchange | None = None
    proved: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.upper = self.reachable.at_most(self.upper)
        self.tell(self.lower, self.upper)

    def hear(self) -> bool:
        """Take what others found; whether the answer is proved with it. Raises `DisagreementError` for a bound below a
        known score."""
        for news in self.exchange.news() if self.exchange else ():
            if news.grid is not None:
                self._offer(news.grid)
            if news.bound is not None:
                self._lower_bound_to(news.bound)
            self.proved += news.proved
            if self.lower is not None and self.lower > self.upper:
                raise DisagreementError(f"a solution scores {self.lower}, above the bound {self.upper}, both maximised")
        return self.finished

    @property
    def finished(self) -> bool:
        """Whether the answer is proved."""
        return self.infeasible or (self.lower is not None and self.lower >= self.upper)

    @property
    def least(self) -> int:
        """A target that every solution reaches."""
        return self.reachable.at_most(-self.largest_digit * sum(map(abs, self.objective.weights)))

    @property
    def least_wanted(self) -> int:
        """One step above the best score; without a solution, a target that every solution reaches."""
        return self.least if self.lower is None else self.lower + self.reachable.step

    def near(self, steps: int) -> bool:
        """Whether bound and best are at most this many steps of reachable scores apart."""
        return self.lower is not None and self.upper - self.lower <= steps * self.reachable.step

    def target(self, below: int) -> int:
        """A target this far below the bound, but at most half-way to the best score."""
        if self.lower is None:
            return max(self.reachable.at_most(self.upper - below), self.least_wanted)
        target = self.upper - min(below, (self.upper - self.lower) // 2)
        return self.reachable.at_most(max(target, self.least_wanted))

    def offer(self, grid: Grid) -> None:
        """Take a solution that was found."""
        if self._offer(grid) and self.exchange:
            self.exchange.tell(News(grid=grid))

    def lower_bound_to(self, bound: int) -> None:
        """Take a proof that no solution scores more."""
        if self._lower_bound_to(bound) and self.exchange:
            self.exchange.tell(News(bound=self.upper))

    def prove(self, candidate: int) -> None:
        """Tell others that every better solution has this candidate, or has it not where it is negative."""
        if self.exchange:
            self.exchange.tell(News(proved=(candidate,)))

    def _offer(self, grid: Grid) -> bool:
        """Whether it is better than the best."""
        score = self.objective.score(grid)
        self.found.append(grid)
        better = self.lower is None or score > self.lower
        if better:
            self.lower, self.best = score, grid
            self.tell(self.lower, self.upper)
        return better

    def _lower_bound_to(self, bound: int) -> bool:
        """Whether it is lower than the bound so far."""
        bound = self.reachable.at_most(bound)
        lower = bound < self.upper
        if lower:
            self.upper = bound
            self.tell(self.lower, self.upper)
        return lower

    def nothing_better(self) -> None:
        """Take a proof that no solution reaches `least_wanted`."""
        if self.lower is None:
            self.infeasible = True
        else:
            self.lower_bound_to(self.lower)
