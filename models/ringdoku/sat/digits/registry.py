"""Every digit encoding by its name, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.digits import direct, log, order
from ringdoku.sat.formula import Literals


@dataclass(frozen=True)
class DigitEncoding:
    """A way to encode which of its k candidates a cell holds, and its size for one cell.

    `encode(cells, k, pool, sink)` gives a (cells, k) array: the literal of "holds its i-th candidate". `exclusive`
    means that no two of a cell's literals can both be true, without any further clauses.
    """

    name: str
    encode: Callable[[int, int, VarPool, ClauseSink], Literals]
    exclusive: bool
    variables: Callable[[int], int]
    clauses: Callable[[int], int]
    reference: str


DIGITS: Mapping[str, DigitEncoding] = {
    row.name: row
    for row in (
        DigitEncoding("direct", direct.encode, False, direct.variables, direct.clauses, "de Kleer 1989"),
        DigitEncoding(
            "order", order.encode, True, order.variables, order.clauses, "Crawford, Baker 1994; Tamura et al. 2009"
        ),
        DigitEncoding("log", log.encode, True, log.variables, log.clauses, "Iwama, Miyazaki 1994; Walsh 2000"),
    )
}
