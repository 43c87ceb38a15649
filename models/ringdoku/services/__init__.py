"""What a Python user calls: one question, one checked answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from ringdoku.backends.base import Progress
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result
from ringdoku.services.bounding import bound
from ringdoku.services.session import Session, require_count
from ringdoku.services.true_candidates import candidates

__all__ = [
    "Session",
    "best_solutions",
    "bound",
    "candidates",
    "count_solutions",
    "maximise",
    "minimise",
    "refute",
    "solutions",
    "solve",
]


def solve(puzzle: Puzzle, backend: str = "auto", time_limit: float | None = None, seed: int = 0) -> Result:
    """Any one solution of `puzzle`, checked.

    `time_limit` in seconds; status satisfiable, infeasible, or unknown at the limit. Where infeasible is the word of a
    `cmd:` program that wrote no proof, `word_of` of the result names it. `seed` matters to backends with random
    choices: `cpsat`, and `lp-sat` on large blank boards. For many puzzles a `Session` is much faster, since its solver
    stays live. Raises `UsageError` for an unknown backend, `MissingPackageError` when its package is missing.
    """
    return Session(backend, seed).solve(puzzle, time_limit)


def refute(puzzle: Puzzle, backend: str = "auto", time_limit: float | None = None, seed: int = 0) -> Result:
    """As `solve`; when there is no solution, `proof` holds the steps of a DRAT proof of that, which was checked.

    It is about the textbook formula, clues included: what `ringdoku export --to cnf --no-presolve` writes.
    Raises as `solve` does, `UsageError` also for a backend that writes no proofs.
    """
    return Session(backend, seed).refute(puzzle, time_limit)


def maximise(
    puzzle: Puzzle,
    objective: Objective | None = None,
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """A solution of best score, proved and checked; the objective is the ring weights when None.

    An objective's own sense is kept, so one that minimises is minimised. Status optimal or infeasible; at the time
    limit (seconds) feasible with the best grid and bound so far, or unknown. `on_progress` is called with each better
    score or bound. Raises as `solve` does, and `DimensionError` for weights of another order.
    """
    objective = objective or ring_weights(puzzle.board)
    return Session(backend, seed).optimise(puzzle, objective, time_limit, on_progress)


def minimise(
    puzzle: Puzzle,
    objective: Objective | None = None,
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Result:
    """`maximise` turned round: a solution of lowest score for the objective's weights."""
    weights = (objective or ring_weights(puzzle.board)).weights
    return maximise(puzzle, Objective(weights, Sense.MINIMISE), backend, time_limit, seed, on_progress)


def best_solutions(
    puzzle: Puzzle,
    count: int,
    objective: Objective | None = None,
    backend: str = "auto",
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Iterator[Result]:
    """The `count` best different solutions in order, each proved to be next, as they are found; fewer when there are
    no more. Different solutions may have equal scores.

    The first is what `maximise` gives, infeasible for a puzzle without a solution. At the time limit (seconds, for all
    together) the last one is feasible, not proved to be next, or unknown. Raises as `maximise` does.
    """
    objective = objective or ring_weights(puzzle.board)
    return Session(backend, seed).best_solutions(puzzle, objective, count, time_limit, on_progress)


def solutions(puzzle: Puzzle, backend: str = "auto", time_limit: float | None = None, seed: int = 0) -> Iterator[Grid]:
    """Every solution of `puzzle` once, checked, as it is found. Raises `TimeLimitError` at the limit."""
    return Session(backend, seed).enumerate(puzzle, time_limit)


def count_solutions(
    puzzle: Puzzle, at_most: int | None = None, backend: str = "auto", time_limit: float | None = None
) -> int:
    """How many solutions there are, counted one by one and no further than `at_most` ≥ 1: 2 answers whether unique.

    Raises `UsageError` for an `at_most` below 1, `TimeLimitError` when the limit comes before the last is counted.
    """
    if at_most is not None:
        require_count(at_most)
    return sum(1 for _ in islice(solutions(puzzle, backend, time_limit), at_most))
