"""Reports the search for the best scores of a puzzle while it runs: on the display, in the log, and after Ctrl-C."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ringdoku.domain.errors import UsageError
from ringdoku.domain.result import Result, Status
from ringdoku.solvers.base import Progress
from ringdoku.text import Entry
from ringdoku_cli.messages import note
from ringdoku_cli.render.display import Display, known


@contextmanager
def open_log(path: str | None, force: bool) -> Iterator[TextIO | None]:
    """A stream that writes each line at once to a file that exists from the start; None for no path.

    Raises `UsageError` when FILE exists and `force` is false, or cannot be written.
    """
    if path is None:
        yield None
        return
    target = Path(path)
    try:
        # a device or a named pipe is opened for writing even when it exists
        fresh = not force and (target.is_file() or not target.exists())
        stream = target.open("x" if fresh else "w", encoding="utf-8", newline="\n", buffering=1)
    except FileExistsError:
        raise UsageError(f"{path} exists; --force replaces it") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None
    with stream:
        yield stream


class Follower:
    """Passes the progress of one puzzle to the display, and to the log where there is one."""

    def __init__(self, entry: Entry, display: Display, log: TextIO | None) -> None:
        self._entry = entry
        self._display = display
        self._log = log
        self._start = time.monotonic()
        self._latest: Progress | None = None
        self._logged: tuple[int | None, int | None, Status | None] | None = None

    def follow(self, ask: Callable[[Callable[[Progress], None]], Iterator[Result]]) -> Iterator[Result]:
        """The results of `ask`, which gets the function to call with progress."""
        results = ask(self._hear)
        while True:
            self._latest = None
            self._display.begin(known(None))
            try:
                result = next(results, None)
            except KeyboardInterrupt:
                self._display.end()
                note(f"{self._entry.place}: interrupted: {known(self._latest)}")
                raise
            finally:
                self._display.end()
            if result is None:
                return
            self._write(result.score, result.bound, result.status)
            yield result

    def _hear(self, progress: Progress) -> None:
        self._latest = progress
        self._display.hear(known(progress))
        self._write(progress.score, progress.bound, None)

    def _write(self, score: int | None, bound: int | None, status: Status | None) -> None:
        if self._log is None or self._logged == (score, bound, status):
            return
        self._logged = score, bound, status
        record = {
            "seconds": round(time.monotonic() - self._start, 6),
            "place": str(self._entry.place),
            "score": score,
            "bound": bound,
            "status": status and status.value,
        }
        self._log.write(json.dumps(record) + "\n")
