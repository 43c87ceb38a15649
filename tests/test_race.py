"""Races of backends on one hard puzzle: the first proof counts, what is found is shared, and every process ends."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import plain_environment
from puzzles import random_puzzle, searched_puzzle

from ringdoku import Grid, Puzzle, Sense, Session, Status, check, maximise, minimise, ring_weights
from ringdoku.domain.errors import DisagreementError
from ringdoku.domain.result import Result
from ringdoku.domain.ruleset import classic
from ringdoku.limits import Deadline
from ringdoku.services import race
from ringdoku.services.race import Race
from ringdoku.solvers import registry
from ringdoku.solvers.base import Exchange, News, Progress, Run
from ringdoku.solvers.lp_sat.backend import LpSat
from ringdoku.text import layout_named

HARD = searched_puzzle(49, 1080, seed=1)
"""Nobody solves it in minutes."""
MEDIUM = random_puzzle(classic(16), 90, seed=3)
"""Too hard for plain Python."""


def _nothing(_: object) -> Result:
    return Result(Status.UNKNOWN)


@pytest.fixture
def among(monkeypatch: pytest.MonkeyPatch) -> None:
    """Races from the start between plain Python here and real solvers elsewhere."""
    monkeypatch.setattr(race, "OPEN_SECONDS", 0.0)
    for name in ("DEFAULT_TO_SOLVE", "DEFAULT_TO_OPTIMISE"):
        monkeypatch.setattr(registry, name, "search")
    monkeypatch.setattr(registry, "RIVALS_TO_SOLVE", ("glucose4",))
    monkeypatch.setattr(registry, "RIVALS_TO_OPTIMISE", ("lp-sat",))


@pytest.mark.usefixtures("among")
def test_the_first_answer_counts_and_names_who_has_it() -> None:
    session = Session(jobs=2)
    solved = session.solve(MEDIUM)
    assert (solved.status, solved.backend) == (Status.SATISFIABLE, "glucose4")
    assert solved.grid is not None
    assert check(MEDIUM, solved.grid) == []
    best, alone = session.minimise(Puzzle.blank(16)), minimise(Puzzle.blank(16), backend="lp-sat")
    assert (best.status, best.score, best.bound) == (alone.status, alone.score, alone.bound)
    assert best.backend == "lp-sat"
    # a backend that was asked for, and one job, have no rivals
    assert Session("search", jobs=2).solve(MEDIUM, 0.2).status is Status.UNKNOWN
    assert Session(jobs=1).solve(MEDIUM, 0.2).status is Status.UNKNOWN


def test_a_rival_that_dies_is_named_and_costs_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "OPEN_SECONDS", 0.0)
    suicide = "cmd:sh -c 'kill -9 $PPID' {cnf}"
    monkeypatch.setattr(registry, "RIVALS_TO_SOLVE_LARGE", (suicide,))
    session, heard = Session(jobs=2), list[str]()
    session.on_death = heard.append
    start = time.monotonic()
    assert session.solve(HARD, 2.5).status is Status.UNKNOWN
    assert time.monotonic() - start < 10
    assert len(heard) == 1
    assert heard[0].startswith(f"backend {suicide} dropped out of the race: its process ")
    assert heard[0].endswith(" was killed by signal 9")


def test_answers_that_contradict_each_other_are_refused() -> None:
    grid = Grid((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1))
    here = Result(Status.FEASIBLE, grid, score=8, bound=9, backend="a")
    for won in (
        Result(Status.INFEASIBLE, backend="b"),
        Result(Status.OPTIMAL, grid, score=7, bound=7, backend="b"),
    ):
        contest = Race(Puzzle.blank(4), ("b",), 0, _nothing, _nothing, Sense.MAXIMISE)
        contest._won = won
        with pytest.raises(DisagreementError, match="backend a says feasible 8, and backend b "):
            contest.answer(here)
    contest._won = Result(Status.OPTIMAL, grid, score=8, bound=8, backend="b", seconds=1.0)
    assert contest.answer(here).backend == "b"


@pytest.mark.parametrize("sense", Sense)
def test_optimisers_tell_and_hear(sense: Sense) -> None:
    blank = Puzzle.blank(9)
    objective = ring_weights(blank.board, sense)
    best = maximise(blank, objective)
    assert best.grid is not None
    assert best.score is not None
    told: list[News] = []
    LpSat().optimise(blank, objective, Run(exchange=Exchange(told.append)))
    assert max(objective.score(news.grid) * sense.sign for news in told if news.grid) == best.score * sense.sign
    assert min(news.bound for news in told if news.bound is not None) == best.score * sense.sign
    # what others found is all that it takes
    exchange, heard = Exchange(told.append), list[Progress]()
    exchange.heard += [News(grid=best.grid), News(bound=best.score * sense.sign)]
    result = LpSat().optimise(blank, objective, Run(Deadline(60), on_progress=heard.append, exchange=exchange))
    assert (result.status, result.grid) == (Status.OPTIMAL, best.grid)
    assert (heard[-1].score, heard[-1].bound) == (best.score, best.score)
    exchange.heard += [News(grid=best.grid), News(bound=best.score * sense.sign - 1)]
    with pytest.raises(DisagreementError, match="above the bound"):
        LpSat().optimise(blank, objective, Run(exchange=exchange))


@pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent to another program")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_every_process_ends_with_the_first(
    number: signal.Signals, code: int, ringdoku_script: Path, tmp_path: Path
) -> None:
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
