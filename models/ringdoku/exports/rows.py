"""The 0-1 model as OPB, LP and free MPS, and the solution files of LP and MIP solvers: HiGHS, SCIP, CBC, Gurobi, GLPK.

- OPB (Roussel and Manquinho, "Input/output format and solver requirements for the competitions of pseudo-Boolean
  solvers") has each constraint on one line, and = and >= only.
- LP is that of CPLEX (IBM ILOG CPLEX file format reference), as HiGHS, SCIP, CBC, GLPK, Gurobi and CPLEX read it.
- MPS is read by the same programs.

OPB and MPS cannot maximise, or not for every program. So they always minimise; an objective to maximise is negated, and
the `score:` comment shows that.

A solution file has a line for each variable, `name value`, with a number before it or remarks after it; variables that
are 0 may be left out. A line of another kind says how the search ended; Gurobi writes none. A file without names, as
`glpsol --write` makes it, is refused.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from operator import mul
from typing import BinaryIO

import numpy as np

from ringdoku.domain.grid import Grid
from ringdoku.domain.result import Status
from ringdoku.exports.answers import NUMBER, Reading, SolverOutput, comparable, read_numbered
from ringdoku.exports.base import ModelObjective, Request, encoded, require_64_bit_sums, shown, wrapped
from ringdoku.exports.metadata import Metadata
from ringdoku.lowering.linear import LinearPuzzle, lower_to_linear

TOLERANCE = 1e-4
"""How far from a whole number a value may lie; solvers stop within 1e-5 or less by default."""

_COUNTS = re.compile(rb"\* #variable= ([0-9]{1,10}) ")
_NAME = re.compile(r"x_(?:([1-9][0-9]{0,3})_([1-9][0-9]{0,3})|([A-Za-z]\w*))_(m?)([0-9]{1,4})", re.ASCII)
_VALUE = re.compile(rf"(?:[0-9]+\s+)?([A-Za-z]\w*)\s+(?:\*\s+)?{NUMBER}(?:\s.*)?", re.ASCII)
_STATUS = re.compile(rf"(?:solution status|Model status|Status):\s*(.+)|([A-Z][a-z ]+) - objective value {NUMBER}.*")
_OBJECTIVE = re.compile(rf"(?:# )?Objective(?: value)?\s*(?:[:=]\s*)?(?:[a-z]+ = )?{NUMBER}(?:\s.*)?", re.IGNORECASE)
_NAMELESS = re.compile(r"s (?:bas|ipt|mip) .*")
_STOPPED = re.compile(
    r"infeasible or unbounded|limit|stopped|interrupt|reached|undefined|unknown|not set|non-optimal|\bfeasible"
)

state = require_64_bit_sums
"""Every primitive is written as rows, or as clauses that are rows."""


def write(request: Request, stream: BinaryIO) -> None:
    board, name = request.puzzle.board, request.format_name
    linear = lower_to_linear(request.puzzle, request.encoding.presolve)
    digits = linear.digits
    goal, objective = _optimised(request, linear)
    if name == "opb":
        # the competitions require the counts in the first line
        stream.writelines(encoded([f"* #variable= {linear.num_vars} #constraint= {len(linear.sums)}"]))
        mark, literals, rule = "* ", digits.literals, ""
        lines = _opb(linear, objective if goal else None)
    else:
        extra = ", x_NAME_DIGIT that of an extra cell" if board.extra else ""
        minus = "; a digit m1 is -1" if board.least < 0 else ""
        literals, rule = None, f"x_ROW_COLUMN_DIGIT, counted from 1, is 1 when the cell holds the digit{extra}{minus}"
        # the variables of rules that need their own come last
        names = ["", *(_name(request, cell, digit) for _, cell, digit in linear.places())]
        names += [f"y_{number}" for number in range(1, linear.num_vars - len(names) + 2)]
        if name == "lp":
            mark, lines = "\\ ", _lp(linear, goal.verb if goal else "minimize", objective, names)
        else:
            mark, lines = "* ", _mps(linear, objective, names)
    notes = {"model": f"0-1 sums, {'textbook' if digits.literals.all() else 'presolved'}"}
    about = Metadata(name, request.puzzle, goal, digits.known, literals, rule, notes)
    stream.writelines(encoded(about.lines(), mark))
    stream.writelines(encoded(lines))


def _optimised(request: Request, linear: LinearPuzzle) -> tuple[ModelObjective | None, dict[int, int]]:
    """The objective over the variables, and how its value gives the score."""
    goal, board, known = request.goal, request.puzzle.board, linear.digits.known[: request.puzzle.board.grid_count]
    if goal is None:
        return None, {}
    sign = 1 if request.format_name == "lp" else -goal.objective.sense.sign
    fixed = sum(map(mul, goal.coefficients, np.where(known == board.blank, 0, known).tolist()))
    gains = ((var, goal.coefficients[cell] * digit) for var, cell, digit in linear.places() if cell < board.grid_count)
    value = {var: sign * gain for var, gain in gains if gain}
    return replace(goal, constant=goal.constant + goal.factor * fixed, factor=sign * goal.factor), value


def _name(request: Request, cell: int, digit: int) -> str:
    board = request.puzzle.board
    row, column = divmod(cell, board.columns)
    place = f"{row + 1}_{column + 1}" if cell < board.grid_count else board.cell_name(cell)
    return f"x_{place}_{digit}" if digit >= 0 else f"x_{place}_m{-digit}"


def _opb(linear: LinearPuzzle, objective: dict[int, int] | None) -> Iterator[str]:
    if objective is not None:
        yield " ".join(["min:", *(f"{factor:+d} x{var}" for var, factor in objective.items()), ";"])
    for row in linear.sums:
        # "at most" is negated
        sign, relation = (1, f"= {row.total} ;") if row.exactly else (-1, f">= {-row.total} ;")
        yield " ".join([*(f"{sign * factor:+d} x{var}" for factor, var in row.terms), relation])


def _lp(linear: LinearPuzzle, verb: str, objective: dict[int, int], names: list[str]) -> Iterator[str]:
    yield verb.capitalize()
    yield " score:"
    # an objective must not be empty
    yield from wrapped(f"{factor:+d} {names[var]}" for var, factor in (objective or {1: 0}).items())
    yield "Subject To"
    for row in linear.sums:
        yield f" {row.name}:"
        terms = [f"{ {1: '+', -1: '-'}.get(factor, f'{factor:+d}') } {names[var]}" for factor, var in row.terms]
        yield from wrapped([*terms, f"{'=' if row.exactly else '<='} {row.total}"])
    yield "Binary"
    yield from wrapped(names[1:])
    yield "End"


def _mps(linear: LinearPuzzle, objective: dict[int, int], names: list[str]) -> Iterator[str]:
    rows_of: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for var, factor in objective.items():
        rows_of[var].append(("score", factor))
    for row in linear.sums:
        for factor, var in row.terms:
            rows_of[var].append((row.name, factor))
    yield from ("NAME ringdoku", "ROWS", " N score")
    yield from (f" {'E' if row.exactly else 'L'} {row.name}" for row in linear.sums)
    yield from ("COLUMNS", " MARKER 'MARKER' 'INTORG'")
    for var, name in enumerate(names[1:], 1):
        yield from (f" {name} {row_name} {factor}" for row_name, factor in rows_of[var])
    yield from (" MARKER 'MARKER' 'INTEND'", "RHS")
    yield from (f" RHS {row.name} {row.total}" for row in linear.sums if row.total)
    yield "BOUNDS"
    yield from (f" BV BOUND {name}" for name in names[1:])
    yield "ENDATA"


def read(about: Metadata, model: bytes, output: SolverOutput) -> Reading:
    """The grid in the `v` lines of a pseudo-Boolean solver, or in the solution file of an LP or MIP solver.

    Raises `InputError` when there are neither values nor a status, for a variable that the model does not have, a value
    that is neither 0 nor 1, and two values of a variable.
    """
    if about.format_name == "opb":
        counts = _COUNTS.match(model)
        return read_numbered(about, output, min(int(counts[1]), len(model)) if counts else 0)
    status: Status | None = None
    objective = inf
    lines = output.lines()
    for number, line in lines:
        if line.startswith("# Dual"):
            break
        if line == "Model status":
            status = _status(output, *next(lines, (number, "nothing")))
        elif said := _STATUS.fullmatch(line):
            status, objective = _status(output, number, said[1] or said[2]), float(said[3]) if said[3] else objective
        elif said := _OBJECTIVE.fullmatch(line):
            objective = float(said[1])
        elif _NAMELESS.fullmatch(line):
            raise output.error(number, shown(line), "lines with names, as glpsol -o FILE writes them")
        elif (said := _VALUE.fullmatch(line)) and _NAME.fullmatch(said[1]):
            output.keep(number, f"{said[1]} {said[2]}")
    if status is None and not output.kept:
        raise output.error(0, "neither a status nor values", "the solution file of an LP or MIP solver")
    if status is None or (status is Status.UNKNOWN and output.kept):
        status = Status.FEASIBLE
    if status is Status.INFEASIBLE or not output.kept:
        return Reading(status)
    return Reading(status, _grid(about, output), comparable(objective))


def _status(output: SolverOutput, number: int, phrase: str) -> Status:
    words = phrase.lower()
    if _STOPPED.search(words):
        return Status.UNKNOWN
    if "infeasible" in words or "empty" in words:
        return Status.INFEASIBLE
    if not re.match(r"(?:integer )?optimal", words):
        raise output.error(number, shown(phrase), "a status that a puzzle can have")
    return Status.OPTIMAL


def _grid(about: Metadata, output: SolverOutput) -> Grid:
    """The grid of the variables and values that are kept."""
    board, digits, values = about.puzzle.board, about.known.tolist(), dict[str, int]()
    for number, line in output.kept:
        name, text = line.split()
        found, value = _NAME.fullmatch(name), float(text)
        assert found
        row, column, extra, minus, said = found.groups()
        cell, digit = board.named(extra or f"r{row}c{column}"), -int(said) if minus else int(said)
        if cell is None or digit not in board.digits or about.known[cell] != board.blank:
            raise output.error(number, f"variable {name}", "one of the model's")
        if min(abs(value), abs(value - 1)) > TOLERANCE:
            raise output.error(number, f"{name} = {value:g}", "0 or 1")
        if values.setdefault(name, round(value)) != round(value):
            raise output.error(number, f"a second value for {name}", "one")
        if round(value):
            if digits[cell] not in (board.blank, digit):
                raise output.error(number, f"{name} = 1, a second digit for {board.cell_name(cell)}", "one")
            digits[cell] = digit
    return Grid(tuple(digits), board)
