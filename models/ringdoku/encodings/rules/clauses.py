"""Clauses of all lengths, collected one by one, and what encoders of primitives know of the candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from ringdoku.cnf import ClauseSink, VarPool


@dataclass
class RuleClauses:
    """`literals[cell][digit − least]` is the literal of "the cell holds the digit", 0 where it cannot.

    `peers(cell)` are the cells that differ from it by the houses.
    """

    literals: Sequence[Sequence[int]]
    least: int
    peers: Callable[[int], frozenset[int]]
    pool: VarPool
    _by_length: defaultdict[int, list[list[int]]] = field(default_factory=lambda: defaultdict(list))
    _guard: list[int] = field(default_factory=list)
    _numbers: list[dict[int, int]] = field(default_factory=list)

    def add(self, clause: list[int]) -> None:
        """Inside `when` the clause holds in that case only."""
        if self._guard:
            clause = self._guard + clause
        self._by_length[len(clause)].append(clause)

    def variables(self, count: int) -> list[int]:
        """New ones."""
        return list(self.pool.reserve(count))

    @contextmanager
    def when(self, *literals: int) -> Iterator[None]:
        """Clauses added meanwhile hold if the literals are true."""
        before = len(self._guard)
        self._guard += [-literal for literal in literals]
        yield
        del self._guard[before:]

    def candidates(self, cell: int) -> Iterator[tuple[int, int]]:
        """(digit, literal) for each digit that the cell can hold."""
        if cell >= len(self.literals):
            return iter(self._numbers[cell - len(self.literals)].items())
        return ((digit, literal) for digit, literal in enumerate(self.literals[cell], self.least) if literal)

    def number(self, literals: dict[int, int]) -> int:
        """A cell that stands for a number which is no digit, such as a sum: value → literal, just one of them true."""
        self._numbers.append(literals)
        return len(self.literals) + len(self._numbers) - 1

    def are_different(self, cells: Iterable[int]) -> bool:
        """Whether no two of the cells can hold the same digit, by the houses."""
        members = list(cells)
        return all(set(members[:place]) <= self.peers(cell) for place, cell in enumerate(members))

    def pour(self, sink: ClauseSink) -> None:
        """All clauses into a sink, each length as one batch."""
        for _, clauses in sorted(self._by_length.items()):
            sink.add(np.array(clauses, dtype=np.int32))
        self._by_length.clear()
