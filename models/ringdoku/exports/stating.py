"""Rules as statements of a format, one for each primitive. A rule that a format cannot state is refused by name.

A format's module has `state(primitive, board)`, which raises `UnsayableError` if the format cannot state it. Its
`write` and `registry.can_state` both use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint, write_constraint
from ringdoku.domain.errors import UnsupportedRuleError
from ringdoku.domain.primitives import AllDifferent, Linear, Primitive
from ringdoku.domain.ruleset import Ruleset
from ringdoku.exports.goal import LARGEST_FACTOR
from ringdoku.exports.registry import EXPORTS, can_state

Statement = TypeVar("Statement")


class UnsayableError(Exception):
    """A primitive that a format cannot state; the text is the reason."""


def statements(
    target: str, ruleset: Ruleset, state: Callable[[Primitive, Board], Statement]
) -> Iterator[tuple[Primitive, Statement]]:
    """Every primitive of the rules with its statement, in the order of the constraints.

    Raises `UnsupportedRuleError` for the first constraint for which `state` raises `UnsayableError`.
    """
    board = ruleset.board
    for constraint in ruleset.constraints:
        for primitive in primitives_of(constraint, board):
            try:
                statement = state(primitive, board)
            except UnsayableError as reason:
                able = tuple(name for name in EXPORTS if can_state(name, constraint, board))
                raise UnsupportedRuleError(write_constraint(constraint, board), target, str(reason), able) from None
            yield primitive, statement


def require(target: str, ruleset: Ruleset, state: Callable[[Primitive, Board], object]) -> None:
    """Raise `UnsupportedRuleError` if `statements` does."""
    for _ in statements(target, ruleset, state):
        pass


def primitives_of(constraint: Constraint, board: Board) -> Iterator[Primitive]:
    """An `AllDifferent` for each house of a constraint, then the rest."""
    for house in constraint.houses(board):
        yield AllDifferent(house.cells, house.name)
    yield from constraint.primitives(board)


def require_64_bits(coefficients: Iterable[int], limits: Iterable[int | None], board: Board) -> None:
    """Raise `UnsayableError` for a sum of digits that may overflow in other programs."""
    if sum(map(abs, coefficients)) * board.largest + sum(abs(limit or 0) for limit in limits) >= LARGEST_FACTOR:
        raise UnsayableError("its numbers do not fit the 64 bits of programs that read the format")


def require_64_bit_sums(primitive: Primitive, board: Board) -> None:
    """The same for a primitive of a format that writes sums inside of cases as clauses."""
    if isinstance(primitive, Linear):
        require_64_bits(primitive.coefficients, (primitive.least, primitive.greatest), board)
