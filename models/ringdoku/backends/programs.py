"""Run a program written by others: in a process group of its own, until a deadline, and never left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ringdoku.backends.base import Deadline
from ringdoku.domain.errors import BackendError


@dataclass(frozen=True)
class Finished:
    """How a program ended by itself: its exit code (negative for a signal) and what it wrote."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def ending(self) -> str:
        """The exit code or signal, and the last line of standard error."""
        how = f"exit code {self.code}" if self.code >= 0 else f"signal {_signal_name(-self.code)}"
        lines = self.stderr.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"{how}: {last}" if last else how


def run_program(arguments: Sequence[str], folder: Path, deadline: Deadline) -> Finished | None:
    """Run to the end, or kill the program and all that it started at the deadline: then None.

    What it writes goes through files in `folder`, so that no amount of it can block. It is killed on Ctrl-C too, and
    on Linux when this process itself is killed. Raises `BackendError` when it cannot be started.
    """
    with (folder / "stdout").open("w+b") as stdout, (folder / "stderr").open("w+b") as stderr:
        try:
            process = subprocess.Popen(
                [*_tied_to_us(), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        except OSError as error:
            raise BackendError(f"{arguments[0]} cannot be run: {error.strerror or error}") from None
        try:
            code = process.wait(deadline.remaining())
        except subprocess.TimeoutExpired:
            return None
        finally:
            _kill(process)
        stdout.seek(0)
        stderr.seek(0)
        return Finished(code, stdout.read(), stderr.read())


def _kill(process: subprocess.Popen[bytes]) -> None:
    # what the program started may outlive it
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    process.wait()


@cache
def _tied_to_us() -> tuple[str, ...]:
    """What to put before a command so that the kernel kills it when we die; nothing where that cannot be had."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    told = subprocess.run([setpriv, "--help"], capture_output=True, text=True, check=False)
    return (setpriv, "--pdeathsig", "KILL", "--") if "--pdeathsig" in told.stdout else ()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
