"""The samples of the contest problems through the console script, byte for byte, and digests of longer answers."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from ringdoku import __version__

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


@pytest.mark.parametrize("line", (FIXTURES / "digests.txt").read_text().splitlines()[1:])
def test_what_is_printed_stays(ringdoku_here: Run, tmp_path: Path, line: str) -> None:
    """Puzzles of a seed, models, steps: what people keep, or compare with what others have."""
    digest, *asked = shlex.split(line.replace("fixtures", str(FIXTURES)).replace("FOLDER", str(tmp_path / "new")))
    printed = ringdoku_here(*asked).stdout.replace(__version__, "VERSION")
    assert sha256(printed.encode()).hexdigest()[:12] == digest


def test_maximize_is_maximise(ringdoku_here: Run) -> None:
    assert ringdoku_here("maximize", FIXTURES / "p1074-1.in").stdout == "2829\n"


def test_output_has_no_trailing_blanks_and_unix_line_ends(ringdoku_script: Path) -> None:
    done = subprocess.run(
        [ringdoku_script, "solve", FIXTURES / "nyoj722.in"], capture_output=True, timeout=60, check=True
    )
    assert b"\r" not in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())
    assert done.stdout.endswith(b"7 6 4\n")
