"""A SAT solver's proof that the constraints of a model have no (other) solution, over the model's own variables.

Sums that would take many clauses are enforced by an external propagator, through CaDiCaL's interface (Fazekas, Niemetz,
Preiner, Kirchweger, Szeider and Biere, "IPASIR-UP: user propagators for CDCL", SAT 2023). So the learned clauses are
over the model's variables, and each follows by unit propagation from the formula and the sums.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, combinations, islice

from pysat.engines import Propagator  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain import DisagreementError
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import Row
from ringdoku.proofs.proof import Steps
from ringdoku.solvers.incremental import IncrementalSolver

SOLVER = "cadical195"
"""The only solver of PySAT that takes an external propagator and reports what each learned clause follows from."""
FEW_CLAUSES = 50
"""The most clauses that a sum is written as; one that needs more is propagated as it is."""


def refutation(
    rows: Mapping[int, Row], sums: Mapping[int, Row], false: Set[int], deadline: Deadline, conflicts: int
) -> tuple[Steps, Steps] | None:
    """The proof that no assignment satisfies all rows and sums; and the clauses of `sums` that it needs, for formulas
    without sums. Each step may use that the literals `false` are so. None if it takes more than `conflicts` conflicts.
    Raises `TimeLimitError`, and `DisagreementError` if there is an assignment."""
    clauses, propagated = list[tuple[int, Sequence[int]]](), dict[int, Row]()
    for number, whole in chain(rows.items(), sums.items()):
        deadline.check()
        row = whole.without(false)
        if sum(row.factors) < row.least:
            return [([], [number])], []
        if (encoded := clauses_of(row)) is None:
            propagated[number] = row
        else:
            clauses += ((number, clause) for clause in encoded)
    with IncrementalSolver(SOLVER, deadline=deadline, settings={"chrono": 0}, with_proof=True) as solver:
        solver.add(clause for _, clause in clauses)
        propagator = SumPropagator(propagated, deadline)
        solver.solver.connect_propagator(propagator)
        for var in sorted(set(map(abs, propagator.occurrences))):
            solver.solver.observe(var)
        try:
            satisfiable = solver.solve(conflicts=conflicts)
            deadline.check()
            steps = solver.proof() if satisfiable is False else []
        finally:
            solver.solver.disconnect_propagator()
    if satisfiable:
        raise DisagreementError("there is a solution that a certificate was to exclude")
    if satisfiable is None:
        return None
    clauses += propagator.clauses
    needed = (clauses[hint - 1] for hint in sorted({hint for _, hints in steps for hint in hints if hint > 0}))
    sum_clauses: Steps = [(clause, [number]) for number, clause in needed if number in sums]
    return [(clause, [clauses[k - 1][0] if k > 0 else k for k in hints]) for clause, hints in steps], sum_clauses


def clauses_of(row: Row) -> Iterable[Sequence[int]] | None:
    """Clauses equivalent to a row: of each smallest set of literals whose factors exceed the slack of the row, one is
    true. None if there are more than `FEW_CLAUSES`, except for "all but one"."""
    if row.least <= 0:
        return ()
    if min(row.factors, default=row.least) >= row.least:
        return (row.literals,)
    if max(row.factors) == 1 and row.least == len(row.literals) - 1:
        return combinations(row.literals, 2)
    found = list(islice(_smallest_sets(sorted(row.terms), sum(row.factors) - row.least), FEW_CLAUSES + 1))
    return found if len(found) <= FEW_CLAUSES else None


def _smallest_sets(terms: list[tuple[int, int]], slack: int) -> Iterator[list[int]]:
    """The smallest sets of literals whose factors exceed the `slack`; `terms` are (factor, literal), ascending."""
    total = sum([factor for factor, _ in terms])
    while total > slack:
        *terms, (factor, literal) = terms
        total -= factor
        if factor > slack:
            yield [literal]
        else:
            yield from ([literal, *others] for others in _smallest_sets(terms, slack - factor))


class SumPropagator(Propagator):  # type: ignore[misc]  # PySAT has no types
    """Propagates each row by its *slack*: the sum of the factors of its literals that are not false, minus its lower
    bound. At the deadline it gives the solver the empty clause, so that the answer then means nothing."""

    def __init__(self, rows: Mapping[int, Row], deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline
        self._numbers = list(rows)
        self._rows = [sorted(row.terms, reverse=True) for row in rows.values()]
        self._first_slack = [sum(row.factors) - row.least for row in rows.values()]
        self._slack = list(self._first_slack)
        self.occurrences: dict[int, list[tuple[int, int]]] = {}
        for index, terms in enumerate(self._rows):
            for factor, literal in terms:
                self.occurrences.setdefault(literal, []).append((index, factor))
        # true literal → its position
        self._trail: dict[int, int] = {}
        self._level_starts: list[int] = []
        self._fixed: set[int] = set()
        self._waiting: set[int] = set(range(len(self._rows)))
        # propagated literal → its row, and the length of the trail at that time
        self._reasons: dict[int, tuple[int, int]] = {}
        self._clause: tuple[int, list[int]] | None = None
        self.clauses: list[tuple[int, list[int]]] = []
        """Each clause that was given to the solver, with the number of its row."""

    def on_assignment(self, lit: int, fixed: bool = False) -> None:
        if fixed:
            self._fixed.add(lit)
        if lit not in self._trail:
            self._push(lit)

    def _push(self, lit: int) -> None:
        self._trail[lit] = len(self._trail)
        for row, factor in self.occurrences.get(-lit, ()):
            left = self._slack[row] = self._slack[row] - factor
            if left < self._rows[row][0][0]:
                self._waiting.add(row)

    def on_new_level(self) -> None:
        self._level_starts.append(len(self._trail))

    def on_backtrack(self, to: int) -> None:
        if to >= len(self._level_starts):
            return
        start = self._level_starts[to]
        del self._level_starts[to:]
        undone = [self._trail.popitem()[0] for _ in range(len(self._trail) - start)]
        for lit in undone:
            for row, factor in self.occurrences.get(-lit, ()):
                self._slack[row] += factor
        self._clause = None
        for lit in reversed(undone):
            if lit in self._fixed:
                self._push(lit)

    def check_model(self, model: list[int]) -> bool:
        positions = dict.fromkeys(model, -1)
        for row, slack in enumerate(self._first_slack):
            if sum([factor for factor, literal in self._rows[row] if -literal in positions]) > slack:
                self._clause = self._numbers[row], self._false_literals(row, slack, 0, positions)
                return False
        return True

    def propagate(self) -> list[int]:
        propagated = list[int]()
        if self._deadline.expired:
            self._clause = 0, []
            return propagated
        while self._waiting:
            row = self._waiting.pop()
            slack, before = self._slack[row], len(self._trail)
            if slack < 0:
                false = self._false_literals(row, self._first_slack[row], before, self._trail)
                self._clause = self._numbers[row], false
                return []
            for factor, literal in self._rows[row]:
                if factor <= slack:
                    break
                if literal not in self._trail and -literal not in self._trail:
                    self._reasons[literal] = row, before
                    if self._level_starts:
                        propagated.append(literal)
                    else:
                        # at the root level the solver never asks for reasons, and its proof would lack this clause
                        self._clause = self._numbers[row], self._reason(literal)
                        self._waiting.add(row)
                        return []
        return propagated

    def provide_reason(self, lit: int) -> list[int]:
        self.clauses.append((self._numbers[self._reasons[lit][0]], self._reason(lit)))
        return self.clauses[-1][1]

    def _reason(self, lit: int) -> list[int]:
        row, before = self._reasons[lit]
        factor = next(factor for factor, literal in self._rows[row] if literal == lit)
        return [lit, *self._false_literals(row, self._first_slack[row] - factor, before, self._trail)]

    def has_clause(self) -> bool:
        return self._clause is not None

    def add_clause(self) -> list[int]:
        self.clauses.append(self._clause or (0, []))
        self._clause = None
        return self.clauses[-1][1]

    def _false_literals(self, row: int, slack: int, before: int, positions: Mapping[int, int]) -> list[int]:
        """The fewest literals of a row that were false before and whose factors exceed `slack`."""
        false = []
        for factor, literal in self._rows[row]:
            if slack < 0:
                break
            if positions.get(-literal, before) < before:
                false.append(literal)
                slack -= factor
        return false
