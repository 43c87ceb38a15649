"""Whether every way to best scores finds the same: `python benchmarks/agree.py [COUNT] [--seed S] [--limit SECONDS]`.

Each of COUNT generated puzzles of orders 4 to 16, some without a solution, with weights of some kind, is asked of
`lp-sat`, of every other optimiser for at most the limit, and, where it has few solutions, of all of them one by one:
the best score then has to be the highest or lowest of theirs, and the following ones those that follow. Ends with one
line of numbers, or at the first disagreement, with status 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from random import Random

from ringdoku import Grid, Objective, Puzzle, Ruleset, Sense, Session, Status, ring_weights
from ringdoku.domain import pattern_solution
from ringdoku.domain.objective import MAX_WEIGHT
from ringdoku.domain.ruleset import classic
from ringdoku.services.generator import shuffled
from ringdoku.solvers.registry import BACKENDS, Ability

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from puzzles import keep_clues

BOXES = ((2, 2), (1, 5), (5, 1), (2, 3), (3, 2), (1, 7), (2, 4), (4, 2), (3, 3), (2, 5), (3, 4), (4, 3), (3, 5), (4, 4))
FEW = 2000
"""Up to so many solutions are looked at one by one."""
FOLLOWING = 3
"""So many best solutions are asked for where all are known."""
PATIENCE = 20
"""Times the limit of the others that `lp-sat` has."""

Weights = Callable[[Ruleset, Random], tuple[int, ...]]


def drawn(low: int, high: int) -> Weights:
    return lambda ruleset, random: tuple(random.randint(low, high) for _ in range(ruleset.board.cell_count))


def chess_board(ruleset: Ruleset, _: Random) -> tuple[int, ...]:
    return tuple((-1) ** sum(divmod(cell, ruleset.order)) for cell in range(ruleset.board.cell_count))


WEIGHTS: Mapping[str, Weights] = {
    "ring": lambda ruleset, _: ring_weights(ruleset.board).weights,
    "chess board": chess_board,
    "equal": lambda ruleset, random: (random.randint(-9, 9),) * ruleset.board.cell_count,
    "zero": drawn(0, 0),
    "small": drawn(-3, 3),
    "negative": drawn(-20, -1),
    "huge": drawn(-MAX_WEIGHT, MAX_WEIGHT),
    "sparse": lambda ruleset, random: tuple(random.choices((0, 1), (5, 1), k=ruleset.board.cell_count)),
}


def instance(random: Random) -> tuple[str, Puzzle, Objective]:
    """One in six has a clue changed, after which there is hardly a solution left."""
    box = random.choice(BOXES)
    ruleset = classic(box[0] * box[1], box)
    cells = ruleset.board.cell_count
    least, most = (0, cells) if ruleset.order < 7 else (cells * 35 // 100, cells * 55 // 100)
    solution = shuffled(ruleset, pattern_solution(ruleset), random)
    digits = list(keep_clues(ruleset, solution, random.randint(least, most), random).clues.digits)
    if random.random() < 1 / 6:
        digits[random.randrange(cells)] = random.randint(1, ruleset.order)
    kind, sense = random.choice(list(WEIGHTS)), random.choice(list(Sense))
    return kind, Puzzle(ruleset, Grid(tuple(digits))), Objective(WEIGHTS[kind](ruleset, random), sense)


class Agreement:
    """The ways, kept live, and how often each had an answer."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.answers: Counter[str] = Counter()
        self.ours, self.all_of_them = Session("lp-sat"), Session("glucose4")
        optimisers = [name for name, row in BACKENDS.items() if Ability.OPTIMISE in row.abilities]
        self.others = {name: Session(name) for name in optimisers if name != "lp-sat"}

    def differences(self, puzzle: Puzzle, objective: Objective) -> list[str]:
        """What the ways do not agree on, as messages."""
        found = self.ours.maximise(puzzle, objective, self.limit * PATIENCE)
        if not found.status.is_final:
            return []
        answers = {"lp-sat": found.score}
        grids = list(islice(self.all_of_them.solutions(puzzle), FEW + 1))
        few = len(grids) <= FEW
        for name, session in self.others.items():
            result = session.maximise(puzzle, objective, self.limit)
            if result.status.is_final:
                answers[name] = result.score
        if few:
            scores = sorted(map(objective.score, grids), reverse=objective.sense is Sense.MAXIMISE)
            answers["enumeration"] = scores[0] if scores else None
            following = list(self.ours.best_solutions(puzzle, FOLLOWING, objective, self.limit * PATIENCE))
            best = [result.score for result in following if result.status is Status.OPTIMAL]
            in_time = all(result.status.is_final for result in following)
            if best != scores[: FOLLOWING if in_time else len(best)]:
                return [f"the best scores are {best} by lp-sat and {scores[:FOLLOWING]} of all solutions"]
        self.answers.update(answers.keys())
        self.answers["infeasible"] += found.score is None
        return [f"{name} says {score}, lp-sat {found.score}" for name, score in answers.items() if score != found.score]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=2.0, help="seconds a puzzle, for each of the other ways")
    arguments = parser.parse_args()
    agreement = Agreement(arguments.limit)
    for number in range(arguments.count):
        kind, puzzle, objective = instance(Random(f"{arguments.seed} {number}"))
        if differences := agreement.differences(puzzle, objective):
            print(f"number {number}: {puzzle.ruleset}, {kind} weights, {objective.sense.value}", *differences, sep="\n")
            print(puzzle.clues.rows, objective.weights, sep="\n")
            return 1
    print(f"{arguments.count} puzzles, no disagreement; answers:", *(f"{k} {v}" for k, v in agreement.answers.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
