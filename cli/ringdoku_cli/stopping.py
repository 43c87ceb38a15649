"""What stops a run from outside: Ctrl-C, SIGTERM (`timeout`, `kill`), SIGHUP (a terminal that closes).

Each ends it as a KeyboardInterrupt, upon which every solver is left soon and the answers so far are kept.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

SIGINT = 2
MOMENT = 0.01


class Stopped(KeyboardInterrupt):
    """A signal came, not by way of Python's own handler of Ctrl-C."""

    def __init__(self, signal_number: int) -> None:
        super().__init__()
        self.signal_number = signal_number


def heed_signals() -> None:
    """From now on SIGTERM and SIGHUP raise `Stopped`, unless whoever started us had them ignored (`nohup`)."""
    import signal

    sys.unraisablehook = _raise_later
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _raise_later(lost: UnraisableHookArgs) -> None:
    """Where Python cannot raise, in a callback of its own imports for example, it would drop what stops us."""
    import signal

    code = stopped_code(lost.exc_value) if lost.exc_value else None
    if code is None or not hasattr(signal, "setitimer"):
        sys.__unraisablehook__(lost)
        return
    # raised in here it would be lost once more
    signal.signal(signal.SIGALRM, lambda _number, frame: _stop(code - 128, frame))
    signal.setitimer(signal.ITIMER_REAL, MOMENT)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C once the run is over, when it could only print a traceback while the interpreter ends."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def stopped_code(error: BaseException) -> int | None:
    """128 + the signal's number where one is behind `error`: what it cut short, such as an import, may have made
    another error of it. None where none is."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, KeyboardInterrupt):
            return 128 + getattr(cause, "signal_number", SIGINT)
        cause = cause.__cause__ or cause.__context__
    return None


def _stop(number: int, _frame: object) -> None:
    raise Stopped(number)
