"""Bimander at-most-one (Nguyen and Mai, SoICT 2015), groups of 2 consecutive literals.

With g = ⌈k/2⌉ groups: ⌈log₂ g⌉ variables, ⌊k/2⌋ + k·⌈log₂ g⌉ clauses for a set of k literals.
"""

from __future__ import annotations

import numpy as np

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import code_literals, code_width, implies

GROUP = 2


def variables(size: int) -> int:
    return code_width(-(-size // GROUP))


def clauses(size: int) -> int:
    return size // GROUP + size * variables(size)


def encode(sets: Literals, pool: VarPool, sink: ClauseSink) -> None:
    count, size = sets.shape
    bits = pool.take(count, variables(size))
    # at most one of a group
    sink.add(implies(sets[:, : size - 1 : GROUP], -sets[:, 1::GROUP]))
    # every literal of a group implies that the bits are the group's number
    group = np.arange(size) // GROUP
    sink.add(implies(sets[:, :, None], code_literals(bits, -(-size // GROUP))[:, group]))
