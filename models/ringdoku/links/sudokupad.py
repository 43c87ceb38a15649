"""SudokuPad files: cells, regions and cages are typed; all else is drawn, and the rules text explains it.

Drawings are read as the shapes that SudokuPad's converter draws for rules of f-puzzles. A shape is read only if the
rules text names its rule; all other shapes are unknown. Lengths are in cells, and the middle of r1c1 is (0.5, 0.5).
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, TypeAlias, TypeVar

from ringdoku.constraints import digits, lines, outside, pairs, regions, sums
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Boxes, Cells, Constraint, Lines
from ringdoku.domain.errors import UsageError
from ringdoku.links.rules_text import means_otherwise, named, names, warn_shading, warn_undrawn
from ringdoku.links.shared import (
    Draft,
    ImportedPuzzle,
    JSONError,
    entries,
    full_grid,
    integer,
    items,
    load_json,
    record,
    says_nothing,
    shown,
    straight,
    text_of,
    whole,
)

Point: TypeAlias = tuple[float, float]
T = TypeVar("T")

STATES: frozenset[type[Constraint]] = frozenset(
    {
        *(Lines, Boxes, regions.Regions, regions.DiagonalDown, regions.DiagonalUp, regions.ExtraRegion),
        *(regions.AntiKnight, regions.AntiKing, sums.Killer, sums.Sum, sums.LittleKiller, sums.Arrow),
        *(lines.Thermometer, lines.Palindrome, lines.Between, pairs.Difference, pairs.Ratio, pairs.PairSum),
        *(pairs.Clone, pairs.Minimum, pairs.Maximum, digits.Odd, digits.Even, digits.Contains),
        *(digits.CountingCircles, outside.Sandwich),
    }
)
"""The constraints that a file can state."""

_NO_EFFECT = frozenset({"id", "cellSize", "videos", "duration", "foglight", "cells", "regions", "cages"})
_METADATA = frozenset({"title", "author", "rules", "solution"})
_NO_EFFECT_METADATA = frozenset({"msgcorrect", "source", "video", "customstyle", "rowcolheaders", "norowcol"})
_DRAWN = frozenset({"lines", "arrows", "overlays", "underlays"})
_NOTES = frozenset({"value", "centremarks", "pencilMarks", "cornermarks"})
_CAGE_LOOK = frozenset({"cells", "value", "sum", "unique", "hidden", "style", "outlineC", "fontC"})
_PROPERTY = re.compile(r"([A-Za-z-]+): ?(.*)", re.DOTALL)
_MAY_REPEAT = re.compile(r"(?<!not )\b(may|can|might) repeat (with)?in (a |the )?(killer )?cage", re.IGNORECASE)


def read_sudokupad(text: str) -> ImportedPuzzle:
    """The puzzle of a SudokuPad file, plain or zipped JSON. Raises `UsageError`."""
    data = load_zipped(text)
    rows = [items(row, f"row {number} of the cells") for number, row in enumerate(items(data.get("cells"), "cells"), 1)]
    width = max(map(len, rows), default=0)
    if not 2 <= len(rows) <= 32 or not 2 <= width <= 32:
        raise UsageError(f"a file has 2 to 32 rows and columns, not {len(rows)} and {width}")
    listed = [(number, group) for number, group in enumerate(items(data.get("regions"), "regions"), 1) if group]
    groups = [_cells(group, f"region {number}", width, len(rows)) for number, group in listed]
    side = max(len(rows), width)
    order = max(map(len, groups), default=side)
    if order < side:
        raise UsageError(f"the board is {len(rows)}x{width}, but its regions have {order} cells: margins are not read")
    draft = Draft(Board(len(rows), width, 1, order))
    _read_metadata(draft, data)
    _read_cells(draft, rows)
    draft.add_regions(groups)
    if len({len(rows), width, order}) > 1:
        draft.warn(f"the board of {len(rows)}x{width} is not a square with regions of its size")
    if not groups and "sudoku" not in draft.rules.lower():
        draft.warn("the board has no regions, and the rules text does not say that it is a sudoku")
    drawing = _Drawing(draft, data)
    for where, cage in entries("cage", data.get("cages")):
        _read_cage(drawing, where, cage)
    for read in _READERS:
        read(drawing)
    drawing.warn_rest()
    warn_undrawn(draft)
    for key, value in data.items():
        if value and key not in _NO_EFFECT | _METADATA | _DRAWN | {"metadata", "metaData"}:
            draft.warn(f"the key {shown(key)} is unknown")
    return draft.shared()


# zipped JSON

NAMES = {
    "a": "arrows",
    "c": "color",
    "c1": "borderColor",
    "c2": "backgroundColor",
    "ca": "cages",
    "ce": "cells",
    "cs": "cellSize",
    "ct": "center",
    "d": "duration",
    "fs": "fontSize",
    "h": "height",
    "hl": "headLength",
    "l": "lines",
    "o": "overlays",
    "r": "rounded",
    "re": "regions",
    "t": "title",
    "te": "text",
    "th": "thickness",
    "u": "underlays",
    "v": "value",
    "vd": "videos",
    "w": "width",
    "wp": "wayPoints",
}
"""The long form of each short name."""

_WORDS = {"t": "true", "f": "false", "#0": '"#000000"', "#F": '"#FFFFFF"'}
_TOKEN = re.compile(r"""\s*(?:([\[\]{},:])|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s\[\]{},:'"]+))""", re.DOTALL)


def load_zipped(text: str) -> dict[str, Any]:
    """The object of a SudokuPad file with long names. Raises `UsageError`.

    The file is JSON, plain or zipped: short names without quotes, single quotes, `t` and `f`, bare colours, no empty
    objects. `{ce:[[{v:9},,]],l:[{c:34BBE6}]}` is `{"cells": [[{"value": 9}, {}, {}]], "lines": [{"color":
    "#34BBE6"}]}`.
    """
    with suppress(UsageError):
        return load_json(text, NAMES)
    tokens, starts = _unzipped(text)
    try:
        return load_json(" ".join(tokens), NAMES)
    except JSONError as error:
        # where it is in the zipped text
        ends = list(accumulate(len(token) + 1 for token in tokens))
        place = starts[min(bisect(ends, error.place), len(starts) - 1)]
        raise UsageError(f"character {place + 1} of the JSON: {error.problem}") from None


def _unzipped(text: str) -> tuple[list[str], list[int]]:
    """The tokens of plain JSON, and where each begins in the zipped text."""
    found, starts = [""], [0]
    place, end = 0, len(text.rstrip())
    while place < end:
        token = _TOKEN.match(text, place)
        if not token:
            raise UsageError(f"character {place + 1} of the JSON: a quotation mark without its end")
        mark, single, double, word = token.groups()
        if mark in (",", "]") and (found[-1] == "," or (found[-1] == "[" and mark == ",")):
            found.append("{}")
            starts.append(place)
        place = token.end()
        starts.append(token.start())
        if mark:
            found.append(mark)
        elif word is None:
            inside = re.sub(r'\\.|["\x00-\x1f]', _in_plain_json, single or double or "", flags=re.DOTALL)
            found.append(f'"{inside}"')
        elif text[place : place + 1] == ":":
            found.append(json.dumps(word))
        else:
            found.append(_WORDS.get(word, f'"#{word}"' if re.fullmatch("[0-9a-fA-F]{6}", word) else word))
    return found, starts


def _in_plain_json(found: re.Match[str]) -> str:
    """An escaped character of a zipped text, or one that plain JSON escapes."""
    if len(found[0]) == 1:
        return json.dumps(found[0])[1:-1]
    return found[0] if found[0][1] in '"\\/bfnrtu' else found[0][1]


# what is typed


def _cells(value: object, where: str, width: int, height: int) -> Cells:
    """The cells of a list of [row, column], from 0."""
    cells = []
    for place in items(value, where):
        match place:
            case [int(row), int(column)] if 0 <= row < height and 0 <= column < width:
                cells.append(row * width + column)
            case [int(row), int(column)]:
                raise UsageError(f"{where}: r{row + 1}c{column + 1} is not on the board of {height}x{width}")
            case _:
                raise UsageError(f"{where}: {shown(place)} is not a row and column")
    if len(set(cells)) < len(cells) or not cells:
        raise UsageError(f"{where} has {'a cell twice' if cells else 'no cells'}")
    return tuple(cells)


def _read_cells(draft: Draft, rows: list[Any]) -> None:
    for number, row in enumerate(rows):
        for place, values in enumerate(row):
            where = f"the cell r{number + 1}c{place + 1}"
            cell = record(values, where)
            if not says_nothing(cell.get("value")):
                draft.clue(where, number * draft.board.columns + place, whole(cell["value"], where))
            for key in cell.keys() - _NOTES:
                if cell[key]:
                    draft.warn(f"the key {shown(key)} of a cell is unknown")


def _metadata_of(data: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """Keys and values of the file, of an object in it, and of cages without cells."""
    yield from ((key, data[key]) for key in _METADATA if key in data)
    for name in ("metadata", "metaData"):
        yield from record(data.get(name) or {}, name).items()
    for _, cage in entries("cages", data.get("cages")):
        property_ = _PROPERTY.match(str(cage.get("value")))
        if property_ and not cage.get("cells"):
            yield property_[1], property_[2]


def _read_metadata(draft: Draft, data: dict[str, Any]) -> None:
    """Title, author, rules, solution and chess moves."""
    rules = []
    for key, value in _metadata_of(data):
        match key:
            case "title":
                draft.title = draft.title or text_of(value)
            case "author":
                draft.author = draft.author or text_of(value)
            case "rules":
                rules.append(text_of(value))
            case "solution":
                draft.solution = full_grid(value if isinstance(value, str | list) else "", draft.board)
            case "antiknight" | "antiking" if value in (True, "true"):
                draft.add(key, regions.AntiKnight() if key == "antiknight" else regions.AntiKing())
            case _ if value and key not in _NO_EFFECT_METADATA:
                draft.warn(f"the property {shown(key)} is unknown")
    draft.rules = "\n".join(rules)


def _killer(draft: Draft, where: str, total: int, cells: Cells, typed: bool) -> Constraint:
    if _MAY_REPEAT.search(draft.rules) and not typed:
        return sums.Sum(draft.bounded(where, total, len(cells), len(cells) * draft.board.order), cells)
    return sums.Killer(total or None, cells)


def _require_property(where: str, cage: dict[str, Any]) -> None:
    if not _PROPERTY.match(str(cage.get("value"))):
        raise UsageError(f"{where} has no cells")


def _read_cage(drawing: _Drawing, where: str, cage: dict[str, Any]) -> None:
    """A cage with a sum, or a killer cage without a sum. Cages around extra regions are left to the drawing."""
    draft = drawing.draft
    if not cage.get("cells"):
        _require_property(where, cage)
        return
    cells = _cells(cage["cells"], where, draft.board.columns, draft.board.rows)
    if strange := sorted(key for key in cage.keys() - _CAGE_LOOK if cage[key]):
        draft.warn(f"{where} has the unknown key {shown(strange[0])}")
    total = integer(cage.get("sum", cage.get("value")))
    typed = cage.get("unique") is True
    if total is not None and str(cage.get("value", total)) == str(total):
        explained = typed or names(draft.rules, "killer cages")
        has_own_look = bool(cage.get("outlineC") or cage.get("fontC"))
        if has_own_look or not explained or means_otherwise(draft.rules, "killer cages"):
            draft.warn(f"{where} has the number {total}, but the rules text does not say that it is the sum")
        else:
            draft.add(where, _killer(draft, where, total, cells, typed))
    elif cage.get("hidden") and total is None:
        pass
    elif not says_nothing(cage.get("value")):
        draft.warn(f"{where} has the value {shown(cage.get('value'))}, which is not a sum")
    elif typed:
        draft.add(where, sums.Killer(None, cells))
    else:
        drawing.cages.append(cells)


# what is drawn


@dataclass(frozen=True, eq=False)
class _Shape:
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


def _shape(kind: str, where: str, entry: dict[str, Any]) -> _Shape:
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
    return _Shape(
        kind, places, fill, _colour(entry.get("borderColor")), width, height, bool(entry.get("rounded")), written
    )


def _length(value: object, where: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10**6:
        return float(value)
    raise UsageError(f"{where}: {shown(value)} is not a length")


def _point(value: object, where: str) -> Point:
    if not isinstance(value, list) or len(value) != 2:
        raise UsageError(f"{where}: {shown(value)} is not a row and column")
    return _length(value[0], where), _length(value[1], where)


def _colour(value: object) -> str:
    text = re.sub(r"\s", "", value).lower() if isinstance(value, str) else ""
    return "#" + "".join(2 * digit for digit in text[1:]) if re.fullmatch(r"#[0-9a-f]{3}", text) else text


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _touched(number: float) -> tuple[int, ...]:
    """The rows, or columns, that a coordinate touches: one if it is in the middle of a row, two if it is between
    two."""
    near = round(number)
    if math.isclose(number, near, abs_tol=0.01):
        return near - 1, near
    return (math.floor(number),) if math.isclose(number % 1, 0.5, abs_tol=0.01) else ()


class _Drawing:
    """The shapes of a file that are not explained yet, and `cages`, the cells of its cages without a sum."""

    def __init__(self, draft: Draft, data: dict[str, Any]) -> None:
        self.draft = draft
        self.cages: list[Cells] = []
        self.shapes = [
            _shape(key[:-1], where, entry)
            for key in ("underlays", "lines", "arrows", "overlays")
            for where, entry in entries(key[:-1], data.get(key))
        ]

    def take(self, wanted: Callable[[_Shape], bool]) -> list[_Shape]:
        """The shapes that match; from now on they count as explained."""
        found = [shape for shape in self.shapes if wanted(shape)]
        taken = set(found)
        self.shapes = [shape for shape in self.shapes if shape not in taken]
        return found

    def named(self, what: str, found: list[T]) -> list[T]:
        """The constraints found, if the rules text names their rule."""
        return named(self.draft, self.draft.rules, what, found)

    def read(self, what: str, wanted: Callable[[_Shape], bool], rule: Callable[[_Shape], Constraint]) -> None:
        """Add a rule for each shape that matches, if the rules text names it."""
        for shape in self.named(what, self.take(wanted)):
            self.draft.add(f"the {what}", rule(shape))

    def warn_rest(self) -> None:
        """Note what nothing explains."""
        texts = dict.fromkeys(shape.text for shape in self.shapes if shape.text)
        if texts:
            self.draft.warn(f"texts are drawn, without a type: {shown(' '.join(texts))[1:-1]}")
        looks: Counter[str] = Counter()
        for shape in self.shapes:
            kind = shape.kind if not shape.is_around_a_point else "circle" if shape.rounded else "square"
            colour = shown(shape.fill or shape.border or "none")[1:-1]
            looks[f"{'an' if kind == 'arrow' else 'a'} {kind} of the colour {colour}"] += not shape.text
        for look, count in (+looks).items():
            self.draft.warn(f"{look} {'is' if count == 1 else f'and {count - 1} more are'} drawn, without a type")
        for cells in self.cages:
            self.draft.warn(f"the cage at {self.draft.board.cell_name(cells[0])} has no sum and is not explained")

    def around(self, shape: _Shape) -> Cells:
        """The cells that the middle of a shape touches: one, two or four; none if one of them is off the board."""
        row, column = shape.points[0]
        return self.all_cells((r, c) for r in _touched(row) for c in _touched(column))

    def path(self, shape: _Shape) -> Cells:
        """The cells along a line with the given corners; none for a line that does not run from cell to cell."""
        places = [(math.floor(row), math.floor(column)) for row, column in shape.points]
        found = places[:1]
        for (row, column), (below, right) in pairwise(places):
            parts = (abs(below - row), abs(right - column))
            length = max(parts)
            if length > 32 or not {*parts} <= {0, length}:
                return ()
            down, over = _sign(below - row), _sign(right - column)
            found += [(row + step * down, column + step * over) for step in range(1, length + 1)]
        return straight(self.all_cells(iter(found)))

    def beside(self, row: float, column: float, down: int, right: int) -> Cells:
        """The cells in a direction from a point outside the board; none from a point inside."""
        at, place = self.draft.board.at, (math.floor(row), math.floor(column))
        cells: list[int] = []
        if at(*place) is None and (down or right):
            while (cell := at(place[0] + down, place[1] + right)) is not None:
                cells.append(cell)
                place = place[0] + down, place[1] + right
        return tuple(cells)

    def all_cells(self, places: Iterator[tuple[int, int]]) -> Cells:
        """The cells at these places; none if one of the places is off the board."""
        cells = [self.draft.board.at(*place) for place in places]
        return () if None in cells else tuple(cell for cell in cells if cell is not None)


GREY, BLACK, WHITE, ARROW, DIAGONAL = "#cfcfcf", "#000000", "#ffffff", "#a1a1a1", "#34bbe6"
_EXTRA_REGION = "rgba(207,207,207,0.95)"
_EXTREME = "#cccccc"


def _read_thermometers(drawing: _Drawing) -> None:
    def is_bulb(shape: _Shape) -> bool:
        return shape.looks("underlay", 0.85, GREY, GREY)

    def thermometer(shape: _Shape) -> Constraint:
        path = drawing.path(shape)
        if len(set(path)) < len(path):
            raise UsageError(f"the thermometer at {drawing.draft.board.cell_name(path[0])} comes back to a cell")
        return lines.Thermometer(path)

    def is_line(shape: _Shape) -> bool:
        return shape.runs("line", 21, GREY) and drawing.path(shape)[:1] in bulbs

    bulbs = {drawing.around(shape) for shape in drawing.shapes if is_bulb(shape)} - {()}
    starts = {drawing.path(shape)[:1] for shape in drawing.shapes if is_line(shape)}
    drawing.take(lambda s: is_bulb(s) and drawing.around(s) in starts)
    drawing.read("thermometers", is_line, thermometer)


def _read_palindromes(drawing: _Drawing) -> None:
    drawing.read(
        "palindromes",
        lambda s: s.runs("line", 16, GREY) and len(drawing.path(s)) > 1,
        lambda s: lines.Palindrome(drawing.path(s)),
    )


def _read_between(drawing: _Drawing) -> None:
    def is_end(shape: _Shape) -> bool:
        return shape.looks("overlay", 0.8, WHITE, GREY) and not shape.text

    ends = {drawing.around(shape) for shape in drawing.shapes if is_end(shape)} - {()}

    def is_line(shape: _Shape) -> bool:
        path = drawing.path(shape) if shape.runs("line", 2, GREY) else ()
        return len(path) > 1 and path[0] != path[-1] and {path[:1], path[-1:]} <= ends

    paths = [drawing.path(shape) for shape in drawing.shapes if is_line(shape)]
    used = {end for path in paths for end in (path[:1], path[-1:])}
    drawing.take(lambda s: is_end(s) and drawing.around(s) in used)
    drawing.read("between lines", is_line, lambda s: lines.Between(drawing.path(s)))


def _read_diagonals(drawing: _Drawing) -> None:
    rows, columns = float(drawing.draft.board.rows), float(drawing.draft.board.columns)
    up, down = {(0.0, columns), (rows, 0.0)}, {(0.0, 0.0), (rows, columns)}
    drawing.read(
        "diagonals",
        lambda s: s.runs("line", 2, DIAGONAL) and set(s.points) in (up, down),
        lambda s: regions.DiagonalUp() if set(s.points) == up else regions.DiagonalDown(),
    )


def _pill(drawing: _Drawing, shape: _Shape) -> Cells:
    """The cells that the circle of an arrow, or a longer pill, encloses; none for another shape."""
    if (shape.kind, shape.fill, shape.border, shape.rounded) != ("overlay", WHITE, ARROW, True) or shape.text:
        return ()
    row, column = shape.points[0]
    height, width = shape.height + 0.25, shape.width + 0.25
    if not all(math.isclose(side, round(side)) and 1 <= side <= 4 for side in (height, width)):
        return ()
    top, left = round(row - height / 2), round(column - width / 2)
    rows, columns = range(top, top + round(height)), range(left, left + round(width))
    return drawing.all_cells((row, column) for row in rows for column in columns)


def _read_arrows(drawing: _Drawing) -> None:
    circles = {_pill(drawing, shape) for shape in drawing.shapes} - {()}

    def start(shape: _Shape) -> list[Cells]:
        path = drawing.path(shape) if shape.runs("arrow", 5, ARROW) else ()
        return [cells for cells in circles if path[0] in cells] if len(path) > 1 else []

    # an arrow within two circles would be one of either
    used = {cells for shape in drawing.shapes if len(start(shape)) == 1 for cells in start(shape)}
    drawing.take(lambda s: _pill(drawing, s) in used)
    drawing.read("arrows", lambda s: len(start(s)) == 1, lambda s: sums.Arrow(start(s)[0], drawing.path(s)[1:]))


def _is_text(shape: _Shape) -> bool:
    return shape.looks("overlay", 0.25, WHITE, WHITE, rounded=False) and bool(shape.text)


def _read_little_killers(drawing: _Drawing) -> None:
    def seen(shape: _Shape) -> Cells:
        (row, column), (below, right) = shape.points
        down, over = _sign(below - row), _sign(right - column)
        return drawing.beside(row, column, down, over) if down and over else ()

    def place(shape: _Shape) -> tuple[int, int]:
        row, column = shape.points[0]
        return math.floor(row), math.floor(column)

    texts = {place(shape): shape.text for shape in drawing.shapes if _is_text(shape)}
    found = drawing.take(
        lambda s: s.runs("arrow", 2, BLACK) and len(s.points) == 2 and bool(seen(s)) and place(s) in texts
    )
    used = {place(arrow) for arrow in found}
    drawing.take(lambda s: _is_text(s) and place(s) in used)
    for arrow in drawing.named("little killers", found):
        text, cells = texts[place(arrow)], seen(arrow)
        total = integer(text)
        if total:
            drawing.draft.bounded("the little killer", total, len(cells), len(cells) * drawing.draft.board.order)
            drawing.draft.add("the little killer", sums.LittleKiller(total, cells))
        elif not says_nothing(text):
            drawing.draft.warn(f"the little killer {shown(text)} is not a number")


def _read_sandwiches(drawing: _Drawing) -> None:
    board = drawing.draft.board

    def seen(shape: _Shape) -> Cells:
        row, column = shape.points[0]
        down, right = (row < 0) - (row > board.rows), (column < 0) - (column > board.columns)
        return () if down and right else drawing.beside(row, column, down, right)

    def sandwich(shape: _Shape) -> Constraint:
        total = drawing.draft.bounded("the sandwich", integer(shape.text) or 0, 0, sum(board.digits[1:-1]))
        return outside.Sandwich(total, seen(shape))

    drawing.read("sandwiches", lambda s: _is_text(s) and integer(s.text) is not None and bool(seen(s)), sandwich)


def _read_dots(drawing: _Drawing) -> None:
    order, bounded = drawing.draft.board.order, drawing.draft.bounded

    def difference(shape: _Shape) -> Constraint:
        number = integer(shape.text)
        return pairs.Difference(drawing.around(shape), bounded("the dot", 1 if number is None else number, 0, order))

    def ratio(shape: _Shape) -> Constraint:
        number = integer(shape.text)
        return pairs.Ratio(drawing.around(shape), bounded("the dot", 2 if number is None else number, 1, order))

    def is_dot(shape: _Shape, colour: str) -> bool:
        return shape.looks("overlay", 0.3, colour, BLACK) and len(drawing.around(shape)) == 2

    for what, colour, rule in (("white dots", WHITE, difference), ("black dots", BLACK, ratio)):
        drawing.read(what, lambda s, colour=colour: is_dot(s, colour) and says_nothing(s.text), rule)  # type: ignore[misc]
        # a number in a dot explains it
        drawing.read(
            f"{what} with numbers",
            lambda s, colour=colour: is_dot(s, colour) and integer(s.text) is not None,  # type: ignore[misc]
            rule,
        )


def _read_xv(drawing: _Drawing) -> None:
    drawing.read(
        "X and V",
        lambda s: _is_text(s) and s.text in ("X", "V", "x", "v") and len(drawing.around(s)) == 2,
        lambda s: pairs.PairSum(drawing.around(s), 10 if s.text in ("X", "x") else 5),
    )


def _read_quadruples(drawing: _Drawing) -> None:
    def quadruple(shape: _Shape) -> Constraint:
        wanted = [integer(word) or 0 for word in shape.text.split()]
        bounded = [drawing.draft.bounded("the quadruple", one, 1, drawing.draft.board.order) for one in wanted]
        return digits.Contains(tuple(bounded), drawing.around(shape))

    def is_quadruple(shape: _Shape) -> bool:
        words = shape.text.split()
        known = bool(words) and all(integer(word) is not None for word in words)
        return known and shape.looks("overlay", 0.7, WHITE, BLACK) and len(drawing.around(shape)) == 4

    drawing.read("quadruples", is_quadruple, quadruple)


def _read_parities(drawing: _Drawing) -> None:
    for what, kind, rounded in (("odd cells", digits.Odd, True), ("even cells", digits.Even, False)):
        found = drawing.take(
            lambda s, rounded=rounded: (
                s.looks("underlay", 0.7, GREY, GREY, rounded=rounded)  # type: ignore[misc]
                and len(drawing.around(s)) == 1
            )
        )
        if known := drawing.named(what, found):
            cells = dict.fromkeys(cell for shape in known for cell in drawing.around(shape))
            drawing.draft.add(f"the {what}", kind(tuple(cells)))


def _read_counting_circles(drawing: _Drawing) -> None:
    """Circles in cells that are all alike: what else they might be, the other readers have taken."""

    def is_circle(shape: _Shape) -> bool:
        large = shape.is_around_a_point and shape.rounded and 0.6 <= shape.width == shape.height <= 1
        return large and len(drawing.around(shape)) == 1 and not shape.text

    alike = {(s.kind, s.fill, s.border, s.width) for s in drawing.shapes if is_circle(s)}
    found = drawing.take(is_circle) if len(alike) == 1 else []
    if known := drawing.named("counting circles", found):
        circles = tuple(sorted({cell for shape in known for cell in drawing.around(shape)}))
        drawing.draft.add("the counting circles", digits.CountingCircles(circles))


def _fills_cell(drawing: _Drawing, shape: _Shape, fill: str, border: str = "") -> bool:
    square = shape.looks("underlay", 1, fill, border, rounded=False) and not shape.text
    return square and len(drawing.around(shape)) == 1


def _read_extra_regions(drawing: _Drawing) -> None:
    def is_grey(shape: _Shape) -> bool:
        return _fills_cell(drawing, shape, _EXTRA_REGION)

    grey = {drawing.around(shape)[0] for shape in drawing.shapes if is_grey(shape)}
    found = [cells for cells in drawing.cages if set(cells) <= grey]
    inside = {cell for cells in found for cell in cells}
    drawing.take(lambda s: is_grey(s) and drawing.around(s)[0] in inside)
    drawing.cages = [cells for cells in drawing.cages if cells not in found]
    for cells in drawing.named("extra regions", found):
        drawing.draft.add("the extra region", regions.ExtraRegion(cells))


def _from_middle(point: Point) -> float:
    """How far a point is from the middle of its cell, by rows or by columns."""
    return max(abs(part % 1 - 0.5) for part in point)


def _read_extremes(drawing: _Drawing) -> None:
    """Grey cells with an angle towards each neighbour of another sort, its tip towards the cell for a minimum."""
    board = drawing.draft.board

    def near(cell: int) -> set[int]:
        row, column = divmod(cell, board.columns)
        places = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return {other for place in places if (other := board.at(*place)) is not None}

    def is_grey(shape: _Shape) -> bool:
        return _fills_cell(drawing, shape, _EXTREME)

    grey = {drawing.around(shape)[0] for shape in drawing.shapes if is_grey(shape)}
    # the angles of a cell, each by whether its tip points outwards
    angles: dict[int, set[bool]] = {}

    def is_angle(shape: _Shape) -> bool:
        if not shape.runs("line", 1, BLACK) or len(shape.points) != 3:
            return False
        arm, tip, _ = shape.points
        cell = board.at(math.floor(tip[0]), math.floor(tip[1]))
        if cell is None or cell not in grey:
            return False
        angles.setdefault(cell, set()).add(_from_middle(tip) > _from_middle(arm))
        return True

    drawing.take(is_angle)
    # a cell among its like has no angles, and says nothing
    known = {cell for cell in grey if len(angles.get(cell, ())) == 1 or (cell not in angles and near(cell) <= grey)}
    found = drawing.take(lambda s: is_grey(s) and drawing.around(s)[0] in known)
    if drawing.named("minimums and maximums", found):
        for cell in sorted(known & angles.keys()):
            (outwards,) = angles[cell]
            alike = tuple(sorted(other for other in near(cell) & known if angles.get(other, {outwards}) == {outwards}))
            drawing.draft.add("the minimum or maximum", (pairs.Maximum if outwards else pairs.Minimum)(cell, alike))


def _read_clones(drawing: _Drawing) -> None:
    found = drawing.named("clones", drawing.take(lambda s: _fills_cell(drawing, s, GREY, GREY)))
    clones = _clones_in(drawing.draft, [drawing.around(shape)[0] for shape in found])
    if clones is None:
        drawing.draft.warn(f"{len(found)} grey cells look like clones, but which of them are equal is not clear")
    for clone in clones or ():
        drawing.draft.add("the clone", clone)


_MAX_CELLS, _MAX_STEPS = 400, 5_000


def _clones_in(draft: Draft, cells: Sequence[int]) -> list[pairs.Clone] | None:
    """The clones in a list of cells; None if there is no way to split it, or several with different meanings.

    A converter writes the grey cells of a shape and then those of its moved copy. Cells that share a house cannot be
    equal, so they are not clones.
    """
    if len(cells) > _MAX_CELLS:
        return None
    houses = [{*house.cells} for constraint in draft.constraints for house in constraint.houses(draft.board)]
    steps = 0

    def cuts(start: int) -> Iterator[list[pairs.Clone]]:
        nonlocal steps
        if start == len(cells):
            yield []
        for size in range((len(cells) - start) // 2, 0, -1):
            steps += 1
            if steps > _MAX_STEPS:
                return
            first, other = cells[start : start + size], cells[start + size : start + 2 * size]
            if _is_moved(first, other, draft.board.columns) and not _share(first, other, houses):
                for rest in cuts(start + 2 * size):
                    yield [pairs.Clone((tuple(first), tuple(other))), *rest]

    found: list[pairs.Clone] | None = None
    for clones in cuts(0):
        if found is not None and _equal_cells(found) != _equal_cells(clones):
            return None
        found = clones
    return found if steps <= _MAX_STEPS else None


def _is_moved(first: Sequence[int], other: Sequence[int], columns: int) -> bool:
    couples = zip(first, other, strict=True)
    moves = {(b // columns - a // columns, b % columns - a % columns) for a, b in couples}
    return len(moves) == 1 and len(set(first)) == len(first)


def _share(first: Sequence[int], other: Sequence[int], houses: Sequence[set[int]]) -> bool:
    return any({*couple} <= house for couple in zip(first, other, strict=True) for house in houses)


def _equal_cells(clones: Sequence[pairs.Clone]) -> set[frozenset[int]]:
    """The sets of cells that are equal."""
    found: list[set[int]] = []
    for clone in clones:
        for pair in zip(*clone.groups, strict=True):
            joined = set(pair).union(*(group for group in found if group & set(pair)))
            found = [group for group in found if not group & joined] + [joined]
    return {frozenset(group) for group in found}


def _read_shading(drawing: _Drawing) -> None:
    colours: dict[str, set[int]] = {}
    for shape in drawing.take(lambda s: bool(s.fill) and _fills_cell(drawing, s, s.fill)):
        colours.setdefault(shape.fill, set()).update(drawing.around(shape))
    warn_shading(drawing.draft, colours)


_READERS = (
    *(_read_thermometers, _read_palindromes, _read_between, _read_diagonals, _read_arrows, _read_little_killers),
    *(_read_sandwiches, _read_dots, _read_xv, _read_quadruples, _read_parities, _read_counting_circles),
    *(_read_extra_regions, _read_extremes, _read_clones, _read_shading),
)
"""The rules that a drawing can state, in the order in which they are looked for."""
