"""What SMT solvers print for `(check-sat)` and `(get-value …)` (SMT-LIB 2.6): `sat` and `((name value) …)`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ringdoku.answers.text import SolverOutput, shown
from ringdoku.domain.result import Status

_STATUSES = {"sat": Status.SATISFIABLE, "unsat": Status.INFEASIBLE, "unknown": Status.UNKNOWN}
_VALUE = re.compile(r"\(\s*([A-Za-z_][A-Za-z0-9_]*)\s+([0-9]{1,10})\s*\)")


@dataclass(frozen=True)
class SmtAnswer:
    """The status, and the non-negative integer values by name."""

    status: Status
    values: dict[str, int] = field(default_factory=dict)


def read_smtlib(output: SolverOutput) -> SmtAnswer:
    """Raises `InputError` without a status; an error of the solver's after `unsat` only says that there is no model."""
    for number, line in output.lines():
        if line in _STATUSES:
            values = {name: int(value) for name, value in _VALUE.findall(output.text)}
            return SmtAnswer(_STATUSES[line], values)
        if line.startswith("(error"):
            raise output.error(number, shown(line), "sat, unsat or unknown")
    raise output.error(0, "no status", "sat, unsat or unknown, as SMT solvers print it")
