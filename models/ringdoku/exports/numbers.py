"""What the formats with an integer variable for each cell share: their comments, and the way back to a grid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.exports.base import Request, ScoreFormula
from ringdoku.exports.metadata import Metadata
from ringdoku.exports.output import SolverOutput


def metadata_of_numbers(format_name: str, request: Request, rule: str) -> Metadata:
    """The comments of a model with a variable for every cell, which `rule` explains. No cell is left out as known."""
    board = request.puzzle.board
    known = np.full(board.cell_count, board.blank, dtype=np.int32)
    score = ScoreFormula.of(request.goal, known.tolist(), board.blank)
    return Metadata(format_name, request.puzzle, score, known, rule=rule)


def grid_of_numbers(about: Metadata, numbers: Sequence[int], output: SolverOutput) -> Grid:
    """The grid of digits in the order of the cells. Raises `InputError` for a wrong number of digits, or one that the
    board does not have."""
    board = about.puzzle.board
    if len(numbers) != board.cell_count:
        expected = f"{board.cell_count}; the output is truncated, or another model's"
        raise output.error(0, counted(len(numbers), "digit"), expected)
    for number in numbers:
        if number not in board.digits:
            raise output.error(0, f"digit {number}", f"{board.least}..{board.digits[-1]}")
    return Grid(tuple(numbers), board)
