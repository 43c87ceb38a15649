"""SMT-LIB 2.6 (Barrett, Fontaine and Tinelli), integers, `distinct` and `let`. The standard has no objectives, so one
is written as `maximize` or `minimize`, as Z3 and OptiMathSAT read it. Solvers print `sat` and `((name value) …)` for
`(check-sat)` and `(get-value …)`; and the score for `(get-objectives)`, since Z3 4.8.12 may print other values than
those that have it."""

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ringdoku.domain import Board, Status
from ringdoku.exports.answers import Reading, SolverOutput, grid_of_numbers
from ringdoku.exports.base import Metadata, Request, encoded, shown, wrapped
from ringdoku.exports.formulas import TRUE, ConditionWriter, runs

_STATUSES = {"sat": Status.SATISFIABLE, "unsat": Status.INFEASIBLE, "unknown": Status.UNKNOWN}
_SCORE = "score"
_VALUE = re.compile(r"\(\s*([A-Za-z_][A-Za-z0-9_]*)\s+(?:(-?[0-9]{1,15})|\(\s*-\s+([0-9]{1,15})\s*\))\s*\)")


def write(request: Request, stream: BinaryIO) -> None:
    metadata = request.metadata("digit_ROW_COLUMN, counted from 1", ", and digit_NAME for extra cells")
    stream.writelines(encoded(metadata.lines("; "), _lines(request)))


def _lines(request: Request) -> Iterator[str]:
    puzzle, board, goal = request.puzzle, request.puzzle.board, request.goal
    names = _names(board)
    yield "(set-option :produce-models true)"
    # with the logic ALL, Z3 4.8.12 prints wrong optima
    yield "(set-logic QF_LIA)"
    least, greatest = _number(board.least), _number(board.digits[-1])
    for name, clue in zip(names, puzzle.clues.digits, strict=True):
        yield f"(declare-const {name} Int)"
        domain = f"(<= {least} {name} {greatest})" if clue == board.blank else f"(= {name} {_number(clue)})"
        yield f"(assert {domain})"
    for primitive, statement in request.statements:
        name = "" if statement == TRUE else primitive.name
        yield f"(assert {statement}) ; {name}" if name else f"(assert {statement})"
    if goal is not None:
        yield f"(declare-const {_SCORE} Int)"
        yield f"(assert (= {_SCORE} (+ 0"
        terms = SmtLib(board).score(goal.coefficients)
        yield from wrapped(f"(* {_number(factor)} {number})" for factor, number in terms)
        yield ")))"
        yield f"({goal.verb} {_SCORE})"
    yield "(check-sat)"
    if goal is not None:
        yield "(get-objectives)"
    yield "(get-value ("
    yield from wrapped(names)
    yield "))"


class SmtLib(ConditionWriter):
    """Writes terms of SMT-LIB."""

    grid, extra = "digit_{0}_{1}", "digit_{1}"

    def holds(self, cell: str, digits: Sequence[int]) -> str:
        ends = [(_number(first), _number(last)) for first, last in runs(digits)]
        parts = [f"(= {cell} {first})" if first == last else f"(<= {first} {cell} {last})" for first, last in ends]
        return parts[0] if len(parts) == 1 else self.joined("or", parts)

    def joined(self, word: str, parts: Sequence[str]) -> str:
        return f"({word} {' '.join(parts)})"

    def different(self, cells: Sequence[str]) -> str:
        return self.joined("distinct", cells)

    def as_number(self, condition: str) -> str:
        return f"(ite {condition} 1 0)"

    def between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        words = [number if factor == 1 else f"(* {_number(factor)} {number})" for factor, number in terms]
        total = self.joined("+", words) if len(words) > 1 else words[0]
        if least is not None and least == greatest:
            return f"(= {total} {_number(least)})"
        low, high = ([] if limit is None else [_number(limit)] for limit in (least, greatest))
        return self.joined("<=", [*low, total, *high])

    def with_definitions(self, layers: Sequence[Sequence[tuple[str, str]]], condition: str) -> str:
        # a `let` cannot use its own names in its terms
        for layer in reversed(layers):
            condition = f"(let ({' '.join(f'({name} {part})' for name, part in layer)}) {condition})"
        return condition


state = SmtLib.statement_of


def _names(board: Board) -> list[str]:
    return list(map(SmtLib(board).cell, range(board.cell_count)))


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def read(metadata: Metadata, output: SolverOutput) -> Reading:
    """The values that `get-value` printed. Raises `InputError` without a status and for a text that is too long. An
    error that the solver reports after `unsat` only says that there is no model."""
    board = metadata.puzzle.board
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
    grid = grid_of_numbers(metadata, [values[name] for name in names], output)
    # with an objective, solvers print sat for an optimum
    return Reading(Status.OPTIMAL if metadata.score else Status.SATISFIABLE, grid, values.get(_SCORE))
