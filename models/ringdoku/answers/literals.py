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

from ringdoku.answers.text import Kept, SolverOutput, room_for, shown
from ringdoku.domain.result import Status

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
    room = room_for(num_vars, len(str(num_vars)) + 8)
    values = Kept(output, room)
    status: Status | None = None
    cost: int | None = None
    new_values = False
    minisat = False
    strange = ""
    for number, line in output.lines(room):
        head, _, rest = line.partition(" ")
        if line in STATUSES and status is None:
            status, minisat = STATUSES[line], True
        elif head == "s":
            said = _status(output, number, rest.strip())
            if status is not None and said is not status:
                raise output.error(number, f"status {shown(rest.strip())}", f"{status.value}, as an earlier line says")
            status = said
        elif head == "o" and not minisat:
            if not (reported := _COST.fullmatch(rest.strip())):
                raise output.error(number, shown(line), "o and an integer")
            cost, new_values = int(reported[0]), True
        elif head == "v" and not minisat:
            # the values after a new cost are those of a better answer
            if new_values:
                values.clear()
                new_values = False
            values.add(number, rest)
        elif minisat and status is Status.SATISFIABLE and _LITERALS.fullmatch(line):
            values.add(number, line)
        elif head not in ("c", "d"):
            strange = strange or f"{shown(line)} in line {number}"
    if status is None:
        found = strange or ("values without a status" if values.lines else "nothing")
        raise output.error(0, found, "the output of a solver, with a line such as `s SATISFIABLE`")
    bits = "".join(rest for _, rest in values.lines).replace(" ", "")
    if len(bits) == num_vars and not bits.strip("01"):
        return LiteralAnswer(status, {var: bit == "1" for var, bit in enumerate(bits, 1)}, cost, ended=True)
    return _of_literals(output, status, values.lines, cost, num_vars)


def _status(output: SolverOutput, number: int, said: str) -> Status:
    if said not in STATUSES:
        raise output.error(number, f"status {shown(said)}", "SATISFIABLE, OPTIMUM FOUND, UNSATISFIABLE or UNKNOWN")
    return STATUSES[said]


def _of_literals(
    output: SolverOutput, status: Status, values: list[tuple[int, str]], cost: int | None, num_vars: int
) -> LiteralAnswer:
    assignment: dict[int, bool] = {}
    ended = False
    for number, line in values:
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
    return LiteralAnswer(status, assignment, cost, ended)
