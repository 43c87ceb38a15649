"""n lines of n characters, as in Luogu B4279, POJ 2676, POJ 3076, Project Euler 96 and .sdk files."""

from __future__ import annotations

import re
from functools import partial

from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.alphabets import symbols_on
from ringdoku.text.base import Block, Box, Format, ReadOne
from ringdoku.text.between import without_comment
from ringdoku.text.layout import Drawing, Layout
from ringdoku.text.lines import Lines
from ringdoku.text.rows import Cells, ruleset_of, take_rows
from ringdoku.text.symbols import are_glued

_CELLS = Cells(re.compile(r"[^ \t]"), symbols=True)

_GROUP = re.compile(r"[^ \t,]+")


def _recognises(lines: Lines, _: Box) -> bool:
    line = lines.peek()
    groups = _GROUP.findall(without_comment(line.text)) if line else []
    return bool(groups) and are_glued(groups) and all(len(group) == len(groups[0]) for group in groups)


def _read(box: Box, lines: Lines) -> Block:
    rows = take_rows(lines, _CELLS, box)
    ruleset = ruleset_of(rows.order, box, rows.place())
    clues, symbols, blank = rows.decode(ruleset)
    drawing = Drawing.bands(rows.order, rows.band) if rows.band else None
    return Block(Puzzle(ruleset, clues), Layout("packed", symbols, blank or ".", drawing=drawing, spaces=rows.spaces))


def _open(_: Lines, box: Box) -> ReadOne:
    return partial(_read, box)


def _layout(ruleset: Ruleset) -> Layout:
    return Layout("packed", symbols_on(ruleset.board))


PACKED = Format("packed", "n lines of n characters", _recognises, _open, _layout)
