"""True candidates: for each cell the digits that it has in some solution."""

from __future__ import annotations

from ringdoku.domain.checker import check
from ringdoku.domain.errors import DisagreementError
from ringdoku.limits import Deadline
from ringdoku.services.accepting import PuzzleLike, as_puzzle
from ringdoku.solvers.registry import NUMPY, PYSAT, naming_what_is_missing

BACKEND = "minisat22"
"""Its phases can be set, and it answers many easy questions faster than others."""


def candidates(puzzle: PuzzleLike, time_limit: float | None = None) -> tuple[tuple[int, ...], ...] | None:
    """For each cell the digits that it has in some solution, ascending; None when there is no solution.

    Each is in a solution that was found and checked; that no other digit is possible, the solver proved. A solution
    shows a candidate in every cell, and each question asks for one with a candidate that was not seen yet, so there are
    few: 9 or 10 for a blank 9×9 grid. Raises `TimeLimitError` at the limit (seconds).
    """
    with naming_what_is_missing("the candidates", PYSAT, NUMPY):
        from ringdoku.lowering.cnf import lower_by_size
        from ringdoku.solvers.incremental import IncrementalSolver

    puzzle = as_puzzle(puzzle)
    deadline = Deadline.asked(time_limit)
    formula = lower_by_size(puzzle, deadline)
    board, rows = puzzle.board, formula.digits.literals.tolist()
    unseen = {literal for row in rows for literal in row if literal}
    seen: list[set[int]] = [set() for _ in range(board.cell_count)]
    with IncrementalSolver(BACKEND, formula.cnf, deadline) as solver:
        while True:
            # it then tries each of them first
            solver.prefer(sorted(unseen))
            if not solver.is_satisfiable():
                break
            grid = formula.decode(solver.model())
            if violations := check(puzzle, grid):
                raise DisagreementError(f"backend {BACKEND} gave a wrong answer: {'; '.join(map(str, violations))}")
            for cell, digit in enumerate(grid.digits):
                seen[cell].add(digit)
                unseen.discard(rows[cell][digit - board.least])
            if not unseen:
                break
            solver.add([sorted(unseen)])
    return tuple(tuple(sorted(digits)) for digits in seen) if seen[0] else None
