"""Weighted CNF, for MaxSAT solvers: the cost of violated soft clauses is the distance to the best score."""

from __future__ import annotations

import re
from typing import BinaryIO

import numpy as np

from ringdoku.exports.base import Reading, Request, ScoreFormula
from ringdoku.exports.cnf import encoding_note, state
from ringdoku.exports.literals import read_numbered
from ringdoku.exports.metadata import Metadata
from ringdoku.exports.output import SolverOutput
from ringdoku.lowering.cnf import lower_to_nonempty_cnf
from ringdoku.lowering.wcnf import lower_to_wcnf
from ringdoku.sat.dimacs import write_wcnf
from ringdoku.sat.formula import Wcnf

__all__ = ["read", "state", "write"]

_LITERAL = re.compile(rb"-?[0-9]{1,10}")


def write(request: Request, stream: BinaryIO) -> None:
    lowered, goal, score = lower_to_nonempty_cnf(request.puzzle, request.encoding), request.goal, None
    wcnf = Wcnf(lowered.cnf, np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64))
    if goal is not None:
        sense = goal.objective.sense
        weighted = lower_to_wcnf(request.puzzle, goal.coefficients, sense, lowered.options)
        wcnf, lowered = weighted.wcnf, weighted.puzzle_cnf
        # Σ coefficients·digit = sign·(best − cost)
        factor = -goal.projection.step * sense.sign
        score = ScoreFormula(goal.objective, goal.projection.constant - factor * weighted.best, factor)
    digits = lowered.digits
    about = Metadata("wcnf", request.puzzle, score, digits.known, digits.literals, notes=encoding_note(lowered))
    write_wcnf(wcnf, stream, about.lines())


def read(about: Metadata, model: bytes, output: SolverOutput) -> Reading:
    """The grid of the last assignment, and the cost that the solver reported."""
    hard = (line.split() for line in model.splitlines() if line.startswith(b"h "))
    variables = max((abs(int(word)) for words in hard for word in words[1:] if _LITERAL.fullmatch(word)), default=0)
    return read_numbered(about, output, min(variables, len(model)))
