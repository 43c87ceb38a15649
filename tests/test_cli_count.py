"""`ringdoku count` and `solve --all`: every solution once, and no claim of completeness at a limit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import plain_environment

Run = Callable[..., "subprocess.CompletedProcess[str]"]

BLANK = "." * 16
MANY = "1" + "." * 15
TWELVE = "12.3" + "." * 12
NONE = "11" + "." * 14


def test_a_count_at_the_time_limit_is_a_lower_limit(ringdoku_here: Run) -> None:
    done = ringdoku_here("count", "--time-limit", "0.2", "--output-format", "json", input="." * 81)
    record = json.loads(done.stdout)
    assert (done.returncode, record["exact"]) == (3, False)
    assert record["solutions"] >= 0


def test_a_model_counter_agrees_with_counting_one_by_one(ringdoku_here: Run) -> None:
    pytest.importorskip("pyganak", reason="needs the extra: pip install 'ringdoku[count]'")
    done = ringdoku_here("count", "--exact", input=f"{BLANK}\n{MANY}\n{TWELVE}\n{NONE}\n1234341221434321\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "288\n72\n12\n0\n1\n", "")
    for rule in ("diagonal", "killer 5: r1c1 r1c2", "thermometer: r1c1 r1c2 r2c3", "no boxes"):
        ask = ("count", "--output-format", "json", "--rule", rule)
        one, other = (json.loads(ringdoku_here(*ask, *more, input=BLANK).stdout) for more in ((), ("--exact",)))
        assert one["solutions"] == other["solutions"]
        assert other["backend"] == "ganak"


def test_an_exact_count_ends_at_the_time_limit(ringdoku_here: Run) -> None:
    pytest.importorskip("pyganak", reason="needs the extra: pip install 'ringdoku[count]'")
    done = ringdoku_here("count", "--exact", "--time-limit", "0.3", input="." * 81)
    assert (done.returncode, done.stdout, done.stderr) == (3, "unknown\n", "")


def test_all_solutions_are_printed_once_each_in_groups(ringdoku_here: Run) -> None:
    done = ringdoku_here("solve", "--all", input=f"{TWELVE}\n{NONE}\n{MANY}\n")
    first, second, third = done.stdout.split("\n\n")
    assert (done.returncode, second) == (1, "no solution")
    assert len(set(first.split())) == len(first.split()) == 12
    assert len(set(third.split())) == len(third.split()) == 72
    # what is printed can be checked, and asked again
    assert ringdoku_here("check", input=first + "\n").returncode == 0


def test_all_solutions_up_to_a_limit_say_that_there_are_more(ringdoku_here: Run, tmp_path: Path) -> None:
    done = ringdoku_here("solve", "--all", "--at-most", "3", input=TWELVE)
    assert (done.returncode, len(done.stdout.split())) == (3, 3)
    assert done.stderr == "ringdoku: <stdin>:1: at least 3 solutions\n"
    done = ringdoku_here("solve", "--all", "--at-most", "12", "--output-format", "json", input=TWELVE)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 12)
    ask = ("solve", "--all", "--output-format", "svg", "-o", "{rank}.svg")
    assert ringdoku_here(*ask, input=TWELVE, cwd=tmp_path).returncode == 0
    assert len(list(tmp_path.glob("*.svg"))) == 12


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of Unix")
def test_ctrl_c_ends_an_enumeration(ringdoku_script: Path, tmp_path: Path) -> None:
    blank = tmp_path / "blank.txt"
    blank.write_text("." * 81 + "\n")
    with subprocess.Popen(
        [ringdoku_script, "solve", "--all", blank, "--output-format", "line"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=plain_environment(),
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert len(process.stdout.readline()) == 82
        os.kill(process.pid, signal.SIGINT)
        process.stdout.read()
        assert process.wait() == 130
