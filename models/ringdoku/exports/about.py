"""The comments of an exported file: the puzzle, the objective, and the meaning of the variables.

They are enough to turn a solver's answer into a grid; `about_reader` reads them. For classic sudoku:

    ringdoku model: cnf
    boxes: 3x3 (height x width)
    clues:
      . . 3 …
    objective: maximise the sum of weight * digit
    weights:
      6 6 6 …
    score: 2745 + 1 * value, value: what is optimised
    known:
      1 . 3 …
    variables: digit=literal for each cell that is not known
      r1c2 4=1 5=2 …

Every key starts a line, and its further lines are indented. Other keys are for people only. For other rules the board
and the rules, in our text form, replace the boxes; a long rule continues on lines that are indented further:

    board: 6x6 (rows x columns), digits 0 to 5, extra cells A B
    rules:
      lines
      killer 7: r1c1 r1c2 A
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

import numpy as np

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import write_constraint
from ringdoku.domain.puzzle import Puzzle
from ringdoku.exports.goal import ScoreFormula
from ringdoku.sat.formula import Literals

WIDTH = 120
"""The longest line of a rule: programs limit the length of lines, even in comments."""


def named(board: Board) -> str:
    """The text that explains variables with names."""
    extra = ", x_NAME_DIGIT that of an extra cell" if board.extra else ""
    minus = "; a digit m1 is -1" if board.least < 0 else ""
    return f"x_ROW_COLUMN_DIGIT, counted from 1, is 1 when the cell holds the digit{extra}{minus}"


def regular(board: Board) -> str:
    """The text that explains the variables of the direct encoding without presolve, for boards without extra cells."""
    shift = "" if not board.blank else f" - {board.blank}" if board.blank > 0 else f" + {-board.blank}"
    return (
        f"(row*{board.columns} + column)*{board.order} + digit{shift} says that the cell holds digit; "
        f"row, column from 0, digit from {board.least}"
    )


def in_order(board: Board) -> Literals:
    """The literals that it describes, (cells, digits)."""
    return np.arange(1, board.cell_count * board.order + 1, dtype=np.int32).reshape(board.cell_count, board.order)


@dataclass(frozen=True)
class About:
    """`literals[c, d − least]` is the literal of "cell c holds d", 0 if there is none; None if the variables have names
    or are numbers. `known` (cells,) has the digits that follow from the clues and that the model leaves out, and the
    board's blank for other cells.
    """

    format_name: str
    puzzle: Puzzle
    score: ScoreFormula | None
    known: Literals
    literals: Literals | None = None
    rule: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)


def about_lines(about: About) -> Iterator[str]:
    """The text of the comments, without comment marks."""
    puzzle, board = about.puzzle, about.puzzle.board
    yield f"ringdoku model: {about.format_name}"
    if puzzle.ruleset.classic_box:
        height, width = puzzle.ruleset.classic_box
        yield f"boxes: {height}x{width} (height x width)"
    else:
        extra = f", extra cells {' '.join(board.extra)}" if board.extra else ""
        yield f"board: {board.rows}x{board.columns} (rows x columns), digits {board.least} to {board.digits[-1]}{extra}"
        yield "rules:"
        for constraint in puzzle.ruleset.constraints:
            text = write_constraint(constraint, board)
            lines = wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
            yield from (f"  {'  ' * (number > 0)}{line}" for number, line in enumerate(lines))
    yield "clues:"
    yield from _rows(puzzle.clues.digits, board)
    for key, text in about.notes.items():
        yield f"{key}: {text}"
    if about.score is not None:
        score = about.score
        yield f"objective: {score.objective.sense.value} the sum of weight * digit"
        yield "weights:"
        yield from _rows(score.objective.weights, board, blanks=False)
        yield f"score: {score.constant} + {score.factor} * value, value: what is optimised"
    if (about.known != board.blank).any():
        yield "known:"
        yield from _rows(about.known.tolist(), board)
    if about.literals is None:
        yield f"variables: {about.rule}"
    elif not board.extra and np.array_equal(about.literals, in_order(board)):
        yield f"variables: {regular(board)}"
    else:
        yield "variables: digit=literal for each cell that is not known"
        for cell, row in enumerate(about.literals.tolist()):
            if any(row):
                meant = " ".join(f"{digit}={literal}" for digit, literal in enumerate(row, board.least) if literal)
                yield f"  {board.cell_name(cell)} {meant}"


def _rows(numbers: Sequence[int], board: Board, blanks: bool = True) -> Iterator[str]:
    """The rows of the grid, then the extra cells, if there are any, on a line of their own."""
    words = ["." if blanks and number == board.blank else str(number) for number in numbers]
    yield from ("  " + " ".join(row) for row in (*board.in_rows(words), board.beside(words).values()) if row)
