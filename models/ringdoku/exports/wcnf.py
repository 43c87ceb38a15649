"""Weighted CNF, for MaxSAT solvers: the cost of violated soft clauses is the distance to the best score."""

from __future__ import annotations

import re
from typing import BinaryIO

import numpy as np

from ringdoku.answers.literals import read_literals
from ringdoku.answers.text import SolverOutput
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request
from ringdoku.exports.goal import ScoreFormula
from ringdoku.exports.numbered import encoding_note, grid_of_literals, state
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_nonempty_cnf
from ringdoku.lowering.wcnf import lower_to_wcnf
from ringdoku.sat.dimacs import write_wcnf
from ringdoku.sat.formula import Wcnf

__all__ = ["read", "state", "write"]

_LITERAL = re.compile(rb"-?[0-9]{1,10}")


def write(request: Request, stream: BinaryIO) -> None:
    wcnf, lowered, score = _lowered(request)
    digits = lowered.digits
    notes = {"encoding": encoding_note(lowered.options)}
    about = About("wcnf", request.puzzle, score, digits.known, digits.literals, notes=notes)
    write_wcnf(wcnf, stream, about_lines(about))


def _lowered(request: Request) -> tuple[Wcnf, PuzzleCnf, ScoreFormula | None]:
    lowered = lower_to_nonempty_cnf(request.puzzle, request.encoding)
    goal = request.goal
    if goal is None:
        nothing = np.zeros(0, dtype=np.int32)
        return Wcnf(lowered.cnf, nothing, np.zeros(0, dtype=np.int64)), lowered, None
    sense = goal.objective.sense
    weighted = lower_to_wcnf(request.puzzle, goal.coefficients, sense, lowered.options)
    # Σ coefficients·digit = sign·(best − cost)
    factor = -goal.step * sense.sign
    score = ScoreFormula(goal.objective, goal.constant - factor * weighted.best, factor)
    return weighted.wcnf, weighted.puzzle_cnf, score


def read(about: About, model: bytes, output: SolverOutput) -> Reading:
    """The grid of the last assignment, and the cost that the solver reported."""
    hard = (line.split() for line in model.splitlines() if line.startswith(b"h "))
    variables = max((abs(int(word)) for words in hard for word in words[1:] if _LITERAL.fullmatch(word)), default=0)
    answer = read_literals(output, min(variables, len(model)))
    return Reading(answer.status, grid_of_literals(about, answer, output), answer.cost)
