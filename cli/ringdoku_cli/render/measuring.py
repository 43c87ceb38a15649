"""A progress bar on standard error while a comparison runs; none where that is not a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ringdoku.compare.measurement import Measurement
from ringdoku.compare.results import Results
from ringdoku_cli.messages import printable
from ringdoku_cli.render.table import errors_are_seen


@contextmanager
def measuring(before: Results) -> Iterator[Callable[[Measurement], None] | None]:
    """Gives the function to call with each measurement. The bar estimates the time left from the last few."""
    if not errors_are_seen():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    with Progress(
        MofNCompleteColumn(),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    ) as progress:
        task = progress.add_task("", total=before.plan.size, completed=len(before.measurements))

        def show(measurement: Measurement) -> None:
            last = printable(f"{measurement.contender} on {measurement.instance}: {measurement.outcome.value}")
            progress.update(task, advance=1, description=escape(last))

        yield show
