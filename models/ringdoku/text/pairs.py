"""Read a puzzle and its solution in one alphabet. Either of them may show it more clearly than the other."""

from __future__ import annotations

from dataclasses import replace

from ringdoku.domain.errors import InputError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.base import Entry
from ringdoku.text.cells import (
    Alphabet,
    BadCellError,
    decode_as,
    numbers_from_zero,
    starts_at_zero,
    symbols_from_zero,
)
from ringdoku.text.layout import Layout


def pair(entry: Entry, other: Entry) -> tuple[Entry, Grid]:
    """A puzzle and its answer in one alphabet; the answer is the solution of `other`, or else its grid.

    Raises `InputError` if no alphabet fits both.
    """
    answer = other.solution or other.puzzle.clues
    try:
        clues, answer, symbols = in_one_alphabet(entry.puzzle.clues, entry.layout, answer, other.layout)
    except BadCellError as error:
        cell = other.puzzle.board.cell_name(error.index)
        raise InputError(other.place, f"{error.found} in {cell}", f"{error.expected}, as in {entry.place}") from None
    puzzle = Puzzle(entry.puzzle.ruleset, clues)
    return replace(entry, puzzle=puzzle, layout=replace(entry.layout, symbols=symbols)), answer


def in_one_alphabet(clues: Grid, layout: Layout, answer: Grid, written: Layout) -> tuple[Grid, Grid, Alphabet]:
    """Both grids read in one alphabet, and that alphabet. Grids in numbers stay as they are.

    It is the alphabet of a full answer if the clues can be read in it, for example clues A-G with an answer in 1-9A-G;
    otherwise that of the clues. An answer whose blanks are all `0` is read with digits from 0 if this fills it and fits
    the clues. Raises `BadCellError` if the answer cannot be read in the alphabet of the clues.
    """
    if not (clues.board.is_plain and answer.board.is_plain):
        return clues, answer, layout.symbols
    if answer.order == clues.order and not answer.is_full and not written.blank.strip("0"):
        from_zero = _from_zero(clues, layout, answer, written)
        if from_zero:
            return from_zero
    own, other = layout.symbols, written.symbols
    if own == other or len(own) != len(other) or (starts_at_zero(own) and starts_at_zero(other)):
        return clues, answer, own
    if answer.is_full:
        read_again = _clues_in(other, clues, layout)
        if read_again:
            return read_again, answer, other
    return clues, _in_alphabet(own, answer, written), own


def _from_zero(clues: Grid, layout: Layout, answer: Grid, written: Layout) -> tuple[Grid, Grid, Alphabet] | None:
    """Both grids read with digits from 0, and the alphabet of the clues; None if that is not possible."""
    try:
        read_again = _in_alphabet(_starting_at_zero(written, answer.order), answer, written)
    except BadCellError:
        return None
    if starts_at_zero(layout.symbols):
        return clues, read_again, layout.symbols
    symbols = _starting_at_zero(layout, clues.order)
    clues_again = _clues_in(symbols, clues, layout) if read_again.is_full else None
    return (clues_again, read_again, symbols) if clues_again else None


def _starting_at_zero(layout: Layout, order: int) -> Alphabet:
    return symbols_from_zero(order) if layout.symbols else numbers_from_zero(order)


def _clues_in(symbols: Alphabet, clues: Grid, layout: Layout) -> Grid | None:
    """The clues read in another alphabet; None if that is not possible, or a blank `0` would become a digit."""
    try:
        read_again = _in_alphabet(symbols, clues, layout)
    except BadCellError:
        return None
    return read_again if read_again.filled_count == clues.filled_count else None


def _in_alphabet(symbols: Alphabet, grid: Grid, layout: Layout) -> Grid:
    names = (layout.blank[:1], *(layout.symbols or map(str, range(1, grid.order + 1))))
    return Grid(decode_as([names[digit] for digit in grid.digits], symbols, grid.order))
