"""Plots of results by matplotlib: `draw` makes a `Chart`. A contender has the same colour in all of them."""

import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import cycle, product
from math import inf
from pathlib import Path
from typing import Any

from ringdoku.compare.plan import Measurement
from ringdoku.compare.results import write_whole
from ringdoku.compare.summary import COUNTS, PHASES, VIRTUAL_BEST, Measure, Results, Summary, seconds_text
from ringdoku.domain import refuse
from ringdoku.drawing.files import check_picture, figure_settings


class Chart(StrEnum):
    """The kinds of plots."""

    CACTUS = "cactus"
    """For each contender, how many instances it solves within how much time."""
    SCATTER = "scatter"
    """The times of two contenders, one point for each instance."""
    PHASES = "phases"
    """For each contender, how much of the time goes into building, loading and solving."""
    BOUND = "bound"
    """The best score and the proved bound over time, on one instance."""
    CONFLICTS = "conflicts"
    """For each contender, how many instances it solves within how many conflicts."""
    DECISIONS = "decisions"
    """The same with decisions."""
    PROPAGATIONS = "propagations"
    """The same with propagations."""


SHORTEST_SECONDS = 1e-5
"""Shorter times are drawn as this one, since a logarithmic axis has no zero."""

MOST_LINES = 20
"""More lines cannot be distinguished; a plot keeps the best contenders."""

LEGEND = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "frameon": False, "fontsize": "small"}
"""The place of a legend, beside the plot."""

SHADES = {"build": 0.3, "load": 0.6, "solve": 1.0}
"""How opaque the bar of a phase is."""


def draw(
    results: Results, chart: Chart, names: Sequence[str] = (), instance: str = "", measure: Measure = Measure.TOTAL
) -> Any:
    """The chart as a matplotlib figure: of the two best contenders, or of the longest instance, if none is named.
    Raises `UsageError` for an unknown name or when there is nothing to draw."""
    refuse(not results.measurements, "there is no measurement to draw")
    summary, looks = Summary(results, measure), styles(results)
    match chart:
        case Chart.CACTUS:
            values = summary.times.assign(**{VIRTUAL_BEST: summary.virtual_best})
            return _cactus(summary, looks, values, f"{summary.label} for each")
        case Chart.SCATTER:
            return _scatter(summary, looks, names)
        case Chart.PHASES:
            return _phases(results, summary, looks)
        case Chart.BOUND:
            return _bound(results, looks, instance or [*longest(results), results.plan.instances[0].name][0])
    counts = summary.counts(chart)
    refuse(counts.empty, f"no backend of these results reports its {chart}")
    return _cactus(summary, looks, counts, chart)


def _cactus(summary: Summary, looks: Mapping[str, Mapping[str, Any]], values: Any, label: str) -> Any:
    """How many instances (x) have at most a value (y) of a table as `Summary.times`, for the best contenders."""
    figure, axes = _new_figure()
    shortest, most = (1.0, inf) if label in COUNTS else (SHORTEST_SECONDS, summary.limit)
    ranked = [row["contender"] for row in summary.rows if row["contender"] in values][:MOST_LINES]
    # wide and pale below the others, so that it hides none
    best = {VIRTUAL_BEST: {"color": "black", "alpha": 0.2, "linewidth": 6}} if VIRTUAL_BEST in values else {}
    for name, look in [*(best.items() if len(summary.rows) > 1 else ()), *((name, looks[name]) for name in ranked)]:
        ordered = sorted(max(value, shortest) for value in values[name] if value <= most)
        axes.step(range(1, len(ordered) + 1), ordered, where="mid", label=_label(name), **look)
        if len(ordered) == 1 and name != VIRTUAL_BEST:
            axes.plot([1], ordered, marker="o", markersize=4, color=look["color"])
    axes.set(yscale="log", xlabel="instances solved", ylabel=label)
    # whole numbers, also of one instance
    axes.set_xlim(0.5, max(axes.get_xlim()[1], 1.5))
    axes.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    _plain_numbers(axes.yaxis)
    axes.legend(**LEGEND)
    return figure


def require_contenders(names: Iterable[str], known: Collection[str]) -> None:
    """Raises `UsageError` for a name that is not known."""
    for name in names:
        refuse(name not in known, f"no contender is called {name!r}; there are: {', '.join(known)}")


def _scatter(summary: Summary, looks: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> Any:
    two = list(dict.fromkeys([*names, *(row["contender"] for row in summary.rows)]))[:2]
    refuse(len(two) < 2, "a scatter plot needs two contenders")
    require_contenders(two, summary.times)
    first, second = two
    both = summary.times[two].dropna().clip(lower=SHORTEST_SECONDS)
    figure, axes = _new_figure(width=5.2, height=5.0)
    across, up = both[first].tolist(), both[second].tolist()
    faster = [looks[second if y < x else first]["color"] for x, y in zip(across, up, strict=True)]
    axes.scatter(across, up, s=14, alpha=0.7, linewidths=0, c=faster)
    times = [*across, *up] or [summary.limit]
    ends, unsolved = (min(times) / 1.5, max(times) * 1.5), ""
    axes.plot(ends, ends, color="black", linewidth=0.6)
    if ends[1] > summary.limit:
        for line in (axes.axvline, axes.axhline):
            line(summary.limit, color="black", linewidth=0.6, linestyle=":")
        unsolved = f" (unsolved: {summary.penalty:g})"
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, ylabel=f"{_label(second)}, {summary.label}")
    axes.set_xlabel(f"{_label(first)}, {summary.label}{unsolved}")
    _plain_numbers(axes.xaxis, axes.yaxis)
    return figure


def _phases(results: Results, summary: Summary, looks: Mapping[str, Mapping[str, Any]]) -> Any:
    """For each contender the shares of the phases in the time of its answered runs, and the mean time."""
    names = [row["contender"] for row in summary.rows[:MOST_LINES] if row["count"]]
    figure, axes = _new_figure(height=1.2 + 0.3 * len(names))
    # numbers and not names, since two long names may be cut to the same text
    for place, name in enumerate(reversed(names)):
        runs = [one for one in results.measurements if one.contender == name and one.outcome.is_final]
        total, start = sum(one.seconds or 0 for one in runs), 0.0
        for phase in PHASES:
            share = 100 * sum(getattr(one, f"{phase}_seconds") or 0 for one in runs) / (total or 1)
            axes.barh(place, share, left=start, height=0.7, color=looks[name]["color"], alpha=SHADES[phase])
            start += share
        axes.text(102, place, f"{seconds_text(total / len(runs))} s", va="center", fontsize="small")
    axes.set_yticks(range(len(names)), list(map(_label, reversed(names))))
    axes.set_xlabel("% of the seconds; at the right, the mean")
    axes.margins(y=0.02)
    bars = [axes.barh(0, 0, color="black", alpha=SHADES[phase]) for phase in PHASES]
    axes.legend(bars, PHASES, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, frameon=False)
    return figure


def _bound(results: Results, looks: Mapping[str, Mapping[str, Any]], instance: str) -> Any:
    runs = {one.contender: one for one in results.measurements if one.instance == instance and one.repeat == 0}
    is_recorded = any(run.trajectory for run in runs.values())
    refuse(not is_recorded, f"nothing was recorded over time on {instance!r}; maximise records it")
    figure, axes = _new_figure()
    for name, style in looks.items():
        if name not in runs:
            continue
        run, look = runs[name], {"color": style["color"], "linewidth": 1.4, "where": "post"}
        if points := _points(run, "bound"):
            axes.step(*zip(*points, strict=True), linestyle="--", **look)
        if points := _points(run, "score"):
            axes.step(*zip(*points, strict=True), label=_label(name), linestyle="-", **look)
        if run.outcome.is_final and run.score is not None and run.seconds:
            axes.plot([run.seconds], [run.score], marker="o", markersize=4, color=style["color"])
    axes.set(xscale="log", xlabel="seconds", ylabel="score (solid), bound (dashed)")
    _plain_numbers(axes.xaxis)
    axes.legend(**LEGEND)
    return figure


def _points(run: Measurement, what: str) -> list[tuple[float, int]]:
    """The points (seconds, score or bound) of a run, up to its end."""
    known = [(step.seconds, getattr(step, what)) for step in run.trajectory]
    points = [(time, value) for time, value in known if value is not None]
    end = getattr(run, what)
    if run.seconds is not None and (end is not None or points):
        points.append((run.seconds, points[-1][1] if end is None else end))
    return [(max(time, SHORTEST_SECONDS), value) for time, value in points]


def longest(results: Results) -> list[str]:
    """The instances with scores or bounds over time, the one with the longest record first."""
    recorded = [one for one in results.measurements if one.trajectory]
    recorded.sort(key=lambda one: one.trajectory[-1].seconds, reverse=True)
    return list(dict.fromkeys(one.instance for one in recorded))


def styles(results: Results) -> Mapping[str, Mapping[str, Any]]:
    """The line style of each contender, by its rank in total time in every chart; the first 40 differ."""
    from matplotlib.colors import TABLEAU_COLORS

    looks = cycle(product(("-", "--", "-.", ":"), TABLEAU_COLORS.values()))
    return {
        row["contender"]: {"color": colour, "linestyle": line, "linewidth": 1.5}
        for row, (line, colour) in zip(Summary(results).rows, looks, strict=False)
    }


def _new_figure(width: float = 7.5, height: float = 4.5) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(True, color="black", alpha=0.12, linewidth=0.5)
    return figure, axes


def _label(name: str) -> str:
    """The name as a label: shortened, with escapes for dollars, which begin mathematics, and for what XML lacks."""
    short = name if len(name) <= 40 else f"{name[:20]}…{name[-19:]}"
    marks = (mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in short)
    return "".join(marks).replace("$", r"\$")


def _plain_numbers(*axes: Any) -> None:
    """Label logarithmic axes with 0.01, not 10⁻²; where they show less than two decades, with 0.02 and 0.05 too."""
    for axis in axes:

        def minor(value: float, _: int | None, axis: Any = axis) -> str:
            low, high = axis.get_view_interval()
            return f"{value:g}" if high < 100 * low and f"{value:e}"[0] in "25" else ""

        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter(minor)


def save(figure: Any, path: Path) -> None:
    """Save as SVG, PNG or PDF, by the suffix. Raises `UsageError` for another one, or a file it cannot write."""
    check_picture(str(path))
    kind, picture = path.suffix[1:].lower(), io.BytesIO()
    # equal results give equal files
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    with figure_settings():
        figure.savefig(picture, format=kind, metadata=undated, facecolor="white", dpi=150, bbox_inches="tight")
    write_whole(path, picture.getvalue())


def inline_svg(figure: Any, name: str) -> str:
    """An `svg` element for a page, its black in the colour of the text; `name` makes its ids unique."""
    stream = io.StringIO()
    with figure_settings(name):
        figure.savefig(stream, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None})
    svg = stream.getvalue().replace("#000000", "currentColor")
    # groups have the same ids in every picture
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg[svg.index("<svg") :])
    return svg.replace("<svg", '<svg role="img" fill="currentColor"', 1)
