"""Races of backends on one hard puzzle: the first proof counts, what contradicts it is refused, every process ends."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from conftest import plain_environment
from pool_questions import awaited, die, say
from puzzles import searched_puzzle

from ringdoku import DisagreementError, Grid, Sense, Session, Status
from ringdoku.domain.result import Result
from ringdoku.services.race import Race
from ringdoku.text import layout_named

HARD = searched_puzzle(49, 1080, seed=1)
"""Nobody solves it in minutes."""
GRID = Grid((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
FEASIBLE, OPTIMAL, NONE = Status.FEASIBLE, Status.OPTIMAL, Result(Status.INFEASIBLE, backend="b")


@pytest.fixture(autouse=True)
def _workers_import_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=":")


def scored(status: Status, score: int, backend: str) -> Result:
    return Result(status, GRID, score, score if status is OPTIMAL else None, backend=backend)


@pytest.mark.parametrize(
    ("sense", "here", "won", "agree"),
    [
        (None, Result(Status.UNKNOWN, backend="a"), Result(Status.SATISFIABLE, GRID, backend="b"), True),
        (None, Result(Status.SATISFIABLE, GRID, backend="a"), NONE, False),
        (None, Result(Status.INFEASIBLE, backend="a"), Result(Status.SATISFIABLE, GRID, backend="b"), False),
        (Sense.MAXIMISE, scored(OPTIMAL, 8, "a"), scored(OPTIMAL, 8, "b"), True),
        (Sense.MAXIMISE, scored(OPTIMAL, 7, "a"), scored(OPTIMAL, 8, "b"), False),
        (Sense.MINIMISE, scored(OPTIMAL, 9, "a"), scored(OPTIMAL, 8, "b"), False),
        (Sense.MAXIMISE, scored(FEASIBLE, 7, "a"), scored(OPTIMAL, 8, "b"), True),
        (Sense.MAXIMISE, scored(FEASIBLE, 9, "a"), scored(OPTIMAL, 8, "b"), False),
        (Sense.MINIMISE, scored(FEASIBLE, 9, "a"), scored(OPTIMAL, 8, "b"), True),
        (Sense.MINIMISE, scored(FEASIBLE, 7, "a"), scored(OPTIMAL, 8, "b"), False),
        (Sense.MAXIMISE, scored(FEASIBLE, 7, "a"), NONE, False),
    ],
)
def test_the_first_proof_counts_and_contradictions_do_not(
    sense: Sense | None, here: Result, won: Result, agree: bool
) -> None:
    heard: list[str] = []
    with Race({"b": partial(say, won)}, heard.append, sense, after=0) as race:
        assert race.answer(here) is here
        awaited(race.look)
        if agree:
            assert race.answer(here).backend == "b"
        else:
            with pytest.raises(DisagreementError, match=r"backend a says .*, and backend b "):
                race.answer(here)
    assert heard == []


def test_a_rival_without_a_proof_does_not_win_and_one_that_dies_is_named() -> None:
    heard: list[str] = []
    here = Result(Status.SATISFIABLE, GRID, backend="a")
    questions: dict[str, Callable[[], Result]] = {
        "open": partial(say, Result(Status.UNKNOWN)),
        "feasible": partial(say, scored(FEASIBLE, 8, "feasible")),
        "dead": partial(die, 0, Session()),  # type: ignore[dict-item]
    }
    with Race(questions, heard.append, Sense.MAXIMISE, after=0) as race:
        awaited(lambda: race.look() or heard)
        assert not race.look()
        assert race.answer(here) is here
    assert len(heard) == 1
    assert heard[0].startswith("backend dead dropped out of the race: its process ")
    assert heard[0].endswith(" was killed by signal 9")


def test_one_job_and_a_backend_that_was_asked_for_have_no_rivals() -> None:
    for session in (Session(jobs=1), Session("search", jobs=2)):
        start = time.monotonic()
        assert session.solve(HARD, 0.2).status is Status.UNKNOWN
        assert time.monotonic() - start < 60


@pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent to another program")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_all_processes_end_together(number: signal.Signals, code: int, ringdoku_script: Path, tmp_path: Path) -> None:
    source = tmp_path / "hard"
    source.write_text(layout_named("spaced", HARD.ruleset).render(HARD.clues, HARD.ruleset))
    command: list[str | Path] = [ringdoku_script, "solve", "--jobs", "3", source]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=plain_environment()) as running:
        assert running.stderr
        time.sleep(2.5)
        assert running.poll() is None
        running.send_signal(number)
        assert running.wait(5) == code
        # the rivals have the same standard error, which ends with the last of them
        start = time.monotonic()
        text = running.stderr.read()
        assert time.monotonic() - start < 5
        assert ("interrupted before it was answered" in text) == (number == signal.SIGINT)
