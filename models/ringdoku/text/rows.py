"""Grids in rows: n lines of n characters, n lines of n numbers, and drawings with borders around boxes.

A drawing has `|` between boxes and lines of `-`, `+` or `=` between bands, or Unicode's box-drawing characters; its
borders show the box shape. Rows of a spreadsheet, with tabs or commas, may have empty cells.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isqrt
from typing import NamedTuple, TypeAlias

from ringdoku.domain.board import MAX_ORDER, Board
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.cells import MAX_SYMBOLS, Alphabet, BadCellError, are_glued, decode, is_blank, is_square, quoted
from ringdoku.text.formats import Block, Box, Shape, fields_of, ruleset_of
from ringdoku.text.layout import CELL, Layout, like_rows
from ringdoku.text.lines import LOOK_AHEAD, Kind, Line, Lines, without_comment

_BARS = "|│┃║┆┇┊┋╎╏"
_BAR = re.compile(f"[{_BARS}]")
_BORDER = re.compile(r"[-+=|* \t\u2500-\u257f]+")
_HORIZONTAL = re.compile("[-=─━┄┅┈┉╌╍═╴╶╸╺╼╾]")
_MARKS = re.compile(r"[-* \t]+")
_DASHES = re.compile(f"[- \t{_BARS}]+")
_INNER_BAR = re.compile(f"[^ \t{_BARS}][ \t]*[{_BARS}][ \t]*[^ \t{_BARS}]")
_GROUP = re.compile(r"[^ \t,]+")
_WORD = re.compile("[^ \t']+")
_PACKED = re.compile(r"[^ \t]")
# blanks between two separators, or between a separator and an end of the row, are a cell
_SHEETS = {
    "\t": re.compile(r"[^ \t,]+|(?<![^\t]) *(?![^\t])"),
    ",": re.compile(r"[^ \t,]+|(?<![^,])[ \t]*(?![^,])"),
}
# an apostrophe marks a clue in our own drawings without colours
_TOUCHING = re.compile(f"[^ \t'{_BARS}]")
# nothing but spaces between two bars is a blank cell
_APART = re.compile(f"[^ \t'{_BARS}]+|(?<=[{_BARS}])[ \t]*(?=[{_BARS}])")

Cut: TypeAlias = re.Pattern[str]
"""How a row is cut into cells."""


def is_drawing(lines: Lines, _: Shape) -> bool:
    """Whether the next lines are borders, or have bars in them."""
    for ahead in range(LOOK_AHEAD):
        line = lines.peek(ahead)
        if line is None or line.kind is not Kind.CONTENT:
            return False
        text = without_comment(line.text)
        if _BAR.search(text):
            return fields_of(text) is None
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


class _Row(NamedTuple):
    line: Line
    text: str
    cells: list[re.Match[str]]


@dataclass
class _Taken:
    """The rows of one grid, and all its lines for the layout."""

    form: str
    cut: Cut
    columns: int
    rows: list[_Row] = field(default_factory=list)
    drawn: list[str | _Row] = field(default_factory=list)
    fault: InputError | None = None

    @property
    def is_sheet(self) -> bool:
        return self.cut in _SHEETS.values()

    def trim(self, text: str) -> str:
        """A row without its comment and without meaningless blanks at its end."""
        return text.partition("#")[0].rstrip(" ") if self.is_sheet else without_comment(text)

    @property
    def flat(self) -> list[str]:
        """The text of each cell."""
        return [cell[0].strip(" \t") for row in self.rows for cell in row.cells]

    def place(self, file: str, index: int, offset: int = 0) -> Place:
        """Where a cell is."""
        cells = [(row.line.number, cell.start()) for row in self.rows for cell in row.cells]
        number, column = cells[index] if cells else (self.rows[0].line.number, 0)
        return Place(file, number, column + 1 + offset)

    def decode(self, file: str, board: Board) -> tuple[tuple[int, ...], Alphabet]:
        """The digits and the alphabet. Raises `InputError` for a cell that cannot be read."""
        try:
            return decode(self.flat, self.cut in (_PACKED, _TOUCHING), board)
        except BadCellError as error:
            raise InputError(self.place(file, error.index, error.offset), error.found, error.expected) from None

    def bars(self, row: _Row) -> list[int]:
        """The number of cells before each bar that has cells on both sides."""
        starts = [cell.start() for cell in row.cells]
        return sorted({bisect(starts, bar.start()) for bar in _BAR.finditer(row.text)} - {0, self.columns})

    @property
    def borders(self) -> list[int]:
        """The number of rows before each inner border line."""
        found, rows = [], 0
        for line in self.drawn:
            rows += not isinstance(line, str)
            if isinstance(line, str) and line and 0 < rows < len(self.rows) and rows not in found:
                found.append(rows)
        return found


def read_rows(form: str, lines: Lines, shape: Shape) -> Block:
    """Takes one grid. Raises `InputError`, after taking all lines that seem to belong to a malformed one."""
    above = lines.taken
    grid = _take(form, lines, shape)
    start = Place(lines.file, grid.rows[0].line.number, 1)
    if grid.is_sheet:
        _refuse_empty_first_row(grid, above, lines)
    box = shape.box
    if form == "boxed" and not shape.board:
        box = _shown_box(grid, lines.file, box) or box
    ruleset = ruleset_of(shape.board or grid.columns, box, start)
    digits, symbols = grid.decode(lines.file, ruleset.board)
    puzzle = Puzzle(ruleset, Grid(digits, ruleset.board))
    return Block(puzzle, _layout_of(grid, puzzle, symbols, lines.file))


def _layout_of(grid: _Taken, puzzle: Puzzle, symbols: Alphabet, file: str) -> Layout:
    """The layout of the input. Raises `InputError` for an empty cell where other blanks have marks: it lost a digit."""
    board, flat = puzzle.board, grid.flat
    digits = puzzle.clues.digits[: board.grid_count]
    if grid.is_sheet and "" in flat and any(cell and is_blank(cell) for cell in flat):
        place = grid.place(file, flat.index(""))
        raise InputError(place, "an empty cell", "a mark, as other blank cells have one")
    usual = "." if grid.form != "spaced" or 0 in board.digits or symbols else "0"
    blank = (flat[digits.index(board.blank)] if board.blank in digits else "") or usual
    if grid.is_sheet:
        gaps = {row.text[cell.end() : after.start()] for row in grid.rows for cell, after in pairwise(row.cells)}
        row = max(gaps, key=len).join([CELL] * grid.columns)
        return Layout(grid.form, symbols, blank, "\n".join([row] * len(grid.rows)))
    drawn = [line if isinstance(line, str) else _drawn(line) for line in grid.drawn]
    return like_rows(grid.form, symbols, blank, drawn, max(len(str(board.least)), len(str(board.greatest))))


def _drawn(row: _Row) -> tuple[str, str, list[tuple[int, int]]]:
    """The text of a row, the spaces that end it, and where cells start and end; an empty one between bars is in the
    middle of them."""
    spans = []
    for cell in row.cells:
        start, end = cell.span()
        if end > start and not cell[0].strip(" \t"):
            start = (start + end) // 2
            end = start + 1
        spans.append((start, end))
    return row.text, row.line.spaces, spans


# taking lines


def _take(form: str, lines: Lines, shape: Shape) -> _Taken:
    """As many rows as the first one has cells, or as the board has; then raises the first fault."""
    start, board = lines.place(), shape.board
    grid = _Taken(form, _GROUP, 0)
    grid.drawn += _take_borders(lines) if form == "boxed" else []
    _measure(grid, lines, shape)
    count = max(1, board.rows if board else grid.columns)
    done = band = 0
    while done < count:
        line = lines.peek()
        kind = line.kind if line else Kind.END
        if line and line.fault:
            grid.fault = grid.fault or line.fault
        if kind is Kind.BLANK and _is_band(lines, done, count, shape.box, band):
            band = band or done
            grid.drawn.append("")
        elif line is None or kind not in (Kind.CONTENT, Kind.COMMENT):
            expected = counted(count, "row") if board or grid.columns else "some rows"
            grid.fault = grid.fault or _too_few(lines, start, done, expected, kind)
            break
        elif kind is Kind.CONTENT:
            done += _add(grid, line, lines.file)
        lines.take()
    if grid.fault:
        _raise(grid, lines, shape)
    lines.last_row = grid.rows[-1].line.number
    if form == "boxed" and (border := _take_borders(lines, most=1)):
        lines.last_row += 1
        grid.drawn += border
    return grid


def _raise(grid: _Taken, lines: Lines, shape: Shape) -> None:
    """Raises the fault, unless a cell above it or in its row cannot be read."""
    if (line := lines.peek()) and line.fault is grid.fault:
        lines.take()
    if any(row.cells for row in grid.rows) and not shape.board:
        grid.decode(lines.file, Board.square(max(1, grid.columns)))
    assert grid.fault
    raise grid.fault


def _measure(grid: _Taken, lines: Lines, shape: Shape) -> None:
    """Finds how the next line is cut into cells, and how many there are. Raises `InputError` for a single cell."""
    grid.cut = _cut_of(grid.form, lines, shape)
    grid.columns = shape.board.columns if shape.board else _order(lines, grid, shape)
    if grid.columns == 1 and not shape.board and not shape.box:
        _refuse_single_cell(lines, grid.cut)
    largest = MAX_SYMBOLS if grid.cut in (_PACKED, _TOUCHING) else MAX_ORDER
    if grid.columns > largest and (first := lines.peek()) and not first.fault:
        grid.fault = InputError(lines.place(), f"a row of {grid.columns} cells", f"at most {largest}")


def _add(grid: _Taken, line: Line, file: str) -> bool:
    """Adds a line; whether it is a row."""
    text = grid.trim(line.text)
    if grid.form == "boxed" and _is_border(text, grid.rows):
        grid.drawn.append(text)
        return False
    if grid.fault:
        # a malformed puzzle may have many long rows, so they are not kept
        return True
    row = _Row(line, text, list(grid.cut.finditer(text)))
    if len(row.cells) != grid.columns or not row.cells:
        column = row.cells[grid.columns].start() if len(row.cells) > grid.columns else len(text)
        expected = f"{grid.columns or 'some'} in this row"
        grid.fault = InputError(Place(file, line.number, column + 1), counted(len(row.cells), "cell"), expected)
    grid.rows.append(row)
    grid.drawn.append(row)
    return True


def _take_borders(lines: Lines, most: int = LOOK_AHEAD) -> list[str]:
    """Takes border lines, and comments among those above a grid."""
    found: list[str] = []
    while len(found) < most and (line := lines.peek()):
        comment = line.kind is Kind.COMMENT and most > 1
        if not comment and not (line.kind is Kind.CONTENT and _is_border(without_comment(line.text), ())):
            break
        if line.fault and most == 1:
            break
        lines.take()
        if line.fault:
            raise line.fault
        found += [] if comment else [line.text]
    return found


def _is_border(text: str, before: Sequence[_Row]) -> bool:
    if not _BORDER.fullmatch(text) or not _HORIZONTAL.search(text):
        return False
    if not _DASHES.fullmatch(text):
        return True
    if not _INNER_BAR.search(text):
        return "--" in text
    # `---|---|---` is a row of blanks, unless the rows above have another mark for blanks
    return any(is_blank(cell[0]) and "-" not in cell[0] for row in before[:9] for cell in row.cells)


def _cut_of(form: str, lines: Lines, shape: Shape) -> Cut:
    """How the next row is cut."""
    line = lines.peek()
    text = line.text.partition("#")[0] if line else ""
    if form == "packed":
        return _PACKED
    if form == "boxed":
        groups = [_WORD.findall(group) for group in _BAR.split(text.rstrip(" \t"))]
        words = [group[0] for group in groups if len(group) == 1]
        return _TOUCHING if words and all(len(group) <= 1 for group in groups) and are_glued(words) else _APART
    columns = shape.board.columns if shape.board else shape.box and shape.box[0] * shape.box[1]
    return next((cut for mark, cut in _SHEETS.items() if _is_sheet(text.split(mark), columns)), _GROUP)


def _is_sheet(fields: list[str], columns: int | tuple[()] | None) -> bool:
    fits = len(fields) == columns if columns else is_square(len(fields))
    return len(fields) > 1 and fits and all(len(_GROUP.findall(field)) <= 1 for field in fields)


def _order(lines: Lines, grid: _Taken, shape: Shape) -> int:
    """The number of cells of the first row, or of the second if only that is a possible order."""
    near = [line for line in (lines.peek(), lines.peek(1)) if line and line.kind is Kind.CONTENT]
    widths = [len(grid.cut.findall(grid.trim(line.text))) for line in near]
    if len(set(widths)) < 2:
        return widths[0] if widths else 0
    if shape.box:
        return shape.box[0] * shape.box[1]
    return 1 if widths[0] == 1 else next((width for width in widths if width > 1 and is_square(width)), widths[0])


def _refuse_single_cell(lines: Lines, cut: Cut) -> None:
    """Takes a line of one cell, and raises `InputError`; nothing where the line has a fault or is no cell."""
    place, line = lines.place(), lines.peek()
    if line is None or line.fault or line.kind is not Kind.CONTENT:
        return
    lines.take()
    token = cut.findall(without_comment(line.text))[0]
    if token == "1" or is_blank(token):
        raise InputError(place, "a single cell", "a puzzle, or --box 1x1 for puzzles of one cell")
    like = " in the format of the first one" if lines.last_row > 0 and len(token) > 1 else ""
    raise InputError(place, quoted(token), f"a puzzle{like}")


def _is_band(lines: Lines, done: int, order: int, box: Box, band: int) -> bool:
    """Whether the next line, a blank one, separates bands of one puzzle: as many rows follow as came before."""
    height = band or (box[0] if box else isqrt(order) if is_square(order) else 0)
    if not height or not 0 < done < order or done % height or (done != height and not band):
        return False
    following = [lines.peek(ahead) for ahead in range(1, height + 2)]
    kinds = [line.kind if line else Kind.END for line in following]
    return all(kind is Kind.CONTENT for kind in kinds[:-1]) and kinds[-1] is not Kind.CONTENT


def _too_few(lines: Lines, start: Place, done: int, expected: str, kind: Kind) -> InputError:
    if start.line == lines.last_row + 1:
        return InputError(start, f"{counted(done, 'row')} more directly after a puzzle", f"{expected} a puzzle")
    what = kind.value if lines.peek() else "the end of the input"
    return InputError(lines.place(), f"{what} after {counted(done, 'row')}", expected)


# spreadsheets


def _refuse_empty_first_row(grid: _Taken, above: Line | None, lines: Lines) -> None:
    """Raises `InputError` for a sheet that begins with an empty row and has a row of its width directly above or below:
    that row may belong to either."""

    def is_row(line: Line | None) -> bool:
        return line is not None and len(grid.cut.findall(line.text)) == grid.columns

    if not grid.rows[0].text.strip(" \t,") and (is_row(above) or is_row(lines.peek())):
        place = Place(lines.file, grid.rows[0].line.number, 1)
        raise InputError(place, "an empty row before a sheet", "a mark such as 0 in its blank cells, or no separators")


# drawings


def _shown_box(grid: _Taken, file: str, asked: Box) -> tuple[int, int] | None:
    """The box shape that the borders show; None if there are no inner borders, or borders around every cell. Raises
    `InputError` if another one was asked for."""
    start = Place(file, grid.rows[0].line.number, 1)
    inner = grid.bars(grid.rows[0])
    for number, row in enumerate(grid.rows):
        found = grid.bars(row)
        if found != inner:
            cell = min(set(found) ^ set(inner))
            like = f"as in line {start.line}"
            what, wanted = ("a border", f"none, {like}") if cell in found else ("no border", f"one, {like}")
            raise InputError(grid.place(file, number * grid.columns + cell), f"{what} before cell {cell + 1}", wanted)
    width = _step(inner, grid.columns, "column", start)
    height = _step(grid.borders, grid.columns, "row", start)
    if not width and not height:
        return None
    width = width or grid.columns // height
    height = height or grid.columns // width
    if width * height != grid.columns or (asked and asked != (height, width)):
        expected = f"{asked[0]}x{asked[1]}, as requested" if asked else f"boxes of {grid.columns} cells"
        raise InputError(start, f"boxes of {height}x{width} in the drawing", expected)
    return height, width


def _step(borders: list[int], order: int, what: str, start: Place) -> int:
    """The distance between borders at equal distances; 0 if they do not show boxes."""
    if not borders:
        return 0
    step = borders[0]
    if borders != list(range(step, order, step)) or order % step:
        places = ", ".join(map(str, borders[:20]))
        raise InputError(start, f"borders after {what} {places}", "borders at equal distances")
    return step if step > 1 else 0
