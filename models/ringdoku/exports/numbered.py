"""From an assignment of numbered Boolean variables to a grid."""

from __future__ import annotations

import numpy as np

from ringdoku.answers.literals import LiteralAnswer
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.grid import Grid
from ringdoku.exports.about import About


def grid_of_literals(about: About, answer: LiteralAnswer, output: SolverOutput) -> Grid | None:
    """The grid that the answer's assignment means, None when it has none.

    Raises `InputError` when the assignment leaves out a variable that means something, or gives a cell two digits.
    """
    if not answer.assignment or about.literals is None:
        return None
    digits = about.known.tolist()
    cells, columns = np.nonzero(about.literals)
    literals = about.literals[cells, columns].tolist()
    for literal, cell, column in zip(literals, cells.tolist(), columns.tolist(), strict=True):
        value = answer.assignment.get(abs(literal))
        if value is None:
            raise output.error(
                0, f"an assignment without variable {abs(literal)}", "all of the formula's; truncated, or another's"
            )
        if value == (literal > 0):
            if digits[cell]:
                name = about.puzzle.geometry.cell_name(cell)
                raise output.error(0, f"{digits[cell]} and {column + 1} in {name}", "one digit in each cell")
            digits[cell] = column + 1
    return Grid(tuple(digits))
