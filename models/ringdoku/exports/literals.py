"""Answers over numbered Boolean variables: SAT, MaxSAT and pseudo-Boolean competitions, and MiniSat's result file.

It reads
- `s STATUS`, literals on one or several `v` lines, `o COST`, `c` comments (SAT competition output requirements; MaxSAT
  Evaluation; Pseudo-Boolean Competition, where literals are written `x1 -x2`);
- `v` with one 0 or 1 for each variable (MaxSAT Evaluation since 2020);
- `SAT` or `UNSAT` and then literals, as MiniSat writes to its second file; `SATISFIABLE` alone, as MiniSat prints it.

Where there is an `s` line, it skips all other lines, since many programs print more than the formats allow.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from ringdoku.domain.grid import Grid
from ringdoku.domain.result import Status
from ringdoku.exports.base import FOREIGN, Reading
from ringdoku.exports.metadata import Metadata
from ringdoku.exports.output import SolverOutput, shown

STATUSES = {
    "SATISFIABLE": Status.SATISFIABLE,
    "SAT": Status.SATISFIABLE,
    "OPTIMUM FOUND": Status.OPTIMAL,
    "UNSATISFIABLE": Status.INFEASIBLE,
    "UNSAT": Status.INFEASIBLE,
    "UNKNOWN": Status.UNKNOWN,
    "INDETERMINATE": Status.UNKNOWN,
    "INDET": Status.UNKNOWN,
}
STATUS_NAMES = "SATISFIABLE, OPTIMUM FOUND, UNSATISFIABLE or UNKNOWN"
_LITERALS = re.compile(r"(?:\s*[-~]?x?[0-9]{1,10}(?!\S))*\s*")
_COST = re.compile(r"-?[0-9]{1,30}")


@dataclass(frozen=True)
class LiteralAnswer:
    """`assignment` has the value of each variable that was listed; `cost` is the last one reported.

    `ended`: a 0 closed the literals, or there was one bit for each variable.
    """

    status: Status
    assignment: dict[int, bool] = field(default_factory=dict)
    cost: int | None = None
    ended: bool = False


def read_literals(output: SolverOutput, num_vars: int) -> LiteralAnswer:
    """The answer for a formula over variables 1..num_vars.

    Raises `InputError` for an empty text, no status, an unknown status, two statuses that differ, junk among the
    values, more values than the variables need, a variable out of range, or one that is both true and false.
    """
    said = _Said(output)
    for number, line in output.lines(num_vars):
        said.take(number, line)
    if said.status is None:
        found = said.strange or ("values without a status" if output.kept else "nothing")
        raise output.error(0, found, "the output of a solver, with a line such as `s SATISFIABLE`")
    bits = output.text.replace("\n", "").replace(" ", "")
    if len(bits) == num_vars and not bits.strip("01"):
        return LiteralAnswer(said.status, {var: bit == "1" for var, bit in enumerate(bits, 1)}, said.cost, ended=True)
    return LiteralAnswer(said.status, *_assignment(output, num_vars, said.cost))


@dataclass
class _Said:
    """What the lines so far say. `is_minisat`: the status came without `s`; `strange` is the first line that is none of
    the format."""

    output: SolverOutput
    status: Status | None = None
    cost: int | None = None
    has_new_cost: bool = False
    is_minisat: bool = False
    strange: str = ""

    def take(self, number: int, line: str) -> None:
        head, _, rest = line.partition(" ")
        if line in STATUSES and self.status is None:
            self.status, self.is_minisat = STATUSES[line], True
        elif head == "s":
            self.status = _status(self.output, number, rest.strip(), self.status)
        elif head == "o" and not self.is_minisat:
            if not (reported := _COST.fullmatch(rest.strip())):
                raise self.output.error(number, shown(line), "o and an integer")
            self.cost, self.has_new_cost = int(reported[0]), True
        elif head == "v" and not self.is_minisat:
            # the values after a new cost are those of a better answer
            if self.has_new_cost:
                self.output.drop()
                self.has_new_cost = False
            self.output.keep(number, rest)
        elif self.is_minisat and self.status is Status.SATISFIABLE and _LITERALS.fullmatch(line):
            self.output.keep(number, line)
        elif head not in ("c", "d") and not self.strange:
            self.strange = f"{shown(line)} in line {number}"


def _status(output: SolverOutput, number: int, said: str, before: Status | None) -> Status:
    if said not in STATUSES:
        raise output.error(number, f"status {shown(said)}", STATUS_NAMES)
    if before not in (None, STATUSES[said]):
        raise output.error(number, f"status {shown(said)}", f"{before.value}, as an earlier line says")
    return STATUSES[said]


def _assignment(output: SolverOutput, num_vars: int, cost: int | None) -> tuple[dict[int, bool], int | None, bool]:
    assignment: dict[int, bool] = {}
    ended = False
    for number, line in output.kept:
        if not _LITERALS.fullmatch(line):
            raise output.error(number, shown(line), "literals")
        for lit in map(int, line.replace("x", "").replace("~", "-").split()):
            if ended:
                raise output.error(number, f"{lit} after the closing 0", "no more values")
            var, value = abs(lit), lit > 0
            if not var:
                ended = True
            elif var > num_vars:
                raise output.error(number, f"variable {var}", f"one of the formula's {num_vars}")
            elif assignment.setdefault(var, value) is not value:
                raise output.error(number, f"variable {var} both true and false", "one value")
    return assignment, cost, ended


def read_numbered(about: Metadata, output: SolverOutput, num_vars: int, must_end: bool = False) -> Reading:
    """The reading of an answer to a model whose variables have numbers.

    Raises `InputError` when the assignment leaves out a variable of a candidate, gives a cell two digits, or has no 0
    at its end although it `must_end`.
    """
    answer = read_literals(output, num_vars)
    if not answer.assignment or about.literals is None:
        return Reading(answer.status, None, answer.cost)
    if must_end and answer.status is Status.SATISFIABLE and not answer.ended:
        raise output.error(0, "literals without a closing 0", "all of the formula's; is the output truncated?")
    board = about.puzzle.board
    digits = about.known.tolist()
    cells, columns = np.nonzero(about.literals)
    literals = about.literals[cells, columns].tolist()
    for literal, cell, column in zip(literals, cells.tolist(), columns.tolist(), strict=True):
        value = answer.assignment.get(abs(literal))
        if value is None:
            raise output.error(0, f"an assignment without variable {abs(literal)}", FOREIGN)
        if value == (literal > 0):
            digit = board.least + column
            if digits[cell] != board.blank:
                raise output.error(0, f"{digits[cell]} and {digit} in {board.cell_name(cell)}", FOREIGN)
            digits[cell] = digit
    return Reading(answer.status, Grid(tuple(digits), board), answer.cost)
