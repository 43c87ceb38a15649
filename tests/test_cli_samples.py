"""The samples of the contest problems through the console script, byte for byte."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

FIXTURES = Path(__file__).parent.parent / "fixtures"
SAMPLES = [
    ("solve", "b4279"),
    ("solve", "nyoj722"),
    ("solve", "rules"),
    ("maximise", "p1074-1"),
    ("maximise", "p1074-2"),
]


@pytest.mark.parametrize(("command", "name"), SAMPLES)
def test_sample_from_a_file(ringdoku_here: Run, command: str, name: str) -> None:
    done = ringdoku_here(command, FIXTURES / f"{name}.in")
    assert (done.returncode, done.stdout, done.stderr) == (0, (FIXTURES / f"{name}.out").read_text(), "")


@pytest.mark.parametrize(("command", "name"), SAMPLES)
def test_sample_from_standard_input(ringdoku: Run, command: str, name: str) -> None:
    done = ringdoku(command, input=(FIXTURES / f"{name}.in").read_text())
    assert (done.returncode, done.stdout, done.stderr) == (0, (FIXTURES / f"{name}.out").read_text(), "")


def test_maximize_is_maximise(ringdoku_here: Run) -> None:
    assert ringdoku_here("maximize", FIXTURES / "p1074-1.in").stdout == "2829\n"


def test_output_has_no_trailing_blanks_and_unix_line_ends(ringdoku_script: Path) -> None:
    done = subprocess.run(
        [ringdoku_script, "solve", FIXTURES / "nyoj722.in"], capture_output=True, timeout=60, check=True
    )
    assert b"\r" not in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())
    assert done.stdout.endswith(b"7 6 4\n")
