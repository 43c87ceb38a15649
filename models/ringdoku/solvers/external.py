"""Solvers that are programs: `cmd:kissat -q` writes a model to a file, runs the program and reads its answer.

In the command line `{cnf}` is the file with the formula; without it the file is the last argument. Solvers of other
kinds name the file by its format, one of `exports.EXPORTS`: `cmd:minizinc --solver gecode {mzn}`. `{out}` is a file for
the answer, if the program does not print it (`cmd:minisat {cnf} {out}`), and `{proof}` one for the proof of a SAT
solver, in a format of `sat.drat` (`cmd:cadical -q {cnf} {proof}`). Grids, scores and proofs are checked; without a
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
from ringdoku.limits import PORTION, Deadline, in_thread, parent_death_hook
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.drat import drat_steps, faults_of_proof
from ringdoku.sat.formula import Cnf, write_dimacs
from ringdoku.sat.options import PRESOLVED, EncodingOptions
from ringdoku.solvers.registry import PROOF_FILE, Backend, Phase, Run

_CODES = {10: Status.SATISFIABLE, 20: Status.INFEASIBLE}
"""The meaning of exit codes in the SAT competitions; other codes mean nothing."""

_COUNT = re.compile(
    rb"(?:c |%%%mzn-stat: |[ (]*:|Enumerated )? *(conflicts|decisions|propagations|failures|choices|nodes) *[:= ] *"
    rb"([0-9]{1,15})\b",
    re.IGNORECASE,
)
_COUNTERS = {"failures": "conflicts", "choices": "decisions", "nodes": "decisions"}
"""What programs that are no SAT solvers call it."""


Found = TypeVar("Found")


class Program(Backend):
    """The program of a command line, in which files have names in braces. Raises `UsageError` if the line is empty,
    `BackendError` if the program is missing."""

    def __init__(self, command: str) -> None:
        self.command, self.words = command, words_of(command)

    def names(self, file: str) -> bool:
        """Whether a file is in the command line."""
        return any(file in word for word in self.words)

    def run(
        self, files: Mapping[str, Path], read: Callable[[BinaryIO, str], Found], run: Run
    ) -> tuple[int | None, Found, str]:
        """Run the program with these files, among them `{out}`: its exit code as `run_program` has it, what `read`
        makes of `{out}` or else of what it prints, and how it ended. Raises `BackendError` where that is no answer or
        it crashed, and `TimeLimitError`."""
        arguments, written, writes = self.words, files["{out}"], self.names("{out}")
        for file, path in files.items():
            arguments = [word.replace(file, str(path)) for word in arguments]

        def answer(stream: BinaryIO, name: str) -> Found | InputError:
            try:
                return read(stream, name)
            except InputError as error:
                return error

        def printed(stream: BinaryIO) -> Found | InputError:
            counting = Counting(stream, run.effort.facts)
            found = answer(cast(BinaryIO, counting), "its output")
            # a program whose output nobody reads would wait for ever
            while (writes or not isinstance(found, InputError)) and counting.readline():
                pass
            return found

        run.effort.enter(Phase.SOLVE)
        code, found, ending = run_program(arguments, run.deadline, printed)
        has_written = written.is_file() and written.stat().st_size > 0
        if has_written:
            with written.open("rb") as stream:
                found = answer(stream, "its answer")
        if code is not None and code < 0:
            raise BackendError(f"{self.command} {ending}")
        if isinstance(found, InputError):
            wrong = "it wrote no answer to {out}" if writes and not has_written else str(found)
            refused = WrongAnswerError if found.expected == FOREIGN else BackendError
            raise refused(f"{self.command} {ending}; {wrong}")
        return code, found, ending


class External(Program):
    """A SAT solver."""

    def __init__(self, command: str, encoding: EncodingOptions = PRESOLVED, _live: bool = False) -> None:
        super().__init__(command)
        self.encoding = encoding
        if not self.names("{cnf}"):
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
            another = [*(formula.digits.blocking_clause(grid) or ()), 0]
            cnf = replace(cnf, literals=np.concatenate((cnf.literals, np.array(another, dtype=np.int32))))
        if answer.status is Status.UNKNOWN:
            raise TimeLimitError

    def _ask(self, cnf: Cnf, run: Run) -> LiteralAnswer:
        """What the program answers, after a check against the exit code, the formula and the proof."""

        def read(stream: BinaryIO, name: str) -> LiteralAnswer:
            return read_literals(SolverOutput(stream, name, cnf.num_vars, run.deadline), cnf.num_vars)

        run.effort.enter(Phase.LOAD)
        with TemporaryDirectory(prefix="ringdoku-") as name:
            problem, written, proof = (Path(name, file) for file in ("problem.cnf", "answer", "proof.drat"))
            with problem.open("wb") as stream:
                write_dimacs(cnf, stream)
            code, answer, ending = self.run({"{cnf}": problem, "{out}": written, PROOF_FILE: proof}, read, run)
            if code is not None and _CODES.get(code, answer.status) is not answer.status:
                raise BackendError(f"{self.command} said {answer.status.value}, but {ending}")
            if answer.status is Status.SATISFIABLE and not answer.assignment and cnf.num_vars:
                raise BackendError(
                    f"{self.command} said satisfiable without an assignment; a program that writes it to a second file "
                    "is run as in 'cmd:minisat {cnf} {out}'"
                )
            has_proof = answer.status is Status.INFEASIBLE and self.names(PROOF_FILE)
            if has_proof and (faults := faults_of_proof(cnf, self._steps(proof, run.deadline), run.deadline)):
                fault = f"said unsatisfiable, but its proof does not show it: {faults[0]}"
                raise WrongAnswerError(f"{self.command} {fault}")
        return answer

    def _steps(self, proof: Path, deadline: Deadline) -> Iterator[str]:
        """The steps of the program's proof."""
        if not proof.is_file():
            raise BackendError(f"{self.command} said unsatisfiable, but wrote no proof to {PROOF_FILE}")
        with proof.open("rb") as stream:
            try:
                yield from drat_steps(stream, "its proof", deadline)
            except InputError as error:
                raise BackendError(f"{self.command} wrote what is not a proof: {error}") from None


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


def words_of(command: str) -> list[str]:
    """A program and its arguments. Raises `UsageError` for no command, `BackendError` for a program that is missing."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the command {command!r} cannot be understood: {error}") from None
    refuse(not words, "a command is missing, for example cmd:kissat -q")
    if shutil.which(words[0]) is None:
        raise BackendError(f"there is no program {words[0]!r}; is it installed, and on the PATH?")
    return words


class Counting:
    """A program's output. What it counts, on lines as SAT solvers, clasp, MiniZinc, Z3 and CBC print them, goes into
    `facts` under our names."""

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
    """Run a program, in a process group of its own, to its end while `read` reads its standard output to the end.

    Returns its exit code, negative for a signal; what was read; and how it ended, in words. If its output is not an
    answer, it is killed as soon as it writes more, and the code is None. It is also killed, with the processes
    that it started, on Ctrl-C and at the deadline, when this raises `TimeLimitError`, and on Linux it ends with this
    process. Raises `BackendError` when it cannot be started.
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

    def answer(stream: BinaryIO) -> Found:
        nonlocal stopped
        with stream:
            found = read(stream)
            if isinstance(found, InputError) and stream.read(1):
                stopped = True
                _kill(process)
        return found

    reading = in_thread(partial(answer, cast(BinaryIO, process.stdout)), Future())
    complaint = in_thread(partial(_last_line, cast(BinaryIO, process.stderr)), Future())
    try:
        code = process.wait(deadline.remaining())
    except subprocess.TimeoutExpired:
        raise TimeLimitError from None
    finally:
        # processes that the program started may outlive it and keep the pipes open
        _kill(process)
    try:
        found, last = reading.result(deadline.remaining()), complaint.result(deadline.remaining())
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
    lines = end.decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    process.wait()
