"""Models to take away: a puzzle as a file for other people's solvers, and their answers back as grids.

>>> import io
>>> from ringdoku import Puzzle, ring_weights
>>> from ringdoku.exports import decode, export
>>> puzzle = Puzzle.of_rows([[1, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0], [4, 3, 2, 1]])
>>> file = io.BytesIO()
>>> export(puzzle, "opb", file, ring_weights(puzzle.board))
>>> answer = b"s UNSATISFIABLE"  # what a solver wrote
>>> decode(file.getvalue(), answer).result.status.value
'infeasible'

Each format has a file, all are in one registry; `about` describes the comments that every model file has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from ringdoku.answers.text import SolverOutput
from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.exports.registry import EXPORTS, ExportFormat, can_state, find_export

if TYPE_CHECKING:
    # these import numpy, which nobody needs for a list of formats
    from ringdoku.encodings.options import EncodingOptions
    from ringdoku.exports.decoding import Decoded

__all__ = ["EXPORTS", "ExportFormat", "can_state", "decode", "export", "find_export"]


def export(
    puzzle: Puzzle,
    format_name: str,
    stream: BinaryIO,
    objective: Objective | None = None,
    *,
    projected: bool = True,
    encoding: EncodingOptions | None = None,
    legacy: bool = False,
    binary: bool = False,
) -> None:
    """Write the model of `puzzle` in the format of this name of `EXPORTS`.

    `objective` None asks for any solution. It is written as an equal one on fewer cells, unless not `projected`.
    `encoding` None presolves and is otherwise the textbook's. Raises `UsageError` for what the format does not have,
    `UnsupportedRuleError` for a rule that it cannot state, `DimensionError` for an objective of another size.
    """
    from ringdoku.encodings.options import PRESOLVED, TEXTBOOK
    from ringdoku.exports.base import Request
    from ringdoku.exports.goal import Goal

    form = find_export(format_name)
    encoding = encoding or PRESOLVED
    if objective is not None:
        objective.fits(puzzle.board)
    for missing, wanted, has in (
        ("objective", objective is not None, lambda other: other.has_objective),
        ("CNF encoding", encoding not in (PRESOLVED, TEXTBOOK), lambda other: other.takes_encoding),
        ("legacy variant", legacy, lambda other: "legacy" in other.variants),
        ("binary variant", binary, lambda other: "binary" in other.variants),
    ):
        if wanted and not has(form):
            able = ", ".join(other.name for other in EXPORTS.values() if has(other))
            raise UsageError(f"format {form.name} has no {missing}; those that have: {able}")
    form.write(Request(puzzle, Goal.of(puzzle, objective, projected), encoding, legacy, binary), stream)


def decode(
    model: bytes, answer: bytes | BinaryIO, model_name: str = "<model>", answer_name: str = "<answer>"
) -> Decoded:
    """The checked grid of a solver's `answer` to an exported `model`; the names are for messages.

    The `answer` is read line by line, and no more of it is kept than an answer to this model can need.
    Raises `InputError` when `model` was not exported by this library, or when `answer` is truncated, belongs to
    another model, or is no output of a solver.
    """
    from ringdoku.exports import decoding

    return decoding.decode(model, SolverOutput(answer, answer_name), model_name)
