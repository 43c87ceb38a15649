"""How to write a backend: a copy of this file in `ringdoku.solvers`, an `Entry` in `registry.BACKENDS`, and its row in
docs/comparing.md.

This one tries the digits of one cell after the other; it solves, enumerates and keeps deadlines. `registry.Backend`
says what each method must do; only those for the abilities in the entry are called. `tests/test_backends.py` asks every
backend of the registry the same questions, so nothing more is needed to test one; this one is too slow for the largest.
"""

from collections.abc import Iterator

from ringdoku.domain import Grid, Puzzle

# A solver's package is imported here, at the top: the registry imports this module when it is needed. TID253 of ruff
# wants the comment `noqa` with the reason.
from ringdoku.domain.checker import check, repeats
from ringdoku.solvers.registry import Backend, Phase, Run


class Template(Backend):
    """Opened once, and asked about many puzzles: what is worth keeping between them is an attribute."""

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        # `effort` measures the seconds of making a model, then of solving; users see `facts` in the statistics
        run.effort.enter(Phase.BUILD)
        board, open_grids, found = puzzle.board, [puzzle.clues], set()
        run.effort.enter(Phase.SOLVE)
        run.effort.facts |= {"live": 0, "nodes": 0}
        while open_grids:
            # at least every tenth of a second, for the time limit and Ctrl-C
            run.deadline.check()
            run.effort.facts["nodes"] += 1
            grid = open_grids.pop()
            if next(repeats(puzzle, grid), None):
                continue
            if board.blank in grid.digits:
                cell = grid.digits.index(board.blank)
                open_grids += [grid.put(cell, digit) for digit in board.digits]
            elif grid.rows not in found and not check(puzzle, grid):
                # rows leave out extra cells: grids that differ only in these are the same solution
                found.add(grid.rows)
                yield grid
