"""Solution files of LP and MIP solvers: HiGHS, SCIP, CBC, Gurobi, and both of GLPK's.

Each has a line for each variable, `name value`, with a number before it or remarks after it; variables that are 0 may
be left out. A line of another kind says how the search ended; Gurobi writes none.

GLPK's plain file, which `glpsol --write` makes (GLPK reference manual, glp_write_mip), has no names. It has the line
`s mip ROWS COLUMNS STATUS OBJECTIVE`, then `j NUMBER VALUE` for each column, numbered by its first place in the model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite

from ringdoku.answers.text import TALK, SolverOutput, shown
from ringdoku.domain.numbers import counted
from ringdoku.domain.result import Status

_PLAIN_STATUSES = {"o": Status.OPTIMAL, "f": Status.FEASIBLE, "n": Status.INFEASIBLE, "u": Status.UNKNOWN}
NUMBER = r"(-?[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?)"
_VALUE = re.compile(rf"(?:[0-9]+\s+)?([A-Za-z]\w*)\s+(?:\*\s+)?{NUMBER}(?:\s.*)?", re.ASCII)
_STATUS = re.compile(r"(?:solution status|Model status|Status):\s*(.+)")
_CBC = re.compile(rf"([A-Z][a-z ]+) - objective value {NUMBER}.*")
_OBJECTIVE = re.compile(rf"(?:# )?Objective(?: value)?\s*(?:[:=]\s*)?(?:[a-z]+ = )?{NUMBER}(?:\s.*)?", re.IGNORECASE)
_PLAIN = re.compile(r"s (?:bas|ipt|mip) .*")
_PLAIN_MIP = re.compile(rf"s mip [0-9]{{1,9}} ([0-9]{{1,9}}) ([{''.join(_PLAIN_STATUSES)}]) {NUMBER}")
_PLAIN_COLUMN = re.compile(rf"j ([0-9]{{1,9}}) {NUMBER}")
_STOPPED = re.compile(r"limit|stopped|interrupt|reached|undefined|unknown|not set|non-optimal|\bfeasible")
TOLERANCE = 1e-4
"""How far from a whole number a value may lie; solvers stop within 1e-5 or less by default."""
EXACT = 1e9
"""Objective values are printed with ten digits or more, so those up to here can be compared."""


@dataclass(frozen=True)
class ValueAnswer:
    """`values` has the line and the value of each variable that is listed."""

    status: Status
    values: dict[str, tuple[int, int]] = field(default_factory=dict)
    objective: int | None = None


def read_values(
    output: SolverOutput, names: re.Pattern[str], most: int, columns: Callable[[], Sequence[str]] = list
) -> ValueAnswer:
    """The values of variables with these `names`; the model has at most so many. Other lines of values are skipped.

    `columns` gives the names of the model's variables in order, for a file without names.

    Raises `InputError` when there are neither values nor a status, for a value that is not whole, two values of a
    variable, or too many variables.
    """
    values: dict[str, tuple[int, int]] = {}
    status: Status | None = None
    objective: float | None = None
    phrase_follows = False
    lines = output.lines(TALK)
    for number, line in lines:
        if line.startswith("# Dual"):
            break
        if phrase_follows:
            status, phrase_follows = _status(output, number, line), False
        elif line == "Model status":
            phrase_follows = True
        elif _PLAIN.fullmatch(line):
            return _plain(output, number, line, lines, columns)
        elif said := _STATUS.fullmatch(line):
            status = _status(output, number, said[1])
        elif said := _CBC.fullmatch(line):
            status, objective = _status(output, number, said[1]), float(said[2])
        elif said := _OBJECTIVE.fullmatch(line):
            objective = float(said[1])
        elif (said := _VALUE.fullmatch(line)) and names.fullmatch(said[1]):
            _take(output, number, said[1], float(said[2]), values)
            if len(values) > most:
                raise output.error(number, f"more than {most} variables", "at most those of the model")
    if status is None and not values:
        raise output.error(0, "neither a status nor values", "the solution file of an LP or MIP solver")
    if status is None or (status is Status.UNKNOWN and values):
        status = Status.FEASIBLE
    if status is Status.INFEASIBLE:
        return ValueAnswer(status)
    return ValueAnswer(status, values, None if objective is None or abs(objective) > EXACT else round(objective))


def _plain(
    output: SolverOutput,
    number: int,
    line: str,
    lines: Iterator[tuple[int, str]],
    columns: Callable[[], Sequence[str]],
) -> ValueAnswer:
    """GLPK's plain file, from its line `s …` on."""
    solution = _PLAIN_MIP.fullmatch(line)
    if not solution:
        raise output.error(number, shown(line), "s mip, a solution in whole numbers")
    status, objective = _PLAIN_STATUSES[solution[2]], float(solution[3])
    if status in (Status.INFEASIBLE, Status.UNKNOWN):
        return ValueAnswer(status)
    names = columns()
    if int(solution[1]) != len(names):
        raise output.error(number, counted(int(solution[1]), "column"), f"{len(names)}, as the model has")
    values: dict[str, tuple[int, int]] = {}
    for number, line in lines:
        if column := _PLAIN_COLUMN.fullmatch(line):
            if not 1 <= int(column[1]) <= len(names):
                raise output.error(number, f"column {column[1]}", f"one of the model's {len(names)}")
            _take(output, number, names[int(column[1]) - 1], float(column[2]), values)
    if len(values) != len(names):
        found = f"values of {counted(len(values), 'column')}"
        raise output.error(0, found, f"all {len(names)}; is the file complete?")
    return ValueAnswer(status, values, round(objective) if abs(objective) <= EXACT else None)


def _status(output: SolverOutput, number: int, phrase: str) -> Status:
    words = phrase.lower()
    if "infeasible or unbounded" in words or _STOPPED.search(words):
        return Status.UNKNOWN
    if "infeasible" in words or "empty" in words:
        return Status.INFEASIBLE
    if not re.match(r"(?:integer )?optimal", words):
        raise output.error(number, shown(phrase), "a status that a puzzle can have")
    return Status.OPTIMAL


def _take(output: SolverOutput, number: int, name: str, value: float, values: dict[str, tuple[int, int]]) -> None:
    if not isfinite(value) or abs(value - round(value)) > TOLERANCE:
        raise output.error(number, f"{name} = {value}", "a whole number")
    whole = round(value)
    if values.setdefault(name, (number, whole))[1] != whole:
        raise output.error(number, f"a second value for {name}", "one")
