"""The samples of the contest problems through the console script, byte for byte, and digests of longer answers."""

import shlex
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import FIXTURES, Run

from ringdoku import __version__

SAMPLES = {"b4279": "solve", "nyoj722": "solve", "rules": "solve", "p1074-1": "maximise", "p1074-2": "maximise"}


@pytest.mark.parametrize(("name", "command"), SAMPLES.items())
def test_a_sample_from_a_file_and_from_standard_input(ringdoku: Run, command: str, name: str) -> None:
    file, expected = FIXTURES / f"{name}.in", (FIXTURES / f"{name}.out").read_text()
    for done in (ringdoku(command, file), ringdoku(command, input=file.read_text())):
        assert (done.returncode, done.stdout, done.stderr) == (0, expected, "")


@pytest.mark.parametrize("line", (FIXTURES / "digests.txt").read_text().splitlines()[1:])
def test_what_is_printed_stays(ringdoku_here: Run, tmp_path: Path, line: str) -> None:
    """Puzzles of a seed, models, steps: what people keep, or compare with what others have."""
    digest, *asked = shlex.split(line.replace("fixtures", str(FIXTURES)).replace("FOLDER", str(tmp_path / "new")))
    printed = ringdoku_here(*asked).stdout.replace(__version__, "VERSION")
    assert sha256(printed.encode()).hexdigest()[:12] == digest


def test_output_has_unix_line_ends_and_maximize_is_maximise(ringdoku_script: Path, ringdoku_here: Run) -> None:
    ask: list[str | Path] = [ringdoku_script, "solve", FIXTURES / "nyoj722.in"]
    done = subprocess.run(ask, capture_output=True, timeout=60, check=True)
    assert done.stdout == (FIXTURES / "nyoj722.out").read_bytes()
    assert ringdoku_here("maximize", FIXTURES / "p1074-1.in").stdout == "2829\n"
