"""What an exported file says of itself in comments: the puzzle, the objective, and which variable means what.

It is enough to turn a solver's answer into a grid again; `about_reader` reads it:

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

Every key starts a line, the lines that belong to it are indented, and other keys are for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ringdoku.cnf.formula import Literals
from ringdoku.domain.puzzle import Puzzle
from ringdoku.exports.goal import ScoreFormula

NAMED = "x_ROW_COLUMN_DIGIT, counted from 1, is 1 when the cell holds the digit"
"""The variable rule of formats whose variables have names."""


def regular(order: int) -> str:
    """The variable rule of the direct encoding with nothing left out."""
    return f"(row*{order} + column)*{order} + digit says that the cell holds digit; row, column from 0, digit from 1"


@dataclass(frozen=True)
class About:
    """`literals` (n², n) says which literal means "cell c holds d", 0 for none; None where names or values do.

    `known` (n²,) has the digits that the model leaves out since they follow from the clues, 0 for the rest.
    """

    format_name: str
    puzzle: Puzzle
    score: ScoreFormula | None
    known: NDArray[np.int32]
    literals: Literals | None = None
    rule: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)


def about_lines(about: About) -> Iterator[str]:
    """The text without any comment marks."""
    puzzle, n = about.puzzle, about.puzzle.order
    height, width = puzzle.ruleset.require_classic("an export")
    yield f"ringdoku model: {about.format_name}"
    yield f"boxes: {height}x{width} (height x width)"
    yield "clues:"
    yield from _rows(puzzle.clues.digits, n)
    for key, text in about.notes.items():
        yield f"{key}: {text}"
    if about.score is not None:
        score = about.score
        yield f"objective: {score.objective.sense.value} the sum of weight * digit"
        yield "weights:"
        yield from _rows(score.objective.weights, n, blank="0")
        yield f"score: {score.constant} + {score.factor} * value, value: what is optimised"
    if about.known.any():
        yield "known:"
        yield from _rows(about.known.tolist(), n)
    if about.literals is None:
        yield f"variables: {about.rule}"
    elif np.array_equal(about.literals.reshape(-1), np.arange(1, n**3 + 1)):
        yield f"variables: {regular(n)}"
    else:
        yield "variables: digit=literal for each cell that is not known"
        for cell, row in enumerate(about.literals.tolist()):
            if any(row):
                meant = " ".join(f"{digit}={literal}" for digit, literal in enumerate(row, 1) if literal)
                yield f"  {puzzle.board.cell_name(cell)} {meant}"


def _rows(numbers: Sequence[int], order: int, blank: str = ".") -> Iterator[str]:
    for start in range(0, len(numbers), order):
        yield "  " + " ".join(str(number) if number else blank for number in numbers[start : start + order])
