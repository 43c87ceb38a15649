"""Canonical forms of classic puzzles: two puzzles are isomorphic if and only if their forms are equal.

The cells of the form are decided in reading order, for many puzzles at once. At each cell only those transformations of
a puzzle survive that put the least digit there. Digits are compared by codes: the code of a digit is the number of its
first cell in the form; a new digit has none. What makes no difference yet stays open: columns of a stack that were
alike so far share the first of their places, and their new digits in one row, which differ, share its code.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ringdoku.domain import DimensionError, Grid, Puzzle, UsageError
from ringdoku.services.session import PuzzleLike, as_puzzles

MOST_ENTRIES = 1 << 23
"""The largest number of transformations times columns that are kept at once; each takes some ten bytes."""
BATCH = 100
"""How many puzzles are worked on together, about fifteen times as fast as one by one."""


@dataclass(frozen=True)
class Canonical:
    """The canonical `form` of a puzzle, its number of `automorphisms`, and how the puzzle becomes the form.

    If `transposed`, rows become columns first. Then row i of the form is row `rows[i]`, column j is column
    `columns[j]`, counted from 0, and the digit d becomes `digits[d - 1]`.
    """

    form: Puzzle
    automorphisms: int
    transposed: bool
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    digits: tuple[int, ...]

    def moved(self, grid: Grid) -> Grid:
        """Another grid, such as the solution, transformed in the same way. Raises `DimensionError` for another size."""
        if len(grid.digits) != len(self.rows) * len(self.columns):
            raise DimensionError(f"the form is of {len(self.rows)} rows, the grid {grid.board}")
        rows = tuple(zip(*grid.rows, strict=True)) if self.transposed else grid.rows
        digits = (0, *self.digits)
        return Grid(tuple(digits[rows[row][column]] for row in self.rows for column in self.columns), grid.board)


def canonical(puzzle: PuzzleLike) -> Canonical:
    """The row-minlex form: of all puzzles that differ from this one by the order of digits, bands, rows of a band,
    stacks and columns of a stack and, where boxes are square, by transposition, the first as n² digits, 0 for blank.

    Puzzles with equal forms are isomorphic. Raises `UsageError` for other than classic rules, and for a large puzzle
    with so many symmetries that they do not fit into the memory.
    """
    found = next(canonical_many([puzzle]))
    if found is None:
        raise UsageError("the puzzle has too many symmetries for its canonical form")
    return found


def canonical_many(puzzles: Iterable[PuzzleLike]) -> Iterator[Canonical | None]:
    """`canonical` for each puzzle, in order, None for one with too many symmetries; a thousand 9×9 take a second."""
    for ruleset, group in groupby(as_puzzles(puzzles), lambda puzzle: puzzle.ruleset):
        box = ruleset.require_classic("a canonical form")
        while batch := list(islice(group, BATCH)):
            yield from _forms(batch, box)


def _forms(puzzles: list[Puzzle], box: tuple[int, int]) -> Iterator[Canonical | None]:
    """The forms of all puzzles together, or of each half if there are too many transformations to keep."""
    found, half = _Transformations([puzzle.clues.digits for puzzle in puzzles], box).run(), len(puzzles) // 2
    if found is not None:
        yield from (_canonical_from(*each) for each in zip(puzzles, *found, strict=True))
    elif half:
        yield from _forms(puzzles[:half], box)
        yield from _forms(puzzles[half:], box)
    else:
        yield None


def _canonical_from(puzzle: Puzzle, count: int, side: int, rows: list[int], places: list[int]) -> Canonical:
    """The result for a puzzle from the number of transformations that are left, and one of them."""
    board, every = puzzle.board, tuple(puzzle.board.digits)
    columns = tuple(sorted(range(board.order), key=places.__getitem__))
    moved = Canonical(puzzle, count, bool(side), tuple(rows), columns, every).moved(puzzle.clues)
    order = [digit for digit in dict.fromkeys((*moved.digits, *every)) if digit]
    digits = tuple(order.index(digit) + 1 for digit in every)
    form = Puzzle(puzzle.ruleset, Grid(tuple((0, *digits)[digit] for digit in moved.digits), board))
    # columns with one place, and digits without clues, are left in any order
    alike = (*Counter(places).values(), len(set(every) - set(moved.digits)))
    return Canonical(form, count * prod(map(factorial, alike)), bool(side), tuple(rows), columns, digits)


class _Transformations:
    """The surviving transformations of puzzles, which are given as n² digits each, 0 for blank.

    `table` has one record for each, in the order of the puzzles: the indices of the `puzzle` and of the `grid`, which
    is the puzzle or, if boxes are square, its transpose; the `rows` taken, and which are `free`; the `cells` of the
    last row; the `place` of each column, -1 while its stack has none; for each digit the `column` where it came first
    (n if it did not; that has the place -1), and `since`, which plus the place of this column is its code.
    """

    def __init__(self, puzzles: Sequence[Sequence[int]], box: tuple[int, int]) -> None:
        (self.height, self.width), n = box, box[0] * box[1]
        clues = np.array(puzzles, np.int16).reshape(-1, n, n)
        sides = [clues, clues.swapaxes(1, 2)][: 2 if self.height == self.width > 1 else 1]
        self.n, self.puzzles = n, np.arange(len(clues))
        self.grids = np.stack(sides, axis=1).reshape(-1, n, n)
        ordered = np.sort(self.grids, axis=2)
        self.has_twins = ((np.diff(ordered) == 0) & (ordered[:, :, 1:] > 0)).any(axis=2)
        fields: list[Any] = [("puzzle", np.int32), ("grid", np.int32), ("free", np.bool_, (n,))]
        fields += [(name, np.int16, (n,)) for name in ("rows", "cells")]
        fields += [(name, np.int16, (n + 1,)) for name in ("place", "column")] + [("since", np.int32, (n + 1,))]
        self.table = np.zeros(len(self.grids), fields)
        self.table["grid"] = np.arange(len(self.grids))
        self.table["puzzle"], self.table["free"] = self.table["grid"] // len(sides), True
        self.table["place"], self.table["column"], self.table["since"][:, 0] = -1, n, 1

    def run(self) -> tuple[list[Any], ...] | None:
        """For each puzzle how many transformations give the form, and one of them: 1 if it transposes, the rows, and
        the places of the columns. None if there are too many to keep."""
        for row in range(self.n):
            self._take_rows(row)
            for place in range(self.n):
                if row == 0 and place % self.width == 0:
                    self._take_stacks(place)
                self._take_columns(row, place)
                if self.table.size * self.n > MOST_ENTRIES:
                    return None
        starts = np.searchsorted(self.table["puzzle"], [*self.puzzles, len(self.puzzles)])
        first, sides = self.table[starts[:-1]], len(self.grids) // len(self.puzzles)
        found = np.diff(starts), first["grid"] % sides, first["rows"], first["place"][:, :-1]
        return tuple(array.tolist() for array in found)

    def _take_rows(self, row: int) -> None:
        """Branches on the row of the grid that becomes row `row` of the form."""
        free, bands = self.table["free"].copy(), np.arange(self.n) // self.height
        if row % self.height:
            free &= bands == bands[self.table["rows"][:, row - 1]][:, None]
        which, taken = free.nonzero()
        # much faster than an index for records with several fields
        self.table = self.table.take(which)
        self.table["free"][np.arange(which.size), taken] = False
        self.table["rows"][:, row] = taken
        self.table["cells"] = self.grids[self.table["grid"], taken]

    def _take_stacks(self, place: int) -> None:
        """Branches on the stack that gets this place, of those without one."""
        which, stack = (self.table["place"][:, : self.n : self.width] < 0).nonzero()
        self.table = self.table.take(which)
        self.table["place"][:, :-1][np.arange(self.n) // self.width == stack[:, None]] = place

    def _take_columns(self, row: int, place: int) -> None:
        """Branches on the column that gets this place, of those that bring the least digit there."""
        found, columns, new = self.table, np.arange(self.n), row * self.n + place + 1
        shared_places = np.where(found["place"] <= place, found["place"], -1).max(axis=1)
        which, column = (found["place"][:, :-1] == shared_places[:, None]).nonzero()
        digit, shared_place = found["cells"][which, column], shared_places[which]
        since, first = found["since"][which, digit], found["column"][which, digit]
        # if this digit came first in one of the alike columns, that one gets this place, or otherwise the next
        code = since + found["place"][which, first]
        code += np.where(first == column, place - shared_place, found["place"][which, first] == shared_place)
        code[since == 0] = new
        puzzle = found["puzzle"][which]
        least = np.minimum.reduceat(code, np.searchsorted(puzzle, self.puzzles))[puzzle]
        # columns with blanks stay alike, and so do those with new digits, unless the row has a digit twice
        is_single = (digit > 0) & ((code < new) | self.has_twins[found["grid"], found["rows"][:, row]][which])
        kept = np.flatnonzero(code == least)
        kept = kept[is_single[kept] | (np.diff(which[kept], prepend=-1) > 0)]
        self.table, column, digit, first = found.take(which[kept]), column[kept], digit[kept], first[kept]
        single = is_single[kept][:, None]
        ahead = np.where(single, columns == column[:, None], (self.table["cells"] > 0) == (digit > 0)[:, None])
        ahead &= self.table["place"][:, :-1] == shared_place[kept][:, None]
        self._put_ahead(ahead)
        # the code was the least that the digit could get
        self._put_ahead((columns == first[:, None]) & single)
        which, column = ahead.nonzero()
        digit = self.table["cells"][which, column]
        is_new = self.table["since"][which, digit] == 0
        which, column, digit = which[is_new], column[is_new], digit[is_new]
        self.table["column"][which, digit], self.table["since"][which, digit] = column, row * self.n + 1

    def _put_ahead(self, columns: NDArray[Any]) -> None:
        """Puts these of the columns that share a place before the others."""
        place = self.table["place"][:, :-1]
        behind = (place == place[np.arange(len(place)), columns.argmax(axis=1)][:, None]) & ~columns
        place += (behind * columns.sum(axis=1)[:, None]).astype(np.int16)
