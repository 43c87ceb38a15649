"""Pictures as files: SVG, and PNG and PDF, which matplotlib paints from the same shapes."""

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, assert_never

from ringdoku.domain import UsageError, refuse
from ringdoku.drawing import PICTURES
from ringdoku.drawing.shapes import Circle, Inset, Polyline, Rect, Scene, Shape, Text

_DPI = {"px": 192, "mm": 300}
"""Dots per inch of a PNG: two dots for each pixel of a picture, and the usual number for a page in millimetres."""
_INCH = {"px": 96.0, "mm": 25.4}


def figure_settings(salt: str = "ringdoku", families: Sequence[str] = ("sans-serif",)) -> AbstractContextManager[Any]:
    """matplotlib's settings for text that stays text, in these typefaces, and for equal files of equal pictures."""
    from matplotlib import rc_context

    return rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "pdf.fonttype": 42, "font.family": families})


def picture_file(scenes: Sequence[Scene], form: str) -> bytes:
    """The content of a file in one of the formats `PICTURES`: one scene, or in PDF a page for each. Warns of letters
    that no installed typeface has. Raises `UsageError` for several scenes in other formats."""
    refuse(form != "pdf" and len(scenes) != 1, f"a file of {form.upper()} holds one picture, not {len(scenes)}")
    if form == "svg":
        return f"{to_svg(scenes[0])}\n".encode()
    from matplotlib.backends.backend_pdf import PdfPages

    file, families = BytesIO(), _font_families(set[str]().union(*map(_letters_of, scenes)))
    with figure_settings(families=families), _font_warnings_off():
        if form == "png":
            _figure(scenes[0]).savefig(file, format="png", dpi=_DPI[scenes[0].unit])
        else:
            with PdfPages(file, metadata={"CreationDate": None, "Title": scenes[0].title}) as pages:
                for scene in scenes:
                    pages.savefig(_figure(scene))
    return file.getvalue()


@contextmanager
def _font_warnings_off() -> Iterator[None]:
    """In this context matplotlib does not warn of letters, or bold ones, that a typeface lacks."""
    logger = logging.getLogger("matplotlib.font_manager")
    with warnings.catch_warnings(), ExitStack() as afterwards:
        afterwards.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.ERROR)
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def check_picture(path: str) -> None:
    """Raises `UsageError` if a file name does not end in one of `PICTURES`."""
    if path.rpartition(".")[2].lower() not in PICTURES:
        raise UsageError(f"a picture's name ends in {', '.join(f'.{name}' for name in PICTURES)}; {path} does not")


def _figure(scene: Scene) -> Any:
    """A matplotlib figure of the scene, in its size, with axes in its unit."""
    from matplotlib.figure import Figure

    inch = _INCH[scene.unit]
    figure = Figure(figsize=(scene.width / inch, scene.height / inch), facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    _paint(axes, scene, axes.transData, 72 / inch)
    return figure


def _letters_of(scene: Scene) -> set[str]:
    texts = (_letters_of(part.scene) if isinstance(part, Inset) else getattr(part, "text", "") for part in scene.shapes)
    return {letter for text in texts for letter in text if letter.isprintable()}


def _font_families(letters: set[str]) -> list[str]:
    """matplotlib's own typeface, and those installed here that have the letters which it lacks."""
    from matplotlib.font_manager import findfont, fontManager, get_font

    own = "DejaVu Sans"
    families, lacking = [own], letters.difference(map(chr, get_font(findfont(own)).get_charmap()))
    # not its fallback, which has a box for every letter, and not fonts in its cache whose files are gone
    usable = (font for font in fontManager.ttflist if "Last Resort" not in font.name and Path(font.fname).is_file())
    for font in usable if lacking else ():
        found = lacking.intersection(map(chr, get_font(font.fname).get_charmap()))
        families += [font.name] if found else []
        lacking -= found
        if not lacking:
            break
    if lacking:
        listed = "".join(sorted(lacking))
        warnings.warn(f"no typeface here has {listed}; draw an SVG, which leaves that to who shows it", stacklevel=3)
    return families


def _paint(axes: Any, scene: Scene, transform: Any, points: float) -> None:
    """Paints the shapes of a scene. `transform` converts their unit, `points` typographic points, < 0 upside down."""
    from matplotlib.transforms import Affine2D

    # in one layer matplotlib paints shapes in their order
    look: dict[str, Any] = {"zorder": 1, "transform": transform}
    for shape in scene.shapes:
        match shape:
            case Inset():
                inner = Affine2D().scale(shape.scale).translate(shape.x, shape.y) + transform
                _paint(axes, shape.scene, inner, points * shape.scale)
            case Text():
                # matplotlib's typeface is wider than the usual ones
                font: dict[str, Any] = {"fontsize": shape.size * abs(points) * 0.93, "url": scene.link or None}
                font |= {"color": shape.ink, "weight": "bold" if shape.bold else "normal", "parse_math": False}
                font |= {"ha": "center" if shape.anchor == "middle" else "left", "va": "baseline"}
                font |= {"rotation": 180 if points < 0 else 0, "rotation_mode": "anchor"}
                axes.text(shape.x, shape.y, _printable(shape.text), **font, **look)
            case _:
                width = 0 if shape.stroke == "none" else shape.thickness * abs(points)
                axes.add_patch(_patch(shape, edgecolor=shape.stroke, linewidth=width, **look))


def _patch(shape: Rect | Circle | Polyline, **look: Any) -> Any:
    from matplotlib import patches
    from matplotlib.path import Path

    if isinstance(shape, Rect):
        fill = shape.fill if shape.fill == "none" else (shape.fill, shape.opacity)
        return patches.Rectangle((shape.x, shape.y), shape.width, shape.height, facecolor=fill, **look)
    if isinstance(shape, Circle):
        return patches.Circle((shape.x, shape.y), shape.radius, facecolor=shape.fill, **look)
    lines = (Path([*line, line[0]] if shape.closed else line, closed=shape.closed) for line in shape.lines)
    look |= {"capstyle": "round", "joinstyle": "round"} if shape.is_round else {"joinstyle": "miter"}
    look |= {"linestyle": (0, (3, 2))} if shape.dashed else {}
    return patches.PathPatch(Path.make_compound_path(*lines), facecolor="none", **look)


def to_svg(scene: Scene) -> str:
    """A scene as one SVG element, which is a complete file, with a line for each shape."""
    width, height = _number(scene.width), _number(scene.height)
    unit = "" if scene.unit == "px" else scene.unit
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}{unit}"'
        f' height="{height}{unit}" role="img" font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{escape(_printable(scene.title))}</title>",
        *([f"<desc>{escape(_printable(scene.description))}</desc>"] if scene.description else []),
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    return "\n".join([*lines, *_elements(scene), "</svg>"])


def _elements(scene: Scene) -> list[str]:
    linked = [f'<a href="{escape(scene.link)}">'] if scene.link else []
    return [*linked, *map(_element, scene.shapes), *["</a>"] * len(linked)]


def _element(shape: Shape) -> str:
    match shape:
        case Rect(x, y, width, height, fill, opacity=opacity):
            seen = None if opacity == 1 else opacity
            return _tag("rect", x=x, y=y, width=width, height=height, fill=fill, fill_opacity=seen, **_stroke(shape))
        case Circle():
            return _tag("circle", cx=shape.x, cy=shape.y, r=shape.radius, fill=shape.fill, **_stroke(shape))
        case Polyline():
            lines = (" L".join(f"{_number(x)} {_number(y)}" for x, y in line) for line in shape.lines)
            path = " ".join(f"M{line}{' Z' if shape.closed else ''}" for line in lines)
            return _tag("path", d=path, fill="none", **_stroke(shape))
        case Text():
            weight, anchor = "bold" if shape.bold else None, None if shape.anchor == "middle" else shape.anchor
            content, place = escape(_printable(shape.text)), {"x": shape.x, "y": shape.y, "font_size": shape.size}
            return _tag("text", content, **place, fill=shape.ink, font_weight=weight, text_anchor=anchor)
        case Inset():
            inside = "\n".join(_elements(shape.scene))
            placing = f"translate({_number(shape.x)} {_number(shape.y)}) scale({_number(shape.scale)})"
            return _tag("g", f"\n{inside}\n", transform=placing)
        case other:
            assert_never(other)


def _tag(name: str, content: str = "", /, **attributes: str | float | None) -> str:
    written = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else _number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _stroke(shape: Rect | Circle | Polyline) -> dict[str, str | float | None]:
    if shape.stroke == "none":
        return {}
    thickness, look = shape.thickness, dict[str, str | float | None](stroke=shape.stroke)
    look["stroke_width"] = None if thickness == 1 else thickness
    if isinstance(shape, Polyline):
        look["stroke_dasharray"] = f"{_number(3 * thickness)} {_number(2 * thickness)}" if shape.dashed else None
        look |= {"stroke_linecap": "round", "stroke_linejoin": "round"} if shape.is_round else {}
    return look


def _printable(text: str) -> str:
    """The text with a space for each character that XML does not allow, or that is not printable."""
    return "".join(mark if mark.isprintable() else " " for mark in text)


def _number(value: float) -> str:
    return f"{round(value, 3):g}"
