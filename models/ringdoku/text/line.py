"""n² characters on one line, as in POJ 3074, .sdm files and most collections; CSV with such columns, also with `;` or
tabs.

The solution and a name may follow the puzzle after spaces, tabs, `;` or `#`. In CSV without a header the second column
is the solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.base import Block, Shape
from ringdoku.text.between import Kind, kind_of, next_content, without_comment
from ringdoku.text.cells import (
    BLANKS,
    MAX_SYMBOLS,
    BadCellError,
    decode,
    is_square,
    refuse_unprintable,
    starts_at_zero,
    symbols_of,
)
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Columns, Lines
from ringdoku.text.pairs import in_one_alphabet
from ringdoku.text.rows import ruleset_of

SHORTEST = 16
"""Characters of the smallest puzzle that may have other text on its line: a 4×4. A shorter word is part of something
else."""

_PUZZLES = {"puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku"}
_SOLUTIONS = {"solution", "solutions", "answer", "answers"}
_NAME = re.compile("|".join(sorted(_PUZZLES)), re.IGNORECASE)
_LARGEST_HEADER = 1000
_WORD = re.compile(r"[^ \t,;#\"]*")
_WORDS = re.compile(r"([^ \t;]*)[ \t;]*([^ \t;]*)[ \t;]*")
_PRIMES = (2, 3, 5, 7)


class _Field(NamedTuple):
    """A part of a line, and the column where it starts, from 1."""

    text: str
    column: int


def is_line(lines: Lines, shape: Shape) -> bool:
    """Whether the next line is a puzzle, or a header of such lines."""
    line = lines.peek()
    if line is None:
        return False
    text = line.text.strip(' \t"')
    word = _WORD.match(text)
    length = word.end() if word else 0
    order = isqrt(length)
    if shape.board:
        return length == shape.board.grid_count > shape.board.columns
    if length == len(text) > MAX_SYMBOLS:
        return True
    if order * order != length:
        # a puzzle that is too short, above others
        following = lines.peek(1)
        return length == len(text) and following is not None and len(following.text) > MAX_SYMBOLS
    if length < SHORTEST and length < len(text):
        return False
    if shape.box:
        return order == shape.box[0] * shape.box[1]
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


def header_of(lines: Lines, ahead: int = 0) -> Columns | None:
    """The columns that a line names; None if it is not a header.

    `Sudoku, hard` above a grid in rows is not a header. Below a header the column of the puzzle holds a long word, and
    there is more than one column unless the header names a solution, which may be missing.
    """
    line = lines.peek(ahead)
    columns = _named(line.text) if line and len(line.text) <= _LARGEST_HEADER and _NAME.search(line.text) else None
    following = next_content(lines, ahead) if columns else None
    if columns is None or following is None:
        return columns
    fields = _fields(following[1].text, columns.separator)
    if columns.solution is None and len(fields) == 1 and columns.puzzle == 0:
        return None
    short = columns.puzzle < len(fields) and len(_words(fields[columns.puzzle])[0].text) < SHORTEST
    return None if short else columns


def read_line(lines: Lines, shape: Shape) -> Block:
    """Takes one line. Raises `InputError`."""
    place = lines.place()
    line = lines.take()
    assert line is not None
    if line.fault:
        raise line.fault
    if not (lines.columns and lines.columns.puzzle) and _WORD.fullmatch(line.text):
        field, solution, name = _Field(line.text, 1), None, ""
    else:
        field, solution, name = _cut(line.text, lines.columns, place)
    ruleset = _ruleset(field, place, lines, shape)
    if not shape.board and len(field.text) < min(SHORTEST, len(line.text.strip(" \t"))):
        found = f"other text on the line of a puzzle of {counted(len(field.text), 'character')}"
        expected = "a puzzle of 16, 81, … characters, or no other text"
        raise InputError(replace(place, column=field.column), found, expected)
    clues, layout = _decode(field, ruleset, place, lines.zero_order == ruleset.board.order)
    if not solution:
        return Block(Puzzle(ruleset, clues), layout, name=name)
    if len(solution.text) != len(field.text):
        end = solution.column + min(len(solution.text), len(field.text))
        found = f"a solution of {counted(len(solution.text), 'character')}"
        raise InputError(replace(place, column=end), found, str(len(field.text)))
    answer, written = _decode(solution, ruleset, place, starts_at_zero(layout.symbols))
    with _placed(solution, place):
        clues, answer, symbols = in_one_alphabet(clues, layout, answer, written)
    return Block(Puzzle(ruleset, clues), replace(layout, symbols=symbols), answer, name, solution.column)


def _ruleset(field: _Field, place: Place, lines: Lines, shape: Shape) -> Ruleset:
    length = len(field.text)
    where = replace(place, column=field.column)
    if shape.board:
        return ruleset_of(shape.board, shape.box, where)
    order = isqrt(length)
    usual = (shape.box[0] * shape.box[1]) ** 2 if shape.box else lines.length
    if order * order != length or not (1 if lines.single_cells or shape.box else 2) <= order <= MAX_SYMBOLS:
        with _placed(field, place):
            refuse_unprintable(field.text)
        end = field.column + min(length, usual or length)
        expected = str(usual) if usual else "n² of them: 16, 81, 256, …"
        if length > MAX_SYMBOLS**2:
            expected = f"at most {MAX_SYMBOLS**2}, for order {MAX_SYMBOLS}; larger orders are written in numbers"
        raise InputError(replace(place, column=end), counted(length, "character"), expected)
    ruleset = ruleset_of(order, shape.box, where)
    lines.length = length
    return ruleset


def _decode(field: _Field, ruleset: Ruleset, place: Place, zero_before: bool) -> tuple[Grid, Layout]:
    board = ruleset.board
    with _placed(field, place):
        digits, symbols = decode(field.text, True, board, ruleset, zero_before)
    blank = field.text[digits.index(board.blank)] if board.blank in digits else "."
    return Grid(tuple(digits), board), Layout("line", symbols, blank, row_end="")


@contextmanager
def _placed(field: _Field, place: Place) -> Iterator[None]:
    """Gives a `BadCellError` its place, as an `InputError`."""
    try:
        yield
    except BadCellError as error:
        where = replace(place, column=field.column + error.index)
        raise InputError(where, error.found, error.expected) from None


def _cut(text: str, columns: Columns | None, place: Place) -> tuple[_Field, _Field | None, str]:
    """The puzzle, its solution and its name on a line. Without a header the first column is the puzzle, and the second
    may be its solution.

    Text may follow the puzzle after spaces, a tab or `;`: a word of the same length is the solution, anything else is
    the name. Raises `InputError` if the line has no column for the puzzle.
    """
    data, _, name = (text, "", "") if '"' in text else text.partition("#")
    puzzle_at, solution_at, separator = columns or Columns(0, 1, ",")
    fields = _fields(data, separator)
    if puzzle_at >= len(fields):
        end = replace(place, column=len(data) + 1)
        raise InputError(end, counted(len(fields), "column"), f"the puzzle in column {puzzle_at + 1}")
    puzzle, next_word, rest = _words(fields[puzzle_at])
    solution = fields[solution_at] if solution_at is not None and solution_at < len(fields) else None
    if not (solution and solution.text) and len(next_word.text) == len(puzzle.text):
        solution, tag = next_word, rest
    else:
        tag = fields[puzzle_at].text[next_word.column - puzzle.column :]
    return puzzle, solution if solution and solution.text else None, (name or tag).strip(" \t;")


def _named(text: str) -> Columns | None:
    for separator in ",;\t":
        names = [name.strip(' \t"').lower() for name in text.split(separator)]
        puzzle = next((index for index, name in enumerate(names) if name in _PUZZLES), None)
        solution = next((index for index, name in enumerate(names) if name in _SOLUTIONS), None)
        if puzzle is not None and len(names) > 1:
            return Columns(puzzle, solution, separator)
    return None


def _fields(text: str, separator: str) -> list[_Field]:
    """The columns, without the spaces and quotes around them."""
    parts = _quoted_field(separator).findall(text + separator) if '"' in text else text.split(separator)
    fields: list[_Field] = []
    start = 0
    for part in parts:
        bare = part.strip(' \t"')
        fields.append(_Field(bare, start + part.find(bare) + 1))
        start += len(part) + 1
    return fields


@lru_cache
def _quoted_field(separator: str) -> re.Pattern[str]:
    """A field and the separator after it. Inside quotes a separator is text, and a quote is doubled."""
    return re.compile(rf'( *"[^"]*(?:""[^"]*)*"?[^{separator}]*|[^{separator}]*){separator}')


def _words(field: _Field) -> tuple[_Field, _Field, str]:
    """The first word, the second word, and the rest."""
    match = _WORDS.match(field.text)
    assert match is not None
    first, second = (_Field(match[group], field.column + match.start(group)) for group in (1, 2))
    return first, second, field.text[match.end() :]
