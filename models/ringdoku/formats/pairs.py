"""A puzzle and its solution are written in one alphabet, which either may tell better than the other."""

from __future__ import annotations

from dataclasses import replace

from ringdoku.domain.errors import InputError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.formats.base import Entry
from ringdoku.formats.layout import Layout
from ringdoku.formats.symbols import BadCellError, decode_symbols


def pair(entry: Entry, other: Entry) -> tuple[Entry, Grid]:
    """A puzzle and its answer, which is the other's solution or else its grid, read in one alphabet.

    Raises `InputError` when there is none for both.
    """
    answer = other.solution or other.puzzle.clues
    try:
        clues, answer, symbols = in_one_alphabet(entry.puzzle.clues, entry.layout, answer, other.layout)
    except BadCellError as error:
        cell = other.puzzle.board.cell_name(error.index)
        raise InputError(other.place, f"{error.found} in {cell}", f"{error.expected}, as in {entry.place}") from None
    puzzle = Puzzle(entry.puzzle.ruleset, clues)
    return replace(entry, puzzle=puzzle, layout=replace(entry.layout, symbols=symbols)), answer


def in_one_alphabet(clues: Grid, layout: Layout, answer: Grid, written: Layout) -> tuple[Grid, Grid, str]:
    """Both grids read in the same alphabet, and that alphabet; as they are where one is in numbers.

    It is that of a full answer if the clues can be read in it, such as clues in letters with an answer in 1-9A-G, else
    that of the clues. Raises `BadCellError` when the answer cannot be read in it.
    """
    if (
        not clues.board.is_plain
        or layout.symbols == written.symbols
        or not written.symbols
        or len(layout.symbols) != len(written.symbols)
    ):
        return clues, answer, layout.symbols
    if answer.is_full:
        try:
            read_again = _read_again(clues, layout, written.symbols)
        except BadCellError:
            pass
        else:
            # a `0` is a digit in one alphabet and a blank in the others
            if read_again.filled_count == clues.filled_count:
                return read_again, answer, written.symbols
    return clues, _read_again(answer, written, layout.symbols), layout.symbols


def _read_again(grid: Grid, layout: Layout, symbols: str) -> Grid:
    if symbols == layout.symbols:
        return grid
    names = (layout.blank[:1], *layout.symbols)
    return Grid(decode_symbols("".join([names[digit] for digit in grid.digits]), grid.order, symbols)[0])
