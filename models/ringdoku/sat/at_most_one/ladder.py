"""Ladder at-most-one (Gent and Nightingale, ModRef 2004), the sequential counter with bound 1 (Sinz, CP 2005).

k−1 variables, 3k−4 clauses for a set of k ≥ 2 literals; none for fewer.

The two papers' clauses are the same but for the sign of the new variables, so they are one encoding here.
"""

from __future__ import annotations

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import implies


def variables(size: int) -> int:
    return max(size - 1, 0)


def clauses(size: int) -> int:
    return max(3 * size - 4, 0)


def encode(sets: Literals, pool: VarPool, sink: ClauseSink) -> None:
    count, size = sets.shape
    if size < 2:
        return
    seen = pool.take(count, size - 1)
    # seen i: one of the first i literals is true
    sink.add(implies(sets[:, :-1], seen))
    sink.add(implies(seen[:, :-1], seen[:, 1:]))
    # then no later one is
    sink.add(implies(seen, -sets[:, 1:]))
