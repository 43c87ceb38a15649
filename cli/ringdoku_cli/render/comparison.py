"""The table of a comparison: drawn on a terminal, plain columns elsewhere."""

from __future__ import annotations

from typing import TextIO

from ringdoku.services.compare.figures import HEADS, cells
from ringdoku.services.compare.results import Results
from ringdoku.services.compare.summary import Summary
from ringdoku_cli.messages import printable


def render_summary(results: Results, stream: TextIO) -> str:
    """Whole lines; the best contender first, the virtual best last. Columns without any entry are left out."""
    summary = Summary(results)
    rows = [*summary.rows, *([summary.best_row] if summary.best_row else [])]
    table = [list(HEADS), *([printable(cell) for cell in cells(row)] for row in rows)]
    used = [column for column in range(len(HEADS)) if any(line[column] for line in table[1:])]
    table = [[line[column] for column in used] for line in table]
    return _drawn(table) if stream.isatty() else _plain(table)


def _plain(table: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = (
        [
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        for line in table
    )
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def _drawn(table: list[list[str]]) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(show_edge=False)
    heads, *lines = table
    for place, head in enumerate(heads):
        drawn.add_column(head, justify="right" if place else "left", overflow="fold")
    for line in lines:
        drawn.add_row(*map(Text, line), style="dim" if line is lines[-1] else "")
    console = Console()
    with console.capture() as capture:
        console.print(drawn)
    return capture.get()
