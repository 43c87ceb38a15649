"""SAT solvers that are programs, by `cmd:` names: right answers, clear complaints, nothing left running."""

import json
import os
import re
import select
import shlex
import shutil
import signal
import sys
from pathlib import Path

import pytest
from conftest import SCRIPT, Done, Run, running
from modelling import OF_FORMATS
from puzzles import NO_SOLUTION as NO_SOLUTION_IN_A_LINE
from puzzles import ONE_SOLUTION, puzzle

from ringdoku import BackendError, Puzzle, Session, Status, UsageError, check, count_solutions, solutions, solve

OURS = """
import sys
from pysat.formula import CNF
from pysat.solvers import Solver

with Solver("glucose4", bootstrap_with=CNF(from_file=sys.argv[1]), with_proof=True) as solver:
    if solver.solve():
        print("s SATISFIABLE", *(f"v {lit}" for lit in solver.get_model()), "v 0", sep="\\n")
        sys.exit(10)
    for name in sys.argv[2:]:
        with open(name, "w") as proof:
            print(*solver.get_proof(), sep="\\n", file=proof)
print("s UNSATISFIABLE")
sys.exit(20)
"""
"""A solver program that is always there, and writes a proof where a second file is named."""

WAITING = """
import os, sys, time
with open(sys.argv[1], "w") as pipe:
    print(os.getpid(), file=pipe, flush=True)
    time.sleep(600)
"""
"""Tells its process id through a named pipe, whose other end sees it die."""

PROGRAMS = ("minisat {cnf} {out}", "cadical -q", "cryptominisat5 --verb 0 {cnf}", "clasp", "kissat -q", *OF_FORMATS)

PROVERS = {
    "cadical": "cadical -q {cnf} {proof}",
    "cadical as text": "cadical -q --no-binary {cnf} {proof}",
    "cryptominisat5": "cryptominisat5 --verb 0 {cnf} {proof}",
    "kissat": "kissat -q {cnf} {proof}",
}


@pytest.fixture(scope="module")
def our_program(tmp_path_factory: pytest.TempPathFactory) -> str:
    return command_of(OURS, tmp_path_factory.mktemp("solver"))


def command_of(program: str, folder: Path) -> str:
    """The command line of a program in Python."""
    script = folder / "our solver.py"
    script.write_text(program)
    return shlex.join([sys.executable, str(script)])


@pytest.fixture(params=["ours", *PROGRAMS])
def backend(request: pytest.FixtureRequest, our_program: str) -> str:
    command = our_program if request.param == "ours" else request.param
    if not shutil.which(shlex.split(command)[0]):
        pytest.skip(f"the program {shlex.split(command)[0]} is not installed")
    return f"cmd:{command}"


HARD = puzzle("400000805030000000000700000020000060000080400000010000000603070500200000104000000")
FEW_CLUES = puzzle("1000000000000004")
CONTRADICTORY = puzzle("1100000000000000")
IMPOSSIBLE = puzzle("1200000300000000")  # no clue breaks a rule, and there is no place for 3 in the first row
SOLVED_BY_SINGLES = puzzle("1234341021434321")


def test_a_solution_is_found_where_propagation_is_enough_too(backend: str) -> None:
    result = solve(HARD, backend)
    assert result.grid is not None
    assert (result.status, check(HARD, result.grid)) == (Status.SATISFIABLE, [])
    result = solve(SOLVED_BY_SINGLES, backend)
    assert result.grid is not None
    assert check(SOLVED_BY_SINGLES, result.grid) == []


@pytest.mark.parametrize("puzzle", [CONTRADICTORY, IMPOSSIBLE])
def test_no_solution_is_the_programs_word(backend: str, puzzle: Puzzle) -> None:
    result = solve(puzzle, backend)
    assert (result.status, result.word_of) == (Status.INFEASIBLE, backend.removeprefix("cmd:"))
    optimiser = "sh -c 'echo s UNSATISFIABLE' {opb}"
    assert [each.word_of for each in Session(f"cmd:{optimiser}").best_solutions(puzzle, 2)] == [optimiser]


@pytest.fixture(params=["ours", *PROVERS])
def prover(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "ours":
        return f"cmd:{command_of(OURS, tmp_path)} {{cnf}} {{proof}}"
    if not shutil.which(PROVERS[request.param].split()[0]):
        pytest.skip(f"the program {request.param} is not installed")
    return f"cmd:{PROVERS[request.param]}"


NO_SOLUTION = puzzle(NO_SOLUTION_IN_A_LINE)
"""What propagation alone does not see."""


@pytest.mark.parametrize("puzzle", [CONTRADICTORY, IMPOSSIBLE, NO_SOLUTION])
def test_no_solution_with_a_proof_is_proved(prover: str, puzzle: Puzzle) -> None:
    result = solve(puzzle, prover)
    assert (result.status, result.word_of) == (Status.INFEASIBLE, "")
    # it solves and counts too
    assert solve(HARD, prover).status is Status.SATISFIABLE
    assert count_solutions(HARD, backend=prover) == 1


LYING = """
import sys
with open(sys.argv[2], "wb") as proof:
    {write}
print("s UNSATISFIABLE")
"""


@pytest.mark.parametrize(
    ("write", "complaint"),
    [
        ("proof.write(b'0')", "step 1 does not follow: '0'"),
        ("pass", "proof"),
        ("proof.write(b'd\\2\\0a\\2')", "wrote what is not a proof: its proof: found the end inside step 2"),
        ("proof.write(b'1 2')", "step 1 is not a clause"),
        ("import os; os.remove(sys.argv[2])", "wrote no proof to {proof}"),
    ],
)
def test_wrong_proofs_are_errors(write: str, complaint: str, tmp_path: Path) -> None:
    program = command_of(LYING.format(write=write), tmp_path)
    with pytest.raises(BackendError, match=re.escape(complaint)):
        solve(HARD, f"cmd:{program} {{cnf}} {{proof}}")


@pytest.mark.parametrize("step", ["1 -1 0\\n", "c a comment\\n"])
def test_a_proof_that_is_not_checked_in_time_proves_nothing(step: str, tmp_path: Path) -> None:
    program = command_of(LYING.format(write=f"proof.write(b'{step}' * 10**7)"), tmp_path)
    assert solve(HARD, f"cmd:{program} {{cnf}} {{proof}}", time_limit=1).status is Status.UNKNOWN


def test_every_solution_once(our_program: str) -> None:
    found = list(solutions(FEW_CLUES, f"cmd:{our_program}"))
    assert len(found) == len(set(found))
    assert set(found) == set(solutions(FEW_CLUES, "search"))


@pytest.mark.parametrize("program", OF_FORMATS)
def test_programs_for_other_formats_rank_and_count(program: str) -> None:
    if not shutil.which(shlex.split(program)[0]):
        pytest.skip(f"the program {shlex.split(program)[0]} is not installed")
    session = Session(f"cmd:{program}")
    first, *others = session.best_solutions(FEW_CLUES, 3)
    assert [one.score for one in (first, *others)] == [one.score for one in Session().best_solutions(FEW_CLUES, 3)]
    assert (first.status, first.bound, first.ground) == (Status.OPTIMAL, first.score, f"the word of {program}")
    assert ("conflicts" in first.statistics) is any(word in program for word in ("-s {", "stats", "-st", "minisat+"))
    assert count_solutions(HARD, backend=f"cmd:{program}") == 1
    assert session.maximise(IMPOSSIBLE).status is Status.INFEASIBLE


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ("", "found nothing"),
        ("print('hello')", "'hello' in line 1"),
        ("print('s SATISFIABLE')", "without an assignment"),
        ("print('SATISFIABLE')", "'cmd:minisat {cnf} {out}'"),
        ("print('s SATISFIABLE'); print('v 1 0')", "gave a wrong assignment: r1c"),
        ("print('s SATISFIABLE'); print('v 999999 0')", "variable 999999"),
        ("print('s UNSATISFIABLE'); import sys; sys.exit(10)", "said infeasible, but ended with exit code 10"),
        ("import sys; sys.exit('no memory')", "exit code 1: no memory"),
        ("import os; os.abort()", "crashed with signal SIGABRT"),
        ("print('s SATISFIABLE'); import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "signal SIGKILL"),
        # {mzn}
        ("", "found no solution and no status"),
        ("print('1 ' * 81 + '\\n----------')", "found no solution ("),
        ("print('=====UNKNOWN====='); import sys; sys.exit('no memory')", "exit code 1: no memory"),
        ("print('=====UNSATISFIABLE====='); import os; os.abort()", "crashed with signal SIGABRT"),
        ("print('1 ' * 10**6)", "a line of more than"),
    ],
)
def test_nonsense_is_an_error(program: str, complaint: str, tmp_path: Path) -> None:
    model = "{mzn}" if complaint.startswith("found no ") or "=====" in program or "10**6" in program else "{cnf}"
    with pytest.raises(BackendError, match=re.escape(complaint)):
        solve(HARD, f"cmd:{command_of(program, tmp_path)} {model}")


def test_other_formats_have_files_for_answers_and_time_limits(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="wrote no answer"):
        solve(FEW_CLUES, "cmd:true {mzn} {out}")
    waiting = command_of("import time; time.sleep(600)", tmp_path)
    assert Session(f"cmd:{waiting} {{lp}}").maximise(FEW_CLUES, time_limit=0.5).status is Status.UNKNOWN


ENDLESS = """
import sys, time
print("s SATISFIABLE")
while True:
    sys.{stream}.write({text!r} * 10000)
"""


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("v 1 -2 3\n", "values of more than"), ("v 1 ", "a line of more than"), ("s MAYBE\n", "MAYBE")],
)
def test_a_program_that_writes_too_much_is_stopped(text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=f"was stopped.*{complaint}"):
        solve(HARD, f"cmd:{command_of(ENDLESS.format(stream='stdout', text=text), tmp_path)}")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_program_that_never_stops_talking_is_stopped_at_the_limit(stream: str, tmp_path: Path) -> None:
    program = command_of(ENDLESS.format(stream=stream, text="c still at work\n"), tmp_path)
    assert solve(HARD, f"cmd:{program}", time_limit=1).status is Status.UNKNOWN


def test_an_answer_in_a_file_is_read_whatever_the_program_says(tmp_path: Path, our_program: str) -> None:
    wrapper = f"""
import subprocess, sys
print("v nonsense", "s MAYBE", "c" * 10**6, "v 1 0 " * 10**5, sep="\\n")
print("c" * 10**6, file=sys.stderr)
with open(sys.argv[2], "w") as answer:
    print("c so much for that\\n" * 10**5, file=answer)
    answer.flush()
    sys.exit(subprocess.call([*{shlex.split(our_program)!r}, sys.argv[1]], stdout=answer))
"""
    (tmp_path / "in").mkdir()
    result = solve(HARD, f"cmd:{command_of(wrapper, tmp_path / 'in')} {{cnf}} {{out}}")
    assert result.status is Status.SATISFIABLE
    junk = command_of("import sys; open(sys.argv[2], 'w').write('SAT\\n' + '1 -2 ' * 10**6)", tmp_path)
    with pytest.raises(BackendError, match="its answer:2: found a line of more than"):
        solve(HARD, f"cmd:{junk} {{cnf}} {{out}}")


def test_a_program_that_is_missing_or_cannot_be_executed_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="there is no program 'no-such-solver'"):
        solve(HARD, "cmd:no-such-solver -q")
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF, or not")
    program.chmod(0o755)
    with pytest.raises(BackendError, match=r"program (cannot be run|ended)"):
        solve(HARD, f"cmd:{program}")
    for command in ("", "  ", "kissat 'unclosed"):
        with pytest.raises(UsageError):
            solve(HARD, f"cmd:{command}")


class Pipe:
    """A named pipe that one process holds open for as long as it lives."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "pipe"
        os.mkfifo(self.path)
        self._end = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self) -> bytes:
        """What comes next; empty when the process is gone. Fails when nothing happens for long."""
        ready, _, _ = select.select([self._end], [], [], 60)
        assert ready, "the process neither wrote nor ended"
        return os.read(self._end, 100)


@pytest.fixture
def waiting(tmp_path: Path) -> tuple[str, Pipe]:
    """A backend that never answers, and the pipe that shows whether its program lives."""
    pipe = Pipe(tmp_path)
    return f"cmd:{command_of(WAITING, tmp_path)} {shlex.quote(str(pipe.path))}", pipe


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
class TestNothingIsLeftRunning:
    """The program is killed at the deadline, on Ctrl-C, and when we are killed."""

    def test_when_the_program_itself_ends_first(self, tmp_path: Path) -> None:
        pipe = Pipe(tmp_path)
        program = shlex.quote(f"exec 3> {pipe.path}; sleep 600 & echo s UNKNOWN")
        assert solve(HARD, f"cmd:sh -c {program}").status is Status.UNKNOWN
        assert pipe.read() == b""

    def test_at_the_deadline(self, waiting: tuple[str, Pipe]) -> None:
        backend, pipe = waiting
        assert solve(HARD, backend, time_limit=1).status is Status.UNKNOWN
        assert pipe.read().strip().isdigit()
        assert pipe.read() == b""

    @pytest.mark.parametrize(
        ("how", "code", "message"),
        [
            (signal.SIGINT, 130, "ringdoku: <stdin>:1: interrupted before it was answered\n"),
            pytest.param(
                signal.SIGKILL,
                -signal.SIGKILL,
                "",
                marks=pytest.mark.skipif(sys.platform != "linux", reason="Linux does it"),
            ),
        ],
    )
    def test_at_signals(self, waiting: tuple[str, Pipe], how: signal.Signals, code: int, message: str) -> None:
        backend, pipe = waiting
        ask = (SCRIPT, "solve", "--backend", backend)
        with running(*ask, text="1000000000000004\n") as (process, put, _, err):
            put.close()
            assert pipe.read().strip().isdigit()
            process.send_signal(how)
            assert process.wait(60) == code
            assert err.read() == message
        assert pipe.read() == b""


def test_whose_word_it_is_stands_in_every_answer(our_program: str, ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text(f"{NO_SOLUTION_IN_A_LINE}\n")
    (tmp_path / "one.txt").write_text(f"{ONE_SOLUTION}\n")

    def ask(program: str, *arguments: str, file: str = "none.txt") -> Done:
        return ringdoku_here(*arguments, "--backend", f"cmd:{program}", file, cwd=tmp_path)

    word = f"no solution, by the word of {our_program}"
    assert f"\n{word} (cmd:" in ask(our_program, "solve", "--output-format", "pretty").stdout
    assert json.loads(ask(our_program, "solve", "--output-format", "json").stdout)["word_of"] == our_program
    said = ask(our_program, "solve", "--output-format", "competition").stdout
    assert f"word of {our_program}\ns UNSATISFIABLE\n" in said
    for file, count in (("none.txt", "no solution"), ("one.txt", "exactly one solution")):
        record = json.loads(ask(our_program, "check", "--unique", "--output-format", "json", file=file).stdout)
        assert record["verdict"].endswith(f"{count}, by the word of {our_program}")
        assert [record[key] for key in ("solutions", "word_of", "ground")] == [count, our_program, word[16:]]
    judged, listed = ask(our_program, "solve", "--none", "-1"), ask(our_program, "solve", "--all", file="one.txt")
    assert (judged.stdout, judged.stderr) == ("-1\n", f"ringdoku: none.txt:1: {word}\n")
    assert listed.stderr == f"ringdoku: one.txt:1: no further solution{word[11:]}\n"
    optimiser = "sh -c 'echo s UNSATISFIABLE' {opb}"
    done = ask(optimiser, "maximise")
    assert (done.stdout, done.stderr) == ("-1\n", f"ringdoku: none.txt:1: -1, by the word of {optimiser}\n")
    # what is written is read back
    (tmp_path / "answers.txt").write_text(ask(our_program, "solve").stdout)
    claimed = ringdoku_here("check", "none.txt", "--solution", "answers.txt", cwd=tmp_path)
    assert claimed.stdout == "none.txt:1: well-formed, 23 clues, no solution claimed\n"


def test_a_checked_proof_is_nobodys_word(ringdoku_here: Run, tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text(f"{NO_SOLUTION_IN_A_LINE}\n")
    ask = ["--backend", f"cmd:{command_of(OURS, tmp_path)} {{cnf}} {{proof}}", "none.txt"]
    assert ringdoku_here("solve", *ask, cwd=tmp_path).stdout == "no solution\n"
    assert "no solution (cmd:" in ringdoku_here("solve", "--output-format", "pretty", *ask, cwd=tmp_path).stdout
    record = json.loads(ringdoku_here("solve", "--output-format", "json", *ask, cwd=tmp_path).stdout)
    assert (record["status"], record["word_of"], record["ground"][:18]) == ("infeasible", None, "a refutation by cm")
