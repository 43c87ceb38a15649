"""What a finished picture is made of: shapes, the bottom one first. SVG is written from them, PNG and PDF are painted.

A point is (x, y), to the right and down from the top left corner. Lengths are in the unit of the scene.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

XY: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Rect:
    """A rectangle; its border is not drawn without a `stroke`."""

    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    thickness: float = 1
    opacity: float = 1


@dataclass(frozen=True)
class Circle:
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str = "none"
    stroke: str = "none"
    thickness: float = 1


@dataclass(frozen=True)
class Polyline:
    """Lines through points, each `closed` or open, not filled; dashes are three times as long as the line is thick."""

    lines: tuple[tuple[XY, ...], ...]
    stroke: str
    thickness: float = 1
    closed: bool = False
    dashed: bool = False
    is_round: bool = False


@dataclass(frozen=True)
class Text:
    """One line of text; `y` is its baseline, `size` that of the font. `turned`: upside down."""

    x: float
    y: float
    text: str
    size: float
    ink: str
    bold: bool = False
    anchor: Literal["start", "middle"] = "middle"
    turned: bool = False


Shape: TypeAlias = Rect | Circle | Polyline | Text


@dataclass(frozen=True)
class Scene:
    """A picture, or a page. `title` names it for people who do not see it, and `description` says what is in it; a
    `unit` is px, of which 96 are an inch, or mm."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    description: str = ""
    unit: Literal["px", "mm"] = "px"

    def moved(self, x: float, y: float, scale: float, turned: bool = False) -> Iterator[Shape]:
        """The shapes of the scene as part of another one, its top left corner at (x, y), or turned upside down."""

        def at(point: XY) -> XY:
            across, down = (self.width - point[0], self.height - point[1]) if turned else point
            return x + across * scale, y + down * scale

        for shape in self.shapes:
            match shape:
                case Rect():
                    width, height = shape.width, shape.height
                    left, top = at((shape.x + width, shape.y + height) if turned else (shape.x, shape.y))
                    yield replace(
                        shape,
                        x=left,
                        y=top,
                        width=width * scale,
                        height=height * scale,
                        thickness=shape.thickness * scale,
                    )
                case Circle():
                    middle = at((shape.x, shape.y))
                    yield replace(
                        shape,
                        x=middle[0],
                        y=middle[1],
                        radius=shape.radius * scale,
                        thickness=shape.thickness * scale,
                    )
                case Polyline():
                    lines = tuple(tuple(map(at, line)) for line in shape.lines)
                    yield replace(shape, lines=lines, thickness=shape.thickness * scale)
                case Text():
                    left, base = at((shape.x, shape.y))
                    yield replace(shape, x=left, y=base, size=shape.size * scale, turned=turned)
