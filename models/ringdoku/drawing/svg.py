"""Pictures as SVG: a file by itself, and an element that several of can stand in one page, since it has no ids."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import assert_never

from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.drawing.drawer import CELL, MARGIN, OUTSIDE, scene_of
from ringdoku.drawing.shapes import XY, Circle, Polyline, Rect, Scene, Shape, Text
from ringdoku.drawing.views import View

__all__ = ["CELL", "MARGIN", "OUTSIDE", "draw_svg", "to_svg"]


def draw_svg(
    ruleset: Ruleset, clues: Grid, grid: Grid, objective: Objective | None = None, symbols: Sequence[str] = ()
) -> str:
    """`grid` as one SVG element: `clues` differ from other digits, an objective shades the cells, blanks stay empty.

    `symbols` is the text of each digit of the board, ascending; without it they are numbers.

    Everything that the rules' marks show is drawn; the other rules are listed below the grid.
    """
    return to_svg(scene_of(View(Puzzle(ruleset, clues), grid, objective, symbols)))


def to_svg(scene: Scene) -> str:
    """A scene as one SVG element, which is a complete file: a line for each shape, colours and fonts set."""
    width, height = _number(scene.width), _number(scene.height)
    unit = "" if scene.unit == "px" else scene.unit
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}{unit}"'
        f' height="{height}{unit}" role="img" font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{_words(scene.title)}</title>",
        *([f"<desc>{_words(scene.description)}</desc>"] if scene.description else []),
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    return "\n".join([*lines, *map(_element, scene.shapes), "</svg>"])


def _element(shape: Shape) -> str:
    match shape:
        case Rect():
            place = " ".join(f'{name}="{_number(getattr(shape, name))}"' for name in ("x", "y", "width", "height"))
            opacity = "" if shape.opacity == 1 else f' fill-opacity="{shape.opacity}"'
            return f'<rect {place} fill="{shape.fill}"{opacity}{_stroke(shape)}/>'
        case Circle():
            place = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.radius)}"'
            return f'<circle {place} fill="{shape.fill}"{_stroke(shape)}/>'
        case Polyline():
            path = " ".join(_line(line) + (" Z" if shape.closed else "") for line in shape.lines)
            dashes = f' stroke-dasharray="{_number(3 * shape.thickness)} {_number(2 * shape.thickness)}"'
            ends = ' stroke-linecap="round" stroke-linejoin="round"'
            return (
                f'<path d="{path}" fill="none"{_stroke(shape)}{dashes if shape.dashed else ""}'
                f"{ends if shape.is_round else ''}/>"
            )
        case Text():
            place = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
            look = f'font-size="{_number(shape.size)}" fill="{shape.ink}"'
            look += ' font-weight="bold"' if shape.bold else ""
            look += "" if shape.anchor == "middle" else f' text-anchor="{shape.anchor}"'
            look += f' transform="rotate(180 {_number(shape.x)} {_number(shape.y)})"' if shape.turned else ""
            return f"<text {place} {look}>{_words(shape.text)}</text>"
        case other:
            assert_never(other)


def _stroke(shape: Rect | Circle | Polyline) -> str:
    if shape.stroke == "none":
        return ""
    return f' stroke="{shape.stroke}"' + ("" if shape.thickness == 1 else f' stroke-width="{_number(shape.thickness)}"')


def _line(points: tuple[XY, ...]) -> str:
    return "M" + " L".join(f"{_number(x)} {_number(y)}" for x, y in points)


def _words(text: str) -> str:
    """Without characters that XML does not allow."""
    return escape("".join(mark if mark.isprintable() else " " for mark in text))


def _number(value: float) -> str:
    return f"{round(value, 3):g}"
