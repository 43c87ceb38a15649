"""One hard question on several cores: other backends, the rivals, ask it too in processes of their own.

They start when the question has been open in this process for a while, since most are answered before. The first proof
counts, whoever has it, and ends all. What one finds meanwhile, a better solution or bound, the others hear.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ringdoku.domain.checker import check
from ringdoku.domain.errors import DisagreementError, RingdokuError
from ringdoku.domain.objective import Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result
from ringdoku.solvers.base import Exchange, News

if TYPE_CHECKING:
    from ringdoku.services.crew import Events, Place, Process
    from ringdoku.services.session import Session

OPEN_SECONDS = 0.4
"""Before rivals start, each of which takes as long to start."""


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
        self._begun = False
        self._running: dict[Place, tuple[str, Process]] = {}
        self._events: Events = SimpleQueue()
        self._won: Result | None = None
        self._known = News()
        self.exchange = Exchange(self._send)

    def __enter__(self) -> Race:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for _, process in self._running.values():
            process.end(seconds=0)

    def look(self) -> bool:
        """Raises `DisagreementError` for a solution of a rival that is none."""
        if not self._begun:
            if time.monotonic() >= self._start:
                self._begin()
            return False
        while self._won is None:
            try:
                place, messages = self._events.get_nowait()
            except Empty:
                return False
            if place in self._running:
                self._take(*self._running[place], messages)
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
        # it takes longer to load than most questions
        from ringdoku.services.crew import Process

        self._begun = True
        try:
            for name in self._rivals:
                process = Process((name, self._seed), self._events)
                self._running[process] = name, process
                process.tell(self._known)
                process.ask([self._question])
        except OSError as error:
            self._on_death(f"backend {name} is not in the race: {error.strerror or error}")

    def _take(self, name: str, process: Process, messages: list[Any] | None) -> None:
        for message in messages or [(None, None)]:
            if isinstance(message, News):
                if message.grid is not None and (violations := check(self._puzzle, message.grid)):
                    raise DisagreementError(f"backend {name} gave a wrong answer: {violations[0]}")
                self.exchange.heard.append(message)
                self._send(message, process)
                continue
            result, error = message
            if result is not None and result.status.is_final:
                self._won = result
                return
            del self._running[process]
            why = process.end(seconds=0)
            if isinstance(error, DisagreementError):
                raise error
            if messages is None:
                self._on_death(f"backend {name} dropped out of the race: its {why}")
            elif error is not None and not isinstance(error, RingdokuError):
                self._on_death(f"backend {name} dropped out of the race: {error!r}")

    def _send(self, news: News, but: Process | None = None) -> None:
        self._known = self._known.then(news)
        for _, process in self._running.values():
            if process is not but:
                process.tell(news)


def _said(result: Result) -> str:
    return result.status.value if result.score is None else f"{result.status.value} {result.score}"
