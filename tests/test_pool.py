"""Many puzzles in several processes: the answers of one process, in order, whatever happens to the processes."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pool_questions
import pytest
from conftest import SCRIPT, Run, running
from pool_questions import Question, answered, echo, interrupt_maximise, require_order, require_same_answers
from puzzles import NO_SOLUTION, ONE_SOLUTION, mixed_puzzles, puzzle

import ringdoku
from ringdoku import BackendError, Session, UsageError


@pytest.fixture(autouse=True)
def _workers_import_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=":")


def test_a_process_that_dies_fails_its_own_question_alone() -> None:
    deaths: list[str] = []
    items = ((pool_questions.die if number in (0, 300, 301) else echo, number) for number in range(600))
    wanted = [-number if number in (300, 301) else number for number in range(600)]
    assert list(answered(items, deaths)) == wanted
    assert [re.sub(r"\d{2,}|^0", "N", death) for death in deaths] == ["N: its process N was killed by signal 9"] * 3
    with pytest.raises(BackendError, match=r"^puzzle 1: its process \d+ was killed by signal 9$"):
        list(Session("cmd:sh -c 'kill -9 $PPID' {cnf}", jobs=2).solve_many([ONE_SOLUTION] * 2))


INTERRUPTED = """
import multiprocessing, os, signal
from ringdoku.compare.run import descendants
from ringdoku.services.pool import Processes
# as a worker of dask under its nanny is
multiprocessing.current_process()._config["daemon"] = True
pool = Processes(2)
for process in descendants(os.getpid())[1:]:
    os.kill(process, signal.SIGINT)
print([pool.submit(os.getpgrp).result(60) != os.getpgrp() for _ in range(2)])
pool.close()
"""


def test_ctrl_c_does_not_reach_processes_that_begin() -> None:
    run = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=90, check=False)
    assert (run.stdout, run.stderr) == ("[True, True]\n", "")


def test_errors_come_after_the_answers_before_them() -> None:
    def items(end: bool) -> Iterator[tuple[Question, int]]:
        yield from ((echo, number) for number in range(50))
        if end:
            raise UsageError("no more")
        yield pool_questions.fail, 50

    for end, message in ((True, "no more"), (False, "no 50")):
        found = answered(items(end), [])
        assert [next(found) for _ in range(50)] == list(range(50))
        with pytest.raises(UsageError, match=message):
            next(found)


def test_few_questions_are_answered_here_and_no_answer_waits_for_those_after_it(tmp_path: Path) -> None:
    for jobs, count in ((None, 3), (1, 3), (2, 1), (2, 0)):
        # a partial of a local function cannot be pickled
        items: Iterator[tuple[Question, int]] = ((lambda value, _: value, number) for number in range(count))
        assert list(answered(items, [], jobs)) == list(range(count))
    require_order(tmp_path)


def test_sessions_answer_many_as_they_answer_one() -> None:
    puzzles = [*mixed_puzzles(30), puzzle(NO_SOLUTION), puzzle(ONE_SOLUTION)]
    one, two = Session(), Session(jobs=2)
    assert [found.status for found in two.solve_many(puzzles)] == [one.solve(each).status for each in puzzles]
    best = [ringdoku.maximise(each).score for each in puzzles[24::4]]
    assert [found.score for found in ringdoku.maximise_many(puzzles[24::4], jobs=2)] == best
    with pytest.raises(UsageError, match="a number of jobs is at least 1, not 0"):
        next(ringdoku.solve_many(puzzles, jobs=0))


def test_commands_keep_answers_at_ctrl_c(ringdoku_here: Run, tmp_path: Path) -> None:
    require_same_answers(ringdoku_here, ("--jobs", "1"), ("--jobs", "2"))
    interrupt_maximise(tmp_path, "--jobs", "2")


def test_an_answer_does_not_wait_for_the_next_puzzle() -> None:
    with running(SCRIPT, "solve", "--jobs", "2") as (process, put, out, _):
        for _ in range(3):
            put.write(f"{ONE_SOLUTION}\n" * 2)
            put.flush()
            assert len({out.readline() for _ in range(2)}) == 1
        put.close()
        assert process.wait(30) == 0
