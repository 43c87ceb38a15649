"""What the formats with a number for each cell share: what they say of themselves, and the way back to a grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ringdoku.answers.text import SolverOutput
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.exports.about import About
from ringdoku.exports.base import Request, score_formula


def about_numbers(format_name: str, request: Request, rule: str) -> About:
    """A model with a variable for every cell, which `rule` names; nothing is left out as known."""
    known = np.zeros(request.puzzle.board.cell_count, dtype=np.int32)
    return About(format_name, request.puzzle, score_formula(request.goal, known.tolist()), known, rule=rule)


def grid_of_numbers(about: About, numbers: Sequence[int], output: SolverOutput) -> Grid:
    """n² digits in reading order; raises `InputError` for another number of them, or one outside 1..n."""
    n = about.puzzle.order
    if len(numbers) != n * n:
        raise output.error(0, counted(len(numbers), "digit"), f"{n * n}; the output is truncated, or another model's")
    for number in numbers:
        if not 1 <= number <= n:
            raise output.error(0, f"digit {number}", f"1..{n}")
    return Grid(tuple(numbers))
