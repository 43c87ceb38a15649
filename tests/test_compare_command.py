"""`ringdoku compare` as a user runs it."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from comparing import has_ended, plan, script
from conftest import SCRIPT, Run, on_terminal, plain_environment

from ringdoku import parse
from ringdoku.compare.plan import Instance
from ringdoku.compare.results import load, save
from ringdoku.compare.summary import Results

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are measured on POSIX systems only")

EASY = "1.....3..4.....2\n"


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text(EASY + "." * 16 + "\n")
    return path


def test_a_comparison_gives_a_table_and_files(ringdoku: Run, ringdoku_here: Run, tmp_path: Path, puzzles: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "more.sdm").write_text(EASY)
    (tmp_path / "below" / ".hidden").write_text("no puzzle")
    found = ringdoku(
        *("compare", puzzles, tmp_path / "below", "-"),
        *("--backends", "search,minisat22", "--encodings", "own,order"),
        *("--jobs", "2", "--json", tmp_path / "r.json", "--csv", tmp_path / "r.csv"),
        input=ringdoku_here("generate", "--order", "4", "--seed", "1").stdout,
    )
    assert (found.returncode, found.stderr) == (0, "")
    lines = [line.split() for line in found.stdout.splitlines()]
    assert lines[0][:3] == ["contender", "solved", "PAR-2"]
    assert {line[0]: line[1] for line in lines[1:4]} == {"search": "4/4", "minisat22": "4/4", "minisat22/order": "4/4"}
    assert lines[4][:2] == ["virtual", "best"]
    about, *measurements = map(json.loads, (tmp_path / "r.json").read_text().splitlines())
    assert (about["schema"], len(measurements)) == ("ringdoku-compare/3", 12)
    assert about["environment"]["python"]
    names = [f"{puzzles}:1", f"{puzzles}:2", f"{tmp_path / 'below' / 'more.sdm'}:1", "<stdin>:1"]
    assert [one["name"] for one in about["plan"]["instances"]] == names
    rows = list(csv.DictReader((tmp_path / "r.csv").read_text().splitlines()))
    assert len(rows) == 12
    assert {row["puzzle"] for row in rows if row["instance"] == names[0]} == {EASY.strip()}
    (tmp_path / "copy.json").write_bytes((tmp_path / "r.json").read_bytes())
    both = ("--json", tmp_path / "both.json")
    assert ringdoku_here("compare", tmp_path / "r.json", tmp_path / "copy.json", *both).returncode == 0
    assert len((tmp_path / "both.json").read_text().splitlines()) == 1 + 24
    assert ringdoku_here("compare", tmp_path / "r.json").stdout == found.stdout
    assert "for solving alone" in ringdoku_here("compare", tmp_path / "r.json", "--measure", "solve").stdout


def test_a_lie_is_told_and_not_solved(ringdoku_here: Run, tmp_path: Path) -> None:
    Path(tmp_path, "easy.txt").write_text(EASY + EASY)
    liar = script(tmp_path, "import sys; print('s UNSATISFIABLE'); sys.exit(20)")
    rivals = ("--backends", "search", "--backends", liar)
    found = ringdoku_here("compare", "easy.txt", *rivals, "--json", "r.json", cwd=tmp_path)
    saved = ringdoku_here("compare", "r.json", cwd=tmp_path)
    for told in (found, saved):
        assert told.returncode == 4
        assert f"easy.txt:1: {liar}: it says that there is no solution, search found one" in told.stderr
        assert re.search(r"0/2 .* 2 wrong", told.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="waits for processes by Linux's pidfd")
def test_a_killed_run_can_be_resumed(ringdoku_here: Run, tmp_path: Path, puzzles: Path) -> None:
    gate, count = tmp_path / "gate", tmp_path / "count"
    os.mkfifo(gate)
    # writes its process id to the gate in its third run, and then waits for ever
    waiting = script(
        tmp_path,
        f"import os, signal; open({str(count)!r}, 'a').write('x')\n"
        f"if os.path.getsize({str(count)!r}) == 3 and os.path.exists({str(gate)!r}):\n"
        f"    open({str(gate)!r}, 'w').write(str(os.getpid())); signal.pause()\n"
        "print('s UNKNOWN')",
    )
    results = tmp_path / "results.json"
    backends = ("--backends", waiting, "--repeat", "2")
    command: list[str | Path] = [SCRIPT, "compare", puzzles, *backends, "--json", results]
    with subprocess.Popen(command, env=plain_environment() | {"TMPDIR": str(tmp_path)}) as run:
        solver = int(gate.read_text())
        before = load(results)
        run.send_signal(signal.SIGKILL)
    # nothing survives the run, not even its solver's program
    assert has_ended(solver)
    gate.unlink()
    assert 0 < len(before.measurements) < before.plan.size
    results.write_text(results.read_text() + '{"instance": "half a li')
    resumed = ringdoku_here("compare", "--resume", results, "--backends", waiting)
    assert (resumed.returncode, resumed.stderr) == (0, "")
    after = load(results)
    assert after.measurements[: len(before.measurements)] == before.measurements
    assert len(after.done) == len(after.measurements) == 4
    again = ringdoku_here("compare", "--resume", results)
    assert load(results) == after
    assert again.stdout == resumed.stdout
    limits = {f"leave {flag} out": (flag, "5") for flag in ("--time-limit", "--repeat")}
    for said, ask in {"another comparison": (puzzles, "--backends", "minisat22"), **limits}.items():
        other = ringdoku_here("compare", *ask, "--resume", results)
        assert (other.returncode, said in other.stderr) == (2, True)


def test_ctrl_c_keeps_what_was_measured(ringdoku: Run, tmp_path: Path, puzzles: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    waiting = script(tmp_path, f"import os, signal; open({str(gate)!r}, 'w').write(str(os.getpid())); signal.pause()")
    results = tmp_path / "results.json"
    command: list[str | Path] = [SCRIPT, "compare", puzzles, "--backends", waiting, "--json", results]
    with subprocess.Popen(command, env=plain_environment(), stderr=subprocess.PIPE, text=True) as run:
        solver = int(gate.read_text())
        run.send_signal(signal.SIGINT)
        _, stderr = run.communicate(timeout=30)
    assert run.returncode == 130
    assert has_ended(solver)
    assert f"--resume {results} --backends '{waiting}'" in stderr
    assert load(results).measurements == ()
    assert "nothing was measured yet" in ringdoku("compare", results).stderr


def test_a_program_that_only_a_results_file_names_is_not_run(ringdoku_here: Run, tmp_path: Path) -> None:
    mark, results = tmp_path / "mark", tmp_path / "results.json"
    program = script(tmp_path, f"open({str(mark)!r}, 'a').write('x'); print('s UNKNOWN')")
    one = plan("search", program, instances=(Instance("easy", parse(EASY)),))
    save(Results(one, {}), results)
    named = f"ringdoku compare --resume {results} --backends '{program}'"
    for backends, message in (
        ([], named),
        (["search"], named),
        ([program, "minisat22"], "minisat22 is not among the backends of"),
    ):
        refused = ringdoku_here("compare", "--resume", results, *(w for name in backends for w in ("--backends", name)))
        assert (refused.returncode, message in refused.stderr, mark.exists()) == (2, True, False)
    assert ringdoku_here("compare", "--resume", results, "--backends", program).returncode == 0
    assert mark.exists()
    # nothing is left to run
    mark.unlink()
    assert ringdoku_here("compare", "--resume", results).returncode == 0
    assert not mark.exists()


def test_a_terminal_shows_what_is_done_before_the_first_result(puzzles: Path) -> None:
    endless = script(puzzles.parent, "while True:\n    pass\n")
    ask: list[str | Path] = [SCRIPT, "compare", puzzles, "--backends", endless, "--time-limit", "1.5"]
    code, text = on_terminal(ask, puzzles.parent)
    assert code == 0
    assert text.index("s: 0 of 2 runs measured") < text.index("s: 1 of 2, cmd:")
