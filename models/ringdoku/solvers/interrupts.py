"""Ctrl-C while a solver of PySAT runs.

PySAT handles it by a long jump out of the solver, which leaves the solver broken and SIGINT blocked, and raises an
exception of its own. It does this in the main thread only. Here PySAT is made to believe that this is another thread.
Then it leaves signals alone, and Python raises KeyboardInterrupt as soon as the call returns.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pysat._utils import MainThread  # noqa: TID253 - this module itself is loaded on use


@contextmanager
def python_handles_signals() -> Iterator[None]:
    """Around calls of solvers: Ctrl-C becomes a KeyboardInterrupt after the call, and the solver stays usable."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    check = MainThread.check
    MainThread.check = _is_another_thread
    try:
        yield
    finally:
        MainThread.check = check


def _is_another_thread() -> bool:
    return False
