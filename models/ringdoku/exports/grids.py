"""From one number for each cell to a grid."""

from __future__ import annotations

from collections.abc import Sequence

from ringdoku.answers.text import SolverOutput
from ringdoku.domain.grid import Grid
from ringdoku.exports.about import About


def grid_of_numbers(about: About, numbers: Sequence[int], output: SolverOutput) -> Grid:
    """n² digits in reading order; raises `InputError` for another number of them, or one outside 1..n."""
    n = about.puzzle.order
    if len(numbers) != n * n:
        raise output.error(0, f"{len(numbers)} digits", f"{n * n}; the output is truncated, or another model's")
    for number in numbers:
        if not 1 <= number <= n:
            raise output.error(0, f"digit {number}", f"1..{n}")
    return Grid(tuple(numbers))
