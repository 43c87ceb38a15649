"""A line on standard error while a best score is looked for: what is known, on a terminal, once a second has gone by.

It is erased before an answer is written, so that it can be there where answers scroll by. A thread draws it, or the
clock would stand still while a solver has nothing to tell.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from ringdoku.backends.base import Progress
from ringdoku.formats import Entry
from ringdoku_cli.inputs import Puzzles

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

QUIET_SECONDS = 1.0
REDRAW_SECONDS = 0.2
BAR_WIDTH = 20


class Display:
    """The line, with a bar when it is about several puzzles. Nothing is drawn where standard error is no terminal."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._asking = False
        self._latest: Progress | None = None
        self._done = 0
        self._share: float | None = None
        self._start = self._due = 0.0
        self._live: Live | None = None

    def entries(self, puzzles: Puzzles, output: TextIO) -> Iterator[Entry]:
        """The puzzles, with the line there until the last is answered.

        The second counts from the first puzzle, and from each anew where answers appear on a terminal too.
        """
        if sys.stderr is None or not sys.stderr.isatty():
            yield from puzzles
            return
        thread = threading.Thread(target=self._draw_again_and_again, daemon=True)
        thread.start()
        self._due = time.monotonic() + QUIET_SECONDS
        try:
            for self._done, entry in enumerate(puzzles):
                self._share = puzzles.share_read
                self._start = time.monotonic()
                if output.isatty():
                    self._due = self._start + QUIET_SECONDS
                yield entry
        finally:
            self._over.set()
            thread.join()
            self.end()

    def begin(self) -> None:
        """A question is asked: the line may appear."""
        with self._lock:
            self._latest, self._asking = None, True

    def hear(self, progress: Progress) -> None:
        self._latest = progress

    def end(self) -> None:
        """The question is answered: the line is gone."""
        with self._lock:
            self._asking = False
            if self._live is not None:
                self._live.stop()
                self._live = None

    def _draw_again_and_again(self) -> None:
        while not self._over.wait(REDRAW_SECONDS):
            with self._lock:
                if self._asking and time.monotonic() >= self._due:
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
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start(refresh=True)

    def _line(self) -> Table:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        line = Table.grid(padding=(0, 1))
        parts: list[Text | ProgressBar] = [Text(f"{time.monotonic() - self._start:.0f} s: {known(self._latest)}")]
        if self._done:
            if self._share is not None:
                parts.insert(0, ProgressBar(1.0, self._share, BAR_WIDTH))
            parts.insert(0, Text(f"{self._done} puzzles"))
        for _ in parts:
            line.add_column(no_wrap=True)
        line.add_row(*parts)
        return line


def known(progress: Progress | None) -> str:
    """Score, bound and what lies between them, as far as there are any."""
    score, bound = (None, None) if progress is None else (progress.score, progress.bound)
    parts = ["no solution yet" if score is None else f"score {score}"]
    parts.append("no bound yet" if bound is None else f"bound {bound}")
    if score is not None and bound is not None:
        parts.append(f"gap {abs(bound - score)}")
    return ", ".join(parts)
