"""The drawn elements of SudokuPad files, and the cells that they touch.

Lengths are in cells, and the middle of r1c1 is (0.5, 0.5).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from ringdoku.domain.constraint import Cells, Constraint
from ringdoku.domain.errors import UsageError
from ringdoku.links.rules_text import named
from ringdoku.links.shared import Draft, entries, items, shown, straight

Point = tuple[float, float]
T = TypeVar("T")

_MAX_STEP = 32


@dataclass(frozen=True, eq=False)
class Shape:
    """A disc, a square or a text around a point, or a line or an arrow through points. `width` of a line is its
    thickness; colours are in small letters, `#` and six digits where they can be."""

    kind: str
    points: tuple[Point, ...]
    fill: str
    border: str
    width: float
    height: float
    rounded: bool
    text: str

    @property
    def is_around_a_point(self) -> bool:
        """Whether it is neither a line nor an arrow."""
        return self.kind in ("overlay", "underlay")

    def looks(self, kind: str, size: float, fill: str, border: str, *, rounded: bool = True) -> bool:
        """Whether it is a disc or a square of this look."""
        alike = (self.kind, self.fill, self.border, self.rounded) == (kind, fill, border, rounded)
        return alike and math.isclose(self.width, size, abs_tol=0.01) and math.isclose(self.height, size, abs_tol=0.01)

    def runs(self, kind: str, thickness: float, colour: str) -> bool:
        """Whether it is a line or an arrow of this look."""
        return (self.kind, self.width, self.fill) == (kind, thickness, colour) and len(self.points) > 1


class Drawing:
    """The shapes of a file that are not explained yet, and `cages`, the cells of its cages without a sum."""

    def __init__(self, draft: Draft, data: dict[str, Any]) -> None:
        self.draft = draft
        self.cages: list[Cells] = []
        self.shapes: list[Shape] = []
        for key in ("underlays", "lines", "arrows", "overlays"):
            for where, entry in entries(key[:-1], data.get(key)):
                self.shapes.append(_shape(key[:-1], where, entry))

    def take(self, wanted: Callable[[Shape], bool]) -> list[Shape]:
        """The shapes that match; from now on they count as explained."""
        found = [shape for shape in self.shapes if wanted(shape)]
        taken = set(found)
        self.shapes = [shape for shape in self.shapes if shape not in taken]
        return found

    def named(self, what: str, found: list[T]) -> list[T]:
        """The constraints found, if the rules text names their rule."""
        return named(self.draft, self.draft.rules, what, found)

    def add(self, what: str, constraint: Constraint) -> None:
        """Add a rule that a drawing states."""
        self.draft.add(f"the {what}", constraint)

    def around(self, shape: Shape) -> Cells:
        """The cells that the middle of a shape touches: one, two or four; none if one of them is off the board."""
        row, column = shape.points[0]
        at = self.draft.board.at
        return _all([at(r, c) for r in _touched(row) for c in _touched(column)])

    def path(self, shape: Shape) -> Cells:
        """The cells along a line with the given corners; none for a line that does not run from cell to cell."""
        places = [(math.floor(row), math.floor(column)) for row, column in shape.points]
        found = places[:1]
        for (row, column), (below, right) in pairwise(places):
            parts = (abs(below - row), abs(right - column))
            length = max(parts)
            if length > _MAX_STEP or not {*parts} <= {0, length}:
                return ()
            down, over = sign(below - row), sign(right - column)
            found += [(row + step * down, column + step * over) for step in range(1, length + 1)]
        return straight(_all([self.draft.board.at(*place) for place in found]))

    def beside(self, row: float, column: float, down: int, right: int) -> Cells:
        """The cells in a direction from a point outside the board; none from a point inside."""
        at, place = self.draft.board.at, (math.floor(row), math.floor(column))
        cells: list[int] = []
        if at(*place) is None and (down or right):
            while (cell := at(place[0] + down, place[1] + right)) is not None:
                cells.append(cell)
                place = place[0] + down, place[1] + right
        return tuple(cells)


def _all(cells: list[int | None]) -> Cells:
    return () if None in cells else tuple(cell for cell in cells if cell is not None)


def _shape(kind: str, where: str, entry: dict[str, Any]) -> Shape:
    if kind in ("overlay", "underlay"):
        points = [entry.get("center")]
        width, height = (_length(entry.get(key, 0), where) for key in ("width", "height"))
        fill = _colour(entry.get("backgroundColor"))
    else:
        points = list(items(entry.get("wayPoints"), f"the points of {where}"))
        width = height = _length(entry.get("thickness", 0), where)
        fill = _colour(entry.get("color"))
    places = tuple([_point(point, where) for point in points])
    text = entry.get("text")
    written = "" if text is None else str(text).replace("\xa0", " ").strip()
    border, rounded = _colour(entry.get("borderColor")), bool(entry.get("rounded"))
    return Shape(kind, places, fill, border, width, height, rounded, written)


def _length(value: object, where: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10**6:
        return float(value)
    raise UsageError(f"{where}: {shown(value)} is not a length")


def _point(value: object, where: str) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise UsageError(f"{where}: {shown(value)} is not a row and column")
    row, column = (_length(part, where) for part in value)
    return row, column


def _colour(value: object) -> str:
    text = re.sub(r"\s", "", value).lower() if isinstance(value, str) else ""
    return "#" + "".join(2 * digit for digit in text[1:]) if re.fullmatch(r"#[0-9a-f]{3}", text) else text


def sign(number: float) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def _touched(number: float) -> tuple[int, ...]:
    """The rows, or columns, that a coordinate touches: one if it is in the middle of a row, two if it is between
    two."""
    near = round(number)
    if math.isclose(number, near, abs_tol=0.01):
        return near - 1, near
    return (math.floor(number),) if math.isclose(number % 1, 0.5, abs_tol=0.01) else ()
