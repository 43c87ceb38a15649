"""How many instances each contender solved, and how fast: the figures by which SAT competitions rank.

The time of a contender on an instance is the median over the repeats; a run without a final answer within the time
limit counts twice the limit (PAR-2). An instance is solved when its time is within the limit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor, log10
from statistics import fmean, median

from ringdoku.compare.measurement import Measurement
from ringdoku.compare.results import Results
from ringdoku.drawing.drawer import DARK, FOUND, LETTER, MARGIN, THIN
from ringdoku.drawing.shapes import Rect, Scene, Shape, Text
from ringdoku.drawing.svg import to_svg

SIZE, LINE = 12, 20
"""The font size, and the height of a line, of the table as a picture."""

VIRTUAL_BEST = "virtual best"
"""Stands for the fastest contender on each instance."""


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
"""Every column of the table."""


@dataclass(frozen=True)
class Row:
    """A contender's figures; times in seconds, memory in MiB, None where there is no figure.

    `median`, `p90` and `worst` are over all its instances, unsolved ones at twice the limit. `spread` is the median
    over the instances of (slowest − fastest repeat) / time, None without repeats.
    """

    name: str
    instances: int
    solved: int
    par2: float
    median: float
    p90: float
    worst: float
    spread: float | None = None
    build: float | None = None
    """The median over its runs of the time that building the model took, which is part of the other times."""
    memory: float | None = None
    wins: int | None = None
    throughput: float | None = None
    """In warm runs: puzzles answered in a second."""
    failures: Mapping[str, int] | None = None
    """How many runs ended without a final answer, by outcome."""


class Summary:
    """All figures of some results, from the measurements made so far."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self.limit = results.plan.time_limit
        self.penalty = 2 * self.limit

    @cached_property
    def times(self) -> Mapping[str, Mapping[str, float]]:
        """Contender → instance → time, or the penalty where it was not solved; contenders in the order of the plan."""
        runs: dict[str, defaultdict[str, list[float]]] = {
            contender.name: defaultdict(list) for contender in self._results.plan.contenders
        }
        for measurement in self._results.measurements:
            runs[measurement.contender][measurement.instance].append(self.time(measurement))
        return {
            contender: {instance: self._typical(times) for instance, times in of_instance.items()}
            for contender, of_instance in runs.items()
            if of_instance
        }

    @cached_property
    def virtual_best(self) -> Mapping[str, float]:
        """Instance → the least time of all."""
        best: dict[str, float] = {}
        for of_instance in self.times.values():
            for instance, time in of_instance.items():
                best[instance] = min(time, best.get(instance, time))
        return best

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Most solved first, then least PAR-2."""
        wins = self._wins()
        measurements: defaultdict[str, list[Measurement]] = defaultdict(list)
        for measurement in self._results.measurements:
            measurements[measurement.contender].append(measurement)
        rows = [self._row(name, times, measurements[name], wins.get(name, 0)) for name, times in self.times.items()]
        return tuple(sorted(rows, key=lambda row: (-row.solved, row.par2, row.name)))

    @cached_property
    def best_row(self) -> Row | None:
        """The virtual best as a row; None when nothing was measured."""
        return self._figures(VIRTUAL_BEST, self.virtual_best) if self.virtual_best else None

    def time(self, measurement: Measurement) -> float:
        """The seconds of a run, or the penalty where it did not solve its instance."""
        if measurement.outcome.is_final and measurement.seconds is not None and measurement.seconds <= self.limit:
            return measurement.seconds
        return self.penalty

    def _typical(self, times: list[float]) -> float:
        time = median(times)
        return time if time <= self.limit else self.penalty

    def _wins(self) -> Mapping[str, int]:
        wins: defaultdict[str, int] = defaultdict(int)
        for instance, best in self.virtual_best.items():
            if best < self.penalty:
                wins[next(name for name, times in self.times.items() if times.get(instance) == best)] += 1
        return wins

    def _figures(self, name: str, times: Mapping[str, float]) -> Row:
        ordered = sorted(times.values())
        return Row(
            name=name,
            instances=len(ordered),
            solved=sum(time <= self.limit for time in ordered),
            par2=fmean(ordered),
            median=median(ordered),
            p90=percentile(ordered, 0.9),
            worst=ordered[-1],
        )

    def _row(self, name: str, times: Mapping[str, float], measurements: list[Measurement], wins: int) -> Row:
        row = self._figures(name, times)
        seconds: list[float] = [one.seconds for one in measurements if one.seconds is not None]
        failures: defaultdict[str, int] = defaultdict(int)
        for measurement in measurements:
            if not measurement.outcome.is_final:
                failures[measurement.outcome.value] += 1
        builds = [one.build_seconds for one in measurements if one.build_seconds is not None]
        total = sum(seconds)
        return replace(
            row,
            spread=self._spread(measurements),
            build=median(builds) if builds else None,
            memory=max((one.memory for one in measurements if one.memory is not None), default=None),
            wins=wins,
            throughput=len(seconds) / total if self._results.plan.warm and total else None,
            failures=failures,
        )

    def _spread(self, measurements: Iterable[Measurement]) -> float | None:
        runs: defaultdict[str, list[float]] = defaultdict(list)
        for measurement in measurements:
            if measurement.outcome.is_final and measurement.seconds:
                runs[measurement.instance].append(measurement.seconds)
        spreads = [(max(times) - min(times)) / median(times) for times in runs.values() if len(times) > 1]
        return median(spreads) if spreads else None


def percentile(ordered: list[float], share: float) -> float:
    """The percentile by nearest rank: the smallest value that at least `share` of the ordered values do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def table(summary: Summary) -> tuple[list[str], list[list[str]]]:
    """Heads and rows, the best contender first, the virtual best last; columns without any entry are left out."""
    rows = [cells(row) for row in (*summary.rows, *([summary.best_row] if summary.best_row else []))]
    used = [place for place in range(len(HEADS)) if any(row[place] for row in rows)]
    return [HEADS[place] for place in used], [[row[place] for place in used] for row in rows]


def table_text(summary: Summary) -> str:
    """The table as lines, the first column to the left, the others to the right."""
    heads, rows = table(summary)
    columns = list(zip(heads, *rows, strict=True))
    wide = [max(map(len, column)) for column in columns]
    lines = []
    for line in (heads, *rows):
        texts = (
            text.rjust(width) if place else text.ljust(width)
            for place, (text, width) in enumerate(zip(line, wide, strict=True))
        )
        lines.append("  ".join(texts).rstrip())
    return "\n".join(lines)


def table_svg(summary: Summary) -> str:
    """The table as one SVG element, with a bar for each PAR-2 score: the shorter, the better."""
    heads, rows = table(summary)
    columns = list(zip(heads, *rows, strict=True))
    edges = [MARGIN * 2.0]
    for column in columns:
        edges.append(edges[-1] + max(map(len, column)) * SIZE * LETTER + 4 * MARGIN)
    worst, longest = max((row.par2 for row in summary.rows), default=0), 40 * MARGIN
    width, height = edges[-1] + longest, LINE * (len(rows) + 1) + 2 * MARGIN
    shapes: list[Shape] = []
    for number, line in enumerate((heads, *rows)):
        base = MARGIN + LINE * number + SIZE
        if number:
            shapes.append(Rect(MARGIN, base - SIZE - 1, width - 2 * MARGIN, 1, THIN))
        for left, text in zip(edges, line, strict=False):
            shapes.append(Text(left, base, text, SIZE, DARK, bold=not number, anchor="start"))
    for number, row in enumerate(summary.rows, 1):
        share = row.par2 / worst if worst else 0
        shapes.append(
            Rect(edges[-1], MARGIN + LINE * number + 3, max(1, share * (longest - 2 * MARGIN)), SIZE - 4, FOUND)
        )
    return to_svg(Scene(width, height, tuple(shapes), "Comparison of contenders", table_text(summary)))


def cells(row: Row) -> list[str]:
    """A row of the table under `HEADS`; a cell is empty where there is no figure."""
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
    """Three significant digits, but no finer than microseconds; two decimals from one second on."""
    if seconds < 1e-6:
        return "0"
    decimals = min(6, max(2, 2 - floor(log10(seconds))))
    return f"{seconds:.{decimals}f}"
