"""From an exported file and a solver's answer back to a checked grid."""

from __future__ import annotations

from dataclasses import dataclass

from ringdoku.answers.text import SolverOutput
from ringdoku.domain.checker import check
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.exports.about import About
from ringdoku.exports.about_reader import read_about
from ringdoku.exports.base import FOREIGN, Reading
from ringdoku.exports.registry import EXPORTS


@dataclass(frozen=True)
class Decoded:
    """The puzzle and objective of the model, and the answer as a result of `solve` or `maximise`.

    The grid and the score are checked. For "infeasible" and "optimal" there is only the solver's word.
    """

    puzzle: Puzzle
    objective: Objective | None
    result: Result


def decode(model: bytes, output: SolverOutput, model_name: str = "<model>") -> Decoded:
    """The answer that a solver's `output` gives to the exported `model`.

    Raises `InputError` when `model` was not exported by this library, or when `output` is truncated, belongs to another
    model, is not the output of a solver, or has a grid that breaks a rule or an objective value that does not match the
    grid.
    """
    about = read_about(model.removeprefix(b"\xef\xbb\xbf"), model_name)
    if about.format_name not in EXPORTS:
        raise InputError(Place(model_name), f"a model of format {about.format_name!r}", f"one of {', '.join(EXPORTS)}")
    reading = EXPORTS[about.format_name].read(about, model, output)
    return Decoded(about.puzzle, about.score.objective if about.score else None, _result(about, reading, output))


def _result(about: About, reading: Reading, output: SolverOutput) -> Result:
    if reading.status is Status.INFEASIBLE or (reading.status is Status.UNKNOWN and reading.grid is None):
        return Result(reading.status)
    grid = reading.grid
    if grid is None:
        raise output.error(0, f"status {reading.status.value} without an assignment", FOREIGN)
    if violations := check(about.puzzle, grid):
        raise output.error(0, f"no solution ({violations[0]})", FOREIGN)
    if about.score is None:
        return Result(Status.SATISFIABLE, grid)
    score = about.score.objective.score(grid)
    if reading.value is not None and not about.score.gives(reading.value, score):
        raise output.error(0, f"objective value {reading.value} with a grid that scores {score}", FOREIGN)
    if reading.status is Status.OPTIMAL:
        return Result(Status.OPTIMAL, grid, score, bound=score)
    return Result(Status.FEASIBLE, grid, score)
