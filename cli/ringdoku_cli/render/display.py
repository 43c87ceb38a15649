"""A line on a terminal while one question is worked on: what is known, once a second has gone by.

It is on standard error. Where the answers may appear on a terminal too, the line is there only while a question is
open, and is erased before the answer is written. A thread draws it, so that its clock runs while a solver reports
nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, TextIO

from ringdoku.domain.numbers import counted
from ringdoku.solvers.base import Progress
from ringdoku.text import Entry
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.render.terminal import errors_are_seen, may_reach_terminal

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

QUIET_SECONDS = 1.0
REDRAW_SECONDS = 0.2
BAR_WIDTH = 20


class Display:
    """The line, from the second puzzle on with a bar. Nothing is drawn where standard error is not a terminal."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._scrolls = False
        self._start = 0.0
        self._asked: float | None = None
        self._latest = ""
        self._done = 0
        self._share: float | None = None
        self._live: Live | None = None

    def entries(self, puzzles: Puzzles, output: TextIO) -> Generator[Entry, None, None]:
        """The puzzles; the line is drawn until the last is answered."""
        if not errors_are_seen():
            yield from puzzles
            return
        self._scrolls = may_reach_terminal(output)
        self._start = time.monotonic()
        thread = threading.Thread(target=self._draw_again_and_again, daemon=True)
        thread.start()
        try:
            for self._done, entry in enumerate(puzzles):
                self._share = puzzles.share_read
                yield entry
        finally:
            self._over.set()
            thread.join()
            self._erase()

    def begin(self, known: str) -> None:
        """A question is asked, and so much is known."""
        with self._lock:
            self._latest, self._asked = known, time.monotonic()

    def hear(self, known: str) -> None:
        self._latest = known

    def end(self) -> None:
        """The question is answered."""
        with self._lock:
            self._asked = None
            if self._scrolls:
                self._erase()

    def _erase(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _draw_again_and_again(self) -> None:
        while not self._over.wait(REDRAW_SECONDS):
            with self._lock:
                since = self._asked if self._scrolls else self._start
                if since is not None and _is_long_ago(since):
                    self._draw()

    def _draw(self) -> None:
        if self._live is not None:
            self._live.update(self._line(), refresh=True)
            return
        from rich.console import Console
        from rich.live import Live

        self._live = Live(
            self._line(),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
            # rich leaves standard output alone, and prints messages above the line
            redirect_stdout=False,
            redirect_stderr=True,
        )
        self._live.start(refresh=True)

    def _line(self) -> Table:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        line = Table.grid(padding=(0, 1))
        text = f"{time.monotonic() - self._start:.0f} s"
        # not for questions that are answered at once: it would only flicker
        if self._asked is not None and _is_long_ago(self._asked):
            text += f": {self._latest}"
        parts: list[Text | ProgressBar] = [Text(text)]
        if self._done:
            if self._share is not None:
                parts.insert(0, ProgressBar(1.0, self._share, BAR_WIDTH))
            parts.insert(0, Text(counted(self._done, "puzzle")))
        for _ in parts:
            line.add_column(no_wrap=True)
        line.add_row(*parts)
        return line


def _is_long_ago(moment: float) -> bool:
    return time.monotonic() >= moment + QUIET_SECONDS


def known(progress: Progress | None) -> str:
    """Score, bound and gap in words."""
    score, bound = (None, None) if progress is None else (progress.score, progress.bound)
    parts = ["no solution yet" if score is None else f"score {score}"]
    parts.append("no bound yet" if bound is None else f"bound {bound}")
    if score is not None and bound is not None:
        parts.append(f"gap {abs(bound - score)}")
    return ", ".join(parts)
