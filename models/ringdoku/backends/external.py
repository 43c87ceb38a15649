"""SAT solvers that are programs: `cmd:kissat -q` writes DIMACS to a file, runs the program, reads what it answers.

The file's name becomes the last argument, or takes the place of `{cnf}`. The answer is read from standard output, or
from a second file that the program writes where the command has `{out}`: `cmd:minisat {cnf} {out}`.
"""

from __future__ import annotations

import shlex
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ringdoku.answers.literals import LiteralAnswer, read_literals
from ringdoku.answers.text import SolverOutput
from ringdoku.backends.base import Deadline, Run
from ringdoku.backends.programs import Finished, run_program
from ringdoku.cnf import Cnf
from ringdoku.cnf.dimacs import write_dimacs
from ringdoku.cnf.evaluate import violated_clause
from ringdoku.domain.errors import BackendError, InputError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.encodings.options import PRESOLVED, EncodingOptions
from ringdoku.lowering.cnf import PuzzleCnf
from ringdoku.lowering.nonempty import lower_to_nonempty_cnf

_CODES = {10: Status.SATISFIABLE, 20: Status.INFEASIBLE}
"""What an exit code says by the custom of the SAT competitions; others say nothing."""


class External:
    """The program of a command line. Raises `UsageError` for one that is empty, `BackendError` when it is missing."""

    def __init__(self, command: str, encoding: EncodingOptions = PRESOLVED) -> None:
        self.command = command
        self.encoding = encoding
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"the command {command!r} cannot be understood: {error}") from None
        if not self._words:
            raise UsageError("cmd: is followed by a command, for example cmd:kissat -q")
        if shutil.which(self._words[0]) is None:
            raise BackendError(f"there is no program {self._words[0]!r}; is it installed, and on the PATH?")
        if not any("{cnf}" in word for word in self._words):
            self._words.append("{cnf}")

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        start = time.perf_counter()
        formula = lower_to_nonempty_cnf(puzzle, self.encoding)
        statistics = {
            "build_seconds": time.perf_counter() - start,
            "variables": formula.cnf.num_vars,
            "clauses": formula.cnf.num_clauses,
        }
        answer = self._ask(formula.cnf, run.deadline)
        grid = formula.decode(_true_literals(answer)) if answer.status is Status.SATISFIABLE else None
        return Result(answer.status, grid, statistics=statistics)

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        formula = lower_to_nonempty_cnf(puzzle, self.encoding)
        cnf = formula.cnf
        while (answer := self._ask(cnf, run.deadline)).status is Status.SATISFIABLE:
            grid = formula.decode(_true_literals(answer))
            yield grid
            another = [*(formula.digits.clause_against(grid) or ()), 0]
            cnf = replace(cnf, literals=np.concatenate((cnf.literals, np.array(another, dtype=np.int32))))
        if answer.status is Status.UNKNOWN:
            raise TimeLimitError

    def _ask(self, cnf: Cnf, deadline: Deadline) -> LiteralAnswer:
        with TemporaryDirectory(prefix="ringdoku-") as name:
            folder = Path(name)
            problem, answer = folder / "problem.cnf", folder / "answer"
            with problem.open("wb") as stream:
                write_dimacs(cnf, stream)
            arguments = [word.replace("{cnf}", str(problem)).replace("{out}", str(answer)) for word in self._words]
            finished = run_program(arguments, folder, deadline)
            if finished is None:
                return LiteralAnswer(Status.UNKNOWN)
            return self._understood(cnf, finished, answer.read_bytes() if answer.exists() else b"")

    def _understood(self, cnf: Cnf, finished: Finished, written: bytes) -> LiteralAnswer:
        """The answer, checked against the exit code and the formula."""
        if finished.code < 0:
            raise BackendError(f"{self.command} crashed ({finished.ending})")
        try:
            answer = read_literals(SolverOutput.of_bytes(written or finished.stdout, "its output"), cnf.num_vars)
        except InputError as error:
            raise BackendError(f"{self.command} ended with {finished.ending}; {error}") from None
        if _CODES.get(finished.code, answer.status) is not answer.status:
            raise BackendError(f"{self.command} said {answer.status.value}, but ended with {finished.ending}")
        if answer.status is Status.SATISFIABLE:
            if not answer.assignment and cnf.num_vars:
                raise BackendError(
                    f"{self.command} said satisfiable without an assignment; a program that writes it to a second file "
                    "is run as in 'cmd:minisat {cnf} {out}'"
                )
            if clause := violated_clause(cnf, answer.assignment):
                raise BackendError(
                    f"{self.command} gave a wrong assignment: clause {clause} of the formula is not true"
                )
        return answer


def _true_literals(answer: LiteralAnswer) -> list[int]:
    return [var if value else -var for var, value in answer.assignment.items()]


def _without(cnf: Cnf, formula: PuzzleCnf, grid: Grid) -> Cnf:
    """`cnf` with a clause more: another solution differs in a cell that is not known."""
    digits = np.array(grid.digits)
    cells = np.flatnonzero(formula.digits.known == 0)
    clause = [*(-formula.digits.literals[cells, digits[cells] - 1]), 0]
    return replace(cnf, literals=np.concatenate((cnf.literals, np.array(clause, dtype=np.int32))))
