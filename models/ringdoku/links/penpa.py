"""Penpa+ links: lines of text. The header and the problem layer describe the puzzle.

Clues, thick edges and killer cages are typed; other marks are read if the rules text names their rule. Rules that no
mark states are lines of our text form in the rules text. Points are numbered: the N cells, in rows of nx + 4 with two
beyond each side, then from N on the corners at the lower right of the cells, from 2N the edges below them, from 3N the
edges to their right, and from 4N four corners of each cell.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from math import isqrt
from typing import Any, NamedTuple

from ringdoku.constraints import digits, lines, pairs, regions, sums
from ringdoku.constraints.registry import CONSTRAINTS, read_constraint
from ringdoku.domain import Board, Boxes, Cells, Constraint, Grid, House, Lines, Puzzle, Ruleset, UsageError, refuse
from ringdoku.domain.constraint import write_constraint
from ringdoku.domain.marks import Shade, Stroke
from ringdoku.links import values
from ringdoku.links.compression import deflate, inflate
from ringdoku.links.rules_text import if_named, note_shading, note_unstated, speaks_of_regions
from ringdoku.links.shared import Draft, ImportedPuzzle, as_path, checked_text, components, is_read_back, kinds_named

STATES = kinds_named(
    "lines boxes regions diagonal diagonal-down diagonal-up killer arrow thermometer difference ratio pair-sum odd even"
)
"""The constraints that marks of a file can state."""

CODES = dict(
    re.findall(
        r"(\S):(\S+)",
        'Z:z O:null 9:"qa" Q:"pu_q" A:"pu_a" G:"grid" M:"edit_mode" S:"surface" L:"line" E:"lineE" W:"wall" C:"cage" '
        'N:"number" Y:"symbol" P:"special" B:"board" R:"command_redo" U:"command_undo" 8:"command_replay" 1:"numberS" '
        'F:"freeline" 2:"freelineE" T:"thermo" 3:"arrows" D:"direction" 0:"squareframe" 5:"polygon" 4:"deletelineE" '
        '6:"killercages" 7:"nobulbthermo" _:"__a"',
    )
)
"""The text that a letter `z` and each of these characters stand for."""

_TEXT_CODES = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}
_READ = frozenset({"number", "numberS", "symbol", "lineE", "killercages", "thermo", "arrows", "surface", "cage"})
_NO_EFFECT = frozenset({"command_redo", "command_undo", "command_replay"})
_THICK = (2, 21)
_STROKES = {"#67c266": 3, "#e57be5": 8, "#8bc9f0": 9}
"""Lines in green, red and blue for our colours; others are grey."""
_DOTS = {pairs.Difference: 8, pairs.Ratio: 2}
_PARITIES = {digits.Odd: "circle_L", digits.Even: "square_L"}
_SYMBOLS = {
    **dict.fromkeys((("'circle_SS'", 2, "1"), ("'circle_SS'", 2, "8")), "white dots"),
    ("'circle_SS'", 2, "2"): "black dots",
    ("'circle_L'", 1, ""): "odd cells",
    ("'square_L'", 1, ""): "even cells",
}
"""What a symbol may mean, by its sort, by the number of cells that it touches, and by its style."""


def read_penpa(problem: str, answer: str = "") -> ImportedPuzzle:
    """The puzzle of a link's `p` and `a` fields. Raises `UsageError`."""
    text = inflate(problem).decode("utf-8", "replace")
    file_lines = re.sub("z([0-9A-Z_])", lambda found: CODES.get(found[1], found[0]), text).split("\n")
    refuse(len(file_lines) < 6, f"the file has {len(file_lines)} lines, not 6 or more")
    header = file_lines[0].split(",")
    is_known = header[0] in ("square", "sudoku")
    refuse(not is_known, f"the grid is of the type {values.shown(header[0])}, not square or sudoku")
    width, height = (values.integer(number) or 0 for number in (*header[1:3], "", "")[:2])
    refuse(not 2 <= min(width, height) <= max(width, height) <= 40, "the header has no size between 2 and 40")
    grid = _grid(width, height, values.load_json(file_lines[5], "list of cells"))
    draft = Draft(grid.board)
    draft.title, draft.author = _header_field(header, "Title: "), _header_field(header, "Author: ")
    tags = values.load_json(file_lines[17], "tags") if len(file_lines) > 17 and file_lines[17].startswith("[") else []
    # the rules text is the field before the last ON or OFF: earlier fields may have commas, and later ones vary
    place = max((place for place, field in enumerate(header) if field in ("ON", "OFF")), default=0)
    draft.rules = _decode(header[place - 1]) if place > 17 else ""
    layer = values.record(values.load_json(file_lines[3], "problem"), "the problem")
    rule_lines = _rule_lines(draft.rules, grid.board)
    for line, rule in rule_lines.items():
        draft.add(f"the rule {values.shown(line)}", rule)
        for key, point, _ in _pictures_of(rule, grid):
            values.record(layer.get(key) or {}, key).pop(str(point), None)
    draft.rules = "\n".join(line for line in draft.rules.split("\n") if line not in rule_lines)
    # contests name the rules in the title and the tags as well
    text = "\n".join((draft.rules, draft.title, values.text_of(tags)))
    if header[0] != "sudoku" and "sudoku" not in text.lower():
        draft.note_unknown("nothing in the file says that it is a sudoku")
    _Layer(draft, grid, text, layer).read()
    draft.solution = _solution(answer, grid) if answer else None
    note_unstated(draft)
    return draft.imported()


def _rule_lines(text: str, board: Board) -> dict[str, Constraint]:
    """The lines of a text that are rules exactly as our text form writes them, and these rules."""
    found = {}
    for line in text.split("\n"):
        with suppress(UsageError):
            known = re.split("[ :]", line)[0] in CONSTRAINTS
            if known and line == write_constraint(rule := read_constraint(line, board), board):
                found[line] = rule
    return found


def _header_field(header: list[str], start: str) -> str:
    return next((_decode(field[len(start) :]) for field in header if field.startswith(start)), "")


def _decode(text: str) -> str:
    return re.sub("%2[CDEF]", lambda found: _TEXT_CODES[found[0]], text)


class _Grid(NamedTuple):
    """The position of the board: the row and column of its first cell among all `points` cells, `stride` to a row."""

    board: Board
    top: int
    left: int
    stride: int
    points: int

    def cell(self, point: int) -> int | None:
        """The cell at a point, None beside the board."""
        if not 0 <= point < self.points:
            return None
        return self.board.at(point // self.stride - self.top, point % self.stride - self.left)

    def cells(self, point: int) -> Cells:
        """The cells at a point: one, or the two at an edge; none for other points."""
        kind, place = divmod(point, self.points)
        both = {0: (place,), 2: (place, place + self.stride), 3: (place, place + 1)}.get(kind, ())
        cells = tuple(cell for cell in map(self.cell, both) if cell is not None)
        return cells if len(cells) == len(both) else ()

    def point(self, cell: int) -> int:
        """The point of a cell."""
        row, column = divmod(cell, self.board.columns)
        return (row + self.top) * self.stride + column + self.left

    def edge(self, cells: Iterable[int]) -> int:
        """The point between two cells, which has no meaning if they share no edge."""
        one, other = sorted(map(self.point, cells))
        return {self.stride: 2, 1: 3}.get(other - one, 5) * self.points + one

    def outline(self, cells: Cells) -> Iterator[str]:
        """The lines around a cage: along the sides of its cells, and between the corners of successive cells."""
        inside = set(map(self.point, cells))
        corner = {point: 4 * (self.points + point) for point in inside}
        for point in inside:
            for step, start, end in ((-self.stride, 0, 1), (1, 1, 3), (self.stride, 2, 3), (-1, 0, 2)):
                along = self.stride if abs(step) == 1 else 1
                if point + step not in inside:
                    yield f"{corner[point] + start},{corner[point] + end}"
                    if point + along in inside:
                        yield f"{corner[point] + end},{corner[point + along] + start}"
                    # at a corner that points inwards
                    if {point - along, point - along + step} <= inside:
                        yield f"{corner[point - along] + end},{corner[point] + start}"


def _grid(width: int, height: int, numbers: Any) -> _Grid:
    """The position of the board in a file, which lists its cells by their distances. They must form a square."""
    stride = width + 4
    distances = [values.integer(number) for number in values.items(numbers, "the list of cells")]
    points = accumulate(distance for distance in distances if distance is not None)
    places = {divmod(point, stride) for point in points}
    (top, left), side = min(places, default=(0, 0)), isqrt(len(places))
    square = {(row, column) for row in range(top, top + side) for column in range(left, left + side)}
    refuse(not places or places != square or side > 32, "the cells are no square of up to 32x32")
    return _Grid(Board.square(side), top, left, stride, stride * (height + 4))


_RULES: Mapping[str, Callable[[Cells, Any], Constraint]] = {
    "killer cages": lambda cells, total: sums.Killer(total, cells),
    "X and V": lambda cells, total: pairs.PairSum(cells, total),
    "white dots": lambda cells, _: pairs.Difference(cells, 1),
    "black dots": lambda cells, _: pairs.Ratio(cells, 2),
    "odd cells": lambda cells, _: digits.Odd(cells),
    "even cells": lambda cells, _: digits.Even(cells),
    "thermometers": lambda cells, _: lines.Thermometer(cells),
    "arrows": lambda cells, _: sums.Arrow(cells[:1], cells[1:]),
}
"""The rule for the cells and the value of a mark, by what the rules text may name."""


class _Layer:
    """Reads the problem layer, which has for each sort of mark an object of points, or a list of lines of points.
    `found` collects the cells and values of marks that need the rules text to name their rule."""

    def __init__(self, draft: Draft, grid: _Grid, text: str, layer: dict[str, Any]) -> None:
        self.draft, self.grid, self.text, self.layer = draft, grid, text, layer
        self.found: dict[str, list[tuple[Cells, Any]]] = {what: [] for what in _RULES}

    def read(self) -> None:
        self._read_edges()
        self._read_cages()
        self._read_numbers()
        self._read_symbols()
        self.found["thermometers"] = [(path, None) for path in self._paths("thermo") if len(path) > 1]
        self.found["arrows"] = [(path, None) for path in self._paths("arrows") if len(path) > 1]
        for what, marks in self.found.items():
            self._add_named(what, if_named(self.draft, what, marks, self.text))
        shaded = ((f"colour {values.shown(look)}", self.grid.cell(point)) for point, look in self._points("surface"))
        note_shading(self.draft, ((colour, cell) for colour, cell in shaded if cell is not None))
        outlines = {line for cells, _ in self.found["killer cages"] for line in self.grid.outline(cells)}
        if values.record(self.layer.get("cage") or {}, "cage").keys() - outlines:
            self.draft.note_unknown("lines of cages are drawn that are not those of killer cages")
        for key in sorted(self.layer.keys() - _READ - _NO_EFFECT):
            if value := self.layer[key]:
                count = len(value) if isinstance(value, dict | list) else 1
                self.draft.note_unknown(f"{count} elements of the sort {values.shown(key)} are drawn, without a type")

    def _add_named(self, what: str, marks: list[tuple[Cells, Any]]) -> None:
        """Add the rules of marks that the rules text names."""
        if what in ("odd cells", "even cells") and marks:
            if len({style for _, style in marks}) > 1:
                self.draft.note_unknown(f"what looks like {what} is drawn in several styles")
                return
            marks = [(tuple(cell for cells, _ in marks for cell in cells), None)]
        for number, (cells, value) in enumerate(marks, 1):
            where = f"killer cage {number}" if what == "killer cages" else f"the {what}"
            self.draft.add(where, _RULES[what](cells, value))

    def _points(self, key: str) -> Iterator[tuple[int, Any]]:
        for name, value in values.record(self.layer.get(key) or {}, key).items():
            point = values.integer(name)
            if point is None or point < 0:
                self.draft.note_unknown(f"the place {values.shown(name)} of a {key} is unknown")
            else:
                yield point, value

    def _paths(self, key: str) -> list[Cells]:
        found = []
        for number, points in enumerate(values.items(self.layer.get(key), key), 1):
            cells = [self.grid.cell(values.integer(point) or 0) for point in values.items(points, f"{key} {number}")]
            path = as_path(cell for cell in cells if cell is not None)
            refuse(None in cells or len(set(path)) < len(path), f"{key} {number} leaves the board or has a cell twice")
            found += [path] if path else []
        return found

    def _read_edges(self) -> None:
        """Read thick edges, which separate the regions, and diagonals."""
        grid, strange = self.grid, 0
        walls: set[tuple[int | None, int | None]] = set()
        steps: dict[int, set[str]] = {1: set(), -1: set()}
        for name, style in values.record(self.layer.get("lineE") or {}, "lineE").items():
            ends = sorted(end for part in name.split(",") if (end := values.integer(part)) is not None)
            length = ends[1] - ends[0] if len(ends) == name.count(",") + 1 == 2 else 0
            if abs(length - grid.stride) == 1:
                steps[length - grid.stride].add(f"{ends[0]},{ends[1]}")
            elif length in (1, grid.stride) and style in _THICK:
                # the cell at the lower right of the first corner, and the one above it or to its left
                cell = ends[0] - grid.points + grid.stride + 1
                walls.add((grid.cell(cell - (grid.stride if length == 1 else 1)), grid.cell(cell)))
            else:
                strange += 1
        if strange:
            self.draft.note_unknown(f"{strange} edges are drawn in a style that has no known meaning")
        self._read_diagonals(steps)
        parts = components(grid.board, (pair for pair in grid.board.neighbours() if pair not in walls))
        self.draft.add_regions(parts if len(parts) > 1 else [])
        if len(parts) == 1 and speaks_of_regions(self.draft.rules):
            self.draft.note_unknown("no regions are drawn, of which the rules text speaks")

    def _read_diagonals(self, steps: dict[int, set[str]]) -> None:
        for turn in if_named(self.draft, "diagonals", [turn for turn, places in steps.items() if places], self.text):
            rule = regions.DiagonalDown() if turn == 1 else regions.DiagonalUp()
            if steps[turn] == {place for _, place, _ in _marks_of(rule, self.grid)}:
                self.draft.add("diagonal", rule)
            else:
                self.draft.note_unknown("diagonal lines are drawn that are no diagonals of the board")

    def _read_cages(self) -> None:
        totals: dict[int, list[int]] = {}
        for point, value in self._points("numberS"):
            total = values.integer([*values.items(value, "numberS"), None][0])
            cell = self.grid.cell((point - 4 * self.grid.points) // 4)
            if total is None or cell is None:
                self.draft.note_unknown(f"the small text {values.shown(value)} is drawn, without a type")
            else:
                totals.setdefault(cell, []).append(total)
        cages = self._paths("killercages")
        cages_at = self.grid.board.indices_at(cages)
        if any(len(cages_at[cell]) > 1 for cell in totals):
            self.draft.note_unknown("a small number stands where cages overlap")
        for number, cells in enumerate(cages, 1):
            found = [total for cell in cells for total in totals.pop(cell, [])]
            refuse(len(found) > 1, f"killer cage {number} has {len(found)} sums")
            self.found["killer cages"].append((cells, found[0] if found else None))
        if totals:
            self.draft.note_unknown(f"{len(totals)} small numbers stand in no cage")

    def _read_numbers(self) -> None:
        """Read clues, X and V on edges, and letters in the margin, which contests use to name rows and columns."""
        speaks_of_outside = "outside" in self.text.lower()
        for point, value in self._points("number"):
            text, _, style = [*value, "", "", "1"][:3] if isinstance(value, list) else ["", "", ""]
            text, cells = str(text), self.grid.cells(point)
            digit = values.integer(text)
            if len(cells) == 1 and digit is not None and style in ("1", "10"):
                self.draft.clue(self.grid.board.cell_name(cells[0]), cells[0], digit)
            elif len(cells) == 2 and text.upper() in ("X", "V"):
                self.found["X and V"].append((cells, 10 if text.upper() == "X" else 5))
            elif cells or point >= self.grid.points or not re.fullmatch("[A-Z]", text) or speaks_of_outside:
                self.draft.note_unknown(f"the text {values.shown(text)} is drawn, without a type")

    def _read_symbols(self) -> None:
        labels = {point for point, _ in self._points("number")}
        for point, value in self._points("symbol"):
            style, sort, *_ = [*values.items(value, "symbol"), None, None]
            cells = self.grid.cells(point)
            key = (values.shown(sort), len(cells))
            # parities have styles of their own
            if what := _SYMBOLS.get((*key, values.shown(style))) or _SYMBOLS.get((*key, "")):
                self.found[what].append((cells, values.shown(style)))
            elif not (isinstance(sort, str) and sort.startswith("arrow") and not cells and point in labels):
                self.draft.note_unknown(f"a symbol of the sort {values.shown(sort)} is drawn, without a type")


def _solution(answer: str, grid: _Grid) -> Grid | None:
    """The solution of a link: the fifth part of the answer lists its digits as `point,digit`."""
    parts = values.items(values.load_json(inflate(answer).decode("utf-8", "replace"), "solution"), "the solution")
    found: dict[int | None, str] = {}
    for entry in values.items(parts[4], "the solution's digits") if len(parts) > 4 else ():
        point, _, digit = str(entry).partition(",")
        number = values.integer(point)
        found[None if number is None else grid.cell(number)] = digit
    return values.full_grid([found.get(cell) for cell in range(grid.board.cell_count)], grid.board)


# writing


def write_penpa(imported: ImportedPuzzle) -> str:
    """The fields `p` and `a` of a link. The text of rules names all rules that it draws, and states the others. Raises
    `UsageError` for another board than n×n with the digits 1..n, and for the first rule that a file cannot state."""
    board, rules = imported.puzzle.board, imported.puzzle.ruleset.constraints
    if not board.is_plain or not 2 <= board.order <= 32:
        raise UsageError(f"Penpa+ has boards of 2x2 to 32x32 with digits from 1 and no extra cells, not {board}")
    words = filter(None, dict.fromkeys([imported.rules, *(_words_needed(rule, imported) for rule in rules)]))
    problem = checked_text("Penpa+", replace(imported, rules="\n".join(words)), _problem_field, read_penpa)
    if imported.solution is None:
        return f"p={problem}"
    point = _grid_without_margins(board).point
    places = [f"{point(cell)},{digit}" for cell, digit in enumerate(imported.solution.digits)]
    return f"p={problem}&a={deflate(json.dumps([[], [], [], [], places]))}"


def _words_needed(rule: Constraint, imported: ImportedPuzzle) -> str:
    """What the rules text must add for a rule: if marks state it, nothing or a sentence naming it; else its line."""
    alone = Puzzle(Ruleset(imported.puzzle.board, (Lines(), rule)), Grid.blank(imported.puzzle.board))
    for words in ("", f"{rule.text.capitalize()} rules: {rule.summary}."):
        named = replace(imported, puzzle=alone, rules=f"{imported.rules}\n{words}")
        if is_read_back(_problem_field(named), alone, read_penpa):
            return words
    return write_constraint(rule, imported.puzzle.board)


def _grid_without_margins(board: Board) -> _Grid:
    """A board without margins."""
    stride = board.order + 4
    return _Grid(board, 2, 2, stride, stride**2)


def _problem_field(imported: ImportedPuzzle) -> str:
    """The field `p`."""
    board, rules, n = imported.puzzle.board, imported.puzzle.ruleset.constraints, imported.puzzle.order
    grid, middle = _grid_without_margins(board), (n + 3) // 2
    # the point in the middle of the board is a cell or a corner
    centre = middle * (n + 5) + grid.points * (n % 2 == 0)
    diagonals = {way for rule in rules if isinstance(rule, regions.Diagonals) for way in rule.directions}
    header = ["sudoku", n, n, 38, 0, 1, 1, 38 * (n + 1), 38 * (n + 1), centre, centre]
    header += [int("down" in diagonals), 0, 0, int("up" in diagonals)]
    codes = str.maketrans({plain: code for code, plain in _TEXT_CODES.items()})
    title, author, rules_text = (text.translate(codes) for text in (imported.title, imported.author, imported.rules))
    header += [f"Title: {title}", f"Author: {author}", "", rules_text, "OFF", "false"]
    points = [grid.point(cell) for cell in range(board.cell_count)]
    steps = [points[0], *(after - before for before, after in pairwise(points))]
    file_lines = [",".join(map(str, header)), "[0,0,0,0]", '["1","2","1"]~"sudoku"~["1",9]', _layer_of(imported, grid)]
    file_lines += ["", json.dumps(steps), "[]", "{}", '"x"', '"x"', "[3,1,4]", *[""] * 6, "[]", "false"]
    text = "\n".join(file_lines).replace("z", "zZ")
    for code, plain in CODES.items():
        text = text if code == "Z" else text.replace(plain, f"z{code}")
    return deflate(text)


def _walls(houses: Iterable[House], grid: _Grid) -> Iterator[tuple[str, str, int]]:
    """Thick lines between cells of different houses."""
    house_of = {cell: house.name for house in houses for cell in house.cells}
    for one, other in grid.board.neighbours():
        if house_of.get(one) != house_of.get(other):
            start = grid.points + grid.point(other) - grid.stride - 1
            yield "lineE", f"{start},{start + (1 if other - one > 1 else grid.stride)}", 2


def _marks_of(rule: Constraint, grid: _Grid) -> Iterator[tuple[str, int | str | None, Any]]:
    """The marks that state a rule: their sort, their place (None if the sort is a list), and their style."""
    match rule:
        case Boxes() | regions.Regions():
            yield from _walls(rule.houses(grid.board), grid)
        case regions.Diagonals():
            for cell, is_up in ((cell, "up" in way.name) for way in rule.houses(grid.board) for cell in way.cells):
                start = grid.points + grid.point(cell) - grid.stride - 1
                yield "lineE", f"{start + is_up},{start + grid.stride + (not is_up)}", 12
        case sums.Killer(total, cells):
            yield "killercages", None, [*map(grid.point, cells)]
            yield from (("cage", line, 10) for line in grid.outline(cells))
            if total is not None:
                yield "numberS", 4 * (grid.points + grid.point(min(cells))), [str(total), 1]
        case lines.Thermometer(cells):
            yield "thermo", None, [*map(grid.point, cells)]
        case sums.Arrow(circle, shaft):
            yield "arrows", None, [*map(grid.point, (*circle, *shaft))]
        case pairs.Difference() | pairs.Ratio():
            yield "symbol", grid.edge(rule.cells), [_DOTS[type(rule)], "circle_SS", 2]
        case pairs.PairSum(cells):
            yield "number", grid.edge(cells), [rule.label(), 1, "6"]
        case digits.Odd(cells):
            yield from (("symbol", grid.point(cell), [3, _PARITIES[type(rule)], 2]) for cell in cells)


def _pictures_of(rule: Constraint, grid: _Grid) -> Iterator[tuple[str, int | str, int]]:
    """The lines and shaded cells that illustrate a rule which the rules text states."""
    for mark in rule.marks(grid.board):
        match mark:
            case Stroke(cells, colour):
                for ends in pairwise(map(grid.point, cells)):
                    yield "line", ",".join(map(str, sorted(ends))), _STROKES.get(colour, 6)
            case Shade(cells):
                yield from (("surface", grid.point(cell), 3) for cell in cells)


def _layer_of(imported: ImportedPuzzle, grid: _Grid) -> str:
    puzzle, rule_lines = imported.puzzle, _rule_lines(imported.rules, grid.board).values()
    layer: dict[str, Any] = {key: {"__a": []} for key in ("command_redo", "command_undo", "command_replay")}
    names = "surface number numberS symbol freeline freelineE line lineE wall cage deletelineE"
    layer |= {key: {} for key in names.split()}
    names = "thermo arrows direction squareframe polygon killercages nobulbthermo"
    layer |= {key: [] for key in names.split()}
    clues = (("number", grid.point(cell), [str(puzzle.clues.digits[cell]), 1, "1"]) for cell in puzzle.clues.filled)
    marks = ((_pictures_of if rule in rule_lines else _marks_of)(rule, grid) for rule in puzzle.ruleset.constraints)
    for key, place, style in chain(clues, *marks):
        if place is None:
            layer[key].append(style)
        else:
            layer[key][place] = style
    return json.dumps(layer, separators=(",", ":"))
