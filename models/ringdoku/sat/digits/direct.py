"""Direct encoding (de Kleer, IJCAI 1989): variable x[c,d] means that cell c holds digit d.

k variables, 0 clauses for a cell with k candidates. Without presolve x[row,column,d] = (row·n + column)·n + d.
"""

from __future__ import annotations

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.formula import Literals


def variables(size: int) -> int:
    return size


def clauses(size: int) -> int:  # noqa: ARG001 - never any
    return 0


def encode(cells: int, size: int, pool: VarPool, sink: ClauseSink) -> Literals:  # noqa: ARG001 - needs no clauses
    return pool.take(cells, size)
