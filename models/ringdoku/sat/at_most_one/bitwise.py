"""Bitwise at-most-one, also called binary (Frisch, Peugniez, Doggett and Nightingale, JAR 35, 2005).

⌈log₂ k⌉ variables, k·⌈log₂ k⌉ clauses for a set of k literals.
"""

from __future__ import annotations

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import code_literals, code_width, implies


def variables(size: int) -> int:
    return code_width(size)


def clauses(size: int) -> int:
    return size * code_width(size)


def encode(sets: Literals, pool: VarPool, sink: ClauseSink) -> None:
    count, size = sets.shape
    bits = pool.take(count, code_width(size))
    # the i-th literal implies that the bits are i, and they are only one number
    sink.add(implies(sets[:, :, None], code_literals(bits, size)))
