"""Reasons: a solution step by step, how hard it is, why there is none or more than one, and why a score is best."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from ringdoku.domain.errors import DimensionError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.duality.bound import Bound
from ringdoku.explanations.explanation import Explanation, Rating, explain_steps
from ringdoku.explanations.graph import graph_of
from ringdoku.explanations.inferences import Candidate, Candidates
from ringdoku.explanations.path import Effort, Outcome, start_of, trimmed
from ringdoku.explanations.search import MOST_TRUTHS
from ringdoku.limits import Deadline
from ringdoku.services.accepting import ObjectiveLike, PuzzleLike, as_objective, as_puzzle
from ringdoku.services.bounding import bound
from ringdoku.services.session import Session

MOST_SOLUTIONS = 500
"""Solutions that are looked at to say which clues would decide between them."""

STEP_SECONDS = 10.0
"""For the proof that a step has the fewest truths."""

PROOF_SECONDS = 2.0
"""For the proof that a conflict is smallest."""


def explain(
    puzzle: PuzzleLike,
    time_limit: float | None = None,
    truths: int = MOST_TRUTHS,
    cases: bool = True,
    start: Candidates | None = None,
    fewest: bool = False,
) -> Explanation:
    """The steps to the solution, each checked: the smallest set of truths first, no larger than `truths`, 0 for
    singles only, and then, with `cases`, case splits.

    They start from the candidates `start`, a set of digits for each cell, or from what the clues leave. Without a
    solution among those they end in a contradiction; with several solutions they stop when none is left to find.
    `fewest`: of each step it is proved that no set of fewer truths of cells, units and rules refutes any candidate, or
    such a set is taken; a step says so where that takes more than `STEP_SECONDS`. At the time limit (seconds) the
    outcome is LIMIT, with the steps so far. Raises `UsageError` for `truths` out of range, and `DimensionError` for
    orders above 25.
    """
    if not 0 <= truths <= MOST_TRUTHS:
        raise UsageError(f"a step has up to {MOST_TRUTHS} truths, or 0 for singles, not {truths}")
    deadline = Deadline.asked(time_limit)
    puzzle = as_puzzle(puzzle)
    begun = start_of(puzzle) if start is None else start
    try:
        known = tuple(islice(Session().solutions(puzzle, time_limit), 2))
    except TimeLimitError:
        return Explanation(puzzle, begun, (), Outcome.LIMIT)
    if start is not None:
        known = tuple(grid for grid in known if all(d in begun[cell] for cell, d in enumerate(grid.digits)))
    # of several solutions a case split can refute none
    effort = Effort(truths, cases and len(known) < 2, known, deadline, STEP_SECONDS if fewest else 0)
    return explain_steps(puzzle, effort, begun)


def rate(puzzle: PuzzleLike, time_limit: float | None = None) -> Rating:
    """How hard the steps of `explain` are. Raises as it does."""
    return explain(puzzle, time_limit).rating


def marks_of(puzzle: Puzzle, player: Puzzle) -> Candidates:
    """Where a player stands, as a start for `explain`: what the clues leave, without digits that the player's grid and
    marks rule out in their own cells. `player` has digits as clues and marks as rules that allow some digits in a cell.

    Raises `DimensionError` for another board.
    """
    _require_one_board(puzzle, player)
    left = [*start_of(puzzle)]
    for cell, digits in player.ruleset.allowed.items():
        left[cell] &= digits
    for cell, digit in enumerate(player.clues.digits):
        if digit != puzzle.board.blank:
            left[cell] &= {digit}
    return tuple(left)


def continued(puzzle: Puzzle, player: Puzzle) -> Puzzle:
    """The puzzle with the player's digits as clues, so that none of them needs a step. Raises `DimensionError` for
    another board."""
    _require_one_board(puzzle, player)
    pairs = zip(puzzle.clues.digits, player.clues.digits, strict=True)
    return Puzzle(
        puzzle.ruleset,
        Grid(tuple(held if clue == puzzle.board.blank else clue for clue, held in pairs), puzzle.board),
    )


def _require_one_board(puzzle: Puzzle, player: Puzzle) -> None:
    if player.board != puzzle.board:
        raise DimensionError(f"marks of a {player.board} board do not fit one of {puzzle.board}")


def wrong_marks(puzzle: Puzzle, player: Puzzle, time_limit: float | None = None) -> tuple[Candidate, ...]:
    """Cells of which a player has ruled out the digit, with that digit; none for a puzzle with several solutions or
    none. Raises `DimensionError` for another board, and `TimeLimitError` at the limit."""
    left = marks_of(puzzle, player)
    known = tuple(islice(Session().solutions(puzzle, time_limit), 2))
    if len(known) != 1:
        return ()
    return tuple((cell, digit) for cell, digit in enumerate(known[0].digits) if digit not in left[cell])


@dataclass(frozen=True)
class Refutation:
    """Why there is no solution: `puzzle` has only clues and rules that conflict, the fewest there can be if `smallest`,
    and no step of `explanation`, which ends in a contradiction, is left out by the later ones."""

    puzzle: Puzzle
    smallest: bool
    explanation: Explanation


def why_none(puzzle: PuzzleLike, time_limit: float | None = None) -> Refutation | None:
    """Why a puzzle has no solution; None where it has one.

    Raises `TimeLimitError` at the limit when no conflict was found by then, and `DimensionError` for orders above 25.
    """
    # a formula and a solver, which nothing else here needs
    from ringdoku.explanations.small_sets import smallest_conflict

    deadline = Deadline.asked(time_limit)
    puzzle = as_puzzle(puzzle)
    # before a conflict is looked for, which takes long for large orders
    start_of(puzzle)
    left = deadline.remaining()
    conflict = smallest_conflict(
        puzzle, Deadline(min(PROOF_SECONDS, PROOF_SECONDS if left is None else left)), deadline
    )
    if conflict is None:
        return None
    begun = start_of(conflict.puzzle)
    found = explain_steps(conflict.puzzle, Effort(deadline=deadline), begun)
    if found.outcome is Outcome.CONTRADICTION:
        *steps, end = found.inferences
        kept = trimmed(graph_of(conflict.puzzle.ruleset), begun, steps, end)
        found = Explanation(conflict.puzzle, begun, (*kept, end), found.outcome)
    return Refutation(conflict.puzzle, conflict.smallest, found)


@dataclass(frozen=True)
class Ambiguity:
    """Why a puzzle has several solutions: two of them; `cells` in which solutions differ; clues `deciding` between
    all, each of which would leave one solution. `complete`: all solutions were looked at."""

    first: Grid
    second: Grid
    cells: tuple[int, ...]
    deciding: tuple[Candidate, ...]
    complete: bool


def why_several(puzzle: PuzzleLike, time_limit: float | None = None) -> Ambiguity | None:
    """Two solutions of a puzzle and how they could be told apart; None where it has none or one.

    With more than `MOST_SOLUTIONS` the deciding clues are not looked for. Raises `TimeLimitError` at the limit when
    fewer than two were found by then.
    """
    puzzle = as_puzzle(puzzle)
    found: list[Grid] = []
    complete = True
    try:
        for grid in Session().solutions(puzzle, time_limit):
            if len(found) == MOST_SOLUTIONS:
                complete = False
                break
            found.append(grid)
    except TimeLimitError:
        if len(found) < 2:
            raise
        complete = False
    if len(found) < 2:
        return None
    size = puzzle.board.cell_count
    different = tuple(cell for cell in range(size) if len({grid.digits[cell] for grid in found}) > 1)
    deciding: list[Candidate] = []
    for cell in different if complete else ():
        digits = [grid.digits[cell] for grid in found]
        deciding += [(cell, digit) for digit in sorted(set(digits)) if digits.count(digit) == 1]
    return Ambiguity(found[0], found[1], different, tuple(deciding), complete)


@dataclass(frozen=True)
class Prices:
    """Why no score is better: `result` has the best grid, `bound` the prices that prove a limit, checked."""

    result: Result
    bound: Bound


def why_best(
    puzzle: PuzzleLike, objective: ObjectiveLike | None = None, time_limit: float | None = None
) -> Prices | None:
    """The best score and the prices of its bound; None without a solution. Raises as `maximise` and `bound` do."""
    puzzle = as_puzzle(puzzle)
    weights = as_objective(objective, puzzle)
    proved = bound(puzzle, weights, time_limit)
    if proved is None:
        return None
    result = Session().maximise(puzzle, weights, time_limit)
    return None if result.status is Status.INFEASIBLE else Prices(result, proved)
