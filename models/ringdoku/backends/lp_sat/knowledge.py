"""What a search knows so far: the best solution, the proved bound, and the possible scores. It maximises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.duality.reachable import Reachable

Tell: TypeAlias = Callable[[int | None, int], None]
"""A function that receives the best score found, None if there is none, and the proved bound."""


@dataclass
class Knowledge:
    """`upper` is the proved bound, `lower` the score of `best`, one of the solutions `found`; `tell` is called with
    every change of `lower` and `upper`."""

    objective: Objective
    largest_digit: int
    reachable: Reachable
    upper: int
    tell: Tell
    best: Grid | None = None
    lower: int | None = None
    infeasible: bool = False
    found: list[Grid] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.upper = self.reachable.at_most(self.upper)
        self.tell(self.lower, self.upper)

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
        score = self.objective.score(grid)
        self.found.append(grid)
        if self.lower is None or score > self.lower:
            self.lower, self.best = score, grid
            self.tell(self.lower, self.upper)

    def lower_bound_to(self, bound: int) -> None:
        """Take a proof that no solution scores more."""
        bound = self.reachable.at_most(bound)
        if bound < self.upper:
            self.upper = bound
            self.tell(self.lower, self.upper)

    def nothing_better(self) -> None:
        """Take a proof that no solution reaches `least_wanted`."""
        if self.lower is None:
            self.infeasible = True
        else:
            self.lower_bound_to(self.lower)
