"""A line on a terminal while puzzles are answered: what is known of the open question, and how many are done.

It is on standard error, and appears after a second. Where the answers may appear on a terminal too, the line is there
only while a question is open, and is erased before the answer is written. A thread draws it, so that its clock runs
while a solver reports nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from ringdoku.domain.numbers import counted
from ringdoku_cli.render.table import errors_are_seen, may_reach_terminal

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

QUIET_SECONDS = 1.0
REDRAW_SECONDS = 0.2
BAR_WIDTH = 20


class Progress:
    """The line; `latest` is what is known of the open question, in words. It is drawn while `shown` is open."""

    def __init__(self) -> None:
        self.latest = ""
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._scrolls = False
        self._start = 0.0
        self._asked: float | None = None
        self._done = 0
        self._share: float | None = None
        self._live: Live | None = None

    @contextmanager
    def shown(self, output: TextIO) -> Iterator[None]:
        """Nothing is drawn where standard error is not a terminal."""
        if not errors_are_seen():
            yield
            return
        self._scrolls = may_reach_terminal(output)
        self._start = time.monotonic()
        thread = threading.Thread(target=self._draw_again_and_again, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()
            self._erase()

    def begin(self) -> None:
        """A question is asked."""
        with self._lock:
            self._asked = time.monotonic()

    def hear(self, known: str) -> None:
        """So much is known of it."""
        self.latest = known

    def end(self) -> None:
        """There is an answer to write."""
        with self._lock:
            self._asked = None
            if self._scrolls:
                self._erase()

    def next_puzzle(self, share: float | None) -> None:
        """A puzzle is done, and so much of the input was read, 0..1 if that is known."""
        self._done += 1
        self._share = share
        self.latest = ""

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
        if self._asked is not None and _is_long_ago(self._asked) and self.latest:
            text += f": {self.latest}"
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
