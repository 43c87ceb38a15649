"""The transformations that take classic puzzles to their row-minlex form, for many puzzles at once.

The cells of the form are decided in reading order: of the transformations of a puzzle those stay that put the least
label into the next cell. What makes no difference yet stays open: columns of a stack that were alike so far share a
place, the first of theirs, and the digits that came first in them, one in each, share their least label as well.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

MOST = 1 << 24
"""Transformations times columns that are kept at once; each takes some ten bytes."""


class Search:
    """What is left of the transformations of puzzles, which are given as n² digits each, 0 for blank.

    `found` has them in the order of the puzzles: the number of the `puzzle`, and of the `grid`, which is the puzzle or,
    where boxes are square, its transpose; the `rows` taken, and which are `free`; the `cells` of the last row; the
    `place` of each column, -2 while its stack has none; for each digit its `label`, 0 while it has none, and the column
    where it came `first`, n while there is none, which has the place -1.
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
        fields += [(name, np.int16, (n + 1,)) for name in ("place", "label", "first")]
        self.found = np.zeros(len(self.grids), fields)
        self.found["grid"] = np.arange(len(self.grids))
        self.found["puzzle"], self.found["free"] = self.found["grid"] // len(sides), True
        self.found["place"], self.found["first"] = [-2] * n + [-1], n
        self.next_label = np.ones(len(clues), np.int16)

    def run(self) -> bool:
        """Leaves those that give the form, with one order for the empty rows of a band. False: too many to keep."""
        for row in range(self.n):
            self._take_rows(row)
            for place in range(self.n):
                if row == 0 and place % self.width == 0:
                    self._take_stacks(place)
                self._take_columns(row, place)
                if self.found.size * self.n > MOST:
                    return False
        return True

    def _least(self, values: Array, of: Array) -> Array:
        """The least value of each puzzle; `of` has the puzzles of the values, ascending."""
        least: Array = np.minimum.reduceat(values, np.searchsorted(of, self.puzzles))
        return least

    def _take_rows(self, row: int) -> None:
        """Goes on with each row that may be the next."""
        free, bands = self.found["free"].copy(), np.arange(self.n) // self.height
        if row % self.height:
            free &= bands == bands[self.found["rows"][:, row - 1]][:, None]
        empty = free & (self.grids.sum(axis=2)[self.found["grid"]] == 0)
        free &= ~empty | (empty.reshape(-1, self.n // self.height, self.height).cumsum(axis=2).reshape(free.shape) < 2)
        which, taken = free.nonzero()
        self.found = self.found[which]
        self.found["free"][np.arange(which.size), taken] = False
        self.found["rows"][:, row] = taken
        self.found["cells"] = self.grids[self.found["grid"], taken]

    def _take_stacks(self, place: int) -> None:
        """Goes on with each stack that has the fewest clues in the first row."""
        n, width, of = self.n, self.width, self.found["puzzle"]
        counts = (self.found["cells"] > 0).reshape(-1, n // width, width).sum(axis=2)
        counts[self.found["place"][:, :n:width] != -2] = n + 1
        which, stack = (counts == self._least(counts.min(axis=1), of)[of][:, None]).nonzero()
        self.found = self.found[which]
        self.found["place"][:, :n][np.arange(n) // width == stack[:, None]] = place

    def _take_columns(self, row: int, place: int) -> None:
        """Goes on with each column that may have the place and brings the least label there."""
        found, n = self.found, self.n
        start = np.where(found["place"] <= place, found["place"], -1).max(axis=1)
        which, column = (found["place"][:, :n] == start[:, None]).nonzero()
        digit, of = found["cells"][which, column], found["puzzle"][which]
        label, first = found["label"][which, digit], found["first"][which, digit]
        # a digit that came first in one of the other columns has the label after, as that column has the place after
        label = label + np.where(first == column, place - start[which], found["place"][which, first] == start[which])
        is_new = (digit > 0) & (first == n)
        label[is_new] = self.next_label[of[is_new]]
        least = self._least(label, of)
        # columns with blanks stay alike, and those with new digits, unless one of these stands twice in the row
        twins = self.has_twins[found["grid"], found["rows"][:, row]][which]
        is_single = (label > 0) & ((label < self.next_label[of]) | twins)
        kept = np.flatnonzero(label == least[of])
        kept = kept[is_single[kept] | (np.diff(which[kept], prepend=-1) > 0)]
        which, column, label, is_new, is_single = (x[kept] for x in (which, column, label, is_new, is_single))
        self.next_label = np.maximum(self.next_label, least + 1)

        self.found, each, columns, single = found[which], np.arange(kept.size), np.arange(n), is_single[:, None]
        alike = self.found["place"][:, :n] == start[which, None]
        ahead = alike & np.where(single, columns == column[:, None], self.found["cells"] == 0)
        self._move(alike & ~ahead, ahead.sum(axis=1))
        # the label was the least that the digit could get, so the column where it came first is ahead as well
        first = self.found["first"][each, self.found["cells"][each, column]]
        beside = self.found["place"][:, :n] == self.found["place"][each, first][:, None]
        self._move(beside & (columns != first[:, None]) & single, np.ones_like(first))
        which, column = (alike & (ahead | ~single) & is_new[:, None]).nonzero()
        digit = self.found["cells"][which, column]
        self.found["label"][which, digit], self.found["first"][which, digit] = label[which], column

    def _move(self, behind: Array, steps: Array) -> None:
        """Moves columns so many places on, and with them the labels of the digits that came first there."""
        moved = np.flatnonzero(behind.any(axis=1) & (steps > 0))
        shift = np.zeros((moved.size, self.n + 1), np.int16)
        shift[:, :-1] = behind[moved] * steps[moved, None]
        self.found["place"][moved] += shift
        self.found["label"][moved] += shift[np.arange(moved.size)[:, None], self.found["first"][moved]]
