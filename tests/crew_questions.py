"""What other processes are asked in tests of crews; they import this module."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from ringdoku import Session, UsageError


def echo(value: int, _: Session) -> int:
    return value


def fail(value: int, _: Session) -> int:
    raise UsageError(f"no {value}")


def die(_: int, __: Session) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def die_once(marker: Path, value: int, _: Session) -> int:
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return value


def echo_all(values: range, deadly: int, session: Session) -> list[int]:
    return [die(value, session) if value == deadly else value for value in values]
