"""The response of OR-tools CP-SAT as text (`CpSolverResponse` of ortools/sat/cp_model.proto): `status: OPTIMAL`,
`objective_value: 251`, and `solution:` with a number or a bracketed list of them, as often as needed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from ringdoku.answers.text import SolverOutput, room_for, shown
from ringdoku.answers.values import NUMBER
from ringdoku.domain.result import Status

_STATUSES = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "INFEASIBLE": Status.INFEASIBLE,
    "UNKNOWN": Status.UNKNOWN,
}
_SOLUTION = re.compile(r"-?[0-9]{1,6}|\[\s*-?[0-9]{1,6}(?:\s*,\s*-?[0-9]{1,6})*\s*\]", re.ASCII)
EXACT = 2**53
"""Objective values are doubles, which hold every whole number up to here; larger ones cannot be compared."""
WIDTH = 10
"""A number in a bracketed list takes at most so many characters."""


@dataclass(frozen=True)
class Response:
    """`numbers` are the values of the model's variables, in its order; None where the status has none."""

    status: Status
    numbers: Sequence[int] | None = None
    objective: int | None = None


def read_response(output: SolverOutput, variables: int) -> Response:
    """The answer to a model with so many variables.

    Raises `InputError` without a known status, for a solution or an objective value that is not a number, and for a
    solution with more numbers than there are variables.
    """
    status: Status | None = None
    numbers: list[int] = []
    reported: tuple[int, str] | None = None
    for line_number, line in output.lines(room_for(variables, WIDTH)):
        key, _, text = (part.strip() for part in line.partition(":"))
        if key == "status":
            if text not in _STATUSES:
                raise output.error(line_number, f"status {shown(text)}", ", ".join(_STATUSES))
            status = _STATUSES[text]
        elif key == "solution":
            if not _SOLUTION.fullmatch(text):
                raise output.error(line_number, f"a solution {shown(text)}", "digits")
            numbers.extend(map(int, text.strip("[]").split(",")))
            if len(numbers) > variables:
                raise output.error(line_number, f"more than {variables} numbers", "one for each variable")
        elif key == "objective_value":
            reported = line_number, text
    if status is None:
        raise output.error(0, "no `status:`", f"a CpSolverResponse as text: {', '.join(_STATUSES)}, and `solution:`")
    if status not in (Status.OPTIMAL, Status.FEASIBLE):
        return Response(status)
    return Response(status, numbers, _objective(output, *reported) if reported else None)


def _objective(output: SolverOutput, line_number: int, text: str) -> int | None:
    if not re.fullmatch(NUMBER, text) or not isfinite(value := float(text)):
        raise output.error(line_number, f"objective value {shown(text)}", "a finite number")
    return round(value) if abs(value) <= EXACT else None
