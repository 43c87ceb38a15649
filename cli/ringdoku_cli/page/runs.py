"""Runs of the page: each question is answered by a process of its own, so that ending the process cancels it.

One process that has loaded the solvers waits for the next question. Several questions at once have a process each.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator
from functools import cache, partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from ringdoku.domain.errors import DisagreementError, RingdokuError, TimeLimitError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.services import Session
from ringdoku.services.pool import LOOK_SECONDS, Processes
from ringdoku_cli.page.answers import answer

MOST_AT_ONCE = 6
"""Runs at the same time; all tabs together."""

BUG = "this is a bug in ringdoku, please report it with the puzzle"

Event = tuple[str, Any]
"""What is told of a run: `progress` any number of times, then one `result` or `error`; and its data."""


class Runs:
    """All runs, and the process that waits."""

    def __init__(self) -> None:
        self.closed = False
        self._open: set[Processes] = set()
        self._waiting: Processes | None = None

    def warm(self) -> None:
        """Have a process that waits."""
        if self._waiting is None:
            self._waiting = Processes(1)
            self._waiting.submit(_load)

    @property
    def is_full(self) -> bool:
        """Whether `MOST_AT_ONCE` runs are not done."""
        return len(self._open) >= MOST_AT_ONCE

    async def events(self, question: object) -> AsyncIterator[Event]:
        """What is told of the answer to a question, as it comes; to close the iterator is to cancel the run."""
        process, self._waiting = self._waiting or Processes(1), None
        self._open.add(process)
        here, there = Pipe(duplex=False)
        future = process.submit(partial(_answered, question, there))
        can_stay = False
        try:
            while not self.closed and (here.poll() or not future.done()):
                if here.poll():
                    yield "progress", here.recv()
                else:
                    await asyncio.sleep(LOOK_SECONDS)
            if not future.done():
                yield "error", {"text": "ringdoku has ended."}
            elif error := future.exception():
                why = process.failure(error)
                yield "error", {"text": f"The question failed: {why}. Ask again: a new process is ready."}
            else:
                yield future.result()
                can_stay = self._waiting is None
        finally:
            self._open.discard(process)
            if can_stay:
                self._waiting = process
            _end(None if can_stay else process, here, there)
            if not self.closed:
                self.warm()

    def close(self) -> None:
        """End all processes, and with them all streams of events."""
        self.closed = True
        _end(self._waiting)


def _end(process: Processes | None, *pipe: Connection) -> None:
    """End a process, and close its pipe after that, so that it never writes to a closed one."""

    def end() -> None:
        if process is not None:
            process.shutdown(cancel_futures=True)
        for side in pipe:
            side.close()

    # a solver may take a moment to end
    Thread(target=end).start()


def _load() -> None:
    """In a process: load the solvers."""
    _session().maximise(Puzzle.blank(4))


@cache
def _session() -> Session:
    return Session()


def _answered(question: object, progress: Connection) -> Event:
    """In a process: the answer to a question."""
    try:
        return "result", answer(question, _session(), progress.send)
    except Exception as error:
        return "error", {"text": _text(error), "can_ignore": "--ignore" in str(error)}


def _text(error: Exception) -> str:
    match error:
        case TimeLimitError():
            return "The time limit came first."
        case DisagreementError():
            return f"WRONG ANSWER: {error}; {BUG}"
        case RingdokuError():
            return str(error)
        case MemoryError():
            return "out of memory"
    traceback.print_exception(error)
    return f"{type(error).__name__}: {BUG}"
