"""SMT-LIB 2.6 (Barrett, Fontaine and Tinelli), integers and `distinct`. The standard has no objective: one is written
as `maximize` or `minimize`, which Z3 and OptiMathSAT understand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from ringdoku.answers.smtlib import read_smtlib
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.constraint import House
from ringdoku.domain.result import Status
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded, wrapped
from ringdoku.exports.goal import Goal
from ringdoku.exports.grids import about_numbers, grid_of_numbers


def write(request: Request, stream: BinaryIO) -> None:
    about = about_numbers("smt2", request, "digit_ROW_COLUMN, counted from 1")
    stream.writelines(encoded(about_lines(about), "; "))
    stream.writelines(encoded(_lines(request)))


def _lines(request: Request) -> Iterator[str]:
    puzzle, n = request.puzzle, request.puzzle.order
    names = _names(n)
    yield "(set-option :produce-models true)"
    yield f"(set-logic {'QF_LIA' if request.goal is None else 'ALL'})"
    for name, clue in zip(names, puzzle.clues.digits, strict=True):
        yield f"(declare-const {name} Int)"
        yield f"(assert (= {name} {clue}))" if clue else f"(assert (<= 1 {name} {n}))"
    for rule in puzzle.ruleset.houses:
        yield _assertion(rule, names)
    if request.goal is not None:
        yield from _objective(request.goal, names)
    yield "(check-sat)"
    yield "(get-value ("
    yield from wrapped(names)
    yield "))"


def _names(order: int) -> list[str]:
    return [f"digit_{row}_{column}" for row in range(1, order + 1) for column in range(1, order + 1)]


def _assertion(rule: House, names: list[str]) -> str:
    if len(rule.cells) == 1:
        return "(assert true)"
    return f"(assert (distinct {' '.join(names[cell] for cell in rule.cells)})) ; {rule.name}"


def _objective(goal: Goal, names: list[str]) -> Iterator[str]:
    yield f"({goal.verb} (+ 0"
    yield from wrapped(
        f"(* {coefficient} {name})" if coefficient > 0 else f"(* (- {-coefficient}) {name})"
        for coefficient, name in zip(goal.coefficients, names, strict=True)
        if coefficient
    )
    yield "))"


def read(about: About, _model: bytes, output: SolverOutput) -> Reading:
    """The values that `get-value` gave."""
    answer = read_smtlib(output, about.puzzle.board.cell_count)
    if answer.status is not Status.SATISFIABLE:
        return Reading(answer.status)
    names = _names(about.puzzle.order)
    if missing := [name for name in names if name not in answer.values]:
        raise output.error(0, f"no value of {missing[0]}", "one for each cell; truncated, or another model's")
    grid = grid_of_numbers(about, [answer.values[name] for name in names], output)
    # where there is an objective, solvers print sat for an optimum
    return Reading(Status.OPTIMAL if about.score else Status.SATISFIABLE, grid)
