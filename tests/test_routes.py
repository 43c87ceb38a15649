"""The whole way with other people's solvers: export, their program, decode; as good as our own best scores.

Each route is skipped where its program is not installed.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run

from ringdoku import Puzzle, Status, classic
from ringdoku.exports import decode
from ringdoku.services.generate import random_puzzles

PUZZLES = 10
FEW = 2
"""For routes that differ little from another one, or are slow."""
HIGHS = """
import sys
import highspy
solver = highspy.Highs()
solver.setOptionValue("output_flag", False)
assert solver.readModel(sys.argv[1]) == highspy.HighsStatus.kOk
solver.run()
solver.writeSolution(sys.argv[2], 0)
"""
CPSAT = """
import sys
from pathlib import Path
from ortools.sat.python.cp_model import CpModel, CpSolver
model, solver = CpModel(), CpSolver()
assert model.proto.parse_text_format(Path(sys.argv[1]).read_text())
solver.solve(model)
Path(sys.argv[2]).write_text(str(solver.response_proto))
"""
PROGRAMS = {
    "rc2": (sys.executable, "-m", "pysat.examples.rc2", "-vv", "{model}"),
    "clasp": ("clasp", "{model}"),
    "minisat+": ("minisat+", "{model}"),
    "highs": (sys.executable, "-c", HIGHS, "{model}", "{answer}"),
    "minizinc": ("minizinc", "{model}"),
    "minizinc-json": ("minizinc", "--output-mode", "json", "{model}"),
    "cpsat": (sys.executable, "-c", CPSAT, "{model}", "{answer}"),
}
"""The command of each; {model} and {answer} are files, else the answer is printed."""


@pytest.fixture(scope="module")
def targets() -> list[Puzzle]:
    return list(random_puzzles(classic(9), 24, 30, PUZZLES, seed=1074))


@pytest.mark.parametrize(
    ("form", "program", "options", "count"),
    [
        ("wcnf", "rc2", (), PUZZLES),
        ("wcnf", "rc2", ("--minimise",), FEW),
        ("opb", "clasp", (), PUZZLES),
        ("opb", "clasp", ("--no-presolve", "--plain-objective"), FEW),
        ("opb", "minisat+", (), FEW),
        ("lp", "highs", (), PUZZLES),
        ("lp", "highs", ("--minimise", "--no-presolve"), FEW),
        ("mps", "highs", (), PUZZLES),
        ("mzn", "minizinc", (), PUZZLES),
        ("mzn", "minizinc-json", ("--minimise",), FEW),
        ("cpsat", "cpsat", (), FEW),
    ],
)
def test_route_gives_the_best_scores(
    form: str,
    program: str,
    options: tuple[str, ...],
    count: int,
    targets: list[Puzzle],
    ringdoku_here: Run,
    tmp_path: Path,
) -> None:
    if not shutil.which(PROGRAMS[program][0]):
        pytest.skip(f"the program {program} is not installed")
    puzzles = "".join("".join(map(str, puzzle.clues.digits)) + "\n" for puzzle in targets[:count])
    best = ringdoku_here("maximise", *(option for option in options if option == "--minimise"), input=puzzles)
    pattern = tmp_path / f"p{{number}}.{form}"
    exported = ringdoku_here("export", "--to", form, "-o", pattern, *options, input=puzzles)
    assert (exported.returncode, exported.stderr) == (0, "")
    scores = []
    for number in range(1, count + 1):
        model, answer = tmp_path / f"p{number}.{form}", tmp_path / f"p{number}.answer"
        command = [word.format(model=model, answer=answer) for word in PROGRAMS[program]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if not answer.exists():
            answer.write_text(done.stdout)
        result = decode(model.read_bytes(), answer.read_bytes()).result
        assert result.status is Status.OPTIMAL, done.stderr
        scores.append(str(result.score))
    assert scores == best.stdout.split()
