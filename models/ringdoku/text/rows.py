"""Grids in rows: n lines of n characters, n lines of n numbers, and drawings with borders around boxes.

A drawing has `|` between boxes and lines of `-`, `+` or `=` between bands, or Unicode's box-drawing characters; its
borders show the box shape. Its cells may list the digits that they can hold, as `ringdoku candidates` prints them.
"""

import re
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import isqrt
from typing import NamedTuple

from ringdoku.domain import MAX_ORDER, Board, Grid, InputError, Place, Puzzle, counted
from ringdoku.text.cells import EMPTY_CELL, TOKEN, BadCellError, are_touching, candidates_in, decode, is_blank, quoted
from ringdoku.text.formats import Box, Entry, Shape, fields_of, ruleset_of
from ringdoku.text.layout import CELL, Layout, layout_named
from ringdoku.text.lines import LOOK_AHEAD, Kind, Line, Lines, without_comment

_BARS = "|│┃║┆┇┊┋╎╏"
_BAR = re.compile(f"[{_BARS}]")
_BORDER = re.compile(r"(?=.*[-=─━┄┅┈┉╌╍═╴╶╸╺╼╾])[-+=|* \t\u2500-\u257f]+")
_MARKS = re.compile(r"[-* \t]+")
_DASHES = re.compile(f"[- \t{_BARS}]+")
_INNER_BAR = re.compile(f"[^ \t{_BARS}][ \t]*[{_BARS}][ \t]*[^ \t{_BARS}]")
_WORD = re.compile("[^ \t']+")
_BLANK_BETWEEN_BARS = re.compile(f"(?<=[{_BARS}])([ \t]?)[ \t]([ \t]*)(?=[{_BARS}])")
"""Only spaces between two bars, which is a blank cell."""

# how rows are cut into cells
_PACKED = re.compile(r"[^ \t]")
# an apostrophe marks a clue in our own drawings without colours
_PACKED_IN_BOXES = re.compile(f"[^ \t'{_BARS}]")
_SPACED_IN_BOXES = re.compile(f"[^ \t'{_BARS}]+")


def is_drawing(lines: Lines, _: Shape) -> bool:
    """Whether the next lines are borders, or have bars in them."""
    for ahead in range(LOOK_AHEAD):
        line = lines.peek(ahead)
        text = without_comment(line.text)
        if line.kind is not Kind.CONTENT:
            break
        # rows of blanks written `-` or `*` look like borders too
        if not _MARKS.fullmatch(text):
            return bool(_BORDER.fullmatch(text) or (_BAR.search(text) and fields_of(text) is None))
    return False


def is_packed(lines: Lines, shape: Shape) -> bool:
    """Whether the cells of the next line touch each other."""
    groups = TOKEN.findall(without_comment(lines.peek().text))
    if shape.board:
        return len(groups) != shape.board.columns and "," not in groups
    return bool(groups) and are_touching(groups) and all(len(group) == len(groups[0]) for group in groups)


class _Row(NamedTuple):
    """A line of a grid. `cells` is empty for a border, and for a blank line between bands."""

    line: Line
    text: str
    cells: list[re.Match[str]]


class _Grid(NamedTuple):
    """A grid as text: `pattern` matches a cell, `all_rows` are its rows and borders, without comments."""

    file: str
    form: str
    pattern: re.Pattern[str]
    columns: int
    all_rows: list[_Row]

    @property
    def rows(self) -> list[_Row]:
        return [row for row in self.all_rows if row.cells]

    @property
    def cells(self) -> list[re.Match[str]]:
        return [cell for row in self.all_rows for cell in row.cells]

    @property
    def start(self) -> Place:
        return Place(self.file, self.rows[0].line.number, 1)

    def place(self, index: int, offset: int = 0) -> Place:
        number = [row.line.number for row in self.all_rows for _ in row.cells][index]
        return Place(self.file, number, self.cells[index].start() + 1 + offset)

    def decode(self, board: Board) -> tuple[tuple[int, ...], str]:
        """The digits and the alphabet. Raises `InputError` for an unknown cell, and for dashes that may be no row."""
        for row in self.rows if {cell[0] for cell in self.cells} & {*".*?", *"0" * board.is_plain} else ():
            if (marks := {cell[0] for cell in row.cells}) in ({"-"}, {"_"}):
                place, expected = Place(self.file, row.line.number, 1), "one mark, and blank lines between puzzles"
                raise InputError(place, f"a row of {marks.pop()!r} beside other marks for blanks", expected)
        try:
            return decode([cell[0] for cell in self.cells], self.pattern in (_PACKED, _PACKED_IN_BOXES), board)
        except BadCellError as error:
            raise InputError(self.place(error.index, error.offset), error.found, error.expected) from None


def read_rows(form: str, lines: Lines, shape: Shape) -> Entry:
    """Takes one grid. Raises `InputError`, after taking all lines that seem to belong to a malformed one."""
    place, board, box = lines.place(0), shape.board, shape.box
    grid, fault = _take_grid(form, lines, shape)
    if fault:
        # an unreadable cell above the fault or in its row is reported first, unless an empty cell hides the columns
        if grid.rows and not EMPTY_CELL.search(grid.all_rows[-1].text):
            grid.decode(board or Board.square(grid.columns))
        raise fault
    if form == "boxed" and not board:
        box = _drawn_box(grid, box) or box
    ruleset = ruleset_of(board or grid.columns, box, grid.start)
    try:
        digits, symbols = grid.decode(ruleset.board)
    except InputError:
        candidates = candidates_in([cell[0] for cell in grid.cells], ruleset.board) if form == "boxed" else None
        if not candidates:
            raise
        # this import takes 60 ms, and puzzles with clues do without it
        from ringdoku.constraints.digits import puzzle_of_candidates

        return Entry(puzzle_of_candidates(ruleset, candidates), layout_named(form, ruleset), place)
    puzzle = Puzzle(ruleset, Grid(digits, ruleset.board))
    return Entry(puzzle, _layout_of(grid, puzzle, symbols), place)


# taking lines


def _take_grid(form: str, lines: Lines, shape: Shape) -> tuple[_Grid, InputError | None]:
    """Takes as many rows as the board has, or the first has cells. Returns the grid up to a fault, and that fault."""
    taken, gaps, fault = 0, 0, None
    above = _take_borders(lines) if form == "boxed" else []
    pattern = _cell_pattern(form, lines.peek())
    count, columns = _next_size(lines, pattern, shape)
    grid = _Grid(lines.file, form, pattern, columns, above)
    while taken < count and _continues(lines, taken, gaps, count, shape.box):
        line = lines.take()
        gaps += line.kind is Kind.BLANK
        is_row = line.kind is Kind.CONTENT and not (form == "boxed" and _is_border(line, grid.all_rows))
        taken += is_row
        fault = fault or line.fault
        # rows after a fault are not stored: there may be many long ones
        if fault is None and line.kind is not Kind.COMMENT:
            grid.all_rows.append(_cut_row(line, grid.pattern if is_row else None))
            fault = _width_fault(grid) if is_row else None
    if form == "boxed" and taken == count and _is_border(lines.peek(), ()):
        grid.all_rows.append(_cut_row(lines.take()))
    if fault is None and taken < count:
        found = f"{lines.peek().kind.value} after {counted(taken, 'row')}"
        fault = InputError(lines.place(), found, counted(count, "row"))
    return grid, fault


def _continues(lines: Lines, taken: int, gaps: int, count: int, box: Box) -> bool:
    """Whether the next line may belong to a grid of `count` rows, of which `taken` were taken, with blank lines."""
    line = lines.peek()
    if line.fault or line.kind in (Kind.CONTENT, Kind.COMMENT):
        return True
    # a blank line between bands, if there was one after each band
    height, width = box or (isqrt(count), isqrt(count))
    if line.kind is not Kind.BLANK or taken != height * (gaps + 1) or height * width != count:
        return False
    *rows, after = [lines.peek(ahead).kind is Kind.CONTENT for ahead in range(1, height + 2)]
    return all(rows) and not after


def _cut_row(line: Line, pattern: re.Pattern[str] | None = None) -> _Row:
    """A line cut into cells by the pattern; a border if there is no pattern."""
    text = without_comment(line.text)
    if pattern is _SPACED_IN_BOXES:
        text = _BLANK_BETWEEN_BARS.sub(r"\1.\2", text)
    return _Row(line, text, list(pattern.finditer(text)) if pattern else [])


def _width_fault(grid: _Grid) -> InputError | None:
    """The error if the last row has another number of cells than the grid has columns, or an empty cell."""
    (line, text, cells), columns = grid.all_rows[-1], grid.columns
    if empty := EMPTY_CELL.search(text):
        column, found, expected = empty.start() + 1, "an empty cell", "a mark such as 0 in every blank cell"
    elif len(cells) == columns > 0:
        return None
    else:
        column = cells[columns].start() if len(cells) > columns else len(text)
        found, expected = counted(len(cells), "cell"), f"{columns or 'some'} in this row"
    return InputError(Place(grid.file, line.number, column + 1), found, expected)


def _take_borders(lines: Lines) -> list[_Row]:
    """Takes the border lines above a grid, and comments among them."""
    found: list[_Row] = []
    while len(found) < LOOK_AHEAD and ((line := lines.peek()).kind is Kind.COMMENT or _is_border(line, ())):
        lines.take_sound()
        found += [_cut_row(line)] if line.kind is Kind.CONTENT else []
    return found


def _is_border(line: Line, before: Sequence[_Row]) -> bool:
    text = without_comment(line.text)
    if line.kind is not Kind.CONTENT or not _BORDER.fullmatch(text):
        return False
    if not _DASHES.fullmatch(text):
        return True
    if not _INNER_BAR.search(text):
        return "--" in text
    # `---|---|---` is a row of blanks, unless the rows above have another mark for blanks
    return any(is_blank(cell[0]) and "-" not in cell[0] for row in before for cell in row.cells)


def _cell_pattern(form: str, line: Line) -> re.Pattern[str]:
    if form != "boxed":
        return _PACKED if form == "packed" else TOKEN
    groups = [_WORD.findall(group) for group in _BAR.split(without_comment(line.text))]
    words = [group[0] for group in groups if len(group) == 1]
    touching = words and all(len(group) <= 1 for group in groups) and are_touching(words)
    return _PACKED_IN_BOXES if touching else _SPACED_IN_BOXES


def _next_width(lines: Lines, pattern: re.Pattern[str], box: Box) -> int:
    """The number of cells in the first row, or in the second if only that is a possible order."""
    near = [line for line in (lines.peek(), lines.peek(1)) if line.kind is Kind.CONTENT]
    widths = [len(_cut_row(line, pattern).cells) for line in near]
    if len(set(widths)) < 2 or (widths[0] == 1 and not box):
        return widths[0] if widths else 0
    orders = [box[0] * box[1]] if box else [width for width in widths if width > 1 and isqrt(width) ** 2 == width]
    return orders[0] if orders else widths[0]


def _next_size(lines: Lines, pattern: re.Pattern[str], shape: Shape) -> tuple[int, int]:
    """The numbers of rows and columns of the next grid. Takes and refuses rows that are too long, and a single cell."""
    if shape.board:
        return shape.board.rows, shape.board.columns
    place, line, columns = lines.place(), lines.peek(), _next_width(lines, pattern, shape.box)
    if columns > MAX_ORDER:
        while lines.peek().kind is Kind.CONTENT:
            lines.take()
        raise InputError(place, f"a row of {columns} cells", f"at most {MAX_ORDER}")
    if columns == 1 and not shape.box and not line.fault and line.kind is Kind.CONTENT:
        token = lines.take().bare.strip(_BARS).strip(" \t")
        if token == "1" or (len(token) == 1 and is_blank(token)):
            raise InputError(place, "a single cell", "a puzzle, or --box 1x1 for puzzles of one cell")
        like = " in the format of the first one" if lines.after_grid and len(token) > 1 else ""
        raise InputError(place, quoted(token), f"a puzzle{like}")
    return max(1, columns), columns


# boxes


def _drawn_box(grid: _Grid, requested: Box) -> tuple[int, int] | None:
    """The box shape that inner borders show, None if all cells have them. Raises `InputError` for another request."""
    start, rows, columns = grid.start, grid.rows, grid.columns
    inner = _bar_positions(rows[0])
    for number, row in enumerate(rows):
        if other := set(inner).symmetric_difference(_bar_positions(row)):
            cell = min(other)
            found = f"other borders before cell {cell + 1}"
            raise InputError(grid.place(number * columns + cell), found, f"those of line {start.line}")
    width = _border_distance(inner, columns, "column", start)
    counts = accumulate(bool(row.cells) for row in grid.all_rows)
    above = {count for count, row in zip(counts, grid.all_rows, strict=True) if not row.cells}
    height = _border_distance(sorted(above - {0, len(rows)}), columns, "row", start)
    if not width and not height:
        return None
    width = width or columns // height
    height = height or columns // width
    if requested != (height, width) if requested else width * height != columns:
        expected = f"{requested[0]}x{requested[1]}, as requested" if requested else f"boxes of {columns} cells"
        raise InputError(start, f"boxes of {height}x{width} in the drawing", expected)
    return height, width


def _bar_positions(row: _Row) -> list[int]:
    """The number of cells before each bar that has cells on both sides."""
    starts = [cell.start() for cell in row.cells]
    return sorted({bisect(starts, bar.start()) for bar in _BAR.finditer(row.text)} - {0, len(starts)})


def _border_distance(borders: list[int], order: int, what: str, start: Place) -> int:
    """The distance between borders; 0 if they do not show boxes. Raises `InputError` for unequal distances."""
    if not borders:
        return 0
    step = borders[0]
    if borders != list(range(step, order, step)) or order % step:
        places = ", ".join(map(str, borders[:20]))
        raise InputError(start, f"borders after {what} {places}", "borders at equal distances")
    return step if step > 1 else 0


# the layout of the input


def _layout_of(grid: _Grid, puzzle: Puzzle, symbols: str) -> Layout:
    board = puzzle.board
    digits = puzzle.clues.digits[: board.grid_count]
    usual = "." if grid.form != "spaced" or 0 in board.digits or symbols else "0"
    blank = grid.cells[digits.index(board.blank)][0] if board.blank in digits else usual
    width = 0 if symbols else _common_width(grid, max(len(str(board.least)), len(str(board.greatest))))
    return Layout(grid.form, symbols, blank, "\n".join([_row_template(row, width) for row in grid.all_rows]), width)


def _common_width(grid: _Grid, longest: int) -> int:
    """The width of cells that end in the same columns in every row, with room for the longest number; else 0."""
    spans = [[cell.span() for cell in row.cells] for row in grid.rows]
    ends = [end for _, end in spans[0]]
    if len(ends) < 2 or any([end for _, end in row] != ends for row in spans):
        return 0
    widest = max(end - start for row in spans for start, end in row)
    width = min(max(widest, longest), min(after - end for end, after in pairwise(ends)) - 1, ends[0])
    return width if width >= widest else 0


def _row_template(row: _Row, width: int) -> str:
    """The text of a row with `CELL` in place of each cell, and of the spaces that pad it to `width`."""
    parts, at = [], 0
    for cell in row.cells:
        parts.append(row.text[at : cell.end() - width if width else cell.start()])
        at = cell.end()
    return CELL.join([*parts, row.text[at:]])
