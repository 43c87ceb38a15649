"""The elements of a drawing. Each named constraint lists the ones that show it. A point is (row, column) in units of a
cell's side; (0.5, 0.5) is the middle of the first cell."""

from dataclasses import dataclass
from typing import TypeAlias

GREY = "#cfcfcf"
"""The colour of lines and shapes that have none of their own."""


@dataclass(frozen=True)
class Stroke:
    """A line through the middles of cells; `thickness` is a fraction of a cell's side. `head`: it ends in an arrow
    head; `whole`: it goes on to the corners of the grid."""

    cells: tuple[int, ...]
    colour: str
    thickness: float
    head: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Disc:
    """A circle, or a square, with text in it, around the middle of the cells: of one cell, of the edge of two
    neighbours, or of the corner of four. `pill`: instead a rounded outline from the first cell to the last."""

    cells: tuple[int, ...]
    fill: str
    outline: str
    size: float
    text: str = ""
    square: bool = False
    pill: bool = False


@dataclass(frozen=True)
class Note:
    """Small text at the foot of each cell."""

    cells: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Border:
    """A thick line around cells."""

    cells: tuple[int, ...]


@dataclass(frozen=True)
class Cage:
    """A dashed line around cells, inside their border, with text in the top left corner."""

    cells: tuple[int, ...]
    text: str = ""


@dataclass(frozen=True)
class Shade:
    """Cells with a coloured background."""

    cells: tuple[int, ...]
    colour: str


@dataclass(frozen=True)
class Outside:
    """Text outside the grid, beside the first cell, away from the second. `arrow`: an arrow points at the cells."""

    cells: tuple[int, ...]
    text: str
    arrow: bool = False


Mark: TypeAlias = Stroke | Disc | Note | Border | Cage | Shade | Outside
