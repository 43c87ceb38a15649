"""The process of a crew: `python -m ringdoku.services.worker`.

Pickles come on standard input: backend and seed, then lists of questions. A list of answers goes to standard output
whenever some are ready. For a rival in a race, news go both ways too, and come before its question. Whatever a solver
prints goes to standard error. Two threads read and write beside the solvers, which pause often enough to heed Ctrl-C:
an answer does not wait for the next one, and the process ends with its parent.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

from ringdoku.services.session import Session
from ringdoku.solvers.base import Exchange, News

FLUSH_SECONDS = 0.005
"""Answers that come so soon after another are sent with it."""

Question = Callable[[Session], Any]
Answer = tuple[Any, Any]
"""(answer, None) or (None, error)."""


def main() -> None:
    """Answer until standard input ends."""
    with suppress(KeyboardInterrupt):
        # as if by Ctrl-C, so that programs it started end too
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        _answer()
    # skips the interpreter's clean-up
    os._exit(0)


def _answer() -> None:
    session = Session(*pickle.load(sys.stdin.buffer))
    lists: SimpleQueue[list[Question] | None] = SimpleQueue()
    answers: SimpleQueue[Answer | News] = SimpleQueue()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    threading.Thread(target=_receive, args=(lists, session, answers.put), daemon=True).start()
    threading.Thread(target=_send, args=(answers, output), daemon=True).start()
    while (questions := lists.get()) is not None:
        for question in questions:
            answers.put(_answered(question, session))


def _answered(question: Question, session: Session) -> Answer:
    try:
        return question(session), None
    except Exception as error:
        return None, error


def _receive(lists: SimpleQueue[list[Question] | None], session: Session, tell: Callable[[News], None]) -> None:
    try:
        with suppress(EOFError):
            while True:
                message = pickle.load(sys.stdin.buffer)
                if isinstance(message, News):
                    session.exchange = session.exchange or Exchange(tell)
                    session.exchange.heard.append(message)
                else:
                    lists.put(message)
    finally:
        # nobody reads answers any more
        lists.put(None)
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


def _send(answers: SimpleQueue[Answer | News], output: BinaryIO) -> None:
    try:
        while True:
            portion = [answers.get()]
            time.sleep(FLUSH_SECONDS)
            portion += (answers.get() for _ in range(answers.qsize()))
            pickle.dump(portion, output, pickle.HIGHEST_PROTOCOL)
            output.flush()
    except BrokenPipeError:
        pass
    except Exception:
        # an answer that cannot be pickled
        traceback.print_exc()
    os._exit(1)


if __name__ == "__main__":
    main()
