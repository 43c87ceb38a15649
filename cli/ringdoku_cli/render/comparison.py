"""What `ringdoku compare` shows: its table, cut to the width of a terminal, and a bar while it measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from ringdoku.compare.measurement import Measurement
from ringdoku.compare.results import Results
from ringdoku.compare.summary import HEADS, Measure, Summary, legend, legend_of_kinds, table
from ringdoku_cli.messages import printable
from ringdoku_cli.render.table import errors_are_seen, table_lines, terminal_width, wrapped

SPARE = (
    *("spread", "propagations", "decisions", "cpu s", "conflicts", "p90 s", "memory MiB", "worst s", "puzzles/s"),
    *("wins", "load s", "build s", "solve s", "median s"),
)
"""Columns that a narrow terminal does without, the first one first."""


def render_summary(results: Results, stream: TextIO, measure: Measure = Measure.TOTAL) -> str:
    """Whole lines."""
    summary = Summary(results, measure)
    heads, rows = table(summary)
    width = terminal_width(stream)
    lines = table_lines(
        heads,
        [[printable(cell) for cell in row] for row in rows],
        width,
        numbers=[head for head in HEADS if head not in ("contender", "solver", "failures")],
        below=("failures",),
        spare=SPARE,
    )
    about = f"{legend(summary)} {legend_of_kinds(summary)}".rstrip()
    return "\n".join([*lines, "", *wrapped(about, width), ""])


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
