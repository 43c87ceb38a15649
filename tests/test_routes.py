"""The whole way with other people's solvers: export, their program, decode; as good as our own best scores.

Each route is skipped where its program is not installed.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run
from modelling import HIGHS
from puzzles import random_puzzles

from ringdoku import Status, classic
from ringdoku.exports import decode

PUZZLES = 4
FEW = 2
"""For routes that differ little from another one, or are slow."""
CPSAT = """
import sys
from pathlib import Path
from ortools.sat.python.cp_model import CpModel, CpSolver
model, solver = CpModel(), CpSolver()
assert model.proto.parse_text_format(Path(sys.argv[1]).read_text())
solver.solve(model)
Path(sys.argv[1] + ".answer").write_text(str(solver.response_proto))
"""
PROGRAMS = {
    "rc2": (sys.executable, "-m", "pysat.examples.rc2", "-vv", "{model}"),
    "clasp": ("clasp", "{model}"),
    "minisat+": ("minisat+", "{model}"),
    "highs": (sys.executable, "-c", HIGHS, "{model}"),
    "minizinc": ("minizinc", "{model}"),
    "minizinc-json": ("minizinc", "--output-mode", "json", "{model}"),
    "cpsat": (sys.executable, "-c", CPSAT, "{model}"),
}
"""The command of each; the answer is printed, or is in a file beside {model}."""


@pytest.mark.parametrize(
    ("form", "program", "more", "count"),
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
def test_route(form: str, program: str, more: tuple[str, ...], count: int, ringdoku_here: Run, tmp_path: Path) -> None:
    """It gives the best scores."""
    targets = random_puzzles(classic(9), 24, 30, count, seed=1074)
    if not shutil.which(PROGRAMS[program][0]):
        pytest.skip(f"the program {program} is not installed")
    puzzles = "".join("".join(map(str, puzzle.clues.digits)) + "\n" for puzzle in targets)
    best = ringdoku_here("maximise", *(option for option in more if option == "--minimise"), input=puzzles)
    pattern = tmp_path / f"p{{number}}.{form}"
    exported = ringdoku_here("export", "--to", form, "-o", pattern, *more, input=puzzles)
    assert (exported.returncode, exported.stderr) == (0, "")
    scores = []
    for number in range(1, count + 1):
        model, answer = tmp_path / f"p{number}.{form}", tmp_path / f"p{number}.{form}.answer"
        command = [word.format(model=model) for word in PROGRAMS[program]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if not answer.exists():
            answer.write_text(done.stdout)
        result = decode(model.read_bytes(), answer.read_bytes()).result
        assert result.status is Status.OPTIMAL, done.stderr
        scores.append(str(result.score))
    assert scores == best.stdout.split()
