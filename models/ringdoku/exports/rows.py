"""The 0-1 model that the OPB, the LP and the MPS format write, and the solution files of LP and MIP solvers: HiGHS,
SCIP, CBC, Gurobi, and both of GLPK's.

A solution file has a line for each variable, `name value`, with a number before it or remarks after it; variables that
are 0 may be left out. A line of another kind says how the search ended; Gurobi writes none.

GLPK's plain file, which `glpsol --write` makes (GLPK reference manual, glp_write_mip), has no names. It has the line
`s mip ROWS COLUMNS STATUS OBJECTIVE`, then `j NUMBER VALUE` for each column, numbered by its first place in the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from math import isfinite

from ringdoku.domain.board import Board
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.result import Status
from ringdoku.exports.base import Reading, Request, ScoreFormula, require, require_64_bit_sums
from ringdoku.exports.metadata import Metadata
from ringdoku.exports.output import NUMBER, SolverOutput, shown
from ringdoku.lowering.linear import lower_to_linear
from ringdoku.sat.formula import Literals

TOLERANCE = 1e-4
"""How far from a whole number a value may lie; solvers stop within 1e-5 or less by default."""
EXACT = 1e9
"""Objective values are printed with ten digits or more, so those up to here can be compared."""

_NAME = re.compile(r"x_(?:([1-9][0-9]{0,3})_([1-9][0-9]{0,3})|([A-Za-z]\w*))_(m?)([0-9]{1,4})", re.ASCII)
_NAME_IN_FILE = re.compile(rb"\b(?:x_\w+_m?[0-9]+|y_[0-9]+)\b")
_COMMENT = re.compile(rb"^[\\*].*", re.MULTILINE)
_PLAIN_STATUSES = {"o": Status.OPTIMAL, "f": Status.FEASIBLE, "n": Status.INFEASIBLE, "u": Status.UNKNOWN}
_VALUE = re.compile(rf"(?:[0-9]+\s+)?([A-Za-z]\w*)\s+(?:\*\s+)?{NUMBER}(?:\s.*)?", re.ASCII)
_STATUS = re.compile(r"(?:solution status|Model status|Status):\s*(.+)")
_CBC = re.compile(rf"([A-Z][a-z ]+) - objective value {NUMBER}.*")
_OBJECTIVE = re.compile(rf"(?:# )?Objective(?: value)?\s*(?:[:=]\s*)?(?:[a-z]+ = )?{NUMBER}(?:\s.*)?", re.IGNORECASE)
_PLAIN = re.compile(r"s (?:bas|ipt|mip) .*")
_PLAIN_MIP = re.compile(rf"s mip [0-9]{{1,9}} ([0-9]{{1,9}}) ([{''.join(_PLAIN_STATUSES)}]) {NUMBER}")
_PLAIN_COLUMN = re.compile(rf"j ([0-9]{{1,9}}) {NUMBER}")
_STOPPED = re.compile(r"limit|stopped|interrupt|reached|undefined|unknown|not set|non-optimal|\bfeasible")

state = require_64_bit_sums
"""Every primitive is written as rows, or as clauses that are rows."""


class RowModel:
    """A lowered request; `sign` is −1 if the objective is negated. Raises `UnsupportedConstraintError`."""

    def __init__(self, request: Request, sign: int = 1) -> None:
        require(request.puzzle, state)
        self.request = request
        self.sign = sign
        self.linear = lower_to_linear(request.puzzle, request.encoding.presolve)

    @cached_property
    def names(self) -> list[str]:
        """The name of each variable, by its number; there is no variable 0."""
        board = self.request.puzzle.board
        width, names = board.columns, [""]
        for _, cell, digit in self.linear.places():
            place = f"{cell // width + 1}_{cell % width + 1}" if cell < board.grid_count else board.cell_name(cell)
            names.append(f"x_{place}_{digit}" if digit >= 0 else f"x_{place}_m{-digit}")
        # the variables of rules that need their own
        return [*names, *(f"y_{number}" for number in range(1, self.linear.num_vars - len(names) + 2))]

    @cached_property
    def objective(self) -> dict[int, int]:
        """The coefficient of each variable in the objective; extra cells have none."""
        goal = self.request.goal
        weights = () if goal is None else goal.coefficients
        terms = {v: weights[cell] * digit for v, cell, digit in self.linear.places() if cell < len(weights)}
        return {variable: self.sign * coefficient for variable, coefficient in terms.items() if coefficient}

    def metadata(self, format_name: str, literals: Literals | None = None, rule: str = "") -> Metadata:
        """The comments of a file, in which the variables are these literals or follow a rule."""
        digits, puzzle = self.linear.digits, self.request.puzzle
        score = ScoreFormula.of(self.request.goal, digits.known.tolist(), puzzle.board.blank, self.sign)
        notes = {"model": f"0-1 sums, {'textbook' if digits.literals.all() else 'presolved'}"}
        return Metadata(format_name, puzzle, score, digits.known, literals, rule, notes)


def named_rule(board: Board) -> str:
    """The text that explains variables with names."""
    extra = ", x_NAME_DIGIT that of an extra cell" if board.extra else ""
    minus = "; a digit m1 is -1" if board.least < 0 else ""
    return f"x_ROW_COLUMN_DIGIT, counted from 1, is 1 when the cell holds the digit{extra}{minus}"


def read(about: Metadata, model: bytes, output: SolverOutput) -> Reading:
    """The grid in the solution file of an LP or MIP solver.

    Raises `InputError` when there are neither values nor a status, for a value that is not whole, two values of a
    variable, or too many variables.
    """
    values = _Values(about, output)
    status: Status | None = None
    objective: float | None = None
    phrase_follows = False
    lines = output.lines(0)
    for number, line in lines:
        if line.startswith("# Dual"):
            break
        if phrase_follows:
            status, phrase_follows = _status(output, number, line), False
        elif line == "Model status":
            phrase_follows = True
        elif _PLAIN.fullmatch(line):
            return _read_plain(values, model, number, line, lines)
        elif said := _STATUS.fullmatch(line):
            status = _status(output, number, said[1])
        elif said := _CBC.fullmatch(line):
            status, objective = _status(output, number, said[1]), float(said[2])
        elif said := _OBJECTIVE.fullmatch(line):
            objective = float(said[1])
        elif (said := _VALUE.fullmatch(line)) and _NAME.fullmatch(said[1]):
            values.take(number, said[1], float(said[2]))
    return values.reading(status, objective)


def _read_plain(values: _Values, model: bytes, number: int, line: str, lines: Iterator[tuple[int, str]]) -> Reading:
    """GLPK's plain file, from its line `s …` on."""
    output, solution = values.output, _PLAIN_MIP.fullmatch(line)
    if not solution:
        raise output.error(number, shown(line), "s mip, a solution in whole numbers")
    status = _PLAIN_STATUSES[solution[2]]
    if status in (Status.INFEASIBLE, Status.UNKNOWN):
        return Reading(status)
    # in the order of their first use in the file
    names = list(dict.fromkeys(name[0].decode() for name in _NAME_IN_FILE.finditer(_COMMENT.sub(b"", model))))
    if int(solution[1]) != len(names):
        raise output.error(number, counted(int(solution[1]), "column"), f"{len(names)}, as the model has")
    values.most = len(names)
    for number, line in lines:
        if column := _PLAIN_COLUMN.fullmatch(line):
            if not 1 <= int(column[1]) <= len(names):
                raise output.error(number, f"column {column[1]}", f"one of the model's {len(names)}")
            values.take(number, names[int(column[1]) - 1], float(column[2]))
    if len(values.of_name) != len(names):
        found = f"values of {counted(len(values.of_name), 'column')}"
        raise output.error(0, found, f"all {len(names)}; is the file complete?")
    return values.reading(status, float(solution[3]))


def _status(output: SolverOutput, number: int, phrase: str) -> Status:
    words = phrase.lower()
    if "infeasible or unbounded" in words or _STOPPED.search(words):
        return Status.UNKNOWN
    if "infeasible" in words or "empty" in words:
        return Status.INFEASIBLE
    if not re.match(r"(?:integer )?optimal", words):
        raise output.error(number, shown(phrase), "a status that a puzzle can have")
    return Status.OPTIMAL


class _Values:
    """The line and the value of each variable that a solution file lists, at most so many."""

    def __init__(self, about: Metadata, output: SolverOutput) -> None:
        self.about = about
        self.output = output
        self.most = about.puzzle.board.cell_count * about.puzzle.order
        self.of_name: dict[str, tuple[int, int]] = {}

    def take(self, number: int, name: str, value: float) -> None:
        """A line of the file."""
        if not isfinite(value) or abs(value - round(value)) > TOLERANCE:
            raise self.output.error(number, f"{name} = {value}", "a whole number")
        if self.of_name.setdefault(name, (number, round(value)))[1] != round(value):
            raise self.output.error(number, f"a second value for {name}", "one")
        if len(self.of_name) > self.most:
            raise self.output.error(number, f"more than {self.most} variables", "at most those of the model")

    def reading(self, status: Status | None, objective: float | None) -> Reading:
        """The grid of the values, and the objective if it can be compared."""
        if status is None and not self.of_name:
            raise self.output.error(0, "neither a status nor values", "the solution file of an LP or MIP solver")
        if status is None or (status is Status.UNKNOWN and self.of_name):
            status = Status.FEASIBLE
        if status is Status.INFEASIBLE or not self.of_name:
            return Reading(status)
        exact = objective is not None and abs(objective) <= EXACT
        return Reading(status, self._grid(), round(objective) if exact and objective is not None else None)

    def _grid(self) -> Grid:
        board, known = self.about.puzzle.board, self.about.known
        digits = known.tolist()
        for name, (line, value) in self.of_name.items():
            found = _NAME.fullmatch(name)
            if not found:
                # a variable of a rule, which only a file without names lists
                continue
            row, column, extra, minus, number = found.groups()
            digit = -int(number) if minus else int(number)
            cell = board.named(extra or f"r{row}c{column}")
            if cell is None or digit not in board.digits or known[cell] != board.blank:
                raise self.output.error(line, f"variable {name}", "one of the model's")
            if value not in (0, 1):
                raise self.output.error(line, f"{name} = {value}", "0 or 1")
            if value:
                if digits[cell] != board.blank:
                    raise self.output.error(line, f"{name} = 1, a second digit for {board.cell_name(cell)}", "one")
                digits[cell] = digit
        return Grid(tuple(digits), board)
