"""Numbers alone on a line above a puzzle: how many puzzles there are, or how large the next one is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from math import isqrt

from ringdoku.domain.errors import InputError
from ringdoku.domain.numbers import counted
from ringdoku.text.between import next_content, without_comment
from ringdoku.text.cells import are_glued, quoted
from ringdoku.text.lines import Lines

_NUMBER = re.compile(r"[0-9]{1,15}")
"""Shorter than a puzzle on a line, except the smallest."""
_SIZE = re.compile(r"([0-9]{1,4})(?:[ \t,]+([0-9]{1,4}))?")
_BORDER = re.compile(r"[ \t]*[+*|\u2500-\u257f][-+=|* \t\u2500-\u257f]*")
_CELL = re.compile(r"[^ \t,|\u2500-\u257f]+")
_BLANKS = re.compile("[ \t]+")
_MOST_DIGITS = 7


class FirstLine(Enum):
    """What the first line of an input is, where it should not be found out."""

    ORDER = "order"
    """The size of the puzzle below it: its order, or that of its boxes."""
    COUNT = "count"
    """How many puzzles there are."""
    NONE = "none"
    """A line of the first puzzle, or of text above it."""


@dataclass(frozen=True)
class Promise:
    """A count line."""

    count: int
    line: int

    def __str__(self) -> str:
        return f"{counted(self.count, 'puzzle')}, as line {self.line} says"

    def broken(self, found: int, order: int) -> str:
        """What was expected, if fewer puzzles were found; with a hint if the number may be a size."""
        is_size = found == 1 and self.count in (order, isqrt(order))
        return (
            f"{self}; pass --first-line order, or leave that line out, if it is the size of the puzzle"
            if is_size
            else str(self)
        )


def take_count(lines: Lines) -> Promise | None:
    """Takes the next line if it is a count: one number above something of another length.

    Two equally long lines of digits are rows. Above single cells a number is a count only if puzzles of one cell were
    asked for; there a first line of 0 or 1 is a puzzle. Raises `InputError` for a count with too many digits.
    """
    text = _bare(lines, 0)
    if not _NUMBER.fullmatch(text):
        return None
    content = next_content(lines, 0)
    following = _BLANKS.sub("", without_comment(content[1].text)) if content else ""
    if not content or not following:
        return None
    if len(following) == 1 and not lines.single_cells:
        # the next line may be the size of the first puzzle
        if not _size_at(lines, content[0]):
            return None
    elif len(following) == len(text) and (len(text) > 1 or text in "01"):
        return None
    place = lines.place()
    lines.take()
    if len(text) > _MOST_DIGITS:
        expected = f"a count of at most {_MOST_DIGITS} digits, or a row as long as the next"
        raise InputError(place, f"a number of {len(text)} digits", expected)
    return Promise(int(text), place.line)


def take_first(lines: Lines, asked: FirstLine) -> Promise | None:
    """Takes the first line as what it was said to be; a count is returned. Raises `InputError` if it cannot be that."""
    place, text = lines.place(), _bare(lines, 0)
    if asked is FirstLine.COUNT:
        if promise := take_count(lines):
            return promise
        raise InputError(place, quoted(text), "the number of puzzles, as --first-line says")
    if take_size(lines, may_be_count=False) is None:
        raise InputError(place, quoted(text), "the order of the puzzle below, or of its boxes, as --first-line says")
    return None


def take_size(lines: Lines, may_be_count: bool) -> int | None:
    """Takes the next line if it is the size of the puzzle below it, and returns its first number.

    A size is the order, the side of square boxes, the numbers of rows and columns (`9 9`), or the shape of a box
    (`3 3`). `may_be_count`: at this place one number alone is a count.
    """
    size = _size_at(lines, 0)
    if size is None or (may_be_count and len(size) == 1):
        return None
    lines.take()
    return size[0]


def _size_at(lines: Lines, ahead: int) -> tuple[int, ...] | None:
    """The numbers of a line, if they fit the width of the rows below it."""
    text = _bare(lines, ahead)
    found = _SIZE.fullmatch(text)
    if not found:
        return None
    size = tuple(int(number) for number in found.groups() if number)
    width = _width_below(lines, ahead)
    fits = width == size[0] == size[-1] or (min(size) > 1 and width == size[0] * size[-1])
    return size if fits and width > len(text) else None


def _width_below(lines: Lines, ahead: int) -> int:
    """Cells of the first row below a line, 0 when there is none."""
    content = next_content(lines, ahead)
    while content and _BORDER.fullmatch(content[1].text):
        content = next_content(lines, content[0])
    cells = _CELL.findall(without_comment(content[1].text)) if content else []
    if not cells:
        return 0
    return sum(map(len, cells)) if are_glued(cells) else len(cells)


def _bare(lines: Lines, ahead: int) -> str:
    line = lines.peek(ahead)
    # tabs after the only number of a row are empty cells
    return without_comment(line.text).strip(" \t") if line and "\t\t\t" not in line.text else ""
