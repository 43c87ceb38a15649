"""DIMACS CNF, for SAT solvers. The comments give a formula for the variables if the encoding is direct and without
presolve."""

from __future__ import annotations

import re
from typing import BinaryIO

from ringdoku.answers.literals import LiteralAnswer, read_literals
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.result import Status
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request
from ringdoku.exports.numbered import encoding_note, grid_of_literals, state
from ringdoku.lowering.cnf import lower_to_nonempty_cnf
from ringdoku.sat.dimacs import write_dimacs

__all__ = ["read", "state", "write"]

_HEADER = re.compile(rb"^p cnf ([0-9]{1,10}) ", re.MULTILINE)


def write(request: Request, stream: BinaryIO) -> None:
    lowered = lower_to_nonempty_cnf(request.puzzle, request.encoding)
    digits = lowered.digits
    notes = {"encoding": encoding_note(lowered.options)}
    about = About("cnf", request.puzzle, None, digits.known, digits.literals, notes=notes)
    write_dimacs(lowered.cnf, stream, about_lines(about))


def read(about: About, model: bytes, output: SolverOutput) -> Reading:
    """The grid of a satisfying assignment."""
    header = _HEADER.search(model)
    # each variable takes some characters in the model
    answer = read_literals(output, min(int(header[1]), len(model)) if header else 0)
    if answer.status is Status.SATISFIABLE:
        _refuse_truncation(answer, output)
    return Reading(answer.status, grid_of_literals(about, answer, output))


def _refuse_truncation(answer: LiteralAnswer, output: SolverOutput) -> None:
    if answer.assignment and not answer.ended:
        raise output.error(0, "literals without a closing 0", "all of the formula's; is the output truncated?")
