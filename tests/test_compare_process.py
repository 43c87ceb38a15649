"""A measurement in a process of its own: its figures, and results for limits, crashes and wrong answers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from threading import Event, Thread

import pytest
from comparing import EASY, IMPOSSIBLE, OPEN, has_ended, plan, script

from ringdoku.compare import process
from ringdoku.compare.measurement import Measurement, Outcome
from ringdoku.compare.plan import Contender, Instance, Plan, Task, grid_of
from ringdoku.compare.process import measure

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are measured on POSIX systems only")

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's /proc")


def measured(one: Plan) -> list[Measurement]:
    return [measurement for batch in one.batches() for measurement in measure(batch)]


def test_a_run_reports_all_its_figures() -> None:
    (found,) = measured(plan("minisat22", instances=(Instance("easy", EASY),)))
    assert (found.instance, found.task, found.backend, found.repeat) == ("easy", "solve", "minisat22", 0)
    assert found.outcome is Outcome.SATISFIABLE
    assert found.grid is not None
    assert grid_of(found.grid).is_full
    assert found.variables == 64
    assert found.clauses is not None
    assert found.clauses > 288
    assert found.conflicts is not None
    seconds = (found.load_seconds, found.build_seconds, found.solve_seconds, found.seconds, found.wall_seconds)
    assert all(value is not None and value > 0 for value in (*seconds, found.cpu_seconds, found.memory))
    assert found.build_seconds + found.solve_seconds == pytest.approx(found.seconds, abs=2e-6)  # type: ignore[operator]
    assert found.seconds < found.wall_seconds  # type: ignore[operator]


def test_an_encoding_changes_the_formula() -> None:
    instances = (Instance("easy", EASY),)
    formulas = plan(instances=instances, contenders=(Contender("minisat22"), Contender("minisat22", "order+ladder")))
    assert len({found.variables for found in measured(formulas)}) == 2


def test_maximising_records_scores_and_bounds_over_time() -> None:
    (found,) = measured(plan("cpsat", task=Task.MAXIMISE, instances=(Instance("open", OPEN),)))
    assert found.outcome is Outcome.OPTIMAL
    assert found.score == found.bound
    assert found.trajectory
    assert [step.seconds for step in found.trajectory] == sorted(step.seconds for step in found.trajectory)
    assert found.trajectory[-1].score == found.score


def test_unique_counts_up_to_two_solutions() -> None:
    puzzles = (Instance("easy", EASY), Instance("open", OPEN), Instance("impossible", IMPOSSIBLE))
    found = {one.instance: one for one in measured(plan("search", task=Task.UNIQUE, instances=puzzles))}
    assert {name: one.solutions for name, one in found.items()} == {"easy": 1, "open": 2, "impossible": 0}
    assert found["impossible"].outcome is Outcome.INFEASIBLE
    assert found["open"].second_grid not in (None, found["open"].grid)


def test_a_warm_run_answers_all_in_one_process() -> None:
    found = measured(plan("minisat22", warm=True))
    assert [one.outcome for one in found] == [Outcome.SATISFIABLE] * 2
    assert len({one.load_seconds for one in found}) == 1


def test_a_crash_is_a_result_with_its_last_words(tmp_path: Path) -> None:
    crashing = script(tmp_path, "import sys; sys.exit('my last words')")
    (found,) = measured(plan(crashing, instances=(Instance("easy", EASY),)))
    assert found.outcome is Outcome.CRASHED
    assert "my last words" in found.stderr
    assert "Traceback" not in found.stderr


def test_after_a_crash_a_warm_run_goes_on(tmp_path: Path) -> None:
    # the formula of the open puzzle has no clue, so no clause of one literal
    crashing = script(
        tmp_path,
        "import sys\n"
        "if all(len(line.split()) != 2 for line in open(sys.argv[1])): sys.exit('so sad')\n"
        "print('s UNSATISFIABLE'); sys.exit(20)",
    )
    puzzles = tuple(Instance(f"{number}", puzzle) for number, puzzle in enumerate((EASY, OPEN, EASY, OPEN, EASY)))
    found = {one.instance: one.outcome.value for one in measured(plan(crashing, warm=True, instances=puzzles))}
    assert found == {"0": "infeasible", "1": "crashed", "2": "infeasible", "3": "crashed", "4": "infeasible"}


@linux
def test_what_does_not_stop_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE_SECONDS", 0.1)
    # the process that asks is paused, so it cannot stop at the limit by itself
    pause = script(tmp_path, "import os, signal; os.kill(os.getppid(), signal.SIGSTOP); signal.pause()")
    (found,) = measured(plan(pause, instances=(Instance("easy", EASY),), time_limit=0.5))
    assert found.outcome is Outcome.TIMEOUT
    assert found.seconds is None


@linux
def test_memory_counts_with_all_descendants_and_nothing_is_left_running(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    hog = script(
        tmp_path,
        f"import os, signal; open({str(pid_file)!r}, 'w').write(str(os.getpid())); held = b'x' * 2**28; signal.pause()",
    )
    (found,) = measured(plan(hog, instances=(Instance("easy", EASY),), memory_limit=200, time_limit=60.0))
    assert found.outcome is Outcome.MEMOUT
    assert found.memory is not None
    assert found.memory > 200
    assert has_ended(int(pid_file.read_text()))


@linux
def test_stopping_kills_the_running_process(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    os.mkfifo(pid_file)
    patient = script(
        tmp_path, f"import os, signal; open({str(pid_file)!r}, 'w').write(str(os.getpid())); signal.pause()"
    )
    (batch,) = plan(patient, instances=(Instance("easy", EASY),), time_limit=60.0).batches()
    stop = Event()
    pid = 0

    def stop_when_it_runs() -> None:
        nonlocal pid
        pid = int(pid_file.read_text())
        stop.set()

    thread = Thread(target=stop_when_it_runs)
    thread.start()
    found = list(measure(batch, stop))
    thread.join()
    assert found == []
    assert has_ended(pid)
