"""What people hold (texts, rows, arrays) as puzzles and objectives."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any, TypeAlias

from ringdoku.domain.errors import InputError, Place, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import whole_numbers
from ringdoku.domain.objective import Objective, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text import parse_one, read_stated

PuzzleLike: TypeAlias = Puzzle | str | Iterable[Iterable[int]]
GridLike: TypeAlias = Grid | str | Iterable[Iterable[int]]
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


def as_grid(grid: GridLike, puzzle: Puzzle) -> tuple[Grid, int | None]:
    """The grid itself; the only one in a text, and the score above it; that of rows of digits on the puzzle's board,
    or of n rows of n digits.

    Raises `InputError` for a text that does not hold one grid, `UsageError` for anything else.
    """
    if isinstance(grid, Grid):
        return grid, None
    if isinstance(grid, str):
        return _grid_of_text(grid, puzzle)
    rows = _rows(grid, "a grid is a Grid, a text, or rows of digits, such as a NumPy array")
    board = puzzle.board
    digits = [whole_numbers(row, "digits") for row in rows]
    if not board.extra and [len(row) for row in digits] == [board.columns] * board.rows:
        return Grid(tuple(digit for row in digits for digit in row), board), None
    return Grid.of_rows(digits), None


def _grid_of_text(text: str, puzzle: Puzzle) -> tuple[Grid, int | None]:
    stream = BytesIO(text.encode("utf-8", "surrogatepass"))
    answers = []
    for answer in read_stated(stream, "<grid>", puzzle.ruleset.box, lambda: puzzle.board):
        if isinstance(answer, InputError):
            raise answer
        answers.append(answer)
    grids = [answer.entry for answer in answers if answer.entry]
    if len(answers) != 1 or not grids:
        place = answers[-1].place if answers else Place("<grid>", 1, 1)
        found = "a second answer" if len(answers) > 1 else "an answer without a grid" if answers else "nothing"
        raise InputError(place, found, "one grid")
    return grids[0].puzzle.clues, answers[0].score


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
