"""How long inputs compare with a bare loop over the fastest solver of PySAT on the same formula, on one core.

    python benchmarks/long_inputs.py hard.txt harder.txt           every figure, as a Markdown table
    python benchmarks/long_inputs.py hard.txt harder.txt --lines 5000 --easy 20000

The files have 9×9 puzzles with one solution, 81 characters a line, 0 or . for blank. `--lines` puzzles are made from
the first file: each is one of it in another order of digits, rows and columns, so that no solver sees one twice.
`--easy` are such puzzles with 20 more clues; the bare loop gets 10,000 of them. The second file is taken as it is.

The loop and the program run in turns, each a process with its start-up. A ratio is the median of those of the turns:
how many times as fast the program is. Processor seconds include those of the program's own processes, and memory is
the peak of the largest one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from pysat.solvers import Solver  # noqa: TID253 - a script, not the library

from ringdoku import Puzzle, Session
from ringdoku.lowering.cnf import lower_to_cnf

SOLVERS = ("cadical153", "cadical195", "minisat22", "glucose4")
"""Those of PySAT that are fast on 9×9."""
TRIED = 5000
"""Puzzles that show which solver is the fastest: some get slower as their learnt clauses pile up."""
MORE_CLUES = 20
FEW = 10_000
"""Easy puzzles that the bare loop gets too."""


class Run(NamedTuple):
    """Seconds by the clock and of processors, and the most memory of one process in MiB."""

    clock: float
    processor: float
    memory: float


def bare_loop(lines: Sequence[str], solver_name: str) -> None:
    """The puzzles with PySAT alone: the textbook formula, clues as assumptions, no check."""
    solver = Solver(solver_name, bootstrap_with=lower_to_cnf(Puzzle.blank(9)).cnf.clauses())
    for line in lines:
        clues = [cell * 9 + int(mark) for cell, mark in enumerate(line) if mark not in "0."]
        assert solver.solve(assumptions=clues)
        print("".join(str((literal - 1) % 9 + 1) for literal in solver.get_model() if literal > 0))


def shuffled(lines: Sequence[str], count: int, random: Random) -> Iterator[str]:
    """So many puzzles that are those of the lines in another order, the same one until the lines begin again: what a
    solver learns from a puzzle helps with those that are like it, which often are next to it."""
    for number in range(count):
        if number % len(lines) == 0:
            digits = str.maketrans("123456789", "".join(random.sample("123456789", 9)))
            rows, columns = (
                [3 * band + line for band in random.sample(range(3), 3) for line in random.sample(range(3), 3)]
                for _ in range(2)
            )
        line = lines[number % len(lines)].replace(".", "0")
        yield "".join(line[9 * row + column] for row in rows for column in columns).translate(digits)


def with_more_clues(lines: Sequence[str], random: Random) -> list[str]:
    """The puzzles with more clues of their solutions."""
    session, easier = Session(), []
    for line in lines:
        solution = session.solve(line).grid
        assert solution
        marks = list(line)
        for cell in random.sample([cell for cell, mark in enumerate(line) if mark in "0."], MORE_CLUES):
            marks[cell] = str(solution.digits[cell])
        easier.append("".join(marks))
    return easier


def measured(*arguments: str) -> Run:
    """A whole process; its output goes nowhere."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    clock = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return Run(clock, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def report(what: str, path: Path, turns: int, solver_name: str | None) -> None:
    """Rows of the table for one input; the program alone where no solver is named."""
    for jobs in ("1", "2"):
        ours, bare = [], []
        for _ in range(turns):
            ours.append(measured("-m", "ringdoku_cli", "solve", "--jobs", jobs, str(path)))
            if solver_name:
                bare.append(measured(__file__, str(path), "--bare", solver_name))
        seconds = [f"{median(run.clock for run in ours):.2f}", f"{median(run.processor for run in ours):.2f}"]
        beside = ["", "", "", ""]
        if bare:
            beside = [
                f"{median(run.clock for run in bare):.2f}",
                f"{median(run.processor for run in bare):.2f}",
                f"{median(other.clock / run.clock for run, other in zip(ours, bare, strict=True)):.2f}",
                f"{median(other.processor / run.processor for run, other in zip(ours, bare, strict=True)):.2f}",
            ]
        print(
            "|", " | ".join((what, jobs, *seconds, *beside, f"{max(run.memory for run in ours):.0f}")), "|", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles")
    parser.add_argument("harder", nargs="?")
    parser.add_argument("--lines", type=int, default=50_000)
    parser.add_argument("--easy", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--bare", metavar="SOLVER", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    lines = Path(chosen.puzzles).read_text().split()
    if chosen.bare:
        bare_loop(lines, chosen.bare)
        return
    with tempfile.TemporaryDirectory() as folder:
        tried, hard, few, easy = (Path(folder) / name for name in ("tried", "hard", "few", "easy"))
        random = Random(1)
        tried.write_text("\n".join(shuffled(lines, TRIED, random)) + "\n")
        costs = {name: measured(__file__, str(tried), "--bare", name).processor for name in SOLVERS}
        solver_name = min(costs, key=costs.__getitem__)
        print(f"The bare loop has {solver_name}.\n")
        print("| input | jobs | s by the clock | s of processors | bare | bare | times as fast | by processor | MiB |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        hard.write_text("\n".join(shuffled(lines, chosen.lines, random)) + "\n")
        report(f"{chosen.lines:,} of {Path(chosen.puzzles).name}", hard, chosen.turns, solver_name)
        if chosen.harder:
            harder = Path(chosen.harder)
            report(f"{len(harder.read_text().split())} of {harder.name}", harder, chosen.turns, solver_name)
        easier = with_more_clues(lines[:TRIED], random)
        # the length may change the memory, and nothing else
        for path, count, beside in ((few, FEW, solver_name), (easy, chosen.easy, None)):
            with path.open("w") as stream:
                stream.writelines(f"{line}\n" for line in shuffled(easier, count, random))
            report(f"{count:,} easy ones", path, chosen.turns if beside else 1, beside)


if __name__ == "__main__":
    main()
