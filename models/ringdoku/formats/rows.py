"""Reading n lines of n cells, shared by the formats that write a row a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt

from ringdoku.domain import constraint
from ringdoku.domain.board import MAX_ORDER, Board
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import Ruleset, box_shapes, classic
from ringdoku.formats.base import Box
from ringdoku.formats.between import Kind, kind_of, without_comment
from ringdoku.formats.lines import Line, Lines
from ringdoku.formats.symbols import MAX_SYMBOLS, BadCellError, decode_numbers, decode_symbols, is_square


@dataclass(frozen=True)
class Cells:
    """How a row is cut into cells; `symbols`: one character each, else numbers or marks written apart."""

    pattern: re.Pattern[str]
    symbols: bool
    sheet: bool = False
    """Whether nothing between separators is a cell too, which tabs at the end of a row then show."""

    def trim(self, text: str) -> str:
        """A row without its comment, and without what is at its end for nothing."""
        return text.partition("#")[0].rstrip(" ") if self.sheet else without_comment(text)

    def split(self, text: str) -> list[str]:
        return self.pattern.findall(text)

    def column(self, text: str, index: int) -> int:
        """Where cell `index` of a row starts, from 1; past the end when there are fewer cells."""
        starts = [match.start() + 1 for match in self.pattern.finditer(text)]
        return starts[index] if index < len(starts) else len(text) + 1

    @property
    def largest(self) -> int:
        """The largest order that can be written so."""
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

    def place(self, row: int = 0, column: int = 1) -> Place:
        return Place(self.file, self.lines[row].number, column)

    def decode(self) -> tuple[Grid, str, str]:
        """The clues, the alphabet ("" for numbers), and the first mark of a blank ("" when there is none)."""
        flat, digits, symbols = self.read_cells()
        return Grid(digits), symbols, flat[digits.index(0)] if 0 in digits else ""

    def read_cells(self) -> tuple[list[str], tuple[int, ...], str]:
        """The cells as they stand, their digits and the alphabet. Raises `InputError` for what cannot be read."""
        # an empty cell of a sheet
        flat = [token if token.strip(" \t") else "." for row in self.tokens for token in row]
        try:
            if self.cells.symbols:
                return flat, *decode_symbols("".join(flat), self.order)
            return flat, *decode_numbers(flat, self.order)
        except BadCellError as error:
            row, index = 0, error.index
            while index >= len(self.tokens[row]):
                index -= len(self.tokens[row])
                row += 1
            column = self.cells.column(self.lines[row].text, index) + error.offset
            raise InputError(self.place(row, column), error.found, error.expected) from None


def take_rows(
    lines: Lines, cells: Cells, box: Box, is_rule: Callable[[str, Sequence[Sequence[str]]], bool] | None = None
) -> Rows:
    """Takes the rows of one puzzle, as many as its first row has cells.

    `is_rule` tells a border line from a row, given the rows before it. A malformed puzzle is taken as far as it seems
    to go, then its first fault is raised.
    """
    start = lines.place()
    order = _order(lines, cells, box)
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
            # a malformed puzzle is not kept: it may have many rows, and long ones
            continue
        row = cells.split(line.text)
        if len(row) != order or not row:
            column = cells.column(line.text, min(order, len(row)))
            place = Place(lines.file, line.number, column)
            faults.append(InputError(place, counted(len(row), "cell"), f"{order or 'some'} in this row"))
        taken.append(line)
        tokens.append(row)
    rows = Rows(lines.file, order, cells, taken, tokens, rules, band)
    if faults:
        if any(tokens):
            # what cannot be read further up, or in the row with the fault, comes first
            rows.read_cells()
        raise faults[0]
    lines.last_row = taken[-1].number
    return rows


def ruleset_of(order: int, box: Box, place: Place) -> Ruleset:
    """Rows, columns and boxes, none of these where `box` is ().

    Raises `InputError` when the order is not that of `box`, or is no square number and `box` is None.
    """
    if box and box[0] * box[1] != order:
        raise InputError(place, f"order {order}", f"order {box[0] * box[1]}, for boxes of {box[0]}x{box[1]}")
    if box == ():
        return Ruleset(Board.square(order), (constraint.Lines(),))
    if not box and not is_square(order):
        shapes = " or ".join(f"{height}x{width}" for height, width in box_shapes(order)[:2])
        raise InputError(place, f"order {order}, which is no square number", f"a box shape, for example --box {shapes}")
    return classic(order, box or None)


def _order(lines: Lines, cells: Cells, box: Box) -> int:
    """The cells of the first row, or of the second when only that makes sense."""
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
    return next(filter(is_square, widths), widths[0])


def _is_band(lines: Lines, done: int, order: int, box: Box, band: int) -> bool:
    """Whether the blank line that comes next stands between bands of one puzzle: as many rows follow as went before."""
    height = band or (box[0] if box else isqrt(order) if is_square(order) else 0)
    if not height or not 0 < done < order or done % height or (done != height and not band):
        return False
    following = [lines.peek(ahead) for ahead in range(1, height + 2)]
    kinds = [kind_of(line.text) if line else Kind.END for line in following]
    return all(kind is Kind.CONTENT for kind in kinds[:-1]) and kinds[-1] is not Kind.CONTENT


def _too_few(lines: Lines, start: Place, done: int, order: int, line: Line | None, kind: Kind) -> InputError:
    if start.line == lines.last_row + 1:
        return InputError(start, f"{counted(done, 'row')} more directly after a puzzle", f"{order} rows a puzzle")
    what = "the end of the input" if line is None else _NAMES[kind]
    return InputError(lines.place(), f"{what} after {counted(done, 'row')}", f"{order or 'some'} rows")


_NAMES = {
    Kind.BLANK: "a blank line",
    Kind.HEADER: "a header line",
    Kind.RULE: "a rule",
    Kind.SECTION: "a section line",
    Kind.END: "the end mark",
}


def counted(number: int, what: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
