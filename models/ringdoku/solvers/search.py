"""Depth-first search on bit masks with branch and bound, in plain Python.

The method of contest solutions of NOIP 2009 P1074: put a digit into the cell with the fewest candidates, propagate, and
backtrack when no score above the best one is possible.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import inf
from typing import TypeAlias

from ringdoku.deduction.propagation import Masks, masks_of, propagators
from ringdoku.domain import Board, Grid, Objective, Puzzle, Result, TimeLimitError, gains_of
from ringdoku.duality.projection import projected
from ringdoku.solvers.registry import Backend, Phase, Run, best_of

Gains: TypeAlias = tuple[int, ...]
"""What each digit of a cell adds to the score."""

EXACT_ORDER = 10
"""Up to this order the best assignment of a row is found exactly, in up to n²·2ⁿ steps."""


class Search(Backend):
    """Keeps nothing but the peers between puzzles, since a puzzle is quick to set up."""

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        sign = objective.sense.sign
        run.effort.enter(Phase.BUILD)
        projection = projected(puzzle, objective)
        gains = gains_of([sign * coefficient for coefficient in projection.coefficients], puzzle.board)
        tree = _Tree(puzzle, run, gains)
        grid, score = None, None
        excluded = {excluding.rows for excluding in run.excluding}
        try:
            for leaf in tree.leaves():
                found = _grid(leaf, puzzle.board)
                if found.rows in excluded:
                    continue
                grid, score = found, objective.score(found)
                tree.incumbent = sum([gains[cell][mask.bit_length() - 1] for cell, mask in enumerate(leaf)])
                run.report(score, projection.score(sign * tree.bound()), grid)
        except TimeLimitError:
            return best_of(grid, score, projection.score(sign * tree.bound()), False)
        return best_of(grid, score, score, True)

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        return (_grid(leaf, puzzle.board) for leaf in _Tree(puzzle, run).leaves())


class _Tree:
    """The search tree of one puzzle. The value of a leaf is the sum of its gains (cells, digits); the search is for
    leaves whose value is above `incumbent`."""

    def __init__(self, puzzle: Puzzle, run: Run, gains: Sequence[Gains] = ()) -> None:
        self._run = run
        run.effort.enter(Phase.BUILD)
        run.effort.facts |= {"live": 0, "nodes": 0}
        self.incumbent: float = -inf
        self._grid_count = puzzle.board.grid_count
        self._gains = gains or [(0,) * puzzle.order] * puzzle.board.cell_count
        # heavy cells decide the score; extra cells come last, so that each grid is found once
        self._order = [(cell >= self._grid_count, min(row) - max(row)) for cell, row in enumerate(self._gains)]
        self._propagators = propagators(puzzle.ruleset)
        self._bound_of = _bound_function(gains, puzzle) if gains else lambda _: 0.0
        root = masks_of(puzzle)
        # for each open branch: a bound on its leaves' values, the candidates of its parent, and the digits to place
        self._branches: list[tuple[float, Masks, list[tuple[int, int]]]] = [(self._bound_of(root), root, [])]

    def leaves(self) -> Iterator[Masks]:
        """Masks with one digit a cell, once for each grid. Raises `TimeLimitError` at the deadline."""
        deadline, facts = self._run.deadline, self._run.effort.facts
        self._run.effort.enter(Phase.SOLVE)
        while self._branches:
            deadline.check()
            bound, parent, placed = self._branches.pop()
            if bound <= self.incumbent:
                continue
            facts["nodes"] += 1
            candidates = parent.copy()
            for cell, digit in placed:
                candidates[cell] = digit
            try:
                changed = None if facts["nodes"] == 1 else [cell for cell, _ in placed]
                if not self._propagators.propagate(candidates, changed, deadline):
                    continue
            except TimeLimitError:
                # still open, so the bound has to include it
                self._branches.append((bound, parent, placed))
                raise
            bound = self._bound_of(candidates)
            if bound <= self.incumbent:
                continue
            open_cells = [cell for cell, mask in enumerate(candidates) if mask & (mask - 1)]
            if not open_cells:
                yield candidates
                # solutions that differ only in extra cells are the same grid
                while self._branches and self._branches[-1][2][:1] >= [(self._grid_count, 0)]:
                    self._branches.pop()
                continue
            # cells with few candidates decide whether there is a solution
            chosen = min(open_cells, key=lambda cell: (*self._order[cell], candidates[cell].bit_count()))
            gains = self._gains[chosen]
            # the last branch is searched first
            for digit in sorted(_bits(candidates[chosen]), key=lambda digit: gains[digit.bit_length() - 1]):
                self._branches.append((bound, candidates, [(chosen, digit)]))

    def bound(self) -> int:
        """An upper bound on the values of all leaves, visited or not."""
        return int(max([self.incumbent, *(bound for bound, _, _ in self._branches)]))


def _grid(candidates: Masks, board: Board) -> Grid:
    return Grid(tuple(mask.bit_length() + board.blank for mask in candidates), board)


def _bound_function(gains: Sequence[Gains], puzzle: Puzzle) -> Callable[[Masks], float]:
    """A function from candidates to an upper bound on the sum of gains, −∞ if some row cannot be filled: the sum over
    disjoint units of the best assignment of different digits to each."""
    groups: list[tuple[int, ...]] = []
    rest = set(range(puzzle.board.cell_count))
    for unit in puzzle.ruleset.units if puzzle.order <= EXACT_ORDER else ():
        if rest.issuperset(unit.cells):
            groups.append(unit.cells)
            rest.difference_update(unit.cells)
    groups += [(cell,) for cell in rest]

    def bound(candidates: Masks) -> float:
        total: float = 0
        for cells in groups:
            open_cells = []
            for cell in cells:
                mask = candidates[cell]
                if mask & (mask - 1):
                    open_cells.append(cell)
                else:
                    total += gains[cell][mask.bit_length() - 1]
            if open_cells:
                masks = tuple([candidates[cell] for cell in open_cells])
                total += _best_assignment(tuple([gains[cell] for cell in open_cells]), masks)
        return total

    return bound


@lru_cache(maxsize=100_000)
def _best_assignment(gains: tuple[Gains, ...], masks: tuple[int, ...]) -> float:
    """The highest sum of gains with different digits, each from its cell's mask; −∞ if there are none."""
    # for each set of digits that the cells so far can hold: the highest sum
    best_sums = {0: 0}
    for row, mask in zip(gains, masks, strict=True):
        longer: dict[int, int] = {}
        for used, best in best_sums.items():
            for digit in _bits(mask & ~used):
                total = best + row[digit.bit_length() - 1]
                if total > longer.get(used | digit, -inf):
                    longer[used | digit] = total
        best_sums = longer
    return max(best_sums.values(), default=-inf)


def _bits(mask: int) -> Iterator[int]:
    """The single bits of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest
