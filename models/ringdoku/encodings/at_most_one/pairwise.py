"""Pairwise at-most-one (folklore; "binomial" in Frisch and Giannaros, ModRef 2010).

0 variables, k(k−1)/2 clauses for a set of k literals.
"""

from __future__ import annotations

import numpy as np

from ringdoku.cnf import ClauseSink, VarPool
from ringdoku.cnf.formula import Literals


def pairwise(sets: Literals, pool: VarPool, sink: ClauseSink) -> None:  # noqa: ARG001 - needs no variables
    first, second = np.triu_indices(sets.shape[1], 1)
    # no two literals of a set are both true
    sink.add(np.stack((-sets[:, first], -sets[:, second]), axis=-1).reshape(-1, 2))
