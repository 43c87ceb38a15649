"""Ask one backend many questions: it stays live between them, and every answer is checked before it is returned."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from ringdoku.backends.base import Ability, Backend, Deadline, Progress, Run
from ringdoku.backends.registry import find
from ringdoku.domain.checker import check, check_result
from ringdoku.domain.errors import DisagreementError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result


class Session:
    """`backend` is a name of `BACKENDS`, or `auto` for the fastest way of each question.

    Raises `UsageError` for an unknown name and `MissingPackageError` when a package is missing, both at the first
    question.
    """

    def __init__(self, backend: str = "auto", seed: int = 0) -> None:
        self.backend = backend
        self.seed = seed
        self._live: dict[str, Backend] = {}

    def solve(self, puzzle: Puzzle, time_limit: float | None = None) -> Result:
        """Any one solution. `time_limit` in seconds, None for none."""
        name, backend = self._open(Ability.SATISFY, puzzle)
        return check_result(puzzle, self._ask(name, lambda run: backend.solve(puzzle, run), time_limit))

    def optimise(
        self,
        puzzle: Puzzle,
        objective: Objective,
        time_limit: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Result:
        """A solution of best score, proved, or at the time limit the best found with a proved bound."""
        objective.fits(puzzle.geometry)
        name, backend = self._open(Ability.OPTIMISE, puzzle)
        result = self._ask(name, lambda run: backend.optimise(puzzle, objective, run), time_limit, on_progress)
        return check_result(puzzle, result, objective)

    def enumerate(self, puzzle: Puzzle, time_limit: float | None = None) -> Iterator[Grid]:
        """Every solution once, each checked. Raises `TimeLimitError` when the limit comes first."""
        name, backend = self._open(Ability.ENUMERATE, puzzle)
        for grid in backend.enumerate(puzzle, Run(_deadline(time_limit), self.seed)):
            if violations := check(puzzle, grid):
                raise DisagreementError(f"backend {name} gave a wrong answer: {'; '.join(map(str, violations))}")
            yield grid

    def _open(self, ability: Ability, puzzle: Puzzle) -> tuple[str, Backend]:
        entry = find(self.backend, ability, order=puzzle.order)
        if entry.name not in self._live:
            self._live[entry.name] = entry.open()
        return entry.name, self._live[entry.name]

    def _ask(
        self,
        name: str,
        question: Callable[[Run], Result],
        time_limit: float | None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Result:
        start = time.perf_counter()
        result = question(Run(_deadline(time_limit), self.seed, on_progress))
        return replace(result, backend=name, seconds=time.perf_counter() - start)


def _deadline(time_limit: float | None) -> Deadline:
    if time_limit is not None and not 0 < time_limit < float("inf"):
        raise UsageError(f"a time limit is a positive number of seconds, not {time_limit}")
    return Deadline(time_limit)
