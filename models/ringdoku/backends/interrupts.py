"""Ctrl-C while a solver written in C or C++ runs.

PySAT answers it with an exception of its own and leaves SIGINT blocked; CP-SAT takes the handler away. Both are
put right here, so that what a caller sees is a KeyboardInterrupt, and the next one works too.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def solver_interrupts() -> Iterator[None]:
    """Around a solver call: Ctrl-C leaves it as KeyboardInterrupt with signal handling as it was before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.getsignal(signal.SIGINT)
    try:
        yield
    except Exception as error:
        if "keyboard interrupt" in str(error):
            raise KeyboardInterrupt from None
        raise
    finally:
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
