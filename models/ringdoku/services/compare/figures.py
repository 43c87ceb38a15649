"""The summary's figures as text: one table for the terminal, the page and a pipe."""

from __future__ import annotations

from ringdoku.services.compare.summary import Row

HEADS = (
    "contender",
    "solved",
    "PAR-2 s",
    "median s",
    "p90 s",
    "worst s",
    "spread",
    "memory MiB",
    "wins",
    "puzzles/s",
    "failures",
)


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
        "" if row.spread is None else f"{row.spread:.0%}",
        "" if row.memory is None else f"{row.memory:.0f}",
        "" if row.wins is None else str(row.wins),
        "" if row.throughput is None else f"{row.throughput:.0f}",
        failures,
    ]


def seconds_text(seconds: float) -> str:
    return f"{seconds:.4f}" if seconds < 1 else f"{seconds:.2f}"
