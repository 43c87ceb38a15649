"""Export a puzzle as a model file for other solvers, and decode their answers to grids.

>>> import io
>>> from ringdoku import Puzzle, ring_weights
>>> from ringdoku.exports import decode, export
>>> puzzle = Puzzle.of_rows([[1, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0], [4, 3, 2, 1]])
>>> file = io.BytesIO()
>>> export(puzzle, "opb", file, ring_weights(puzzle.board))
>>> answer = b"s UNSATISFIABLE"  # what a solver wrote
>>> decode(file.getvalue(), answer).result.status.value
'infeasible'

Each format has a module, and one registry lists them. `about` describes the comments of every model file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from ringdoku.answers.text import SolverOutput
from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.exports.registry import EXPORTS, ExportFormat, can_state, find_export

if TYPE_CHECKING:
    # these import numpy, which a list of formats does not need
    from ringdoku.exports.decoding import Decoded
    from ringdoku.sat.options import EncodingOptions

__all__ = ["EXPORTS", "ExportFormat", "can_state", "decode", "export", "find_export"]


def export(
    puzzle: Puzzle,
    format_name: str,
    stream: BinaryIO,
    objective: Objective | None = None,
    *,
    projected: bool = True,
    encoding: EncodingOptions | None = None,
    binary: bool = False,
) -> None:
    """Write the model of `puzzle` in the format of this name of `EXPORTS`.

    `objective` None asks for any solution. If `projected`, an equal objective on fewer cells is written. `encoding`
    None is the textbook's encoding with presolve. Raises `UsageError` for an option that the format does not have,
    `UnsupportedRuleError` for a rule that it cannot state, `DimensionError` for an objective of another size.
    """
    from ringdoku.exports.base import Request
    from ringdoku.exports.goal import Goal
    from ringdoku.sat.options import PRESOLVED, TEXTBOOK

    form = find_export(format_name)
    encoding = encoding or PRESOLVED
    if objective is not None:
        objective.fits(puzzle.board)
    needs: tuple[tuple[str, bool, Callable[[ExportFormat], bool]], ...] = (
        ("objective", objective is not None, lambda other: other.has_objective),
        ("CNF encoding", encoding not in (PRESOLVED, TEXTBOOK), lambda other: other.takes_encoding),
        ("binary variant", binary, lambda other: other.has_binary),
    )
    for missing, wanted, has in needs:
        if wanted and not has(form):
            able = ", ".join(other.name for other in EXPORTS.values() if has(other))
            raise UsageError(f"format {form.name} has no {missing}; those that have: {able}")
    form.write(Request(puzzle, Goal.of(puzzle, objective, projected), encoding, binary), stream)


def decode(
    model: bytes, answer: bytes | BinaryIO, model_name: str = "<model>", answer_name: str = "<answer>"
) -> Decoded:
    """The checked grid of a solver's `answer` to an exported `model`; the names appear in messages.

    The `answer` is read line by line, and only as much of it as an answer to this model can need is kept. Raises
    `InputError` when `model` was not exported by this library, or when `answer` is truncated, belongs to another model,
    or is not the output of a solver.
    """
    from ringdoku.exports import decoding

    return decoding.decode(model, SolverOutput(answer, answer_name), model_name)
