"""The table of a comparison: drawn on a terminal, plain columns elsewhere."""

from __future__ import annotations

from typing import TextIO

from ringdoku.compare.results import Results
from ringdoku.compare.summary import Summary, table
from ringdoku_cli.messages import printable


def render_summary(results: Results, stream: TextIO) -> str:
    """Whole lines."""
    heads, rows = table(Summary(results))
    lines = [heads, *([printable(cell) for cell in row] for row in rows)]
    return _drawn(lines) if stream.isatty() else _plain(lines)


def _plain(lines: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = ""
    for line in lines:
        padded = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        padded[0] = line[0].ljust(widths[0])
        text += "  ".join(padded).rstrip() + "\n"
    return text


def _drawn(lines: list[list[str]]) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(show_edge=False)
    heads, *rows = lines
    for place, head in enumerate(heads):
        drawn.add_column(head, justify="right" if place else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*map(Text, row), style="dim" if row is rows[-1] else "")
    console = Console()
    with console.capture() as capture:
        console.print(drawn)
    return capture.get()
