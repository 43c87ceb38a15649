"""Helpers for the tests of comparisons: small plans and made-up measurements."""

import os
import select
import sys
from dataclasses import replace
from pathlib import Path

from ringdoku import Grid, Puzzle, ring_weights, solve
from ringdoku.compare.plan import Contender, Instance, Measurement, Outcome, Plan, Task, grid_of, grid_text
from ringdoku.compare.summary import Results
from ringdoku.solvers.registry import Progress

EASY = Puzzle.of_rows([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
"""One solution."""
OPEN = Puzzle.blank(4)
"""288 solutions."""
IMPOSSIBLE = Puzzle.of_rows([[1, 1, 0, 0], [0] * 4, [0] * 4, [0] * 4])


def plan(*backends: str, **changes: object) -> Plan:
    """Two 4×4 puzzles, one run each."""
    instances = (Instance("easy", EASY), Instance("open", OPEN))
    made = Plan(Task.SOLVE, instances, tuple(map(Contender, backends or ("search", "minisat22"))), time_limit=10.0)
    return replace(made, **changes)  # type: ignore[arg-type]


def solution(puzzle: Puzzle) -> str:
    grid = solve(puzzle, "search").grid
    assert isinstance(grid, Grid)
    return grid_text(grid)


def measurement(
    instance: str = "easy", backend: str = "search", seconds: float | None = 1.0, **changes: object
) -> Measurement:
    """A solved one."""
    puzzle = {"easy": EASY, "open": OPEN}[instance]
    made = Measurement(
        instance, "solve", backend, "", 0, Outcome.SATISFIABLE, grid=solution(puzzle), seconds=seconds, memory=20.0
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def script(folder: Path, text: str, name: str = "solver.py") -> str:
    """A backend that is a Python script; it is given the name of a DIMACS file."""
    path = folder / name
    path.write_text(text)
    return f"cmd:{sys.executable} {path}"


def has_ended(pid: int) -> bool:
    """Whether a process of this Linux machine is dead, or is so within a moment."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], 20)[0])
    finally:
        os.close(process)


def measured_results(name: str = "open") -> Results:
    """Two backends that maximise two puzzles, with what they knew over time on the one called `name`."""
    instances, runs = (Instance("easy", EASY), Instance(name, OPEN)), []
    for backend, seconds in (("search", 0.5), ("minisat22", 0.02)):
        for instance in instances:
            grid = solution(instance.puzzle)
            score = ring_weights(instance.puzzle.board).score(grid_of(grid, instance.puzzle.board))
            steps = (Progress(seconds / 2, None, score + 9), Progress(seconds, score, score + 3))
            phases = {"build_seconds": seconds / 2, "load_seconds": seconds / 2, "solve_seconds": seconds}
            counts = {"conflicts": int(1000 * seconds), "decisions": 2000, "propagations": 0}
            run = Measurement(
                *(instance.name, "maximise", backend, "", 0, Outcome.OPTIMAL, score, score),
                grid=grid,
                seconds=2 * seconds,
                cpu_seconds=2 * seconds,
                live=backend == "minisat22",
                trajectory=steps if instance.name == name else (),
            )
            runs.append(replace(run, **phases, **counts))  # type: ignore[arg-type]
    made = plan(task=Task.MAXIMISE, instances=instances, command="ringdoku compare my.txt --task maximise")
    return Results(made, {"cpu": "a machine"}, tuple(runs))
