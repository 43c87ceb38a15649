"""Around every command: however it ends, it ends with an exit code; nothing that a user can cause is a traceback."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable
from typing import ParamSpec

import typer

from ringdoku.domain.errors import DisagreementError, RingdokuError
from ringdoku.solvers.registry import NUMPY, naming_what_is_missing
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import complain
from ringdoku_cli.stopping import lacks_memory, require_room, stopped_code

Arguments = ParamSpec("Arguments")

REPORT = "this is a bug in ringdoku, please report it with the input that shows it"


def guarded(command: Callable[Arguments, Exit], fault: Exit = Exit.USAGE) -> Callable[Arguments, None]:
    """`command` as typer wants it: it raises `typer.Exit` with its exit code, `fault` after an error of the user."""

    @functools.wraps(command)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        def with_numpy() -> Exit:
            require_room()
            with naming_what_is_missing("ringdoku", NUMPY):
                return command(*args, **kwargs)

        raise typer.Exit(int(outcome(with_numpy, fault)))

    return run


def outcome(action: Callable[[], Exit], fault: Exit = Exit.USAGE) -> Exit:
    """The exit code of `action`; an error is reported on standard error, and is `fault` where the user can mend it."""
    try:
        return action()
    except BaseException as error:
        code = stopped_code(error)
        return _reported(error, fault) if code is None else Exit(code)


def _reported(error: BaseException, fault: Exit) -> Exit:
    """The exit code of an error, after a message. Anything else, such as `SystemExit`, is raised again."""
    match error:
        case BrokenPipeError():
            _abandon_stdout()
            return Exit.BROKEN_PIPE
        case DisagreementError():
            complain(f"WRONG ANSWER: {error}; {REPORT}")
            return Exit.BUG
        case RingdokuError():
            complain(error)
            return fault
        case _ if lacks_memory(error):
            complain("out of memory")
            return Exit.UNKNOWN
        case OSError():
            _abandon_stdout()
            complain(f"reading or writing failed: {error.strerror or error}")
            return fault
        case Exception() if not isinstance(error, typer.Exit):
            # 1 means "no solution", so an unexpected error has a code of its own
            traceback.print_exception(error)
            complain(REPORT)
            return Exit.BUG
    raise error


def _abandon_stdout() -> None:
    """Send what is still buffered to nowhere: the interpreter flushes it at its end, and would fail again."""
    if sys.stdout is not None:
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(null, sys.stdout.fileno())
        except (OSError, ValueError):
            # not a file of the operating system, as in tests
            pass
        finally:
            os.close(null)
