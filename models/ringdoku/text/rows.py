"""Read n lines of n cells, for all formats that write each row on a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TypeAlias

from ringdoku.domain import constraint
from ringdoku.domain.board import MAX_ORDER, Board
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.ruleset import Ruleset, box_shapes, classic
from ringdoku.text.alphabets import MAX_SYMBOLS, Alphabet
from ringdoku.text.base import Box
from ringdoku.text.between import LOOK_AHEAD, Kind, kind_of, without_comment
from ringdoku.text.lines import Line, Lines
from ringdoku.text.symbols import (
    BadCellError,
    decode_numbers,
    decode_symbols,
    is_blank,
    is_square,
    quoted,
    refuse_second_zero,
    refuse_two_marks,
)


class SingleCellError(InputError):
    """A cell alone on its line, where puzzles of one cell were not asked for."""


@dataclass(frozen=True)
class Cells:
    """How a row is cut into cells: `symbols` of one character each, or separate numbers and marks."""

    pattern: re.Pattern[str]
    symbols: bool
    sheet: bool = False
    """Whether a cell may be empty, with separators on both sides or at the end of the row."""

    def trim(self, text: str) -> str:
        """A row without its comment and without meaningless blanks at its end."""
        return text.partition("#")[0].rstrip(" ") if self.sheet else without_comment(text)

    def split(self, text: str) -> list[str]:
        return self.pattern.findall(text)

    def column(self, text: str, index: int) -> int:
        """The column where cell `index` of a row starts, from 1; past the end if there are fewer cells."""
        starts = [match.start() + 1 for match in self.pattern.finditer(text)]
        return starts[index] if index < len(starts) else len(text) + 1

    @property
    def largest(self) -> int:
        """The largest order that can be written with such cells."""
        return MAX_SYMBOLS if self.symbols else MAX_ORDER


@dataclass(frozen=True)
class Rows:
    """The n rows of one puzzle. `rules` are the border lines, each with the number of rows before it."""

    file: str
    order: int
    cells: Cells
    lines: Sequence[Line]
    tokens: Sequence[Sequence[str]]
    rules: Sequence[tuple[int, str]]
    band: int
    """Rows between the blank lines inside the puzzle, 0 when there are none."""
    zero_before: bool
    """Whether the digits of an earlier puzzle of this order started at `0`."""

    @property
    def spaces(self) -> str:
        """The spaces that end every row; none unless all rows end in as many, nor in a sheet."""
        ends = {"" if self.cells.sheet else line.spaces for line in self.lines}
        return ends.pop() if len(ends) == 1 else ""

    def place(self, row: int = 0, column: int = 1) -> Place:
        return Place(self.file, self.lines[row].number, column)

    def decode(self, ruleset: Ruleset) -> tuple[Grid, Alphabet, str]:
        """The clues, their alphabet, and the first mark of a blank, "" if there is no blank."""
        flat, digits, symbols = self.read_cells(ruleset)
        return Grid(digits), symbols, flat[digits.index(0)] if 0 in digits else ""

    def read_cells(self, ruleset: Ruleset | None = None) -> tuple[list[str], tuple[int, ...], Alphabet]:
        """The text of each cell, the digits and the alphabet. Raises `InputError` for a cell that cannot be read."""
        # an empty cell of a sheet
        flat = [token if token.strip(" \t") else "." for row in self.tokens for token in row]
        digits: tuple[int, ...]
        alphabet: Alphabet
        try:
            if self.cells.symbols:
                digits, alphabet = decode_symbols("".join(flat), self.order, self.zero_before)
            else:
                digits, alphabet = decode_numbers(flat, self.order, self.zero_before)
            refuse_two_marks([token.strip(" \t") for row in self.tokens for token in row], alphabet, self.order)
            if ruleset and not self.zero_before:
                refuse_second_zero(flat, digits, alphabet, ruleset)
            return flat, digits, alphabet
        except BadCellError as error:
            row, index = 0, error.index
            while index >= len(self.tokens[row]):
                index -= len(self.tokens[row])
                row += 1
            column = self.cells.column(self.lines[row].text, index) + error.offset
            raise InputError(self.place(row, column), error.found, error.expected) from None


IsRule: TypeAlias = Callable[[str, Sequence[Sequence[str]]], bool]
"""Whether a line is a border and no row, given the rows before it."""


def take_rows(lines: Lines, cells: Cells, box: Box, is_rule: IsRule | None = None) -> Rows:
    """Takes the rows of one puzzle, as many as its first row has cells.

    Of a malformed puzzle it takes all lines that seem to belong to it, then raises the first fault.
    """
    start = lines.place()
    order = _order(lines, cells, box)
    if order == 1 and not box and not lines.single_cells:
        _refuse_single_cell(lines, cells, is_rule)
    faults: list[InputError] = []
    first = lines.peek()
    if order > cells.largest and not (first and first.fault):
        faults.append(InputError(start, f"a row of {order} cells", f"at most {cells.largest}"))
    taken: list[Line] = []
    tokens: list[list[str]] = []
    rules: list[tuple[int, str]] = []
    band = done = 0
    while done < max(1, order):
        line = lines.peek()
        kind = kind_of(line.text) if line else Kind.END
        if line and kind is Kind.BLANK and cells.sheet and len(cells.split(line.text)) == order:
            kind = Kind.CONTENT
        if line and line.fault:
            faults.append(line.fault)
        if line is None or kind not in (Kind.CONTENT, Kind.COMMENT):
            if kind is Kind.BLANK and _is_band(lines, done, order, box, band):
                band = band or done
                lines.take()
                continue
            faults.append(_too_few(lines, start, done, order, line, kind))
            if line and line.fault:
                lines.take()
            break
        lines.take()
        if kind is Kind.COMMENT:
            continue
        line = line._replace(text=cells.trim(line.text))
        if is_rule and is_rule(line.text, tokens):
            if not rules or rules[-1][0] != done:
                rules.append((done, line.text))
            continue
        done += 1
        if faults:
            # a malformed puzzle may have many long rows, so they are not kept
            continue
        row = cells.split(line.text)
        if len(row) != order or not row:
            column = cells.column(line.text, min(order, len(row)))
            place = Place(lines.file, line.number, column)
            faults.append(InputError(place, counted(len(row), "cell"), f"{order or 'some'} in this row"))
        taken.append(line)
        tokens.append(row)
    rows = Rows(lines.file, order, cells, taken, tokens, rules, band, lines.zero_order == order)
    if faults:
        if any(tokens):
            # a cell that cannot be read, above the fault or in its row, is reported first
            rows.read_cells()
        raise faults[0]
    lines.last_row = taken[-1].number
    return rows


def ruleset_of(order: int, box: Box, place: Place) -> Ruleset:
    """Rows, columns and boxes; no boxes if `box` is ().

    Raises `InputError` if the order does not fit `box`, or `box` is None and the order is not a square number.
    """
    if box and box[0] * box[1] != order:
        raise InputError(place, f"order {order}", f"order {box[0] * box[1]}, for boxes of {box[0]}x{box[1]}")
    if box == ():
        return Ruleset(Board.square(order), (constraint.Lines(),))
    if not box and not is_square(order):
        shapes = " or ".join(f"{height}x{width}" for height, width in box_shapes(order)[:2])
        raise InputError(
            place, f"order {order}, which is not a square number", f"a box shape, for example --box {shapes}"
        )
    return classic(order, box or None)


def _order(lines: Lines, cells: Cells, box: Box) -> int:
    """The number of cells of the first row, or of the second if only that is a possible order."""
    first, second = lines.peek(), lines.peek(1)
    widths = [
        len(cells.split(cells.trim(line.text)))
        for line in (first, second)
        if line and kind_of(line.text) is Kind.CONTENT
    ]
    if len(set(widths)) < 2:
        return widths[0] if widths else 0
    if box:
        return box[0] * box[1]
    if widths[0] == 1 and not lines.single_cells:
        return 1
    return next((width for width in widths if width > 1 and is_square(width)), widths[0])


def _refuse_single_cell(lines: Lines, cells: Cells, is_rule: IsRule | None) -> None:
    """Raises `SingleCellError` for a cell alone on its line that is not the whole input; takes all such lines."""
    first = lines.peek()
    row = cells.split(cells.trim(first.text)) if first and kind_of(first.text) is Kind.CONTENT else []
    if first is None or first.fault or not row:
        return
    token = row[0]
    is_cell = token == "1" or is_blank(token)
    if is_cell and not lines.begun and _nothing_follows(lines, is_rule):
        return
    place = lines.place()
    lines.take()
    count = 1
    while (line := lines.peek()) and kind_of(line.text) is Kind.CONTENT and not line.fault:
        is_border = is_rule is not None and is_rule(line.text, ())
        row = cells.split(cells.trim(line.text))
        if not is_border and (len(row) != 1 or (len(row[0]) > 1 and not is_blank(row[0]))):
            break
        lines.take()
        count += not is_border
    asked = "--box 1x1 for puzzles of one cell"
    if count > 1:
        raise SingleCellError(place, f"{count} lines of one cell", f"rows of cells, or {asked}")
    if is_cell:
        raise SingleCellError(place, "a single cell", f"a puzzle, or {asked}")
    like = " in the format of the first one" if lines.last_row > 0 and len(token) > 1 else ""
    raise SingleCellError(place, quoted(token), f"a puzzle{like}")


def _nothing_follows(lines: Lines, is_rule: IsRule | None) -> bool:
    for ahead in range(1, LOOK_AHEAD):
        line = lines.peek(ahead)
        kind = kind_of(line.text) if line else Kind.END
        if kind is Kind.END:
            return True
        if line and kind is Kind.CONTENT and not (is_rule and is_rule(line.text, ())):
            return False
    return False


def _is_band(lines: Lines, done: int, order: int, box: Box, band: int) -> bool:
    """Whether the next line, a blank one, separates bands of one puzzle: as many rows follow as came before."""
    height = band or (box[0] if box else isqrt(order) if is_square(order) else 0)
    if not height or not 0 < done < order or done % height or (done != height and not band):
        return False
    following = [lines.peek(ahead) for ahead in range(1, height + 2)]
    kinds = [kind_of(line.text) if line else Kind.END for line in following]
    return all(kind is Kind.CONTENT for kind in kinds[:-1]) and kinds[-1] is not Kind.CONTENT


def _too_few(lines: Lines, start: Place, done: int, order: int, line: Line | None, kind: Kind) -> InputError:
    if start.line == lines.last_row + 1:
        return InputError(
            start, f"{counted(done, 'row')} more directly after a puzzle", f"{counted(order, 'row')} a puzzle"
        )
    what = "the end of the input" if line is None else _NAMES[kind]
    return InputError(
        lines.place(), f"{what} after {counted(done, 'row')}", counted(order, "row") if order else "some rows"
    )


_NAMES = {
    Kind.BLANK: "a blank line",
    Kind.HEADER: "a header line",
    Kind.RULE: "a rule",
    Kind.SECTION: "a section line",
    Kind.END: "the end mark",
}
