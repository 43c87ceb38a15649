"""How much the program adds to what it is made of: every ratio is between two runs of the same minutes.

    python benchmarks/speed.py puzzles.txt             every figure, as a Markdown table
    python benchmarks/speed.py puzzles.txt --most 2000 on the first puzzles only

`puzzles.txt` has 9×9 puzzles with one solution, 81 characters a line, 0 or . for blank. The runs of a figure take
turns, and the fastest of each counts. Seconds are of processors, children included, and by the clock, which alone tells
what several jobs gain, and only on a machine that is idle otherwise.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pysat.solvers import Solver  # noqa: TID253 - a script, not the library

from ringdoku import Grid, Puzzle, Session, ring_weights
from ringdoku.domain.ruleset import classic
from ringdoku.lowering.cnf import lower_to_cnf

TURNS = 5
NINE = classic(9)


@dataclass(frozen=True)
class Time:
    """Seconds of one run: of processors, and by the clock."""

    processor: float
    clock: float


def bare_loop(lines: Sequence[str]) -> None:
    """The puzzles with PySAT alone: the textbook formula in CaDiCaL 1.9.5, clues as assumptions, no check."""
    solver = Solver("cadical195", bootstrap_with=lower_to_cnf(Puzzle.blank(9)).cnf.clauses())
    for line in lines:
        clues = [cell * 9 + int(mark) for cell, mark in enumerate(line) if mark not in "0."]
        assert solver.solve(assumptions=clues)
        print("".join(str((literal - 1) % 9 + 1) for literal in solver.get_model() if literal > 0))


def measured(run: Callable[[], object]) -> Time:
    """Of this process and of those that it ended meanwhile."""
    before, start = os.times(), time.perf_counter()
    run()
    after = os.times()
    return Time(sum(after[:4]) - sum(before[:4]), time.perf_counter() - start)


def fastest(*runs: Callable[[], object]) -> list[Time]:
    """The least seconds of each run; they take turns, so that a busy machine is unfair to none."""
    times = [[measured(run) for run in runs] for _ in range(TURNS)]
    return [
        Time(min(each.processor for each in of_one), min(each.clock for each in of_one))
        for of_one in zip(*times, strict=True)
    ]


def command(*arguments: str) -> Callable[[], object]:
    """A whole process, start-up included; its output goes nowhere."""
    return lambda: subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)


def report(what: str, ours: Time, base: str, other: Time, count: int = 1) -> None:
    """A row of the table; times are for each of `count` puzzles."""
    row = (what, base, *(f"{1000 * seconds / count:.3g}" for seconds in (ours.processor, other.processor)))
    print(
        "|", " | ".join(row), f"| {ours.processor / other.processor:.2f} | {ours.clock / other.clock:.2f} |", flush=True
    )


def commands(path: str, count: int) -> None:
    """Start-up, and long inputs."""
    cli = ("-m", "ringdoku_cli")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as one:
        one.write(Path(path).read_text().split()[0] + "\n")
        one.flush()
        solve, imports = fastest(command(*cli, "solve", one.name), command("-c", "import numpy, pysat.solvers"))
    report("`solve` of one puzzle", solve, "`import numpy, pysat.solvers`", imports)
    shown, imports = fastest(command(*cli, "--help"), command("-c", "import typer, rich.console"))
    report("`--help`", shown, "`import typer, rich.console`", imports)
    bare = "bare loop over PySAT"
    for jobs in ("1", "2"):
        solve, loop = fastest(command(*cli, "solve", "--jobs", jobs, path), command(__file__, path, "--bare"))
        report(f"`solve --jobs {jobs}`", solve, bare, loop, count)
    unique, solve = fastest(
        command(*cli, "check", "--unique", "--jobs", "1", path), command(*cli, "solve", "--jobs", "1", path)
    )
    report("`check --unique`", unique, "`solve`", solve, count)


def questions(puzzles: Sequence[Puzzle]) -> None:
    """In one session."""
    session, weights = Session(), ring_weights(NINE.board)

    def solve() -> None:
        for puzzle in puzzles:
            session.solve(puzzle)

    def enumerate_two() -> None:
        for puzzle in puzzles:
            assert len(list(islice(session.solutions(puzzle), 2))) == 1

    def maximise() -> None:
        for puzzle in puzzles:
            session.maximise(puzzle, weights)

    def best(count: int) -> Callable[[], object]:
        # three clues less leave hundreds of solutions
        fewer = [Puzzle(NINE, _without(puzzle.clues, 3)) for puzzle in puzzles[:5]]
        return lambda: [list(session.best_solutions(puzzle, count, weights)) for puzzle in fewer]

    for question in (solve, enumerate_two, maximise):
        question()
    solved, unique, maximised = fastest(solve, enumerate_two, maximise)
    report("uniqueness in a session", unique, "`Session.solve`", solved, len(puzzles))
    report("`maximise` of one solution in a session", maximised, "`Session.solve`", solved, len(puzzles))
    twenty, one = fastest(best(20), best(1))
    report("the best 20 solutions", twenty, "the best", one, 5)


def _without(clues: Grid, count: int) -> Grid:
    given = [cell for cell, digit in enumerate(clues.digits) if digit][:count]
    return Grid(tuple(0 if cell in given else digit for cell, digit in enumerate(clues.digits)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles")
    parser.add_argument("--most", type=int)
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    lines = Path(chosen.puzzles).read_text().split()[: chosen.most]
    if chosen.bare:
        bare_loop(lines)
        return
    print("| what | beside | ms a puzzle | ms beside | ratio, processor | ratio, clock |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as some:
        some.writelines(f"{line}\n" for line in lines)
        some.flush()
        commands(some.name, len(lines))
    questions([Puzzle(NINE, Grid(tuple(int(mark.replace(".", "0")) for mark in line))) for line in lines[:1000]])


if __name__ == "__main__":
    main()
