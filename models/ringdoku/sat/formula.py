"""Formulas in conjunctive normal form, and the two classes that build them: a clause sink and a variable pool.

Encodings add whole batches: an (m, k) array is m clauses of k literals each. So clauses need not become Python objects
on the way to a file or a solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ringdoku.domain.errors import DimensionError
from ringdoku.limits import NEVER, Deadline

Literals = NDArray[np.int32]

MAX_VAR = 2**31 - 2
"""Solvers hold a literal in 32 bits; some truncate silently above this."""

MAX_CLAUSES = 1 << 28
"""Three gigabytes of pairs; a larger formula needs another encoding."""

PORTION = 1 << 14
"""Clauses turned into lists at a time; millions of lists at once would take gigabytes."""


@dataclass(frozen=True)
class Cnf:
    """`literals` is the body of a DIMACS file: each clause followed by a 0; variables are 1..num_vars."""

    num_vars: int
    literals: Literals

    @cached_property
    def num_clauses(self) -> int:
        return int(np.count_nonzero(self.literals == 0))

    def batches(self) -> Iterator[Literals]:
        """Every clause once, as one (m, k) array for each clause length k. Clauses of a length keep their order."""
        for starts, length in self._by_length():
            yield self.literals[starts[:, None] + np.arange(length)]

    def _by_length(self) -> Iterator[tuple[NDArray[np.int64], int]]:
        """Where the clauses of each length start."""
        ends = np.flatnonzero(self.literals == 0)
        starts = np.concatenate(([0], ends[:-1] + 1)) if len(ends) else ends
        lengths = ends - starts
        for length in occurring(lengths).tolist():
            yield starts[lengths == length], length

    def portions(self) -> Iterator[list[list[int]]]:
        """Every clause once as a list, for solver packages; some clauses at a time, shorter ones first."""
        for starts, length in self._by_length():
            for first in range(0, len(starts), PORTION):
                yield self.literals[starts[first : first + PORTION, None] + np.arange(length)].tolist()

    def clauses(self) -> Iterator[list[int]]:
        """Every clause once as a list, shorter ones first."""
        return chain.from_iterable(self.portions())


def occurring(numbers: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Each of many small numbers ≥ 0 once, ascending; `np.unique` does the same, but loads 20 ms of masked arrays."""
    return np.flatnonzero(np.bincount(numbers))


class VarPool:
    """Hands out variables 1, 2, 3, …; raises `DimensionError` above `MAX_VAR`."""

    def __init__(self, taken: int = 0) -> None:
        self.count = taken

    def take(self, *shape: int) -> Literals:
        """New variables in an array of this shape, numbered in its reading order."""
        new = self.reserve(prod(shape))
        return np.arange(new.start, new.stop, dtype=np.int32).reshape(shape)

    def reserve(self, size: int) -> range:
        """So many new variables."""
        if self.count + size > MAX_VAR:
            raise DimensionError(f"the formula needs more than {MAX_VAR} variables")
        first = self.count + 1
        self.count += size
        return range(first, first + size)


class ClauseSink:
    """Collects batches of clauses. Raises `TimeLimitError` when one comes after the deadline."""

    def __init__(self, deadline: Deadline = NEVER) -> None:
        self.deadline = deadline
        self._parts: list[Literals] = []
        self._count = 0

    def expect(self, clauses: int) -> None:
        """Raise `DimensionError` if so many more clauses would be above `MAX_CLAUSES`, before memory runs out."""
        if self._count + clauses > MAX_CLAUSES:
            raise DimensionError(
                f"the formula needs more than {MAX_CLAUSES} clauses; give more clues with presolve, or choose another "
                "at-most-one encoding"
            )

    def add(self, clauses: ArrayLike) -> None:
        """An (m, k) array of m clauses with k literals each; one clause may be given as a plain list."""
        self.deadline.check()
        batch = np.atleast_2d(np.asarray(clauses, dtype=np.int32))
        if batch.shape[0]:
            self._count += batch.shape[0]
            ended = np.zeros((batch.shape[0], batch.shape[1] + 1), dtype=np.int32)
            ended[:, :-1] = batch
            self._parts.append(ended.reshape(-1))

    def formula(self, pool: VarPool) -> Cnf:
        """The formula of all collected clauses, over the variables of the pool."""
        literals = np.concatenate(self._parts) if self._parts else np.zeros(0, dtype=np.int32)
        return Cnf(pool.count, literals)
