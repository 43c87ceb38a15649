"""The protocol buffer of OR-tools CP-SAT (ortools/sat/cp_model.proto), as text or binary; CP-SAT's command-line runner
and every language's `SolveCpModel` take it. The binary form has no comments, so the model's name holds them.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from ringdoku.answers.response import read_response
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.objective import Sense
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded
from ringdoku.exports.grids import about_numbers, grid_of_numbers


def write(request: Request, stream: BinaryIO) -> None:
    # 0.3 s to load, so only when it is asked for
    from ortools.sat.python.cp_model import LinearExpr

    from ringdoku.lowering.cpsat import lower_to_cpsat

    goal = request.goal
    lowered = lower_to_cpsat(request.puzzle)
    model = lowered.model
    if goal is not None:
        maximises = goal.objective.sense is Sense.MAXIMISE
        (model.maximize if maximises else model.minimize)(LinearExpr.weighted_sum(lowered.cells, goal.coefficients))
    lines = list(about_lines(about_numbers("cpsat", request, "one for each cell, in reading order")))
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
    answer = read_response(output, about.puzzle.board.cell_count)
    grid = grid_of_numbers(about, answer.numbers, output) if answer.numbers is not None else None
    return Reading(answer.status, grid, answer.objective)
