"""What processes are asked in tests of pools, who asks them, and what holds wherever they are."""

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from conftest import SCRIPT, Run, running
from puzzles import NO_SOLUTION, ONE_SOLUTION, P1074, random_puzzle

from ringdoku import Session, UsageError
from ringdoku.domain import WorkerDiedError, classic
from ringdoku.services.session import shared_answers
from ringdoku.text import layout_named

T = TypeVar("T")
Question = Callable[[int, Session], int]


def answered(
    items: Iterable[tuple[Question, int]], deaths: list[str], jobs: int | None = 2, cluster: str | None = None
) -> Iterator[int]:
    """The answers of a pool; the opposite number where a process died."""
    session = Session(jobs=1 if cluster else jobs, cluster=cluster)
    each = shared_answers(
        session,
        iter(items),
        run_locally=lambda item: item[0](item[1], session),
        task=lambda item: partial(item[0], item[1]),
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


def require_order(folder: Path, cluster: str | None = None) -> None:
    """An answer does not wait for those after it."""
    gate = folder / "gate"
    slow = partial(wait_for, gate)
    found = answered(((slow if number == 500 else echo, number) for number in range(600)), [], cluster=cluster)
    assert [next(found) for _ in range(500)] == list(range(500))
    gate.touch()
    assert list(found) == list(range(500, 600))


def require_same_answers(ringdoku: Run, *ways: Sequence[str], most: int = 5) -> None:
    """The first commands of five answer as with the first way in all others."""
    lines = [*P1074, NO_SOLUTION, ONE_SOLUTION, "11" + "0" * 79] * 3 + ["12"]
    several = (["maximise", "--top", "2"], ["check", "--unique"], ["count", "--at-most", "3"], ["candidates"])
    for command in (["solve"], *several)[:most]:
        # of several solutions any may be found
        text = "\n".join(lines if command != ["solve"] else [line for line in lines if line not in P1074]) + "\n"
        here, there = (ringdoku(*command, *way, input=text) for way in ways)
        assert (there.returncode, there.stdout) == (here.returncode, here.stdout)
        assert sorted(there.stderr.splitlines()) == sorted(here.stderr.splitlines())
        assert there.returncode == 2
        assert there.stdout.count("\n") >= 9


def interrupt_maximise(folder: Path, *options: str) -> None:
    """After the answers to two easy puzzles, while two hard ones are open: the answers stay in the partial file."""
    puzzles = [random_puzzle(classic(25), clues, seed=1) for clues in (620, 620, 200, 200)]
    layout = layout_named("spaced", puzzles[0].ruleset)
    source, output = folder / "puzzles", folder / "answers"
    source.write_text("\n".join(layout.render(each.clues, each.ruleset) for each in puzzles))
    with running(SCRIPT, "maximise", *options, "-o", output, source) as (process, _, _, err):
        part = awaited(lambda: list(folder.glob(".answers.*.part")))[0]
        awaited(lambda: part.read_text().count("\n") == 2)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert "interrupted before it was answered" in err.read()
    assert Path(f"{output}.partial").read_text().count("\n") == 2
    assert not output.exists()
