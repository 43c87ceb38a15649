"""Triads: redundant variables for the cells that a box shares with a row or a column, as in the solver tdoku (T.
Dillon, 2019): t[box, line, d] means that one of those cells holds d.

Of the triads of a line, and of those of one direction in a box, exactly one has d. For boxes of h×w and no presolve:
n²h variables with n²h(w+1) clauses for rows if w > 1; the same with h and w swapped for columns; and 2n² sets of h and
of w literals in which exactly one is true.
"""

from __future__ import annotations

import numpy as np

from ringdoku.domain.ruleset import Ruleset
from ringdoku.sat.formula import ClauseSink, Literals, VarPool
from ringdoku.sat.shapes import by_size, implies, implies_any

REFERENCE = "tdoku, Dillon 2019"


def encode(ruleset: Ruleset, literals: Literals, pool: VarPool, sink: ClauseSink) -> list[Literals]:
    """Define every triad over `literals` (n², n), and return the sets in which exactly one literal is true.

    Each element is an (m, k) array, a set a row, 0 for "impossible"; a row of zeros is a digit already placed.
    """
    n, (height, width) = ruleset.order, ruleset.require_classic("the triad encoding")
    # axes: band, row in band, stack, column in stack, digit
    cells = literals.reshape(width, height, height, width, n)
    rows = _defined(cells.transpose(0, 1, 2, 4, 3), pool, sink)  # band, row, stack, digit
    columns = _defined(cells.transpose(0, 2, 3, 4, 1), pool, sink)  # band, stack, column, digit
    return [
        rows.transpose(0, 1, 3, 2).reshape(-1, height),
        rows.transpose(0, 2, 3, 1).reshape(-1, height),
        columns.transpose(1, 2, 3, 0).reshape(-1, width),
        columns.transpose(0, 1, 3, 2).reshape(-1, width),
    ]


def _defined(cells: Literals, pool: VarPool, sink: ClauseSink) -> Literals:
    """A literal for "one of the last axis": 0 for none, the literal itself for one, a new variable for more."""
    sets = cells.reshape(-1, cells.shape[-1])
    sizes = np.count_nonzero(sets, axis=1)
    # at most one literal is not 0 where the size is 1
    triad = np.where(sizes == 1, sets.sum(axis=1), 0).astype(np.int32)
    for batch in by_size(np.where(sizes[:, None] > 1, sets, 0)):
        made = pool.take(len(batch))
        triad[sizes == batch.shape[1]] = made
        sink.add(implies(batch, made[:, None]))
        sink.add(implies_any(made, batch))
    return triad.reshape(cells.shape[:-1])
