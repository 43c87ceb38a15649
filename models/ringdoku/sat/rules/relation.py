"""A relation of two cells: its conflicts as binary clauses (Walsh, "SAT v CSP", CP 2000), and the digits of the other
cell that support a digit (Gent, "Arc consistency in SAT", ECAI 2002), so that unit propagation is arc consistent.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from ringdoku.sat.rules.clauses import RuleClauses

Support: TypeAlias = tuple[int, tuple[int, ...]]
"""A digit of one cell, and the digits of the other that go with it."""


def encode(first: int, second: int, pairs: Iterable[tuple[int, int]], clauses: RuleClauses) -> None:
    """The digits of the cells are one of the pairs."""
    left, right = dict(clauses.candidates(first)), dict(clauses.candidates(second))
    conflicts, forwards, backwards = _stated(frozenset(pairs), tuple(left), tuple(right))
    clauses.add_all([[-left[a], -right[b]] for a, b in conflicts])
    clauses.add_all([[-left[a], *[right[b] for b in others]] for a, others in forwards])
    clauses.add_all([[-right[b], *[left[a] for a in others]] for b, others in backwards])


@lru_cache(maxsize=4096)
def _stated(
    pairs: frozenset[tuple[int, int]], left: tuple[int, ...], right: tuple[int, ...]
) -> tuple[list[tuple[int, int]], list[Support], list[Support]]:
    """The conflicts and the supports in both directions that need a clause, for digits that the cells can hold.

    Each cell holds exactly one digit. So if only one digit supports a digit, its conflicts need no clauses; and if it
    conflicts with only one digit, its supports need none.
    """
    forwards = [(a, tuple(b for b in right if (a, b) in pairs)) for a in left]
    backwards = [(b, tuple(a for a in left if (a, b) in pairs)) for b in right]
    several = [b for b, others in backwards if len(others) > 1]
    conflicts = [(a, b) for a, others in forwards if len(others) > 1 for b in several if (a, b) not in pairs]

    def needed(found: list[Support], of: int) -> list[Support]:
        return [(digit, others) for digit, others in found if len(others) <= 1 or len(others) < of - 1]

    return conflicts, needed(forwards, len(right)), needed(backwards, len(left))
