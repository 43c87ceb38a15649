"""OPB, linear pseudo-Boolean format (Roussel and Manquinho, "Input/output format and solver requirements for the
competitions of pseudo-Boolean solvers"). An objective can only be minimised, so one to maximise is negated. Each
constraint must be on one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from ringdoku.exports.base import Reading, Request, encoded, require_64_bit_sums
from ringdoku.exports.literals import read_numbered
from ringdoku.exports.metadata import Metadata
from ringdoku.exports.output import SolverOutput
from ringdoku.exports.rows import RowModel

_COUNTS = re.compile(rb"\* #variable= ([0-9]{1,10}) ")

state = require_64_bit_sums
"""Every primitive is written as rows, or as clauses that are rows."""


def write(request: Request, stream: BinaryIO) -> None:
    model = RowModel(request, request.goal.sign if request.goal else 1)
    about = model.metadata("opb", literals=model.linear.digits.literals)
    # the competitions require the counts in the first line
    counts = f"* #variable= {model.linear.num_vars} #constraint= {len(model.linear.sums)}"
    stream.writelines(encoded([counts]))
    stream.writelines(encoded(about.lines(), "* "))
    stream.writelines(encoded(_lines(model)))


def _lines(model: RowModel) -> Iterator[str]:
    if model.request.goal is not None:
        yield " ".join(["min:", *(f"{factor:+d} x{var}" for var, factor in model.objective.items()), ";"])
    for row in model.linear.sums:
        # "at most" is negated, since the format has only = and >=
        sign, relation = (1, f"= {row.total} ;") if row.exactly else (-1, f">= {-row.total} ;")
        yield " ".join([*(f"{sign * factor:+d} x{var}" for factor, var in row.terms), relation])


def read(about: Metadata, model: bytes, output: SolverOutput) -> Reading:
    """The grid in a solver's `v` lines."""
    counts = _COUNTS.match(model)
    return read_numbered(about, output, min(int(counts[1]), len(model)) if counts else 0)
