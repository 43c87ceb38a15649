"""n lines of n integers or marks apart, as Luogu P1784 and P1074 and NYOJ 722 have it; any order."""

from __future__ import annotations

import re
from functools import partial

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.formats.base import Block, Box, Format, ReadOne
from ringdoku.formats.layout import Drawing, Layout
from ringdoku.formats.lines import Line, Lines
from ringdoku.formats.rows import Cells, Rows, ruleset_of, take_rows
from ringdoku.formats.symbols import is_blank, is_square

_CELLS = Cells(re.compile(r"[^ \t,]+"), symbols=False)
_SHEETS = {
    # between two separators, or one and an end of the row, blanks are a cell
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
    clues, symbols, blank = rows.decode()
    # numbers get the mark that has no second meaning
    mark = "0" if not blank or (_empty_cells(rows, symbols) and not symbols) else blank
    return Block(Puzzle(ruleset, clues), _layout_like(rows, symbols, mark))


def _refuse_empty_edges(rows: Rows, above: Line | None, lines: Lines) -> None:
    """An empty row between two sheets may be the last of one, the first of the other, or neither's."""
    above = above if above and _is_row(above, rows) else None
    first, last = (_is_empty(rows.lines[row]) for row in (0, -1))
    # of tabs alone: passed over as a blank line
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


def _empty_cells(rows: Rows, symbols: str) -> list[tuple[int, int]]:
    """Row and place of each. Raises `InputError` where blanks are marked: there it is a digit that was lost."""
    cells = [(row, index, token) for row, tokens in enumerate(rows.tokens) for index, token in enumerate(tokens)]
    empty = [(row, index) for row, index, token in cells if not token.strip(" \t")]
    # `0` is a digit of 0-9A-F
    if empty and any(token.strip(" \t") and token not in symbols and is_blank(token) for _, _, token in cells):
        row, index = empty[0]
        column = rows.cells.column(rows.lines[row].text, index)
        raise InputError(rows.place(row, column), "an empty cell", "a mark, as other blank cells have one")
    return empty


def _cells_of(lines: Lines, box: Box) -> Cells:
    """Empty cells count, as in what spreadsheets give, where the first row is one of a grid with them."""
    line = lines.peek()
    text = line.text.partition("#")[0] if line else ""
    for separator, cells in _SHEETS.items():
        fields = text.split(separator)
        fits = len(fields) == box[0] * box[1] if box else is_square(len(fields))
        if len(fields) > 1 and fits and all(len(_CELLS.split(field)) <= 1 for field in fields):
            return cells
    return _CELLS


def _layout_like(rows: Rows, symbols: str, blank: str) -> Layout:
    """The way of separating cells that gives the rows as they were; one space when there is none."""
    texts = [line.text.rstrip(" \t,") for line in rows.lines]
    drawing = Drawing.bands(rows.order, rows.band) if rows.band else None
    aligned = (len(texts[0]) + 1) // rows.order - 1
    for separator, width in ((" ", 0), (",", 0), (", ", 0), ("\t", 0), (" ", aligned)):
        if texts == [
            separator.join([token.strip(" \t").rjust(width) for token in row]).rstrip(" \t,") for row in rows.tokens
        ]:
            return Layout("spaced", symbols, blank, separator, width=width, drawing=drawing)
    return Layout("spaced", symbols, blank, " ", drawing=drawing)


def _open(_: Lines, box: Box) -> ReadOne:
    return partial(_read, box)


def _layout(ruleset: Ruleset) -> Layout:
    return Layout("spaced", blank="0" if ruleset.board.least > 0 else ".", separator=" ")


SPACED = Format("spaced", "n lines of n numbers, separated by spaces, tabs or commas", _recognises, _open, _layout)
