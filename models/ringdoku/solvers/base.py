"""The interface of backends: solvers that stay loaded and may keep what they learned from one puzzle for the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol

from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.limits import Deadline


class Ability(Enum):
    """Something that a backend can do. A method or an option uses each ability."""

    SATISFY = "satisfy"
    """Finds a solution or proves that there is none."""
    OPTIMISE = "optimise"
    """Finds a best solution and proves that it is best."""
    ENUMERATE = "enumerate"
    """Finds every solution once."""
    PROOF = "proof"
    """Proves that there is no solution by DRAT steps, which others can check."""


@dataclass(frozen=True)
class Progress:
    """The best score found so far and the proved bound; None if there is none yet."""

    seconds: float
    score: int | None
    bound: int | None


class Phase(Enum):
    """A part of the work on one question. What a backend does not enter apart belongs to the phase before it."""

    BUILD = "build"
    """Making the model: propagation of the clues, variables, clauses, constraints."""
    LOAD = "load"
    """Handing the model to the solver, or writing the file that a program reads."""
    SOLVE = "solve"
    """The solver's work, and the way back to a grid."""


class Effort:
    """What one question costs, kept by the backend while it works: the seconds of each phase, and its `facts`.

    `facts` has sizes of the model and what the solver counts, and `live`: 1 if the solver that answers was made to stay
    for later puzzles, 0 if it was made for this one.
    """

    def __init__(self) -> None:
        self.facts: dict[str, int | float] = {}
        self._seconds: dict[Phase, float] = {}
        self._phase: Phase | None = None
        self._since = 0.0

    def enter(self, phase: Phase) -> None:
        """The time from now on belongs to this phase, until another one is entered."""
        now = time.perf_counter()
        if self._phase is not None:
            self._seconds[self._phase] = self._seconds.get(self._phase, 0.0) + now - self._since
        self._phase, self._since = phase, now

    def statistics(self) -> Mapping[str, int | float]:
        """`build_seconds`, `load_seconds` and `solve_seconds` up to now, without those never entered, and the facts."""
        if self._phase is not None:
            self.enter(self._phase)
        return {f"{phase.value}_seconds": seconds for phase, seconds in self._seconds.items()} | self.facts


@dataclass(frozen=True)
class Run:
    """The settings of one question: when to stop, the random seed, and the function that receives progress.

    When optimising, the solutions in `excluding` do not count. `bound`, if given, is a proved limit on the score of the
    others; a backend may start from it. The backend writes down in `effort` what the question costs.
    """

    deadline: Deadline = field(default_factory=Deadline)
    seed: int = 0
    on_progress: Callable[[Progress], None] | None = None
    excluding: tuple[Grid, ...] = ()
    bound: int | None = None
    effort: Effort = field(default_factory=Effort)

    def apart(self) -> Run:
        """The same in a process of its own, where nobody hears of progress, and nobody else can end the question."""
        return replace(self, deadline=Deadline(self.deadline.remaining()), on_progress=None)


class Backend(Protocol):
    """One solver, loaded once and used for many questions. Only the methods of its abilities are called.

    Every method stops soon after the deadline; while it builds a model it may raise `TimeLimitError` instead. It lets
    KeyboardInterrupt through and leaves signal handlers intact. Results have status, grid, score, bound and statistics;
    the services add name and seconds.
    """

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        """Any solution: satisfiable, infeasible, or unknown at the deadline."""
        ...

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        """A best solution that is not excluded, as optimal; infeasible if there is none; at the deadline, feasible with
        the best so far, or unknown."""
        ...

    def ranked(self, puzzle: Puzzle, objective: Objective, run: Run) -> Iterator[Result]:
        """The best solutions, each optimal among those that did not come before it, then infeasible; at the deadline
        the last is feasible or unknown."""
        ...

    def refute(self, puzzle: Puzzle, run: Run) -> Result:
        """As `solve`. If infeasible, with a DRAT proof for the textbook formula."""
        ...

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Every solution once, in any order. Raises `TimeLimitError` at the deadline."""
        ...


def ranked_by_excluding(
    optimise: Callable[[Puzzle, Objective, Run], Result], puzzle: Puzzle, objective: Objective, run: Run
) -> Iterator[Result]:
    """The best solutions in order, each from a run that excludes those before it."""
    while True:
        result = optimise(puzzle, objective, run)
        yield result
        if result.status is not Status.OPTIMAL or result.grid is None:
            return
        run = replace(run, excluding=(*run.excluding, result.grid), bound=result.score)


def solve_by_optimising(optimise: Callable[[Puzzle, Objective, Run], Result], puzzle: Puzzle, run: Run) -> Result:
    """Any solution, from a backend that only optimises: all weights are 0."""
    indifferent = Objective((0,) * puzzle.board.grid_count)
    result = optimise(puzzle, indifferent, Run(run.deadline, run.seed, effort=run.effort))
    status = result.status if result.grid is None else Status.SATISFIABLE
    return Result(status, result.grid, statistics=result.statistics)
