"""The columns of a line that hold the puzzle and its solution: CSV with or without a header, also with `;` or tabs."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.numbers import counted
from ringdoku.text.between import next_content
from ringdoku.text.lines import Lines

PUZZLE_NAMES = {"puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku"}
SOLUTION_NAMES = {"solution", "solutions", "answer", "answers"}
_NAME = re.compile("|".join(sorted(PUZZLE_NAMES)), re.IGNORECASE)
_LARGEST_HEADER = 1000
SHORTEST = 16
"""Characters of the smallest puzzle that may have other text on its line: a 4×4."""
_WORDS = re.compile(r"([^ \t;]*)[ \t;]*([^ \t;]*)[ \t;]*")


class Columns(NamedTuple):
    """The numbers of the columns of puzzle and solution, from 0, and what separates columns."""

    puzzle: int
    solution: int | None
    separator: str


class Field(NamedTuple):
    """A part of a line, and the column where it starts, from 1."""

    text: str
    column: int


class Parts(NamedTuple):
    """What a line of columns holds."""

    puzzle: Field
    solution: Field | None
    name: str


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


def cut(text: str, columns: Columns | None, place: Place) -> Parts:
    """The parts of a line. Without a header the first column is the puzzle, and the second may be its solution.

    Text may follow the puzzle after spaces, a tab or `;`: a word of the same length is the solution, anything else is
    the name. Raises `InputError` if the line has no column for the puzzle.
    """
    data, _, name = (text, "", "") if '"' in text else text.partition("#")
    puzzle_at, solution_at, separator = columns or Columns(0, 1, ",")
    fields = _fields(data, separator)
    if puzzle_at >= len(fields):
        end = Place(place.file, place.line, len(data) + 1)
        raise InputError(end, counted(len(fields), "column"), f"the puzzle in column {puzzle_at + 1}")
    puzzle, next_word, rest = _words(fields[puzzle_at])
    solution = fields[solution_at] if solution_at is not None and solution_at < len(fields) else None
    if not (solution and solution.text) and len(next_word.text) == len(puzzle.text):
        solution, tag = next_word, rest
    else:
        tag = fields[puzzle_at].text[next_word.column - puzzle.column :]
    return Parts(puzzle, solution if solution and solution.text else None, (name or tag).strip(" \t;"))


def _named(text: str) -> Columns | None:
    for separator in ",;\t":
        names = [name.strip(' \t"').lower() for name in text.split(separator)]
        puzzle = next((index for index, name in enumerate(names) if name in PUZZLE_NAMES), None)
        solution = next((index for index, name in enumerate(names) if name in SOLUTION_NAMES), None)
        if puzzle is not None and len(names) > 1:
            return Columns(puzzle, solution, separator)
    return None


def _fields(text: str, separator: str) -> list[Field]:
    """The columns, without the spaces and quotes around them."""
    parts = _quoted_field(separator).findall(text + separator) if '"' in text else text.split(separator)
    fields: list[Field] = []
    start = 0
    for part in parts:
        bare = part.strip(' \t"')
        fields.append(Field(bare, start + part.find(bare) + 1))
        start += len(part) + 1
    return fields


@lru_cache
def _quoted_field(separator: str) -> re.Pattern[str]:
    """A field and the separator after it. Inside quotes a separator is text, and a quote is doubled."""
    return re.compile(rf'( *"[^"]*(?:""[^"]*)*"?[^{separator}]*|[^{separator}]*){separator}')


def _words(field: Field) -> tuple[Field, Field, str]:
    """The first word, the second word, and the rest."""
    match = _WORDS.match(field.text)
    assert match is not None
    first, second = (Field(match[group], field.column + match.start(group)) for group in (1, 2))
    return first, second, field.text[match.end() :]
