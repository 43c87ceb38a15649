"""What SMT solvers print for `(check-sat)` and `(get-value …)` (SMT-LIB 2.6): `sat` and `((name value) …)`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ringdoku.answers.text import Kept, SolverOutput, room_for, shown
from ringdoku.domain.result import Status

_STATUSES = {"sat": Status.SATISFIABLE, "unsat": Status.INFEASIBLE, "unknown": Status.UNKNOWN}
_VALUE = re.compile(r"\(\s*([A-Za-z_][A-Za-z0-9_]*)\s+(?:(-?[0-9]{1,10})|\(\s*-\s+([0-9]{1,10})\s*\))\s*\)")

WIDTH = 60
"""A value takes at most so many characters: `(digit_NAME (- 100))`, perhaps on an indented line."""


@dataclass(frozen=True)
class SmtAnswer:
    """The status, and the values, integers, by name."""

    status: Status
    values: dict[str, int] = field(default_factory=dict)


def read_smtlib(output: SolverOutput, values: int) -> SmtAnswer:
    """The answer with so many values.

    Raises `InputError` without a status and for a text that is too long. An error that the solver reports after `unsat`
    only says that there is no model.
    """
    room = room_for(values, WIDTH)
    status: Status | None = None
    printed = Kept(output, room)
    for number, line in output.lines(room):
        if status is not None:
            printed.add(number, line)
        elif line in _STATUSES:
            status = _STATUSES[line]
        elif line.startswith("(error"):
            raise output.error(number, shown(line), "sat, unsat or unknown")
    if status is None:
        raise output.error(0, "no status", "sat, unsat or unknown, as SMT solvers print it")
    found = _VALUE.findall(printed.text)
    return SmtAnswer(status, {name: int(value or f"-{below}") for name, value, below in found})
