"""Drawings with `|` between boxes and lines of `-`, `+` or `=` between bands, as in .ss files and in the output of many
programs.

Any order. Cells are separate (numbers) or touch each other (one character each). The borders show the box shape.
Unicode's box-drawing characters are borders too.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from functools import partial

from ringdoku.domain.errors import InputError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.base import Block, Box, Format, ReadOne
from ringdoku.text.between import Kind, kind_of, without_comment
from ringdoku.text.drawing import drawn_layout, layout_like
from ringdoku.text.lines import Lines
from ringdoku.text.rows import Cells, Rows, ruleset_of, take_rows
from ringdoku.text.symbols import are_glued, is_blank

_BARS = "|│┃║┆┇┊┋╎╏"
_BAR = re.compile(f"[{_BARS}]")
_BORDER = re.compile(r"[-+=|* \t\u2500-\u257f]+")
_HORIZONTAL = re.compile("[-=─━┄┅┈┉╌╍═╴╶╸╺╼╾]")
_MARKS = re.compile(r"[-* \t]+")
_DASHES = re.compile(f"[- \t{_BARS}]+")
_WORD = re.compile("[^ \t']+")
_INNER_BAR = re.compile(f"[^ \t{_BARS}][ \t]*[{_BARS}][ \t]*[^ \t{_BARS}]")
# an apostrophe marks a clue in our own drawings without colours
_TOUCHING = Cells(re.compile(f"[^ \t'{_BARS}]"), symbols=True)
# nothing but spaces between two bars is a blank cell
_APART = Cells(re.compile(f"[^ \t'{_BARS}]+|(?<=[{_BARS}])[ \t]+(?=[{_BARS}])"), symbols=False)


def _recognises(lines: Lines, _: Box) -> bool:
    ahead = 0
    while ahead < 64 and (line := lines.peek(ahead)) and kind_of(line.text) is Kind.CONTENT:
        text = without_comment(line.text)
        if _BAR.search(text):
            return True
        if not _BORDER.fullmatch(text):
            return False
        # rows of blanks written `-` or `*` look like borders too
        if not _MARKS.fullmatch(text):
            return True
        ahead += 1
    return False


def _read(box: Box, lines: Lines) -> Block:
    top = _take_rules(lines)
    first = lines.peek()
    cells = _cells_of(without_comment(first.text) if first else "")
    rows = take_rows(lines, cells, box, _is_rule)
    bottom = None
    line = lines.peek()
    if line and not line.fault and kind_of(line.text) is Kind.CONTENT and _is_rule(line.text, ()):
        bottom = line.text
        lines.last_row = line.number
        lines.take()
    shown = _box(rows)
    if box and shown and box != shown:
        found = f"boxes of {shown[0]}x{shown[1]} in the drawing"
        raise InputError(rows.place(), found, f"{box[0]}x{box[1]}, as requested")
    ruleset = ruleset_of(rows.order, box or shown or box, rows.place())
    clues, symbols, blank = rows.decode(ruleset)
    puzzle = Puzzle(ruleset, clues)
    return Block(puzzle, layout_like(puzzle, rows, symbols, blank.strip(" \t"), (top, bottom), _inner_bars(rows, 0)))


def _take_rules(lines: Lines) -> str | None:
    """Takes the border lines above the first row, and returns the last of them."""
    top = None
    while line := lines.peek():
        comment = kind_of(line.text) is Kind.COMMENT
        if not comment and not _is_rule(line.text, ()):
            break
        lines.take()
        if line.fault:
            raise line.fault
        top = top if comment else line.text
    return top


def _cells_of(row: str) -> Cells:
    groups = [_WORD.findall(group) for group in _BAR.split(row)]
    words = [group[0] for group in groups if len(group) == 1]
    touching = words and all(len(group) <= 1 for group in groups) and are_glued(words)
    return _TOUCHING if touching else _APART


def _is_rule(text: str, before: Sequence[Sequence[str]]) -> bool:
    if not _BORDER.fullmatch(text) or not _HORIZONTAL.search(text):
        return False
    if not _DASHES.fullmatch(text):
        return True
    if not _INNER_BAR.search(text):
        return "--" in text
    # `---|---|---` is a row of blanks, unless the rows above have another mark for blanks
    return any(is_blank(token) and "-" not in token for row in before[:9] for token in row)


def _inner_bars(rows: Rows, row: int) -> list[int]:
    """The number of cells before each bar that has cells on both sides."""
    text = rows.lines[row].text
    starts = [match.start() for match in rows.cells.pattern.finditer(text)]
    before = {bisect(starts, match.start()) for match in _BAR.finditer(text)}
    return sorted(before - {0, rows.order})


def _box(rows: Rows) -> tuple[int, int] | None:
    """The box shape that the borders show; None if there are no inner borders, or borders around every cell."""
    inner = _inner_bars(rows, 0)
    for row in range(1, rows.order):
        _same_bars(rows, row, inner, _inner_bars(rows, row))
    width = _step(rows, inner, "column")
    height = _step(rows, [before for before, _ in rows.rules if 0 < before < rows.order], "row")
    if not width and not height:
        return None
    width = width or rows.order // height
    height = height or rows.order // width
    if width * height != rows.order:
        raise InputError(rows.place(), f"boxes of {height}x{width} in the drawing", f"boxes of {rows.order} cells")
    return height, width


def _same_bars(rows: Rows, row: int, expected: list[int], found: list[int]) -> None:
    if found == expected:
        return
    cell = min(set(found) ^ set(expected))
    place = rows.place(row, rows.cells.column(rows.lines[row].text, cell))
    like = f"as in line {rows.lines[0].number}"
    if cell in found:
        raise InputError(place, f"a border before cell {cell + 1}", f"none, {like}")
    raise InputError(place, f"no border before cell {cell + 1}", f"one, {like}")


def _step(rows: Rows, borders: list[int], what: str) -> int:
    """The distance between borders at equal distances; 0 if they do not show boxes."""
    if not borders:
        return 0
    step = borders[0]
    if borders != list(range(step, rows.order, step)) or rows.order % step:
        places = ", ".join(map(str, borders[:20]))
        raise InputError(rows.place(), f"borders after {what} {places}", "borders at equal distances")
    return step if step > 1 else 0


def _open(_: Lines, box: Box) -> ReadOne:
    return partial(_read, box)


BOXED = Format("boxed", "a drawing with | - + as borders", _recognises, _open, drawn_layout)
