"""What every backend is: a live way to solve that keeps what it can from one puzzle to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from numbers import Real
from typing import Protocol

from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status


class Ability(Enum):
    """Something a backend can do; each has a method or an option that asks for it."""

    SATISFY = "satisfy"
    """Finds a solution or proves that there is none."""
    OPTIMISE = "optimise"
    """Finds a solution of best score and proves it."""
    ENUMERATE = "enumerate"
    """Finds every solution once."""
    PROOF = "proof"
    """Proves, with DRAT steps for others to check, that there is no solution."""
    DEADLINE = "deadline"
    """Stops at a time limit without being killed."""


LONGEST_SECONDS = 10**9
"""Thirty years: solvers count their limits in milliseconds or less, and overflow."""


class Deadline:
    """A moment on the monotonic clock, `seconds` from now; None is never."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    @classmethod
    def asked(cls, time_limit: float | None) -> Deadline:
        """For a limit that a user gave. Raises `UsageError` unless it is a positive number of seconds, or None."""
        if time_limit is None:
            return cls()
        if not isinstance(time_limit, Real) or not 0 < time_limit < float("inf"):
            raise UsageError(f"a time limit is a positive number of seconds, not {time_limit!r}")
        return cls(float(min(time_limit, LONGEST_SECONDS)))

    def remaining(self) -> float | None:
        """Seconds left, at least 0; None when there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    @property
    def expired(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end


@dataclass(frozen=True)
class Progress:
    """What an optimising backend knows so far: best score found and proved bound, None where there is none yet."""

    seconds: float
    score: int | None
    bound: int | None


@dataclass(frozen=True)
class Run:
    """The circumstances of one question: when to stop, the random seed, and what to call with progress.

    When optimising, the solutions in `excluding` do not count, and `bound`, if given, is a proved limit on the score of
    the others, which a backend may start from.
    """

    deadline: Deadline = field(default_factory=Deadline)
    seed: int = 0
    on_progress: Callable[[Progress], None] | None = None
    excluding: tuple[Grid, ...] = ()
    bound: int | None = None


class Backend(Protocol):
    """One solver, loaded once and asked many times. Only the methods of its abilities are called.

    Every method stops soon after the deadline and lets KeyboardInterrupt through with signal handling intact. Making a
    model ready may come on top where it is not cut short: hundredths of a second on 9×9, seconds on the largest boards,
    more for a textbook formula of those.
    Results carry status, grid, score, bound and statistics; name and seconds are filled in by the services.
    """

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        """Any solution: satisfiable, infeasible, or unknown at the deadline."""
        ...

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        """A best solution that is not excluded: optimal; infeasible when there is none; at the deadline feasible with
        the best so far, or unknown."""
        ...

    def refute(self, puzzle: Puzzle, run: Run) -> Result:
        """As `solve`; when infeasible with a DRAT proof about the textbook formula."""
        ...

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Every solution once, in any order. Raises `TimeLimitError` at the deadline."""
        ...


def solve_by_optimising(optimise: Callable[[Puzzle, Objective, Run], Result], puzzle: Puzzle, run: Run) -> Result:
    """Any solution, from a backend that only optimises: a best one where all are equal."""
    indifferent = Objective((0,) * puzzle.geometry.cell_count)
    result = optimise(puzzle, indifferent, Run(run.deadline, run.seed))
    status = result.status if result.grid is None else Status.SATISFIABLE
    return Result(status, result.grid, statistics=result.statistics)
