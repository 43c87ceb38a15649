"""Reading a grid whose board is known beforehand: any size and digits, in any layout but JSON.

A row a line, its cells apart or one character each, also between the borders of a drawing; or all cells on one line.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ringdoku.domain.board import Board
from ringdoku.domain.errors import InputError, Place, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.alphabets import Alphabet, symbols_on
from ringdoku.text.base import Block
from ringdoku.text.between import Kind, kind_of, without_comment
from ringdoku.text.drawing import drawn_layout
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Line, Lines
from ringdoku.text.symbols import (
    BadCellError,
    decode_numbers,
    decode_symbols,
    describe,
    is_blank,
    refuse_second_zero,
    refuse_two_marks,
)

_BORDER = re.compile(r"[-+=| \t\u2500-\u257f]+")
_HORIZONTAL = re.compile("--|[+=─━┄┅┈┉╌╍═]")
_BARS = re.compile(r"[|\u2500-\u257f]")
_WORD = re.compile(r"[^ \t,']+")
_CHARACTER = re.compile(r"[^ \t,']")


class _Cell(NamedTuple):
    """What stands in a cell, and the column where it starts, from 1."""

    text: str
    column: int


class _Row(NamedTuple):
    """`apart`: there is something between its cells."""

    line: Line
    cells: list[_Cell]
    apart: bool


def read_given(ruleset: Ruleset, lines: Lines) -> Block:
    """Takes the grid of `ruleset.board`. Raises `InputError`, after taking all that belongs to a malformed one."""
    board = ruleset.board
    start = lines.place()
    rows: list[_Row] = []
    fault: InputError | None = None
    drawn = False
    done = 0
    while done < board.rows:
        line = lines.peek()
        kind = kind_of(line.text) if line else Kind.END
        if line is None or kind not in (Kind.CONTENT, Kind.COMMENT):
            expected = f"{board.rows} rows of a board of {board}"
            raise fault or InputError(lines.place(), f"{_called(line, kind)} after {counted(done, 'row')}", expected)
        lines.take()
        fault = fault or line.fault
        text = without_comment(line.text)
        if kind is Kind.COMMENT or _is_border(text):
            drawn = drawn or kind is not Kind.COMMENT
            continue
        drawn = drawn or bool(_BARS.search(text))
        text = _BARS.sub(" ", text)
        if not done and (whole := _on_one_line(text, board)):
            if fault:
                raise fault
            return _line_block(ruleset, line, whole, lines)
        done += 1
        try:
            rows.append(_cut(text, line, board, start.file))
        except InputError as error:
            fault = fault or error
    if drawn and (line := lines.peek()) and not line.fault and _is_border(line.text):
        lines.take()
    if fault:
        raise fault
    digits, symbols, blank = _decode(rows, ruleset, lines)
    layout = _layout_like(ruleset, rows, drawn, symbols, blank)
    lines.last_row = rows[-1].line.number
    return Block(Puzzle(ruleset, _grid(digits, board)), layout)


def _called(line: Line | None, kind: Kind) -> str:
    return "the end of the input" if line is None else f"a {kind.name.lower()} line"


def _is_border(text: str) -> bool:
    # dashes alone are blanks
    return bool(_BORDER.fullmatch(text) and _HORIZONTAL.search(text)) and bool(text.strip("- \t"))


def _on_one_line(text: str, board: Board) -> list[_Cell]:
    """The words of a line that starts with all cells of a board of several rows."""
    words = [_Cell(found.group(), found.start() + 1) for found in _WORD.finditer(text)]
    return words if words and board.rows > 1 and len(words[0].text) == board.grid_count > board.columns else []


def _cut(text: str, line: Line, board: Board, file: str) -> _Row:
    words, characters = (
        [_Cell(found.group(), found.start() + 1) for found in pattern.finditer(text)] for pattern in (_WORD, _CHARACTER)
    )
    for cells in (words, characters):
        if len(cells) == board.columns:
            return _Row(line, cells, cells is words)
    cells = characters if len(words) == 1 else words
    column = cells[board.columns].column if len(cells) > board.columns else len(text) + 1
    raise InputError(Place(file, line.number, column), counted(len(cells), "cell"), f"{board.columns} in this row")


def _line_block(ruleset: Ruleset, line: Line, words: list[_Cell], lines: Lines) -> Block:
    """A grid on one line, and perhaps its solution and its name after it."""
    board = ruleset.board

    def grid_of(word: _Cell) -> tuple[Grid, Alphabet, str]:
        cells = [_Cell(character, word.column + place) for place, character in enumerate(word.text)]
        digits, symbols, blank = _decode([_Row(line, cells, False)], ruleset, lines)
        return _grid(digits, board), symbols, blank

    clues, symbols, blank = grid_of(words[0])
    solution = grid_of(words[1])[0] if len(words) > 1 and len(words[1].text) == board.grid_count else None
    name = " ".join(word.text for word in words[2 if solution else 1 :])
    layout = Layout("line", symbols, blank or ".", row_end="")
    return Block(Puzzle(ruleset, clues), layout, solution, name, words[1].column if solution else 0)


def _grid(digits: list[int], board: Board) -> Grid:
    return Grid((*digits, *(board.blank for _ in board.extra)), board)


def _decode(rows: list[_Row], ruleset: Ruleset, lines: Lines) -> tuple[list[int], Alphabet, str]:
    """The digits, the alphabet ("" for numbers), and the first mark of a blank ("" when there is none)."""
    board = ruleset.board
    cells = [(row.line, cell) for row in rows for cell in row.cells]
    texts = [cell.text for _, cell in cells]
    apart = any(row.apart for row in rows)
    try:
        found, symbols = _plain(texts, ruleset, apart, lines) if board.is_plain else _digits(texts, board, apart)
    except BadCellError as error:
        line, cell = cells[error.index]
        place = Place(lines.file, line.number, cell.column + error.offset)
        raise InputError(place, error.found, error.expected) from None
    except UsageError:
        place = Place(lines.file, rows[0].line.number, rows[0].cells[0].column)
        raise InputError(place, f"one character a cell on a board of {board}", "numbers, separated by spaces") from None
    blank = next((text for text, digit in zip(texts, found, strict=True) if digit == board.blank), "")
    return found, symbols, blank


def _plain(texts: list[str], ruleset: Ruleset, apart: bool, lines: Lines) -> tuple[list[int], Alphabet]:
    """As every grid of the order is read."""
    order = ruleset.order
    zero_before = lines.zero_order == order
    digits: tuple[int, ...]
    symbols: Alphabet
    if apart:
        digits, symbols = decode_numbers(texts, order, zero_before)
    else:
        digits, symbols = decode_symbols("".join(texts), order, zero_before)
    refuse_two_marks(texts, symbols, order)
    if not zero_before:
        refuse_second_zero(texts, digits, symbols, ruleset)
    return list(digits), symbols


def _digits(texts: list[str], board: Board, apart: bool) -> tuple[list[int], Alphabet]:
    """Numbers, or one character each."""
    names = {str(digit): digit for digit in board.digits}
    symbols = "" if apart else symbols_on(board)
    for alphabet in (symbols.lower(), symbols):
        names |= dict(zip(alphabet, board.digits, strict=False))
    digits: list[int] = []
    for index, text in enumerate(texts):
        if text not in names and not is_blank(text):
            found = describe(text) if len(text) == 1 else f"'{text[:20]}'"
            zero = "" if 0 in board.digits else "0 "
            raise BadCellError(index, found, f"{board.least}-{board.greatest} or a blank ({zero}. _ * ? -)")
        digits.append(names.get(text, board.blank))
    return digits, symbols


def _layout_like(ruleset: Ruleset, rows: list[_Row], drawn: bool, symbols: Alphabet, blank: str) -> Layout:
    if drawn:
        return drawn_layout(ruleset, symbols)
    if not rows[0].apart:
        return Layout("packed", symbols, blank or ".")
    separator = next((mark for mark in (", ", ",", "\t") if mark in rows[0].line.text), " ")
    return Layout("spaced", symbols, blank or ".", separator)
