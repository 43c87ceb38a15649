"""Pairwise at-most-one (folklore; "binomial" in Frisch and Giannaros, ModRef 2010).

0 variables, k(k−1)/2 clauses for a set of k literals.
"""

from __future__ import annotations

import numpy as np

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import implies


def variables(size: int) -> int:  # noqa: ARG001 - never any
    return 0


def clauses(size: int) -> int:
    return size * (size - 1) // 2


def encode(sets: Literals, pool: VarPool, sink: ClauseSink) -> None:  # noqa: ARG001 - needs no variables
    first, second = np.triu_indices(sets.shape[1], 1)
    # no two literals of a set are both true
    sink.add(implies(sets[:, first], -sets[:, second]))
