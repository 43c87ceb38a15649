"""The summary's figures as text: one table for the terminal, the page and a pipe."""

from __future__ import annotations

from math import floor, log10

from ringdoku.services.compare.summary import Row, Summary

HEADS = (
    "contender",
    "solved",
    "PAR-2 s",
    "median s",
    "p90 s",
    "worst s",
    "build s",
    "spread",
    "memory MiB",
    "wins",
    "puzzles/s",
    "failures",
)


def table(summary: Summary) -> tuple[list[str], list[list[str]]]:
    """Heads and rows, the best contender first, the virtual best last; columns without any entry are left out."""
    rows = [cells(row) for row in (*summary.rows, *([summary.best_row] if summary.best_row else []))]
    used = [place for place in range(len(HEADS)) if any(row[place] for row in rows)]
    return [HEADS[place] for place in used], [[row[place] for place in used] for row in rows]


def cells(row: Row) -> list[str]:
    """A row of the table under `HEADS`; empty where there is nothing to tell."""
    failures = ", ".join(f"{count} {outcome}" for outcome, count in (row.failures or {}).items())
    return [
        row.name,
        f"{row.solved}/{row.instances}",
        seconds_text(row.par2),
        seconds_text(row.median),
        seconds_text(row.p90),
        seconds_text(row.worst),
        "" if row.build is None else seconds_text(row.build),
        "" if row.spread is None else f"{row.spread:.0%}",
        "" if row.memory is None else f"{row.memory:.0f}",
        "" if row.wins is None else str(row.wins),
        "" if row.throughput is None else f"{row.throughput:.0f}",
        failures,
    ]


def seconds_text(seconds: float) -> str:
    """Three significant digits where that is within microseconds, two decimals from one second on."""
    if seconds < 1e-6:
        return "0"
    decimals = min(6, max(2, 2 - floor(log10(seconds))))
    return f"{seconds:.{decimals}f}"
