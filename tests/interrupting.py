"""Ctrl-C in the middle of many puzzles, wherever they are answered."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from conftest import plain_environment
from pool_questions import awaited
from puzzles import random_puzzle

from ringdoku.domain.ruleset import classic
from ringdoku.text import layout_named


def interrupt_maximise(script: Path, folder: Path, *options: str) -> None:
    """After the answers to two easy puzzles, while two hard ones are open: the answers stay in the partial file."""
    puzzles = [random_puzzle(classic(25), clues, seed=1) for clues in (620, 620, 200, 200)]
    layout = layout_named("spaced", puzzles[0].ruleset)
    source, output = folder / "puzzles", folder / "answers"
    source.write_text("\n".join(layout.render(each.clues, each.ruleset) for each in puzzles))
    command: list[str | Path] = [script, "maximise", *options, "-o", output, source]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=plain_environment()) as running:
        part = awaited(lambda: list(folder.glob(".answers.*.part")))[0]
        awaited(lambda: part.read_text().count("\n") == 2)
        running.send_signal(signal.SIGINT)
        assert running.wait(10) == 130
        assert running.stderr
        assert "interrupted before it was answered" in running.stderr.read()
    assert Path(f"{output}.partial").read_text().count("\n") == 2
    assert not output.exists()
