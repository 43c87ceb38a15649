"""`Summary`: how many instances each contender solved, how fast, and with how much work, as in SAT competitions; and
the table. The time of a contender on an instance is the median over the repeats. Median, 90th percentile and worst are
the times within which half, nine tenths and all of the instances were solved."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import floor, inf, isnan, log10
from statistics import fmean
from typing import Any

from ringdoku.compare.plan import Measurement, Outcome, Plan
from ringdoku.domain.showing import aligned
from ringdoku.solvers.registry import EXTERNAL

VIRTUAL_BEST = "virtual best"
"""A name for the fastest contender on each instance."""


class Measure(StrEnum):
    """The time that ranks the contenders."""

    TOTAL = "total"
    """Wall-clock time of building, loading and solving."""
    SOLVE = "solve"
    """Wall-clock time of solving, with phases that a backend does not measure separately."""
    CPU = "cpu"
    """Processor time of building, loading and solving."""


TOGETHER = "in solve"
"""The table's entry for a phase that is not measured separately from solving."""

COUNTS = ("conflicts", "decisions", "propagations")
"""What solvers count: fields of measurements."""

PHASES = ("build", "load", "solve")

NUMBERS = (*COUNTS, *(f"{phase}_seconds" for phase in PHASES), "seconds", "cpu_seconds", "memory")
"""Fields of measurements, and columns of tables of runs, where a number that is not known is NaN."""

RANKING = ("contender", "solved", "PAR-2 s", "median s", "p90 s", "worst s", "spread", "wins", "puzzles/s", "failures")
"""Columns that depend on the measure. The spread is the median over the instances of (slowest − fastest repeat) / time,
puzzles/s are those answered in a second of a warm run, failures the runs without a final answer, by outcome."""

EFFORT = ("contender", *(f"{phase} s" for phase in PHASES), "cpu s", *COUNTS, "memory MiB")
"""Columns that do not: medians over the answered runs; memory is the largest of all runs."""

HEADS = (*RANKING[:-1], *EFFORT[1:], RANKING[-1])
"""Every column of the table."""


@dataclass(frozen=True)
class Results:
    """A plan, the environment of its runs, and the measurements so far. It prints as the table of contenders."""

    plan: Plan
    environment: Mapping[str, Any]
    measurements: tuple[Measurement, ...] = ()

    def __str__(self) -> str:
        heads, rows = table(Summary(self))
        return "\n".join(aligned((heads, *rows), range(1, len(heads))))

    def _repr_html_(self) -> str:
        """The ranking, which notebooks show as a table."""
        from pandas import DataFrame

        heads, rows = table(Summary(self), RANKING)
        return str(DataFrame(rows, columns=heads).to_html(index=False))

    @property
    def done(self) -> frozenset[tuple[str, str, str, int]]:
        """Keys of the measurements that were made."""
        return frozenset(measurement.key for measurement in self.measurements)


class Summary:
    """All figures of some results by one measure of time, from the measurements made so far."""

    def __init__(self, results: Results, measure: Measure = Measure.TOTAL) -> None:
        # pandas takes a third of a second to load, numpy a tenth
        from pandas import DataFrame

        self.plan, self.measure, self.limit = results.plan, measure, results.plan.time_limit
        self._field = "seconds" if measure is Measure.TOTAL else f"{measure}_seconds"
        labels = {Measure.SOLVE: "seconds of solving", Measure.CPU: "seconds of the processor"}
        self.label = labels.get(measure, "seconds")
        self.penalty = 2 * self.limit
        columns = ("contender", "instance", "outcome", *NUMBERS)
        rows = ([getattr(one, name) for name in columns] for one in results.measurements)
        self._runs = DataFrame(rows, columns=columns).astype(dict.fromkeys(NUMBERS, float))
        self._answered = self._runs[self._runs["outcome"].isin(filter(lambda outcome: outcome.is_final, Outcome))]
        seconds = self._answered[self._field]
        times = seconds[seconds <= self.limit].reindex(self._runs.index, fill_value=self.penalty)
        wrong_once = self._runs["outcome"].eq(Outcome.WRONG).groupby([self._runs["instance"], self._runs["contender"]])
        times[wrong_once.transform("any")] = self.penalty
        medians = self._medians(self._runs.assign(time=times), "time")
        # the median of a solved and an unsolved repeat is a mean above the limit
        self.times = medians.mask(medians > self.limit, self.penalty)
        """A row for each instance and a column for each contender: the time, or the penalty where it was not solved."""
        self.virtual_best = self.times.min(axis="columns")
        """The least time of each instance."""
        self.hardest = [*self.virtual_best.sort_values(ascending=False, kind="stable").index]
        """The instances, the one with the greatest virtual best time first."""

    def _medians(self, runs: Any, field: str) -> Any:
        """Medians of the repeats: a row for each instance and a column for each contender, in the order of the plan."""
        table = runs.pivot_table(field, "instance", "contender", "median")
        table = table.reindex([one.name for one in self.plan.instances])
        table = table.reindex(columns=[one.name for one in self.plan.contenders])
        return table.dropna(how="all").dropna(how="all", axis="columns")

    @cached_property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """A row of figures for each contender, by the heads of columns; most solved first, then least PAR-2. Times are
        in seconds, infinite where too many instances were not solved. `count` is how many were."""
        wins = Counter(self.times[self.virtual_best <= self.limit].idxmin(axis="columns"))
        rows = [self.figures(who) | self._effort(who) | {"wins": wins[who]} for who in self.times]
        return sorted(rows, key=lambda row: (-row["count"], row["PAR-2 s"], row["contender"]))

    def counts(self, name: str) -> Any:
        """The medians of a count over the repeats that solved an instance, in a table as `times`; columns of contenders
        whose backend does not give it are left out."""
        return self._medians(self._answered, name)

    def figures(self, name: str) -> dict[str, Any]:
        """The figures that follow from times alone, of a contender or the virtual best."""
        import numpy as np

        found = (self.virtual_best if name == VIRTUAL_BEST else self.times[name]).dropna().to_numpy()
        solved = int((found <= self.limit).sum())
        figures = {"contender": name, "solved": f"{solved}/{len(found)}", "count": solved, "PAR-2 s": fmean(found)}
        # by nearest rank: that share of the instances is not above it
        ranks = np.quantile(found, (0.5, 0.9, 1), method="inverted_cdf")
        ranks[ranks > self.limit] = inf
        return figures | dict(zip(("median s", "p90 s", "worst s"), ranks, strict=True))

    def _effort(self, name: str) -> dict[str, Any]:
        runs, answered = (each[each["contender"] == name] for each in (self._runs, self._answered))
        middle = {field: None if isnan(value) else value for field, value in answered[[*NUMBERS]].median().items()}
        phases = {f"{phase} s": middle[f"{phase}_seconds"] for phase in PHASES}
        if set(phases.values()) != {None}:
            phases = {head: TOGETHER if time is None else time for head, time in phases.items()}
        seconds = answered[self._field]
        repeats = seconds.where(seconds > 0).groupby(answered["instance"]).agg(["min", "median", "max", "count"])
        repeats = repeats[repeats["count"] > 1]
        failures = runs["outcome"][~runs.index.isin(answered.index)]
        return {
            **phases,
            **{count: middle[count] for count in COUNTS},
            "cpu s": middle["cpu_seconds"],
            "spread": ((repeats["max"] - repeats["min"]) / repeats["median"]).median() if len(repeats) else None,
            "puzzles/s": seconds.count() / seconds.sum() if self.plan.warm and seconds.any() else None,
            "memory MiB": None if isnan(most := runs["memory"].max()) else most,
            "failures": ", ".join(f"{count} {outcome}" for outcome, count in Counter(failures).items()),
        }


def table(summary: Summary, heads: Sequence[str] = HEADS, best: bool = True) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the table, the best contender first, the virtual best last; empty columns are left out."""
    rows = [*summary.rows, *([summary.figures(VIRTUAL_BEST)] if best and summary.rows else [])]
    cells = [{head: _text(head, row.get(head), summary.limit) for head in heads} for row in rows]
    used = [head for head in heads if any(row[head] for row in cells)]
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
    """An explanation of the table's figures, in sentences."""
    what = "building, loading and solving together"
    if summary.measure is Measure.SOLVE:
        what = f"solving alone; {TOGETHER!r} means that a phase is part of it"
    clock = "processor" if summary.measure is Measure.CPU else "clock"
    has_programs = any(one.backend.startswith(EXTERNAL) for one in summary.plan.contenders)
    word = " Of a cmd: program without {proof}, a refutation counts by its word." if has_programs else ""
    return (
        f"Times are of the {clock}, for {what}. Median, p90 and worst: the time within which half, nine tenths and all "
        f"of the instances were solved; > {summary.limit:g} where so many were not. PAR-2: the mean, where an unsolved "
        f"instance counts {summary.penalty:g} s.{word}"
    )


def seconds_text(seconds: float) -> str:
    """Seconds with three significant digits, but no finer than microseconds; two decimals from one second on."""
    if seconds < 1e-6:
        return "0"
    decimals = min(6, max(2, 2 - floor(log10(seconds))))
    return f"{seconds:.{decimals}f}"
