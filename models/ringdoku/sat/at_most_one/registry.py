"""Every at-most-one encoding by its name, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.at_most_one import bimander, bitwise, commander, ladder, pairwise, product
from ringdoku.sat.at_most_one.library import Library
from ringdoku.sat.formula import Literals


@dataclass(frozen=True)
class AtMostOne:
    """A way to say that at most one literal of a set is true, and what it costs for a set of k literals.

    `encode(sets, pool, sink)` takes an (m, k) array: m sets of k literals each.
    """

    name: str
    encode: Callable[[Literals, VarPool, ClauseSink], None]
    variables: Callable[[int], int]
    clauses: Callable[[int], int]
    reference: str


def _of_library(name: str, reference: str) -> AtMostOne:
    made = Library(name)
    return AtMostOne(f"pysat-{name}", made.encode, made.variables, made.clauses, f"{reference}; as PySAT writes it")


AT_MOST_ONE: Mapping[str, AtMostOne] = {
    row.name: row
    for row in (
        AtMostOne("pairwise", pairwise.encode, pairwise.variables, pairwise.clauses, "folklore"),
        AtMostOne("ladder", ladder.encode, ladder.variables, ladder.clauses, "Gent, Nightingale 2004; Sinz 2005"),
        AtMostOne("bitwise", bitwise.encode, bitwise.variables, bitwise.clauses, "Frisch, Peugniez et al. 2005"),
        AtMostOne("commander", commander.encode, commander.variables, commander.clauses, "Klieber, Kwon 2007"),
        AtMostOne("product", product.encode, product.variables, product.clauses, "Chen 2010"),
        AtMostOne("bimander", bimander.encode, bimander.variables, bimander.clauses, "Nguyen, Mai 2015"),
        _of_library("seqcounter", "Sinz 2005"),
        _of_library("sortnetwrk", "Batcher 1968"),
        _of_library("cardnetwrk", "Asín, Nieuwenhuis et al. 2009"),
        _of_library("totalizer", "Bailleux, Boufkhad 2003"),
        _of_library("mtotalizer", "Ogawa, Liu et al. 2013"),
        _of_library("kmtotalizer", "Morgado, Ignatiev, Marques-Silva 2014"),
    )
}
