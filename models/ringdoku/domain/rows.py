"""Rules as linear rows over 0-1 variables x[c,d], "cell c holds digit d": Σ coefficient·x ≤ total, or = total.

A solution also has Σ_d x[c,d] = 1 for every cell. Every solution satisfies every row. A rule that has no linear form
over candidates has no rows; a bound from the other rows is still valid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import assert_never

from ringdoku.domain.board import Board
from ringdoku.domain.primitives import AllDifferent, Allowed, Count, Diagram, Linear, OneOf, Primitive, Relation
from ringdoku.domain.ruleset import Ruleset


@dataclass(frozen=True)
class Row:
    """Σ coefficient·x[cell, digit] = `total` where `exact`, else ≤ `total`; `terms` are (cell, digit, coefficient)."""

    name: str
    terms: tuple[tuple[int, int, int], ...]
    total: int
    exact: bool


@lru_cache(maxsize=16)
def rows_beside_units(ruleset: Ruleset) -> tuple[Row, ...]:
    """The rows of all rules except units, which are houses with as many cells as digits. No two rows share a name."""
    board, n = ruleset.board, ruleset.order
    smaller = (AllDifferent(house.cells, house.name) for house in ruleset.houses if 1 < len(house.cells) < n)
    names: Counter[str] = Counter()
    found = []
    for primitive in (*smaller, *ruleset.rest):
        for row in rows_of(primitive, board):
            names[row.name] += 1
            found.append(row if names[row.name] == 1 else replace(row, name=f"{row.name} ({names[row.name]})"))
    return tuple(found)


def rows_of(primitive: Primitive, board: Board) -> Iterator[Row]:
    """The rows of a primitive: equivalent to it where `has_rows`, none otherwise."""
    match primitive:
        case Allowed(cell, digits):
            terms = tuple((cell, digit, 1) for digit in board.digits if digit not in digits)
            if terms:
                yield Row(f"allowed digits of {board.cell_name(cell)}", terms, 0, True)
        case AllDifferent(cells, name):
            exact = len(cells) == board.order
            for digit in board.digits:
                yield Row(f"{name} digit {digit}", tuple((cell, digit, 1) for cell in cells), 1, exact)
        case Linear(least=least, greatest=greatest, name=name):
            yield from _between(_linear_terms(primitive, board), least, greatest, name)
        case Relation(first, second, pairs, name):
            yield from _relation(first, second, pairs, name, board)
            yield from _relation(second, first, frozenset((b, a) for a, b in pairs), name, board)
        case Count(candidates, least, greatest, name):
            yield from _count(candidates, least, greatest, name)
        case Diagram() | OneOf():
            return
        case _:
            assert_never(primitive)


def has_rows(primitive: Primitive) -> bool:
    """Whether the rows of a primitive are equivalent to it."""
    return not isinstance(primitive, Diagram | OneOf)


def _linear_terms(linear: Linear, board: Board) -> tuple[tuple[int, int, int], ...]:
    factors = product(zip(linear.cells, linear.coefficients, strict=True), filter(None, board.digits))
    return tuple((cell, digit, coefficient * digit) for (cell, coefficient), digit in factors)


def _count(candidates: Iterable[tuple[int, int]], least: int, greatest: int, name: str) -> Iterator[Row]:
    terms = tuple((cell, digit, 1) for cell, digit in candidates)
    if least == greatest:
        yield Row(name, terms, least, True)
    else:
        yield from _between(terms, least or None, None if greatest >= len(terms) else greatest, name)


def _between(
    terms: tuple[tuple[int, int, int], ...], least: int | None, greatest: int | None, name: str
) -> Iterator[Row]:
    """The rows of `least` ≤ Σ terms ≤ `greatest`, where None is no limit."""
    if least is not None and least == greatest:
        yield Row(name, terms, least, True)
        return
    if greatest is not None:
        yield Row(f"{name} at most", terms, greatest, False)
    if least is not None:
        negated = tuple((cell, digit, -coefficient) for cell, digit, coefficient in terms)
        yield Row(f"{name} at least", negated, -least, False)


def _relation(first: int, second: int, pairs: frozenset[tuple[int, int]], name: str, board: Board) -> Iterator[Row]:
    """A row for every set of digits of `second` that supports a digit of `first`. At most one of two things is true:
    `first` holds a digit with all its support in the set, `second` holds a digit outside the set."""
    supports = {digit: frozenset(b for a, b in pairs if a == digit) for digit in board.digits}
    for support in dict.fromkeys(supports.values()):
        others = [digit for digit in board.digits if digit not in support]
        if not others:
            continue
        alike = [digit for digit in board.digits if supports[digit] <= support]
        terms = (*((first, digit, 1) for digit in alike), *((second, digit, 1) for digit in others))
        if not support:
            # no digit of `second` goes with these
            yield Row(f"{name} {board.cell_name(first)}", tuple((first, digit, 1) for digit in alike), 0, True)
        else:
            digits = " ".join(map(str, alike))
            yield Row(f"{name} {board.cell_name(first)} in {digits}", terms, 1, False)
