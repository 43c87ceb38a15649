"""Pictures as files: SVG, and PNG and PDF, which matplotlib paints from the same shapes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from io import BytesIO
from itertools import count
from types import MappingProxyType
from typing import Any, assert_never

from ringdoku.domain.errors import UsageError
from ringdoku.drawing import PICTURES
from ringdoku.drawing.shapes import Circle, Polyline, Rect, Scene, Shape, Text
from ringdoku.drawing.svg import to_svg

SMALL_DPI, PRINT_DPI = 192, 300
"""Dots an inch of a PNG: of a picture in pixels, which has two dots for each, and of a page in millimetres."""

_INCH = {"px": 96.0, "mm": 25.4}
_LETTERS = 0.93
"""matplotlib's own typeface is wider than the usual ones by so much."""


def settings(salt: str = "ringdoku") -> AbstractContextManager[Any]:
    """matplotlib's, such that text stays text and equal pictures give equal files."""
    import matplotlib

    return matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "pdf.fonttype": 42})


def svg_file(scenes: Sequence[Scene]) -> bytes:
    """The one scene as a file."""
    return f"{to_svg(_only(scenes, 'SVG'))}\n".encode()


def png_file(scenes: Sequence[Scene]) -> bytes:
    """The one scene as a file."""
    scene = _only(scenes, "PNG")
    file = BytesIO()
    with settings():
        _figure(scene).savefig(file, format="png", dpi=SMALL_DPI if scene.unit == "px" else PRINT_DPI)
    return file.getvalue()


def pdf_file(scenes: Sequence[Scene]) -> bytes:
    """A page for each scene."""
    from matplotlib.backends.backend_pdf import PdfPages

    file = BytesIO()
    with settings(), PdfPages(file, metadata={"CreationDate": None, "Title": scenes[0].title}) as pages:
        for scene in scenes:
            pages.savefig(_figure(scene))
    return file.getvalue()


WRITERS: Mapping[str, Callable[[Sequence[Scene]], bytes]] = MappingProxyType(
    dict(zip(PICTURES, (svg_file, png_file, pdf_file), strict=True))
)
"""What makes a file of each format."""


def check_picture(path: str) -> None:
    """Raises `UsageError` for the name of a file that has no ending of a picture."""
    if path.rpartition(".")[2].lower() not in PICTURES:
        raise UsageError(f"a picture's name ends in {', '.join(f'.{name}' for name in PICTURES)}; {path} does not")


def _only(scenes: Sequence[Scene], form: str) -> Scene:
    if len(scenes) != 1:
        raise UsageError(f"a file of {form} holds one picture, not {len(scenes)}")
    return scenes[0]


def _figure(scene: Scene) -> Any:
    """A matplotlib figure of the size of the scene, with one axis that has its unit."""
    from matplotlib.figure import Figure

    inch = _INCH[scene.unit]
    figure = Figure(figsize=(scene.width / inch, scene.height / inch), facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    places = count(1)
    with warnings.catch_warnings():
        # a title may have letters that the typeface lacks
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        for shape in scene.shapes:
            _paint(axes, shape, 72 / inch, next(places))
    return figure


def _paint(axes: Any, shape: Shape, points: float, place: int) -> None:
    """A shape at its place among the layers; `points` is a unit of the scene in printer's points."""
    from matplotlib import patches
    from matplotlib.path import Path

    look: dict[str, Any] = {"zorder": place}
    if not isinstance(shape, Text):
        look |= {"edgecolor": shape.stroke, "linewidth": 0 if shape.stroke == "none" else shape.thickness * points}
    match shape:
        case Rect():
            look["facecolor"] = shape.fill if shape.fill == "none" else (shape.fill, shape.opacity)
            axes.add_patch(patches.Rectangle((shape.x, shape.y), shape.width, shape.height, **look))
        case Circle():
            axes.add_patch(patches.Circle((shape.x, shape.y), shape.radius, facecolor=shape.fill, **look))
        case Polyline():
            corners, codes = [], []
            for line in shape.lines:
                corners += [*line, *([line[0]] if shape.closed else [])]
                codes += [Path.MOVETO, *[Path.LINETO] * (len(line) - 1)]
                codes += [Path.CLOSEPOLY] if shape.closed else []
            ends = {"capstyle": "round", "joinstyle": "round"} if shape.is_round else {"joinstyle": "miter"}
            dashes = {"linestyle": (0, (3, 2))} if shape.dashed else {}
            axes.add_patch(patches.PathPatch(Path(corners, codes), facecolor="none", **ends, **dashes, **look))
        case Text():
            axes.text(
                shape.x,
                shape.y,
                "".join(mark if mark.isprintable() else " " for mark in shape.text),
                fontsize=shape.size * points * _LETTERS,
                color=shape.ink,
                weight="bold" if shape.bold else "normal",
                ha="center" if shape.anchor == "middle" else "left",
                va="baseline",
                rotation=180 if shape.turned else 0,
                rotation_mode="anchor",
                parse_math=False,
                **look,
            )
        case other:
            assert_never(other)
