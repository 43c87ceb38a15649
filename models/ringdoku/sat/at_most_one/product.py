"""Product at-most-one, 2-product (Chen, ModRef 2010), recursive.

V(k) = 0 variables and C(k) = k(k−1)/2 clauses for k ≤ 4; above, with p = ⌈√k⌉ rows and q = ⌈k/p⌉ columns,
V(k) = p + q + V(p) + V(q) and C(k) = 2k + C(p) + C(q).
"""

from __future__ import annotations

from math import isqrt

import numpy as np

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.at_most_one import pairwise
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import implies

SMALL = 4


def variables(size: int) -> int:
    if size <= SMALL:
        return 0
    rows, columns = _shape(size)
    return rows + columns + variables(rows) + variables(columns)


def clauses(size: int) -> int:
    if size <= SMALL:
        return pairwise.clauses(size)
    rows, columns = _shape(size)
    return 2 * size + clauses(rows) + clauses(columns)


def encode(sets: Literals, pool: VarPool, sink: ClauseSink) -> None:
    count, size = sets.shape
    if size <= SMALL:
        pairwise.encode(sets, pool, sink)
        return
    rows, columns = (pool.take(count, side) for side in _shape(size))
    row, column = np.divmod(np.arange(size), columns.shape[1])
    # a literal stands in a row and a column of a table; at most one of each is used
    sink.add(implies(sets, rows[:, row]))
    sink.add(implies(sets, columns[:, column]))
    encode(rows, pool, sink)
    encode(columns, pool, sink)


def _shape(size: int) -> tuple[int, int]:
    rows = isqrt(size - 1) + 1
    return rows, -(-size // rows)
