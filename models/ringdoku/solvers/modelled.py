"""Solvers of any kind that are programs: `cmd:minizinc --solver gecode {mzn}` names the file of the model by its
format, one of `exports.EXPORTS`. `{out}` is a file for the answer, if the program does not print it. Grids and scores
are checked; that there is no solution, or no better one, is the program's word.
"""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from ringdoku.constraints.digits import AllowedDigits
from ringdoku.constraints.logic import Either
from ringdoku.domain import BackendError, Grid, Objective, Puzzle, Result, Status, TimeLimitError
from ringdoku.exports import decode, export
from ringdoku.solvers.external import Program
from ringdoku.solvers.registry import Phase, Run


class Modelled(Program):
    """A program for models of a format."""

    def __init__(self, command: str, form: str) -> None:
        super().__init__(command)
        self._form = form

    def optimise(self, puzzle: Puzzle, objective: Objective | None, run: Run) -> Result:
        """As a backend does, or any solution without an objective."""
        run.effort.enter(Phase.BUILD)
        run.effort.facts["live"] = 0
        stream = BytesIO()
        export(_without(puzzle, run.excluding), self._form, stream, objective)
        model = stream.getvalue()

        def read(output: BinaryIO, name: str) -> Result:
            return decode(model, output, answer_name=name).result

        run.effort.enter(Phase.LOAD)
        with TemporaryDirectory(prefix="ringdoku-") as name:
            # programs know XCSP3 by this ending
            file = Path(name, f"problem.{ {'xcsp3': 'xml'}.get(self._form, self._form) }")
            file.write_bytes(model)
            try:
                files = {f"{{{self._form}}}": file, "{out}": Path(name, "answer")}
                code, found, ending = self.run(files, read, run)
            except TimeLimitError:
                return Result(Status.UNKNOWN)
        if code and found.status is Status.UNKNOWN:
            raise BackendError(f"{self.command} {ending}")
        return found

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        while (result := self.optimise(puzzle, None, run)).grid:
            yield result.grid
            run = replace(run, excluding=(*run.excluding, result.grid))
        if result.status is Status.UNKNOWN:
            raise TimeLimitError


def _without(puzzle: Puzzle, excluded: tuple[Grid, ...]) -> Puzzle:
    """The puzzle without these of its solutions: one of its open cells holds another digit."""
    digits, rules = puzzle.board.digits, []
    for grid in excluded:
        others = {cell: tuple(each for each in digits if each != grid.digits[cell]) for cell in puzzle.clues.open}
        rules.append(Either(tuple((AllowedDigits(left, (cell,)),) for cell, left in others.items())))
    return Puzzle(puzzle.ruleset.extended(*rules), puzzle.clues)
