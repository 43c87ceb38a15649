"""n lines of n integers or marks apart, as Luogu P1784 and P1074 and NYOJ 722 have it; any order."""

from __future__ import annotations

import re
from functools import partial

from ringdoku.domain.errors import InputError
from ringdoku.domain.geometry import Geometry
from ringdoku.domain.puzzle import Puzzle
from ringdoku.formats.base import Block, Box, Format, ReadOne
from ringdoku.formats.layout import Drawing, Layout
from ringdoku.formats.lines import Lines
from ringdoku.formats.rows import Cells, Rows, geometry_of, take_rows
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
    rows = take_rows(lines, _cells_of(lines, box), box)
    _refuse_gaps(rows)
    geometry = geometry_of(rows.order, box, rows.place())
    clues, symbols, blank = rows.decode()
    return Block(Puzzle(geometry, clues), _layout_like(rows, symbols, blank.strip(" \t") or "0"))


def _refuse_gaps(rows: Rows) -> None:
    """Where blanks are marked, an empty cell is a digit that was lost."""
    gaps = [
        (row, index)
        for row, tokens in enumerate(rows.tokens)
        for index, token in enumerate(tokens)
        if not token.strip(" \t")
    ]
    if gaps and len(gaps) < sum(is_blank(token) for tokens in rows.tokens for token in tokens):
        row, index = gaps[0]
        column = rows.cells.column(rows.lines[row].text, index)
        raise InputError(rows.place(row, column), "an empty cell", "a mark, as other blank cells have one")


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


def _layout(_: Geometry) -> Layout:
    return Layout("spaced", blank="0", separator=" ")


SPACED = Format("spaced", "n lines of n numbers, separated by spaces, tabs or commas", _recognises, _open, _layout)
