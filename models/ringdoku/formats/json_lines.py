"""JSON, one object on each line: `grid` is a list of n rows of n integers, 0 or null for blank.

`box` is [height, width], needed if boxes are not square. The output of `--output-format json` can be read back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from ringdoku.domain.board import MAX_ORDER
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.formats.base import Block, Box, Format, ReadOne
from ringdoku.formats.layout import Layout
from ringdoku.formats.lines import Lines
from ringdoku.formats.rows import ruleset_of


@dataclass(frozen=True)
class _JsonLayout(Layout):
    def render(self, grid: Grid, ruleset: Ruleset) -> str:
        rows = ", ".join(f"[{', '.join(map(str, row))}]" for row in grid.rows)
        height, width = ruleset.box or (0, 0)
        box = "" if height == width else f', "box": [{height}, {width}]'
        return f'{{"grid": [{rows}]{box}}}'


def _recognises(lines: Lines, _: Box) -> bool:
    line = lines.peek()
    return line is not None and line.text.lstrip(" \t").startswith("{")


def _read(box: Box, lines: Lines) -> Block:
    place = lines.place()
    line = lines.take()
    assert line is not None
    if line.fault:
        raise line.fault
    record = parse_record(line.text, place)
    rows = record.get("grid")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_ORDER:
        raise InputError(place, "no list of rows under the key grid", f"a list of 1 to {MAX_ORDER} rows")
    order = len(rows)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != order:
            found = counted(len(row), "value") if isinstance(row, list) else _shown(row)
            raise InputError(place, f"{found} as row {number}", f"{counted(order, 'integer')} in each row")
        for digit in row:
            if digit is not None and (type(digit) is not int or not 0 <= digit <= order):
                raise InputError(place, f"{_shown(digit)} in row {number}", f"integers 0-{order}")
    own = _box(record, place)
    if box and own and box != own:
        raise InputError(place, f"boxes of {own[0]}x{own[1]}", f"{box[0]}x{box[1]}, as requested")
    ruleset = ruleset_of(order, box or own, place)
    clues = Grid.of_rows([[digit or 0 for digit in row] for row in rows])
    return Block(Puzzle(ruleset, clues), _layout(ruleset))


def parse_record(text: str, place: Place) -> dict[str, Any]:
    """The JSON object on a line. Raises `InputError`."""
    import json

    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        found = f"text that is not JSON ({error.msg})"
        raise InputError(Place(place.file, place.line, error.colno), found, "a JSON object on one line") from None
    except (RecursionError, ValueError):
        raise InputError(place, "JSON with too many brackets or digits", "a JSON object with the key grid") from None
    if not isinstance(record, dict):
        raise InputError(place, "JSON that is not an object", "a JSON object with the key grid")
    return record


def _box(record: dict[str, Any], place: Place) -> Box:
    match record.get("box"):
        case None:
            return None
        case [int(height), int(width)] if 1 <= height <= MAX_ORDER and 1 <= width <= MAX_ORDER:
            return height, width
        case other:
            raise InputError(place, f"the box {_shown(other)}", "its height and width, such as [2, 3]")


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 20 else f"{text[:20]}…"


def _open(_: Lines, box: Box) -> ReadOne:
    return partial(_read, box)


def _layout(_: Ruleset) -> Layout:
    return _JsonLayout("json", row_end="")


JSON = Format("json", "one object a line, with the key grid", _recognises, _open, _layout)
