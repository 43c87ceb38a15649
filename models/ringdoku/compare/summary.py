"""How many instances each contender solved, how fast, and with how much work: the figures of SAT competitions. The time
of a contender on an instance is the median over the repeats. Median, 90th percentile and worst are the times within
which half, nine tenths and all of the instances were solved."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import ceil, floor, inf, log10
from statistics import fmean, median
from typing import Any

from ringdoku.compare.plan import Measurement, Plan
from ringdoku.domain.showing import Shown, aligned
from ringdoku.drawing.drawer import DARK, LETTER, MARGIN, THIN
from ringdoku.drawing.files import to_svg
from ringdoku.drawing.shapes import Rect, Scene, Text

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
        return "\n".join(aligned((heads, *rows), range(1, len(heads))))

    def svg(self) -> str:
        """The ranking as one SVG element."""
        heads, rows = table(Summary(self), RANKING)
        size, high, left = 12, 20, MARGIN * 2.0
        texts: list[Text] = []
        for column in zip(heads, *rows, strict=True):
            for number, text in enumerate(column):
                texts.append(Text(left, MARGIN + high * number + size, text, size, DARK, not number, "start"))
            left += max(map(len, column)) * size * LETTER + 4 * MARGIN
        rules = [Rect(MARGIN, high * number, left - 2 * MARGIN, 1, THIN) for number in range(1, len(rows) + 1)]
        height = high * (len(rows) + 1) + 2 * MARGIN
        return to_svg(Scene(left, height, (*texts, *rules), "Comparison of contenders", str(self)))

    @property
    def done(self) -> frozenset[tuple[str, str, str, int]]:
        """Keys of the measurements that were made."""
        return frozenset(measurement.key for measurement in self.measurements)


class Summary:
    """All figures of some results by one measure, from the measurements made so far."""

    def __init__(self, results: Results, measure: Measure = Measure.TOTAL) -> None:
        self.plan, self.measure, self.limit = results.plan, measure, results.plan.time_limit
        self._field = "seconds" if measure is Measure.TOTAL else f"{measure.value}_seconds"
        self.label = {Measure.SOLVE: "seconds of solving", Measure.CPU: "seconds of the processor"}.get(
            measure, "seconds"
        )
        self.penalty = 2 * self.limit
        self.kinds = len({one.live for one in results.measurements} - {None})
        """2 where some answers came from live solvers and others from new ones, which are two kinds of runs."""
        self._runs: dict[str, list[Measurement]] = {one.name: [] for one in results.plan.contenders}
        for one in results.measurements:
            self._runs[one.contender].append(one)

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
        wins = Counter(
            next(name for name, times in self.times.items() if times.get(instance) == best)
            for instance, best in self.virtual_best.items()
            if best <= self.limit
        )
        rows = [
            self.figures(name, times) | self._effort(name) | {"wins": wins[name]} for name, times in self.times.items()
        ]
        return sorted(rows, key=lambda row: (-row["count"], row["PAR-2 s"], row["contender"]))

    @cached_property
    def hardest(self) -> list[str]:
        """The instances, those with the longest least time first."""
        return sorted(self.virtual_best, key=lambda name: -self.virtual_best[name])

    def counts(self, name: str) -> Mapping[str, Mapping[str, float]]:
        """Contender → instance → the median of a count over the repeats that solved it, where the backend gives it."""
        return self._medians(lambda run: getattr(run, name) if run.outcome.is_final else None)

    def _medians(self, figure: Callable[[Measurement], float | None]) -> dict[str, dict[str, float]]:
        found = {who: _by_instance(runs, figure) for who, runs in self._runs.items()}
        return {who: {name: median(each) for name, each in values.items()} for who, values in found.items() if values}

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
        runs = self._runs[name]
        answered = [one for one in runs if one.outcome.is_final]

        def middle(field: str) -> float | None:
            known = _known(answered, field)
            return median(known) if known else None

        phases: dict[str, Any] = {f"{phase} s": middle(f"{phase}_seconds") for phase in PHASES}
        if set(phases.values()) != {None}:
            phases = {head: TOGETHER if time is None else time for head, time in phases.items()}
        repeats = _by_instance(answered, lambda run: getattr(run, self._field) or None).values()
        spreads = [(max(times) - min(times)) / median(times) for times in repeats if len(times) > 1]
        seconds = _known(answered, self._field)
        return {
            **phases,
            **{count: middle(count) for count in COUNTS},
            "cpu s": middle("cpu_seconds"),
            "spread": median(spreads) if spreads else None,
            "puzzles/s": len(seconds) / sum(seconds) if self.plan.warm and any(seconds) else None,
            "solver": " and ".join(sorted({"live" if live else "new" for live in _known(answered, "live")})),
            "memory MiB": max(_known(runs, "memory"), default=None),
            "failures": _failures(runs),
        }


def _failures(runs: Iterable[Measurement]) -> str:
    counts = Counter(one.outcome.value for one in runs if not one.outcome.is_final)
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items())


def _known(runs: Iterable[Measurement], field: str) -> list[float]:
    return [value for run in runs if (value := getattr(run, field)) is not None]


def _by_instance(runs: Iterable[Measurement], figure: Callable[[Measurement], float | None]) -> dict[str, list[float]]:
    """The figures of the runs of each instance, where there are any."""
    found: dict[str, list[float]] = {}
    for run in runs:
        if (value := figure(run)) is not None:
            found.setdefault(run.instance, []).append(float(value))
    return found


def table(summary: Summary, heads: Sequence[str] = HEADS, best: bool = True) -> tuple[list[str], list[list[str]]]:
    """Heads and rows, the best contender first, the virtual best last; columns without any entry are left out. The kind
    of solver is a column where a table has both."""
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
    what = "building, loading and solving together"
    if summary.measure is Measure.SOLVE:
        what = f"solving alone; {TOGETHER!r} means that a phase is part of it"
    clock = "processor" if summary.measure is Measure.CPU else "clock"
    told = (
        f"Times are of the {clock}, for {what}. Median, p90 and worst: the time within which half, nine tenths and all "
        f"of the instances were solved; > {summary.limit:g} where so many were not. PAR-2: the mean, where an unsolved "
        f"instance counts {summary.penalty:g} s."
    )
    kinds = (
        " Solver: a live one holds the rules, takes the clues as assumptions and can stay for later puzzles; a new one "
        "is made for one puzzle."
    )
    return told + (kinds if summary.kinds > 1 else "")


def seconds_text(seconds: float) -> str:
    """Three significant digits, but no finer than microseconds; two decimals from one second on."""
    if seconds < 1e-6:
        return "0"
    decimals = min(6, max(2, 2 - floor(log10(seconds))))
    return f"{seconds:.{decimals}f}"
