"""Pictures of results, drawn by matplotlib: the cactus plot, the scatter plot of two, and the bound over time."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from ringdoku.compare.measurement import Measurement
from ringdoku.compare.results import Results
from ringdoku.compare.summary import VIRTUAL_BEST, Summary
from ringdoku.domain.errors import UsageError
from ringdoku.drawing.painter import check_picture, require_matplotlib, settings


class Chart(Enum):
    """What a picture shows."""

    CACTUS = "cactus"
    """For each contender, how many instances it solves within how much time."""
    SCATTER = "scatter"
    """The times of two contenders, one point for each instance."""
    BOUND = "bound"
    """The best score and the proved bound over time, on one instance."""


INK = "#0a0b0c"
"""The colour of text and axes; in a page it becomes the colour of the text around the plot."""

SHORTEST_SECONDS = 1e-4
"""Shorter times are drawn as this one, since a logarithmic axis has no zero."""

MOST_LINES = 20
"""More lines cannot be distinguished; the cactus plot keeps the best contenders."""


def cactus(results: Results) -> Any:
    """A matplotlib figure of the best `MOST_LINES` contenders: seconds upwards, solved instances to the right."""
    summary = Summary(results)
    figure, axes = _figure()
    for place, row in enumerate(summary.rows[:MOST_LINES]):
        times = _solved(summary, summary.times[row.name])
        axes.step(range(1, len(times) + 1), times, where="mid", label=_plain(row.name), **_style(place))
    if len(summary.rows) > 1:
        times = _solved(summary, summary.virtual_best)
        axes.step(range(1, len(times) + 1), times, where="mid", label=VIRTUAL_BEST, color=INK, linewidth=0.8)
    axes.set_yscale("log")
    _plain_numbers(axes.yaxis)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("instances solved")
    axes.set_ylabel("seconds for each")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, fontsize="small", labelcolor=INK)
    return figure


def scatter(results: Results, first: str, second: str) -> Any:
    """A matplotlib figure of two contenders, by name; below the diagonal the second one was faster.

    Raises `UsageError` for an unknown name.
    """
    summary = Summary(results)
    for name in (first, second):
        if name not in summary.times:
            raise UsageError(f"no contender is called {name!r}; there are: {', '.join(summary.times)}")
    both = [name for name in summary.times[first] if name in summary.times[second]]
    figure, axes = _figure(width=5.2, height=5.0)
    across = [max(summary.times[first][name], SHORTEST_SECONDS) for name in both]
    up = [max(summary.times[second][name], SHORTEST_SECONDS) for name in both]
    axes.scatter(across, up, s=14, alpha=0.7, linewidths=0)
    ends = (min([*across, *up, summary.limit]) / 1.5, summary.penalty * 1.5)
    axes.plot(ends, ends, color=INK, linewidth=0.6)
    for line in (axes.axvline, axes.axhline):
        line(summary.limit, color=INK, linewidth=0.6, linestyle=":")
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    _plain_numbers(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"{_plain(first)}, seconds (unsolved: {summary.penalty:g})")
    axes.set_ylabel(f"{_plain(second)}, seconds")
    return figure


def bound_over_time(results: Results, instance: str) -> Any:
    """A matplotlib figure of the first repeat of every contender: bound dashed, score solid, a dot where it is proved.

    Raises `UsageError` when nothing was recorded on the instance.
    """
    runs = [one for one in results.measurements if one.instance == instance and one.repeat == 0]
    if not any(one.trajectory for one in runs):
        raise UsageError(f"nothing was recorded over time on {instance!r}; maximise records it")
    order = {contender.name: place for place, contender in enumerate(results.plan.contenders)}
    figure, axes = _figure()
    for run in sorted(runs, key=lambda one: order[one.contender]):
        style = _style(order[run.contender])
        steps = _with_end(run)
        for what, linestyle in (("bound", "--"), ("score", "-")):
            points = [
                (max(time, SHORTEST_SECONDS), value)
                for time, score, bound in steps
                for value in [score if what == "score" else bound]
                if value is not None
            ]
            if points:
                label = _plain(run.contender) if what == "score" else None
                axes.step(*zip(*points, strict=True), where="post", label=label, **{**style, "linestyle": linestyle})
        if run.outcome.is_final and run.score is not None and run.seconds:
            axes.plot([run.seconds], [run.score], marker="o", markersize=4, color=style["color"])
    axes.set_xscale("log")
    _plain_numbers(axes.xaxis)
    axes.set_xlabel("seconds")
    axes.set_ylabel("score (solid), bound (dashed)")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, fontsize="small", labelcolor=INK)
    return figure


def draw(results: Results, chart: Chart, names: Sequence[str] = (), instance: str | None = None) -> Any:
    """A matplotlib figure; of the two best contenders, or of the longest instance, where none is named.

    Raises `UsageError` for an unknown name or when there is nothing to draw, `MissingPackageError` without matplotlib.
    """
    require_matplotlib()
    if not results.measurements:
        raise UsageError("there is no measurement to draw")
    match chart:
        case Chart.CACTUS:
            return cactus(results)
        case Chart.SCATTER:
            first, *others = [*names, *(row.name for row in Summary(results).rows if row.name not in names)]
            if not others:
                raise UsageError("a scatter plot needs two contenders")
            return scatter(results, first, others[0])
        case Chart.BOUND:
            return bound_over_time(results, instance or (longest(results) or [results.plan.instances[0].name])[0])


def longest(results: Results) -> list[str]:
    """The instances with scores or bounds recorded over time, the longest recording first."""
    ends: dict[str, float] = {}
    for one in results.measurements:
        if one.trajectory:
            ends[one.instance] = max(ends.get(one.instance, 0.0), one.trajectory[-1].seconds)
    return sorted(ends, key=lambda name: -ends[name])


def save(figure: Any, path: Path) -> None:
    """Save as SVG, PNG or PDF, by the suffix. Raises `UsageError` for any other suffix, or a file it cannot write."""
    check_picture(str(path))
    try:
        with settings("ringdoku"):
            figure.savefig(
                path, facecolor="white", dpi=150, bbox_inches="tight", metadata=_metadata(path.suffix.lower())
            )
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def inline_svg(figure: Any, name: str) -> str:
    """An `svg` element for a page, in the colour of the text around it; `name` makes its ids unique in the page."""
    stream = io.StringIO()
    with settings(name):
        figure.savefig(stream, format="svg", transparent=True, bbox_inches="tight", metadata=_metadata(".svg"))
    svg = stream.getvalue()
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    # groups have the same ids in every picture, and the page sets the width
    svg = re.sub(r'<g id="[^"]*">', "<g>", svg)
    return re.sub(r'<svg ([^>]*?)width="[^"]*"', r'<svg role="img" \1', svg, count=1).replace(
        ' height="', ' data-height="', 1
    )


def _figure(width: float = 7.5, height: float = 4.5) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    axes.tick_params(colors=INK, which="both")
    for part in (axes.xaxis.label, axes.yaxis.label):
        part.set_color(INK)
    for side, spine in axes.spines.items():
        spine.set_color(INK)
        spine.set_visible(side in ("left", "bottom"))
    axes.grid(True, color=INK, alpha=0.12, linewidth=0.5)
    return figure, axes


def _plain(name: str) -> str:
    """The name, with dollars escaped, which matplotlib reads as mathematics, and characters that XML does not allow."""
    if not name.isprintable():
        name = "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in name)
    return name.replace("$", r"\$")


def _plain_numbers(*axes: Any) -> None:
    """Write 0.01 and not 10⁻² along logarithmic axes; where they show less than two decades, 0.02 and 0.05 too."""
    from matplotlib.ticker import FuncFormatter

    for axis in axes:

        def minor(value: float, _: int | None, axis: Any = axis) -> str:
            low, high = axis.get_view_interval()
            return f"{value:g}" if high < 100 * low and f"{value:e}"[0] in "25" else ""

        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(FuncFormatter(minor))


def _metadata(suffix: str) -> Mapping[str, None]:
    return {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix, {})


def _style(place: int) -> dict[str, Any]:
    """Ten colours that show on light and dark grounds; the next ten lines have another line style."""
    return {"color": f"C{place % 10}", "linestyle": ("-", "--", "-.", ":")[place // 10 % 4], "linewidth": 1.4}


def _solved(summary: Summary, times: Mapping[str, float]) -> list[float]:
    return sorted(max(time, SHORTEST_SECONDS) for time in times.values() if time <= summary.limit)


def _with_end(run: Measurement) -> list[tuple[float, int | None, int | None]]:
    steps = [(step.seconds, step.score, step.bound) for step in run.trajectory]
    if run.seconds is not None:
        last = steps[-1] if steps else (0.0, None, None)
        score = last[1] if run.score is None else run.score
        steps.append((run.seconds, score, last[2] if run.bound is None else run.bound))
    return steps
