"""Grids in rows: n lines of n characters, n lines of n numbers, and drawings with borders around boxes.

A drawing has `|` between boxes and lines of `-`, `+` or `=` between bands, or Unicode's box-drawing characters; its
borders show the box shape. Rows of a spreadsheet, with tabs or commas, may have empty cells.
"""

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

from ringdoku.domain import MAX_ORDER, Board, Grid, InputError, Place, Puzzle, counted
from ringdoku.text.cells import MAX_SYMBOLS, Alphabet, BadCellError, are_glued, decode, is_blank, is_square, quoted
from ringdoku.text.formats import Box, Entry, Shape, fields_of, ruleset_of
from ringdoku.text.layout import CELL, Layout
from ringdoku.text.lines import LOOK_AHEAD, Kind, Line, Lines, without_comment

_BARS = "|│┃║┆┇┊┋╎╏"
_BAR = re.compile(f"[{_BARS}]")
_BORDER = re.compile(r"[-+=|* \t\u2500-\u257f]+")
_HORIZONTAL = re.compile("[-=─━┄┅┈┉╌╍═╴╶╸╺╼╾]")
_MARKS = re.compile(r"[-* \t]+")
_DASHES = re.compile(f"[- \t{_BARS}]+")
_INNER_BAR = re.compile(f"[^ \t{_BARS}][ \t]*[{_BARS}][ \t]*[^ \t{_BARS}]")
_WORD = re.compile("[^ \t']+")


class _Cut(NamedTuple):
    """How a row is cut into cells. `touching`: each is one character; `sheet`: cells may be empty."""

    pattern: re.Pattern[str]
    touching: bool = False
    sheet: bool = False


_GROUPS = _Cut(re.compile(r"[^ \t,]+"))
_PACKED = _Cut(re.compile(r"[^ \t]"), touching=True)
# blanks between two separators, or between a separator and an end of the row, are a cell
_SHEETS = {
    "\t": _Cut(re.compile(r"[^ \t,]+|(?<![^\t]) *(?![^\t])"), sheet=True),
    ",": _Cut(re.compile(r"[^ \t,]+|(?<![^,])[ \t]*(?![^,])"), sheet=True),
}
# an apostrophe marks a clue in our own drawings without colours
_TOUCHING = _Cut(re.compile(f"[^ \t'{_BARS}]"), touching=True)
# nothing but spaces between two bars is a blank cell
_APART = _Cut(re.compile(f"[^ \t'{_BARS}]+|(?<=[{_BARS}])[ \t]*(?=[{_BARS}])"))


def is_drawing(lines: Lines, _: Shape) -> bool:
    """Whether the next lines are borders, or have bars in them."""
    for ahead in range(LOOK_AHEAD):
        line = lines.peek(ahead)
        if line.kind is not Kind.CONTENT:
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
    groups = _GROUPS.pattern.findall(without_comment(lines.peek().text))
    if shape.board:
        return len(groups) != shape.board.columns and "," not in groups
    return bool(groups) and are_glued(groups) and all(len(group) == len(groups[0]) for group in groups)


class _Row(NamedTuple):
    line: Line
    text: str
    cells: list[re.Match[str]]

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where cells start and end; an empty one between bars is in the middle of them."""
        found = []
        for cell in self.cells:
            start, end = cell.span()
            if not cell[0].strip(" \t"):
                start = (start + end) // 2
                end = min(start + 1, end)
            found.append((start, end))
        return found


@dataclass
class _Grid:
    """The rows of one grid, and all its lines for the layout."""

    file: str
    form: str
    cut: _Cut
    columns: int
    drawn: list[str | _Row]
    rows: list[_Row] = field(default_factory=list)
    done: int = 0
    """Rows that were taken; after a fault they are not kept."""
    band: int = 0
    """Rows of each band, where blank lines separate them."""
    fault: InputError | None = None

    @property
    def flat(self) -> list[str]:
        """The text of each cell."""
        return [cell[0].strip(" \t") for row in self.rows for cell in row.cells]

    @property
    def start(self) -> Place:
        return Place(self.file, self.rows[0].line.number, 1)

    def place(self, index: int, offset: int = 0) -> Place:
        """Where a cell is."""
        cells = [(row.line.number, cell.start()) for row in self.rows for cell in row.cells]
        number, column = cells[index] if cells else (self.start.line, 0)
        return Place(self.file, number, column + 1 + offset)

    def decode(self, board: Board) -> tuple[tuple[int, ...], Alphabet]:
        """The digits and the alphabet. Raises `InputError` for a cell that cannot be read."""
        try:
            return decode(self.flat, self.cut.touching, board)
        except BadCellError as error:
            raise InputError(self.place(error.index, error.offset), error.found, error.expected) from None

    def add(self, line: Line) -> InputError | None:
        """Adds a row; the error if it has not as many cells as the others."""
        row = _Row(line, text := _bare(line, self.cut), list(self.cut.pattern.finditer(text)))
        self.rows.append(row)
        self.drawn.append(row)
        found = len(row.cells)
        if found == self.columns > 0:
            return None
        column = row.cells[self.columns].start() if found > self.columns else len(text)
        expected = f"{self.columns or 'some'} in this row"
        return InputError(Place(self.file, line.number, column + 1), counted(found, "cell"), expected)


def _bare(line: Line, cut: _Cut) -> str:
    """A row without its comment and without meaningless blanks at its end."""
    return line.text.partition("#")[0].rstrip(" " if cut.sheet else " \t")


def read_rows(form: str, lines: Lines, shape: Shape) -> Entry:
    """Takes one grid. Raises `InputError`, after taking all lines that seem to belong to a malformed one."""
    above, place = lines.taken, lines.place(0)
    grid = _take(form, lines, shape)
    if grid.cut.sheet:
        _refuse_empty_first_row(grid, above, lines.peek())
    box = shape.box
    if form == "boxed" and not shape.board:
        box = _shown_box(grid, box) or box
    ruleset = ruleset_of(shape.board or grid.columns, box, grid.start)
    digits, symbols = grid.decode(ruleset.board)
    puzzle = Puzzle(ruleset, Grid(digits, ruleset.board))
    return Entry(puzzle, _layout_of(grid, puzzle, symbols), place)


# taking lines


def _take(form: str, lines: Lines, shape: Shape) -> _Grid:
    """As many rows as the first one has cells, or as the board has; then raises the first fault."""
    start, board = lines.number, shape.board
    above = _take_borders(lines) if form == "boxed" else []
    cut = _cut_of(form, lines.peek(), shape)
    grid = _Grid(lines.file, form, cut, board.columns if board else _order(lines, cut, shape), [*above])
    grid.fault = None if board else _size_fault(grid, lines, shape.box)
    count = max(1, board.rows if board else grid.columns)
    while grid.done < count and _take_line(grid, lines, count, shape.box):
        pass
    if grid.done < count:
        grid.fault = grid.fault or _too_few(
            lines, start, grid.done, counted(count, "row") if grid.columns else "some rows"
        )
    if grid.fault:
        _raise(grid, grid.fault, lines, shape)
    lines.last_row = grid.rows[-1].line.number
    if form == "boxed" and _is_border_line(lines.peek()):
        lines.last_row += 1
        grid.drawn.append(lines.take().text)
    return grid


def _take_line(grid: _Grid, lines: Lines, count: int, box: Box) -> bool:
    """Takes the next line, unless the grid cannot go on there."""
    line = lines.peek()
    grid.fault = grid.fault or line.fault
    match line.kind:
        case Kind.CONTENT if grid.form == "boxed" and _is_border(bare := without_comment(line.text), grid.rows):
            grid.drawn.append(bare)
        case Kind.CONTENT:
            grid.done += 1
            # a malformed puzzle may have many long rows, so they are not kept
            grid.fault = grid.fault or grid.add(line)
        case Kind.BLANK if _is_band(lines, grid, count, box):
            grid.band = grid.band or grid.done
            grid.drawn.append("")
        case Kind.COMMENT:
            pass
        case _:
            return False
    lines.take()
    return True


def _raise(grid: _Grid, fault: InputError, lines: Lines, shape: Shape) -> None:
    """Raises the fault, unless a cell above it or in its row cannot be read."""
    if lines.peek().fault is fault:
        lines.take()
    if any(row.cells for row in grid.rows) and not shape.board:
        grid.decode(Board.square(max(1, grid.columns)))
    raise fault


def _take_borders(lines: Lines) -> list[str]:
    """Takes the border lines above a grid, and comments among them."""
    found: list[str] = []
    while len(found) < LOOK_AHEAD and ((line := lines.peek()).kind is Kind.COMMENT or _is_border_line(line)):
        lines.take()
        if line.fault:
            raise line.fault
        found += [line.text] if line.kind is Kind.CONTENT else []
    return found


def _is_border_line(line: Line) -> bool:
    return line.kind is Kind.CONTENT and _is_border(without_comment(line.text), ())


def _is_border(text: str, before: Sequence[_Row]) -> bool:
    if not _BORDER.fullmatch(text) or not _HORIZONTAL.search(text):
        return False
    if not _DASHES.fullmatch(text):
        return True
    if not _INNER_BAR.search(text):
        return "--" in text
    # `---|---|---` is a row of blanks, unless the rows above have another mark for blanks
    return any(is_blank(cell[0]) and "-" not in cell[0] for row in before[:9] for cell in row.cells)


def _cut_of(form: str, line: Line, shape: Shape) -> _Cut:
    """How the next row is cut."""
    text = line.text.partition("#")[0]
    if form == "packed":
        return _PACKED
    if form == "boxed":
        groups = [_WORD.findall(group) for group in _BAR.split(text.rstrip(" \t"))]
        words = [group[0] for group in groups if len(group) == 1]
        return _TOUCHING if words and all(len(group) <= 1 for group in groups) and are_glued(words) else _APART
    columns = shape.board.columns if shape.board else shape.box and shape.box[0] * shape.box[1]
    return next((cut for mark, cut in _SHEETS.items() if _is_sheet(text.split(mark), columns)), _GROUPS)


def _is_sheet(fields: list[str], columns: int | tuple[()] | None) -> bool:
    fits = len(fields) == columns if columns else is_square(len(fields))
    return len(fields) > 1 and fits and all(len(_GROUPS.pattern.findall(field)) <= 1 for field in fields)


def _order(lines: Lines, cut: _Cut, shape: Shape) -> int:
    """The number of cells of the first row, or of the second if only that is a possible order."""
    near = [line for line in (lines.peek(), lines.peek(1)) if line.kind is Kind.CONTENT]
    widths = [len(cut.pattern.findall(_bare(line, cut))) for line in near]
    if len(set(widths)) < 2:
        return widths[0] if widths else 0
    if shape.box:
        return shape.box[0] * shape.box[1]
    return 1 if widths[0] == 1 else next((width for width in widths if width > 1 and is_square(width)), widths[0])


def _size_fault(grid: _Grid, lines: Lines, box: Box) -> InputError | None:
    """The error for a row that is too long. Raises `InputError` for a single cell, and takes its line."""
    place, line = lines.place(), lines.peek()
    if line.fault or line.kind is not Kind.CONTENT:
        return None
    largest = MAX_SYMBOLS if grid.cut.touching else MAX_ORDER
    if grid.columns > largest:
        return InputError(place, f"a row of {grid.columns} cells", f"at most {largest}")
    if grid.columns != 1 or box:
        return None
    lines.take()
    token = grid.cut.pattern.findall(without_comment(line.text))[0]
    if token == "1" or is_blank(token):
        raise InputError(place, "a single cell", "a puzzle, or --box 1x1 for puzzles of one cell")
    like = " in the format of the first one" if lines.last_row > 0 and len(token) > 1 else ""
    raise InputError(place, quoted(token), f"a puzzle{like}")


def _is_band(lines: Lines, grid: _Grid, order: int, box: Box) -> bool:
    """Whether the next line, a blank one, separates bands of one puzzle: as many rows follow as came before."""
    height = grid.band or (box[0] if box else isqrt(order) if is_square(order) else 0)
    if not height or not grid.done or grid.done % height or (grid.done != height and not grid.band):
        return False
    *rows, after = [lines.peek(ahead).kind for ahead in range(1, height + 2)]
    return all(kind is Kind.CONTENT for kind in rows) and after is not Kind.CONTENT


def _too_few(lines: Lines, start: int, done: int, expected: str) -> InputError:
    if start == lines.last_row + 1:
        place = Place(lines.file, start, 1)
        return InputError(place, f"{counted(done, 'row')} more directly after a puzzle", f"{expected} a puzzle")
    return InputError(lines.place(), f"{lines.peek().kind.value} after {counted(done, 'row')}", expected)


def _refuse_empty_first_row(grid: _Grid, above: Line, below: Line) -> None:
    """Raises `InputError` for a sheet that begins with an empty row and has a row of its width directly above or below:
    that row may belong to either."""
    near = any(len(grid.cut.pattern.findall(line.text)) == grid.columns for line in (above, below))
    if near and not grid.rows[0].text.strip(" \t,"):
        raise InputError(
            grid.start, "an empty row before a sheet", "a mark such as 0 in its blank cells, or no separators"
        )


# boxes


def _shown_box(grid: _Grid, asked: Box) -> tuple[int, int] | None:
    """The box shape that the borders show; None if there are no inner borders, or borders around every cell. Raises
    `InputError` if another one was asked for."""
    start = grid.start
    inner = _bars(grid.rows[0])
    for number, row in enumerate(grid.rows):
        found = _bars(row)
        if found != inner:
            cell = min(set(found) ^ set(inner))
            like = f"as in line {start.line}"
            what, wanted = ("a border", f"none, {like}") if cell in found else ("no border", f"one, {like}")
            raise InputError(grid.place(number * grid.columns + cell), f"{what} before cell {cell + 1}", wanted)
    width = _step(inner, grid.columns, "column", start)
    height = _step(_borders(grid), grid.columns, "row", start)
    if not width and not height:
        return None
    width = width or grid.columns // height
    height = height or grid.columns // width
    if width * height != grid.columns or (asked and asked != (height, width)):
        expected = f"{asked[0]}x{asked[1]}, as requested" if asked else f"boxes of {grid.columns} cells"
        raise InputError(start, f"boxes of {height}x{width} in the drawing", expected)
    return height, width


def _bars(row: _Row) -> list[int]:
    """The number of cells before each bar that has cells on both sides."""
    starts = [cell.start() for cell in row.cells]
    return sorted({bisect(starts, bar.start()) for bar in _BAR.finditer(row.text)} - {0, len(starts)})


def _borders(grid: _Grid) -> list[int]:
    """The number of rows before each inner border line."""
    found, rows = set(), 0
    for line in grid.drawn:
        if not isinstance(line, str):
            rows += 1
        elif line:
            found.add(rows)
    return sorted(found - {0, rows})


def _step(borders: list[int], order: int, what: str, start: Place) -> int:
    """The distance between borders at equal distances; 0 if they do not show boxes."""
    if not borders:
        return 0
    step = borders[0]
    if borders != list(range(step, order, step)) or order % step:
        places = ", ".join(map(str, borders[:20]))
        raise InputError(start, f"borders after {what} {places}", "borders at equal distances")
    return step if step > 1 else 0


# the layout of the input


def _layout_of(grid: _Grid, puzzle: Puzzle, symbols: Alphabet) -> Layout:
    """The layout of the input. Raises `InputError` for an empty cell where other blanks have marks: it lost a digit."""
    board, flat = puzzle.board, grid.flat
    digits = puzzle.clues.digits[: board.grid_count]
    usual = "." if grid.form != "spaced" or 0 in board.digits or symbols else "0"
    blank = (flat[digits.index(board.blank)] if board.blank in digits else "") or usual
    if grid.cut.sheet:
        return Layout(grid.form, symbols, blank, _sheet(grid, flat))
    width = 0 if symbols else _common_width(grid, max(len(str(board.least)), len(str(board.greatest))))
    tails = {row.line.spaces for row in grid.rows}
    tail = tails.pop() if len(tails) == 1 else ""
    drawn = [line if isinstance(line, str) else _with_cells(line.text + tail, line.spans, width) for line in grid.drawn]
    return Layout(grid.form, symbols, blank, "\n".join(drawn), width)


def _sheet(grid: _Grid, flat: list[str]) -> str:
    if "" in flat and any(cell and is_blank(cell) for cell in flat):
        raise InputError(grid.place(flat.index("")), "an empty cell", "a mark, as other blank cells have one")
    gaps = {row.text[cell.end() : after.start()] for row in grid.rows for cell, after in pairwise(row.cells)}
    return "\n".join([max(gaps, key=len).join([CELL] * grid.columns)] * len(grid.rows))


def _common_width(grid: _Grid, longest: int) -> int:
    """The width of cells that end in the same columns in every row, where the longest number fits; else 0."""
    spans = [row.spans for row in grid.rows]
    ends = [end for _, end in spans[0]]
    if len(ends) < 2 or any([end for _, end in row] != ends for row in spans):
        return 0
    widest = max(end - start for row in spans for start, end in row)
    width = min(max(widest, longest), min(after - end for end, after in pairwise(ends)) - 1, ends[0])
    return width if width >= widest else 0


def _with_cells(text: str, cells: Sequence[tuple[int, int]], width: int) -> str:
    """A row with `CELL` in place of each cell, and of the blanks before it that make it so wide."""
    parts, at = [], 0
    for start, end in cells:
        parts.append(text[at : end - width if width else start])
        at = end
    return CELL.join([*parts, text[at:]])
