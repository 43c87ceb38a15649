"""DIMACS CNF, for SAT solvers. The comments give a formula for the variables if the encoding is direct and without
presolve."""

from __future__ import annotations

import re
from typing import BinaryIO

from ringdoku.domain.board import Board
from ringdoku.domain.primitives import Primitive
from ringdoku.exports.base import Reading, Request
from ringdoku.exports.literals import read_numbered
from ringdoku.exports.metadata import Metadata
from ringdoku.exports.output import SolverOutput
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_nonempty_cnf
from ringdoku.sat.dimacs import write_dimacs

_HEADER = re.compile(rb"^p cnf ([0-9]{1,10}) ", re.MULTILINE)


def state(primitive: Primitive, board: Board) -> None:
    """Nothing is refused, since every primitive has clauses."""


def write(request: Request, stream: BinaryIO) -> None:
    lowered = lower_to_nonempty_cnf(request.puzzle, request.encoding)
    digits = lowered.digits
    about = Metadata("cnf", request.puzzle, None, digits.known, digits.literals, notes=encoding_note(lowered))
    write_dimacs(lowered.cnf, stream, about.lines())


def encoding_note(lowered: PuzzleCnf) -> dict[str, str]:
    """A description of the encoding for people."""
    options = lowered.options
    text = (
        f"digits {options.digits}, at-most-one {options.at_most_one}, clause set {options.clause_set.value}, "
        f"{'with' if options.triads else 'no'} triads, {'with' if options.innies else 'no'} innies, "
        f"{'presolved' if options.presolve else 'not presolved'}"
    )
    return {"encoding": text}


def read(about: Metadata, model: bytes, output: SolverOutput) -> Reading:
    """The grid of a satisfying assignment."""
    header = _HEADER.search(model)
    # each variable takes some characters in the model
    return read_numbered(about, output, min(int(header[1]), len(model)) if header else 0, must_end=True)
