"""What stops a run from outside: Ctrl-C, SIGTERM (`timeout`, `kill`), SIGHUP (a terminal that closes).

Each ends it as a KeyboardInterrupt, upon which every solver is left at once and the answers so far are kept.
"""

from __future__ import annotations

SIGINT = 2


class Stopped(KeyboardInterrupt):
    """Another signal than that of Ctrl-C came."""

    def __init__(self, signal_number: int) -> None:
        super().__init__()
        self.signal_number = signal_number


def heed_signals() -> None:
    """From now on SIGTERM and SIGHUP raise `Stopped`, unless whoever started us had them ignored (`nohup`)."""
    import signal

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def ignore_interrupts() -> None:
    """Of a run that is over nothing is left to stop; an interrupt could only make the interpreter's end noisy."""
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
