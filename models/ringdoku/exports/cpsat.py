"""The protocol buffer of OR-tools CP-SAT (ortools/sat/cp_model.proto), as text or binary; CP-SAT's command-line runner
and every language's `SolveCpModel` take it. The binary form has no comments, so the model's name holds them.

The response (`CpSolverResponse`) as text has `status: OPTIMAL`, `objective_value: 251`, and `solution:` with a number
or a bracketed list of them, as often as needed.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from ringdoku.domain.result import Status
from ringdoku.exports.answers import NUMBER, Reading, SolverOutput, comparable, grid_of_numbers, shown
from ringdoku.exports.base import Request, encoded, require_64_bit_sums
from ringdoku.exports.metadata import Metadata, metadata_of_numbers

_STATUSES = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "INFEASIBLE": Status.INFEASIBLE,
    "UNKNOWN": Status.UNKNOWN,
}
_SOLUTION = re.compile(r"-?[0-9]{1,6}|\[\s*-?[0-9]{1,6}(?:\s*,\s*-?[0-9]{1,6})*\s*\]", re.ASCII)
_OTHERS = re.compile(r".*, then ([0-9]{1,9}) that rules need")

state = require_64_bit_sums
"""Every primitive is a constraint of CP-SAT, or clauses."""


def write(request: Request, stream: BinaryIO) -> None:
    # 0.3 s to load, so only when it is asked for
    from ortools.sat.python.cp_model import LinearExpr

    from ringdoku.lowering.cpsat import lower_to_cpsat, optimise

    goal, board = request.goal, request.puzzle.board
    lowered = lower_to_cpsat(request.puzzle)
    model = lowered.model
    if goal is not None:
        cells = lowered.cells[: board.grid_count]
        optimise(model, LinearExpr.weighted_sum(cells, goal.coefficients), goal.objective.sense)
    rule = "one for each cell, in reading order"
    if board.extra:
        rule += " and extra cells last"
    if others := len(model.proto.variables) - board.cell_count:
        rule += f", then {others} that rules need"
    lines = metadata_of_numbers(request, rule).lines()
    if not request.binary:
        stream.writelines(encoded(lines, "# "))
        stream.write(f"{model.proto}\n".encode("ascii"))
        return
    # the first comment needs a line of its own after whatever bytes come before
    model.name = "\n".join(["", *lines, ""])
    with TemporaryDirectory() as folder:
        file = Path(folder, "model.pb")
        model.export_to_file(str(file))
        stream.write(file.read_bytes())


def read(about: Metadata, _model: bytes, output: SolverOutput) -> Reading:
    """The response protocol buffer, as text.

    Raises `InputError` without a known status, for a solution or an objective value that is not a number, and for a
    solution with another count of numbers than the model has variables.
    """
    status: Status | None = None
    value: float | None = None
    for number, line in output.lines():
        key, _, text = (part.strip() for part in line.partition(":"))
        if key == "status":
            if text not in _STATUSES:
                raise output.error(number, f"status {shown(text)}", ", ".join(_STATUSES))
            status = _STATUSES[text]
        elif key == "solution":
            if not _SOLUTION.fullmatch(text):
                raise output.error(number, f"a solution {shown(text)}", "digits")
            output.keep(number, text.strip("[]"))
        elif key == "objective_value" and text not in ("inf", "-inf"):
            if not re.fullmatch(NUMBER, text):
                raise output.error(number, f"objective value {shown(text)}", "a number")
            value = float(text)
    if status is None:
        raise output.error(0, "no `status:`", f"a CpSolverResponse as text: {', '.join(_STATUSES)}, and `solution:`")
    if status in (Status.INFEASIBLE, Status.UNKNOWN):
        return Reading(status)
    numbers = [int(word) for _, text in output.kept for word in text.split(",")]
    if (others := _OTHERS.fullmatch(about.rule)) and len(numbers) == about.puzzle.board.cell_count + int(others[1]):
        del numbers[about.puzzle.board.cell_count :]
    return Reading(status, grid_of_numbers(about, numbers, output), comparable(value))
