"""How long `maximise` takes to prove best scores, beside CP-SAT on the same puzzles in the same run.

    python benchmarks/maximise.py                 every figure, as a Markdown table
    python benchmarks/maximise.py 1 2 --limit 10  some of them, at most 10 s a puzzle

Seconds are wall-clock within the process, after one puzzle to load the packages. Puzzles come from a seed: random
solutions, then random clues kept. The figures:

1  9×9 with 24 to 30 clues, as the contests have them
2  9×9 with 0 to 23 clues
3  16×16 with 0 to 45 % clues
4  25×25 blank, and with 5 and 20 % clues
5  25×25, nearly determined, weights ±1 like a chess board, minimised
6  blank grids from 36×36 to 100×100
7  blank grids with random weights below 1000, which are seldom proved: how near does it come?
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, log
from pathlib import Path
from random import Random
from statistics import median

from pysat.solvers import Solver  # noqa: TID253 - a script, not the library

from ringdoku import Grid, Objective, Puzzle, Result, Sense, Session, Status, ring_weights
from ringdoku.domain.ruleset import classic
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.services.generator import random_solution

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from puzzles import keep_clues

SEED = 1
SQUARE = {order: classic(order) for order in (9, 16, 25)}


@dataclass(frozen=True)
class Rival:
    """A backend asked the same, for at most `limit` seconds a puzzle."""

    backend: str
    limit: float


@dataclass(frozen=True)
class Figure:
    """Puzzles of one kind, and whom to compare with."""

    name: str
    puzzles: Callable[[], Iterator[tuple[Puzzle, Objective]]]
    rivals: Sequence[Rival] = ()


def with_clues(order: int, counts: Sequence[int]) -> Iterator[tuple[Puzzle, Objective]]:
    """A puzzle for each number of clues, and the ring score."""
    ruleset, session = SQUARE[order], Session("minisat22")
    for number, count in enumerate(counts):
        random = Random(f"{SEED} {order} {number}")
        solution = random_solution(ruleset, random, session)
        yield keep_clues(ruleset, solution, count, random), ring_weights(ruleset.board)


def percentages(order: int, of_cells: Sequence[int], each: int) -> list[int]:
    return [round(order * order * percent / 100) for percent in of_cells for _ in range(each)]


def nearly_determined(count: int, clues: int) -> Iterator[tuple[Puzzle, Objective]]:
    """25×25: clues taken from a solution, some at a time, while a solver quickly sees that it stays the only one.

    That ends at about so many clues, a few more or less.
    """
    ruleset = SQUARE[25]
    n = ruleset.order
    chess_board = Objective(tuple((-1) ** (row + column) for row in range(n) for column in range(n)), Sense.MINIMISE)
    cnf = lower_to_cnf(Puzzle.blank(n)).cnf
    for number in range(count):
        random = Random(f"{SEED} near {number}")
        solution = random_solution(ruleset, random)
        literals = [cell * n + digit for cell, digit in enumerate(solution.digits)]
        with Solver(name="glucose4", bootstrap_with=cnf.clauses()) as solver:
            solver.add_clause([-literal for literal in literals])
            kept, waiting, some = set(literals), random.sample(literals, len(literals)), 40
            while waiting and len(kept) > clues:
                taken = set(waiting[: min(some, len(kept) - clues)])
                solver.conf_budget(1000)
                if solver.solve_limited(assumptions=sorted(kept - taken)) is False:
                    # clues that the proof did not need are not missed either
                    kept = set(solver.get_core())
                elif some > 1:
                    some //= 2
                    continue
                waiting = [literal for literal in waiting[len(taken) :] if literal in kept]
        digits = tuple(
            digit if literal in kept else 0 for literal, digit in zip(literals, solution.digits, strict=True)
        )
        yield Puzzle(ruleset, Grid(digits)), chess_board


def blank(*orders: int) -> Iterator[tuple[Puzzle, Objective]]:
    for order in orders:
        puzzle = Puzzle.blank(order)
        yield puzzle, ring_weights(puzzle.board)


def random_weights(order: int, count: int) -> Iterator[tuple[Puzzle, Objective]]:
    for number in range(count):
        random = Random(f"{SEED} {order} weights {number}")
        yield Puzzle.blank(order), Objective(tuple(random.choices(range(1000), k=order**2)))


BOOLEAN = "cpsat"
ALL_DIFFERENT = "cpsat-alldifferent"
SEVENTEEN = [17] * 5

FIGURES = {
    "1": [Figure("9×9, 24–30 clues", partial(with_clues, 9, [24 + number % 7 for number in range(100)]))],
    "2": [
        Figure("9×9, 0–23 clues", partial(with_clues, 9, [number % 24 for number in range(300)]), [Rival(BOOLEAN, 60)]),
        Figure("9×9, 17 clues", partial(with_clues, 9, SEVENTEEN), [Rival(ALL_DIFFERENT, 60)]),
    ],
    "3": [
        Figure(
            f"16×16, {percent} % clues",
            partial(with_clues, 16, percentages(16, [percent], 5)),
            [Rival(BOOLEAN, 60)],
        )
        for percent in (0, 5, 10, 20, 30, 35, 40, 45)
    ],
    "4": [
        Figure(
            f"25×25, {percent} % clues",
            partial(with_clues, 25, percentages(25, [percent], each)),
        )
        for percent, each in ((0, 1), (5, 3), (20, 3))
    ],
    "5": [Figure("25×25, nearly determined, chess board, minimised", partial(nearly_determined, 5, 265))],
    "6": [Figure(f"{order}×{order}, blank", partial(blank, order)) for order in (36, 49, 64, 81, 100)],
    "7": [
        Figure(f"{order}×{order}, random weights", partial(random_weights, order, count))
        for order, count in ((9, 20), (16, 5), (25, 3))
    ],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="*", choices=[*FIGURES, []], default=[], metavar="FIGURE")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds a puzzle, for our way")
    parser.add_argument("--no-rivals", action="store_true", help="measure our way only")
    arguments = parser.parse_args()
    print("| puzzles | proved | median s | worst s | widest gap | times as fast, geometric mean |")
    print("| --- | --- | --- | --- | --- | --- |")
    for chosen in arguments.figures or FIGURES:
        for figure in FIGURES[chosen]:
            print(measure(figure, arguments.limit, arguments.no_rivals), flush=True)


def measure(figure: Figure, limit: float, no_rivals: bool) -> str:
    """One row of the table. Ours and the rivals take turns puzzle by puzzle, so that a slow minute hits all alike."""
    ours, loaded = Session("lp-sat"), Puzzle.blank(4)
    rivals = {rival: Session(rival.backend) for rival in ([] if no_rivals else figure.rivals)}
    for session in (ours, *rivals.values()):
        session.maximise(loaded, ring_weights(loaded.board))
    results: list[Result] = []
    ratios: dict[Rival, list[float]] = {rival: [] for rival in rivals}
    for puzzle, objective in figure.puzzles():
        result = ours.maximise(puzzle, objective, limit)
        results.append(result)
        for rival, session in rivals.items():
            other = session.maximise(puzzle, objective, rival.limit)
            if Status.OPTIMAL is result.status is other.status and result.score != other.score:
                raise SystemExit(f"{figure.name}: {result.score} or {other.score}? {puzzle.clues.rows}")
            ratios[rival].append(other.seconds / result.seconds)
    seconds = [result.seconds for result in results]
    proved = sum(result.status is Status.OPTIMAL for result in results)
    faster = "; ".join(f"{geometric_mean(of):.1f} than {rival.backend}" for rival, of in ratios.items())
    return (
        f"| {figure.name} | {proved} of {len(results)} | {median(seconds):.3g} | {max(seconds):.3g}"
        f" | {max(map(gap, results))} | {faster} |"
    )


def gap(result: Result) -> int:
    """What is left between the best grid and the bound; −1 where no grid was found."""
    return -1 if result.score is None or result.bound is None else abs(result.bound - result.score)


def geometric_mean(numbers: Sequence[float]) -> float:
    return exp(sum(map(log, numbers)) / len(numbers))


if __name__ == "__main__":
    main()
