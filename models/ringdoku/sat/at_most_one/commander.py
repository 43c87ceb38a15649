"""Commander at-most-one (Klieber and Kwon, CFV 2007), groups of 3 consecutive literals, recursive.

V(k) = 0 variables and C(k) = k(k−1)/2 clauses for k ≤ 3; above, with g = ⌈k/3⌉ groups and r = k mod 3,
V(k) = g + V(g) and C(k) = 7·⌊k/3⌋ + (0, 2, 4)[r] + C(g).
"""

from __future__ import annotations

import numpy as np

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.at_most_one import pairwise
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import implies, implies_any

GROUP = 3


def variables(size: int) -> int:
    if size <= GROUP:
        return 0
    groups = -(-size // GROUP)
    return groups + variables(groups)


def clauses(size: int) -> int:
    if size <= GROUP:
        return pairwise.clauses(size)
    full, rest = divmod(size, GROUP)
    return 7 * full + (0, 2, 4)[rest] + clauses(full + (rest > 0))


def encode(sets: Literals, pool: VarPool, sink: ClauseSink) -> None:
    count, size = sets.shape
    if size <= GROUP:
        pairwise.encode(sets, pool, sink)
        return
    full, rest = divmod(size, GROUP)
    commanders = pool.take(count, full + (rest > 0))
    _command(sets[:, : size - rest].reshape(-1, GROUP), commanders[:, :full].reshape(-1), pool, sink)
    if rest:
        _command(sets[:, size - rest :], np.ascontiguousarray(commanders[:, full]), pool, sink)
    # at most one commander
    encode(commanders, pool, sink)


def _command(groups: Literals, commanders: Literals, pool: VarPool, sink: ClauseSink) -> None:
    """(m, k) groups and their (m,) commanders: at most one of a group; commander ↔ one of the group."""
    pairwise.encode(groups, pool, sink)
    sink.add(implies(groups, commanders[:, None]))
    sink.add(implies_any(commanders, groups))
