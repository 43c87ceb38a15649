"""What commands that draw, explain, list and make refuse: one line on standard error, before anything is written."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

FOUR = "1...\n.2..\n..3.\n...4\n"
INPUTS = {"in": FOUR, "two": FOUR * 2, "line": "12..341221.34.21\n", "wrong": "12x4\n", "empty": ""}
_, *LINES = (Path(__file__).parents[1] / "fixtures" / "refused.txt").read_text().splitlines()


@pytest.mark.parametrize(("line", "said"), [*zip(LINES[::2], LINES[1::2], strict=True)])
def test_what_is_refused(ringdoku_here: Run, tmp_path: Path, line: str, said: str) -> None:
    for name, text in INPUTS.items():
        (tmp_path / f"{name}.txt").write_text(text)
    done = ringdoku_here(*shlex.split(line), cwd=tmp_path)
    code, _, message = said.strip().partition(" ")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (int(code), "", 1)
    assert message in done.stderr
    assert {path.stem for path in tmp_path.iterdir()} == set(INPUTS)
