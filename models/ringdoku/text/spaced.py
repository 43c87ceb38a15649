"""n lines of n separate integers or marks, as in Luogu P1784 and P1074 and NYOJ 722; any order."""

from __future__ import annotations

import re
from functools import partial

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.alphabets import Alphabet, starts_at_zero
from ringdoku.text.base import Block, Box, Format, ReadOne
from ringdoku.text.layout import Drawing, Layout
from ringdoku.text.lines import Line, Lines
from ringdoku.text.rows import Cells, Rows, ruleset_of, take_rows
from ringdoku.text.symbols import is_blank, is_square

_CELLS = Cells(re.compile(r"[^ \t,]+"), symbols=False)
_SHEETS = {
    # blanks between two separators, or between a separator and an end of the row, are a cell
    "\t": Cells(re.compile(r"[^ \t,]+|(?<![^\t]) *(?![^\t])"), symbols=False, sheet=True),
    ",": Cells(re.compile(r"[^ \t,]+|(?<![^,])[ \t]*(?![^,])"), symbols=False, sheet=True),
}


def _recognises(*_: object) -> bool:
    return True


def _read(box: Box, lines: Lines) -> Block:
    above = lines.taken
    rows = take_rows(lines, _cells_of(lines, box), box)
    if rows.cells.sheet:
        _refuse_empty_edges(rows, above, lines)
    ruleset = ruleset_of(rows.order, box, rows.place())
    clues, symbols, blank = rows.decode(ruleset)
    # among numbers from 1 only 0 can be nothing but a blank
    if not blank or (_empty_cells(rows, symbols) and not symbols):
        blank = "." if starts_at_zero(symbols) else "0"
    return Block(Puzzle(ruleset, clues), _layout_like(rows, symbols, blank))


def _refuse_empty_edges(rows: Rows, above: Line | None, lines: Lines) -> None:
    """Raises `InputError` for an empty row between two sheets: it may belong to the upper, the lower, or neither."""
    above = above if above and _is_row(above, rows) else None
    first, last = (_is_empty(rows.lines[row]) for row in (0, -1))
    # a row of tabs alone was skipped as a blank line
    passed_over = above is not None and _is_empty(above)
    if not first and not passed_over:
        return
    following = lines.peek()
    below = following if following and _is_row(following, rows) else None
    if (first and (above or below)) or (passed_over and (last or (below and not _is_empty(below)))):
        line = above if passed_over and above else rows.lines[0]
        expected = "a mark such as 0 in its blank cells, or no separators"
        raise InputError(Place(rows.file, line.number, 1), "an empty row before a sheet", expected)


def _is_row(line: Line, rows: Rows) -> bool:
    return len(rows.cells.split(line.text)) == rows.order > 1


def _is_empty(row: Line) -> bool:
    return not row.text.strip(" \t,")


def _empty_cells(rows: Rows, symbols: Alphabet) -> list[tuple[int, int]]:
    """Row and index of each empty cell. Raises `InputError` if other blanks have marks: then a digit was lost."""
    cells = [(row, index, token) for row, tokens in enumerate(rows.tokens) for index, token in enumerate(tokens)]
    empty = [(row, index) for row, index, token in cells if not token.strip(" \t")]
    digits = "0" if starts_at_zero(symbols) else ""
    if empty and any(token.strip(f" \t{digits}") and is_blank(token) for _, _, token in cells):
        row, index = empty[0]
        column = rows.cells.column(rows.lines[row].text, index)
        raise InputError(rows.place(row, column), "an empty cell", "a mark, as other blank cells have one")
    return empty


def _cells_of(lines: Lines, box: Box) -> Cells:
    """How rows are cut: with empty cells, as spreadsheets write them, if these give the first row a possible width."""
    line = lines.peek()
    text = line.text.partition("#")[0] if line else ""
    for separator, cells in _SHEETS.items():
        fields = text.split(separator)
        fits = len(fields) == box[0] * box[1] if box else is_square(len(fields))
        if len(fields) > 1 and fits and all(len(_CELLS.split(field)) <= 1 for field in fields):
            return cells
    return _CELLS


def _layout_like(rows: Rows, symbols: Alphabet, blank: str) -> Layout:
    """The layout whose separator gives the rows as they were; with one space if there is none."""
    texts = [line.text.rstrip(" \t,") for line in rows.lines]
    drawing = Drawing.bands(rows.order, rows.band) if rows.band else None
    aligned = (len(texts[0]) + 1) // rows.order - 1
    for separator, width in ((" ", 0), (",", 0), (", ", 0), ("\t", 0), (" ", aligned)):
        if texts == [
            separator.join([token.strip(" \t").rjust(width) for token in row]).rstrip(" \t,") for row in rows.tokens
        ]:
            return Layout("spaced", symbols, blank, separator, width=width, drawing=drawing, spaces=rows.spaces)
    return Layout("spaced", symbols, blank, " ", drawing=drawing)


def _open(_: Lines, box: Box) -> ReadOne:
    return partial(_read, box)


def _layout(ruleset: Ruleset) -> Layout:
    return Layout("spaced", blank="0" if ruleset.board.least > 0 else ".", separator=" ")


SPACED = Format("spaced", "n lines of n numbers, separated by spaces, tabs or commas", _recognises, _open, _layout)
