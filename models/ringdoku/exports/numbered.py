"""What the clause formats share, and the way from an assignment of numbered variables to a grid."""

from __future__ import annotations

import numpy as np

from ringdoku.answers.literals import LiteralAnswer
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.board import Board
from ringdoku.domain.grid import Grid
from ringdoku.domain.primitives import Primitive
from ringdoku.exports.about import About
from ringdoku.exports.base import FOREIGN
from ringdoku.sat.options import EncodingOptions


def state(primitive: Primitive, board: Board) -> None:
    """Nothing is refused, since every primitive has clauses."""


def grid_of_literals(about: About, answer: LiteralAnswer, output: SolverOutput) -> Grid | None:
    """The grid of the answer's assignment, None if there is none.

    Raises `InputError` when the assignment leaves out a variable of a candidate, or gives a cell two digits.
    """
    if not answer.assignment or about.literals is None:
        return None
    board = about.puzzle.board
    digits = about.known.tolist()
    cells, columns = np.nonzero(about.literals)
    literals = about.literals[cells, columns].tolist()
    for literal, cell, column in zip(literals, cells.tolist(), columns.tolist(), strict=True):
        value = answer.assignment.get(abs(literal))
        if value is None:
            raise output.error(0, f"an assignment without variable {abs(literal)}", FOREIGN)
        if value == (literal > 0):
            digit = board.least + column
            if digits[cell] != board.blank:
                raise output.error(0, f"{digits[cell]} and {digit} in {board.cell_name(cell)}", FOREIGN)
            digits[cell] = digit
    return Grid(tuple(digits), board)


def encoding_note(options: EncodingOptions) -> str:
    """A description of the encoding for people."""
    return (
        f"digits {options.digits}, at-most-one {options.at_most_one}, clause set {options.clause_set.value}, "
        f"{'with' if options.triads else 'no'} triads, {'with' if options.innies else 'no'} innies, "
        f"{'presolved' if options.presolve else 'not presolved'}"
    )
