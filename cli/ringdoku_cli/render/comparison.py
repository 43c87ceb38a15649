"""The table of a comparison, cut to the width of a terminal."""

from __future__ import annotations

from typing import TextIO

from ringdoku.compare.results import Results
from ringdoku.compare.summary import HEADS, Summary, table
from ringdoku_cli.messages import printable
from ringdoku_cli.render.table import table_lines
from ringdoku_cli.render.terminal import terminal_width

SPARE = ("spread", "p90 s", "build s", "memory MiB", "worst s", "puzzles/s", "wins", "median s")
"""Columns that a narrow terminal does without, the first one first."""


def render_summary(results: Results, stream: TextIO) -> str:
    """Whole lines."""
    heads, rows = table(Summary(results))
    lines = table_lines(
        heads,
        [[printable(cell) for cell in row] for row in rows],
        terminal_width(stream),
        numbers=HEADS[1:],
        below=("failures",),
        spare=SPARE,
    )
    return "\n".join([*lines, ""])
