"""How many instances each contender solved, how fast, and with how much work: the figures of SAT competitions.

The time of a contender on an instance is the median over the repeats, by one of the measures. An instance is solved
when that time is within the limit; PAR-2 counts twice the limit for any other. Median, 90th percentile and worst are
the times within which half, nine tenths and all of the instances were solved: an unsolved one counts as slower than
every time, and there is no figure where so many were not solved.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import ceil, floor, inf, log10
from statistics import fmean, median
from typing import Any

from ringdoku.compare.measurement import Measurement
from ringdoku.compare.plan import Plan
from ringdoku.domain.showing import Shown
from ringdoku.drawing.drawer import DARK, LETTER, MARGIN, THIN
from ringdoku.drawing.files import to_svg
from ringdoku.drawing.shapes import Rect, Scene, Shape, Text

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


TOGETHER = "in solve"
"""The cell of a phase that is not told apart from solving."""

_ALL = "for building, loading and solving together."
_ALONE = f"for solving alone; {TOGETHER!r} means that a phase is part of it."
ABOUT = {
    Measure.TOTAL: ("seconds", "seconds", f"Times are of the clock, {_ALL}"),
    Measure.SOLVE: ("solve_seconds", "seconds of solving", f"Times are of the clock, {_ALONE}"),
    Measure.CPU: ("cpu_seconds", "seconds of the processor", f"Times are of the processor, {_ALL}"),
}
"""The field of measurements that has a measure, its label at an axis, and a sentence."""

COUNTS = ("conflicts", "decisions", "propagations")
"""What solvers count, as fields of measurements."""

PHASES = ("build", "load", "solve")

RANKING = ("contender", "solved", "PAR-2 s", "median s", "p90 s", "worst s", "spread", "wins", "puzzles/s", "failures")
"""Columns that depend on the measure. The spread is the median over the instances of (slowest − fastest repeat) / time,
puzzles/s are those answered in a second of a warm run, failures the runs without a final answer, by outcome."""

EFFORT = ("contender", "solver", *(f"{phase} s" for phase in PHASES), "cpu s", *COUNTS, "memory MiB")
"""Columns that do not: where the time goes, and what it takes, as medians over the runs that were answered; memory is
the largest of all."""

HEADS = (*RANKING[:-1], *EFFORT[1:], RANKING[-1])
"""Every column of the table."""


@dataclass(frozen=True)
class Results(Shown):
    """A plan, the environment it was measured in, and the measurements so far. It prints as the table of contenders."""

    plan: Plan
    environment: Mapping[str, Any]
    measurements: tuple[Measurement, ...] = ()

    def __str__(self) -> str:
        heads, rows = table(Summary(self))
        columns = []
        for column in zip(heads, *rows, strict=True):
            wide, side = max(map(len, column)), "<" if column[0] == RANKING[0] else ">"
            columns.append([f"{cell:{side}{wide}}" for cell in column])
        return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))

    def __rich__(self) -> object:
        from rich.text import Text

        return Text(str(self))

    def svg(self) -> str:
        """The ranking as one SVG element."""
        heads, rows = table(Summary(self), RANKING)
        shapes: list[Shape] = []
        size, high, left = 12, 20, MARGIN * 2.0
        for column in zip(heads, *rows, strict=True):
            for number, text in enumerate(column):
                shapes.append(Text(left, MARGIN + high * number + size, text, size, DARK, not number, "start"))
            left += max(map(len, column)) * size * LETTER + 4 * MARGIN
        rules = [Rect(MARGIN, high * number, left - 2 * MARGIN, 1, THIN) for number in range(1, len(rows) + 1)]
        height = high * (len(rows) + 1) + 2 * MARGIN
        return to_svg(Scene(left, height, (*shapes, *rules), "Comparison of contenders", str(self)))

    @property
    def is_complete(self) -> bool:
        return len(self.measurements) == self.plan.size

    @property
    def done(self) -> frozenset[tuple[str, str, str, int]]:
        """Keys of the measurements that were made."""
        return frozenset(measurement.key for measurement in self.measurements)


class Summary:
    """All figures of some results by one measure, from the measurements made so far."""

    def __init__(self, results: Results, measure: Measure = Measure.TOTAL) -> None:
        self.plan, self.measure, self.limit = results.plan, measure, results.plan.time_limit
        self._field, self.label, self.legend = ABOUT[measure]
        self.penalty = 2 * self.limit
        self.kinds = len({one.live for one in results.measurements} - {None})
        """2 where some answers came from live solvers and others from new ones, which are two kinds of runs."""
        self._runs = {one.name: defaultdict[str, list[Measurement]](list) for one in results.plan.contenders}
        for one in results.measurements:
            self._runs[one.contender][one.instance].append(one)

    @cached_property
    def times(self) -> Mapping[str, Mapping[str, float]]:
        """Contender → instance → time, or the penalty where it was not solved; contenders in the order of the plan."""
        found = self._medians(self._time)
        for times in found.values():
            times.update({name: self.penalty for name, time in times.items() if time > self.limit})
        return found

    @cached_property
    def virtual_best(self) -> Mapping[str, float]:
        """Instance → the least time of all."""
        names = dict.fromkeys(name for times in self.times.values() for name in times)
        return {name: min(times[name] for times in self.times.values() if name in times) for name in names}

    @cached_property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """The figures of each contender by the heads of their columns, most solved first, then least PAR-2; times in
        seconds, infinite where too many instances were not solved. `count` is how many were."""
        rows = [self.figures(name, times) | self._effort(name) for name, times in self.times.items()]
        return sorted(rows, key=lambda row: (-row["count"], row["PAR-2 s"], row["contender"]))

    @cached_property
    def hardest(self) -> list[str]:
        """The instances, those with the longest least time first."""
        return sorted(self.virtual_best, key=lambda name: -self.virtual_best[name])

    def counts(self, name: str) -> Mapping[str, Mapping[str, float]]:
        """Contender → instance → the median of a count over the repeats that solved it, where the backend gives it."""
        return self._medians(lambda run: getattr(run, name) if run.outcome.is_final else None)

    def _medians(self, figure: Callable[[Measurement], float | None]) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        for contender, of_instance in self._runs.items():
            for instance, runs in of_instance.items():
                if (value := _median(map(figure, runs))) is not None:
                    found.setdefault(contender, {})[instance] = value
        return found

    def _time(self, run: Measurement) -> float:
        """The seconds of a run, or the penalty where it did not solve its instance."""
        seconds: float | None = getattr(run, self._field)
        return self.penalty if seconds is None or seconds > self.limit or not run.outcome.is_final else seconds

    def figures(self, name: str, times: Mapping[str, float]) -> dict[str, Any]:
        """Those that times alone give."""
        ordered = sorted(times.values())
        solved = sum(time <= self.limit for time in ordered)
        figures = {"contender": name, "solved": f"{solved}/{len(ordered)}", "count": solved, "PAR-2 s": fmean(ordered)}
        for head, share in (("median s", 0.5), ("p90 s", 0.9), ("worst s", 1.0)):
            # the percentile by nearest rank: as many as that share are not above it
            time = ordered[ceil(share * len(ordered)) - 1]
            figures[head] = time if time <= self.limit else inf
        return figures

    def _effort(self, name: str) -> dict[str, Any]:
        runs = [one for of_instance in self._runs[name].values() for one in of_instance]
        answered = [one for one in runs if one.outcome.is_final]

        def known(field: str) -> list[float]:
            return _known(getattr(one, field) for one in answered)

        phases: dict[str, Any] = {f"{phase} s": _median(known(f"{phase}_seconds")) for phase in PHASES}
        if _known(phases.values()):
            phases = {head: TOGETHER if value is None else value for head, value in phases.items()}
        seconds = known(self._field)
        return {
            **phases,
            **{count: _median(known(count)) for count in COUNTS},
            "cpu s": _median(known("cpu_seconds")),
            "spread": self._spread(answered),
            "wins": self._winners.count(name),
            "puzzles/s": len(seconds) / sum(seconds) if self.plan.warm and any(seconds) else None,
            "solver": " and ".join(sorted({"live" if live else "new" for live in known("live")})),
            "memory MiB": max(_known(one.memory for one in runs), default=None),
            "failures": _failures(runs),
        }

    @cached_property
    def _winners(self) -> list[str]:
        """The first of the fastest contenders for each instance that was solved."""
        return [
            next(name for name, times in self.times.items() if times.get(instance) == best)
            for instance, best in self.virtual_best.items()
            if best <= self.limit
        ]

    def _spread(self, answered: Iterable[Measurement]) -> float | None:
        repeats: defaultdict[str, list[float]] = defaultdict(list)
        for one in answered:
            if seconds := getattr(one, self._field):
                repeats[one.instance].append(seconds)
        return _median((max(times) - min(times)) / median(times) for times in repeats.values() if len(times) > 1)


def _failures(runs: Iterable[Measurement]) -> str:
    counts = Counter(one.outcome.value for one in runs if not one.outcome.is_final)
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items())


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _median(values: Iterable[float | None]) -> float | None:
    known = _known(values)
    return float(median(known)) if known else None


def table(summary: Summary, heads: Sequence[str] = HEADS, best: bool = True) -> tuple[list[str], list[list[str]]]:
    """Heads and rows, the best contender first, the virtual best last; columns without any entry are left out.

    The kind of solver is a column where a table has both.
    """
    rows = [*summary.rows, *([summary.figures(VIRTUAL_BEST, summary.virtual_best)] if best and summary.rows else [])]
    cells = [{head: _text(head, row.get(head), summary.limit) for head in heads} for row in rows]
    used = [head for head in heads if any(row[head] for row in cells) and (head != "solver" or summary.kinds > 1)]
    return used, [[row[head] for head in used] for row in cells]


def _text(head: str, value: Any, limit: float) -> str:
    match value:
        case None | str():
            return value or ""
        case _ if value == inf:
            return f"> {limit:g}"
        case _ if head.endswith(" s"):
            return seconds_text(value)
    return format(value, ".0%" if head == "spread" else ".0f")


def legend(summary: Summary) -> str:
    """What the figures of the table are, in sentences."""
    kinds = (
        " Solver: a live one holds the rules, takes the clues as assumptions and can stay for later puzzles; a new one "
        "is made for one puzzle."
    )
    return (
        f"{summary.legend} Median, p90 and worst: the time within which half, nine tenths and all of the "
        f"instances were solved; > {summary.limit:g} where so many were not. PAR-2: the mean, where an unsolved "
        f"instance counts {summary.penalty:g} s.{kinds if summary.kinds > 1 else ''}"
    )


def seconds_text(seconds: float) -> str:
    """Three significant digits, but no finer than microseconds; two decimals from one second on."""
    if seconds < 1e-6:
        return "0"
    decimals = min(6, max(2, 2 - floor(log10(seconds))))
    return f"{seconds:.{decimals}f}"
