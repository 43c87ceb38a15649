"""Figures of matplotlib: how they look, and how they become files and parts of a page."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ringdoku.domain.errors import UsageError
from ringdoku.drawing.files import check_picture, settings

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
