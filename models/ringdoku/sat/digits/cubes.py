"""A literal for each cube (conjunction of literals), for the order and the log encoding.

In these "cell c holds d" is a cube, but at-most-one and at-least-one need a single literal.
"""

from __future__ import annotations

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.formula import Literals
from ringdoku.sat.shapes import all_imply, implies


def variables(width: int) -> int:
    """New variables for a cube of `width` literals."""
    return 0 if width == 1 else 1


def clauses(width: int) -> int:
    return 0 if width == 1 else width + 1


def literals_of_cubes(cubes: Literals, pool: VarPool, sink: ClauseSink) -> Literals:
    """For (m, k, w) cubes of w literals an (m, k) array of literals, each true exactly when its cube is.

    A cube of one literal is that literal; any other gets a new variable. The empty cube is true.
    """
    count, size, width = cubes.shape
    if width == 1:
        return cubes[:, :, 0]
    literals = pool.take(count, size)
    sink.add(implies(literals[:, :, None], cubes))
    sink.add(all_imply(cubes.reshape(count * size, width), literals.reshape(-1)))
    return literals
