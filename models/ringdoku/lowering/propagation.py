"""What follows from the clues alone: candidates after naked and hidden singles, for a whole board at a time.

A digit placed in a cell leaves no other candidate there, and none of it among the cell's peers. A cell with one
candidate holds it (naked single); a unit with one cell for a digit has it there (hidden single), which is true of
every rule over n cells. After the start the work is proportional to the candidates that go, not to the board.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ringdoku.domain.geometry import Geometry
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.rules import AllDifferent
from ringdoku.duality.incidence import Candidates

Indices = NDArray[np.int64]


def propagate(puzzle: Puzzle, within: Candidates | None = None) -> Candidates | None:
    """The candidates that singles leave, (n², n); None when they contradict each other, so there is no solution.

    No solution, or none `within` these candidates, is lost. A cell with one candidate is decided, and that digit is
    gone from its peers.
    """
    clues = np.array(puzzle.clues.digits, dtype=np.int64)
    cells = np.flatnonzero(clues)
    board = _Board(puzzle)
    if not board.start(cells, clues[cells] - 1):
        return None
    if within is not None:
        touched_cells, touched_places = board.remove(np.flatnonzero(board.candidates[:-1] & ~within))
        if board.contradiction(touched_cells, touched_places):
            return None
    cells, digits = board.singles(np.arange(clues.size), np.arange(board.places.size))
    while len(cells):
        gone = board.place(cells, digits)
        touched_cells, touched_places = board.remove(gone)
        if board.contradiction(touched_cells, touched_places):
            return None
        cells, digits = board.singles(touched_cells, touched_places)
    return board.candidates[:-1]


class _Board:
    """Candidates, and how many there are for each cell and for each digit of each rule.

    The arrays are padded: cell n² and the last rule stand for "none". Digits count from 0 here, and a *place* is
    rule·n + digit.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        n = self.order = puzzle.order
        self.cells_of_rule, self.rules_of_cell = _incidence(puzzle.geometry)
        self.is_full = np.count_nonzero(self.cells_of_rule < n * n, axis=1) == n
        self.candidates = np.ones((n * n + 1, n), dtype=bool)
        self.candidates[-1] = False
        self.decided = np.zeros(n * n + 1, dtype=bool)
        self.placed = np.zeros((len(self.cells_of_rule), n), dtype=bool)
        self.counts = np.zeros(n * n + 1, dtype=np.int32)
        self.places = np.zeros((len(self.cells_of_rule), n), dtype=np.int32)

    def start(self, cells: Indices, digits: Indices) -> bool:
        """Place all clues at once and count what is left; False when that already is a contradiction."""
        places = self.rules_of_cell[cells] * self.order + digits[:, None]
        given = np.bincount(places.reshape(-1), minlength=self.places.size).reshape(self.places.shape)
        if given[:-1].max(initial=0) > 1:
            return False
        self.placed = given > 0
        self.placed[-1] = False
        self.decided[cells] = True
        for rules in self.rules_of_cell[:-1].T:
            self.candidates[:-1] &= ~self.placed[rules]
        self.candidates[cells] = False
        self.candidates[cells, digits] = True
        self.counts = np.count_nonzero(self.candidates, axis=1).astype(np.int32)
        # a rule at a time: all at once would copy the board three times
        for rule, members in enumerate(self.cells_of_rule):
            self.places[rule] = np.count_nonzero(self.candidates[members], axis=0)
        return not self.contradiction(np.arange(self.order**2), np.arange(self.places.size))

    def place(self, cells: Indices, digits: Indices) -> Indices:
        """Place digits in cells; the candidates that have to go, as indices cell·n + digit, each once."""
        n = self.order
        rules = self.rules_of_cell[cells]
        self.decided[cells] = True
        self.placed[rules, digits[:, None]] = True
        chosen = cells * n + digits
        others = (cells[:, None] * n + np.arange(n)).reshape(-1)
        peers = (self.cells_of_rule[rules] * n + digits[:, None, None]).reshape(len(cells), -1)
        gone = np.concatenate((others[others != np.repeat(chosen, n)], peers[peers != chosen[:, None]]))
        return _distinct(gone[self.candidates.reshape(-1)[gone]])

    def remove(self, gone: Indices) -> tuple[Indices, Indices]:
        """Take candidates away; the cells and places that lost one."""
        self.candidates.reshape(-1)[gone] = False
        cells, digits = np.divmod(gone, self.order)
        places = (self.rules_of_cell[cells] * self.order + digits[:, None]).reshape(-1)
        np.subtract.at(self.counts, cells, 1)
        np.subtract.at(self.places.reshape(-1), places, 1)
        return _distinct(cells), _distinct(places)

    def contradiction(self, cells: Indices, places: Indices) -> bool:
        """Whether one of these cells has no candidate, or one of these places no cell."""
        starved = places[self.places.reshape(-1)[places] == 0]
        return not self.counts[cells].all() or bool(self.is_full[starved // self.order].any())

    def singles(self, cells: Indices, places: Indices) -> tuple[Indices, Indices]:
        """The naked singles among these cells and the hidden ones among these places: cells and digits, each once."""
        n = self.order
        naked = cells[(self.counts[cells] == 1) & ~self.decided[cells]]
        single = places[(self.places.reshape(-1)[places] == 1) & ~self.placed.reshape(-1)[places]]
        rules, digits = np.divmod(single[self.is_full[single // n]], n)
        members = self.cells_of_rule[rules]
        hidden = members[np.arange(len(rules)), self.candidates[members, digits[:, None]].argmax(axis=1)]
        found = _distinct(np.concatenate((naked * n + self.candidates[naked].argmax(axis=1), hidden * n + digits)))
        return found // n, found % n


def _distinct(indices: Indices) -> Indices:
    """Each once, ascending; `np.unique` does the same, but loads 20 ms of masked arrays first."""
    ascending = np.sort(indices)
    first = np.ones(len(ascending), dtype=bool)
    first[1:] = ascending[1:] != ascending[:-1]
    return ascending[first]


@lru_cache(maxsize=4)
def _incidence(geometry: Geometry) -> tuple[Indices, Indices]:
    """The cells of each rule and the rules of each cell, as arrays padded with "none"."""
    rules_of_all = Puzzle(geometry, Grid.blank(geometry.order)).rules
    sets = [np.array(rule.cells, dtype=np.int64) for rule in rules_of_all if isinstance(rule, AllDifferent)]
    sizes = np.array([len(cells) for cells in sets])
    rules, cells = np.repeat(np.arange(len(sets)), sizes), np.concatenate(sets)
    return _padded(rules, cells, len(sets), geometry.cell_count), _padded(cells, rules, geometry.cell_count, len(sets))


def _padded(keys: Indices, values: Indices, key_count: int, none: int) -> Indices:
    """A row for each key with its values, filled up with `none`, and one row more with nothing."""
    counts = np.bincount(keys, minlength=key_count + 1)
    order = np.argsort(keys, kind="stable")
    rank = np.arange(len(keys)) - np.repeat(np.cumsum(counts) - counts, counts)
    table = np.full((key_count + 1, int(counts.max(initial=0))), none)
    table[keys[order], rank] = values[order]
    return table
