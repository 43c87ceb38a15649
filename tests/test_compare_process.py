"""A measurement in a process of its own: its figures, and results for limits, crashes and wrong answers."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from comparing import EASY, IMPOSSIBLE, OPEN, has_ended, plan, script

from ringdoku import check, parse, ring_weights
from ringdoku.compare.plan import Contender, Instance, Measurement, Outcome, Plan, Task, grid_of, parse_encoding
from ringdoku.compare.run import measure
from ringdoku.solvers.registry import BACKENDS, PYSAT, Ability, Backend, Run, find

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are measured on POSIX systems only")

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's /proc")

JUST_EASY = (Instance("easy", EASY),)


def measured(one: Plan) -> list[Measurement]:
    return [measurement for batch in one.batches() for measurement in measure(*batch)]


def test_a_run_reports_all_its_figures_and_an_encoding_changes_the_formula() -> None:
    contenders = (Contender("minisat22"), Contender("minisat22", "order+ladder"))
    by_name = {one.encoding: one for one in measured(plan(contenders=contenders, instances=JUST_EASY))}
    found = by_name[""]
    assert (found.instance, found.task, found.backend, found.repeat) == ("easy", "solve", "minisat22", 0)
    assert found.outcome is Outcome.SATISFIABLE
    assert grid_of(found.grid or "", JUST_EASY[0].puzzle.board).is_full
    assert found.variables == 64 != by_name["order+ladder"].variables
    assert (found.clauses or 0) > 288
    assert found.conflicts is not None
    phases = (found.build_seconds, found.load_seconds, found.solve_seconds)
    others = (found.import_seconds, found.seconds, found.cpu_seconds)
    assert all(value is not None and value > 0 for value in (*phases, *others, found.memory))
    assert sum(map(float, filter(None, phases))) == pytest.approx(found.seconds, abs=3e-6)


def test_maximising_records_scores_over_time_and_unique_counts_up_to_two() -> None:
    (found,) = measured(plan("cpsat", task=Task.MAXIMISE, instances=(Instance("open", OPEN),)))
    assert found.outcome is Outcome.OPTIMAL
    assert found.score == found.bound
    assert found.trajectory
    assert [step.seconds for step in found.trajectory] == sorted(step.seconds for step in found.trajectory)
    assert found.trajectory[-1].score == found.score
    puzzles = (Instance("easy", EASY), Instance("open", OPEN), Instance("impossible", IMPOSSIBLE))
    unique = {one.instance: one for one in measured(plan("search", task=Task.UNIQUE, instances=puzzles))}
    assert {name: one.solutions for name, one in unique.items()} == {"easy": 1, "open": 2, "impossible": 0}
    assert unique["impossible"].outcome is Outcome.INFEASIBLE
    assert unique["open"].second_grid not in (None, unique["open"].grid)


def test_every_backend_tells_what_its_phases_took() -> None:
    tasks: dict[Ability, Callable[[Backend, Run], object]] = {
        Ability.SATISFY: lambda backend, run: backend.solve(EASY, run),
        Ability.OPTIMISE: lambda backend, run: backend.optimise(OPEN, ring_weights(OPEN.board), run),
        Ability.ENUMERATE: lambda backend, run: list(backend.enumerate(EASY, run)),
    }
    for entry in BACKENDS.values():
        for ability in entry.abilities & tasks.keys():
            run = Run()
            tasks[ability](entry.open(), run)
            phases = {name for name in run.effort.statistics() if name.endswith("_seconds")}
            in_solving = set() if PYSAT in entry.packages else {"load_seconds"}
            assert phases == {"build_seconds", "load_seconds", "solve_seconds"} - in_solving, entry.name
            assert "live" in run.effort.facts, entry.name


def test_a_warm_run_keeps_a_solver_and_a_cold_one_has_the_clues_in_its_formula() -> None:
    encodings = ("", "log+ladder", "triads", "presolve")
    many = tuple(Contender("minisat22", encoding) for encoding in encodings)
    found = measured(plan(contenders=(*many, Contender("search")), warm=True))
    assert {one.outcome for one in found} == {Outcome.SATISFIABLE}
    assert {one.contender for one in found if one.live} == {one.name for one in many if one.encoding != "presolve"}
    # one process for each
    assert len({one.import_seconds for one in found}) == len(many) + 1
    named = plan(contenders=(Contender("minisat22"), Contender("minisat22", "extended")))
    clauses = {(one.contender, one.instance): one.clauses or 0 for one in measured(named)}
    assert clauses["minisat22", "easy"] == clauses["minisat22", "open"]
    assert clauses["minisat22/extended", "easy"] == clauses["minisat22/extended", "open"] + 4


@pytest.mark.parametrize("encoding", ["", "minimal+product", "order"])
def test_puzzles_with_rules_of_their_own_share_a_live_solver_in_every_encoding(encoding: str) -> None:
    backend = find("minisat22").open(parse_encoding(encoding), live=True)
    for rule in ("diagonal", "thermometer: r1c1 r1c2 r2c2"):
        puzzle, run = parse(f"{rule}\n{'.' * 16}"), Run()
        grid = backend.solve(puzzle, run).grid
        assert grid is not None
        assert check(puzzle, grid) == []
        assert run.effort.facts["live"] == 1


def test_a_crash_is_a_result_with_its_last_words_and_a_warm_run_goes_on(tmp_path: Path) -> None:
    # the formula of the open puzzle has no clue, so no clause of one literal
    crashing = script(
        tmp_path,
        "import sys\n"
        "if all(len(line.split()) != 2 for line in open(sys.argv[1])): sys.exit('my last words')\n"
        "print('s UNSATISFIABLE'); sys.exit(20)",
    )
    puzzles = tuple(Instance(f"{number}", puzzle) for number, puzzle in enumerate((EASY, OPEN, EASY, OPEN, EASY)))
    found = {one.instance: one for one in measured(plan(crashing, warm=True, instances=puzzles))}
    outcomes = ["infeasible", "crashed", "infeasible", "crashed", "infeasible"]
    assert [found[f"{number}"].outcome.value for number in range(5)] == outcomes
    assert "my last words" in found["1"].stderr
    assert "Traceback" not in found["1"].stderr
    liar = script(tmp_path, "print('s SATISFIABLE'); print('v 1 0')")
    assert [one.outcome.value for one in measured(plan(liar, instances=JUST_EASY))] == ["wrong"]


@linux
def test_what_does_not_stop_or_takes_too_much_memory_is_killed_with_all_descendants(tmp_path: Path) -> None:
    # the process that asks is paused, so it cannot stop at the limit by itself
    pause = script(tmp_path, "import os, signal; os.kill(os.getppid(), signal.SIGSTOP); signal.pause()")
    (found,) = measured(plan(pause, instances=JUST_EASY, time_limit=0.5))
    assert found.outcome is Outcome.TIMEOUT
    assert found.seconds is None
    pid_file = tmp_path / "pid"
    hog = script(
        tmp_path,
        f"import os, signal; open({str(pid_file)!r}, 'w').write(str(os.getpid())); held = b'x' * 2**28; signal.pause()",
    )
    (found,) = measured(plan(hog, instances=JUST_EASY, memory_limit=200, time_limit=60.0))
    assert found.outcome is Outcome.MEMOUT
    assert found.memory is not None
    assert found.memory > 200
    assert has_ended(int(pid_file.read_text()))
