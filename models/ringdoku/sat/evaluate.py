"""Does an assignment satisfy a formula? Computed on whole arrays, since formulas may have millions of clauses."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ringdoku.sat.formula import Cnf


def violated_clause(cnf: Cnf, assignment: Mapping[int, bool]) -> int | None:
    """The number, from 1, of the first clause without a true literal; None when there is no such clause.

    A variable that `assignment` leaves out makes no literal true.
    """
    true = np.zeros(2 * cnf.num_vars + 1, dtype=bool)  # by literal, negative ones from the end
    for var, value in assignment.items():
        true[var if value else -var] = True
    # 0 closes a clause and is never true
    ends = np.flatnonzero(cnf.literals == 0)
    count = np.concatenate(([0], np.cumsum(true[cnf.literals])[ends])) if len(ends) else np.zeros(1, dtype=np.int64)
    unsatisfied = np.flatnonzero(np.diff(count) == 0)
    return int(unsatisfied[0]) + 1 if len(unsatisfied) else None
