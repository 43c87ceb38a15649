"""The cardinality encodings of PySAT's library with bound 1: sequential counter (Sinz, CP 2005), sorting network
(Batcher, 1968), cardinality network (Asín, Nieuwenhuis, Oliveras and Rodríguez-Carbonell, SAT 2009), totalizer
(Bailleux and Boufkhad, CP 2003), modulo totalizer (Ogawa, Liu, Hasegawa, Koshimura and Fujita, ICTAI 2013), iterative
k-modulo totalizer (Morgado, Ignatiev and Marques-Silva, JSAT 2014).

The library builds the clauses of one set, and the variables and clauses are counted. Other sets of a batch are copies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ringdoku.domain.errors import MissingPackageError
from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.formula import Cnf, Literals


@dataclass(frozen=True)
class Library:
    """One encoding of `pysat.card`, by its name in `EncType`. Raises `MissingPackageError` without python-sat."""

    name: str

    def variables(self, size: int) -> int:
        return _one_set(self.name, size).num_vars - size

    def clauses(self, size: int) -> int:
        return _one_set(self.name, size).num_clauses

    def encode(self, sets: Literals, pool: VarPool, sink: ClauseSink) -> None:
        count, size = sets.shape
        # column v of the table is variable v of the library's clauses
        table = np.concatenate((sets, pool.take(count, self.variables(size))), axis=1)
        for batch in _one_set(self.name, size).batches():
            sink.add((table[:, np.abs(batch) - 1] * np.sign(batch)).reshape(-1, batch.shape[1]))


@lru_cache(maxsize=1024)
def _one_set(name: str, size: int) -> Cnf:
    """The clauses for variables 1..size."""
    try:
        from pysat.card import CardEnc, EncType
    except ImportError:
        raise MissingPackageError(
            f"python-sat, which at-most-one encoding pysat-{name} needs,", "pip install 'python-sat>=1.9.dev17'"
        ) from None
    pool, sink = VarPool(size), ClauseSink()
    if size > 1:
        made = CardEnc.atmost(lits=list(range(1, size + 1)), bound=1, top_id=size, encoding=getattr(EncType, name))
        pool = VarPool(max(size, made.nv))
        for clause in made.clauses:
            sink.add(clause)
    return sink.formula(pool)
