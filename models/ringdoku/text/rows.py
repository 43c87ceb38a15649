"""Grids in rows: n lines of n characters, n lines of n numbers, and drawings with borders around boxes.

A drawing has `|` between boxes and lines of `-`, `+` or `=` between bands, or Unicode's box-drawing characters; its
borders show the box shape. Rows of a spreadsheet, with tabs or commas, may have empty cells.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isqrt

from ringdoku.domain import constraint
from ringdoku.domain.board import MAX_ORDER, Board
from ringdoku.domain.errors import InputError, Place, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset, box_shapes, classic
from ringdoku.text.base import Block, Box, Shape
from ringdoku.text.between import Kind, kind_of, without_comment
from ringdoku.text.cells import (
    MAX_SYMBOLS,
    Alphabet,
    BadCellError,
    are_glued,
    decode,
    is_blank,
    is_square,
    quoted,
    starts_at_zero,
)
from ringdoku.text.layout import Drawing, Layout, drawn_layout
from ringdoku.text.lines import Line, Lines

_BARS = "|│┃║┆┇┊┋╎╏"
_BAR = re.compile(f"[{_BARS}]")
_BORDER = re.compile(r"[-+=|* \t\u2500-\u257f]+")
_HORIZONTAL = re.compile("[-=─━┄┅┈┉╌╍═╴╶╸╺╼╾]")
_MARKS = re.compile(r"[-* \t]+")
_DASHES = re.compile(f"[- \t{_BARS}]+")
_INNER_BAR = re.compile(f"[^ \t{_BARS}][ \t]*[{_BARS}][ \t]*[^ \t{_BARS}]")
_GROUP = re.compile(r"[^ \t,]+")
_WORD = re.compile("[^ \t']+")
_MOST_BORDERS = 64
"""Border lines that are looked past for the first row of a drawing."""

CALLED = {
    Kind.BLANK: "a blank line",
    Kind.HEADER: "a header line",
    Kind.RULE: "a rule",
    Kind.SECTION: "a section line",
    Kind.END: "the end mark",
}


class SingleCellError(InputError):
    """A cell alone on its line, where puzzles of one cell were not asked for."""


@dataclass(frozen=True)
class Cells:
    """How a row is cut into cells: `symbols` of one character each, or separate numbers and marks. In a `sheet` a cell
    may be empty, with separators on both sides or at the end of the row."""

    pattern: re.Pattern[str]
    symbols: bool
    sheet: bool = False

    def trim(self, text: str) -> str:
        """A row without its comment and without meaningless blanks at its end."""
        return text.partition("#")[0].rstrip(" ") if self.sheet else without_comment(text)

    def split(self, text: str) -> list[str]:
        return self.pattern.findall(text)

    def column(self, text: str, index: int) -> int:
        """The column where cell `index` of a row starts, from 1; past the end if there are fewer cells."""
        starts = [match.start() + 1 for match in self.pattern.finditer(text)]
        return starts[index] if index < len(starts) else len(text) + 1


_PACKED = Cells(re.compile(r"[^ \t]"), symbols=True)
_SPACED = Cells(_GROUP, symbols=False)
# blanks between two separators, or between a separator and an end of the row, are a cell
_SHEETS = {
    "\t": Cells(re.compile(r"[^ \t,]+|(?<![^\t]) *(?![^\t])"), symbols=False, sheet=True),
    ",": Cells(re.compile(r"[^ \t,]+|(?<![^,])[ \t]*(?![^,])"), symbols=False, sheet=True),
}
# an apostrophe marks a clue in our own drawings without colours
_TOUCHING = Cells(re.compile(f"[^ \t'{_BARS}]"), symbols=True)
# nothing but spaces between two bars is a blank cell
_APART = Cells(re.compile(f"[^ \t'{_BARS}]+|(?<=[{_BARS}])[ \t]+(?=[{_BARS}])"), symbols=False)


def is_drawing(lines: Lines, _: Shape) -> bool:
    """Whether the next lines are borders, or have bars in them."""
    for ahead in range(_MOST_BORDERS):
        line = lines.peek(ahead)
        if line is None or kind_of(line.text) is not Kind.CONTENT:
            return False
        text = without_comment(line.text)
        if _BAR.search(text):
            return True
        if not _BORDER.fullmatch(text):
            return False
        # rows of blanks written `-` or `*` look like borders too
        if not _MARKS.fullmatch(text):
            return True
    return False


def is_packed(lines: Lines, shape: Shape) -> bool:
    """Whether the cells of the next line touch each other."""
    line = lines.peek()
    groups = _GROUP.findall(without_comment(line.text)) if line else []
    if shape.board:
        return len(groups) != shape.board.columns and "," not in groups
    return bool(groups) and are_glued(groups) and all(len(group) == len(groups[0]) for group in groups)


def is_spaced(_: Lines, __: Shape) -> bool:
    """Every other text."""
    return True


@dataclass(frozen=True)
class Rows:
    """The rows of one puzzle. `borders` are the border lines, each with the number of rows before it; `band` is the
    number of rows between blank lines inside the puzzle, 0 when there are none."""

    file: str
    columns: int
    cells: Cells
    lines: Sequence[Line]
    tokens: Sequence[Sequence[str]]
    borders: Sequence[tuple[int, str]]
    band: int

    @property
    def spaces(self) -> str:
        """The spaces that end every row; none unless all rows end in as many, nor in a sheet."""
        ends = {"" if self.cells.sheet else line.spaces for line in self.lines}
        return ends.pop() if len(ends) == 1 else ""

    @property
    def drawing(self) -> Drawing | None:
        """Blank lines between bands, if there are any."""
        return Drawing.bands(self.columns, self.band) if self.band else None

    @cached_property
    def flat(self) -> list[str]:
        """The text of each cell."""
        return [token.strip(" \t") for row in self.tokens for token in row]

    def place(self, row: int = 0, cell: int | None = None) -> Place:
        column = 1 if cell is None else self.cells.column(self.lines[row].text, cell)
        return Place(self.file, self.lines[row].number, column)

    def bars(self, row: int) -> list[int]:
        """The number of cells before each bar that has cells on both sides."""
        text = self.lines[row].text
        starts = [match.start() for match in self.cells.pattern.finditer(text)]
        return sorted({bisect(starts, match.start()) for match in _BAR.finditer(text)} - {0, self.columns})

    def decode(self, ruleset: Ruleset | None, zero_before: bool) -> tuple[tuple[int, ...], Alphabet]:
        """The digits and the alphabet. Raises `InputError` for a cell that cannot be read."""
        board = ruleset.board if ruleset else Board.square(max(1, self.columns))
        try:
            return decode(self.flat, self.cells.symbols, board, ruleset, zero_before)
        except BadCellError as error:
            row, index = 0, error.index
            while index >= len(self.tokens[row]):
                index -= len(self.tokens[row])
                row += 1
            where = self.place(row, index)
            raise InputError(replace(where, column=where.column + error.offset), error.found, error.expected) from None


def read_rows(form: str, lines: Lines, shape: Shape) -> Block:
    """Takes one grid. Raises `InputError`, after taking all lines that seem to belong to a malformed one."""
    above = lines.taken
    top = _take_borders(lines) if form == "boxed" else None
    rows = _take(form, lines, shape)
    bottom = _take_borders(lines, most=1) if form == "boxed" else None
    if rows.cells.sheet:
        _refuse_empty_edges(rows, above, lines)
    box = _box_of(rows, shape.box) if form == "boxed" and not shape.board else shape.box
    ruleset = ruleset_of(shape.board or rows.columns, box, rows.place())
    board = ruleset.board
    digits, symbols = rows.decode(ruleset, lines.zero_order == board.order)
    blank = rows.flat[digits.index(board.blank)] if board.blank in digits else ""
    puzzle = Puzzle(ruleset, Grid(tuple(digits), board))
    if form == "boxed":
        return Block(puzzle, _drawn_like(puzzle, rows, symbols, blank, (top, bottom)))
    if form == "packed":
        return Block(puzzle, Layout("packed", symbols, blank or ".", drawing=rows.drawing, spaces=rows.spaces))
    empty = _empty_cells(rows, symbols)
    return Block(puzzle, _spaced_like(rows, symbols, blank or _usual_blank(board, symbols, empty)))


def _usual_blank(board: Board, symbols: Alphabet, empty: bool) -> str:
    # among numbers from 1 only 0 can be nothing but a blank
    return "." if 0 in board.digits or starts_at_zero(symbols) or (empty and symbols) else "0"


def _box_of(rows: Rows, box: Box) -> Box:
    """The boxes of a drawing. Raises `InputError` if others are asked for."""
    shown = _shown_box(rows)
    if box and shown and box != shown:
        found = f"boxes of {shown[0]}x{shown[1]} in the drawing"
        raise InputError(rows.place(), found, f"{box[0]}x{box[1]}, as requested")
    return box or shown or box


def ruleset_of(board: Board | int, box: Box, place: Place) -> Ruleset:
    """Rows, columns and boxes on a board, or on that of an order; no boxes if `box` is ().

    Raises `InputError` if they do not fit `box`, or `box` is None and the order is not a square number.
    """
    if isinstance(board, Board):
        from ringdoku.constraints.text import plain_rules

        try:
            return plain_rules(board, box)
        except UsageError as error:
            expected = "boxes that it can have, or the line `no boxes`"
            raise InputError(place, f"a board of {board} ({error})", expected) from None
    if box and box[0] * box[1] != board:
        raise InputError(place, f"order {board}", f"order {box[0] * box[1]}, for boxes of {box[0]}x{box[1]}")
    if box == ():
        return Ruleset(Board.square(board), (constraint.Lines(),))
    if not box and not is_square(board):
        shapes = " or ".join(f"{height}x{width}" for height, width in box_shapes(board)[:2])
        raise InputError(
            place, f"order {board}, which is not a square number", f"a box shape, for example --box {shapes}"
        )
    return classic(board, box or None)


# taking lines


def _take(form: str, lines: Lines, shape: Shape) -> Rows:
    """As many rows as the first one has cells, or as the board has; then raises the first fault."""
    start, board = lines.place(), shape.board
    cells = _cells_of(form, lines, shape)
    columns = board.columns if board else _order(lines, cells, shape)
    count = board.rows if board else columns
    if columns == 1 and not board and not shape.box and not lines.single_cells:
        _refuse_single_cell(lines, cells)
    taking = _Taking(form, lines, cells, columns, count, shape.box)
    if fault := _too_wide(lines, cells, columns):
        taking.faults.append(fault)
    while taking.done < max(1, count) and taking.take(start):
        pass
    rows = Rows(lines.file, columns, cells, taking.lines, taking.tokens, taking.borders, taking.band)
    if taking.faults:
        if any(taking.tokens) and not board:
            # a cell that cannot be read, above the fault or in its row, is reported first
            rows.decode(None, lines.zero_order == columns)
        raise taking.faults[0]
    lines.last_row = taking.lines[-1].number
    return rows


def _too_wide(lines: Lines, cells: Cells, columns: int) -> InputError | None:
    largest, first = MAX_SYMBOLS if cells.symbols else MAX_ORDER, lines.peek()
    if columns <= largest or (first and first.fault):
        return None
    return InputError(lines.place(), f"a row of {columns} cells", f"at most {largest}")


class _Taking:
    """The rows that were taken up to now, and what is wrong with them."""

    def __init__(self, form: str, source: Lines, cells: Cells, columns: int, count: int, box: Box) -> None:
        self._form, self._source, self._cells = form, source, cells
        self._columns, self._count, self._box = columns, count, box
        self.faults: list[InputError] = []
        self.lines: list[Line] = []
        self.tokens: list[list[str]] = []
        self.borders: list[tuple[int, str]] = []
        self.band = self.done = 0

    def take(self, start: Place) -> bool:
        """Takes the next line if it belongs to the puzzle that begins at `start`."""
        source = self._source
        line = source.peek()
        kind = _kind(line, self._cells, self._columns)
        if line and line.fault:
            self.faults.append(line.fault)
        if line is None or kind not in (Kind.CONTENT, Kind.COMMENT):
            if kind is Kind.BLANK and _is_band(source, self.done, self._count, self._box, self.band):
                self.band = self.band or self.done
                source.take()
                return True
            self.faults.append(_too_few(source, start, self.done, self._count, line, kind))
            if line and line.fault:
                source.take()
            return False
        source.take()
        if kind is Kind.CONTENT:
            self._add(line._replace(text=self._cells.trim(line.text)))
        return True

    def _add(self, line: Line) -> None:
        if self._form == "boxed" and _is_border(line.text, self.tokens):
            if not self.borders or self.borders[-1][0] != self.done:
                self.borders.append((self.done, line.text))
            return
        self.done += 1
        if self.faults:
            # a malformed puzzle may have many long rows, so they are not kept
            return
        row = self._cells.split(line.text)
        if len(row) != self._columns or not row:
            column = self._cells.column(line.text, min(self._columns, len(row)))
            place = Place(self._source.file, line.number, column)
            self.faults.append(InputError(place, counted(len(row), "cell"), f"{self._columns or 'some'} in this row"))
        self.lines.append(line)
        self.tokens.append(row)


def _kind(line: Line | None, cells: Cells, columns: int) -> Kind:
    if line is None:
        return Kind.END
    kind = kind_of(line.text)
    empty_row = kind is Kind.BLANK and cells.sheet and len(cells.split(line.text)) == columns
    return Kind.CONTENT if empty_row else kind


def _take_borders(lines: Lines, most: int = _MOST_BORDERS) -> str | None:
    """Takes border lines, and returns the last of them."""
    found = None
    while most and (line := lines.peek()):
        comment = kind_of(line.text) is Kind.COMMENT
        if not (comment and most > 1) and not (kind_of(line.text) is Kind.CONTENT and _is_border(line.text, ())):
            break
        if line.fault and most == 1:
            break
        lines.take()
        if line.fault:
            raise line.fault
        found = found if comment else line.text
        most -= 1
        lines.last_row = line.number if not most else lines.last_row
    return found


def _is_border(text: str, before: Sequence[Sequence[str]]) -> bool:
    if not _BORDER.fullmatch(text) or not _HORIZONTAL.search(text):
        return False
    if not _DASHES.fullmatch(text):
        return True
    if not _INNER_BAR.search(text):
        return "--" in text
    # `---|---|---` is a row of blanks, unless the rows above have another mark for blanks
    return any(is_blank(token) and "-" not in token for row in before[:9] for token in row)


def _cells_of(form: str, lines: Lines, shape: Shape) -> Cells:
    """How the next row is cut."""
    line = lines.peek()
    text = line.text.partition("#")[0] if line else ""
    if form == "packed":
        return _PACKED
    if form == "boxed":
        groups = [_WORD.findall(group) for group in _BAR.split(text.rstrip(" \t"))]
        words = [group[0] for group in groups if len(group) == 1]
        touching = words and all(len(group) <= 1 for group in groups) and are_glued(words)
        return _TOUCHING if touching else _APART
    columns = shape.board.columns if shape.board else shape.box and shape.box[0] * shape.box[1]
    return next((cells for mark, cells in _SHEETS.items() if _is_sheet(text.split(mark), columns)), _SPACED)


def _is_sheet(fields: list[str], columns: int | tuple[()] | None) -> bool:
    fits = len(fields) == columns if columns else is_square(len(fields))
    return len(fields) > 1 and fits and all(len(_GROUP.findall(field)) <= 1 for field in fields)


def _order(lines: Lines, cells: Cells, shape: Shape) -> int:
    """The number of cells of the first row, or of the second if only that is a possible order."""
    near = [line for line in (lines.peek(), lines.peek(1)) if line and kind_of(line.text) is Kind.CONTENT]
    widths = [len(cells.split(cells.trim(line.text))) for line in near]
    if len(set(widths)) < 2:
        return widths[0] if widths else 0
    if shape.box:
        return shape.box[0] * shape.box[1]
    if widths[0] == 1 and not lines.single_cells:
        return 1
    return next((width for width in widths if width > 1 and is_square(width)), widths[0])


def _refuse_single_cell(lines: Lines, cells: Cells) -> None:
    """Takes a line of one cell, and raises `SingleCellError`; nothing where the line has a fault or is no cell."""
    place, line = lines.place(), lines.peek()
    if line is None or line.fault or kind_of(line.text) is not Kind.CONTENT:
        return
    lines.take()
    token = cells.split(cells.trim(line.text))[0]
    if token == "1" or is_blank(token):
        raise SingleCellError(place, "a single cell", "a puzzle, or --box 1x1 for puzzles of one cell")
    like = " in the format of the first one" if lines.last_row > 0 and len(token) > 1 else ""
    raise SingleCellError(place, quoted(token), f"a puzzle{like}")


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
        found = f"{counted(done, 'row')} more directly after a puzzle"
        return InputError(start, found, f"{counted(order, 'row')} a puzzle")
    what = "the end of the input" if line is None else CALLED[kind]
    expected = counted(order, "row") if order else "some rows"
    return InputError(lines.place(), f"{what} after {counted(done, 'row')}", expected)


# spreadsheets


def _refuse_empty_edges(rows: Rows, above: Line | None, lines: Lines) -> None:
    """Raises `InputError` for an empty row between two sheets: it may belong to the upper, the lower, or neither."""
    above, below = (line if line and _is_row(line, rows) else None for line in (above, lines.peek()))
    first, last = (_is_empty(rows.lines[row]) for row in (0, -1))
    # a row of tabs alone was skipped as a blank line
    passed_over = above is not None and _is_empty(above)
    if (first and (above or below)) or (passed_over and (last or (below and not _is_empty(below)))):
        line = above if passed_over and above else rows.lines[0]
        expected = "a mark such as 0 in its blank cells, or no separators"
        raise InputError(Place(rows.file, line.number, 1), "an empty row before a sheet", expected)


def _is_row(line: Line, rows: Rows) -> bool:
    return len(rows.cells.split(line.text)) == rows.columns > 1


def _is_empty(row: Line) -> bool:
    return not row.text.strip(" \t,")


def _empty_cells(rows: Rows, symbols: Alphabet) -> bool:
    """Whether there are empty cells. Raises `InputError` if other blanks have marks: then a digit was lost."""
    cells = [(row, index, token) for row, tokens in enumerate(rows.tokens) for index, token in enumerate(tokens)]
    empty = [(row, index) for row, index, token in cells if not token.strip(" \t")]
    digits = "0" if starts_at_zero(symbols) else ""
    if empty and any(token.strip(f" \t{digits}") and is_blank(token) for _, _, token in cells):
        raise InputError(rows.place(*empty[0]), "an empty cell", "a mark, as other blank cells have one")
    return bool(empty)


def _spaced_like(rows: Rows, symbols: Alphabet, blank: str) -> Layout:
    """The layout whose separator gives the rows as they were; with one space if there is none."""
    texts = [line.text.rstrip(" \t,") for line in rows.lines]
    aligned = (len(texts[0]) + 1) // rows.columns - 1
    for separator, width in ((" ", 0), (",", 0), (", ", 0), ("\t", 0), (" ", aligned)):
        padded = [[token.strip(" \t").rjust(width) for token in row] for row in rows.tokens]
        if texts == [separator.join(row).rstrip(" \t,") for row in padded]:
            return Layout("spaced", symbols, blank, separator, width=width, drawing=rows.drawing, spaces=rows.spaces)
    return Layout("spaced", symbols, blank, " ", drawing=rows.drawing)


# drawings


def _shown_box(rows: Rows) -> tuple[int, int] | None:
    """The box shape that the borders show; None if there are no inner borders, or borders around every cell."""
    inner = rows.bars(0)
    for row in range(1, rows.columns):
        _same_bars(rows, row, inner, rows.bars(row))
    width = _step(rows, inner, "column")
    height = _step(rows, [before for before, _ in rows.borders if 0 < before < rows.columns], "row")
    if not width and not height:
        return None
    width = width or rows.columns // height
    height = height or rows.columns // width
    if width * height != rows.columns:
        raise InputError(rows.place(), f"boxes of {height}x{width} in the drawing", f"boxes of {rows.columns} cells")
    return height, width


def _same_bars(rows: Rows, row: int, expected: list[int], found: list[int]) -> None:
    if found == expected:
        return
    cell = min(set(found) ^ set(expected))
    like = f"as in line {rows.lines[0].number}"
    what, wanted = ("a border", f"none, {like}") if cell in found else ("no border", f"one, {like}")
    raise InputError(rows.place(row, cell), f"{what} before cell {cell + 1}", wanted)


def _step(rows: Rows, borders: list[int], what: str) -> int:
    """The distance between borders at equal distances; 0 if they do not show boxes."""
    if not borders:
        return 0
    step = borders[0]
    if borders != list(range(step, rows.columns, step)) or rows.columns % step:
        places = ", ".join(map(str, borders[:20]))
        raise InputError(rows.place(), f"borders after {what} {places}", "borders at equal distances")
    return step if step > 1 else 0


def _drawn_like(
    puzzle: Puzzle, rows: Rows, symbols: Alphabet, blank: str, ends: tuple[str | None, str | None]
) -> Layout:
    """The layout that draws the puzzle as its input did; the usual drawing if there is no such layout.

    `ends` are the border lines above and below the grid.
    """
    plain = replace(drawn_layout(puzzle.ruleset, symbols), gap=False)
    text, bars = rows.lines[0].text, rows.bars(0)
    stops = [match.end() for match in rows.cells.pattern.finditer(text)]
    across = bars[0] if bars else rows.columns
    separator, width = ("", 1) if rows.cells.symbols else (" ", plain.width)
    if separator and across > 1:
        width = stops[1] - stops[0] - 1
    if width < 1 or stops[0] < width:
        return plain
    inside = {before: border for before, border in rows.borders if before}
    drawing = Drawing(
        across,
        min(inside, default=rows.columns),
        ends[0],
        next(iter(inside.values()), None),
        ends[1],
        text[: stops[0] - width],
        text[stops[across - 1] : stops[across] - width] if bars else "",
        text[stops[-1] :],
    )
    layout = replace(plain, blank=blank or plain.blank, separator=separator, width=width, drawing=drawing)
    source = [ends[0]]
    for number, line in enumerate(rows.lines):
        source += [inside.get(number), line.text]
    source.append(ends[1])
    drawn = layout.render(puzzle.clues, puzzle.ruleset)
    return layout if drawn.split("\n") == [line for line in source if line is not None] else plain
