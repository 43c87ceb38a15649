"""Rules as linear rows over 0-1 variables x[c,d], "cell c holds digit d": Σ coefficient·x ≤ total, or = total. Every
solution satisfies every row, and Σ_d x[c,d] = 1 for every cell. A rule that has no linear form over candidates has no
rows; a bound from the other rows is still valid."""

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
    """Σ coefficient·x[cell, digit] = `total` where `exact`, else ≤ `total`; terms are (cell, digit, coefficient)."""

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
    for row in (row for primitive in (*smaller, *ruleset.rest) for row in rows_of(primitive, board)):
        names[row.name] += 1
        found.append(row if names[row.name] == 1 else replace(row, name=f"{row.name} ({names[row.name]})"))
    return tuple(found)


def rows_of(primitive: Primitive, board: Board) -> Iterator[Row]:
    """The rows of a primitive: equivalent to it where `has_rows`, none otherwise."""
    match primitive:
        case Allowed(cell, digits):
            if terms := tuple((cell, digit, 1) for digit in board.digits if digit not in digits):
                yield Row(f"allowed digits of {board.cell_name(cell)}", terms, 0, True)
        case AllDifferent(cells, name):
            for digit in board.digits:
                terms = tuple((cell, digit, 1) for cell in cells)
                yield Row(f"{name} digit {digit}", terms, 1, len(cells) == board.order)
        case Linear(cells, factors, total, name):
            every = product(zip(cells, factors, strict=True), filter(None, board.digits))
            yield Row(name, tuple((cell, digit, factor * digit) for (cell, factor), digit in every), total, True)
        case Relation():
            yield from _rows_of_relation(primitive, board)
        case Count():
            yield from _rows_of_count(primitive)
        case Diagram() | OneOf():
            return
        case _:
            assert_never(primitive)


def has_rows(primitive: Primitive) -> bool:
    """Whether the rows of a primitive are equivalent to it."""
    return not isinstance(primitive, Diagram | OneOf)


def _rows_of_count(count: Count) -> Iterator[Row]:
    terms = tuple((cell, digit, 1) for cell, digit in count.candidates)
    if count.least == count.greatest:
        yield Row(count.name, terms, count.least, True)
        return
    # a limit that always holds needs no row
    if count.greatest < len(terms):
        yield Row(f"{count.name} at most", terms, count.greatest, False)
    if count.least > 0:
        negated = tuple((cell, digit, -1) for cell, digit in count.candidates)
        yield Row(f"{count.name} at least", negated, -count.least, False)


def _rows_of_relation(relation: Relation, board: Board) -> Iterable[Row]:
    """From either cell, a row for every set of digits of the other that supports a digit of it. At most one of two
    things is true: this cell holds a digit with all its support in the set, the other holds a digit outside the set. If
    the set has one digit, the row says that the first thing implies it, which is shorter."""
    found: dict[frozenset[tuple[int, int, int]], Row] = {}
    one, two, turned = relation.first, relation.second, frozenset((b, a) for a, b in relation.pairs)
    for cell, other, pairs in ((one, two, relation.pairs), (two, one, turned)):
        supports = {digit: frozenset(b for a, b in pairs if a == digit) for digit in board.digits}
        for support in dict.fromkeys(supports.values()):
            others = [(other, digit, 1) for digit in board.digits if digit not in support]
            if not others:
                continue
            supported = [digit for digit in board.digits if supports[digit] <= support]
            own, condition = [(cell, digit, 1) for digit in supported], f"in {' '.join(map(str, supported))}"
            if support:
                terms, total = ((*own, *others), 1) if len(support) > 1 else ((*own, (other, min(support), -1)), 0)
                row = Row(f"{relation.name}: {board.cell_name(cell)} {condition}", terms, total, False)
            else:
                # no digit of the other goes with these
                row = Row(f"{relation.name}: {board.cell_name(cell)} not {condition}", tuple(own), 0, True)
            # some rows, as those of different digits, are the same from either cell
            found.setdefault(frozenset([*own, *others] if support else own), row)
    return found.values()
