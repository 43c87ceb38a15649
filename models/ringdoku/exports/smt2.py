"""SMT-LIB 2.6 (Barrett, Fontaine and Tinelli), integers, `distinct` and `let`. The standard has no objectives, so one
is written as `maximize` or `minimize`, as Z3 and OptiMathSAT read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from ringdoku.answers.smtlib import read_smtlib
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.board import Board
from ringdoku.domain.primitives import Allowed, Primitive
from ringdoku.domain.result import Status
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded, wrapped
from ringdoku.exports.formulas import TRUE, NamingWords, formula, runs
from ringdoku.exports.goal import Goal
from ringdoku.exports.grids import about_numbers, grid_of_numbers
from ringdoku.exports.stating import statements


def write(request: Request, stream: BinaryIO) -> None:
    rule = "digit_ROW_COLUMN, counted from 1"
    if request.puzzle.board.extra:
        rule += ", and digit_NAME for extra cells"
    model = list(_lines(request))
    stream.writelines(encoded(about_lines(about_numbers("smt2", request, rule)), "; "))
    stream.writelines(encoded(model))


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
    for primitive, statement in statements("smt2", puzzle.ruleset, state):
        name = "" if isinstance(primitive, Allowed) or statement == TRUE else primitive.name
        yield f"(assert {statement}) ; {name}" if name else f"(assert {statement})"
    if request.goal is not None:
        yield from _objective(request.goal, names)
    yield "(check-sat)"
    yield "(get-value ("
    yield from wrapped(names)
    yield "))"


def state(primitive: Primitive, board: Board) -> str:
    """A term for any primitive."""
    return formula(primitive, _Terms(board))


class _Terms(NamingWords):
    def cell(self, cell: int) -> str:
        return _name(self.board, cell)

    def member(self, cell: int, digits: Sequence[int]) -> str:
        name = self.cell(cell)
        return self.some(
            f"(= {name} {_number(first)})" if first == last else f"(<= {_number(first)} {name} {_number(last)})"
            for first, last in runs(digits)
        )

    def both(self, parts: Sequence[str]) -> str:
        return f"(and {' '.join(parts)})"

    def either(self, parts: Sequence[str]) -> str:
        return f"(or {' '.join(parts)})"

    def unequal(self, first: str, second: str) -> str:
        return f"(distinct {first} {second})"

    def different(self, cells: Sequence[int]) -> str:
        return f"(distinct {' '.join(map(self.cell, cells))})" if len(cells) > 1 else TRUE

    def number(self, formula: str) -> str:
        return f"(ite {formula} 1 0)"

    def sum_between(self, terms: Sequence[tuple[int, str]], least: int | None, greatest: int | None) -> str:
        total = " ".join(term if factor == 1 else f"(* {_number(factor)} {term})" for factor, term in terms)
        total = f"(+ {total})" if len(terms) > 1 else total
        if least == greatest:
            return f"(= {total} {_number(least or 0)})"
        limits = [None if limit is None else _number(limit) for limit in (least, greatest)]
        return f"(<= {' '.join(part for part in (limits[0], total, limits[1]) if part is not None)})"

    def where(self, layers: Sequence[dict[str, str]], formula: str) -> str:
        # a `let` cannot use its own names in its terms
        for layer in reversed(layers):
            if layer:
                formula = f"(let ({' '.join(f'({name} {text})' for name, text in layer.items())}) {formula})"
        return formula


def _names(board: Board) -> list[str]:
    return [_name(board, cell) for cell in range(board.cell_count)]


def _name(board: Board, cell: int) -> str:
    if cell >= board.grid_count:
        return f"digit_{board.cell_name(cell)}"
    row, column = divmod(cell, board.columns)
    return f"digit_{row + 1}_{column + 1}"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def _objective(goal: Goal, names: list[str]) -> Iterator[str]:
    yield f"({goal.verb} (+ 0"
    # extra cells have no weight
    factors = zip(goal.coefficients, names, strict=False)
    yield from wrapped(f"(* {_number(factor)} {name})" for factor, name in factors if factor)
    yield "))"


def read(about: About, _model: bytes, output: SolverOutput) -> Reading:
    """The values that `get-value` printed."""
    answer = read_smtlib(output, about.puzzle.board.cell_count)
    if answer.status is not Status.SATISFIABLE:
        return Reading(answer.status)
    names = _names(about.puzzle.board)
    if missing := [name for name in names if name not in answer.values]:
        raise output.error(0, f"no value of {missing[0]}", "one for each cell; truncated, or another model's")
    grid = grid_of_numbers(about, [answer.values[name] for name in names], output)
    # with an objective, solvers print sat for an optimum
    return Reading(Status.OPTIMAL if about.score else Status.SATISFIABLE, grid)
