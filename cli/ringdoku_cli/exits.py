"""How a run ends and what it says of it: exit codes, messages on standard error, and signals.

Ctrl-C, SIGTERM (`timeout`, `kill`) and SIGHUP (a terminal that closes) raise a KeyboardInterrupt, upon which every
solver stops soon and the answers so far are kept. Nothing that a user can cause is a traceback.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import IntEnum


class Exit(IntEnum):
    """How a command ended, as the shell sees it."""

    OK = 0
    """Every question was answered; for `solve` with a solution, for `check` with "right"."""
    NEGATIVE = 1
    """A puzzle has no solution (`solve`), or it or its solution is wrong (`check`)."""
    USAGE = 2
    """Wrong arguments, malformed input, a file or a package that is missing, or a solver program that failed."""
    UNKNOWN = 3
    """The time limit or the memory was not enough to answer every puzzle: what commands say of a result that is
    unknown, and of `Job.lost`, what there is without an answer."""
    BUG = 4
    """Two of our own ways disagree, or there was an unexpected error: please report it."""
    SATISFIABLE = 10
    """A solution was found (`solve --output-format competition` only)."""
    UNSATISFIABLE = 20
    """There is no solution (`solve --output-format competition` only)."""
    ACCEPTED = 42
    """The output of a program is right (`judge --style kattis` only)."""
    REJECTED = 43
    """The output of a program is wrong (`judge --style kattis` only)."""
    HUNG_UP = 129
    """Stopped because the terminal was closed; the answers before that are kept."""
    INTERRUPTED = 130
    """Stopped by Ctrl-C; the answers before that are kept."""
    BROKEN_PIPE = 141
    """The reader of standard output, such as `head`, closed it."""
    TERMINATED = 143
    """Stopped by SIGTERM; the answers before that are kept."""


def worst(*exits: Exit) -> Exit:
    """The most severe, in this order: 130, 141, 4, 2, 3, 1, 20, 10, 0."""
    return min(exits, key=(130, 141, 4, 2, 3, 1, 20, 10, 0).index, default=Exit.OK)


REPORT = "this is a bug in ringdoku, please report it with the input that shows it"


def note(message: object) -> None:
    """Prints `ringdoku: …` on standard error, which may be closed, or be a terminal that was closed."""
    show(f"ringdoku: {printable(str(message))}\n")


def show(text: str) -> None:
    """Writes on standard error, on a terminal in place of a line that was not ended."""
    if sys.stderr is not None:
        with suppress(OSError):
            # in one piece: another program may print on the same terminal
            sys.stderr.write(f"\r\x1b[K{text}" if can_erase() else text)
            sys.stderr.flush()


def can_erase() -> bool:
    """Whether standard error is a terminal that knows how to erase a line."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def printable(text: str) -> str:
    """The text, with a backslash escape for every character that a terminal acts upon: controls, direction marks."""
    return "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in text)


def heed_signals() -> None:
    """Let SIGTERM and SIGHUP raise a KeyboardInterrupt with their number, unless `nohup` has them ignored."""
    sys.unraisablehook = _raise_later
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, _frame: object) -> None:
    raise KeyboardInterrupt(number)


def _raise_later(lost: "sys.UnraisableHookArgs") -> None:
    """Python drops an exception that it cannot raise, in a callback of its own imports for example. One that stops the
    run is raised a moment later instead: here it would be lost again."""
    code = stopped_code(lost.exc_value) if lost.exc_value else None
    if code is None or not hasattr(signal, "setitimer"):
        sys.__unraisablehook__(lost)
        return
    signal.signal(signal.SIGALRM, lambda _number, frame: _stop(code - 128, frame))
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def stopped_code(error: BaseException) -> int | None:
    """128 + the number of the signal that caused `error`, None where none did. What the signal cut short, such as an
    import, may have raised another error."""
    stops = (cause for cause in _causes(error) if isinstance(cause, KeyboardInterrupt))
    return next((128 + (stop.args[0] if stop.args else 2) for stop in stops), None)


def lacks_memory(error: BaseException) -> bool:
    """Whether too little memory caused `error`; an import then fails with an error of the dynamic linker."""
    unmapped = ("failed to map segment", "cannot allocate memory")
    return any(
        isinstance(cause, MemoryError)
        or (isinstance(cause, OSError) and cause.errno == errno.ENOMEM)
        or (isinstance(cause, ImportError) and any(words in str(cause).lower() for words in unmapped))
        for cause in _causes(error)
    )


def require_room() -> None:
    """Raises `MemoryError` without room for numpy, whose OpenBLAS would exit with 1, as for "no solution"."""
    if "numpy" not in sys.modules:
        import mmap

        try:
            # the addresses that it takes with one thread, and some more
            mmap.mmap(-1, 100 << 20).close()
        except OSError:
            raise MemoryError from None


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def outcome(action: Callable[[], Exit], fault: Exit = Exit.USAGE) -> Exit:
    """The exit code of `action`; an error is reported on standard error, and is `fault` where the user can mend it.
    What ends a program in another way, such as `SystemExit`, is raised again."""
    try:
        return action()
    except BaseException as error:
        if (stopped := stopped_code(error)) is not None:
            return Exit(stopped)
        text, code = said_of(error, fault)
        if isinstance(error, OSError):
            # what is still buffered goes nowhere: the interpreter flushes it at its end, and would fail again
            with suppress(OSError, ValueError, AttributeError), open(os.devnull, "wb") as null:  # noqa: PTH123  shorter
                os.dup2(null.fileno(), sys.stdout.fileno())
        if text:
            note(f"error: {text}")
        return code


def said_of(error: BaseException, fault: Exit = Exit.USAGE) -> tuple[str, Exit]:
    """What to say of an error, nothing where nobody listens, and the exit code."""
    if lacks_memory(error):
        # nothing is loaded for it
        return "out of memory", Exit.UNKNOWN

    import traceback

    from ringdoku.domain.errors import DisagreementError, RingdokuError

    match error:
        case BrokenPipeError():
            return "", Exit.BROKEN_PIPE
        case DisagreementError():
            return f"WRONG ANSWER: {error}; unless a program of yours gave it, {REPORT}", Exit.BUG
        case RingdokuError():
            return str(error), fault
        case OSError():
            return f"reading or writing failed: {error.strerror or error}", fault
        case Exception():
            # 1 means "no solution", so an unexpected error has a code of its own
            traceback.print_exception(error)
            return REPORT, Exit.BUG
    raise error
