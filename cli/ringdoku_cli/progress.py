"""A line on a terminal while puzzles are answered: what is known of the open question, and how many are done.

It is on standard error, and appears when a question takes a second. Where the answers may appear on a terminal too, the
line is erased before an answer is written.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, TextIO

from ringdoku.domain.numbers import counted

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text


class Progress:
    """The line; `latest` is what is known of the open question, in words. Nothing is drawn without an `output`, nor
    where standard error is not a terminal."""

    def __init__(self, output: TextIO | None = None) -> None:
        self.latest, self.done, self._scrolls = "", 0, False
        with suppress(OSError, ValueError):
            # answers may appear there too, also through a pipe to a program that prints them
            self._scrolls = output is not None and (output.isatty() or stat.S_ISFIFO(os.fstat(output.fileno()).st_mode))
        self._start = time.monotonic()
        self._asked: float | None = None
        self._live: Live | None = None
        self._lock, self._over = Lock(), Event()
        if output is not None and sys.stderr is not None and sys.stderr.isatty():
            Thread(target=self._watch, daemon=True).start()

    def begin(self) -> None:
        """A question is asked."""
        self._asked = time.monotonic()

    def hear(self, known: str) -> None:
        """So much is known of it."""
        self.latest = known

    def end(self, over: bool = False) -> None:
        """There is an answer to write, or all is over."""
        with self._lock:
            if over:
                self._over.set()
            if over or self._scrolls:
                self._asked = None
                if self._live is not None:
                    self._live.stop()
                    self._live = None

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            with self._lock:
                since = self._asked if self._scrolls else self._asked and self._start
                if self._live is None and since is not None and time.monotonic() > since + 1.0:
                    self._draw()

    def _draw(self) -> None:
        from rich.console import Console
        from rich.live import Live

        # rich leaves standard output alone, and prints messages above the line
        console = Console(stderr=True)
        self._live = Live(console=console, get_renderable=self._line, transient=True, redirect_stdout=False)
        self._live.start(refresh=True)

    def _line(self) -> Text:
        from rich.text import Text

        done = f"{counted(self.done, 'puzzle')} " if self.done else ""
        known = f": {self.latest}" if self.latest else ""
        return Text(f"{done}{time.monotonic() - self._start:.0f} s{known}", no_wrap=True)
