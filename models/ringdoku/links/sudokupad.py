"""SudokuPad files: cells, regions and cages are typed; all else is drawn, and the rules text explains it."""

from __future__ import annotations

import re
from typing import Any

from ringdoku.constraints.regions import AntiKing, AntiKnight
from ringdoku.constraints.sums import Killer, Sum
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cells
from ringdoku.domain.errors import UsageError
from ringdoku.links.rules_text import doubt_undrawn, means_otherwise, names
from ringdoku.links.shared import (
    Draft,
    Shared,
    entries,
    full_grid,
    integer,
    items,
    record,
    says_nothing,
    shown,
    text_of,
    whole,
)
from ringdoku.links.sudokupad_drawing import Drawing
from ringdoku.links.sudokupad_shapes import read_drawing
from ringdoku.links.zipped_json import load_zipped

_NO_EFFECT = frozenset({"id", "cellSize", "videos", "duration", "foglight", "cells", "regions", "cages"})
_METADATA = frozenset({"title", "author", "rules", "solution"})
_NO_EFFECT_METADATA = frozenset({"msgcorrect", "source", "video", "customstyle", "rowcolheaders", "norowcol"})
_DRAWN = frozenset({"lines", "arrows", "overlays", "underlays"})
_NOTES = frozenset({"value", "centremarks", "pencilMarks", "cornermarks"})
_CAGE_LOOK = frozenset({"cells", "value", "sum", "unique", "hidden", "style", "outlineC", "fontC"})
_PROPERTY = re.compile(r"([A-Za-z-]+): ?(.*)", re.DOTALL)
_MAY_REPEAT = re.compile(r"(?<!not )\b(may|can|might) repeat (with)?in (a |the )?(killer )?cage", re.IGNORECASE)


def read_sudokupad(text: str) -> Shared:
    """The puzzle of a SudokuPad file, plain or zipped JSON. Raises `UsageError`."""
    data = load_zipped(text)
    rows = [items(row, f"row {number} of the cells") for number, row in enumerate(items(data.get("cells"), "cells"), 1)]
    width = max(map(len, rows), default=0)
    if not 2 <= len(rows) <= 32 or not 2 <= width <= 32:
        raise UsageError(f"a file has 2 to 32 rows and columns, not {len(rows)} and {width}")
    groups = [_cells(group, f"region {number}", width, len(rows)) for number, group in _regions(data)]
    side = max(len(rows), width)
    order = max(map(len, groups), default=side)
    if order < side:
        raise UsageError(f"the board is {len(rows)}x{width}, but its regions have {order} cells: margins are not read")
    draft = Draft(Board(len(rows), width, 1, order))
    _read_metadata(draft, data)
    _read_cells(draft, rows)
    draft.add_regions(groups)
    if len({len(rows), width, order}) > 1:
        draft.doubt(f"the board of {len(rows)}x{width} is not a square with regions of its size")
    if not groups and "sudoku" not in draft.rules.lower():
        draft.doubt("the board has no regions, and the rules text does not say that it is a sudoku")
    drawing = Drawing(draft, data)
    _read_cages(draft, data, drawing)
    read_drawing(drawing)
    doubt_undrawn(draft)
    for key, value in data.items():
        if value and key not in _NO_EFFECT | _METADATA | _DRAWN | {"metadata", "metaData"}:
            draft.doubt(f"the key {shown(key)} is unknown")
    return draft.shared()


def _regions(data: dict[str, Any]) -> list[tuple[int, object]]:
    return [(number, group) for number, group in enumerate(items(data.get("regions"), "regions"), 1) if group]


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
                    draft.doubt(f"the key {shown(key)} of a cell is unknown")


def _read_metadata(draft: Draft, data: dict[str, Any]) -> None:
    """Title, author, rules, solution and chess moves, from an object or from cages without cells."""
    found: list[tuple[str, object]] = [(key, data[key]) for key in _METADATA if key in data]
    for name in ("metadata", "metaData"):
        found += record(data.get(name) or {}, name).items()
    for _, cage in entries("cages", data.get("cages")):
        property_ = _PROPERTY.match(str(cage.get("value"))) if not cage.get("cells") else None
        found += [(property_[1], property_[2])] if property_ else []
    rules = []
    for key, value in found:
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
                draft.add(key, AntiKnight() if key == "antiknight" else AntiKing())
            case _ if value and key not in _NO_EFFECT_METADATA:
                draft.doubt(f"the property {shown(key)} is unknown")
    draft.rules = "\n".join(rules)


def _read_cages(draft: Draft, data: dict[str, Any], drawing: Drawing) -> None:
    """Cages with sums, and killer cages without sums. Cages around extra regions are left to the drawing."""
    for where, cage in entries("cage", data.get("cages")):
        if not cage.get("cells"):
            if not _PROPERTY.match(str(cage.get("value"))):
                raise UsageError(f"{where} has no cells")
            continue
        cells = _cells(cage["cells"], where, draft.board.columns, draft.board.rows)
        if strange := sorted(key for key in cage.keys() - _CAGE_LOOK if cage[key]):
            draft.doubt(f"{where} has the unknown key {shown(strange[0])}")
        total = integer(cage.get("sum", cage.get("value")))
        if cage.get("hidden") and total is None:
            continue
        typed, look = cage.get("unique") is True, cage.get("outlineC") or cage.get("fontC")
        if total is not None and str(cage.get("value", total)) == str(total):
            if (
                means_otherwise(draft.rules, "killer cages")
                or look
                or not (typed or names(draft.rules, "killer cages"))
            ):
                draft.doubt(f"{where} has the number {total}, but the rules text does not say that it is the sum")
            elif _MAY_REPEAT.search(draft.rules) and not typed:
                draft.add(where, Sum(draft.bounded(where, total, len(cells), len(cells) * draft.board.order), cells))
            else:
                draft.add(where, Killer(total or None, cells))
        elif typed and says_nothing(cage.get("value")):
            draft.add(where, Killer(None, cells))
        elif says_nothing(cage.get("value")):
            drawing.cages.append(cells)
        else:
            draft.doubt(f"{where} has the value {shown(cage.get('value'))}, which is not a sum")
