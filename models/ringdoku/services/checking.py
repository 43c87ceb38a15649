"""Whether a grid is a solution of a puzzle, with both in any form that people hold."""

from __future__ import annotations

from ringdoku.domain import checker
from ringdoku.domain.checker import Violation
from ringdoku.services.accepting import GridLike, ObjectiveLike, PuzzleLike, as_grid, as_objective, as_puzzle


def check(
    puzzle: PuzzleLike,
    grid: GridLike,
    objective: ObjectiveLike | None = None,
    claimed_score: int | None = None,
) -> list[Violation]:
    """All that is wrong with `grid` as a solution of `puzzle`; empty when it is one.

    The grid is a `Grid`, a text, or rows of digits, such as a NumPy array. A `claimed_score` must equal the score under
    `objective` (ring weights when None), computed in integers. A score that stands above a grid as text is its claimed
    score. Raises `InputError` for a text that holds no grid, `UsageError` for anything else, `DimensionError` for
    weights of another size and digits that the board does not have.
    """
    puzzle = as_puzzle(puzzle)
    grid, stated = as_grid(grid, puzzle)
    score = stated if claimed_score is None else claimed_score
    return checker.check(puzzle, grid, as_objective(objective, puzzle), score)
