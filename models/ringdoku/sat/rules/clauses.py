"""Collects the clauses of primitives, and gives their encoders the literals of candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from ringdoku.domain.errors import DimensionError
from ringdoku.limits import NEVER, Deadline
from ringdoku.sat import ClauseSink, VarPool

MOST_LITERALS = 1 << 25
"""Of the clauses of all rules: as Python lists they take about two gigabytes."""


@dataclass
class RuleClauses:
    """`literals[cell][digit − least]` is the literal of "the cell holds the digit", 0 where it cannot.

    `peers(cell)` are the cells that share a house with it.
    """

    literals: Sequence[Sequence[int]]
    least: int
    peers: Callable[[int], frozenset[int]]
    pool: VarPool
    deadline: Deadline = NEVER
    _by_length: defaultdict[int, list[list[int]]] = field(default_factory=lambda: defaultdict(list))
    _guard: list[int] = field(default_factory=list)
    _numbers: list[dict[int, int]] = field(default_factory=list)
    _any_of: dict[tuple[int, ...], int] = field(default_factory=dict)

    def add(self, clause: list[int]) -> None:
        """Add a clause. Inside `when` it holds only if the literals there are true."""
        if self._guard:
            clause = self._guard + clause
        self._by_length[len(clause)].append(clause)

    def add_all(self, clauses: Iterable[list[int]]) -> None:
        """Add clauses as `add` does, faster."""
        guard, by_length = self._guard, self._by_length
        for clause in clauses:
            by_length[len(guard) + len(clause)].append(guard + clause)

    def refuse_excess(self, rule: str) -> None:
        """Raise `DimensionError` if the clauses up to those of a rule take too much memory, and `TimeLimitError` at the
        deadline."""
        self.deadline.check()
        if sum(length * len(clauses) for length, clauses in self._by_length.items()) > MOST_LITERALS:
            raise DimensionError(
                f"{rule or 'a rule'} is too large: with it the clauses of the rules have more than {MOST_LITERALS} "
                "literals"
            )

    def variables(self, count: int) -> list[int]:
        """New variables."""
        return list(self.pool.reserve(count))

    def any_of(self, literals: Sequence[int]) -> int:
        """A literal that is true just when one of these is."""
        if len(literals) == 1:
            return literals[0]
        # what is said inside `when` holds only there
        key = (*self._guard, 0, *sorted(literals))
        if key not in self._any_of:
            (held,) = self.variables(1)
            self.add([-held, *literals])
            for literal in literals:
                self.add([-literal, held])
            self._any_of[key] = held
        return self._any_of[key]

    @contextmanager
    def when(self, *literals: int) -> Iterator[None]:
        """Clauses that are added inside this context hold only if the literals are true."""
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
        """An artificial cell for another number, such as a sum: value → literal, of which exactly one is true."""
        self._numbers.append(literals)
        return len(self.literals) + len(self._numbers) - 1

    def lists(self) -> list[list[int]]:
        """All clauses, shorter ones first."""
        return [clause for _, clauses in sorted(self._by_length.items()) for clause in clauses]

    def pour(self, sink: ClauseSink) -> None:
        """Move all clauses to a sink, those of one length as one batch."""
        for _, clauses in sorted(self._by_length.items()):
            sink.add(np.array(clauses, dtype=np.int32))
        self._by_length.clear()
