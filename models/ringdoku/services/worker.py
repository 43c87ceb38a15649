"""The process of a crew: `python -m ringdoku.services.worker`.

Pickles come on standard input: backend and seed, then lists of questions. A list of answers goes to standard output
whenever some are ready. Whatever a solver prints goes to standard error.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from ringdoku.services.session import Session

FLUSH_SECONDS = 0.005
"""Answers wait no longer than this for those after them in their list."""


def main() -> None:
    """Answer until standard input ends."""
    # ended by the parent as if by Ctrl-C, so that programs it started end too
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        try:
            session = Session(*pickle.load(sys.stdin.buffer))
            while True:
                for some in _portions(session, pickle.load(sys.stdin.buffer)):
                    pickle.dump(some, answers, pickle.HIGHEST_PROTOCOL)
                    answers.flush()
        except (EOFError, KeyboardInterrupt, BrokenPipeError):
            pass
    # skips the interpreter's clean-up
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
