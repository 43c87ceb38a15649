"""n² characters on one line, as POJ 3074, .sdm files and most collections have it; CSV with such columns.

After the puzzle may stand a name, apart by spaces or `#`. In CSV without a header the second column is the solution.
"""

from __future__ import annotations

import re
from math import isqrt

from ringdoku.domain.checker import check
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.geometry import Geometry
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.formats.base import Block, Box, Format
from ringdoku.formats.between import Kind, kind_of
from ringdoku.formats.layout import Layout
from ringdoku.formats.lines import Lines
from ringdoku.formats.rows import geometry_of
from ringdoku.formats.symbols import MAX_SYMBOLS, BadCellError, decode_symbols, is_square, symbols_of

_PUZZLE_NAMES = {"puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku"}
_SOLUTION_NAMES = {"solution", "solutions", "answer", "answers"}
_PUZZLE = re.compile(r"[^ \t,#]*")
_PRIMES = (2, 3, 5, 7)


def _recognises(lines: Lines, box: Box) -> bool:
    line = lines.peek()
    if line is None:
        return False
    if _header_columns(line.text):
        return True
    text = line.text.strip(" \t")
    length = len(_PUZZLE.match(text)[0])  # type: ignore[index]
    order = isqrt(length)
    if order * order != length or (order < 4 and length < len(text)):
        return False
    if box:
        return order == box[0] * box[1]
    if order in _PRIMES:
        return False
    # 16 characters are a 4×4 or a row of a 16×16, 36 a 6×6 or a row of a 36×36
    return length > MAX_SYMBOLS or not is_square(length) or length == 1 or not _are_rows(lines, length, order)


def _are_rows(lines: Lines, length: int, order: int) -> bool:
    """Whether several lines of one length follow, with a symbol too high for puzzles of `order`."""
    low = set(symbols_of(order) + "0._*?-")
    high = False
    for ahead in range(length):
        line = lines.peek(ahead)
        if line is None or kind_of(line.text) is not Kind.CONTENT or len(line.text.strip(" \t")) != length:
            return False
        high = high or not low.issuperset(line.text)
        if high and ahead:
            return True
    return False


class _Reader:
    """Keeps the CSV columns of the header and the length of the puzzle before."""

    def __init__(self, lines: Lines, box: Box) -> None:
        self._box = box
        first = lines.peek()
        columns = _header_columns(first.text) if first else None
        if columns:
            lines.take()
        self._puzzle, self._solution = columns or (0, 1)
        self._length = box[0] * box[1] * box[0] * box[1] if box else 0

    def __call__(self, lines: Lines) -> Block:
        place = lines.place()
        line = lines.take()
        assert line is not None
        if line.fault:
            raise line.fault
        text, solution, name, start, solution_start = line.text, "", "", 0, 0
        if not text.isalnum():
            text, hash_sign, name = text.partition("#")
            fields = text.split(",")
            if self._puzzle >= len(fields):
                raise InputError(
                    Place(place.file, place.line, len(text) + 1),
                    f"{len(fields)} columns",
                    f"the puzzle in column {self._puzzle + 1}",
                )
            text, start = _field(fields, self._puzzle)
            if self._solution is not None and self._solution < len(fields):
                solution, solution_start = _field(fields, self._solution)
            if not hash_sign:
                text, _, name = text.replace("\t", " ").partition(" ")
            text = text.rstrip(" \t")
            name = name.strip(" \t")
        geometry = self._geometry(text, Place(place.file, place.line, start + 1))
        clues, symbols = _decode(text, geometry, place, start)
        puzzle = Puzzle(geometry, clues)
        blank = text[clues.digits.index(0)] if 0 in clues.digits else "."
        known = self._check(puzzle, solution, symbols, place, solution_start) if solution else None
        return Block(puzzle, Layout("line", symbols, blank), known, name)

    def _geometry(self, text: str, place: Place) -> Geometry:
        length = len(text)
        order = isqrt(length)
        if not length or order * order != length or order > MAX_SYMBOLS:
            end = place.column + min(length, self._length or length)
            expected = str(self._length) if self._length else "n² of them: 16, 81, 256, …"
            raise InputError(Place(place.file, place.line, end), f"{length} characters", expected)
        geometry = geometry_of(order, self._box, place)
        self._length = length
        return geometry

    def _check(self, puzzle: Puzzle, text: str, symbols: str, place: Place, start: int) -> Grid:
        if len(text) != len(puzzle.clues.digits):
            end = start + min(len(text), len(puzzle.clues.digits)) + 1
            found = f"a solution of {len(text)} characters"
            raise InputError(Place(place.file, place.line, end), found, str(len(puzzle.clues.digits)))
        solution, _ = _decode(text, puzzle.geometry, place, start, symbols)
        if violations := check(puzzle, solution):
            found = f"a column that is no solution of the puzzle ({violations[0]})"
            raise InputError(Place(place.file, place.line, start + 1), found, "a solution of it")
        return solution


def _decode(text: str, geometry: Geometry, place: Place, start: int, symbols: str = "") -> tuple[Grid, str]:
    try:
        digits, symbols = decode_symbols(text, geometry.order, symbols)
    except BadCellError as error:
        raise InputError(Place(place.file, place.line, start + error.index + 1), error.found, error.expected) from None
    return Grid(digits), symbols


def _field(fields: list[str], index: int) -> tuple[str, int]:
    """A CSV field without spaces and quotes around it, and the characters before it in the line."""
    before = sum(len(field) + 1 for field in fields[:index])
    bare = fields[index].lstrip(' \t"')
    return bare.rstrip(' \t"'), before + len(fields[index]) - len(bare)


def _header_columns(text: str) -> tuple[int, int | None] | None:
    """The places of puzzle and solution in a CSV header, None when the line is none."""
    if len(text) > 1000:
        return None
    names = [name.strip(' \t"').lower() for name in text.split(",")]
    puzzle = next((index for index, name in enumerate(names) if name in _PUZZLE_NAMES), None)
    if puzzle is None:
        return None
    return puzzle, next((index for index, name in enumerate(names) if name in _SOLUTION_NAMES), None)


def _layout(geometry: Geometry) -> Layout:
    return Layout("line", symbols_of(geometry.order))


LINE = Format("line", "n² characters on one line; also CSV with such columns", _recognises, _Reader, _layout)
