"""How a run ends: exit codes, messages on standard error, signals, and the exit code and message of each error.

Ctrl-C, SIGTERM (`timeout`, `kill`) and SIGHUP (a terminal that closes) raise a KeyboardInterrupt: every solver stops
soon, and the answers so far are kept. Nothing that a user does may end in a traceback.
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
    """The time limit or the memory was not enough to answer every puzzle. Commands return it for an unknown result,
    and for `Job.unknown`, which stands for an answer that did not arrive."""
    BUG = 4
    """Two of our own methods disagree, or there was an unexpected error: please report it."""
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
    """Print `ringdoku: …` on standard error; nothing happens if that is closed, or a terminal that was closed."""
    show(f"ringdoku: {printable(str(message))}\n")


def show(text: str) -> None:
    """Write on standard error; on a terminal, erase an unfinished line (of `Progress`) first."""
    if sys.stderr is not None:
        with suppress(OSError):
            # in one write: another program may print on the same terminal
            sys.stderr.write(f"\r\x1b[K{text}" if can_erase() else text)
            sys.stderr.flush()


def can_erase() -> bool:
    """Whether standard error is a terminal that can erase a line."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def printable(text: str) -> str:
    """The text with every character that controls a terminal, direction marks too, as a backslash escape."""
    return "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in text)


def install_signal_handlers() -> None:
    """Make SIGTERM and SIGHUP raise a KeyboardInterrupt with their number, unless they are ignored, as by `nohup`."""
    sys.unraisablehook = _interrupt_later
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(number: int, _frame: object) -> None:
    raise KeyboardInterrupt(number)


def _interrupt_later(unraisable: "sys.UnraisableHookArgs") -> None:
    """Python drops an exception where it cannot raise one, for example in a callback during an import. A signal that
    was dropped so is raised again by an alarm a moment later; raised here it would be dropped too."""
    code = signal_exit_code(unraisable.exc_value) if unraisable.exc_value else None
    if code is None or not hasattr(signal, "setitimer"):
        sys.__unraisablehook__(unraisable)
        return
    signal.signal(signal.SIGALRM, lambda _number, frame: _interrupt(code - 128, frame))
    signal.setitimer(signal.ITIMER_REAL, 0.01)


def signal_exit_code(error: BaseException) -> int | None:
    """128 + the number of the signal that caused `error`, or None if no signal did. `error` itself may be another one:
    an import that a signal interrupts may raise an error of its own."""
    interrupts = (cause for cause in _causes(error) if isinstance(cause, KeyboardInterrupt))
    return next((128 + (interrupt.args[0] if interrupt.args else 2) for interrupt in interrupts), None)


def lacks_memory(error: BaseException) -> bool:
    """Whether lack of memory caused `error`. An import that lacks memory fails with an error of the dynamic linker."""
    linker_messages = ("failed to map segment", "cannot allocate memory")
    return any(
        isinstance(cause, MemoryError)
        or (isinstance(cause, OSError) and cause.errno == errno.ENOMEM)
        or (isinstance(cause, ImportError) and any(text in str(cause).lower() for text in linker_messages))
        for cause in _causes(error)
    )


def require_memory() -> None:
    """Raise `MemoryError` if numpy cannot be loaded: its OpenBLAS would exit with 1, which means "no solution"."""
    if "numpy" not in sys.modules:
        import mmap

        try:
            # a little more than the address space that it takes with one thread
            mmap.mmap(-1, 100 << 20).close()
        except OSError:
            raise MemoryError from None


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def exit_code_of(action: Callable[[], Exit], error_exit: Exit = Exit.USAGE) -> Exit:
    """Run `action` and return its exit code. An error is reported on standard error; the code of one that the user can
    mend is `error_exit`. Exceptions such as `SystemExit` are raised again."""
    try:
        return action()
    except BaseException as error:
        if (signal_code := signal_exit_code(error)) is not None:
            return Exit(signal_code)
        text, code = message_and_code(error, error_exit)
        if isinstance(error, OSError):
            # standard output may be broken: the interpreter flushes it at exit, which must not fail again
            with suppress(OSError, ValueError, AttributeError), open(os.devnull, "wb") as null:  # noqa: PTH123  shorter
                os.dup2(null.fileno(), sys.stdout.fileno())
        if text:
            note(f"error: {text}")
        return code


def message_and_code(error: BaseException, error_exit: Exit = Exit.USAGE) -> tuple[str, Exit]:
    """The message and the exit code of an error; the message is empty where the reader of the output has gone."""
    if lacks_memory(error):
        # first, since the imports below would need memory
        return "out of memory", Exit.UNKNOWN

    import traceback

    from ringdoku.domain.errors import DisagreementError, RingdokuError

    match error:
        case BrokenPipeError():
            return "", Exit.BROKEN_PIPE
        case DisagreementError():
            return f"WRONG ANSWER: {error}; unless a program of yours gave it, {REPORT}", Exit.BUG
        case RingdokuError():
            return str(error), error_exit
        case OSError():
            where = f" {error.filename}" if error.filename else ""
            return f"reading or writing{where} failed: {error.strerror or error}", error_exit
        case Exception():
            # 1 means "no solution", so an unexpected error has a code of its own
            traceback.print_exception(error)
            return REPORT, Exit.BUG
    raise error
