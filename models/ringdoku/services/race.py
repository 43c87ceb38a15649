"""One hard question on several cores: other backends, the rivals, ask it too in processes of their own.

They start when the question has been open in this process for a while, since most are answered before. The first proof
counts, whoever has it, and ends all. What one finds meanwhile, a better solution or bound, the others hear.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ringdoku.backends.base import Exchange, News
from ringdoku.domain.checker import check
from ringdoku.domain.errors import DisagreementError, RingdokuError
from ringdoku.domain.objective import Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result

if TYPE_CHECKING:
    from ringdoku.services.session import Session
    from ringdoku.services.worker import Worker

OPEN_SECONDS = 0.4
"""Before rivals start, each of which takes as long to start."""


def cores() -> int:
    """As many as this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Race:
    """A question that this process asks too; a context manager around that.

    `rivals` are names of backends; `question` can be pickled. `look` starts them when it is
    time, and says whether one of them has the answer. `on_death` hears why a rival dropped out. `sense` is that of the
    objective, if there is one.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rivals: Sequence[str],
        seed: int,
        question: Callable[[Session], Result],
        on_death: Callable[[str], object],
        sense: Sense | None = None,
    ) -> None:
        self._puzzle = puzzle
        self._sense = sense
        self._rivals = rivals
        self._seed = seed
        self._question = question
        self._on_death = on_death
        self._start = time.monotonic() + OPEN_SECONDS
        self._running: dict[Worker, str] | None = None
        self._events: SimpleQueue[tuple[Worker, Any]] = SimpleQueue()
        self._won: Result | None = None
        self._known = News()
        self.exchange = Exchange(self._send)

    def __enter__(self) -> Race:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._running or ():
            worker.end(seconds=0)

    def look(self) -> bool:
        """Raises `DisagreementError` for a solution of a rival that is none."""
        if self._running is None:
            if time.monotonic() >= self._start:
                self._begin()
            return False
        while self._won is None:
            try:
                worker, message = self._events.get_nowait()
            except Empty:
                return False
            self._take(worker, message)
        return True

    def answer(self, here: Result) -> Result:
        """The result of the race, where this process ended with `here`. Raises `DisagreementError` where it contradicts
        a rival's proof."""
        won = self._won
        if won is None:
            return here
        differ = here.status.is_final and (here.status, here.score) != (won.status, won.score)
        if differ or (here.grid is not None and (won.grid is None or self._better(here, won))):
            raise DisagreementError(
                f"backend {here.backend} says {_said(here)}, and backend {won.backend} {_said(won)}"
            )
        return replace(won, seconds=here.seconds)

    def _better(self, here: Result, won: Result) -> bool:
        """Whether a solution scores more than the best."""
        if self._sense is None or here.score is None or won.score is None:
            return False
        return self._sense.better(here.score, won.score)

    def _begin(self) -> None:
        # subprocesses, which most questions do without
        from ringdoku.services.worker import Worker

        self._running = {}
        try:
            for name in self._rivals:
                worker = Worker(name, self._seed, self._events, races=True)
                self._running[worker] = name
                worker.send([self._question])
                worker.send(self._known)
        except OSError as error:
            self._on_death(f"backend {name} is not in the race: {error.strerror or error}")

    def _take(self, worker: Worker, message: Any) -> None:
        assert self._running is not None
        if worker not in self._running:
            return
        name = self._running[worker]
        if isinstance(message, News):
            if message.grid is not None and (violations := check(self._puzzle, message.grid)):
                raise DisagreementError(f"backend {name} gave a wrong answer: {violations[0]}")
            self.exchange.heard.append(message)
            self._send(message, worker)
            return
        ((result, error),) = message or [(None, None)]
        if result and result.status.is_final:
            self._won = result
            return
        del self._running[worker]
        why = worker.end(seconds=0)
        if isinstance(error, DisagreementError):
            raise error
        if message is None:
            self._on_death(f"backend {name} dropped out of the race: {why}")
        elif error is not None and not isinstance(error, RingdokuError):
            self._on_death(f"backend {name} dropped out of the race: {error!r}")

    def _send(self, news: News, but: Worker | None = None) -> None:
        self._known = self._known.then(news)
        for worker in self._running or ():
            if worker is not but:
                worker.send(news)


def _said(result: Result) -> str:
    return result.status.value if result.score is None else f"{result.status.value} {result.score}"
