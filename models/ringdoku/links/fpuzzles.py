"""f-puzzles files: JSON in which most rules are typed, as a list for each kind of rule.

Besides the keys of f-puzzles these are the keys of Rangsk's extension (slow thermometers, double arrows, indexers,
x-sums, skyscrapers; renban, whispers, region sum, entropic, modular, nabner and zipper lines) and of the lockout
extension. An extension also draws some typed rules, for programs that do not know them; these pictures are skipped.
Anything else that is only drawn is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from operator import eq
from typing import Any, TypeAlias

from ringdoku.constraints import digits, lines, outside, pairs, regions, sums
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Boxes, Cells, Constraint, Lines
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.links.rules_text import warn_shading
from ringdoku.links.shared import (
    Draft,
    ImportedPuzzle,
    default_boxes,
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

SIZES = range(4, 17)
"""The sizes of boards in f-puzzles."""

_NO_EFFECT = frozenset({"size", "grid", "title", "author", "ruleset", "solution", "successMessage", "metaData"}) | {
    *("disabledlogic", "truecandidatesoptions", "highlightConflicts", "fogofwar", "foglight")
}
_NOTES = frozenset({"centerPencilMarks", "cornerPencilMarks", "c", "cArray", "highlight"})
_CELL_KEYS = frozenset({"value", "given", "region", "givenPencilMarks", "parity"}) | _NOTES
_DRAWN = ("line", "rectangle", "circle", "text", "cage")
_PICTURE = ("fromConstraint", "isNewConstraint", "isLLConstraint")
_PROPERTY = re.compile(r"(title|author|rules|solution|msgcorrect|source|video|customstyle): .*", re.DOTALL)
_CELL = re.compile(r"[rR]([0-9]{1,2})[cC]([0-9]{1,2})")
_STEPS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}

Entry: TypeAlias = dict[str, Any]


def read_fpuzzles(text: str) -> ImportedPuzzle:
    """The puzzle of an f-puzzles file, which is the JSON behind a link. Raises `UsageError`."""
    data = load_json(text)
    rows = _rows_of(data)
    draft = Draft(Board.square(len(rows)))
    every = enumerate(cell for row in rows for cell in row)
    cells = [record(cell, f"the cell {draft.board.cell_name(number)}") for number, cell in every]
    draft.title, draft.author = text_of(data.get("title")), text_of(data.get("author"))
    draft.rules = text_of(data.get("ruleset"))
    draft.solution = _solution(data.get("solution"), draft.board)
    file = _File(draft, data, _read_cells(draft, cells))
    for key, value in data.items():
        if value and key in _OF_ENTRIES:
            for where, entry in entries(key, value):
                _OF_ENTRIES[key](file, where, entry)
        elif value and key in _OF_FILES:
            _OF_FILES[key](file, value)
        elif value and key not in _NO_EFFECT and key not in _DRAWN:
            draft.warn(f"the key {shown(key)} is unknown")
    for key in _DRAWN:
        _warn_drawings(file, key)
    warn_shading(draft, _colours_of(cells))
    return draft.shared()


def _solution(value: object, board: Board) -> Grid | None:
    if isinstance(value, str):
        return full_grid(value.split(",") if "," in value else value, board)
    return full_grid(value, board) if isinstance(value, list) else None


def _rows_of(data: dict[str, Any]) -> list[Sequence[Any]]:
    grid = items(data.get("grid"), "the grid")
    rows = [items(row, f"row {number} of the grid") for number, row in enumerate(grid, 1)]
    size = data.get("size", len(rows))
    if type(size) is not int or size not in SIZES:
        raise UsageError(f"the size is {shown(size)}, not one of {SIZES[0]} to {SIZES[-1]}")
    if len(rows) != size or any(len(row) != size for row in rows):
        raise UsageError(f"the grid is not {size} rows of {size} cells")
    return rows


def _colours_of(cells: list[dict[str, Any]]) -> dict[str, set[int]]:
    """For each colour the cells that have it."""
    found: dict[str, set[int]] = {}
    for number, cell in enumerate(cells):
        several = cell.get("cArray")
        for colour in (cell.get("c"), cell.get("highlight"), *(several if isinstance(several, list) else ())):
            if colour and str(colour).upper() not in ("#FFF", "#FFFFFF"):
                found.setdefault(str(colour), set()).add(number)
    return found


def _read_cells(draft: Draft, cells: list[dict[str, Any]]) -> tuple[Cells, ...]:
    """Clues, given pencil marks and parities; returns the regions."""
    boxes = default_boxes(draft.board)
    assert boxes is not None
    box_of = {cell: place for place, box in enumerate(boxes.houses(draft.board)) for cell in box.cells}
    groups: dict[int, list[int]] = {}
    for number, cell in enumerate(cells):
        where = f"the cell {draft.board.cell_name(number)}"
        _read_cell(draft, number, cell, where)
        region = cell.get("region", box_of[number])
        if region is not None and region != -1:
            place = integer(region)
            if place is None or place < 0:
                raise UsageError(f"the region of {where} is {shown(region)}, not a number from 0")
            groups.setdefault(place, []).append(number)
    found = tuple(map(tuple, groups.values()))
    draft.add_regions(found)
    return found


def _read_cell(draft: Draft, number: int, cell: dict[str, Any], where: str) -> None:
    if cell.get("given") is True and cell.get("value") is not None:
        draft.clue(where, number, whole(cell["value"], where))
    if marks := items(cell.get("givenPencilMarks"), f"givenPencilMarks of {where}"):
        allowed = tuple(sorted({whole(mark, where) for mark in marks}))
        draft.add(where, digits.AllowedDigits(allowed, (number,)))
    parity = cell.get("parity")
    if parity in ("Odd", "Even"):
        draft.add(where, (digits.Odd if parity == "Odd" else digits.Even)((number,)))
    elif parity is not None:
        draft.warn(f"{where} has the parity {shown(parity)}, neither Odd nor Even")
    for key in cell.keys() - _CELL_KEYS:
        if cell[key]:
            draft.warn(f"the key {shown(key)} of a cell is unknown")


class _File:
    """Reads the rules of a file into a draft. `paths` and `marked` are the places of typed lines and typed marks, rows
    and columns from 0, by which their pictures are recognised."""

    def __init__(self, draft: Draft, data: dict[str, Any], boxes: Iterable[Cells]) -> None:
        self.draft = draft
        self.data = data
        self.n = draft.board.rows
        self.boxes = tuple(boxes)
        self.paths: set[Cells] = set()
        self.marked: set[tuple[int, int]] = set()

    def place(self, name: object, where: str, margin: int = 0) -> tuple[int, int]:
        """Row and column, from 0, of a name such as R1C1. Up to `margin` cells around the board have names too."""
        found = _CELL.fullmatch(name) if isinstance(name, str) else None
        if not found:
            raise UsageError(f"{where}: {shown(name)} is not a cell, such as R1C1")
        row, column = int(found[1]), int(found[2])
        if not all(1 - margin <= number <= self.n + margin for number in (row, column)):
            raise UsageError(f"{where}: {name} is not on a board of {self.n}x{self.n}")
        return row - 1, column - 1

    def cell(self, name: object, where: str) -> int:
        """The cell of a name."""
        row, column = self.place(name, where)
        return row * self.n + column

    def cells(self, value: object, where: str, count: int | None = None) -> Cells:
        """The cells of a list of names: `count` cells, or at least one."""
        names = items(value, f"the cells of {where}")
        if not names or count not in (None, len(names)):
            raise UsageError(f"{where} has {len(names) or 'no'} cells, not {count or 'one or more'}")
        return tuple([self.cell(name, where) for name in names])

    def number(self, entry: Entry, where: str, default: int | None = None) -> int | None:
        """A clue's number, `default` if it is missing or not understood."""
        value = entry.get("value")
        if (number := integer(value)) is not None:
            return number
        if not says_nothing(value):
            self.draft.warn(f"{where} has the value {shown(value)}, which is not a number")
        return default

    def lines(self, entry: Entry, where: str) -> Iterator[Cells]:
        """The lines of an entry, except lines of a single cell, which have no meaning."""
        for line in items(entry.get("lines"), f"the lines of {where}"):
            path = straight(self.cells(line, where))
            self.paths.add(path)
            for one, other in pairwise(path):
                (row, column), (below, right) = divmod(one, self.n), divmod(other, self.n)
                if max(abs(row - below), abs(column - right)) > 1:
                    names = " to ".join(map(self.draft.board.cell_name, (one, other)))
                    self.draft.warn(f"{where} jumps from {names}")
            if len(path) > 1:
                yield path

    def walk(self, row: int, column: int, down: int, right: int, where: str) -> Cells:
        """The cells that a clue beside the board refers to."""
        at = self.draft.board.at
        cells = []
        if at(row, column) is None:
            step = 1
            while (cell := at(row + step * down, column + step * right)) is not None:
                cells.append(cell)
                step += 1
        if not cells:
            raise UsageError(f"{where}: R{row + 1}C{column + 1} is not a place beside the board for this clue")
        return tuple(cells)

    def marked_pairs(self, *keys: str) -> tuple[Cells, ...]:
        """The pairs of cells that have a mark of these keys."""
        every = ((where, entry) for key in keys for where, entry in entries(key, self.data.get(key)))
        found = (tuple(sorted(self.cells(entry.get("cells"), where, 2))) for where, entry in every)
        return tuple(dict.fromkeys(found))


# rules that are a list of entries

_LINES: Mapping[str, Callable[[Cells], Constraint]] = {
    "thermometer": lines.Thermometer,
    "slowthermometer": lines.SlowThermometer,
    "palindrome": lines.Palindrome,
    "renban": lines.Renban,
    "nabner": lines.Nabner,
    "betweenline": lines.Between,
    "lockout": lambda cells: lines.Lockout(cells, 4),
    "modularline": lambda cells: lines.Modular(cells, 3),
    "entropicline": lines.Entropic,
    "zipperline": sums.Zipper,
    "doublearrow": sums.DoubleArrow,
}


def _line(key: str, file: _File, where: str, entry: Entry) -> None:
    for path in file.lines(entry, where):
        if key == "entropicline" and file.n % 3:
            file.draft.warn(f"{where}: {file.n} digits cannot be cut into low, middle and high ones")
        elif key == "doublearrow" and len(path) == 2:
            file.draft.warn(f"{where} has nothing between its ends")
        elif key in ("betweenline", "lockout", "doublearrow") and path[0] == path[-1]:
            raise UsageError(f"{where} ends where it begins")
        elif key == "thermometer" and len(set(path)) < len(path):
            raise UsageError(f"{where} comes back to a cell")
        elif key in ("modularline", "entropicline") and any(map(eq, path, path[2:])):
            raise UsageError(f"{where} turns back to a cell")
        else:
            file.draft.add(where, _LINES[key](path))


def _whispers(file: _File, where: str, entry: Entry) -> None:
    difference = file.number(entry, where, (file.n + 1) // 2) or 0
    file.draft.bounded(where, difference, 0, file.n - 1)
    for path in file.lines(entry, where):
        file.draft.add(where, lines.Whisper(path, difference))


def _region_sums(file: _File, where: str, entry: Entry) -> None:
    region_of = {cell: place for place, box in enumerate(file.boxes) for cell in box}
    for path in file.lines(entry, where):
        if any(cell not in region_of for cell in path):
            file.draft.warn(f"{where} passes a cell without a region")
            continue
        visits = tuple(tuple(visit) for _, visit in groupby(path, key=region_of.__getitem__))
        if len(visits) > 1:
            file.draft.add(where, sums.EqualSums(visits))


def _killer(file: _File, where: str, entry: Entry) -> None:
    # a sum of 0 is none
    total = file.number(entry, where) or None
    file.draft.add(where, sums.Killer(total, file.cells(entry.get("cells"), where)))


def _little_killer(file: _File, where: str, entry: Entry) -> None:
    direction = entry.get("direction")
    if not isinstance(direction, str) or direction not in _STEPS:
        raise UsageError(f"{where}: the direction is {shown(direction)}, not UL, UR, DL or DR")
    cells = file.walk(*file.place(entry.get("cell"), where, margin=1), *_STEPS[direction], where)
    if entry.get("cells") and set(file.cells(entry["cells"], where)) != set(cells):
        file.draft.warn(f"{where} lists other cells than those in its direction")
    if total := file.number(entry, where):
        file.draft.bounded(where, total, len(cells), len(cells) * file.n)
        file.draft.add(where, sums.LittleKiller(total, cells))


def _outside(key: str, file: _File, where: str, entry: Entry) -> None:
    n = file.n
    kind, low, high = {
        "sandwichsum": (outside.Sandwich, 0, sum(range(2, n))),
        "xsum": (outside.XSum, 1, sum(range(1, n + 1))),
        "skyscraper": (outside.Skyscraper, 1, n),
    }[key]
    row, column = file.place(entry.get("cell"), where, margin=1)
    file.marked.add((row, column))
    # from the corners it looks at nothing
    down, right = (row < 0) - (row >= n), (column < 0) - (column >= n)
    cells = file.walk(row, column, 0 if right else down, right, where)
    if (number := file.number(entry, where)) is not None:
        file.draft.add(where, kind(file.draft.bounded(where, number, low, high), cells))


def _arrow(file: _File, where: str, entry: Entry) -> None:
    circle = tuple(sorted(file.cells(entry.get("cells"), where)))
    for path in file.lines(entry, where):
        if path[0] not in circle:
            file.draft.warn(f"{where} has a line that does not begin in its circle")
        file.draft.add(where, sums.Arrow(circle, path[1:]))


def _difference(file: _File, where: str, entry: Entry) -> None:
    difference = file.draft.bounded(where, file.number(entry, where, 1) or 0, 0, file.n - 1)
    file.draft.add(where, pairs.Difference(file.cells(entry.get("cells"), where, 2), difference))


def _ratio(file: _File, where: str, entry: Entry) -> None:
    ratio = file.draft.bounded(where, file.number(entry, where, 2) or 0, 1, file.n)
    file.draft.add(where, pairs.Ratio(file.cells(entry.get("cells"), where, 2), ratio))


def _xv(file: _File, where: str, entry: Entry) -> None:
    cells = file.cells(entry.get("cells"), where, 2)
    letter = entry.get("value")
    if isinstance(letter, str) and letter.upper() in ("X", "V"):
        file.draft.add(where, pairs.PairSum(cells, 10 if letter.upper() == "X" else 5))
    elif not says_nothing(letter):
        file.draft.warn(f"{where} has the value {shown(letter)}, neither X nor V")


def _clone(file: _File, where: str, entry: Entry) -> None:
    first = file.cells(entry.get("cells"), where)
    file.draft.add(where, pairs.Clone((first, file.cells(entry.get("cloneCells"), f"the clone of {where}"))))


def _quadruple(file: _File, where: str, entry: Entry) -> None:
    cells = file.cells(entry.get("cells"), where)
    values = [whole(one, where) for one in items(entry.get("values"), f"the values of {where}")]
    if values:
        bounded = tuple(file.draft.bounded(where, one, 1, file.n) for one in values)
        file.draft.add(where, digits.Contains(bounded, tuple(dict.fromkeys(cells))))


def _extra_region(file: _File, where: str, entry: Entry) -> None:
    file.draft.add(where, regions.ExtraRegion(tuple(dict.fromkeys(file.cells(entry.get("cells"), where)))))


def _indexer(key: str, file: _File, where: str, entry: Entry) -> None:
    n = file.n
    for cell in file.cells(entry.get("cells"), where):
        row, column = divmod(cell, n)
        file.marked.add((row, column))
        if key == "rowindexer":
            line, number = tuple(range(column, n * n, n)), row + 1
        elif key == "columnindexer":
            line, number = tuple(range(row * n, row * n + n)), column + 1
        else:
            line = next((box for box in file.boxes if cell in box), ())
            if not line:
                raise UsageError(f"{where}: {file.draft.board.cell_name(cell)} is in no box")
            number = line.index(cell) + 1
        file.draft.add(where, outside.Indexer(number, cell, line))


_OF_ENTRIES: Mapping[str, Callable[[_File, str, Entry], None]] = {
    **{key: partial(_line, key) for key in _LINES},
    **{key: partial(_outside, key) for key in ("sandwichsum", "xsum", "skyscraper")},
    **{key: partial(_indexer, key) for key in ("rowindexer", "columnindexer", "boxindexer")},
    "whispers": _whispers,
    "regionsumline": _region_sums,
    "killercage": _killer,
    "littlekillersum": _little_killer,
    "arrow": _arrow,
    "difference": _difference,
    "ratio": _ratio,
    "xv": _xv,
    "clone": _clone,
    "quadruple": _quadruple,
    "extraregion": _extra_region,
}
"""The function that reads an entry of each key. It gets the file, the entry's place and the entry."""


# rules for the whole file

_SWITCHES: Mapping[str, Constraint] = {
    "diagonal+": regions.DiagonalUp(),
    "diagonal-": regions.DiagonalDown(),
    "antiknight": regions.AntiKnight(),
    "antiking": regions.AntiKing(),
}


def _switch(key: str, file: _File, value: object) -> None:
    if value is not True:
        raise UsageError(f"{key} is {shown(value)}, not true or false")
    boxes = default_boxes(file.draft.board)
    if key == "nonconsecutive":
        file.draft.add(key, pairs.NonConsecutive(file.marked_pairs("difference", "ratio")))
    elif key != "disjointgroups":
        file.draft.add(key, _SWITCHES[key])
    elif boxes is None or set(file.boxes) != {house.cells for house in boxes.houses(file.draft.board)}:
        file.draft.warn(f"{key} has no meaning that we know for regions that are no boxes")
    else:
        file.draft.add(key, regions.DisjointGroups(boxes.height, boxes.width))


def _negative(file: _File, value: object) -> None:
    key = "negative"
    for kind in dict.fromkeys(shown(kind) for kind in items(value, key)):
        if kind == "'ratio'":
            found = {file.number(entry, where, 2) or 2 for where, entry in entries("ratio", file.data.get("ratio"))}
            marked = file.marked_pairs("difference", "ratio")
            file.draft.add(key, pairs.NoRatio(marked, tuple(sorted(found)) or (2,)))
        elif kind == "'xv'":
            file.draft.add(key, pairs.NoPairSum(file.marked_pairs("xv"), (5, 10)))
        else:
            file.draft.warn(f"the negative rule {kind} is unknown")


def _extreme(key: str, file: _File, value: object) -> None:
    kind = pairs.Minimum if key == "minimum" else pairs.Maximum
    found = {file.cell(entry.get("cell"), where): where for where, entry in entries(key, value)}
    for cell, where in found.items():
        near = (other for pair in file.draft.board.neighbours() if cell in pair for other in pair if other != cell)
        file.draft.add(where, kind(cell, tuple(other for other in near if other in found)))


def _parity(key: str, file: _File, value: object) -> None:
    found = tuple([file.cell(entry.get("cell"), where) for where, entry in entries(key, value)])
    file.draft.add(key, (digits.Odd if key == "odd" else digits.Even)(tuple(dict.fromkeys(found))))


_OF_FILES: Mapping[str, Callable[[_File, object], None]] = {
    **{key: partial(_switch, key) for key in (*_SWITCHES, "disjointgroups", "nonconsecutive")},
    **{key: partial(_extreme, key) for key in ("minimum", "maximum")},
    **{key: partial(_parity, key) for key in ("odd", "even")},
    "negative": _negative,
}
"""The function that reads the whole value of each key. It gets the file and the value."""

STATES: frozenset[type[Constraint]] = frozenset(
    {
        *(Lines, Boxes, regions.Regions, regions.DiagonalDown, regions.DiagonalUp, regions.ExtraRegion),
        *(regions.DisjointGroups, regions.AntiKnight, regions.AntiKing, sums.Killer, sums.LittleKiller, sums.Arrow),
        *(sums.DoubleArrow, sums.EqualSums, sums.Zipper, lines.Thermometer, lines.SlowThermometer, lines.Whisper),
        *(lines.Palindrome, lines.Renban, lines.Nabner, lines.Between, lines.Lockout, lines.Modular, lines.Entropic),
        *(pairs.Difference, pairs.Ratio, pairs.PairSum, pairs.NonConsecutive, pairs.NoRatio, pairs.NoPairSum),
        *(pairs.Clone, pairs.Minimum, pairs.Maximum, digits.AllowedDigits, digits.Odd, digits.Even, digits.Contains),
        *(outside.Skyscraper, outside.Sandwich, outside.XSum, outside.Indexer),
    }
)
"""The constraints that a file can state."""


# what is only drawn


def _warn_drawings(file: _File, key: str) -> None:
    strange = []
    for where, entry in entries(key, file.data.get(key)):
        if key == "cage" and _is_property(entry):
            continue
        if not (any(entry.get(flag) for flag in _PICTURE) and _is_picture(file, key, entry, where)):
            strange.append(where)
    if strange:
        several = f"{len(strange)} elements are" if len(strange) > 1 else "an element is"
        names = ", ".join(strange[:3]) + (" …" if len(strange) > 3 else "")
        file.draft.warn(f"{several} only drawn, not typed: {names}")


def _is_property(entry: Entry) -> bool:
    """Whether a cage is not a rule but a title or another property for SudokuPad, or a light in its fog."""
    value = entry.get("value")
    return isinstance(value, str) and (value in ("FOW", "FOGLIGHT") or bool(_PROPERTY.fullmatch(value)))


def _is_picture(file: _File, key: str, entry: Entry, where: str) -> bool:
    """Whether an extension drew this for a rule that is also typed."""
    if key == "line":
        drawn = [straight(file.cells(line, where)) for line in items(entry.get("lines"), f"the lines of {where}")]
        return all(line in file.paths or line[::-1] in file.paths for line in drawn)
    ends = {cell for path in file.paths for cell in (path[0], path[-1])}
    places = [file.place(name, where, margin=1) for name in items(entry.get("cells"), f"the cells of {where}")]
    return all(place in file.marked or file.draft.board.at(*place) in ends for place in places)
