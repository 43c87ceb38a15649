"""Large grids: `python benchmarks/large_grids.py [FILE...]`, or `--encodings` for the table in `lowering/cnf.py`.

Each file, or without any each generated puzzle, goes through `ringdoku solve` in a process of its own: seconds of the
clock and of the processor, peak memory, answer. The puzzles are random clues of a shuffled pattern with traded digits,
from a seed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from ringdoku import Puzzle
from ringdoku.domain import pattern_solution
from ringdoku.domain.ruleset import classic
from ringdoku.limits import Deadline
from ringdoku.sat.options import EncodingOptions
from ringdoku.solvers.registry import BACKENDS, Run

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from puzzles import keep_clues, traded

LIMIT = 30.0
"""Seconds for a puzzle."""

ENCODED_LIMIT = 20.0
"""Seconds for a puzzle with each encoding."""

SHARES = {
    64: (60, 62, 65),
    81: (62, 65, 68),
    100: (64, 68, 72),
    144: (65, 70, 72),
    225: (65, 70, 74, 76),
    400: (65, 70, 76, 80),
}
"""Orders, and per cents of the cells that are clues."""

ENCODED = ((25, 0), (36, 0), (49, 0), (36, 42), (100, 68), (144, 70))
WAYS = (
    *(("minisat22", name) for name in ("pairwise", "bimander", "product", "commander", "bitwise", "ladder")),
    *((solver, name) for solver in ("glucose4", "cadical195") for name in ("pairwise", "bimander")),
)
"""Solvers and at-most-one encodings."""


def generated(order: int, per_cent: int) -> Puzzle:
    ruleset = classic(order)
    clues = ruleset.board.cell_count * per_cent // 100
    random = Random("0 0")
    solution = traded(ruleset, pattern_solution(ruleset), random)
    # takes a number from the generator, as when the figures were measured
    return keep_clues(ruleset, solution, random.randint(clues, clues), random)


def files(folder: Path) -> Iterator[Path]:
    for order, shares in SHARES.items():
        for per_cent in shares:
            path = folder / f"{order}x{order}, {per_cent} % clues"
            rows = generated(order, per_cent).clues.rows
            path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
            yield path


def solve_each(paths: Iterator[Path]) -> None:
    print("| puzzle | answer | seconds | processor | peak MiB |\n| --- | --- | --- | --- | --- |")
    script = Path(sysconfig.get_path("scripts"), "ringdoku")
    answers = {0: "solved", 1: "no solution", 3: f"none in {LIMIT:.0f} s"}
    for path in paths:
        start = time.perf_counter()
        process = subprocess.Popen([script, "solve", "--time-limit", str(LIMIT), path], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        answer = answers.get(process.returncode, f"exit {process.returncode}")
        processor = usage.ru_utime + usage.ru_stime
        seconds = time.perf_counter() - start
        print(f"| {path.name} | {answer} | {seconds:.2f} | {processor:.2f} | {usage.ru_maxrss >> 10} |", flush=True)


def solve_encoded() -> None:
    print("| puzzle | solver | at most one | clauses | processor | answer |\n" + "| --- " * 6 + "|")
    for order, per_cent in ENCODED:
        puzzle = generated(order, per_cent)
        for solver, at_most_one in WAYS:
            backend = BACKENDS[solver].open(EncodingOptions(at_most_one=at_most_one, presolve=True))
            start = time.process_time()
            result = backend.solve(puzzle, Run(Deadline(ENCODED_LIMIT)))
            seconds = time.process_time() - start
            print(
                f"| {order}x{order} with {per_cent} % clues | {solver} | {at_most_one} | "
                f"{result.statistics.get('clauses', '-')} | {seconds:.2f} | {result.status.value} |",
                flush=True,
            )


if __name__ == "__main__":
    if "--encodings" in sys.argv:
        solve_encoded()
    elif len(sys.argv) > 1:
        solve_each(map(Path, sys.argv[1:]))
    else:
        with tempfile.TemporaryDirectory() as name:
            solve_each(files(Path(name)))
