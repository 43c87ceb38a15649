"""The protocol buffer of OR-tools CP-SAT (ortools/sat/cp_model.proto) as text, which CP-SAT's command-line runner and
the text formats of protocol buffers in every language read. The response (`CpSolverResponse`) as text has
`status: OPTIMAL`, `objective_value: 251`, and `solution:` with a number or a list of them, as often as needed."""

import re
from dataclasses import replace
from typing import BinaryIO

from ringdoku.domain import Status
from ringdoku.exports.answers import NUMBER, Reading, SolverOutput, exact_value, grid_of_numbers
from ringdoku.exports.base import Metadata, Request, encoded, require_64_bit_sums, shown

_STATUSES = ("OPTIMAL", "FEASIBLE", "INFEASIBLE", "UNKNOWN")
_FIELDS = {
    "status": ("status", "|".join(_STATUSES), ", ".join(_STATUSES)),
    "solution": ("a solution", r"-?[0-9]{1,6}|\[[ ]*-?[0-9]{1,6}(?:[ ]*,[ ]*-?[0-9]{1,6})*[ ]*\]", "digits"),
    "objective_value": ("objective value", rf"-?inf|{NUMBER}", "a number"),
}
"""The fields of a response that are read: the name in messages, the pattern, and what messages expect."""

state = require_64_bit_sums
"""Every primitive is a constraint of CP-SAT, or clauses."""


def write(request: Request, stream: BinaryIO) -> None:
    # 0.3 s to load, so only when it is asked for
    from ringdoku.lowering.cpsat import lower_to_cpsat

    puzzle, board, goal = request.puzzle, request.puzzle.board, request.goal
    model = (lower_to_cpsat(puzzle, goal.coefficients, goal.objective.sense) if goal else lower_to_cpsat(puzzle)).model
    metadata = request.metadata("one for each cell, in reading order", " and extra cells last")
    if others := len(model.proto.variables) - board.cell_count:
        variables = f"{metadata.variables}, then {others} that rules need"
        metadata = replace(metadata, num_vars=board.cell_count + others, variables=variables)
    stream.writelines(encoded(metadata.lines("# "), [str(model.proto)]))


def read(metadata: Metadata, output: SolverOutput) -> Reading:
    """The response protocol buffer, as text. Raises `InputError` without a known status, for a solution or an objective
    value that is not a number, and for a solution that does not have a number for each variable."""
    found: dict[str, str] = {}
    for number, line in output.lines():
        key, _, text = (part.strip() for part in line.partition(":"))
        if key in _FIELDS:
            name, pattern, expected = _FIELDS[key]
            if not re.fullmatch(pattern, text):
                raise output.error(number, f"{name} {shown(text)}", expected)
            found[key] = text
            if key == "solution":
                output.keep(number, text.strip("[]"))
    if "status" not in found:
        raise output.error(0, "no `status:`", f"a CpSolverResponse as text: {', '.join(_STATUSES)}, and `solution:`")
    status = Status[found["status"]]
    if status in (Status.INFEASIBLE, Status.UNKNOWN):
        return Reading(status)
    numbers = [int(word) for _, text in output.kept for word in text.split(",")]
    if len(numbers) == metadata.num_vars:
        # the variables that rules need come last
        del numbers[metadata.puzzle.board.cell_count :]
    value = exact_value(float(found.get("objective_value", "inf")))
    return Reading(status, grid_of_numbers(metadata, numbers, output), value)
