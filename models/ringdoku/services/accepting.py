"""What people hold (texts, rows, arrays) as puzzles and objectives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Objective, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.formats import parse_one

PuzzleLike: TypeAlias = Puzzle | str | Iterable[Iterable[int]]
ObjectiveLike: TypeAlias = Objective | Iterable[Iterable[int]]


def as_puzzle(puzzle: PuzzleLike) -> Puzzle:
    """The puzzle itself; the only one in a text; the classic puzzle of n rows of n digits, 0 for a blank.

    Raises `InputError` for a text that holds no puzzle, `UsageError` for anything else.
    """
    if isinstance(puzzle, Puzzle):
        return puzzle
    if isinstance(puzzle, str):
        return parse_one(puzzle)
    return Puzzle.of_rows(_rows(puzzle, "a puzzle is a Puzzle, a text, or rows of digits, such as a NumPy array"))


def as_objective(objective: ObjectiveLike | None, puzzle: Puzzle) -> Objective:
    """The objective itself, that of rows of weights, or the ring weights for None; it has the size of the puzzle.

    Raises `UsageError` for anything else, `DimensionError` for another size.
    """
    if objective is None:
        objective = ring_weights(puzzle.board)
    if not isinstance(objective, Objective):
        accepted = "an objective is an Objective, or rows of weights, such as a NumPy array"
        objective = Objective.of_rows(_rows(objective, accepted))
    objective.fits(puzzle.board)
    return objective


def _rows(value: Any, accepted: str) -> list[Any]:
    """Raises `UsageError`, which says what is `accepted`, for what are no rows."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, dict)):
        rows = list(value)
        if all(isinstance(row, Iterable) and not isinstance(row, (str, bytes, dict)) for row in rows):
            return rows
    raise UsageError(f"{accepted}, not {type(value).__name__}")
