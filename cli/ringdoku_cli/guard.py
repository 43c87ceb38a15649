"""Around every command: each way it can end becomes an exit code, and what a user can cause never a traceback."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable
from typing import ParamSpec

import typer

from ringdoku.backends.registry import NUMPY, naming_what_is_missing
from ringdoku.domain.errors import DisagreementError, RingdokuError
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import complain
from ringdoku_cli.stopping import stopped_code

Arguments = ParamSpec("Arguments")

REPORT = "this is a bug in ringdoku, please report it with the input that shows it"


def guarded(command: Callable[Arguments, Exit]) -> Callable[Arguments, None]:
    """`command` as typer wants it: ends by raising `typer.Exit` with the code."""

    @functools.wraps(command)
    def run(*args: Arguments.args, **kwargs: Arguments.kwargs) -> None:
        def with_numpy() -> Exit:
            with naming_what_is_missing("ringdoku", NUMPY):
                return command(*args, **kwargs)

        raise typer.Exit(int(outcome(with_numpy)))

    return run


def outcome(action: Callable[[], Exit]) -> Exit:
    """The exit code of `action`, with what went wrong told on standard error."""
    try:
        return action()
    except BaseException as error:
        code = stopped_code(error)
        return _told(error) if code is None else Exit(code)


def _told(error: BaseException) -> Exit:
    """What is neither an error nor a way to be stopped is raised again."""
    match error:
        case BrokenPipeError():
            _abandon_stdout()
            return Exit.BROKEN_PIPE
        case DisagreementError():
            complain(f"WRONG ANSWER: {error}; {REPORT}")
            return Exit.BUG
        case RingdokuError():
            complain(error)
            return Exit.USAGE
        case OSError():
            _abandon_stdout()
            complain(f"reading or writing failed: {error.strerror or error}")
            return Exit.USAGE
        case MemoryError():
            complain("out of memory")
            return Exit.UNKNOWN
        case Exception() if not isinstance(error, typer.Exit):
            # 1 would be read as "no solution", so an unexpected error has a code of its own
            traceback.print_exception(error)
            complain(REPORT)
            return Exit.BUG
    raise error


def _abandon_stdout() -> None:
    """Send what is still buffered nowhere, or the interpreter fails once more when it flushes at its end."""
    if sys.stdout is not None:
        null = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(null, sys.stdout.fileno())
        except (OSError, ValueError):
            # not a file of the system, as in tests: nothing will be flushed to one
            pass
        finally:
            os.close(null)
