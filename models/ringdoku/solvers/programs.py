"""Run a program in a process group of its own until a deadline, and never leave it behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from io import BufferedReader
from threading import Thread
from typing import IO, Generic, TypeVar, cast

from ringdoku.domain.errors import BackendError, InputError, TimeLimitError
from ringdoku.limits import Deadline

Answer = TypeVar("Answer")

PORTION = 1 << 16
LAST = 1 << 12
"""This many bytes from the end of standard error are kept."""


@dataclass(frozen=True)
class Finished(Generic[Answer]):
    """How a program ended and what was read from its standard output; `stderr` is the last line of standard error.

    The exit code is negative for a signal, and None if we stopped the program because its output is not an answer.
    """

    code: int | None
    answer: Answer | InputError
    stderr: str

    @property
    def crashed(self) -> bool:
        return self.code is not None and self.code < 0

    @property
    def ending(self) -> str:
        """The exit code or signal, and the last line of standard error."""
        if self.code is None:
            how = "was stopped"
        else:
            how = f"crashed with {_signal(-self.code)}" if self.crashed else f"ended with exit code {self.code}"
        return f"{how}: {self.stderr}" if self.stderr else how


class _InTime(Generic[Answer]):
    """Work in a thread of its own, so that a caller can stop waiting at a deadline."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self._work = work
        self._answer: Answer
        self._error: BaseException | None = None
        self._thread = Thread(target=self._do, daemon=True)
        self._thread.start()

    def _do(self) -> None:
        try:
            self._answer = self._work()
        except BaseException as error:
            # `result` raises it
            self._error = error

    def answer(self, deadline: Deadline) -> Answer:
        """What the work returned or raised. Raises `TimeLimitError` if it still runs at the deadline."""
        self._thread.join(deadline.remaining())
        if self._thread.is_alive():
            raise TimeLimitError
        if self._error is not None:
            raise self._error
        return self._answer


def run_program(
    arguments: Sequence[str], deadline: Deadline, read: Callable[[BufferedReader], Answer | InputError]
) -> Finished[Answer]:
    """Run a program to its end while `read` reads its standard output to the end.

    If `read` raises `InputError`, this becomes the answer, and the program is killed as soon as it writes more. The
    program is also killed on Ctrl-C, on Linux when this process is killed, and at the deadline, when this raises
    `TimeLimitError`. Processes that the program started are killed with it. Raises `BackendError` when the program
    cannot be started.
    """
    try:
        process = subprocess.Popen(
            [*_tied_to_us(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise BackendError(f"{arguments[0]} cannot be run: {error.strerror or error}") from None
    stopped = False

    def answer() -> Answer | InputError:
        nonlocal stopped
        with _reader(process.stdout) as stream:
            try:
                return read(stream)
            except InputError as error:
                if stream.read(1):
                    stopped = True
                    _kill(process)
                return error

    reading, complaint = _InTime(answer), _InTime(partial(_last_line, process.stderr))
    try:
        code = process.wait(deadline.remaining())
    except subprocess.TimeoutExpired:
        raise TimeLimitError from None
    finally:
        # processes that the program started may outlive it and keep the pipes open
        _kill(process)
    found, last = reading.answer(deadline), complaint.answer(deadline)
    return Finished(None if stopped else code, found, last)


def _last_line(pipe: IO[bytes] | None) -> str:
    end = b""
    with _reader(pipe) as stream:
        while portion := stream.read1(PORTION):
            end = (end + portion)[-LAST:]
    lines = end.decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _reader(pipe: IO[bytes] | None) -> BufferedReader:
    # binary pipes of a Popen with the default buffer size are of this class
    return cast(BufferedReader, pipe)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    process.wait()


@cache
def _tied_to_us() -> tuple[str, ...]:
    """The words before a command that make the kernel kill it when we die; none where that is not possible."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    options = subprocess.run([setpriv, "--help"], capture_output=True, text=True, check=False).stdout
    return (setpriv, "--pdeathsig", "KILL", "--") if "--pdeathsig" in options else ()


def _signal(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"
