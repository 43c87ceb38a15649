"""The transformations that take classic puzzles to their row-minlex form, for many puzzles at once.

The cells of the form are decided in reading order: of the transformations of a puzzle those stay that put the least
digit into the next cell. A digit is new or it has a code, the number of its first cell in the form. What makes no
difference yet stays open: columns of a stack that were alike so far share the first of their places, and the new digits
of one row in them, which differ, share its code.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
MOST = 1 << 23
"""Transformations times columns that are kept at once; each takes some ten bytes."""


class Search:
    """What is left of the transformations of puzzles, which are given as n² digits each, 0 for blank.

    `found` has them in the order of the puzzles: the number of the `puzzle`, and of the `grid`, which is the puzzle or,
    where boxes are square, its transpose; the `rows` taken, and which are `free`; the `cells` of the last row; the
    `place` of each column, -1 while its stack has none; for each digit the `column` where it came first, n while there
    is none, which has the place -1, and the code `since`, to which the place of this column is added.
    """

    def __init__(self, puzzles: Sequence[Sequence[int]], box: tuple[int, int]) -> None:
        (self.height, self.width), n = box, box[0] * box[1]
        clues = np.array(puzzles, np.int16).reshape(-1, n, n)
        sides = [clues, clues.swapaxes(1, 2)][: 2 if self.height == self.width > 1 else 1]
        self.n, self.puzzles = n, np.arange(len(clues))
        self.grids = np.stack(sides, axis=1).reshape(-1, n, n)
        ordered = np.sort(self.grids, axis=2)
        self.has_twins = ((np.diff(ordered) == 0) & (ordered[:, :, 1:] > 0)).any(axis=2)
        self.is_full = clues.all() and not self.has_twins.any()
        fields: list[Any] = [("puzzle", np.int32), ("grid", np.int32), ("free", np.bool_, (n,))]
        fields += [(name, np.int16, (n,)) for name in ("rows", "cells")]
        fields += [(name, np.int16, (n + 1,)) for name in ("place", "column", "since")]
        self.found = np.zeros(len(self.grids), fields)
        self.found["grid"] = np.arange(len(self.grids))
        self.found["puzzle"], self.found["free"] = self.found["grid"] // len(sides), True
        self.found["place"], self.found["column"], self.found["since"][:, 0] = -1, n, 1

    def run(self) -> tuple[list[Any], ...] | None:
        """How many transformations of each puzzle give the form; and one of them: 1 if it transposes, the rows, and the
        places of the columns. None: too many to keep."""
        for row in range(self.n):
            self._take_rows(row)
            for place in range(self.n):
                if row == 0 and place % self.width == 0:
                    self._take_stacks(place)
                # n digits leave all columns of a stack alike
                elif row == 0 and self.is_full:
                    continue
                self._take_columns(row, place)
                if self.found.size * self.n > MOST:
                    return None
        starts = np.searchsorted(self.found["puzzle"], [*self.puzzles, len(self.puzzles)])
        one, sides = self.found[starts[:-1]], len(self.grids) // len(self.puzzles)
        found = np.diff(starts), one["grid"] % sides, one["rows"], one["place"][:, :-1]
        return tuple(each.tolist() for each in found)

    def _take_rows(self, row: int) -> None:
        """Goes on with each row that may be the next."""
        free, bands = self.found["free"].copy(), np.arange(self.n) // self.height
        if row % self.height:
            free &= bands == bands[self.found["rows"][:, row - 1]][:, None]
        which, taken = free.nonzero()
        # much faster than an index where items have several fields
        self.found = self.found.take(which)
        self.found["free"][np.arange(which.size), taken] = False
        self.found["rows"][:, row] = taken
        self.found["cells"] = self.grids[self.found["grid"], taken]

    def _take_stacks(self, place: int) -> None:
        """Goes on with each stack that has no place."""
        which, stack = (self.found["place"][:, : self.n : self.width] < 0).nonzero()
        self.found = self.found.take(which)
        self.found["place"][:, :-1][np.arange(self.n) // self.width == stack[:, None]] = place

    def _take_columns(self, row: int, place: int) -> None:
        """Goes on with each column that may have the place and brings the least digit there."""
        found, columns, new = self.found, np.arange(self.n), row * self.n + place + 1
        start = np.where(found["place"] <= place, found["place"], -1).max(axis=1)
        which, column = (found["place"][:, :-1] == start[:, None]).nonzero()
        digit, begin = found["cells"][which, column], start[which]
        since, first = found["since"][which, digit], found["column"][which, digit]
        # where this digit came first in one of the alike columns, that one has this place, or else the next
        code = since + found["place"][which, first]
        code += np.where(first == column, place - begin, found["place"][which, first] == begin)
        code[since == 0] = new
        of = found["puzzle"][which]
        least = np.minimum.reduceat(code, np.searchsorted(of, self.puzzles))[of]
        # columns with blanks stay alike, and those with new digits, unless one of these stands twice in the row
        is_single = (digit > 0) & ((code < new) | self.has_twins[found["grid"], found["rows"][:, row]][which])
        kept = np.flatnonzero(code == least)
        kept = kept[is_single[kept] | (np.diff(which[kept], prepend=-1) > 0)]
        self.found, column, digit, first = found.take(which[kept]), column[kept], digit[kept], first[kept]
        single = is_single[kept][:, None]
        ahead = np.where(single, columns == column[:, None], (self.found["cells"] > 0) == (digit > 0)[:, None])
        ahead &= self.found["place"][:, :-1] == begin[kept][:, None]
        self._put_ahead(ahead)
        # the code was the least that the digit could get
        self._put_ahead((columns == first[:, None]) & single)
        which, column = ahead.nonzero()
        digit = self.found["cells"][which, column]
        is_new = self.found["since"][which, digit] == 0
        which, column, digit = which[is_new], column[is_new], digit[is_new]
        self.found["column"][which, digit], self.found["since"][which, digit] = column, row * self.n + 1

    def _put_ahead(self, columns: Array) -> None:
        """Puts these columns, which are alike, before others that are alike."""
        place = self.found["place"][:, :-1]
        behind = (place == place[np.arange(len(place)), columns.argmax(axis=1)][:, None]) & ~columns
        place += (behind * columns.sum(axis=1)[:, None]).astype(np.int16)
