"""OPB, linear pseudo-Boolean format (Roussel and Manquinho, "Input/output format and solver requirements for the
competitions of pseudo-Boolean solvers"). An objective can only be minimised, so one to maximise is negated. Each
constraint must be on one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from ringdoku.answers.literals import read_literals
from ringdoku.answers.text import SolverOutput
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded, lowering_sign, model_note, score_formula, terms
from ringdoku.exports.numbered import grid_of_literals
from ringdoku.exports.stating import require, require_64_bit_sums
from ringdoku.lowering.linear import LinearPuzzle, lower_to_linear

_COUNTS = re.compile(rb"\* #variable= ([0-9]{1,10}) ")

state = require_64_bit_sums
"""Every primitive is written as rows, or as clauses that are rows."""


def write(request: Request, stream: BinaryIO) -> None:
    require("opb", request.puzzle.ruleset, state)
    linear = lower_to_linear(request.puzzle, request.encoding.presolve)
    digits = linear.digits
    sign = lowering_sign(request.goal) if request.goal else 1
    score = score_formula(request.goal, digits.known.tolist(), digits.board.blank, sign)
    notes = {"model": model_note(linear)}
    about = About("opb", request.puzzle, score, digits.known, digits.literals, notes=notes)
    # the competitions require the counts in the first line
    stream.writelines(encoded([f"* #variable= {linear.num_vars} #constraint= {len(linear.sums)}"]))
    stream.writelines(encoded(about_lines(about), "* "))
    stream.writelines(encoded(_lines(request, linear, sign)))


def _lines(request: Request, linear: LinearPuzzle, sign: int) -> Iterator[str]:
    if request.goal is not None:
        objective = (f"{sign * term.coefficient:+d} x{term.variable}" for term in terms(request.goal, linear.places()))
        yield " ".join(["min:", *objective, ";"])
    for row in linear.sums:
        # "at most" is negated, since the format has only = and >=
        sign, relation = (1, f"= {row.total} ;") if row.exactly else (-1, f">= {-row.total} ;")
        yield " ".join([*(f"{sign * factor:+d} x{var}" for factor, var in row.terms), relation])


def read(about: About, model: bytes, output: SolverOutput) -> Reading:
    """The grid in a solver's `v` lines."""
    counts = _COUNTS.match(model)
    answer = read_literals(output, min(int(counts[1]), len(model)) if counts else 0)
    return Reading(answer.status, grid_of_literals(about, answer, output), answer.cost)
