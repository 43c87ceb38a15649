"""How many instances each contender solved, how fast, and with how much work: the figures of SAT competitions.

The time of a contender on an instance is the median over the repeats, by one of the measures. An instance is solved
when that time is within the limit; PAR-2 counts twice the limit for any other. Median, 90th percentile and worst are
the times within which half, nine tenths and all of the instances were solved: an unsolved one counts as slower than
every time, and there is no figure where so many were not solved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from math import ceil, floor, log10
from statistics import fmean, median
from typing import Protocol

from ringdoku.compare.measurement import Measurement
from ringdoku.compare.plan import Plan
from ringdoku.drawing.drawer import DARK, FOUND, LETTER, MARGIN, THIN
from ringdoku.drawing.files import to_svg
from ringdoku.drawing.shapes import Rect, Scene, Shape, Text

SIZE, LINE = 12, 20
"""The font size, and the height of a line, of the table as a picture."""

VIRTUAL_BEST = "virtual best"
"""Stands for the fastest contender on each instance."""


class Measure(Enum):
    """The time that ranks the contenders."""

    TOTAL = "total"
    """Wall-clock time of building, loading and solving."""
    SOLVE = "solve"
    """Wall-clock time of solving, with the phases that a backend does not tell apart."""
    CPU = "cpu"
    """Processor time of building, loading and solving."""

    def seconds(self, measurement: Measurement) -> float | None:
        """None where it was not measured."""
        match self:
            case Measure.TOTAL:
                return measurement.seconds
            case Measure.SOLVE:
                return measurement.solve_seconds
            case Measure.CPU:
                return measurement.cpu_seconds


COUNTS = ("conflicts", "decisions", "propagations")
"""What solvers count, as fields of measurements."""

PHASES = ("build", "load", "solve")

RANKING = ("contender", "solved", "PAR-2 s", "median s", "p90 s", "worst s", "spread", "wins", "puzzles/s", "failures")
"""Columns that depend on the measure."""

EFFORT = ("contender", "solver", *(f"{phase} s" for phase in PHASES), "cpu s", *COUNTS, "memory MiB")
"""Columns that do not: where the time goes, and what it takes."""

HEADS = (*RANKING[:-1], *EFFORT[1:], RANKING[-1])
"""Every column of the table."""

TOGETHER = "in solve"
"""The cell of a phase that is not told apart from solving."""


@dataclass(frozen=True)
class Row:
    """A contender's figures; times in seconds, memory in MiB, None where there is no figure.

    `spread` is the median over the instances of (slowest − fastest repeat) / time, None without repeats. `phases`,
    `cpu` and `counts` are medians over the runs that were answered; where a backend does not give one, it is missing.
    """

    name: str
    instances: int
    solved: int
    par2: float
    median: float | None
    p90: float | None
    worst: float | None
    spread: float | None = None
    phases: Mapping[str, float] | None = None
    cpu: float | None = None
    counts: Mapping[str, float] | None = None
    memory: float | None = None
    live: tuple[int, int] | None = None
    """Of how many answers came from a solver that stays for later puzzles, and of how many this is known."""
    wins: int | None = None
    throughput: float | None = None
    """In warm runs: puzzles answered in a second."""
    failures: Mapping[str, int] | None = None
    """How many runs ended without a final answer, by outcome."""


class Runs(Protocol):
    """A plan and the measurements made so far, as `Results` are."""

    @property
    def plan(self) -> Plan: ...

    @property
    def measurements(self) -> Sequence[Measurement]: ...


class Summary:
    """All figures of some results by one measure, from the measurements made so far."""

    def __init__(self, results: Runs, measure: Measure = Measure.TOTAL) -> None:
        self._results = results
        self.measure = measure
        self.limit = results.plan.time_limit
        self.penalty = 2 * self.limit

    @cached_property
    def times(self) -> Mapping[str, Mapping[str, float]]:
        """Contender → instance → time, or the penalty where it was not solved; contenders in the order of the plan."""
        return {
            contender: {instance: self._typical(list(map(self.time, runs))) for instance, runs in of_instance.items()}
            for contender, of_instance in self._runs.items()
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
        rows = [self._row(name, wins.get(name, 0)) for name in self.times]
        return tuple(sorted(rows, key=lambda row: (-row.solved, row.par2, row.name)))

    @cached_property
    def best_row(self) -> Row | None:
        """The virtual best as a row; None when nothing was measured."""
        return self._figures(VIRTUAL_BEST, self.virtual_best) if self.virtual_best else None

    @property
    def kinds(self) -> int:
        """2 where some answers came from live solvers and others from new ones, which are two kinds of runs."""
        return len({one.live for one in self._results.measurements} - {None})

    def time(self, measurement: Measurement) -> float:
        """The seconds of a run, or the penalty where it did not solve its instance."""
        seconds = self.measure.seconds(measurement)
        if measurement.outcome.is_final and seconds is not None and seconds <= self.limit:
            return seconds
        return self.penalty

    def counts(self, name: str) -> Mapping[str, Mapping[str, float]]:
        """Contender → instance → the median of a count over the repeats that solved it, where the backend gives it."""
        found: dict[str, dict[str, float]] = {}
        for contender, of_instance in self._runs.items():
            for instance, runs in of_instance.items():
                if values := _known((run for run in runs if run.outcome.is_final), name):
                    found.setdefault(contender, {})[instance] = median(values)
        return found

    @cached_property
    def _runs(self) -> Mapping[str, Mapping[str, list[Measurement]]]:
        runs: dict[str, defaultdict[str, list[Measurement]]] = {
            contender.name: defaultdict(list) for contender in self._results.plan.contenders
        }
        for measurement in self._results.measurements:
            runs[measurement.contender][measurement.instance].append(measurement)
        return {contender: of_instance for contender, of_instance in runs.items() if of_instance}

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
        middle, p90, worst = (
            time if time <= self.limit else None for time in (percentile(ordered, share) for share in (0.5, 0.9, 1.0))
        )
        solved = sum(time <= self.limit for time in ordered)
        return Row(name, len(ordered), solved, fmean(ordered), middle, p90, worst)

    def _row(self, name: str, wins: int) -> Row:
        measurements = [one for runs in self._runs[name].values() for one in runs]
        answered = [one for one in measurements if one.outcome.is_final]
        failures: defaultdict[str, int] = defaultdict(int)
        for measurement in measurements:
            if not measurement.outcome.is_final:
                failures[measurement.outcome.value] += 1
        phases = {phase: _known(answered, f"{phase}_seconds") for phase in PHASES}
        counts = {count: _known(answered, count) for count in COUNTS}
        processor, live = _known(answered, "cpu_seconds"), _known(answered, "live")
        seconds = [time for one in answered if (time := self.measure.seconds(one)) is not None]
        total = sum(seconds)
        return replace(
            self._figures(name, self.times[name]),
            spread=self._spread(answered),
            phases={phase: median(values) for phase, values in phases.items() if values},
            cpu=median(processor) if processor else None,
            counts={count: median(values) for count, values in counts.items() if values},
            memory=max(_known(measurements, "memory"), default=None),
            live=(len(list(filter(None, live))), len(live)) if live else None,
            wins=wins,
            throughput=len(seconds) / total if self._results.plan.warm and total else None,
            failures=failures,
        )

    def _spread(self, answered: Iterable[Measurement]) -> float | None:
        runs: defaultdict[str, list[float]] = defaultdict(list)
        for measurement in answered:
            if seconds := self.measure.seconds(measurement):
                runs[measurement.instance].append(seconds)
        spreads = [(max(times) - min(times)) / median(times) for times in runs.values() if len(times) > 1]
        return median(spreads) if spreads else None


def percentile(ordered: Sequence[float], share: float) -> float:
    """The percentile by nearest rank: the smallest value that at least `share` of the ordered values do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def table(summary: Summary, heads: Sequence[str] = HEADS, best: bool = True) -> tuple[list[str], list[list[str]]]:
    """Heads and rows, the best contender first, the virtual best last; columns without any entry are left out.

    The kind of solver is a column where a table has both.
    """
    last = [summary.best_row] if best and summary.best_row else []
    cells = [_cells(row, summary) for row in (*summary.rows, *last)]
    used = [head for head in heads if any(row[head] for row in cells) and (head != "solver" or summary.kinds > 1)]
    return used, [[row[head] for head in used] for row in cells]


def _cells(row: Row, summary: Summary) -> Mapping[str, str]:
    """The text under each of `HEADS`, empty where there is no figure."""
    phases, counts = row.phases or {}, row.counts or {}
    times = {"PAR-2 s": row.par2, "median s": row.median, "p90 s": row.p90, "worst s": row.worst}
    in_solve = TOGETHER if phases else ""
    return {
        "contender": row.name,
        "solved": f"{row.solved}/{row.instances}",
        **{head: f"> {summary.limit:g}" if time is None else seconds_text(time) for head, time in times.items()},
        "spread": _shown(row.spread, ".0%"),
        "wins": _shown(row.wins, "d"),
        "puzzles/s": _shown(row.throughput, ".0f"),
        "solver": _kind_of_solver(*(row.live or (0, 0))),
        **{f"{phase} s": seconds_text(phases[phase]) if phase in phases else in_solve for phase in PHASES},
        "cpu s": "" if row.cpu is None else seconds_text(row.cpu),
        **{count: _shown(counts.get(count), ".0f") for count in COUNTS},
        "memory MiB": _shown(row.memory, ".0f"),
        "failures": ", ".join(f"{count} {outcome}" for outcome, count in (row.failures or {}).items()),
    }


def _shown(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _kind_of_solver(live: int, known: int) -> str:
    if live in (0, known):
        return "" if not known else "live" if live else "new"
    return f"{live} of {known} live"


def legend(summary: Summary) -> str:
    """What the figures of the table are, in sentences."""
    about = {
        Measure.TOTAL: "Times are of the clock, for building, loading and solving together.",
        Measure.SOLVE: f"Times are of the clock, for solving alone; {TOGETHER!r} means that a phase is part of it.",
        Measure.CPU: "Times are of the processor, for building, loading and solving together.",
    }
    return (
        f"{about[summary.measure]} Median, p90 and worst: the time within which half, nine tenths and all of the "
        f"instances were solved; > {summary.limit:g} where so many were not. PAR-2: the mean, where an unsolved "
        f"instance counts {summary.penalty:g} s."
    )


def legend_of_kinds(summary: Summary) -> str:
    """What the two kinds of solvers are; empty where a table has one."""
    if summary.kinds < 2:
        return ""
    return (
        "Solver: a live one holds the rules, takes the clues as assumptions and can stay for later puzzles; a new one "
        "is made for one puzzle."
    )


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
    """The ranking as one SVG element, with a bar for each PAR-2 score: the shorter, the better."""
    heads, rows = table(summary, RANKING)
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


def seconds_text(seconds: float) -> str:
    """Three significant digits, but no finer than microseconds; two decimals from one second on."""
    if seconds < 1e-6:
        return "0"
    decimals = min(6, max(2, 2 - floor(log10(seconds))))
    return f"{seconds:.{decimals}f}"


def _known(measurements: Iterable[Measurement], field: str) -> list[float]:
    """The values of a field that are known."""
    return [value for one in measurements if (value := getattr(one, field)) is not None]
