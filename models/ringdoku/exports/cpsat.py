"""The protocol buffer of OR-tools CP-SAT (ortools/sat/cp_model.proto), as text or binary; CP-SAT's command-line runner
and every language's `SolveCpModel` take it. The binary form has no comments, so the model's name holds them.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import numpy as np

from ringdoku.answers.text import SolverOutput
from ringdoku.domain.objective import Sense
from ringdoku.domain.result import Status
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded, score_formula
from ringdoku.exports.grids import grid_of_numbers

_STATUS = re.compile(r"^\s*status:\s*([A-Z_]+)", re.MULTILINE)
_SOLUTION = re.compile(r"^\s*solution:\s*(?:([0-9]+)|\[([0-9,\s]*)\])", re.MULTILINE)
_VALUE = re.compile(r"^\s*objective_value:\s*(-?[0-9.e+]+)", re.MULTILINE)
_STATUSES = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "INFEASIBLE": Status.INFEASIBLE,
    "UNKNOWN": Status.UNKNOWN,
}


def write(request: Request, stream: BinaryIO) -> None:
    # 0.3 s to load, so only when it is asked for
    from ortools.sat.python.cp_model import LinearExpr

    from ringdoku.lowering.cpsat import lower_to_cpsat

    puzzle, goal = request.puzzle, request.goal
    lowered = lower_to_cpsat(puzzle)
    model = lowered.model
    if goal is not None:
        maximises = goal.objective.sense is Sense.MAXIMISE
        (model.maximize if maximises else model.minimize)(LinearExpr.weighted_sum(lowered.cells, goal.coefficients))
    known = np.zeros(puzzle.geometry.cell_count, dtype=np.int32)
    rule = "one for each cell, in reading order"
    lines = list(about_lines(About("cpsat", puzzle, score_formula(goal, known.tolist()), known, rule=rule)))
    if not request.binary:
        stream.writelines(encoded(lines, "# "))
        stream.write(f"{model.proto}\n".encode("ascii"))
        return
    # a line of its own for the first comment, whatever bytes stand before it
    model.name = "\n".join(["", *lines, ""])
    with TemporaryDirectory() as folder:
        file = Path(folder, "model.pb")
        model.export_to_file(str(file))
        stream.write(file.read_bytes())


def read(about: About, _model: bytes, output: SolverOutput) -> Reading:
    """The response protocol buffer, as text."""
    status = _STATUS.search(output.text)
    if not status or status[1] not in _STATUSES:
        found = f"status {status[1]}" if status else "no `status:`"
        raise output.error(
            0, found, "a CpSolverResponse as text: OPTIMAL, FEASIBLE, INFEASIBLE or UNKNOWN, and `solution:`"
        )
    words = " ".join(one or many for one, many in _SOLUTION.findall(output.text)).replace(",", " ").split()
    if _STATUSES[status[1]] not in (Status.OPTIMAL, Status.FEASIBLE):
        return Reading(_STATUSES[status[1]])
    value = _VALUE.search(output.text)
    return Reading(
        _STATUSES[status[1]],
        grid_of_numbers(about, list(map(int, words)), output),
        round(float(value[1])) if value and about.score else None,
    )
