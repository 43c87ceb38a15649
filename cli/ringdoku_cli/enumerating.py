"""Goes through the solutions of a puzzle, up to a limit."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.services import Session
from ringdoku.solvers.base import Ability
from ringdoku.solvers.registry import find
from ringdoku_cli.progress import Progress


class Enumeration:
    """The solutions of one puzzle, each once; to be iterated over once.

    `count` is how many there were so far; at the end `is_complete` says whether these are all solutions. They are not
    if the time limit (seconds) passed, `timed_out`, or if there is one more than `at_most`. `seconds` is wall-clock
    time up to the last.
    """

    def __init__(
        self, session: Session, puzzle: Puzzle, at_most: int | None, time_limit: float | None, progress: Progress
    ) -> None:
        self.count = 0
        self.is_complete = False
        self.backend = find(session.backend, Ability.ENUMERATE, puzzle=puzzle).name
        self.timed_out = False
        self.seconds = 0.0
        self._solutions = session.solutions(puzzle, time_limit)
        self._at_most = at_most
        self._progress = progress

    def __iter__(self) -> Iterator[Result]:
        start = time.perf_counter()
        self._progress.hear("no solution yet")
        try:
            for grid in self._solutions:
                if self.count == self._at_most:
                    return
                self.count += 1
                self._progress.hear(f"at least {counted(self.count, 'solution')}")
                self.seconds = time.perf_counter() - start
                yield Result(Status.SATISFIABLE, grid, backend=self.backend, seconds=self.seconds, rank=self.count)
        except TimeLimitError:
            self.timed_out = True
            return
        finally:
            self.seconds = time.perf_counter() - start
        self.is_complete = True
