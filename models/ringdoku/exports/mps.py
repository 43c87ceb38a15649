"""Free MPS format (as CPLEX, HiGHS, SCIP, CBC and GLPK read it).

MPS itself cannot maximise, and not every program reads the extensions that can. So the objective is always minimised;
it is negated if the score is to be maximised, and the `score:` comment shows that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import BinaryIO

from ringdoku.exports.base import Request, encoded
from ringdoku.exports.rows import RowModel, named_rule, read, state

__all__ = ["read", "state", "write"]


def write(request: Request, stream: BinaryIO) -> None:
    model = RowModel(request, request.goal.sign if request.goal else 1)
    stream.writelines(encoded(model.metadata("mps", rule=named_rule(request.puzzle.board)).lines(), "* "))
    stream.writelines(encoded(_lines(model)))


def _lines(model: RowModel) -> Iterator[str]:
    names, sums = model.names, model.linear.sums
    rows_of: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for row in sums:
        for factor, var in row.terms:
            rows_of[var].append((row.name, factor))
    yield "NAME ringdoku"
    yield "ROWS"
    yield " N score"
    yield from (f" {'E' if row.exactly else 'L'} {row.name}" for row in sums)
    yield "COLUMNS"
    yield " MARKER 'MARKER' 'INTORG'"
    for var, name in enumerate(names[1:], 1):
        if var in model.objective:
            yield f" {name} score {model.objective[var]}"
        yield from (f" {name} {row} {factor}" for row, factor in rows_of[var])
    yield " MARKER 'MARKER' 'INTEND'"
    yield "RHS"
    yield from (f" RHS {row.name} {row.total}" for row in sums if row.total)
    yield "BOUNDS"
    yield from (f" BV BOUND {name}" for name in names[1:])
    yield "ENDATA"
