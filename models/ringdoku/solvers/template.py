"""How to write a backend: a copy of this file, an `Entry` in `registry.BACKENDS`, and its row in docs/comparing.md.

This one tries the digits of one cell after the other. `tests/test_backends.py` asks every backend of the registry the
same questions, so nothing more is needed to test one; for the largest of them this one is too slow. What a method owes
its caller stands in `registry.Backend`; only those of the abilities that the entry names are called. This template
solves, enumerates and keeps deadlines.
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
        # the seconds from here on are those of making a model, and then of solving; facts are the user's statistics
        run.effort.enter(Phase.BUILD)
        board, waiting, found = puzzle.board, [puzzle.clues], set()
        run.effort.enter(Phase.SOLVE)
        run.effort.facts |= {"live": 0, "nodes": 0}
        while waiting:
            # often enough that Ctrl-C and the time limit are seen within a tenth of a second
            run.deadline.check()
            run.effort.facts["nodes"] += 1
            grid = waiting.pop()
            if next(repeats(puzzle, grid), None):
                continue
            if board.blank in grid.digits:
                cell = grid.digits.index(board.blank)
                waiting += [grid.put(cell, digit) for digit in board.digits]
            elif grid.rows not in found and not check(puzzle, grid):
                # extra cells of a board are not in its rows: grids that differ in these alone are one
                found.add(grid.rows)
                yield grid
