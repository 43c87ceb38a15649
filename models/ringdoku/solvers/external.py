"""Solvers that are programs: `cmd:kissat -q` writes a model to a file, runs the program and reads its answer.

In the command line `{cnf}` is the file with the formula; without it the file is the last argument. Solvers of other
kinds name the file by its format, one of `exports.EXPORTS`: `cmd:minizinc --solver gecode {mzn}`. `{out}` is a file for
the answer, if the program does not print it (`cmd:minisat {cnf} {out}`), and `{proof}` one for the proof of a SAT
solver, in a format of `solvers.drat` (`cmd:cadical -q {cnf} {proof}`). Grids, scores and proofs are checked; without a
proof there is only the program's word that there is no solution, or no better one.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, TypeVar, cast

import numpy as np

from ringdoku.constraints.digits import AllowedDigits
from ringdoku.constraints.logic import Either
from ringdoku.domain import Grid, Objective, Puzzle, Result, Status
from ringdoku.domain.checker import check
from ringdoku.domain.errors import BackendError, InputError, TimeLimitError, UsageError, WrongAnswerError, refuse
from ringdoku.exports import decode, export
from ringdoku.exports.answers import FOREIGN, LiteralAnswer, SolverOutput, read_literals
from ringdoku.limits import PORTION, Deadline, parent_death_hook, run_in_thread
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.formula import Cnf, write_dimacs
from ringdoku.sat.options import PRESOLVED, EncodingOptions
from ringdoku.solvers.drat import drat_steps, faults_of_proof
from ringdoku.solvers.registry import PROOF_FILE, Backend, Phase, Run

_STATUS_OF_CODE = {10: Status.SATISFIABLE, 20: Status.INFEASIBLE}
"""The meaning of exit codes in the SAT competitions; other codes mean nothing."""

_COUNT = re.compile(
    rb"(?:c |%%%mzn-stat: |[ (]*:|Enumerated )? *(conflicts|decisions|propagations|failures|choices|nodes) *[:= ] *"
    rb"([0-9]{1,15})\b",
    re.IGNORECASE,
)
_COUNTERS = {"failures": "conflicts", "choices": "decisions", "nodes": "decisions"}
"""Our names for what other programs than SAT solvers count."""


Found = TypeVar("Found")


class Program(Backend):
    """The program of a command line, in which files have names in braces. Raises `UsageError` if the line is empty,
    `BackendError` if the program is missing."""

    def __init__(self, command: str) -> None:
        self.command, self.words = command, words_of(command)

    def mentions(self, file: str) -> bool:
        """Whether a file such as `{out}` is in the command line."""
        return any(file in word for word in self.words)

    def run(
        self, files: Mapping[str, Path], read: Callable[[BinaryIO, str], Found], run: Run
    ) -> tuple[int | None, Found, str]:
        """Run the program with these files, among them `{out}`. Returns its exit code as `run_program` has it, what
        `read` makes of `{out}` or else of its output, and how it ended, in words. Raises `BackendError` where it
        crashed or gave no answer, and `TimeLimitError`."""
        arguments, out_file, uses_out_file = self.words, files["{out}"], self.mentions("{out}")
        for file, path in files.items():
            arguments = [word.replace(file, str(path)) for word in arguments]

        def read_answer(stream: BinaryIO, name: str) -> Found | InputError:
            try:
                return read(stream, name)
            except InputError as error:
                return error

        def read_output(stream: BinaryIO) -> Found | InputError:
            reader = StatisticsReader(stream, run.effort.facts)
            found = read_answer(cast(BinaryIO, reader), "its output")
            # a program whose output nobody reads would wait for ever
            while (uses_out_file or not isinstance(found, InputError)) and reader.readline():
                pass
            return found

        run.effort.enter(Phase.SOLVE)
        code, found, ending = run_program(arguments, run.deadline, read_output)
        has_written = out_file.is_file() and out_file.stat().st_size > 0
        if has_written:
            with out_file.open("rb") as stream:
                found = read_answer(stream, "its answer")
        if code is not None and code < 0:
            raise BackendError(f"{self.command} {ending}")
        if isinstance(found, InputError):
            fault = "it wrote no answer to {out}" if uses_out_file and not has_written else str(found)
            error_class = WrongAnswerError if found.expected == FOREIGN else BackendError
            raise error_class(f"{self.command} {ending}; {fault}")
        return code, found, ending


class SatProgram(Program):
    """A SAT solver that reads DIMACS CNF."""

    def __init__(self, command: str, encoding: EncodingOptions = PRESOLVED, _live: bool = False) -> None:
        super().__init__(command)
        self.encoding = encoding
        if not self.mentions("{cnf}"):
            self.words.append("{cnf}")

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        run.effort.enter(Phase.BUILD)
        formula = lower_to_cnf(puzzle, self.encoding, run.deadline)
        cnf, found = formula.cnf, set()
        run.effort.facts |= {"live": 0, "variables": cnf.num_vars, "clauses": cnf.num_clauses}
        while (answer := self._ask(cnf, run)).status is Status.SATISFIABLE:
            grid = formula.digits.decode([var if value else -var for var, value in answer.assignment.items()])
            faults = ["a solution that was excluded"] if grid.rows in found else check(puzzle, grid)
            if faults:
                raise WrongAnswerError(f"{self.command} gave a wrong assignment: {faults[0]}")
            found.add(grid.rows)
            yield grid
            blocking = [*(formula.digits.blocking_clause(grid) or ()), 0]
            cnf = replace(cnf, literals=np.concatenate((cnf.literals, np.array(blocking, dtype=np.int32))))
        if answer.status is Status.UNKNOWN:
            raise TimeLimitError

    def _ask(self, cnf: Cnf, run: Run) -> LiteralAnswer:
        """The answer of the program, checked against its exit code, the formula and its proof."""

        def read(stream: BinaryIO, name: str) -> LiteralAnswer:
            return read_literals(SolverOutput(stream, name, cnf.num_vars, run.deadline), cnf.num_vars)

        run.effort.enter(Phase.LOAD)
        with TemporaryDirectory(prefix="ringdoku-") as name:
            problem, out_file, proof = (Path(name, file) for file in ("problem.cnf", "answer", "proof.drat"))
            with problem.open("wb") as stream:
                write_dimacs(cnf, stream)
            code, answer, ending = self.run({"{cnf}": problem, "{out}": out_file, PROOF_FILE: proof}, read, run)
            if code is not None and _STATUS_OF_CODE.get(code, answer.status) is not answer.status:
                raise BackendError(f"{self.command} said {answer.status.value}, but {ending}")
            if answer.status is Status.SATISFIABLE and not answer.assignment and cnf.num_vars:
                hint = "a program that writes it to a second file is run as in 'cmd:minisat {cnf} {out}'"
                raise BackendError(f"{self.command} said satisfiable without an assignment; {hint}")
            has_proof = answer.status is Status.INFEASIBLE and self.mentions(PROOF_FILE)
            if has_proof and (faults := faults_of_proof(cnf, self._proof_steps(proof, run.deadline), run.deadline)):
                fault = f"said unsatisfiable, but its proof does not show it: {faults[0]}"
                raise WrongAnswerError(f"{self.command} {fault}")
        return answer

    def _proof_steps(self, proof: Path, deadline: Deadline) -> Iterator[str]:
        """The steps of the program's proof."""
        if not proof.is_file():
            raise BackendError(f"{self.command} said unsatisfiable, but wrote no proof to {PROOF_FILE}")
        with proof.open("rb") as stream:
            try:
                yield from drat_steps(stream, "its proof", deadline)
            except InputError as error:
                raise BackendError(f"{self.command} wrote what is not a proof: {error}") from None


class ModelProgram(Program):
    """A program that reads models in one of the formats of `EXPORTS`."""

    def __init__(self, command: str, form: str) -> None:
        super().__init__(command)
        self._form = form

    def optimise(self, puzzle: Puzzle, objective: Objective | None, run: Run) -> Result:
        """As `Backend.optimise`; without an objective, any solution."""
        run.effort.enter(Phase.BUILD)
        run.effort.facts["live"] = 0
        stream = BytesIO()
        export(_excluding(puzzle, run.excluding), self._form, stream, objective)
        model = stream.getvalue()

        def read(output: BinaryIO, name: str) -> Result:
            return decode(model, output, answer_name=name).result

        run.effort.enter(Phase.LOAD)
        with TemporaryDirectory(prefix="ringdoku-") as name:
            # programs know XCSP3 by this ending
            file = Path(name, f"problem.{ {'xcsp3': 'xml'}.get(self._form, self._form) }")
            file.write_bytes(model)
            try:
                code, found, ending = self.run({f"{{{self._form}}}": file, "{out}": Path(name, "answer")}, read, run)
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


def _excluding(puzzle: Puzzle, grids: tuple[Grid, ...]) -> Puzzle:
    """The puzzle with a rule against each of these solutions: one of its open cells holds another digit."""
    digits, rules = puzzle.board.digits, []
    for grid in grids:
        others = {cell: tuple(each for each in digits if each != grid.digits[cell]) for cell in puzzle.clues.open}
        rules.append(Either(tuple((AllowedDigits(allowed, (cell,)),) for cell, allowed in others.items())))
    return Puzzle(puzzle.ruleset.extended(*rules), puzzle.clues)


def words_of(command: str) -> list[str]:
    """The words of a command. Raises `UsageError` if there are none, `BackendError` if the program is missing."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the command {command!r} cannot be understood: {error}") from None
    refuse(not words, "the command of a program is empty")
    if shutil.which(words[0]) is None:
        hint = "it must be executable (chmod +x)" if Path(words[0]).is_file() else "is it installed, and on the PATH?"
        raise BackendError(f"there is no program {words[0]!r}; {hint}")
    return words


class StatisticsReader:
    """Reads a program's lines. Counts as SAT solvers, clasp, MiniZinc, Z3 and CBC print them go into `facts`."""

    def __init__(self, stream: BinaryIO, facts: dict[str, int | float]) -> None:
        self._stream, self._facts = stream, facts

    def readline(self, size: int = PORTION) -> bytes:
        line = self._stream.readline(size)
        if found := _COUNT.match(line):
            name = found[1].decode().lower()
            self._facts[_COUNTERS.get(name, name)] = int(found[2])
        return line


def run_program(
    arguments: Sequence[str],
    deadline: Deadline,
    read: Callable[[BinaryIO], Found],
    stdin: BinaryIO | int = subprocess.DEVNULL,
) -> tuple[int | None, Found, str]:
    """Run a program to its end, in a process group of its own, while `read` reads its standard output.

    Returns its exit code, negative for a signal; what was read; and how it ended, in words. If its output is not an
    answer, it is killed as soon as it writes more, and the code is None. Ctrl-C and the deadline, which raises
    `TimeLimitError`, kill it with the processes that it started, and on Linux it ends with this process. Raises
    `BackendError` when it cannot be started.
    """
    try:
        process = subprocess.Popen(
            arguments,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=parent_death_hook(),
        )
    except OSError as error:
        raise BackendError(f"{arguments[0]} cannot be run: {error.strerror or error}") from None
    stopped = False

    def read_output(stream: BinaryIO) -> Found:
        nonlocal stopped
        with stream:
            found = read(stream)
            if isinstance(found, InputError) and stream.read(1):
                stopped = True
                _kill(process)
        return found

    output = run_in_thread(partial(read_output, cast(BinaryIO, process.stdout)), Future())
    last_error = run_in_thread(partial(_last_line, cast(BinaryIO, process.stderr)), Future())
    try:
        code = process.wait(deadline.remaining())
    except subprocess.TimeoutExpired:
        raise TimeLimitError from None
    finally:
        # processes that the program started may outlive it and keep the pipes open
        _kill(process)
    try:
        found, last = output.result(deadline.remaining()), last_error.result(deadline.remaining())
    except TimeoutError:
        raise TimeLimitError from None
    names = {each.value: each.name for each in signal.Signals}
    ending = f"crashed with signal {names.get(-code, -code)}" if code < 0 else f"ended with exit code {code}"
    ending = "was stopped" if stopped else ending
    return None if stopped else code, found, f"{ending}: {last}" if last else ending


def _last_line(stream: BinaryIO) -> str:
    end = b""
    with stream:
        while portion := stream.read(PORTION):
            end = (end + portion)[-PORTION:]
    return end.decode("utf-8", "replace").rstrip().rpartition("\n")[2].strip()


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    process.wait()
