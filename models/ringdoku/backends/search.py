"""Depth-first search on bit masks with branch and bound, in plain Python.

The way of the contest write-ups of NOIP 2009 P1074: put a digit into the cell with the fewest candidates, draw the
conclusions, and turn back when no score above the best one is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from operator import mul
from time import monotonic

from ringdoku.backends.base import Progress, Run, ranked_by_excluding
from ringdoku.backends.search_bound import Masks, bits, height_bound
from ringdoku.deduction.masks import mask_board
from ringdoku.domain.board import Board
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.duality.projection import projected


class Search:
    """Nothing stays live but the peers, since a puzzle costs little to set up."""

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        tree = _Tree(puzzle, run)
        try:
            leaf = next(tree.leaves(), None)
        except TimeLimitError:
            return Result(Status.UNKNOWN, statistics=tree.statistics())
        if leaf is None:
            return Result(Status.INFEASIBLE, statistics=tree.statistics())
        return Result(Status.SATISFIABLE, _grid(leaf, puzzle.board), statistics=tree.statistics())

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        start, sign = monotonic(), objective.sense.sign
        projection = projected(puzzle, objective)
        tree = _Tree(puzzle, run, [sign * coefficient for coefficient in projection.coefficients])
        grid, score = None, None
        size = puzzle.board.grid_count
        excluded = {excluding.digits[:size] for excluding in run.excluding}
        try:
            for leaf in tree.leaves():
                found = _grid(leaf, puzzle.board)
                if found.digits[:size] in excluded:
                    continue
                grid, score = found, objective.score(found)
                tree.floor = sign * sum(map(mul, projection.coefficients, grid.digits))
                if run.on_progress is not None:
                    run.on_progress(Progress(monotonic() - start, score, projection.score(sign * tree.ceiling())))
        except TimeLimitError:
            status = Status.UNKNOWN if grid is None else Status.FEASIBLE
            return Result(status, grid, score, projection.score(sign * tree.ceiling()), statistics=tree.statistics())
        status = Status.INFEASIBLE if grid is None else Status.OPTIMAL
        return Result(status, grid, score, score, statistics=tree.statistics())

    def ranked(self, puzzle: Puzzle, objective: Objective, run: Run) -> Iterator[Result]:
        return ranked_by_excluding(self.optimise, puzzle, objective, run)

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        return (_grid(leaf, puzzle.board) for leaf in _Tree(puzzle, run).leaves())


class _Tree:
    """What is left to search for one puzzle. A leaf's height is Σ weight·digit; only those above `floor` are wanted."""

    def __init__(self, puzzle: Puzzle, run: Run, weights: Sequence[int] = ()) -> None:
        self.floor: float = -inf
        self.nodes = 0
        size = puzzle.board.cell_count
        self._grid_count = puzzle.board.grid_count
        self._weights = [*weights, *[0] * (size - len(weights))]
        self._deadline = run.deadline
        self._board = mask_board(puzzle.ruleset)
        self._height = height_bound(self._weights, self._board.units, puzzle.board) if weights else _no_height
        least = puzzle.board.least
        clues = [(cell, 1 << clue - least) for cell, clue in enumerate(puzzle.clues.digits) if clue >= least]
        blank = self._board.blank(size)
        # each branch: at most so high, the candidates it starts from, and the digits to put in
        self._branches: list[tuple[float, Masks, list[tuple[int, int]]]] = [(self._height(blank), blank, clues)]

    def leaves(self) -> Iterator[Masks]:
        """Masks with one digit a cell, for each grid once. Raises `TimeLimitError` at the deadline."""
        while self._branches:
            if self._deadline.expired:
                raise TimeLimitError
            height, parent, placed = self._branches.pop()
            if height <= self.floor:
                continue
            self.nodes += 1
            candidates = parent.copy()
            for cell, digit in placed:
                candidates[cell] = digit
            try:
                if not self._board.settle(candidates, [cell for cell, _ in placed], self._deadline):
                    continue
            except TimeLimitError:
                # still open, so the bound has to count it
                self._branches.append((height, parent, placed))
                raise
            height = self._height(candidates)
            if height <= self.floor:
                continue
            open_cells = [cell for cell, mask in enumerate(candidates) if mask & (mask - 1)]
            if not open_cells:
                yield candidates
                # what differs in extra cells is the same grid
                while self._branches and self._branches[-1][2][:1] >= [(self._grid_count, 0)]:
                    self._branches.pop()
                continue
            # the heaviest decide on the score, the fewest candidates on whether there is a solution; extra cells come
            # last, so that a grid is found once
            chosen = min(
                open_cells,
                key=lambda cell: (
                    cell >= self._grid_count,
                    -abs(self._weights[cell]),
                    candidates[cell].bit_count(),
                ),
            )
            digits = list(bits(candidates[chosen]))
            # the last one is looked at first
            for digit in digits if self._weights[chosen] >= 0 else reversed(digits):
                self._branches.append((height, candidates, [(chosen, digit)]))

    def ceiling(self) -> int:
        """No solution is higher: neither those found nor what is left."""
        return int(max([self.floor, *(height for height, _, _ in self._branches)]))

    def statistics(self) -> dict[str, int | float]:
        return {"nodes": self.nodes}


def _no_height(_: Masks) -> float:
    return 0


def _grid(candidates: Masks, board: Board) -> Grid:
    return Grid(tuple(mask.bit_length() + board.blank for mask in candidates), board)
