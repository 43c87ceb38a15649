"""JSON, one object on each line: `grid` is a list of rows of integers, null for blank, and 0 too if it is not a digit.

`box` is [height, width], needed if boxes are not square; `board` a board that is not n×n with 1..n, such as
"4x7 digits 0-6"; `rules` a list of lines of our text form; `extra` the digits of extra cells by their names. The output
of `--output-format json` can be read back.
"""

from __future__ import annotations

from typing import Any

from ringdoku.domain.board import MAX_ORDER, Board
from ringdoku.domain.errors import InputError, Place, RuleError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.base import Block, Box, Shape
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Lines
from ringdoku.text.rows import ruleset_of


def is_record(lines: Lines, _: Shape) -> bool:
    """Whether the next line is an object."""
    line = lines.peek()
    return line is not None and line.text.lstrip(" \t").startswith("{")


def read_record(lines: Lines, shape: Shape) -> Block:
    """Takes one line. Raises `InputError`."""
    board, box = shape.board, shape.box
    place = lines.place()
    line = lines.take()
    assert line is not None
    if line.fault:
        raise line.fault
    record = parse_record(line.text, place)
    rows = record.get("grid")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_ORDER:
        raise InputError(place, "no list of rows under the key grid", f"a list of 1 to {MAX_ORDER} rows")
    board = _board(record, board, place)
    columns = board.columns if board else len(rows)
    known = board or Board.square(columns)
    digits = _digits(rows, known, place)
    own = _box(record, place)
    if box and own and box != own:
        raise InputError(place, f"boxes of {own[0]}x{own[1]}", f"{box[0]}x{box[1]}, as requested")
    ruleset = _ruleset(record, board, columns, box or own or box, place)
    clues = Grid((*digits, *_extra(record, known, place)), known)
    return Block(Puzzle(ruleset, clues), Layout("json", row_end=""))


def _digits(rows: list[Any], board: Board, place: Place) -> list[int]:
    if len(rows) != board.rows:
        found = f"{counted(len(rows), 'row')} under the key grid"
        raise InputError(place, found, f"{board.rows}, for a board of {board}")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != board.columns:
            found = counted(len(row), "value") if isinstance(row, list) else _shown(row)
            raise InputError(place, f"{found} as row {number}", f"{counted(board.columns, 'integer')} in each row")
    return [_digit(digit, board, place, f"row {number}") for number, row in enumerate(rows, 1) for digit in row]


def _digit(value: object, board: Board, place: Place, where: str) -> int:
    if value is None or (value == 0 and type(value) is int and 0 not in board.digits):
        return board.blank
    if type(value) is not int or value not in board.digits:
        low = 0 if board.least == 1 else board.least
        raise InputError(place, f"{_shown(value)} in {where}", f"integers {low}-{board.greatest}")
    return value


def _board(record: dict[str, Any], given: Board | None, place: Place) -> Board | None:
    """The board of the record, or else the one that was given."""
    text = record.get("board")
    if text is None:
        return given
    from ringdoku.constraints.text import BOARD, read_board

    if not isinstance(text, str):
        raise InputError(place, f"the board {_shown(text)}", f"a text such as {BOARD.partition(' ')[2]!r}")
    try:
        board = read_board(text)
    except RuleError as error:
        raise InputError(place, f"the board {_shown(text)} ({error.problem})", error.expected) from None
    if given and board != given:
        raise InputError(place, f"a board of {board}", f"{given}, as requested")
    return board


def _extra(record: dict[str, Any], board: Board, place: Place) -> list[int]:
    """The digits of the extra cells."""
    digits = record.get("extra")
    if not isinstance(digits, dict):
        digits = {}
    if unknown := next((name for name in digits if name not in board.extra), None):
        raise InputError(place, f"the extra cell {_shown(unknown)}", f"those of the board: {' '.join(board.extra)}")
    return [_digit(digits.get(name), board, place, f"the cell {name}") for name in board.extra]


def _ruleset(record: dict[str, Any], board: Board | None, order: int, box: Box, place: Place) -> Ruleset:
    rules = record.get("rules") or []
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise InputError(place, f"the rules {_shown(rules)}", 'a list of lines, such as ["diagonal"]')
    if not board and not rules:
        return ruleset_of(order, box, place)
    from ringdoku.constraints.text import boxes_in, plain_rules, with_rules

    try:
        shape = boxes_in(rules)
        box = box if shape is None else shape
        return with_rules(plain_rules(board, box) if board else ruleset_of(order, box, place), rules)
    except RuleError as error:
        raise InputError(place, f"{error.shown} among the rules ({error.problem})", error.expected) from None
    except UsageError as error:
        raise InputError(place, f"rules that cannot be ({error})", "others") from None


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
