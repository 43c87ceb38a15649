"""The shapes of a finished picture, a `Scene`, the bottom one first. SVG is written from them, PNG and PDF are painted.

A point is (x, y), to the right and down from the top left corner. Lengths are in the unit of the scene.
"""

from dataclasses import dataclass
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
    """Lines through points, each `closed` or open, not filled; dashes are three times as long as lines are thick."""

    lines: tuple[tuple[XY, ...], ...]
    stroke: str
    thickness: float = 1
    closed: bool = False
    dashed: bool = False
    is_round: bool = False


@dataclass(frozen=True)
class Text:
    """One line of text; `y` is its baseline, `size` the font size."""

    x: float
    y: float
    text: str
    size: float
    ink: str
    bold: bool = False
    anchor: Literal["start", "middle"] = "middle"


@dataclass(frozen=True)
class Inset:
    """A scene in another one, scaled, with its origin at (x, y). That is its top left corner, or its bottom right one
    if the scale is negative, which turns it upside down."""

    scene: "Scene"
    x: float
    y: float
    scale: float = 1


Shape: TypeAlias = Rect | Circle | Polyline | Text | Inset


@dataclass(frozen=True)
class Scene:
    """A picture, or a page. `title` names it for people who do not see it, and `description` says what is in it. The
    `unit` is px, of which 96 are an inch, or mm. A click on it, in PDF on its texts, opens `link`."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    description: str = ""
    unit: Literal["px", "mm"] = "px"
    link: str = ""
