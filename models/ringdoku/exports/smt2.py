"""SMT-LIB 2.6 (Barrett, Fontaine and Tinelli), integers, `distinct` and `let`. The standard has no objectives, so one
is written as `maximize` or `minimize`, as Z3 and OptiMathSAT read it. Solvers print `sat` and `((name value) …)` for
`(check-sat)` and `(get-value …)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, assert_never

from ringdoku.domain.board import Board
from ringdoku.domain.primitives import Allowed, Primitive
from ringdoku.domain.result import Status
from ringdoku.exports.answers import Reading, SolverOutput, grid_of_numbers
from ringdoku.exports.base import ModelObjective, Request, encoded, shown, wrapped
from ringdoku.exports.formulas import All, Between, Different, Formula, Holds, Named, Some, Where, formula, runs
from ringdoku.exports.metadata import Metadata, metadata_of_numbers

_STATUSES = {"sat": Status.SATISFIABLE, "unsat": Status.INFEASIBLE, "unknown": Status.UNKNOWN}
_VALUE = re.compile(r"\(\s*([A-Za-z_][A-Za-z0-9_]*)\s+(?:(-?[0-9]{1,10})|\(\s*-\s+([0-9]{1,10})\s*\))\s*\)")


def write(request: Request, stream: BinaryIO) -> None:
    about = metadata_of_numbers(request, "digit_ROW_COLUMN, counted from 1", ", and digit_NAME for extra cells")
    stream.writelines(encoded(about.lines(), "; "))
    stream.writelines(encoded(_lines(request)))


def _lines(request: Request) -> Iterator[str]:
    puzzle, board = request.puzzle, request.puzzle.board
    names = _names(board)
    yield "(set-option :produce-models true)"
    yield f"(set-logic {'QF_LIA' if request.goal is None else 'ALL'})"
    least, greatest = _number(board.least), _number(board.digits[-1])
    for name, clue in zip(names, puzzle.clues.digits, strict=True):
        yield f"(declare-const {name} Int)"
        said = f"(<= {least} {name} {greatest})" if clue == board.blank else f"(= {name} {_number(clue)})"
        yield f"(assert {said})"
    for primitive, statement in request.statements:
        name = "" if isinstance(primitive, Allowed) or statement == "true" else primitive.name
        yield f"(assert {statement}) ; {name}" if name else f"(assert {statement})"
    if request.goal is not None:
        yield from _objective(request.goal, names)
    yield "(check-sat)"
    yield "(get-value ("
    yield from wrapped(names)
    yield "))"


def state(primitive: Primitive, board: Board) -> str:
    """A term for any primitive."""
    return _term(formula(primitive, board), board)


def _term(made: Formula, board: Board) -> str:
    match made:
        case Holds(cell, digits):
            return _member(_name(board, cell), digits)
        case All(()):
            return "true"
        case Some(()):
            return "false"
        case All(parts) | Some(parts):
            sign = {All: "and", Some: "or"}[type(made)]
            return f"({sign} {' '.join(_term(part, board) for part in parts)})"
        case Different(cells):
            return f"(distinct {' '.join(_name(board, cell) for cell in cells)})"
        case Between():
            return _between(made, board)
        case Named(name):
            return name
        case Where(layers, body):
            text = _term(body, board)
            # a `let` cannot use its own names in its terms
            for layer in reversed(layers):
                if layer:
                    text = f"(let ({' '.join(f'({name} {_term(each, board)})' for name, each in layer)}) {text})"
            return text
        case _:
            assert_never(made)


def _member(name: str, digits: Sequence[int]) -> str:
    parts = [
        f"(= {name} {_number(first)})" if first == last else f"(<= {_number(first)} {name} {_number(last)})"
        for first, last in runs(digits)
    ]
    return parts[0] if len(parts) == 1 else f"(or {' '.join(parts)})"


def _between(made: Between, board: Board) -> str:
    numbers = [
        (factor, _name(board, term) if isinstance(term, int) else f"(ite {_term(term, board)} 1 0)")
        for factor, term in made.terms
    ]
    total = " ".join(term if factor == 1 else f"(* {_number(factor)} {term})" for factor, term in numbers)
    total = f"(+ {total})" if len(numbers) > 1 else total
    if made.least == made.greatest:
        return f"(= {total} {_number(made.least or 0)})"
    limits = [None if limit is None else _number(limit) for limit in (made.least, made.greatest)]
    return f"(<= {' '.join(part for part in (limits[0], total, limits[1]) if part is not None)})"


def _names(board: Board) -> list[str]:
    return [_name(board, cell) for cell in range(board.cell_count)]


def _name(board: Board, cell: int) -> str:
    if cell >= board.grid_count:
        return f"digit_{board.cell_name(cell)}"
    row, column = divmod(cell, board.columns)
    return f"digit_{row + 1}_{column + 1}"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _objective(goal: ModelObjective, names: list[str]) -> Iterator[str]:
    yield f"({goal.verb} (+ 0"
    # extra cells have no weight
    factors = zip(goal.coefficients, names, strict=False)
    yield from wrapped(f"(* {_number(factor)} {name})" for factor, name in factors if factor)
    yield "))"


def read(about: Metadata, _model: bytes, output: SolverOutput) -> Reading:
    """The values that `get-value` printed.

    Raises `InputError` without a status and for a text that is too long. An error that the solver reports after `unsat`
    only says that there is no model.
    """
    board = about.puzzle.board
    status: Status | None = None
    for number, line in output.lines():
        if status is not None:
            output.keep(number, line)
        elif line in _STATUSES:
            status = _STATUSES[line]
        elif line.startswith("(error"):
            raise output.error(number, shown(line), "sat, unsat or unknown")
    if status is None:
        raise output.error(0, "no status", "sat, unsat or unknown, as SMT solvers print it")
    if status is not Status.SATISFIABLE:
        return Reading(status)
    values = {name: int(value or f"-{below}") for name, value, below in _VALUE.findall(output.text)}
    names = _names(board)
    if missing := [name for name in names if name not in values]:
        raise output.error(0, f"no value of {missing[0]}", "one for each cell; truncated, or another model's")
    grid = grid_of_numbers(about, [values[name] for name in names], output)
    # with an objective, solvers print sat for an optimum
    return Reading(Status.OPTIMAL if about.score else Status.SATISFIABLE, grid)
