"""That the constraints of a model have no (other) solution: a SAT solver's proof, over the model's own variables.

Sums are never written as clauses. CaDiCaL keeps them while it searches, by its interface for external propagators
(Fazekas, Niemetz, Preiner, Kirchweger, Szeider and Biere, "IPASIR-UP: user propagators for CDCL", SAT 2023). So what it
learns are clauses over the candidates alone, and each follows by unit propagation from the formula and the sums.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain, combinations

from pysat.engines import Propagator  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain import DisagreementError
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import Row
from ringdoku.proofs.proof import Steps
from ringdoku.solvers.incremental import MOST_CONFLICTS, IncrementalSolver

SOLVER = "cadical195"
"""The only one of PySAT's that takes a propagator of ours, and says what each clause follows from."""
OPTIONS = {"stabilizeonly": 1, "chrono": 0}
"""Of its ways to search the one with the fewest steps: hard killers have half as many."""


def refutation(
    rows: Mapping[int, Row],
    sums: Mapping[int, Row],
    false: Set[int],
    deadline: Deadline,
    conflicts: int = MOST_CONFLICTS,
) -> tuple[Steps, Steps] | None:
    """The proof that no assignment satisfies all rows and sums where these literals are `false`, which each step may
    use; and the clauses of `sums` that it needs, for formulas without them. None where it takes more than so many
    conflicts.

    Raises `TimeLimitError`, and `DisagreementError` where there is an assignment.
    """
    given, kept = list[tuple[int, Sequence[int]]](), dict[int, Row]()
    for number, whole in chain(rows.items(), sums.items()):
        deadline.check()
        row = whole.without(false)
        if sum(row.factors) < row.least:
            return [([], [number])], []
        if (found := clauses_of(row)) is None:
            kept[number] = row
        else:
            given += ((number, clause) for clause in found)
    with IncrementalSolver(SOLVER, deadline=deadline, settings=OPTIONS, with_proof=True) as solver:
        solver.add(clause for _, clause in given)
        propagator = Sums(kept, deadline)
        solver.solver.connect_propagator(propagator)
        for var in sorted(set(map(abs, propagator.rows_with))):
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
    given += propagator.given
    used = {place for _, because in steps for place in because if place > 0}
    needed = (given[place - 1] for place in sorted(used))
    of_sums: Steps = [(clause, [number]) for number, clause in needed if number in sums]
    return [(clause, [given[k - 1][0] if k > 0 else k for k in because]) for clause, because in steps], of_sums


def clauses_of(row: Row) -> Iterable[Sequence[int]] | None:
    """The same as clauses, where a row says one of all, all but one, or one or all others; None for other sums."""
    if row.least <= 0:
        return ()
    if min(row.factors, default=row.least) >= row.least:
        return (row.literals,)
    most, first = max(zip(row.factors, row.literals, strict=True))
    if most >= row.least == sum(row.factors) - most:
        return [(first, other) for other in row.literals if other != first]
    if max(row.factors) == 1 and row.least == len(row.literals) - 1:
        return combinations(row.literals, 2)
    return None


class Sums(Propagator):  # type: ignore[misc]  # PySAT has no types
    """Each of `rows` is kept by its *slack*: by how much its literals that are not false exceed what it needs. At the
    deadline the solver gets the empty clause, and what it says then means nothing."""

    def __init__(self, rows: Mapping[int, Row], deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline
        self._numbers = list(rows)
        self._rows = [sorted(row.terms, reverse=True) for row in rows.values()]
        self._spare = [sum(row.factors) - row.least for row in rows.values()]
        self._slack = list(self._spare)
        self.rows_with: dict[int, list[tuple[int, int]]] = {}
        for place, terms in enumerate(self._rows):
            for factor, literal in terms:
                self.rows_with.setdefault(literal, []).append((place, factor))
        # literal → how many were true before it, in their order
        self._true: dict[int, int] = {}
        self._levels: list[int] = []
        self._fixed: set[int] = set()
        self._waiting: set[int] = set(range(len(self._rows)))
        self._because: dict[int, tuple[int, int]] = {}
        self._clause: tuple[int, list[int]] | None = None
        self.given: list[tuple[int, list[int]]] = []
        """Each clause that the solver got from here, with the number of its row."""

    def on_assignment(self, lit: int, fixed: bool = False) -> None:
        if fixed:
            self._fixed.add(lit)
        if lit not in self._true:
            self._push(lit)

    def _push(self, lit: int) -> None:
        self._true[lit] = len(self._true)
        for row, factor in self.rows_with.get(-lit, ()):
            left = self._slack[row] = self._slack[row] - factor
            if left < self._rows[row][0][0]:
                self._waiting.add(row)

    def on_new_level(self) -> None:
        self._levels.append(len(self._true))

    def on_backtrack(self, to: int) -> None:
        if to >= len(self._levels):
            return
        start = self._levels[to]
        del self._levels[to:]
        undone = [self._true.popitem()[0] for _ in range(len(self._true) - start)]
        for lit in undone:
            for row, factor in self.rows_with.get(-lit, ()):
                self._slack[row] += factor
        self._clause = None
        for lit in reversed(undone):
            if lit in self._fixed:
                self._push(lit)

    def check_model(self, model: list[int]) -> bool:
        places = dict.fromkeys(model, -1)
        for row, spare in enumerate(self._spare):
            clause = self._enough(row, spare, 0, places)
            if clause is not None:
                self._clause = self._numbers[row], clause
                return False
        return True

    def propagate(self) -> list[int]:
        found = list[int]()
        if self._deadline.expired:
            self._clause = 0, []
            return found
        while self._waiting:
            row = self._waiting.pop()
            left, before = self._slack[row], len(self._true)
            if left < 0:
                clause = self._enough(row, self._spare[row], before, self._true)
                self._clause = None if clause is None else (self._numbers[row], clause)
                return []
            for factor, literal in self._rows[row]:
                if factor <= left:
                    break
                if literal not in self._true and -literal not in self._true:
                    self._because[literal] = row, before
                    if self._levels:
                        found.append(literal)
                    else:
                        # what it learns for good the solver does not ask about, and could not prove
                        self._clause = self._numbers[row], self._reason(literal)
                        self._waiting.add(row)
                        return []
        return found

    def provide_reason(self, lit: int) -> list[int]:
        self.given.append((self._numbers[self._because[lit][0]], self._reason(lit)))
        return self.given[-1][1]

    def _reason(self, lit: int) -> list[int]:
        row, before = self._because[lit]
        factor = next(factor for factor, literal in self._rows[row] if literal == lit)
        because = self._enough(row, self._spare[row] - factor, before, self._true)
        assert because is not None, "the solver asks for what follows now"
        return [lit, *because]

    def has_clause(self) -> bool:
        return self._clause is not None

    def add_clause(self) -> list[int]:
        self.given.append(self._clause or (0, []))
        self._clause = None
        return self.given[-1][1]

    def _enough(self, row: int, left: int, before: int, places: Mapping[int, int]) -> list[int] | None:
        """The fewest literals of a row that were false before, with factors above `left` together; None: too few."""
        found = []
        for factor, literal in self._rows[row]:
            if left < 0:
                break
            if places.get(-literal, before) < before:
                found.append(literal)
                left -= factor
        return found if left < 0 else None
