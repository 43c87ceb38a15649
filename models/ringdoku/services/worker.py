"""Processes that answer questions: the program `python -m ringdoku.services.worker`, and `Worker`, which starts it.

Pickles come on standard input: backend, seed, and whether there are others that work on the same puzzle; then lists of
questions, and `News` from those others. A list of answers goes to standard output whenever some are ready, and so does
news. Whatever a solver prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from ringdoku.backends.base import Exchange, News

if TYPE_CHECKING:
    from ringdoku.services.session import Session

FLUSH_SECONDS = 0.005
"""Answers wait no longer than this for those after them in their list."""
END_SECONDS = 1.0
"""For a process to end programs that it started."""


class Worker:
    """A process, and the threads that talk to it. What it says comes to `events`, and None when it ends."""

    def __init__(self, backend: str, seed: int, events: SimpleQueue[tuple[Any, Any]], races: bool = False) -> None:
        # takes as long to load as many puzzles to solve
        import subprocess

        self._events = events
        self._inbox: SimpleQueue[object] = SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ringdoku.services.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C comes to this process alone
            start_new_session=True,
        )
        self._send((backend, seed, races))
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._talk, self._hear)]
        for thread in self._threads:
            thread.start()

    def send(self, message: list[Callable[[Session], Any]] | News) -> None:
        self._inbox.put(message)

    def end(self, seconds: float = END_SECONDS) -> str:
        """Why the process ended, if it did; otherwise it is ended, and has so many seconds to do it itself."""
        self._inbox.put(None)
        if seconds:
            self._process.terminate()
        due = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < due:
            time.sleep(0.01)
        if self._process.poll() is None and hasattr(os, "killpg"):
            # with the programs that it started
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        code = self._process.wait()
        for thread in self._threads:
            thread.join()
        with contextlib.suppress(BrokenPipeError), self._process:
            pass
        return (
            f"its process {self._process.pid} {f'was killed by signal {-code}' if code < 0 else f'ended with {code}'}"
        )

    def _talk(self) -> None:
        while (message := self._inbox.get()) is not None:
            self._send(message)

    def _send(self, message: object) -> None:
        assert self._process.stdin
        # whoever reads the answers sees that the process is gone
        with contextlib.suppress(BrokenPipeError, ValueError):
            pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()

    def _hear(self) -> None:
        assert self._process.stdout
        try:
            while True:
                self._events.put((self, pickle.load(self._process.stdout)))
        except Exception:
            # the end of the process, or an answer that it did not write to its end
            self._events.put((self, None))


def main() -> None:
    """Answer until standard input ends."""
    from ringdoku.services.session import Session

    # ended by the parent as if by Ctrl-C, so that programs it started end too
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)

        def send(message: object) -> None:
            pickle.dump(message, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()

        try:
            backend, seed, races = pickle.load(sys.stdin.buffer)
            session, exchange = Session(backend, seed), Exchange(send)
            if races:
                session.exchange = exchange
            questions: SimpleQueue[list[Callable[[Session], Any]]] = SimpleQueue()
            threading.Thread(target=_read, args=(questions, exchange), daemon=True).start()
            while True:
                for some in _portions(session, questions.get()):
                    send(some)
        except (EOFError, KeyboardInterrupt, BrokenPipeError):
            pass
    # skips the interpreter's clean-up
    os._exit(0)


def _read(questions: SimpleQueue[list[Callable[[Session], Any]]], exchange: Exchange) -> None:
    """Until the parent is gone, however it ended; then nobody waits for an answer."""
    try:
        while True:
            message = pickle.load(sys.stdin.buffer)
            if isinstance(message, News):
                exchange.heard.append(message)
            else:
                questions.put(message)
    except EOFError:
        pass
    except Exception:
        sys.excepthook(*sys.exc_info())
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        # with the programs that this process started
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(0)


def _portions(session: Session, questions: list[Callable[[Session], Any]]) -> Iterator[list[tuple[Any, Any]]]:
    """(answer, None) or (None, error) for each question."""
    portion: list[tuple[Any, Any]] = []
    due = time.monotonic() + FLUSH_SECONDS
    for question in questions:
        try:
            portion.append((question(session), None))
        except Exception as error:
            portion.append((None, error))
        if time.monotonic() >= due:
            yield portion
            portion, due = [], time.monotonic() + FLUSH_SECONDS
    if portion:
        yield portion


if __name__ == "__main__":
    main()
