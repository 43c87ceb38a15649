"""The protocol buffer of OR-tools CP-SAT (ortools/sat/cp_model.proto), as text or binary; CP-SAT's command-line runner
and every language's `SolveCpModel` take it. The binary form has no comments, so the model's name holds them.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from ringdoku.answers.response import read_response
from ringdoku.answers.text import SolverOutput
from ringdoku.domain.objective import Sense
from ringdoku.exports.about import About, about_lines
from ringdoku.exports.base import Reading, Request, encoded
from ringdoku.exports.grids import about_numbers, grid_of_numbers
from ringdoku.exports.stating import require, require_64_bit_sums

_OTHERS = re.compile(r".*, then ([0-9]{1,9}) that rules need")

state = require_64_bit_sums
"""Every primitive is a constraint of CP-SAT, or clauses."""


def write(request: Request, stream: BinaryIO) -> None:
    # 0.3 s to load, so only when it is asked for
    from ortools.sat.python.cp_model import LinearExpr

    from ringdoku.lowering.cpsat import lower_to_cpsat

    goal, board = request.goal, request.puzzle.board
    require("cpsat", request.puzzle.ruleset, state)
    lowered = lower_to_cpsat(request.puzzle)
    model = lowered.model
    if goal is not None:
        cells = lowered.cells[: board.grid_count]
        maximises = goal.objective.sense is Sense.MAXIMISE
        (model.maximize if maximises else model.minimize)(LinearExpr.weighted_sum(cells, goal.coefficients))
    rule = "one for each cell, in reading order"
    if board.extra:
        rule += " and extra cells last"
    if others := len(model.proto.variables) - board.cell_count:
        rule += f", then {others} that rules need"
    lines = list(about_lines(about_numbers("cpsat", request, rule)))
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


def read(about: About, model: bytes, output: SolverOutput) -> Reading:
    """The response protocol buffer, as text."""
    others, cells = _OTHERS.fullmatch(about.rule), about.puzzle.board.cell_count
    # each variable takes some characters in the model
    variables = cells + min(int(others[1]), len(model)) if others else cells
    answer = read_response(output, variables)
    if answer.numbers is None:
        return Reading(answer.status)
    if others and len(answer.numbers) != variables:
        expected = f"{variables}; the output is truncated, or another model's"
        raise output.error(0, f"{len(answer.numbers)} values", expected)
    return Reading(answer.status, grid_of_numbers(about, answer.numbers[:cells], output), answer.objective)
