"""What the tests of comparisons share: small plans, and measurements made up."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from ringdoku import Grid, Puzzle, solve
from ringdoku.services.compare.measurement import Measurement, Outcome
from ringdoku.services.compare.plan import Contender, Instance, Plan, grid_text
from ringdoku.services.compare.task import Task

EASY = Puzzle.of_rows([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
"""One solution."""
OPEN = Puzzle.blank(4)
"""288 solutions."""
IMPOSSIBLE = Puzzle.of_rows([[1, 1, 0, 0], [0] * 4, [0] * 4, [0] * 4])


def plan(*backends: str, task: Task = Task.SOLVE, **changes: object) -> Plan:
    """Two 4×4 puzzles, one run each."""
    instances = (Instance("easy", EASY), Instance("open", OPEN))
    made = Plan(task, instances, tuple(map(Contender, backends or ("search", "minisat22"))), time_limit=10.0)
    return replace(made, **changes)  # type: ignore[arg-type]


def solution(puzzle: Puzzle) -> str:
    grid = solve(puzzle, "search").grid
    assert isinstance(grid, Grid)
    return grid_text(grid)


def measurement(
    instance: str = "easy", backend: str = "search", seconds: float = 1.0, **changes: object
) -> Measurement:
    """A solved one."""
    puzzle = {"easy": EASY, "open": OPEN}[instance]
    made = Measurement(
        instance, "solve", backend, "", 0, Outcome.SATISFIABLE, grid=solution(puzzle), seconds=seconds, memory=20.0
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def script(folder: Path, text: str) -> str:
    """A backend that is a Python script; it is given the name of a DIMACS file."""
    path = folder / "solver.py"
    path.write_text(text)
    return f"cmd:{sys.executable} {path}"
