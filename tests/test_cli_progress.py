"""The progress bar: on a terminal only, never in the way of answers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from ringdoku_cli import progress
from ringdoku_cli.inputs import Puzzles

SOLVED = "1234341221434321"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A terminal as standard error; yields the end that shows what was drawn."""
    import pty

    controller, end = pty.openpty()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress, "REDRAW_SECONDS", 0.0)
    with os.fdopen(end, "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        yield controller
    os.close(controller)


@pytest.fixture
def puzzles(tmp_path: Path) -> Iterator[Puzzles]:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{SOLVED}\n" * 20)
    with Puzzles(str(path), None, None) as opened:
        yield opened


def test_many_puzzles_on_a_terminal_draw_a_bar(terminal: int, puzzles: Puzzles) -> None:
    assert len(list(progress.with_progress(puzzles, StringIO()))) == 20
    drawn = os.read(terminal, 1 << 16).decode()
    assert "19 puzzles" in drawn


def test_nothing_is_drawn_where_answers_scroll_by(terminal: int, puzzles: Puzzles) -> None:
    assert len(list(progress.with_progress(puzzles, sys.stderr))) == 20
    os.set_blocking(terminal, False)
    with pytest.raises(BlockingIOError):
        os.read(terminal, 1)


def test_nothing_is_drawn_when_piped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], puzzles: Puzzles
) -> None:
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    assert len(list(progress.with_progress(puzzles, StringIO()))) == 20
    assert capsys.readouterr().err == ""
