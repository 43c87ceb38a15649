"""The table of a comparison, cut to the width of a terminal, and what its figures mean."""

from __future__ import annotations

from typing import TextIO

from ringdoku.compare.results import Results
from ringdoku.compare.summary import HEADS, Measure, Summary, legend, legend_of_kinds, table
from ringdoku_cli.messages import printable
from ringdoku_cli.render.table import table_lines, terminal_width, wrapped

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
