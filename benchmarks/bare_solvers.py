"""Single hard puzzles: `python benchmarks/bare_solvers.py FILE...` compares ours with bare SAT solvers.

For each puzzle, the processor seconds of four bare solvers of PySAT to find all solutions and refute the rest, on our
formula; of `solve`, and of the best and worst score for ring weights and for a chess board of +1 and −1. The last
column is their ratio to the best bare solver.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from ringdoku import Objective, Puzzle, Sense, Session, ring_weights
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.result import Result
from ringdoku.limits import NEVER, Deadline, run_in_process
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.solvers.incremental import IncrementalSolver
from ringdoku.text import read_puzzles

SOLVERS = ("cadical195", "cadical153", "glucose4", "minisat22")
MOST_SOLUTIONS = 50

Ask: TypeAlias = Callable[..., Result]


def bare(puzzle: Puzzle, solver_name: str) -> float:
    """Processor seconds for all solutions and the proof that there are no more, or for `MOST_SOLUTIONS`."""
    start = time.process_time()
    formula = lower_to_cnf(puzzle, None)
    with IncrementalSolver(solver_name, formula.cnf) as solver:
        for _ in range(MOST_SOLUTIONS):
            if not solver.is_satisfiable():
                break
            clause = formula.digits.blocking_clause(formula.digits.decode(solver.assignment()))
            if not clause:
                break
            solver.add([clause])
    return time.process_time() - start


def best_bare(puzzle: Puzzle, limit: float) -> tuple[float, str]:
    """The fastest solver; a slower one is stopped soon after its time."""
    best, name = limit, "none"
    for solver_name in SOLVERS:
        try:
            seconds = run_in_process(partial(bare, puzzle, solver_name), Deadline(2 * best + 1))
        except TimeLimitError:
            continue
        if seconds < best:
            best, name = seconds, solver_name
    return best, name


def questions(puzzle: Puzzle) -> dict[str, Ask]:
    n = puzzle.order
    board = tuple(1 if (cell // n + cell % n) % 2 == 0 else -1 for cell in range(n * n))
    asked: dict[str, Ask] = {"solve": partial(Session.solve, puzzle=puzzle)}
    for sense in Sense:
        for name, objective in (("ring", ring_weights(puzzle.board, sense)), ("chess board", Objective(board, sense))):
            asked[f"{name}, {sense.value}"] = partial(Session.maximise, puzzle=puzzle, objective=objective)
    return asked


def measured(ask: Ask, limit: float) -> tuple[Result, float]:
    """The result and the processor seconds."""
    session = Session()
    # loads the packages
    session.maximise(Puzzle.blank(4))
    before = time.process_time()
    result = ask(session, time_limit=limit)
    return result, time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of the clock for each question")
    parser.add_argument("--only", default="", help="only questions that begin so")
    options = parser.parse_args()
    print("| puzzle | best bare solver | question | answer | seconds | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    for path in options.files:
        (puzzle,) = read_puzzles(path.read_text())
        best, name = best_bare(puzzle, options.limit)
        for question, ask in questions(puzzle).items():
            if not question.startswith(options.only):
                continue
            result, seconds = run_in_process(partial(measured, ask, options.limit), NEVER)
            answer = f"{result.status.value}{'' if result.score is None else f' {result.score}'}"
            row = path.stem, f"{name} {best:.2f}", question, answer, f"{seconds:.2f}", f"{seconds / best:.1f}"
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
