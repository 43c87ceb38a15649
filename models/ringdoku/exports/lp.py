"""CPLEX LP format (IBM ILOG CPLEX file format reference), as HiGHS, SCIP, CBC, GLPK, Gurobi and CPLEX read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from ringdoku.exports.base import Request, encoded, wrapped
from ringdoku.exports.rows import RowModel, named_rule, read, state

__all__ = ["read", "state", "write"]


def write(request: Request, stream: BinaryIO) -> None:
    model = RowModel(request)
    stream.writelines(encoded(model.metadata("lp", rule=named_rule(request.puzzle.board)).lines(), "\\ "))
    stream.writelines(encoded(_lines(model)))


def _lines(model: RowModel) -> Iterator[str]:
    goal, names = model.request.goal, model.names
    yield "Minimize" if goal is None else goal.verb.capitalize()
    # an objective must not be empty
    objective = model.objective or {1: 0}
    yield " score:"
    yield from wrapped(f"{coefficient:+d} {names[var]}" for var, coefficient in objective.items())
    yield "Subject To"
    for row in model.linear.sums:
        yield f" {row.name}:"
        terms = (f"{_signed(factor)} {names[var]}" for factor, var in row.terms)
        yield from wrapped([*terms, f"{'=' if row.exactly else '<='} {row.total}"])
    yield "Binary"
    yield from wrapped(names[1:])
    yield "End"


def _signed(factor: int) -> str:
    """`+` and `-` alone for 1 and −1."""
    return {1: "+", -1: "-"}.get(factor, f"{factor:+d}")
