"""The whole way with other people's solvers: export, their program, decode; as good as our own best scores.

Each route is skipped where its program is not installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from ringdoku import Puzzle, Status
from ringdoku.domain.ruleset import classic
from ringdoku.exports import decode
from ringdoku.services.generate import random_puzzles

Run = Callable[..., subprocess.CompletedProcess[str]]

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
SCIP = """
import sys
from ortools.linear_solver.python.model_builder import Model, Solver
model, solver = Model(), Solver("scip")
assert model.import_from_mps_file(sys.argv[1])
assert solver.solve(model).name == "OPTIMAL"
variables = [model.var_from_index(index) for index in range(model.num_variables)]
with open(sys.argv[2], "w") as file:
    print("solution status: optimal solution found", file=file)
    print("objective value:", solver.objective_value, file=file)
    for variable in variables:
        print(variable.name, solver.value(variable), file=file)
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


@dataclass(frozen=True)
class Route:
    """A model format and the command that solves it; {model} and {answer} are files, else the answer is printed."""

    format: str
    command: Sequence[str]
    options: Sequence[str] = ()
    module: str = ""
    puzzles: int = FEW

    @property
    def name(self) -> str:
        program = self.module or Path(self.command[0]).name
        return "-".join((self.format, program, *self.options))

    @property
    def missing(self) -> str | None:
        if self.module:
            return None if find_spec(self.module) else f"the package {self.module} is not installed"
        return None if shutil.which(self.command[0]) else f"the program {self.command[0]} is not installed"

    def solve(self, model: Path) -> Path:
        answer = model.with_suffix(".answer")
        command = [word.format(model=model, answer=answer) for word in self.command]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if not any("{answer}" in word for word in self.command):
            answer.write_text(done.stdout)
        assert answer.exists(), f"{command} ended with {done.returncode}: {done.stderr}"
        return answer


PYTHON = sys.executable
ROUTES = [
    Route("wcnf", (PYTHON, "-m", "pysat.examples.rc2", "-vv", "{model}"), module="pysat", puzzles=PUZZLES),
    Route("wcnf", (PYTHON, "-m", "pysat.examples.rc2", "-vv", "{model}"), ("--minimise",), module="pysat"),
    Route("opb", ("clasp", "{model}"), puzzles=PUZZLES),
    Route("opb", ("clasp", "{model}"), ("--no-presolve", "--plain-objective")),
    Route("opb", ("minisat+", "{model}")),
    Route("lp", (PYTHON, "-c", HIGHS, "{model}", "{answer}"), module="highspy", puzzles=PUZZLES),
    Route("lp", (PYTHON, "-c", HIGHS, "{model}", "{answer}"), ("--minimise", "--no-presolve"), module="highspy"),
    Route("lp", ("cbc", "{model}", "solve", "solution", "{answer}")),
    Route("lp", ("glpsol", "--lp", "{model}", "-o", "{answer}")),
    Route("mps", (PYTHON, "-c", HIGHS, "{model}", "{answer}"), module="highspy", puzzles=PUZZLES),
    Route("mps", (PYTHON, "-c", SCIP, "{model}", "{answer}"), module="ortools"),
    Route("mps", ("glpsol", "--freemps", "{model}", "-o", "{answer}"), ("--minimise",)),
    Route("mzn", ("minizinc", "{model}"), puzzles=PUZZLES),
    Route("mzn", ("minizinc", "--output-mode", "json", "{model}"), ("--minimise",)),
    Route("cpsat", (PYTHON, "-c", CPSAT, "{model}", "{answer}"), module="ortools"),
    Route("smt2", ("z3", "{model}")),
]


@pytest.fixture(scope="module")
def targets() -> list[Puzzle]:
    return list(random_puzzles(classic(9), 24, 30, PUZZLES, seed=1074))


@pytest.fixture(scope="module")
def puzzle_file(targets: list[Puzzle], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("routes") / "puzzles.txt"
    path.write_text("".join("".join(map(str, puzzle.clues.digits)) + "\n" for puzzle in targets))
    return path


@pytest.fixture(scope="module")
def best(puzzle_file: Path, ringdoku: Run) -> dict[bool, list[str]]:
    """The scores of `ringdoku maximise`, and by True those with --minimise."""
    return {
        minimise: ringdoku("maximise", puzzle_file, *(["--minimise"] * minimise)).stdout.split()
        for minimise in (False, True)
    }


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_route_gives_the_best_scores(
    route: Route, puzzle_file: Path, best: dict[bool, list[str]], ringdoku_here: Run, tmp_path: Path
) -> None:
    if route.missing:
        pytest.skip(route.missing)
    pattern = tmp_path / f"p{{number}}.{route.format}"
    puzzles = "".join(puzzle_file.read_text().splitlines(keepends=True)[: route.puzzles])
    exported = ringdoku_here("export", "--to", route.format, "-o", pattern, *route.options, input=puzzles)
    assert (exported.returncode, exported.stderr) == (0, "")
    scores = []
    for number in range(1, route.puzzles + 1):
        model = tmp_path / f"p{number}.{route.format}"
        result = decode(model.read_bytes(), route.solve(model).read_bytes()).result
        assert result.status is Status.OPTIMAL
        scores.append(str(result.score))
    assert scores == best["--minimise" in route.options][: route.puzzles]
