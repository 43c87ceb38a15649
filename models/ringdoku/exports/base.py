"""What the formats share: the request for a file, what a model optimises, rules as statements, and lines of text."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ringdoku.domain import LARGEST_EXACT, Board, Constraint, Objective, Puzzle, UsageError
from ringdoku.domain.primitives import AllDifferent, Linear, Primitive
from ringdoku.duality.projection import projected
from ringdoku.sat.formula import Literals
from ringdoku.sat.options import EncodingOptions


@dataclass(frozen=True)
class ModelObjective:
    """score = constant + factor·value, exactly, for the value that a solver minimises or maximises. That is
    Σ coefficients·digit over the cells of the grid, but for formats that state another. What was read has no
    coefficients."""

    objective: Objective
    constant: int
    factor: int
    coefficients: tuple[int, ...] = ()

    @staticmethod
    def of(puzzle: Puzzle, objective: Objective, on_fewer_cells: bool) -> "ModelObjective":
        """The objective itself, or an equal one on fewer cells. Raises `UsageError` for weights whose sums would not
        fit in 64 bits."""
        made = ModelObjective(objective, 0, 1, objective.weights)
        if on_fewer_cells:
            projection = projected(puzzle, objective)
            made = ModelObjective(objective, projection.constant, projection.step, projection.coefficients)
        if sum(map(abs, made.coefficients)) * puzzle.board.largest >= LARGEST_EXACT:
            raise UsageError("the weights are too large: sums of them would not fit the 64 bits of other programs")
        return made

    @property
    def verb(self) -> str:
        """`maximize` or `minimize`, as the formats write it."""
        return self.objective.sense.value.replace("ise", "ize")


@dataclass(frozen=True)
class Request:
    """What to write: a puzzle, in a format; the statements of its rules in that format; its goal (None without
    objective), and the encoding. A formula may have a numbering of `numbers_of`, and be one of `PARTS`."""

    format_name: str
    puzzle: Puzzle
    statements: Sequence[tuple[Primitive, Any]]
    goal: ModelObjective | None
    encoding: EncodingOptions
    numbering: str = ""
    part: str = ""


def numbers_of(board: Board, numbering: str) -> Literals:
    """(cells, digits) the variable of each digit in each cell as textbooks number them: `plain` from 1 without gaps,
    cell after cell, or `rcd`, 100·row + 10·column + digit. Raises `UsageError` for a board that has no such numbers."""
    if numbering == "plain":
        return np.arange(1, board.cell_count * board.order + 1, dtype=np.int32).reshape(-1, board.order)
    if max(board.rows, board.columns, board.digits[-1]) > 9 or board.least < 1 or board.extra:
        raise UsageError(f"the names rcd are for boards of up to 9x9 with digits from 1, not for {board}")
    rows, columns = np.divmod(np.arange(board.cell_count, dtype=np.int32), board.columns)
    first: Literals = 100 * rows + 10 * columns + 110
    return first[:, None] + np.array(board.digits, dtype=np.int32)


class UnsupportedConstraintError(Exception):
    """A primitive that a format cannot state; the text is the reason."""


def statements(
    constraint: Constraint, board: Board, state: Callable[[Primitive, Board], object]
) -> list[tuple[Primitive, object]]:
    """Every primitive of a constraint with its statement: an `AllDifferent` for each house, then the rest. Raises
    `UnsupportedConstraintError` if `state` does."""
    houses = (AllDifferent(house.cells, house.name) for house in constraint.houses(board))
    return [(primitive, state(primitive, board)) for primitive in (*houses, *constraint.primitives(board))]


def require_64_bits(coefficients: Iterable[int], limits: Iterable[int | None], board: Board) -> None:
    """Raise `UnsupportedConstraintError` for a sum of digits that may overflow in other programs."""
    if sum(map(abs, coefficients)) * board.largest + sum(abs(limit or 0) for limit in limits) >= LARGEST_EXACT:
        raise UnsupportedConstraintError("its numbers do not fit the 64 bits of programs that read the format")


def require_64_bit_sums(primitive: Primitive, board: Board) -> None:
    """The same for a primitive of a format that writes rows, or clauses for what has no rows."""
    if isinstance(primitive, Linear):
        require_64_bits(primitive.coefficients, (primitive.total,), board)


def wrapped(words: Iterable[str], width: int = 78) -> Iterator[str]:
    """The words on indented lines of at most `width` characters, or one word, since readers limit lines."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else f" {word}"
    if line:
        yield line


def encoded(lines: Iterable[str], prefix: str = "") -> Iterator[bytes]:
    """The lines as bytes, each after `prefix`."""
    return (f"{prefix}{line}\n".encode("ascii") for line in lines)


def shown(text: str) -> str:
    """The beginning of a text, quoted."""
    return repr(text if len(text) <= 40 else text[:40] + "…")
