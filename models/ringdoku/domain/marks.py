"""The few things that a drawing of a puzzle is made of; a named constraint says which of them show it.

Places are in cells: (row, column) of a point, (0.5, 0.5) being the middle of the first cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Stroke:
    """A line through the middles of cells, as thick as a part of a cell's side. `head`: it ends in an arrow head;
    `whole`: it goes on to the corners of the grid."""

    cells: tuple[int, ...]
    colour: str
    thickness: float
    head: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Disc:
    """A circle, or a square, around the middle of the given cells: one cell, two neighbours (their edge), four (their
    corner), with text in it. `pill`: around all of the cells instead, from the first to the last."""

    cells: tuple[int, ...]
    fill: str
    outline: str
    size: float
    text: str = ""
    square: bool = False
    pill: bool = False


@dataclass(frozen=True)
class Note:
    """Small text at the foot of a cell."""

    cell: int
    text: str


@dataclass(frozen=True)
class Outline:
    """A line around cells, dashed inside their border or thick upon it, with text in its top left corner."""

    cells: tuple[int, ...]
    dashed: bool
    text: str = ""


@dataclass(frozen=True)
class Shade:
    """Cells with a coloured background."""

    cells: tuple[int, ...]
    colour: str


@dataclass(frozen=True)
class Outside:
    """Text outside the grid, before the first of the cells as seen from the second; `arrow`: it points at them."""

    cells: tuple[int, ...]
    text: str
    arrow: bool = False


Mark: TypeAlias = Stroke | Disc | Note | Outline | Shade | Outside
