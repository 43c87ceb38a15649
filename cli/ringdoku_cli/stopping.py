"""What stops a run from outside: Ctrl-C, SIGTERM (`timeout`, `kill`), SIGHUP (a terminal that closes), lack of memory.

Each signal raises a KeyboardInterrupt, upon which every solver stops soon and the answers so far are kept.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sys import UnraisableHookArgs

SIGINT = 2
MOMENT = 0.01

ENOMEM = 12
UNMAPPED = ("failed to map segment", "cannot allocate memory")
"""What the dynamic linker of Linux says of a library for which there is no memory."""

ROOM = 100 << 20
"""Bytes of addresses that numpy takes when it is loaded, with one thread, and some more."""


class Stopped(KeyboardInterrupt):
    """The run was stopped by a signal other than that of Ctrl-C, for which Python has a handler of its own."""

    def __init__(self, signal_number: int) -> None:
        super().__init__()
        self.signal_number = signal_number


def heed_signals() -> None:
    """Let SIGTERM and SIGHUP raise `Stopped`, unless they were ignored when the program started (`nohup`)."""
    import signal

    sys.unraisablehook = _raise_later
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _raise_later(lost: UnraisableHookArgs) -> None:
    """Python drops an exception that it cannot raise, in a callback of its own imports for example. One that stops the
    run is raised a moment later instead."""
    import signal

    code = stopped_code(lost.exc_value) if lost.exc_value else None
    if code is None or not hasattr(signal, "setitimer"):
        sys.__unraisablehook__(lost)
        return
    # raised here, it would be lost again
    signal.signal(signal.SIGALRM, lambda _number, frame: _stop(code - 128, frame))
    signal.setitimer(signal.ITIMER_REAL, MOMENT)


def stopped_code(error: BaseException) -> int | None:
    """128 + the number of the signal that caused `error`, None where none did.

    What the signal cut short, such as an import, may have raised another error.
    """
    for cause in _causes(error):
        if isinstance(cause, KeyboardInterrupt):
            return 128 + getattr(cause, "signal_number", SIGINT)
    return None


def lacks_memory(error: BaseException) -> bool:
    """Whether too little memory caused `error`; an import then fails with an error of the dynamic linker."""
    return any(
        isinstance(cause, MemoryError)
        or (isinstance(cause, OSError) and cause.errno == ENOMEM)
        or (isinstance(cause, ImportError) and any(words in str(cause).lower() for words in UNMAPPED))
        for cause in _causes(error)
    )


def require_room() -> None:
    """Raises `MemoryError` when numpy could not be loaded: its OpenBLAS would end the process with exit code 1, which
    stands for "no solution"."""
    if "numpy" in sys.modules:
        return
    import mmap

    try:
        mmap.mmap(-1, ROOM).close()
    except OSError:
        raise MemoryError from None


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _stop(number: int, _frame: object) -> None:
    raise Stopped(number)
