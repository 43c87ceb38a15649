"""Order encoding (Crawford and Baker, AAAI 1994; Tamura, Taga, Kitagawa and Banbara, Constraints 14, 2009).

Variable o[c,i] means that cell c holds a digit above its i-th candidate; "holds the i-th" is o[c,i−1] ∧ ¬o[c,i], a
literal at both ends and a defined variable between. 2k−3 variables, 4(k−2) clauses for a cell with k ≥ 2 candidates; 1
and 1 for k = 1.
"""

from __future__ import annotations

import numpy as np

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.digits.cubes import literals_of_cubes
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import implies


def variables(size: int) -> int:
    return 2 * size - 3 if size > 1 else size


def clauses(size: int) -> int:
    return 4 * (size - 2) if size > 1 else size


def encode(cells: int, size: int, pool: VarPool, sink: ClauseSink) -> Literals:
    if size < 2:
        return literals_of_cubes(pool.take(cells, size, 0), pool, sink)
    above = pool.take(cells, size - 1)
    # a digit above a candidate is above every smaller candidate
    sink.add(implies(above[:, 1:], above[:, :-1]))
    between = np.stack((above[:, :-1], -above[:, 1:]), axis=-1)
    return np.concatenate((-above[:, :1], literals_of_cubes(between, pool, sink), above[:, -1:]), axis=1)
