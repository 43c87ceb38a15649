"""Many puzzles on lines of one kind, read at once: n² characters each, the digits 1..n and blanks, 4 ≤ n ≤ 9.

What such a line means depends on no other line. All other lines are read one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.base import Box, Entry
from ringdoku.text.cells import symbols_of
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Alike, Lines
from ringdoku.text.rows import ruleset_of

SMALLEST, LARGEST = 4, 9
"""Orders. Above the largest, letters stand for digits, and each line shows its own alphabet."""


@dataclass(frozen=True)
class Batch:
    """Puzzles of the same classic rules on consecutive lines of `file`, from `line` on.

    `text` has n² characters for each of them, and nothing between.
    """

    ruleset: Ruleset
    text: bytes
    file: str
    line: int

    def __len__(self) -> int:
        return len(self.text) // self.ruleset.board.cell_count

    @property
    def clues(self) -> bytes:
        """n² numbers 0..n for each puzzle, 0 for a blank."""
        return self.text.translate(_clues(self.ruleset.order))

    def entry(self, index: int) -> Entry:
        """One of the puzzles, as it is read alone."""
        text, order = self._text(index), self.ruleset.order
        digits = tuple(text.translate(_clues(order)))
        blank = chr(text[digits.index(0)]) if 0 in digits else "."
        layout = Layout("line", symbols_of(order), blank, row_end="")
        return Entry(Puzzle(self.ruleset, Grid(digits, self.ruleset.board)), layout, self._place(index))

    def entries(self) -> Iterator[Entry]:
        """All of them."""
        return map(self.entry, range(len(self)))

    def undecided(self) -> Place | None:
        """The place of the first puzzle with neither `0` nor the digit n: its digits might start at 0 too."""
        telling = {ord("0"), ord(str(self.ruleset.order))}
        return next((self._place(index) for index in range(len(self)) if telling.isdisjoint(self._text(index))), None)

    def _text(self, index: int) -> bytes:
        size = self.ruleset.board.cell_count
        return self.text[index * size : (index + 1) * size]

    def _place(self, index: int) -> Place:
        return Place(self.file, self.line + index, 0)


@lru_cache(maxsize=8)
def alike(order: int) -> Alike:
    """The lines of puzzles of an order. Beside other marks `0` may be a digit, so that line is read by itself."""
    size = order * order
    one = rf"(?:[1-{order}._*?-]{{{size}}}|[0-{order}]{{{size}}})"
    return Alike(size, re.compile(one), re.compile(rf"(?:{one} *+\r?\n)*+".encode()))


@lru_cache(maxsize=8)
def _clues(order: int) -> bytes:
    """For each character its digit, and 0 for all that are none."""
    table = bytearray(256)
    for digit in range(1, order + 1):
        table[ord(str(digit))] = digit
    return bytes(table)


def take_batch(lines: Lines, box: Box) -> Batch | None:
    """Takes the next lines, about `lines.together` of them, if they are puzzles of one order and nothing else."""
    line, place = lines.peek(), lines.place(0)
    order = isqrt(len(line.text)) if line else 0
    if lines.columns or lines.zero_order == order or not SMALLEST <= order <= LARGEST:
        return None
    try:
        ruleset = ruleset_of(order, box, place)
    except InputError:
        return None
    if not ruleset.classic_box or not (text := lines.take_alike(alike(order), lines.together)):
        return None
    lines.length = order * order
    return Batch(ruleset, text, place.file, place.line)
