"""f-puzzles files: JSON in which most rules are typed, as a list for each kind of rule.

An extension also draws some typed rules, for programs that do not know them; these pictures are skipped. Anything else
that is only drawn is unknown.
"""

from __future__ import annotations

import re
from typing import Any

from ringdoku.constraints.digits import AllowedDigits, Even, Odd
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Cells
from ringdoku.domain.errors import UsageError
from ringdoku.links.fpuzzles_rules import RULES, Rules
from ringdoku.links.shading import doubt_shading
from ringdoku.links.shared import (
    Draft,
    Shared,
    default_boxes,
    entries,
    full_grid,
    integer,
    items,
    load_json,
    record,
    shown,
    straight,
    text_of,
    whole,
)

SIZES = range(4, 17)
"""The sizes of boards in f-puzzles."""

_NO_EFFECT = frozenset({"size", "grid", "title", "author", "ruleset", "solution", "successMessage", "metaData"}) | {
    "disabledlogic",
    "truecandidatesoptions",
    "highlightConflicts",
    "fogofwar",
    "foglight",
}
_NOTES = frozenset({"centerPencilMarks", "cornerPencilMarks", "c", "cArray", "highlight"})
_CELL_KEYS = frozenset({"value", "given", "region", "givenPencilMarks", "parity"}) | _NOTES
_DRAWN = ("line", "rectangle", "circle", "text", "cage")
_PICTURE = ("fromConstraint", "isNewConstraint", "isLLConstraint")
_PROPERTY = re.compile(r"(title|author|rules|solution|msgcorrect|source|video|customstyle): .*", re.DOTALL)


def read_fpuzzles(text: str) -> Shared:
    """The puzzle of an f-puzzles file, which is the JSON behind a link. Raises `UsageError`."""
    data = load_json(text)
    grid = items(data.get("grid"), "the grid")
    rows = [items(row, f"row {number} of the grid") for number, row in enumerate(grid, 1)]
    size = data.get("size", len(rows))
    if type(size) is not int or size not in SIZES:
        raise UsageError(f"the size is {shown(size)}, not one of {SIZES[0]} to {SIZES[-1]}")
    if len(rows) != size or any(len(row) != size for row in rows):
        raise UsageError(f"the grid is not {size} rows of {size} cells")
    draft = Draft(Board.square(size))
    every = enumerate(cell for row in rows for cell in row)
    cells = [record(cell, f"the cell {draft.board.cell_name(number)}") for number, cell in every]
    draft.title, draft.author = text_of(data.get("title")), text_of(data.get("author"))
    draft.rules = text_of(data.get("ruleset"))
    draft.solution = _solution(data.get("solution"), draft.board)
    rules = Rules(draft, data, _read_cells(draft, cells))
    for key, value in data.items():
        if key in RULES:
            if value:
                RULES[key](rules, key, value)
        elif key not in _NO_EFFECT and key not in _DRAWN and value:
            draft.doubt(f"the key {shown(key)} is unknown")
    _doubt_drawings(rules)
    doubt_shading(draft, _colours(cells))
    return draft.shared()


def _solution(value: object, board: Board) -> Any:
    if isinstance(value, str):
        return full_grid(value.split(",") if "," in value else value, board)
    return full_grid(value, board) if isinstance(value, list) else None


def _read_cells(draft: Draft, cells: list[dict[str, Any]]) -> tuple[Cells, ...]:
    """Clues, given pencil marks and parities; returns the regions."""
    boxes = default_boxes(draft.board)
    assert boxes is not None
    box_of = {cell: place for place, box in enumerate(boxes.houses(draft.board)) for cell in box.cells}
    groups: dict[int, list[int]] = {}
    for number, cell in enumerate(cells):
        where = f"the cell {draft.board.cell_name(number)}"
        if cell.get("given") is True and cell.get("value") is not None:
            draft.clue(where, number, whole(cell["value"], where))
        if marks := items(cell.get("givenPencilMarks"), f"givenPencilMarks of {where}"):
            draft.add(where, AllowedDigits(tuple(sorted({whole(mark, where) for mark in marks})), (number,)))
        match cell.get("parity"):
            case None:
                pass
            case "Odd":
                draft.add(where, Odd((number,)))
            case "Even":
                draft.add(where, Even((number,)))
            case other:
                draft.doubt(f"{where} has the parity {shown(other)}, neither Odd nor Even")
        region = cell.get("region", box_of[number])
        if region is not None and region != -1:
            groups.setdefault(_region(region, where), []).append(number)
        for key in cell.keys() - _CELL_KEYS:
            if cell[key]:
                draft.doubt(f"the key {shown(key)} of a cell is unknown")
    regions = tuple(map(tuple, groups.values()))
    draft.add_regions(regions)
    return regions


def _region(value: object, where: str) -> int:
    number = integer(value)
    if number is None or number < 0:
        raise UsageError(f"the region of {where} is {shown(value)}, not a number from 0")
    return number


def _colours(cells: list[dict[str, Any]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for number, cell in enumerate(cells):
        several = cell.get("cArray")
        for colour in (cell.get("c"), cell.get("highlight"), *(several if isinstance(several, list) else ())):
            if colour and str(colour).upper() not in ("#FFF", "#FFFFFF"):
                found.setdefault(str(colour), set()).add(number)
    return found


def _doubt_drawings(rules: Rules) -> None:
    for key in _DRAWN:
        strange = []
        for where, entry in entries(key, rules.data.get(key)):
            if key == "cage" and _is_property(entry):
                continue
            if not (any(entry.get(flag) for flag in _PICTURE) and _is_picture(rules, key, entry, where)):
                strange.append(where)
        if strange:
            several = f"{len(strange)} elements are" if len(strange) > 1 else "an element is"
            names = ", ".join(strange[:3]) + (" …" if len(strange) > 3 else "")
            rules.draft.doubt(f"{several} only drawn, not typed: {names}")


def _is_property(entry: dict[str, Any]) -> bool:
    """Whether a cage is not a rule but a title or another property for SudokuPad, or a light in its fog."""
    value = entry.get("value")
    return isinstance(value, str) and (value in ("FOW", "FOGLIGHT") or bool(_PROPERTY.fullmatch(value)))


def _is_picture(rules: Rules, key: str, entry: dict[str, Any], where: str) -> bool:
    """Whether an extension drew this for a rule that is also typed."""
    if key == "line":
        drawn = [straight(rules.cells(line, where)) for line in items(entry.get("lines"), f"the lines of {where}")]
        return all(line in rules.paths or line[::-1] in rules.paths for line in drawn)
    ends = {cell for path in rules.paths for cell in (path[0], path[-1])}
    places = [rules.place(name, where, margin=1) for name in items(entry.get("cells"), f"the cells of {where}")]
    return all(place in rules.marked or rules.draft.board.at(*place) in ends for place in places)
