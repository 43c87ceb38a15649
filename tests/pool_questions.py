"""What processes are asked in tests of pools and races, which import this module, and who asks them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from ringdoku import Session, UsageError
from ringdoku.domain.errors import WorkerDiedError
from ringdoku.services.session import shared

T = TypeVar("T")
Question = Callable[[int, Session], int]


def answered(
    items: Iterable[tuple[Question, int]], deaths: list[str], jobs: int | None = 2, cluster: str | None = None
) -> Iterator[int]:
    """The answers of a pool; the opposite number where a process died."""
    session = Session(cluster=cluster)
    each = shared(
        session,
        1 if cluster else jobs,
        iter(items),
        here=lambda item: item[0](item[1], session),
        there=lambda item: partial(item[0], item[1]),
    )
    for (_, number), answer in each:
        try:
            yield answer()
        except WorkerDiedError as error:
            deaths.append(f"{number}: {error}")
            yield -number


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


def say(answer: T) -> T:
    return answer


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
