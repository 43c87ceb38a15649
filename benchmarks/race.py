"""Single hard puzzles: `python benchmarks/race.py FILE...` compares races and turns with bare SAT solvers.

For each puzzle, the processor seconds of four bare solvers of PySAT to find all solutions and refute the rest, on our
formula; of `solve`, and of the best and worst score for ring weights and for a chess board of +1 and −1, with one job
and with two. With two the seconds are those of the busier process, what the clock says when nothing else runs, with the
start of the rival. The last column is their ratio to the best bare solver.

`--cost` compares one job with two on generated 9×9 puzzles, which need no race: the seconds of all processes, every
puzzle asked once with each in turn.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from ringdoku import Objective, Puzzle, Sense, Session, Status, ring_weights
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.result import Result
from ringdoku.domain.ruleset import classic
from ringdoku.limits import NEVER, Deadline, apart
from ringdoku.lowering.cnf import lower_by_size
from ringdoku.services.generate import random_puzzles
from ringdoku.solvers.incremental import IncrementalSolver
from ringdoku.text import read_puzzles

SOLVERS = ("cadical195", "cadical153", "glucose4", "minisat22")
MOST_SOLUTIONS = 50
EASY = 300
"""Puzzles for `--cost`."""

Ask: TypeAlias = Callable[..., Result]


def bare(puzzle: Puzzle, solver_name: str) -> float:
    """Processor seconds for all solutions and the proof that there are no more, or for `MOST_SOLUTIONS`."""
    start = time.process_time()
    formula = lower_by_size(puzzle)
    with IncrementalSolver(solver_name, formula.cnf) as solver:
        for _ in range(MOST_SOLUTIONS):
            if not solver.is_satisfiable():
                break
            clause = formula.digits.clause_against(formula.decode(solver.model()))
            if not clause:
                break
            solver.add([clause])
    return time.process_time() - start


def best_bare(puzzle: Puzzle, limit: float) -> tuple[float, str]:
    """The fastest solver; a slower one is stopped soon after its time."""
    best, name = limit, "none"
    for solver_name in SOLVERS:
        try:
            seconds = apart(partial(bare, puzzle, solver_name), Deadline(2 * best + 1))
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


def measured(ask: Ask, jobs: int, limit: float) -> tuple[Result, float]:
    """The result and the processor seconds of the busier process."""
    session = Session(jobs=jobs)
    # loads the packages
    session.maximise(Puzzle.blank(4))
    before = time.process_time()
    result = ask(session, time_limit=limit)
    seconds = time.process_time() - before
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, max(seconds, (others.ru_utime + others.ru_stime) / max(jobs - 1, 1))


def processor_seconds() -> float:
    """Of this process and of those that it ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def print_cost() -> None:
    puzzles = list(random_puzzles(classic(9), 0, 30, EASY))
    sessions = [Session(jobs=jobs) for jobs in (1, 2)]
    for question in ("solve", "maximise"):
        seconds = [0.0, 0.0]
        for place, puzzle in enumerate([puzzles[0], *puzzles]):
            for which in (0, 1) if place % 2 else (1, 0):
                before = processor_seconds()
                getattr(sessions[which], question)(puzzle)
                # the first one loads the packages
                seconds[which] += processor_seconds() - before if place else 0
        one, two = seconds
        print(f"{question}: {one:.3f} s with one job, {two:.3f} with two, {two / one:.3f} times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of the clock for each question")
    parser.add_argument("--only", default="", help="only questions that begin so")
    parser.add_argument("--cost", action="store_true", help="what races cost where none is needed")
    options = parser.parse_args()
    if options.cost:
        print_cost()
        return
    if not options.files:
        parser.error("a file is missing, or --cost")
    print("| puzzle | best bare solver | question | answer | one job | two jobs | by | ratios |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for path in options.files:
        (puzzle,) = read_puzzles(path.read_text())
        best, name = best_bare(puzzle, options.limit)
        for question, ask in questions(puzzle).items():
            if not question.startswith(options.only):
                continue
            (one, alone), (two, busier) = (apart(partial(measured, ask, jobs, options.limit), NEVER) for jobs in (1, 2))
            assert Status.UNKNOWN in (one.status, two.status) or one.score == two.score or not two.status.is_final
            answer = f"{two.status.value}{'' if two.score is None else f' {two.score}'}"
            ratios = ", ".join(f"{seconds / best:.1f}" for seconds in (alone, busier))
            print(
                f"| {path.stem} | {name} {best:.2f} | {question} | {answer} | {alone:.2f} | {busier:.2f} "
                f"| {two.backend} | {ratios} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
