"""Log encoding (Iwama and Miyazaki, IFIP 1994; Walsh, CP 2000): the bits of cell c are the index of its candidate.

With w = ⌈log₂ k⌉ bits "holds the i-th candidate" is a cube of w literals, with a variable defined for it unless
w = 1: w + k variables, k(w+1) clauses for a cell with k candidates; 1 and 0 for k = 2.
"""

from __future__ import annotations

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.digits import cubes
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import code_literals, code_width


def variables(size: int) -> int:
    return code_width(size) + size * cubes.variables(code_width(size))


def clauses(size: int) -> int:
    return size * cubes.clauses(code_width(size))


def encode(cells: int, size: int, pool: VarPool, sink: ClauseSink) -> Literals:
    bits = pool.take(cells, code_width(size))
    return cubes.literals_of_cubes(code_literals(bits, size), pool, sink)
