"""f-puzzles files: JSON in which most rules are typed, as a list for each kind of rule.

Besides the keys of f-puzzles these are the keys of Rangsk's extension (slow thermometers, double arrows, indexers,
x-sums, skyscrapers; renban, whispers, region sum, entropic, modular, nabner and zipper lines) and of the lockout
extension. Pictures that an extension draws of typed rules, for other programs, are skipped; others are unknown.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from ringdoku.constraints import digits, lines, outside, pairs, regions, sums
from ringdoku.constraints.registry import CONSTRAINTS
from ringdoku.domain import Board, Boxes, Cells, Constraint, Lines, OfCells, UsageError, refuse
from ringdoku.links import values
from ringdoku.links.rules_text import names_rule, note_shading, note_unstated
from ringdoku.links.shared import Draft, ImportedPuzzle, as_path, checked_text, cut_by_group, seen_from, usual_boxes

_NO_EFFECT = frozenset({"size", "grid", "title", "author", "ruleset", "solution", "successMessage", "metaData"}) | {
    *("disabledlogic", "truecandidatesoptions", "highlightConflicts", "fogofwar", "foglight")
}
_CELL_KEYS = frozenset({"value", "given", "region", "givenPencilMarks", "parity"}) | {
    *("centerPencilMarks", "cornerPencilMarks", "c", "cArray", "highlight")
}
_DRAWN = ("line", "rectangle", "circle", "text", "cage")
_PICTURE = ("fromConstraint", "isNewConstraint", "isLLConstraint")
_ENTRY_KEYS = frozenset({"cell", "cells", "cloneCells", "direction", "lines", "value", "values", *_PICTURE}) | {
    *("outlineC", "baseC", "fontC", "fillC", "color", "width", "height", "size", "angle", "opacity")
}
_PROPERTY = re.compile(r"FOW|FOGLIGHT|(title|author|rules|solution|msgcorrect|source|video|customstyle): .*", re.DOTALL)
_CELL = re.compile(r"[rR]([0-9]{1,2})[cC]([0-9]{1,2})")
_STEPS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}


def read_fpuzzles(text: str) -> ImportedPuzzle:
    """The puzzle of an f-puzzles file, which is the JSON behind a link. Raises `UsageError`."""
    data = values.record(values.load_json(text), "the JSON")
    rows = _rows_of(data)
    draft = Draft(Board.square(len(rows)))
    numbered = enumerate(cell for row in rows for cell in row)
    cells = [values.record(cell, f"the cell {draft.board.cell_name(number)}") for number, cell in numbered]
    _read_properties(draft, data)
    file = _File(draft, data, _read_cells(draft, cells))
    for key, value in data.items():
        if value and key in _ENTRY_READERS:
            for entry in file.entries(key):
                draft.note_keys(entry.fields, _ENTRY_KEYS, f" of {entry.where}")
                for constraint in _ENTRY_READERS[key](entry):
                    draft.add(entry.where, constraint)
        elif value and key in _KEY_READERS:
            refuse(key in _SWITCHES and value is not True, f"{key} is {values.shown(value)}, not true or false")
            for constraint in _KEY_READERS[key](file):
                draft.add(key, constraint)
    draft.note_keys(data, _NO_EFFECT.union(_ENTRY_READERS, _KEY_READERS, _DRAWN))
    _note_drawings(file)
    note_shading(draft, _colours_of(cells))
    note_unstated(draft, typed=True)
    return draft.imported()


def _read_properties(draft: Draft, data: dict[str, Any]) -> None:
    """Title, author, rules and solution; SudokuPad also reads the last two in drawn cages."""
    draft.title, draft.author = values.text_of(data.get("title")), values.text_of(data.get("author"))
    draft.rules = values.text_of(data.get("ruleset"))
    draft.solution = values.full_grid(data.get("solution"), draft.board)
    for _, cage in values.entries("cage", data.get("cage")):
        match str(cage.get("value")).split(": ", 1):
            case ["rules", rules]:
                draft.rules = f"{draft.rules}\n{rules}".strip()
            case ["solution", solution]:
                draft.solution = values.full_grid(solution, draft.board)


def _rows_of(data: dict[str, Any]) -> list[Sequence[Any]]:
    grid = values.items(data.get("grid"), "the grid")
    rows = [values.items(row, f"row {number} of the grid") for number, row in enumerate(grid, 1)]
    size = data.get("size", len(rows))
    refuse(type(size) is not int or not 4 <= size <= 16, f"the size is {values.shown(size)}, not one of 4 to 16")
    refuse({len(rows), *map(len, rows)} != {size}, f"the grid is not {size} rows of {size} cells")
    return rows


def _colours_of(cells: list[dict[str, Any]]) -> Iterator[tuple[str, int]]:
    """Yields each colour, except white, with each of its cells."""
    for number, cell in enumerate(cells):
        several = cell.get("cArray")
        for colour in (cell.get("c"), cell.get("highlight"), *(several if isinstance(several, list) else ())):
            if colour and str(colour).upper() not in ("#FFF", "#FFFFFF"):
                yield str(colour), number


def _read_cells(draft: Draft, cells: list[dict[str, Any]]) -> tuple[Cells, ...]:
    """Add clues, given pencil marks, parities and regions to the draft; return the regions."""
    usual = usual_boxes(draft.board).houses(draft.board)
    box_of = {cell: place for place, box in enumerate(usual) for cell in box.cells}
    groups: dict[int, list[int]] = {}
    for number, cell in enumerate(cells):
        where = f"the cell {draft.board.cell_name(number)}"
        _read_cell(draft, number, cell, where)
        region = cell.get("region", box_of[number])
        if region is not None and region != -1:
            place = values.integer(region)
            if place is None or place < 0:
                raise UsageError(f"the region of {where} is {values.shown(region)}, not a number from 0")
            groups.setdefault(place, []).append(number)
    found = tuple(map(tuple, groups.values()))
    draft.add_regions(found)
    return found


def _read_cell(draft: Draft, number: int, cell: dict[str, Any], where: str) -> None:
    if cell.get("given") and cell.get("value") is not None:
        draft.clue(where, number, values.as_integer(cell["value"], where))
    if marks := values.items(cell.get("givenPencilMarks"), f"givenPencilMarks of {where}"):
        allowed = tuple(sorted({values.as_integer(mark, where) for mark in marks}))
        draft.add(where, digits.AllowedDigits(allowed, (number,)))
    parity = cell.get("parity")
    if parity in ("Odd", "Even"):
        draft.add(where, (digits.Odd if parity == "Odd" else digits.Even)((number,)))
    elif parity is not None:
        draft.note_unknown(f"{where} has the parity {values.shown(parity)}, neither Odd nor Even")
    draft.note_keys(cell, _CELL_KEYS, " of a cell")


class _File(NamedTuple):
    """A file being read: the draft that is filled, the data, and the regions of the board, `boxes`."""

    draft: Draft
    data: dict[str, Any]
    boxes: tuple[Cells, ...]

    def entries(self, *keys: str) -> "Iterator[_Entry]":
        """The entries of these keys."""
        return (_Entry(self, where, entry) for key in keys for where, entry in values.entries(key, self.data.get(key)))

    def marked_cells(self, key: str) -> Cells:
        """The cells that have a mark of this key."""
        return tuple(dict.fromkeys([entry.cells_of([entry.fields.get("cell")])[0] for entry in self.entries(key)]))

    def marked_pairs(self, *keys: str) -> tuple[Cells, ...]:
        """The pairs of cells that have a mark of these keys."""
        return tuple(dict.fromkeys(tuple(sorted(entry.cells(count=2))) for entry in self.entries(*keys)))


class _Entry(NamedTuple):
    """An entry in the list of a key, with its place `where`. All methods raise `UsageError` with this place."""

    file: _File
    where: str
    fields: dict[str, Any]

    @property
    def n(self) -> int:
        """The number of rows, columns and digits."""
        return self.file.draft.board.rows

    def place_of(self, name: object, margin: int = 0) -> tuple[int, int]:
        """Row and column, from 0, of a name such as R1C1. Up to `margin` cells around the board have names too."""
        found = _CELL.fullmatch(name) if isinstance(name, str) else None
        if not found:
            raise UsageError(f"{self.where}: {values.shown(name)} is not a cell, such as R1C1")
        row, column = int(found[1]), int(found[2])
        if not all(1 - margin <= number <= self.n + margin for number in (row, column)):
            raise UsageError(f"{self.where}: {name} is not on a board of {self.n}x{self.n}")
        return row - 1, column - 1

    def cells_of(self, names: Sequence[object], count: int | None = None) -> Cells:
        """The cells with these names: `count` cells, or at least one."""
        if not names or count not in (None, len(names)):
            raise UsageError(f"{self.where} has {len(names) or 'no'} cells, not {count or 'one or more'}")
        return tuple([row * self.n + column for row, column in map(self.place_of, names)])

    def items(self, key: str) -> Sequence[Any]:
        """What a key lists, which must be there."""
        refuse(key not in self.fields, f"{self.where} has no {key}")
        return values.items(self.fields[key], f"the {key} of {self.where}")

    def cells(self, key: str = "cells", count: int | None = None) -> Cells:
        """The cells that a key lists."""
        return self.cells_of(values.items(self.fields.get(key), f"the {key} of {self.where}"), count)

    def number(self, default: int | None = None) -> int | None:
        """The clue's number, `default` if it is missing or not understood."""
        value = self.fields.get("value")
        if (number := values.integer(value)) is not None:
            return number
        if not values.has_no_value(value):
            self.file.draft.note_unknown(f"{self.where} has the value {values.shown(value)}, which is not a number")
        return default

    def lines(self) -> Iterator[Cells]:
        """The lines of the entry as paths, except those of a single cell, which have no meaning."""
        for line in self.items("lines"):
            path = as_path(self.cells_of(values.items(line, f"the cells of {self.where}")))
            if len(path) > 1:
                yield path

    def seen(self, step: tuple[int, int] | None = None) -> Cells:
        """The cells that a clue beside the board refers to: in the direction `step`, else in its row or column."""
        row, column = self.place_of(self.fields.get("cell"), margin=1)
        down, right = step or ((row < 0) - (row >= self.n), (column < 0) - (column >= self.n))
        # from the corners of the board only a diagonal can be seen
        cells = seen_from(self.file.draft.board, row, column, down, right) if step or not (down and right) else ()
        refuse(not cells, f"{self.where}: R{row + 1}C{column + 1} is not a place beside the board for this clue")
        return cells


def _for_each_line(kind: Callable[[Cells], Constraint]) -> Callable[[_Entry], Iterable[Constraint]]:
    return lambda entry: map(kind, entry.lines())


def _region_sums(entry: _Entry) -> Iterator[Constraint]:
    for path in entry.lines():
        parts = cut_by_group(path, entry.file.boxes)
        if not set(path) <= set(chain(*entry.file.boxes)):
            entry.file.draft.note_unknown(f"{entry.where} passes a cell without a region")
        elif len(parts) > 1:
            yield sums.EqualSums(parts)


def _little_killer(entry: _Entry) -> Iterator[Constraint]:
    direction = entry.fields.get("direction")
    if not isinstance(direction, str) or direction not in _STEPS:
        raise UsageError(f"{entry.where}: the direction is {values.shown(direction)}, not UL, UR, DL or DR")
    cells = entry.seen(_STEPS[direction])
    if entry.fields.get("cells") and set(entry.cells()) != set(cells):
        entry.file.draft.note_unknown(f"{entry.where} lists other cells than those in its direction")
    if total := entry.number():
        yield sums.LittleKiller(total, cells)


def _outside_clue(kind: type[outside.Clue], entry: _Entry) -> Iterator[Constraint]:
    cells = entry.seen()
    if (number := entry.number()) is not None:
        yield kind(number, cells)


def _arrow(entry: _Entry) -> Iterator[Constraint]:
    circle, paths = tuple(sorted(entry.cells())), [*entry.lines()]
    if not paths:
        entry.file.draft.note_unknown(f"{entry.where} is a circle without a line")
    for path in paths:
        if path[0] not in circle:
            entry.file.draft.note_unknown(f"{entry.where} has a line that does not begin in its circle")
        yield sums.Arrow(circle, path[1:])


def _cage(entry: _Entry) -> Iterator[Constraint]:
    # a sum of 0 is none
    total, cells = entry.number() or None, entry.cells()
    if not names_rule(entry.file.draft.rules, "cages whose digits may repeat"):
        yield sums.Killer(total, cells)
    elif total:
        yield sums.Sum(total, cells)


def _xv(entry: _Entry) -> Iterator[Constraint]:
    cells, letter = entry.cells(count=2), entry.fields.get("value")
    if isinstance(letter, str) and letter.upper() in ("X", "V"):
        yield pairs.PairSum(cells, 10 if letter.upper() == "X" else 5)
    elif not values.has_no_value(letter):
        entry.file.draft.note_unknown(f"{entry.where} has the value {values.shown(letter)}, neither X nor V")


def _quadruple(entry: _Entry) -> Iterator[Constraint]:
    cells = entry.cells()
    if listed := tuple([values.as_integer(value, entry.where) for value in entry.items("values")]):
        yield digits.Contains(listed, tuple(dict.fromkeys(cells)))


def _indexer(key: str, entry: _Entry) -> Iterator[Constraint]:
    n, houses = entry.n, [house.cells for house in Lines().houses(entry.file.draft.board)]
    groups = {"rowindexer": houses[n:], "columnindexer": houses[:n]}.get(key, entry.file.boxes)
    for cell in entry.cells():
        line = next((line for line in groups if cell in line), ())
        refuse(not line, f"{entry.where}: {entry.file.draft.board.cell_name(cell)} is in no box")
        yield outside.Indexer(line.index(cell) + 1, cell, line)


_KEYS = {name: f"{name}line" for name in ("between", "entropic", "modular", "zipper")} | {
    "contains": "quadruple",
    "equal-sums": "regionsumline",
    "killer": "killercage",
    "little-killer": "littlekillersum",
    "pair-sum": "xv",
    "sandwich": "sandwichsum",
    "whisper": "whispers",
}
"""The keys that differ from the names of constraints without hyphens."""


def _key_of(kind: type[Constraint]) -> str:
    return _KEYS.get(kind.text, kind.text.replace("-", ""))


_LINES = (lines.Thermometer, lines.SlowThermometer, lines.Palindrome, lines.Renban, lines.Nabner, lines.Between)
_ENTRY_READERS: Mapping[str, Callable[[_Entry], Iterable[Constraint]]] = {
    **{_key_of(kind): _for_each_line(kind) for kind in (*_LINES, lines.Entropic, sums.Zipper, sums.DoubleArrow)},
    "lockout": lambda e: [lines.Lockout(path, e.number(4) or 0) for path in e.lines()],
    "modularline": lambda e: [lines.Modular(path, e.number(3) or 0) for path in e.lines()],
    **{key: partial(_indexer, key) for key in ("rowindexer", "columnindexer", "boxindexer")},
    **{_key_of(kind): partial(_outside_clue, kind) for kind in (outside.Sandwich, outside.XSum, outside.Skyscraper)},
    "whispers": lambda e: [lines.Whisper(path, e.number((e.n + 1) // 2) or 0) for path in e.lines()],
    "regionsumline": _region_sums,
    "killercage": _cage,
    "littlekillersum": _little_killer,
    "arrow": _arrow,
    "difference": lambda entry: [pairs.Difference(entry.cells(count=2), entry.number(1) or 0)],
    "ratio": lambda entry: [pairs.Ratio(entry.cells(count=2), entry.number(2) or 0)],
    "xv": _xv,
    "clone": lambda entry: [pairs.Clone((entry.cells(), entry.cells("cloneCells")))],
    "quadruple": _quadruple,
    "extraregion": lambda entry: [regions.ExtraRegion(tuple(dict.fromkeys(entry.cells())))],
}
"""The function that reads an entry, for each key with entries."""


def _disjoint_groups(file: _File) -> Iterator[Constraint]:
    boxes = usual_boxes(file.draft.board)
    if set(file.boxes) == {house.cells for house in boxes.houses(file.draft.board)}:
        yield regions.DisjointGroups(boxes.height, boxes.width)
    else:
        file.draft.note_unknown("disjointgroups has no meaning that we know for regions that are no boxes")


_SWITCHES: Mapping[str, Callable[[_File], Iterable[Constraint]]] = {
    "diagonal+": lambda _: [regions.DiagonalUp()],
    "diagonal-": lambda _: [regions.DiagonalDown()],
    "antiknight": lambda _: [regions.AntiKnight()],
    "antiking": lambda _: [regions.AntiKing()],
    "nonconsecutive": lambda file: [pairs.NonConsecutive(file.marked_pairs("difference", "ratio"))],
    "disjointgroups": _disjoint_groups,
}
"""The rule of each key that may only be true."""


def _negative_rules(file: _File) -> Iterator[Constraint]:
    for kind in dict.fromkeys(values.shown(kind) for kind in values.items(file.data["negative"], "negative")):
        if kind == "'ratio'":
            found = {entry.number(2) or 2 for entry in file.entries("ratio")}
            yield pairs.NoRatio(file.marked_pairs("difference", "ratio"), tuple(sorted(found)) or (2,))
        elif kind == "'xv'":
            yield pairs.NoPairSum(file.marked_pairs("xv"), (5, 10))
        else:
            file.draft.note_unknown(f"the negative rule {kind} is unknown")


def _extremes(kind: type[pairs.Minimum], file: _File) -> Iterator[Constraint]:
    found = file.marked_cells(kind.text)
    for cell in found:
        yield kind(cell, tuple(other for other in file.draft.board.around(cell) if other in found))


_KEY_READERS: Mapping[str, Callable[[_File], Iterable[Constraint]]] = {
    **_SWITCHES,
    **{kind.text: partial(_extremes, kind) for kind in (pairs.Minimum, pairs.Maximum)},
    "odd": lambda file: [digits.Odd(file.marked_cells("odd"))],
    "even": lambda file: [digits.Even(file.marked_cells("even"))],
    "negative": _negative_rules,
}
"""The function that reads the whole value of a key, for the other keys."""

_WITHOUT_KEY = "lines boxes regions diagonal diagonal-down diagonal-up windoku no-ratio no-pair-sum allowed indexer sum"
STATES = frozenset(
    kind
    for name, kind in CONSTRAINTS.items()
    if name in _WITHOUT_KEY.split() or _key_of(kind) in {*_ENTRY_READERS, *_KEY_READERS}
)
"""The constraints that a file can state."""


def _note_drawings(file: _File) -> None:
    """Note the elements of drawn keys as unknown, except properties for SudokuPad and pictures of typed rules."""
    typed = [*file.entries(*filter(file.data.get, _ENTRY_READERS))]
    typed_lines = [{*line} for entry in typed if "lines" in entry.fields for line in entry.lines()]

    def is_known(key: str, entry: _Entry) -> bool:
        # a title or another property for SudokuPad, or a light in its fog, is not a rule
        if key == "cage" and _PROPERTY.fullmatch(str(entry.fields.get("value"))):
            return True
        # an extension draws rules that are typed too
        is_flagged = typed and any(entry.fields.get(flag) for flag in _PICTURE)
        return bool(is_flagged) and (key != "line" or all({*line} in typed_lines for line in entry.lines()))

    for key in _DRAWN:
        if strange := [entry.where for entry in file.entries(key) if not is_known(key, entry)]:
            several = f"{len(strange)} elements are" if len(strange) > 1 else "an element is"
            names = ", ".join(strange[:3]) + (" …" if len(strange) > 3 else "")
            file.draft.note_unknown(f"{several} only drawn, not typed: {names}")


# writing


def write_fpuzzles(imported: ImportedPuzzle, program: str = "f-puzzles") -> str:
    """The file of a puzzle for a program, as `read_fpuzzles` reads it. Raises `UsageError` for another board than n×n
    with the digits 1..n, and for the first rule that a file cannot state."""
    board = imported.puzzle.board
    if not board.is_plain or not 4 <= board.order <= 16:
        raise UsageError(f"{program} has boards of 4x4 to 16x16 with digits from 1 and no extra cells, not {board}")
    return checked_text(program, imported, _file_text, read_fpuzzles)


def _file_text(imported: ImportedPuzzle) -> str:
    puzzle, board, n = imported.puzzle, imported.puzzle.board, imported.puzzle.order
    grid: list[dict[str, Any]] = [{"value": clue, "given": True} if clue else {} for clue in puzzle.clues.digits]
    data: dict[str, Any] = {"size": n, "title": imported.title, "author": imported.author, "ruleset": imported.rules}
    if imported.solution:
        data["solution"] = list(imported.solution.digits)
    boxes = [rule for rule in puzzle.ruleset.constraints if isinstance(rule, (Boxes, regions.Regions))]
    if boxes != [usual_boxes(board)]:
        houses = [house.cells for rule in boxes for house in rule.houses(board)]
        for cell, entry in enumerate(grid):
            entry["region"] = next((number for number, house in enumerate(houses) if cell in house), -1)
    for rule in puzzle.ruleset.constraints:
        if isinstance(rule, digits.AllowedDigits):
            for cell in rule.cells:
                grid[cell]["givenPencilMarks"] = list(rule.digits)
        for key, value in _entries_of(rule, n):
            if value is True:
                data[key] = True
            else:
                data.setdefault(key, []).append(value)
    return json.dumps({**data, "grid": board.in_rows(grid)}, ensure_ascii=False, separators=(",", ":"))


def _names(cells: Iterable[int], n: int) -> list[str]:
    return [f"R{cell // n + 1}C{cell % n + 1}" for cell in cells]


def _place_before(cells: Cells, n: int) -> dict[str, Any]:
    """The place from which the cells are seen; for those of a diagonal also the direction, such as `DR`, and them."""
    (row, column), (below, right) = divmod(cells[0], n), divmod(cells[min(1, len(cells) - 1)], n)
    step = (below - row, right - column)
    of_steps = {way: {"direction": said, "cells": _names(cells, n)} for said, way in _STEPS.items()}
    return {"cell": f"R{row - step[0] + 1}C{column - step[1] + 1}", **of_steps.get(step, {})}


def _entries_of(rule: Constraint, n: int) -> Iterator[tuple[str, Any]]:
    """The keys and entries that state a rule, True for a switch; `checked_text` refuses a rule that these lose."""
    key = _key_of(type(rule))
    match rule:
        case outside.Clue(number, cells) | sums.LittleKiller(number, cells) if key in _ENTRY_READERS:
            yield key, {**_place_before(cells, n), "value": str(number)}
        case sums.Arrow(circle, shaft):
            row, column = divmod(shaft[0], n)
            start = min(circle, key=lambda cell: max(abs(cell // n - row), abs(cell % n - column)))
            yield key, {"cells": _names(circle, n), "lines": [_names((start, *shaft), n)]}
        case sums.EqualSums(groups):
            yield key, {"lines": [_names(chain(*groups), n)]}
        case lines.Whisper(cells, number) | lines.Lockout(cells, number) | lines.Modular(cells, number):
            yield key, {"lines": [_names(cells, n)], "value": str(number)}
        case sums.Killer(number, cells) | pairs.Difference(cells, number) | pairs.Ratio(cells, number):
            yield key, {"cells": _names(cells, n), "value": "" if number is None else str(number)}
        case pairs.PairSum(cells):
            yield key, {"cells": _names(cells, n), "value": rule.label()}
        case pairs.Clone((cells, others)):
            yield key, {"cells": _names(cells, n), "cloneCells": _names(others, n)}
        case digits.Contains(values_, cells):
            yield key, {"cells": _names(cells, n), "values": list(values_)}
        case regions.ExtraRegion() | regions.Windoku():
            yield from (("extraregion", {"cells": _names(house.cells, n)}) for house in rule.houses(Board.square(n)))
        case outside.Indexer(_, cell, cells):
            of_steps = {(1, n - 1): "columnindexer", (n, n * n - n): "rowindexer"}
            key = of_steps.get((cells[1] - cells[0], cells[-1] - cells[0]), "boxindexer")
            yield key, {"cells": _names([cell], n)}
        case OfCells(cells=cells) if key in _ENTRY_READERS:
            yield key, {"lines": [_names(cells, n)]}
        case _:
            yield from _key_values_of(key, rule, n)


def _key_values_of(key: str, rule: Constraint, n: int) -> Iterator[tuple[str, Any]]:
    """`_entries_of` for the other rules: switches, negative rules, and rules that need several entries."""
    match rule:
        case pairs.Minimum(cell):
            yield key, {"cell": _names([cell], n)[0]}
        case digits.Odd(cells):
            yield from ((key, {"cell": one}) for one in _names(cells, n))
        case regions.Diagonals():
            yield from (("diagonal+" if way == "up" else "diagonal-", True) for way in rule.directions)
        case pairs.NoRatio() | pairs.NoPairSum():
            yield "negative", "ratio" if rule.text == "no-ratio" else "xv"
        case _ if key in _KEY_READERS:
            yield key, True
