"""n² characters on one line, as in POJ 3074, .sdm files and most collections; CSV with such columns.

The solution and a name may follow the puzzle after spaces, tabs, `;` or `#`. In CSV without a header the second column
is the solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import isqrt

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.alphabets import BLANKS, MAX_SYMBOLS, starts_at_zero, symbols_of, symbols_on
from ringdoku.text.base import Block, Box, Format
from ringdoku.text.batch import LARGEST, SMALLEST, Batch, alike
from ringdoku.text.between import Kind, kind_of, without_comment
from ringdoku.text.columns import Field, cut, header_of
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Lines
from ringdoku.text.pairs import in_one_alphabet
from ringdoku.text.rows import ruleset_of
from ringdoku.text.symbols import (
    BadCellError,
    decode_symbols,
    is_square,
    refuse_second_zero,
    refuse_two_marks,
    refuse_unprintable,
)

_WORD = re.compile(r"[^ \t,;#\"]*")
_PRIMES = (2, 3, 5, 7)
_SMALLEST_WITH_MORE = 4
"""Smallest order of a puzzle with other text on its line; a shorter word is part of something else."""


def _recognises(lines: Lines, box: Box) -> bool:
    line = lines.peek()
    if line is None:
        return False
    if header_of(lines):
        return True
    text = line.text.strip(' \t"')
    word = _WORD.match(text)
    length = word.end() if word else 0
    order = isqrt(length)
    if length == len(text) > MAX_SYMBOLS:
        return True
    if order * order != length:
        # a puzzle that is too short, above others
        following = lines.peek(1)
        return length == len(text) and following is not None and len(following.text) > MAX_SYMBOLS
    if order < _SMALLEST_WITH_MORE and length < len(text):
        return False
    if box:
        return order == box[0] * box[1]
    if order in _PRIMES:
        return False
    # 16 characters are a 4×4 or a row of a 16×16, 36 a 6×6 or a row of a 36×36
    return length > 1 and (not is_square(length) or not _are_rows(lines, length, order))


def _are_rows(lines: Lines, length: int, order: int) -> bool:
    """Whether this line and those below it are rows of one grid, and not puzzles of `order`.

    They are rows if a symbol is too high for `order`. They are also rows if there are as many lines as each has
    characters, and either `order` has no square boxes, or there are neither clues nor further lines.
    """
    blanks = set(f"0{BLANKS}")
    low = blanks.union(symbols_of(order))
    high = clues = False
    for ahead in range(length):
        line = lines.peek(ahead)
        text = without_comment(line.text).strip(" \t") if line else ""
        if line is None or kind_of(line.text) is not Kind.CONTENT or len(text) != length:
            return False
        high = high or not low.issuperset(text)
        if high and ahead:
            return True
        clues = clues or not blanks.issuperset(text)
    further = lines.peek(length)
    more = further is not None and kind_of(further.text) is Kind.CONTENT
    return not is_square(order) or not (clues or more)


class LineReader:
    """Remembers the columns of the header and the length of the last puzzle."""

    def __init__(self, lines: Lines, box: Box) -> None:
        self._box = box
        self._length = (box[0] * box[1]) ** 2 if box else 0
        self._columns = header_of(lines)
        if self._columns:
            lines.take()

    def __call__(self, lines: Lines) -> Block:
        place = lines.place()
        line = lines.take()
        assert line is not None
        if line.fault:
            raise line.fault
        if not (self._columns and self._columns.puzzle) and _WORD.fullmatch(line.text):
            field, solution, name = Field(line.text, 1), None, ""
        else:
            field, solution, name = cut(line.text, self._columns, place)
        ruleset = self._ruleset(field, place, least=1 if lines.single_cells or self._box else 2)
        if ruleset.order < _SMALLEST_WITH_MORE and len(field.text) < len(line.text.strip(" \t")):
            found = f"other text on the line of a puzzle of {counted(len(field.text), 'character')}"
            raise InputError(
                Place(place.file, place.line, field.column),
                found,
                "a puzzle of 16, 81, … characters, or no other text",
            )
        clues, layout = _decode(field, ruleset, place, lines.zero_order == ruleset.order)
        if not solution:
            return Block(Puzzle(ruleset, clues), layout, name=name)
        if len(solution.text) != len(field.text):
            end = solution.column + min(len(solution.text), len(field.text))
            found = f"a solution of {counted(len(solution.text), 'character')}"
            raise InputError(Place(place.file, place.line, end), found, str(len(field.text)))
        answer, written = _decode(solution, ruleset, place, starts_at_zero(layout.symbols))
        with _placed(solution, place):
            clues, answer, symbols = in_one_alphabet(clues, layout, answer, written)
        return Block(Puzzle(ruleset, clues), replace(layout, symbols=symbols), answer, name, solution.column)

    def batch(self, lines: Lines, most: int) -> Batch | None:
        """Takes the next lines, about so many at most, if they are puzzles of one order and nothing else."""
        line, place = lines.peek(), lines.place(0)
        order = isqrt(len(line.text)) if line else 0
        if not most or self._columns or lines.zero_order == order or not SMALLEST <= order <= LARGEST:
            return None
        try:
            ruleset = ruleset_of(order, self._box, place)
        except InputError:
            return None
        if not ruleset.classic_box or not (text := lines.take_alike(alike(order), most)):
            return None
        self._length = order * order
        return Batch(ruleset, text, place.file, place.line)

    def _ruleset(self, field: Field, place: Place, least: int) -> Ruleset:
        length = len(field.text)
        order = isqrt(length)
        if order * order != length or not least <= order <= MAX_SYMBOLS:
            with _placed(field, place):
                refuse_unprintable(field.text)
            end = field.column + min(length, self._length or length)
            expected = str(self._length) if self._length else "n² of them: 16, 81, 256, …"
            if length > MAX_SYMBOLS**2:
                expected = f"at most {MAX_SYMBOLS**2}, for order {MAX_SYMBOLS}; larger orders are written in numbers"
            raise InputError(Place(place.file, place.line, end), counted(length, "character"), expected)
        ruleset = ruleset_of(order, self._box, Place(place.file, place.line, field.column))
        self._length = length
        return ruleset


def _decode(field: Field, ruleset: Ruleset, place: Place, zero_before: bool) -> tuple[Grid, Layout]:
    with _placed(field, place):
        digits, symbols = decode_symbols(field.text, ruleset.order, zero_before)
        refuse_two_marks(field.text, symbols, ruleset.order)
        if not zero_before:
            refuse_second_zero(field.text, digits, symbols, ruleset)
    blank = field.text[digits.index(0)] if 0 in digits else "."
    return Grid(digits), Layout("line", symbols, blank, row_end="")


@contextmanager
def _placed(field: Field, place: Place) -> Iterator[None]:
    """Gives a `BadCellError` its place, as an `InputError`."""
    try:
        yield
    except BadCellError as error:
        where = Place(place.file, place.line, field.column + error.index)
        raise InputError(where, error.found, error.expected) from None


def _is_heading(lines: Lines) -> bool:
    return header_of(lines) is not None


def _layout(ruleset: Ruleset) -> Layout:
    return Layout("line", symbols_on(ruleset.board), row_end="")


LINE = Format(
    "line", "n² characters on one line; also CSV with such columns", _recognises, LineReader, _layout, _is_heading
)
