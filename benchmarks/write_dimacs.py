"""Build and write the formula of the blank 36×36: `python benchmarks/write_dimacs.py`.

Speeds are the best of five. Peak memory is the whole process's, interpreter and numpy with it.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

from ringdoku import Puzzle
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.formula import Cnf, write_dimacs


def main(path: Path) -> None:
    start = time.perf_counter()
    cnf = lower_to_cnf(Puzzle.blank(36)).cnf
    print(f"build: {time.perf_counter() - start:.2f} s for {cnf.num_clauses} clauses")
    writing = min(seconds_to_write(cnf, path) for _ in range(5))
    size = path.stat().st_size
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"write: {size / 1e6 / writing:.0f} MB/s, {cnf.num_clauses / 1e6 / writing:.1f} million clauses/s")
    print(f"peak memory: {peak / 1e6:.0f} MB, {peak / cnf.literals.nbytes:.1f} times the array")


def seconds_to_write(cnf: Cnf, path: Path) -> float:
    start = time.perf_counter()
    with path.open("wb") as stream:
        write_dimacs(cnf, stream)
    return time.perf_counter() - start


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        main(Path(name, "36.cnf"))
