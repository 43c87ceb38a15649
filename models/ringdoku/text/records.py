"""Puzzles as JSON objects, one a line."""

from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, TypeAlias

from ringdoku.domain import MAX_ORDER, Board, Grid, InputError, Place, Puzzle, counted, shortened
from ringdoku.text.between import Rules
from ringdoku.text.formats import Entry, Shape, fields_of, ruleset_of, states_rule
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Line, Lines

_OTHER_CLUES = ("cells", "clues", "givens", "puzzle", "puzzles", "values")
KEYS = ("grid", "box", "board", "rules", "extra")
_Record: TypeAlias = dict[str, Any]


def is_record(lines: Lines, _: Shape) -> bool:
    """Whether the next line is an object, and not one of another program with a puzzle in it and no rule."""
    text = lines.peek().text
    return text.lstrip(" \t").startswith("{") and (fields_of(text) is None or states_rule(text))


def read_record(lines: Lines, shape: Shape) -> Entry:
    """Takes one line and returns its puzzle: an object whose key `grid` has rows of integers, null or 0 for a blank.

    `box` is [height, width], needed if boxes are not square; `board` a board that is not n×n with 1..n, such as "4x7
    digits 0-6"; `rules` a list of lines of our text form; `extra` the digits of extra cells by their names. The output
    of `--output-format json` can be read back. Raises `InputError`.
    """
    place = lines.place()
    record = _load_object(lines.take_sound().text, place)
    _refuse_misspelt_keys(record, place)
    rows = record.get("grid")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_ORDER:
        raise InputError(place, "no list of rows under the key grid", f"a list of 1 to {MAX_ORDER} rows")
    rules = Rules([Line(place.line, text) for text in _rule_lines(record, place)], (), place.file)
    board, box, fault = rules.shape(shape.box, place)
    if shape.board and board not in (None, shape.board):
        fault = InputError(place, f"a board of {board}", f"{shape.board}, as requested")
    if fault:
        raise fault
    ruleset = ruleset_of(board or shape.board or len(rows), box, place)
    board = ruleset.board
    clues = Grid((*_grid_digits(rows, board, place), *_extra_digits(record, board, place)), board)
    puzzle, name = rules.applied_to(Puzzle(ruleset, clues), place), str(record.get("name") or "")
    return Entry(puzzle, Layout("json"), Place(place.file, place.line), name=name)


def _refuse_misspelt_keys(record: _Record, place: Place) -> None:
    """Raises `InputError` for a key that is nearly one of `KEYS`, or the name of a rule, which nobody would read, and
    for one with blanks beside a full grid, which is then the solution."""
    for key in record.keys() - {*KEYS}:
        if _has_blanks(record[key]) and record.get("grid") and not _has_blanks(record["grid"]):
            found = f"a full grid, and one with blanks under the key {shortened(ascii(key), 20)}"
            raise InputError(place, found, "the puzzle under the key grid")
        from ringdoku.constraints.registry import split_name

        # the cutoff keeps `bound`, a key of our answers, from passing for `board`
        near = get_close_matches(key, (*KEYS, "constraints", "variant"), 1, 0.7)
        if record.get("grid") and key in _OTHER_CLUES and isinstance(record[key], list | str):
            near = ["grid"]
        if near or (record[key] and any(split_name(word)[0] for word in (key, key.removesuffix("s")))):
            expected = near[0] if near and near[0] in KEYS else "rules"
            raise InputError(place, f"the key {shortened(ascii(key), 20)}", f"{expected!r}")


def _has_blanks(grid: object) -> bool:
    return isinstance(grid, list) and any(isinstance(row, list) and not all(row) for row in grid)


def _rule_lines(record: _Record, place: Place) -> list[str]:
    """The rules of a record as lines of the text form, with those for its board and its boxes."""
    rules = record.get("rules") or []
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        raise InputError(place, f"the rules {shortened(ascii(rules), 20)}", 'a list of lines, such as ["diagonal"]')
    board = [] if record.get("board") is None else [f"board {record['board']}"]
    match record.get("box"):
        case None:
            return [*board, *rules]
        case [int(height), int(width)] if 1 <= height <= MAX_ORDER and 1 <= width <= MAX_ORDER:
            return [*board, f"boxes {height}x{width}", *rules]
        case other:
            raise InputError(place, f"the box {shortened(ascii(other), 20)}", "its height and width, such as [2, 3]")


def _grid_digits(rows: list[Any], board: Board, place: Place) -> list[int]:
    if len(rows) != board.rows:
        found = f"{counted(len(rows), 'row')} under the key grid"
        raise InputError(place, found, f"{board.rows}, for a board of {board}")
    digits: list[int] = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != board.columns:
            found = counted(len(row), "value") if isinstance(row, list) else shortened(ascii(row), 20)
            raise InputError(place, f"{found} as row {number}", f"{counted(board.columns, 'integer')} in each row")
        digits += [_checked_digit(value, board, place, f"row {number}") for value in row]
    return digits


def _checked_digit(value: object, board: Board, place: Place, where: str) -> int:
    if value is None or (value == 0 and type(value) is int and 0 not in board.digits):
        return board.blank
    if type(value) is not int or value not in board.digits:
        low = 0 if board.least == 1 else board.least
        raise InputError(place, f"{shortened(ascii(value), 20)} in {where}", f"integers {low}-{board.greatest}")
    return value


def _extra_digits(record: _Record, board: Board, place: Place) -> list[int]:
    digits = given if isinstance(given := record.get("extra"), dict) else {}
    if unknown := next((name for name in digits if name not in board.extra), None):
        found = f"the extra cell {shortened(ascii(unknown), 20)}"
        raise InputError(place, found, f"those of the board: {' '.join(board.extra)}")
    return [_checked_digit(digits.get(name), board, place, f"the cell {name}") for name in board.extra]


def record_in(text: str) -> _Record:
    """The JSON object in a text; empty for any other text."""
    with suppress(InputError):
        return _load_object(text, Place("")) if text.startswith("{") else {}
    return {}


def _load_object(text: str, place: Place) -> _Record:
    """The JSON object on a line. Raises `InputError`."""
    import json

    try:
        record = json.loads(text)
    except (RecursionError, ValueError) as error:
        found = f"text that is not JSON ({getattr(error, 'msg', 'too many brackets or digits')})"
        place = replace(place, column=getattr(error, "colno", 1))
        raise InputError(place, found, "a JSON object on one line") from None
    if not isinstance(record, dict):
        raise InputError(place, "JSON that is not an object", "a JSON object with the key grid")
    return record
