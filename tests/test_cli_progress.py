"""The progress bar: on a terminal only, never in the way of answers."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from io import StringIO
from typing import TextIO

import pytest

from ringdoku_cli import progress
from ringdoku_cli.inputs import Puzzles

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, TextIO]]:
    """A terminal: the end that shows what was drawn, and the one to draw on."""
    import pty

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress, "REDRAW_SECONDS", 0.0)
    shown, drawn = pty.openpty()
    with os.fdopen(drawn, "w") as stream:
        yield shown, stream
    os.close(shown)


def all_shown(shown: int, stream: TextIO) -> str:
    """What was drawn, up to the end that closing the stream makes."""
    stream.close()
    drawn = b""
    with contextlib.suppress(OSError):
        while chunk := os.read(shown, 1 << 16):
            drawn += chunk
    return drawn.decode()


def test_many_puzzles_on_a_terminal_draw_a_bar(
    monkeypatch: pytest.MonkeyPatch, terminal: tuple[int, TextIO], three_puzzles: Puzzles
) -> None:
    shown, stream = terminal
    monkeypatch.setattr(sys, "stderr", stream)
    assert len(list(progress.with_progress(three_puzzles, StringIO()))) == 3
    assert "2 puzzles" in all_shown(shown, stream)


@pytest.mark.parametrize("piped", [False, True])
def test_nothing_is_drawn_where_answers_scroll_by(
    monkeypatch: pytest.MonkeyPatch, terminal: tuple[int, TextIO], three_puzzles: Puzzles, piped: bool
) -> None:
    shown, stream = terminal
    monkeypatch.setattr(sys, "stderr", stream)
    reading, writing = os.pipe()
    # what comes out of a pipe may be printed on the same terminal
    with os.fdopen(reading), os.fdopen(writing, "w") as pipe:
        assert len(list(progress.with_progress(three_puzzles, pipe if piped else stream))) == 3
    assert all_shown(shown, stream) == ""


def test_nothing_is_drawn_when_piped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], three_puzzles: Puzzles
) -> None:
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    assert len(list(progress.with_progress(three_puzzles, StringIO()))) == 3
    assert capsys.readouterr().err == ""
