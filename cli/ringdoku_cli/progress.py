"""A progress bar on standard error, for a person who waits longer than a second while the answers go to a file."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, TextIO, TypeVar

from ringdoku.domain.numbers import counted
from ringdoku.text import Batch, Entry
from ringdoku_cli.inputs import Puzzles, puzzles_in
from ringdoku_cli.render.terminal import errors_are_seen, may_reach_terminal

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Item = TypeVar("Item")

QUIET_SECONDS = 1.0
REDRAW_SECONDS = 0.1


def with_progress(puzzles: Puzzles, output: TextIO) -> Generator[Entry, None, None]:
    """The puzzles, and a bar while they are answered.

    There is none where standard error is not a terminal, or where the answers may appear on one themselves.
    """
    return _with_bar(puzzles, iter(puzzles), output)


def batches_with_progress(puzzles: Puzzles, output: TextIO) -> Generator[Entry | Batch, None, None]:
    """The same, with many puzzles at once where they come so."""
    return _with_bar(puzzles, puzzles.in_batches(), output)


def _with_bar(puzzles: Puzzles, items: Iterator[Item], output: TextIO) -> Generator[Item, None, None]:
    if not errors_are_seen() or may_reach_terminal(output):
        yield from items
        return
    bar: tuple[Progress, TaskID] | None = None
    due = time.monotonic() + QUIET_SECONDS
    done = 0
    try:
        for item in items:
            if done and time.monotonic() >= due:
                bar = bar or _start(puzzles)
                progress, task = bar
                progress.update(task, completed=puzzles.share_read or 0, done=counted(done, "puzzle"), refresh=True)
                due = time.monotonic() + REDRAW_SECONDS
            yield item
            done += puzzles_in(item)
    finally:
        if bar:
            bar[0].stop()


def _start(puzzles: Puzzles) -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.fields[done]}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        # drawn by the loop: a thread would have to wait for the solvers that hold the interpreter's lock
        auto_refresh=False,
        # rich leaves standard output alone
        redirect_stdout=False,
        redirect_stderr=True,
    )
    task = progress.add_task("", total=None if puzzles.share_read is None else 1.0, done="")
    progress.start()
    return progress, task
