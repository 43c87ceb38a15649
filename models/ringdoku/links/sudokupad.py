"""SudokuPad files: cells, regions and cages are typed; all else is drawn, and the rules text explains it.

Drawings are read as the shapes that the converters of SudokuPad and SudokuMaker draw for rules, or much like them. A
shape is read only if the rules text names its rule; others are unknown. Lengths are in cells; r1c1 is at (0.5, 0.5).
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from ringdoku.constraints import digits, lines, outside, pairs, regions, sums
from ringdoku.domain import Board, Cells, Constraint, UsageError, refuse
from ringdoku.links import values
from ringdoku.links.rules_text import if_named, is_latin, means_otherwise, names_rule, note_shading, note_unstated
from ringdoku.links.shared import Draft, ImportedPuzzle, as_path, components, kinds_named, seen_from

Place: TypeAlias = tuple[float, float]

STATES = kinds_named(
    "lines boxes regions diagonal-down diagonal-up extra-region anti-knight anti-king killer sum little-killer arrow "
    "thermometer palindrome between difference ratio pair-sum clone minimum maximum odd even contains "
    "counting-circles sandwich whisper renban"
)
"""The constraints that a file can state."""

_METADATA = ("title", "author", "rules", "solution")
_OBJECTS_OF_METADATA = ("metadata", "metaData")
_DRAWN = ("underlays", "lines", "arrows", "overlays")
_NO_EFFECT = frozenset(
    {"id", "cellSize", "videos", "duration", "foglight", "triggereffect", "cells", "regions", "cages"}
)
_NO_EFFECT_METADATA = frozenset({"msgcorrect", "source", "video", "customstyle", "rowcolheaders", "foglight"})
_CHESS = {"antiknight": regions.AntiKnight(), "antiking": regions.AntiKing()}
_NOTES = frozenset({"value", "centremarks", "pencilMarks", "cornermarks"})
_CAGE_LOOK = frozenset({"cells", "value", "sum", "unique", "hidden", "style", "outlineC", "fontC"})
_PROPERTY = re.compile(r"([A-Za-z-]+): ?(.*)", re.DOTALL)
_SOME_SUMS = re.compile(r"\bif (one is )?(given|present|shown|there|provided)|where given|when given", re.IGNORECASE)


def read_sudokupad(text: str) -> ImportedPuzzle:
    """The puzzle of a SudokuPad file, plain or zipped JSON. Raises `UsageError`."""
    data = load_zipped(text)
    given = enumerate(values.items(data.get("cells"), "cells"), 1)
    rows = [values.items(row, f"row {number} of the cells") for number, row in given]
    width = max(map(len, rows), default=0)
    if not 2 <= len(rows) <= 32 or not 2 <= width <= 32:
        raise UsageError(f"a file has 2 to 32 rows and columns, not {len(rows)} and {width}")
    listed = [(number, group) for number, group in enumerate(values.items(data.get("regions"), "regions"), 1) if group]
    groups = [_cells(group, f"region {number}", width, len(rows)) for number, group in listed]
    side = max(len(rows), width)
    order = max(map(len, groups), default=side)
    refuse(order < side, f"the board is {len(rows)}x{width}, but its regions have {order} cells: margins are not read")
    draft = Draft(Board(len(rows), width, 1, order))
    _read_metadata(draft, data)
    _read_cells(draft, rows)
    draft.add_regions(groups)
    if len({len(rows), width, order}) > 1:
        draft.note_unknown(f"the board of {len(rows)}x{width} is not a square with regions of its size")
    if not (groups or is_latin(draft.rules)):
        draft.note_unknown("the board has no regions, and the rules text does not say that only rows and columns count")
    drawing = _Drawing(draft, data)
    for where, cage in values.entries("cage", data.get("cages")):
        _read_cage(drawing, where, cage)
    # the order matters: each reader takes the shapes that it explains
    _read_lines(drawing)
    _read_arrows(drawing)
    _read_little_killers(drawing)
    _read_marks(drawing)
    _read_marked_cells(drawing)
    _read_extra_regions(drawing)
    _read_extremes(drawing)
    _read_clones(drawing)
    shaded = drawing.take(lambda s: s.colour and _fills_cell(s.colour)(s))
    note_shading(draft, ((shape.colour, cell) for shape in shaded for cell in shape.cells))
    drawing.note_rest()
    note_unstated(draft)
    draft.note_keys(data, _NO_EFFECT.union(_METADATA, _OBJECTS_OF_METADATA, _DRAWN))
    return draft.imported()


NAMES = dict(
    re.findall(
        "([a-z0-9]+):([A-Za-z]+)",
        "a:arrows c:color c1:borderColor c2:backgroundColor ca:cages ce:cells cs:cellSize ct:center d:duration "
        "fs:fontSize h:height hl:headLength l:lines o:overlays r:rounded re:regions t:title te:text th:thickness "
        "u:underlays v:value vd:videos w:width wp:wayPoints",
    )
)
"""The long form of each short name."""

_WORDS = {"t": "true", "f": "false", "#0": '"#000000"', "#F": '"#FFFFFF"'}
_TOKEN = re.compile(
    r"""(?P<quote>['"])(?P<string>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)|(?P<word>[^\s\[\]{},:'"]+)(?P<colon>:?)"""
    r"""|(?P<open>['"])|(?<=,)(?=[,\]])|(?<=\[)(?=,)""",
    re.DOTALL,
)
"""A string, a word, or the place of an empty object."""


def load_zipped(text: str) -> dict[str, Any]:
    """The object of a SudokuPad file, with long names. The file is JSON, plain or zipped: short names without quotes,
    single quotes, `t` and `f`, bare colours, no empty objects. `{ce:[[{v:9},,]],l:[{c:34BBE6}]}` stands for
    `{"cells": [[{"value": 9}, {}, {}]], "lines": [{"color": "#34BBE6"}]}`. Raises `UsageError`."""
    with suppress(UsageError):
        return values.record(values.load_json(text, long_names=NAMES), "the JSON")
    return values.record(values.load_json(_TOKEN.sub(_plain_json, text), "unzipped JSON", NAMES), "the unzipped JSON")


def _plain_json(token: re.Match[str]) -> str:
    """A token of zipped JSON in plain JSON."""
    word = token["word"]
    refuse(token["open"], f"character {token.start() + 1} of the JSON: a quotation mark without its end")
    if token["quote"]:
        inside = re.sub(r'\\.|["\x00-\x1f]', _escaped, token["string"], flags=re.DOTALL)
        return f'"{inside}"'
    if word is None:
        return "{}"
    if token["colon"]:
        return f"{json.dumps(word)}:"
    return _WORDS.get(word, f'"#{word}"' if re.fullmatch("[0-9a-fA-F]{6}", word) else word)


def _escaped(found: re.Match[str]) -> str:
    """A character of a zipped string, perhaps with its backslash, escaped as in plain JSON."""
    if len(found[0]) == 1:
        return json.dumps(found[0])[1:-1]
    return found[0] if found[0][1] in '"\\/bfnrtu' else found[0][1]


# what is typed


def _cells(value: object, where: str, width: int, height: int) -> Cells:
    """The cells in a list of [row, column], both from 0. Raises `UsageError`."""
    cells = []
    for place in values.items(value, where):
        match place:
            case [int(row), int(column)] if 0 <= row < height and 0 <= column < width:
                cells.append(row * width + column)
            case [int(row), int(column)]:
                raise UsageError(f"{where}: r{row + 1}c{column + 1} is not on the board of {height}x{width}")
            case _:
                raise UsageError(f"{where}: {values.shown(place)} is not a row and column")
    refuse(len(set(cells)) < len(cells), f"{where} has a cell twice")
    return tuple(cells)


def _read_cells(draft: Draft, rows: list[Any]) -> None:
    for number, row in enumerate(rows):
        for place, entry in enumerate(row):
            where = f"the cell r{number + 1}c{place + 1}"
            cell = values.record(entry, where)
            if not values.has_no_value(cell.get("value")):
                draft.clue(where, number * draft.board.columns + place, values.as_integer(cell["value"], where))
            draft.note_keys(cell, _NOTES, " of a cell")


def _metadata_of(data: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """The keys and values of metadata: in the file, in its object `metadata`, and in cages without cells."""
    yield from ((key, data[key]) for key in _METADATA if key in data)
    for name in _OBJECTS_OF_METADATA:
        yield from values.record(data.get(name) or {}, name).items()
    for _, cage in values.entries("cages", data.get("cages")):
        property_ = _PROPERTY.match(str(cage.get("value")))
        if property_ and not cage.get("cells"):
            yield property_[1], property_[2]


def _read_metadata(draft: Draft, data: dict[str, Any]) -> None:
    """Title, author, rules, solution and chess moves."""
    rules = []
    for key, value in _metadata_of(data):
        match key:
            case "title":
                draft.title = draft.title or values.text_of(value)
            case "author":
                draft.author = draft.author or values.text_of(value)
            case "rules":
                rules.append(values.text_of(value))
            case "solution":
                draft.solution = values.full_grid(value, draft.board)
            case "antiknight" | "antiking" if value in (True, "true"):
                draft.add(key, _CHESS[key])
            case _ if value and key not in _NO_EFFECT_METADATA:
                draft.note_unknown(f"the property {values.shown(key)} is unknown")
    draft.rules = "\n".join(rules)


def _read_cage(drawing: "_Drawing", where: str, cage: dict[str, Any]) -> None:
    """Add the rule of a cage with a sum, or of a killer cage without one. Cages of extra regions go to the drawing."""
    draft, value = drawing.draft, cage.get("value")
    if not cage.get("cells"):
        refuse(value and not _PROPERTY.match(str(value)), f"{where} has no cells")
        return
    cells = _cells(cage["cells"], where, draft.board.columns, draft.board.rows)
    draft.note_keys(cage, _CAGE_LOOK, f" of {where}")
    total = values.integer(cage.get("sum", value))
    if total is not None and str(cage.get("value", total)) == str(total):
        _read_sum(draft, where, cage, total, cells)
    elif cage.get("hidden") and total is None and cage.get("unique") is not True:
        pass
    elif not values.has_no_value(value):
        draft.note_unknown(f"{where} has the value {values.shown(value)}, which is not a sum")
    elif names_rule(draft.rules, "cages whose digits may repeat"):
        drawing.cages.append(cells)
    elif cage.get("unique") is True or (names_rule(draft.rules, "killer cages") and _SOME_SUMS.search(draft.rules)):
        draft.add(where, sums.Killer(None, cells))
    else:
        drawing.cages.append(cells)


def _read_sum(draft: Draft, where: str, cage: dict[str, Any], total: int, cells: Cells) -> None:
    explained = cage.get("unique") is True or names_rule(draft.rules, "killer cages")
    if cage.get("outlineC") or cage.get("fontC") or not explained or means_otherwise(draft.rules, "killer cages"):
        draft.note_unknown(f"{where} has the number {total}, but the rules text does not say that it is the sum")
    elif names_rule(draft.rules, "cages whose digits may repeat"):
        draft.add(where, sums.Sum(total, cells))
    else:
        draft.add(where, sums.Killer(total or None, cells))


# what is drawn


@dataclass(frozen=True, eq=False)
class _Shape:
    """A disc, a square or a text around a point, or a line or an arrow through points. `look` is its kind, size and
    colours: `line 21 #cfcfcf` is 21 thick, `overlay circle 0.3 #ffffff #000000` is 0.3 wide and high, white in black.
    `cells` are those along a line or an arrow, or the one, two or four cells that the middle of another shape touches.
    There are none if one of them is off the board. `seen` are the cells that a shape beside the board refers to: those
    of a diagonal for an arrow, those of a row or column for others."""

    kind: str
    look: str
    colour: str
    points: tuple[Place, ...]
    size: Place
    text: str
    cells: Cells
    seen: Cells


def _read_shape(board: Board, layer: str, where: str, entry: dict[str, Any]) -> _Shape:
    text = "" if entry.get("text") is None else str(entry["text"]).replace("\xa0", " ").strip()
    if layer in ("line", "arrow"):
        points = tuple(_place(point, where) for point in values.items(entry.get("wayPoints"), f"the points of {where}"))
        # a single point is not seen, and SudokuPad draws a path `d` too
        colour = _colour(entry.get("color")) if any((points[1:], entry.get("d"))) else ""
        thickness = _length(entry.get("thickness", 0), where)
        look = f"{layer} {thickness:g} {colour}" if len(points) > 1 else ""
        cells = as_path(_cells_at(board, _places_along(points)))
        return _Shape(layer, look, colour, points, (thickness, thickness), text, cells, _diagonal_seen(board, points))
    kind = "circle" if entry.get("rounded") else "square"
    row, column = point = _place(entry.get("center"), where)
    height, width = (_length(entry.get(key, 0), where) for key in ("height", "width"))
    fill, border = _colour(entry.get("backgroundColor")), _colour(entry.get("borderColor"))
    side = f"{width:.2g}" if math.isclose(width, height, abs_tol=0.01) else "oblong"
    look = f"{layer} {kind} {side} {fill} {border}".rstrip()
    cells = _cells_at(board, ((r, c) for r in _rows_touched(row) for c in _rows_touched(column)))
    down, right = (row < 0) - (row > board.rows), (column < 0) - (column > board.columns)
    seen = () if down and right else seen_from(board, *_cell_place(point), down, right)
    return _Shape(kind, look, fill or border, (point,), (height, width), text, cells, seen)


def _diagonal_seen(board: Board, points: Sequence[Place]) -> Cells:
    """The cells of the diagonal that a straight arrow beside the board points along; none for another arrow."""
    if len(points) != 2:
        return ()
    (row, column), (below, over) = points
    down, right = (below > row) - (below < row), (over > column) - (over < column)
    return seen_from(board, *_cell_place(points[0]), down, right) if down and right else ()


def _length(value: object, where: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10**6:
        return float(value)
    raise UsageError(f"{where}: {values.shown(value)} is not a length")


def _place(value: object, where: str) -> Place:
    if not isinstance(value, list) or len(value) != 2:
        raise UsageError(f"{where}: {values.shown(value)} is not a row and column")
    return _length(value[0], where), _length(value[1], where)


def _colour(value: object) -> str:
    """A colour such as `#aabbcc`, also for `#ABC`, and `GREY` for every light grey; empty for what cannot be seen."""
    text = re.sub(r"\s", "", value).lower() if isinstance(value, str) else ""
    if re.fullmatch("#[0-9a-f]{3,4}", text):
        text = "#" + "".join(2 * digit for digit in text[1:])
    text = re.sub("(#.{6})ff", r"\1", text) if len(text) == 9 else text
    return "" if re.fullmatch("#.{6}00", text) else GREY if re.fullmatch(r"#([9a-d].)\1\1|#00000033", text) else text


def _rows_touched(number: float) -> tuple[int, ...]:
    """The rows, or columns, that a coordinate touches: one in the middle of a row, two between rows, else none."""
    near = round(number)
    if math.isclose(number, near, abs_tol=0.01):
        return near - 1, near
    return (math.floor(number),) if math.isclose(number % 1, 0.5, abs_tol=0.01) else ()


def _cells_at(board: Board, places: Iterable[tuple[int, int]]) -> Cells:
    """The cells at these places; none if one of the places is off the board."""
    cells = [board.at(*place) for place in places]
    return () if None in cells else tuple(cell for cell in cells if cell is not None)


def _cell_place(point: Place) -> tuple[int, int]:
    return math.floor(point[0]), math.floor(point[1])


def _places_along(points: Sequence[Place]) -> list[tuple[int, int]]:
    """The places along a line with these corners; one off every board if a part is not straight or diagonal."""
    corners = list(map(_cell_place, points))
    found = corners[:1]
    for (row, column), (below, right) in pairwise(corners):
        length = max(abs(below - row), abs(right - column))
        if length > 32 or not {abs(below - row), abs(right - column)} <= {0, length}:
            return [(-1, -1)]
        down, over = (below - row) // (length or 1), (right - column) // (length or 1)
        found += [(row + step * down, column + step * over) for step in range(1, length + 1)]
    return found


class _Drawing:
    """The shapes of a file that no rule explains yet, and `cages`, the cells of cages without a sum."""

    def __init__(self, draft: Draft, data: dict[str, Any]) -> None:
        self.draft = draft
        self.board = draft.board
        self.cages: list[Cells] = []
        given = ((key[:-1], *entry) for key in _DRAWN for entry in values.entries(key[:-1], data.get(key)))
        shapes = (_read_shape(draft.board, *entry) for entry in given)
        self.shapes = [shape for shape in shapes if shape.text or shape.colour]

    def take(self, wanted: Callable[[_Shape], object], look: str = ".*") -> list[_Shape]:
        """Remove and return the shapes that are `wanted` and have the look, a regular expression."""
        found = [shape for shape in self.shapes if re.fullmatch(look, shape.look) and wanted(shape)]
        taken = set(found)
        self.shapes = [shape for shape in self.shapes if shape not in taken]
        return found

    def add(self, what: str, shapes: list[_Shape], rule: Callable[[_Shape], Constraint]) -> None:
        """Add the rule of each shape, if the rules text names it."""
        for shape in if_named(self.draft, what, shapes):
            self.draft.add(f"the {what}", rule(shape))

    def add_named(self, what: str, look: str, rule: Callable[[_Shape], Constraint]) -> None:
        """Add the rule of each line with that look if the rules text names it. Others may mean anything."""
        if names_rule(self.draft.rules, what):
            self.add(what, self.take(lambda s: len(s.cells) > 1, look), rule)

    def add_one(self, what: str, shapes: list[_Shape], kind: Callable[[Cells], Constraint]) -> None:
        """Add one rule for the cells of all shapes, if the rules text names it."""
        cells = dict.fromkeys(cell for shape in if_named(self.draft, what, shapes) for cell in shape.cells)
        if cells:
            self.draft.add(f"the {what}", kind(tuple(cells)))

    def note_rest(self) -> None:
        """Note the remaining shapes and cages as unknown."""
        texts = dict.fromkeys(shape.text for shape in self.shapes if shape.text)
        if texts:
            self.draft.note_unknown(f"texts are drawn, without a type: {values.shown(' '.join(texts))[1:-1]}")
        looks = Counter((shape.kind, shape.colour or "none") for shape in self.shapes if not shape.text)
        for (kind, colour), count in looks.items():
            several = "is" if count == 1 else f"and {count - 1} more are"
            one = "an arrow" if kind == "arrow" else f"a {kind}"
            self.draft.note_unknown(f"{one} of the colour {values.shown(colour)[1:-1]} {several} drawn, without a type")
        for cells in self.cages:
            self.draft.note_unknown(f"the cage at {self.board.cell_name(cells[0])} has no sum and is not explained")


GREY, BLACK, WHITE = "grey", "#000000", "#ffffff"
GREEN, PURPLE = "(#67f067|#a3e048)", "(#f067f0|#d23be7)"
_TEXT, _LARGE = f"overlay square 0.25 {WHITE} {WHITE}", r"(under|over)lay circle (0\.[6-9]\d?|1)"


def _read_lines(drawing: _Drawing) -> None:
    """Thermometers, palindromes, between lines, whispers, renban lines and diagonals."""
    found = _take_lines_with_ends(drawing, rf"line [12]\d(\.\d+)? {GREY}", f"{_LARGE} {GREY}( {GREY})?", 1)
    drawing.add("thermometers", found, lambda s: lines.Thermometer(s.cells))
    drawing.add_named("palindromes", rf"line ([6-9]|1\d)(\.\d+)? {GREY}", lambda s: lines.Palindrome(s.cells))
    found = _take_lines_with_ends(drawing, rf"line [1-5](\.\d+)? {GREY}", f"{_LARGE} {WHITE} {GREY}", 2)
    drawing.add("between lines", found, lambda s: lines.Between(s.cells))
    drawing.add_named("whispers", f"line .* {GREEN}", lambda s: lines.Whisper(s.cells, 5))
    drawing.add_named("renban lines", f"line .* {PURPLE}", lambda s: lines.Renban(s.cells))
    rows, columns = drawing.board.rows, drawing.board.columns
    up, down = {(0, columns), (rows, 0)}, {(0, 0), (rows, columns)}
    found = drawing.take(lambda s: set(s.points) in (up, down), r"line [1-5](\.\d+)? #34bbe6")
    drawing.add("diagonals", found, lambda s: regions.DiagonalUp() if set(s.points) == up else regions.DiagonalDown())


def _take_lines_with_ends(drawing: _Drawing, line: str, mark: str, count: int) -> list[_Shape]:
    """Take and return the lines that begin in a mark (`count` 1), or begin and end in one (2); take their marks too."""

    def ends(shape: _Shape) -> set[Cells]:
        return {shape.cells[:1], shape.cells[-1:]} if count == 2 else {shape.cells[:1]}

    marks = {s.cells for s in drawing.shapes if re.fullmatch(mark, s.look) and s.cells and not s.text}
    found = drawing.take(lambda s: len(ends(s)) == count and ends(s) <= marks, line)
    used = {end for shape in found for end in ends(shape)}
    drawing.take(lambda s: s.cells in used and not s.text, mark)
    return found


def _pill(board: Board, shape: _Shape) -> Cells:
    """The cells inside the circle of an arrow, or inside a longer pill; none for another shape."""
    if not re.fullmatch(f"(under|over)lay circle [^ ]+( {WHITE})? {GREY}", shape.look) or shape.text:
        return ()
    # about a quarter of a cell is around it
    height, width = (math.floor(side) + 1 for side in shape.size)
    if not all(0.6 <= side % 1 <= 0.95 and side < 4 for side in shape.size):
        return ()
    row, column = shape.points[0]
    top, left = round(row - height / 2), round(column - width / 2)
    rows, columns = range(top, top + height), range(left, left + width)
    return _cells_at(board, ((row, column) for row in rows for column in columns))


def _read_arrows(drawing: _Drawing) -> None:
    circles = {_pill(drawing.board, shape) for shape in drawing.shapes}

    def start(shape: _Shape) -> set[Cells]:
        is_arrow = re.fullmatch(rf"arrow [1-5](\.\d+)? {GREY}", shape.look) and len(shape.cells) > 1
        found = {cells for cells in circles if is_arrow and shape.cells[0] in cells}
        # an arrow within two circles would be one of either
        return found if len(found) == 1 else set()

    found = drawing.take(start)
    used = {cells for shape in found for cells in start(shape)}
    drawing.take(lambda s: _pill(drawing.board, s) in used)
    drawing.add("arrows", found, lambda s: sums.Arrow(next(iter(start(s))), s.cells[1:]))


def _read_little_killers(drawing: _Drawing) -> None:
    draft = drawing.draft
    texts = {_cell_place(shape.points[0]): shape.text for shape in drawing.shapes if shape.text}
    found = drawing.take(lambda s: s.seen and _cell_place(s.points[0]) in texts, rf"arrow [1-5](\.\d+)? {BLACK}")
    used = {_cell_place(arrow.points[0]) for arrow in found}
    drawing.take(lambda s: s.text and _cell_place(s.points[0]) in used)
    for arrow in if_named(drawing.draft, "little killers", found):
        text, cells = texts[_cell_place(arrow.points[0])], arrow.seen
        if total := values.integer(text):
            draft.add("the little killer", sums.LittleKiller(total, cells))
        elif total is None and not values.has_no_value(text):
            draft.note_unknown(f"the little killer {values.shown(text)} is not a number")


def _read_marks(drawing: _Drawing) -> None:
    """Sandwiches beside the board, and dots, X, V and quadruples between cells."""
    look = ".*" if names_rule(drawing.draft.rules, "sandwiches") else _TEXT
    found = drawing.take(lambda s: values.integer(s.text) is not None and s.seen, look)
    drawing.add("sandwiches", found, lambda s: outside.Sandwich(int(s.text), s.seen))
    _read_dots(drawing, "white dots", WHITE, pairs.Difference, 1)
    _read_dots(drawing, "black dots", BLACK, pairs.Ratio, 2)
    found = drawing.take(lambda s: s.text.upper() in ("X", "V") and len(s.cells) == 2)
    drawing.add("X and V", found, lambda s: pairs.PairSum(s.cells, 10 if s.text.upper() == "X" else 5))
    found = drawing.take(lambda s: len(s.cells) == 4 and _numbers(s.text), f"{_LARGE} {WHITE} {BLACK}")
    # `129` is three digits on a board of nine
    between = "" if drawing.draft.board.order > 9 else " "
    drawing.add("quadruples", found, lambda s: digits.Contains(tuple(_numbers(between.join(s.text))), s.cells))


def _read_dots(drawing: _Drawing, name: str, colour: str, kind: Callable[[Cells, int], Constraint], usual: int) -> None:
    """Dots between two cells, with the usual number and with others."""
    look = rf"(under|over)lay circle 0\.[23]\d? {colour}( #.*)?"
    found = drawing.take(lambda s: len(s.cells) == 2 and values.has_no_value(s.text), look)
    drawing.add(name, found, lambda s: kind(s.cells, usual))
    found = drawing.take(lambda s: len(s.cells) == 2 and values.integer(s.text) is not None, look)
    drawing.add(f"{name} with numbers", found, lambda s: kind(s.cells, int(s.text)))


def _numbers(text: str) -> list[int]:
    """The numbers of a text; none if it has other words."""
    found = [number for word in text.split() if (number := values.integer(word)) is not None]
    return found if len(found) == len(text.split()) else []


def _read_marked_cells(drawing: _Drawing) -> None:
    """Odd and even cells, and counting circles: the large circles that other readers left, if all look the same."""

    def is_circle(shape: _Shape) -> bool:
        height, width = shape.size
        return shape.kind == "circle" and 0.6 <= width == height <= 1 and len(shape.cells) == 1 and not shape.text

    for what, kind, rule in (("odd cells", "circle", digits.Odd), ("even cells", "square", digits.Even)):
        look = rf"underlay {kind} 0\.[78]\d? {GREY}( {GREY})?"
        drawing.add_one(what, drawing.take(lambda s: len(s.cells) == 1, look), rule)
    alike = {(shape.look, shape.size) for shape in drawing.shapes if is_circle(shape)}
    found = drawing.take(is_circle) if len(alike) == 1 and names_rule(drawing.draft.rules, "counting circles") else []
    drawing.add_one("counting circles", found, lambda cells: digits.CountingCircles(tuple(sorted(cells))))


def _fills_cell(colours: str) -> Callable[[_Shape], bool]:
    """The function that says whether a shape fills a cell in these colours."""
    return lambda s: s.look == f"underlay square 1 {colours}" and not s.text and len(s.cells) == 1


def _read_extra_regions(drawing: _Drawing) -> None:
    is_grey = _fills_cell("rgba(207,207,207,0.95)")
    grey = {shape.cells[0] for shape in drawing.shapes if is_grey(shape)}
    found = [cells for cells in drawing.cages if set(cells) <= grey]
    inside = {cell for cells in found for cell in cells}
    drawing.take(lambda s: is_grey(s) and s.cells[0] in inside)
    drawing.cages = [cells for cells in drawing.cages if cells not in found]
    for cells in if_named(drawing.draft, "extra regions", found):
        drawing.draft.add("the extra region", regions.ExtraRegion(cells))


def _read_extremes(drawing: _Drawing) -> None:
    """Grey cells with an angle towards each neighbour of another kind; the tips point towards a minimum."""
    board, is_grey = drawing.board, _fills_cell(GREY)
    grey = {shape.cells[0] for shape in drawing.shapes if is_grey(shape)}

    def tip_cell(angle: _Shape) -> int | None:
        return board.at(*_cell_place(angle.points[1]))

    # the angles of a cell, each by whether its tip points outwards
    angles: dict[int | None, set[bool]] = {}
    for shape in drawing.take(lambda s: len(s.points) == 3 and tip_cell(s) in grey, f"line 1 {BLACK}"):
        # how far the end of an arm and the tip are from the middle of their cells, by rows or by columns
        arm, tip = (max(abs(part % 1 - 0.5) for part in point) for point in shape.points[:2])
        angles.setdefault(tip_cell(shape), set()).add(tip > arm)
    # a cell whose neighbours are all of its kind has no angles and states no rule
    known = {
        cell
        for cell in grey
        if len(angles.get(cell, ())) == 1 or (cell not in angles and grey.issuperset(board.around(cell)))
    }
    if if_named(drawing.draft, "minimums and maximums", drawing.take(lambda s: is_grey(s) and s.cells[0] in known)):
        for cell in sorted(known & angles.keys()):
            (outwards,) = angles[cell]
            alike = sorted(o for o in board.around(cell) if o in known and angles.get(o, {outwards}) == {outwards})
            kind = pairs.Maximum if outwards else pairs.Minimum
            drawing.draft.add("the minimum or maximum", kind(cell, tuple(alike)))


def _read_clones(drawing: _Drawing) -> None:
    found = if_named(drawing.draft, "clones", drawing.take(_fills_cell(f"{GREY} {GREY}")))
    draft, clones = drawing.draft, _clones_in(drawing.draft, [shape.cells[0] for shape in found])
    if clones is None:
        draft.note_unknown(f"{len(found)} grey cells look like clones, but which of them are equal is not clear")
    for clone in clones or ():
        draft.add("the clone", clone)


def _clones_in(draft: Draft, cells: Sequence[int]) -> list[pairs.Clone] | None:
    """The clones in a list of cells; None if it cannot be cut into clones, or in several ways with different meanings.
    A converter writes the grey cells of a shape, then those of its copy. Cells of one house are never equal."""
    if len(cells) > 400:
        return None
    houses = [{*house.cells} for constraint in draft.constraints for house in constraint.houses(draft.board)]
    # for each place, the ways to cut the cells from there on; with very many of them nothing is clear
    ways: dict[int, list[list[pairs.Clone]]] = {len(cells): [[]]}
    for start in reversed(range(len(cells))):
        ways[start] = []
        for size in range(1, (len(cells) - start) // 2 + 1):
            first, other, rest = cells[start : start + size], cells[start + size : start + 2 * size], start + 2 * size
            if ways[rest] and _are_clones(first, other, draft.board.columns, houses):
                ways[start] += ([pairs.Clone((tuple(first), tuple(other))), *others] for others in ways[rest])
        if len(ways[start]) > 100:
            return None
    pairs_of = ([pair for clone in clones for pair in clone.related_pairs(draft.board)] for clones in ways[0])
    meanings = {tuple(components(draft.board, equal)) for equal in pairs_of}
    return ways[0][0] if len(meanings) == 1 else None


def _are_clones(first: Sequence[int], other: Sequence[int], columns: int, houses: Sequence[set[int]]) -> bool:
    """Whether the other cells are the first ones, all moved alike, and no cell shares a house with its copy."""
    couples = list(zip(first, other, strict=True))
    moves = {(b // columns - a // columns, b % columns - a % columns) for a, b in couples}
    is_moved = len(moves) == 1 and len({*first}) == len(first)
    return is_moved and not any({*couple} <= house for couple in couples for house in houses)
