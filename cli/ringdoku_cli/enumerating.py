"""Goes through the solutions of a puzzle, up to a limit, and displays how many were found; or counts them exactly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.services import Session, count_exactly
from ringdoku.solvers.base import Ability
from ringdoku.solvers.registry import find
from ringdoku.text import Entry
from ringdoku_cli.messages import note
from ringdoku_cli.render.display import Display


@dataclass(frozen=True)
class Watch:
    """Where an enumeration in this process shows how far it is, and for which puzzle."""

    display: Display
    entry: Entry


class Enumeration:
    """The solutions of one puzzle, each once; to be iterated over once.

    `count` is how many there were so far; at the end `is_complete` says whether these are all solutions. They are not
    if the time limit (seconds) passed, `timed_out`, or if there is one more than `at_most`. `seconds` is wall-clock
    time up to the last.
    """

    def __init__(
        self,
        session: Session,
        puzzle: Puzzle,
        at_most: int | None,
        time_limit: float | None,
        watch: Watch | None = None,
    ) -> None:
        self.count = 0
        self.is_complete = False
        self.backend = find(session.backend, Ability.ENUMERATE, puzzle=puzzle).name
        self.timed_out = False
        self.seconds = 0.0
        self._session = session
        self._puzzle = puzzle
        self._at_most = at_most
        self._time_limit = time_limit
        self._watch = watch

    def __iter__(self) -> Iterator[Result]:
        start = time.perf_counter()
        try:
            if self._watch:
                self._watch.display.begin("no solution yet")
            for grid in self._session.solutions(self._puzzle, self._time_limit):
                if self.count == self._at_most:
                    return
                self.count += 1
                if self._watch:
                    self._watch.display.hear(f"{counted(self.count, 'solution')} so far")
                self.seconds = time.perf_counter() - start
                yield Result(Status.SATISFIABLE, grid, backend=self.backend, seconds=self.seconds, rank=self.count)
        except TimeLimitError:
            self.timed_out = True
            return
        except KeyboardInterrupt:
            if self._watch:
                note(f"{self._watch.entry.place}: interrupted: at least {counted(self.count, 'solution')}")
            raise
        finally:
            self.seconds = time.perf_counter() - start
            if self._watch:
                self._watch.display.end()
        self.is_complete = True


class ExactCount:
    """The solutions of one puzzle, counted without finding each. At the time limit (seconds) nothing is known of them:
    `count` is None."""

    backend = "ganak"

    def __init__(self, entry: Entry, time_limit: float | None, display: Display) -> None:
        start = time.perf_counter()
        self.count: int | None = None
        display.begin("counting")
        try:
            self.count = count_exactly(entry.puzzle, time_limit)
        except TimeLimitError:
            pass
        except KeyboardInterrupt:
            note(f"{entry.place}: interrupted before its solutions were counted")
            raise
        finally:
            display.end()
        self.seconds = time.perf_counter() - start

    @property
    def is_complete(self) -> bool:
        return self.count is not None

    @property
    def text(self) -> str:
        return "unknown" if self.count is None else str(self.count)
