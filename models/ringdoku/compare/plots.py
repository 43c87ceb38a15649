"""Pictures of results, drawn by matplotlib. A contender has the same colour in all of them."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from ringdoku.compare.measurement import Measurement
from ringdoku.compare.results import Results
from ringdoku.compare.summary import PHASES, VIRTUAL_BEST, Measure, Summary, seconds_text
from ringdoku.domain.errors import UsageError
from ringdoku.drawing.files import check_picture, settings


class Chart(Enum):
    """What a picture shows."""

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

INK = "#0a0b0c"
"""The colour of text and axes; in a page it becomes the colour of the text around the plot."""

COLOURS = (
    *("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"),
)
"""They show on light and on dark grounds."""

DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (2, 1)))
"""The styles of the first lines of each colour, the second ones, and so on."""

LONGEST_NAME = 40
"""Characters of a name beside a plot."""

SHADES = {"build": 0.3, "load": 0.6, "solve": 1.0}
"""How opaque the bar of a phase is."""


def styles(results: Results) -> Mapping[str, Mapping[str, Any]]:
    """The look of each contender, by its rank in total time, whatever is drawn."""
    return {row.name: style(place) for place, row in enumerate(Summary(results).rows)}


def cactus(results: Results, measure: Measure = Measure.TOTAL) -> Any:
    """A matplotlib figure of the best `MOST_LINES` contenders: seconds upwards, solved instances to the right."""
    summary = Summary(results, measure)
    times = {row.name: _solved(summary, summary.times[row.name]) for row in summary.rows[:MOST_LINES]}
    best = _solved(summary, summary.virtual_best) if len(summary.rows) > 1 else []
    return _lines(results, times, f"{WORDS[measure]} for each", best)


def work(results: Results, count: str) -> Any:
    """The same for a count of the solvers, such as conflicts. Raises `UsageError` where no backend gives it."""
    summary = Summary(results)
    counts = summary.counts(count)
    given = [row.name for row in summary.rows if row.name in counts][:MOST_LINES]
    if not given:
        raise UsageError(f"no backend of these results reports its {count}")
    return _lines(results, {name: [max(1.0, each) for each in counts[name].values()] for name in given}, count)


def _lines(results: Results, values: Mapping[str, list[float]], label: str, best: Sequence[float] = ()) -> Any:
    figure, axes = new_figure()
    looks = styles(results)
    if best:
        # wide and pale below the others, so that it hides none
        axes.step(range(1, len(best) + 1), sorted(best), where="mid", label=VIRTUAL_BEST, color=INK, alpha=0.2, lw=6)
    for name, of_instances in values.items():
        ordered = sorted(of_instances)
        axes.step(range(1, len(ordered) + 1), ordered, where="mid", label=plain(name), **looks[name])
        if len(ordered) == 1:
            axes.plot([1], ordered, marker="o", markersize=4, color=looks[name]["color"])
    axes.set_yscale("log")
    plain_numbers(axes.yaxis)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("instances solved")
    axes.set_ylabel(label)
    add_legend(axes)
    return figure


def scatter(results: Results, first: str, second: str, measure: Measure = Measure.TOTAL) -> Any:
    """A matplotlib figure of two contenders, by name; below the diagonal the second one was faster.

    Raises `UsageError` for an unknown name.
    """
    summary = Summary(results, measure)
    for name in (first, second):
        if name not in summary.times:
            raise UsageError(f"no contender is called {name!r}; there are: {', '.join(summary.times)}")
    both = [name for name in summary.times[first] if name in summary.times[second]]
    figure, axes = new_figure(width=5.2, height=5.0)
    across = [max(summary.times[first][name], SHORTEST_SECONDS) for name in both]
    up = [max(summary.times[second][name], SHORTEST_SECONDS) for name in both]
    looks = styles(results)
    faster = [looks[second if y < x else first]["color"] for x, y in zip(across, up, strict=True)]
    axes.scatter(across, up, s=14, alpha=0.7, linewidths=0, c=faster)
    ends = (min([*across, *up, summary.limit]) / 1.5, summary.penalty * 1.5)
    axes.plot(ends, ends, color=INK, linewidth=0.6)
    for line in (axes.axvline, axes.axhline):
        line(summary.limit, color=INK, linewidth=0.6, linestyle=":")
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    plain_numbers(axes.xaxis, axes.yaxis)
    axes.set_xlabel(f"{plain(first)}, {WORDS[measure]} (unsolved: {summary.penalty:g})")
    axes.set_ylabel(f"{plain(second)}, {WORDS[measure]}")
    return figure


def phases(results: Results) -> Any:
    """A matplotlib figure: a bar for each of the best contenders, its parts the shares of the phases in the time of all
    runs that were answered, and beside it the mean of that time."""
    summary, looks = Summary(results), styles(results)
    names = [row.name for row in summary.rows[:MOST_LINES] if row.solved][::-1]
    answered = {
        name: [one for one in results.measurements if one.contender == name and one.outcome.is_final] for name in names
    }
    figure, axes = new_figure(height=0.9 + 0.3 * len(names))
    starts = [0.0] * len(names)
    totals = [sum(one.seconds or 0 for one in runs) for runs in answered.values()]
    for phase in PHASES:
        sums = [sum(getattr(one, f"{phase}_seconds") or 0 for one in runs) for runs in answered.values()]
        widths = [100 * seconds / total if total else 0 for seconds, total in zip(sums, totals, strict=True)]
        colours = [looks[name]["color"] for name in names]
        # numbers and not names, since two long names may be cut to the same text
        axes.barh(range(len(names)), widths, left=starts, height=0.7, color=colours, alpha=SHADES[phase], label=phase)
        starts = [start + width for start, width in zip(starts, widths, strict=True)]
    axes.set_yticks(range(len(names)), list(map(plain, names)))
    for place, (runs, total) in enumerate(zip(answered.values(), totals, strict=True)):
        axes.text(102, place, f"{seconds_text(total / len(runs))} s", va="center", fontsize="small", color=INK)
    axes.set_xlabel("% of the seconds: building pale, loading darker, solving full; at the right, the mean")
    axes.margins(y=0.02)
    return figure


def bound_over_time(results: Results, instance: str) -> Any:
    """A matplotlib figure of the first repeat of every contender: bound dashed, score solid, a dot where it is proved.

    Raises `UsageError` when nothing was recorded on the instance.
    """
    runs = [one for one in results.measurements if one.instance == instance and one.repeat == 0]
    if not any(one.trajectory for one in runs):
        raise UsageError(f"nothing was recorded over time on {instance!r}; maximise records it")
    looks = styles(results)
    order = {name: place for place, name in enumerate(looks)}
    figure, axes = new_figure()
    for run in sorted(runs, key=lambda one: order[one.contender]):
        colour = looks[run.contender]["color"]
        steps = _with_end(run)
        for what, linestyle in (("bound", "--"), ("score", "-")):
            points = [
                (max(time, SHORTEST_SECONDS), value)
                for time, score, bound in steps
                for value in [score if what == "score" else bound]
                if value is not None
            ]
            if points:
                label = plain(run.contender) if what == "score" else None
                look = {"color": colour, "linestyle": linestyle, "linewidth": 1.4}
                axes.step(*zip(*points, strict=True), where="post", label=label, **look)
        if run.outcome.is_final and run.score is not None and run.seconds:
            axes.plot([run.seconds], [run.score], marker="o", markersize=4, color=colour)
    axes.set_xscale("log")
    plain_numbers(axes.xaxis)
    axes.set_xlabel("seconds")
    axes.set_ylabel("score (solid), bound (dashed)")
    add_legend(axes)
    return figure


def draw(
    results: Results,
    chart: Chart,
    names: Sequence[str] = (),
    instance: str | None = None,
    measure: Measure = Measure.TOTAL,
) -> Any:
    """A matplotlib figure; of the two best contenders, or of the longest instance, where none is named.

    Raises `UsageError` for an unknown name or when there is nothing to draw.
    """
    if not results.measurements:
        raise UsageError("there is no measurement to draw")
    match chart:
        case Chart.CACTUS:
            return cactus(results, measure)
        case Chart.SCATTER:
            first, *others = [*names, *(row.name for row in Summary(results, measure).rows if row.name not in names)]
            if not others:
                raise UsageError("a scatter plot needs two contenders")
            return scatter(results, first, others[0], measure)
        case Chart.PHASES:
            return phases(results)
        case Chart.BOUND:
            return bound_over_time(results, instance or (longest(results) or [results.plan.instances[0].name])[0])
        case Chart.CONFLICTS | Chart.DECISIONS | Chart.PROPAGATIONS:
            return work(results, chart.value)


def longest(results: Results) -> list[str]:
    """The instances with scores or bounds recorded over time, the longest recording first."""
    ends: dict[str, float] = {}
    for one in results.measurements:
        if one.trajectory:
            ends[one.instance] = max(ends.get(one.instance, 0.0), one.trajectory[-1].seconds)
    return sorted(ends, key=lambda name: -ends[name])


WORDS = {
    Measure.TOTAL: "seconds",
    Measure.SOLVE: "seconds of solving",
    Measure.CPU: "seconds of the processor",
}
"""Labels of axes."""


def _solved(summary: Summary, times: Mapping[str, float]) -> list[float]:
    return sorted(max(time, SHORTEST_SECONDS) for time in times.values() if time <= summary.limit)


def _with_end(run: Measurement) -> list[tuple[float, int | None, int | None]]:
    steps = [(step.seconds, step.score, step.bound) for step in run.trajectory]
    if run.seconds is not None:
        last = steps[-1] if steps else (0.0, None, None)
        score = last[1] if run.score is None else run.score
        steps.append((run.seconds, score, last[2] if run.bound is None else run.bound))
    return steps


def style(place: int) -> dict[str, Any]:
    """The look of the line of this place, from 0; no two of the first seventy are alike."""
    rounds, colour = divmod(place, len(COLOURS))
    return {"color": COLOURS[colour], "linestyle": DASHES[rounds % len(DASHES)], "linewidth": 1.5}


def new_figure(width: float = 7.5, height: float = 4.5) -> tuple[Any, Any]:
    """A figure and its axes."""
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


def add_legend(axes: Any) -> None:
    """Beside the plot."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, fontsize="small", labelcolor=INK)


def plain(name: str) -> str:
    """The name, not too long, with dollars escaped, which matplotlib reads as mathematics, and characters that XML does
    not allow."""
    if len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME // 2]}…{name[1 - LONGEST_NAME // 2 :]}"
    if not name.isprintable():
        name = "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in name)
    return name.replace("$", r"\$")


def plain_numbers(*axes: Any) -> None:
    """Write 0.01 and not 10⁻² along logarithmic axes; where they show less than two decades, 0.02 and 0.05 too."""
    from matplotlib.ticker import FuncFormatter

    for axis in axes:

        def minor(value: float, _: int | None, axis: Any = axis) -> str:
            low, high = axis.get_view_interval()
            return f"{value:g}" if high < 100 * low and f"{value:e}"[0] in "25" else ""

        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(FuncFormatter(minor))


def save(figure: Any, path: Path) -> None:
    """Save as SVG, PNG or PDF, by the suffix. Raises `UsageError` for another one, or a file it cannot write."""
    check_picture(str(path))
    picture = io.BytesIO()
    with settings("ringdoku"):
        look = {"facecolor": "white", "dpi": 150, "bbox_inches": "tight"}
        figure.savefig(picture, format=path.suffix[1:].lower(), metadata=_metadata(path.suffix.lower()), **look)
    if path.suffix.lower() == ".png":
        picture = _with_few_colours(picture)
    try:
        path.write_bytes(picture.getvalue())
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


def _with_few_colours(png: io.BytesIO) -> io.BytesIO:
    """The same picture in a quarter of the bytes."""
    from PIL import Image

    smaller = io.BytesIO()
    Image.open(png).convert("RGB").quantize(128).save(smaller, "PNG", optimize=True)
    return smaller


def _metadata(suffix: str) -> Mapping[str, None]:
    return {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix, {})
