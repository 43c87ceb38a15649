"""What processes are asked in tests of crews and clusters, which import this module, and who asks them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from ringdoku import Session, UsageError
from ringdoku.services.crew import Crew

T = TypeVar("T")
Question = Callable[[int, Session], int]


def answered(
    items: Iterator[tuple[Question, int]], deaths: list[str], jobs: int | None = 2, cluster: str | None = None
) -> Iterator[int]:
    """The answers of a crew; the opposite number where two processes died."""
    crew = Crew[tuple[Question, int], int](
        Session(cluster=cluster),
        here=lambda item: item[0](item[1], Session()),
        there=lambda item: partial(item[0], item[1]),
        lost=lambda item, _: -item[1],
        jobs=None if cluster else jobs,
        on_death=lambda item, why: deaths.append(f"{item[1]}: {why}"),
    )
    return (answer for _, answer in crew.answers(items))


def echo(value: int, _: Session) -> int:
    return value


def fail(value: int, _: Session) -> int:
    raise UsageError(f"no {value}")


def wait_for(path: Path, value: int, _: Session) -> int:
    while not path.exists():
        time.sleep(0.05)
    return value


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


def kill_parent_once(marker: Path, value: int, _: Session) -> int:
    if not marker.exists():
        marker.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        # until this process ends with it
        time.sleep(60)
    return value


def awaited(condition: Callable[[], T]) -> T:
    """What `condition` returns once it is true."""
    for _ in range(600):
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come true")
