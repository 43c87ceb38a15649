"""That the constraints of a model have no (other) solution: a SAT solver's proof, over the model's own variables.

Sums are never written as clauses. CaDiCaL keeps them while it searches, by its interface for external propagators
(Fazekas, Niemetz, Preiner, Kirchweger, Szeider and Biere, "IPASIR-UP: user propagators for CDCL", SAT 2023). So what it
learns are clauses over the candidates alone, and each follows by unit propagation from the formula and the sums.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import combinations

from pysat.engines import Propagator  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain import DisagreementError
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import Row
from ringdoku.solvers.incremental import MOST_CONFLICTS, IncrementalSolver

SOLVER = "cadical195"
"""The only one of PySAT's that takes a propagator of ours."""
OPTIONS = {"stabilizeonly": 1, "chrono": 0}
"""Of its ways to search the one with the fewest steps: hard killers have half as many."""
Clauses = list[Sequence[int]]


def refutation(
    rows: Iterable[Row], sums: Iterable[Row], gone: Set[int], deadline: Deadline, conflicts: int = MOST_CONFLICTS
) -> tuple[list[str], Clauses] | None:
    """The proof, in the DRUP format, that no assignment satisfies all rows and sums where the variables `gone` are 0;
    and the clauses of `sums` that the solver was given, for formulas that do not have them. None where that takes more
    than so many conflicts.

    Each step follows by unit propagation from the rows, the sums and the variables that are gone, and each such clause
    from one of the `sums`. Raises `TimeLimitError`, and `DisagreementError` where there is an assignment.
    """
    clauses: Clauses = []
    given: Clauses = []
    kept: list[Row] = []
    for rows_of_kind, clauses_of_kind in ((rows, clauses), (sums, given)):
        for whole in rows_of_kind:
            deadline.check()
            row = _without(whole, gone)
            if (found := clauses_of(row)) is None:
                kept.append(row)
            else:
                clauses_of_kind += found
    clauses += given
    if not all(clauses) or any(sum(row.factors) < row.least for row in kept):
        return [], given
    with IncrementalSolver(SOLVER, deadline=deadline, settings=OPTIONS, with_proof=True) as solver:
        solver.add(clauses)
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
    return None if satisfiable is None else (steps, [*given, *propagator.given])


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


def _without(row: Row, gone: Set[int]) -> Row:
    """The row where these variables are 0."""
    literals, factors, least = [], [], row.least
    for literal, factor in zip(row.literals, row.factors, strict=True):
        if abs(literal) not in gone:
            literals.append(literal)
            factors.append(factor)
        elif literal < 0:
            least -= factor
    return Row(tuple(literals), tuple(factors), least)


class Sums(Propagator):  # type: ignore[misc]  # PySAT has no types
    """Each of `rows` is kept by its *slack*: by how much its literals that are not false exceed what it needs. At the
    deadline the solver gets the empty clause, and what it says then means nothing."""

    def __init__(self, rows: Iterable[Row], deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline
        rows = [row for row in rows if row.least > 0]
        self._rows = [sorted(zip(row.factors, row.literals, strict=True), reverse=True) for row in rows]
        self._spare = [sum(row.factors) - row.least for row in rows]
        self._slack = list(self._spare)
        self.rows_with: dict[int, list[tuple[int, int]]] = {}
        for number, terms in enumerate(self._rows):
            for factor, literal in terms:
                self.rows_with.setdefault(literal, []).append((number, factor))
        # literal → its place in the trail
        self._true: dict[int, int] = {}
        self._trail: list[int] = []
        self._levels: list[int] = []
        self._fixed: set[int] = set()
        self._waiting: set[int] = set(range(len(self._rows)))
        self._because: dict[int, tuple[int, int]] = {}
        self._explained: set[int] = set()
        self._clause: list[int] | None = None
        self.given: list[list[int]] = []
        """Every clause that the solver got from here, or would have got had it asked."""

    def on_assignment(self, lit: int, fixed: bool = False) -> None:
        if fixed:
            self._fixed.add(lit)
            if lit in self._because and lit not in self._explained:
                # the solver does not ask why
                self._because[lit] = self._because[lit][0], len(self._trail)
                self.provide_reason(lit)
        if lit not in self._true:
            self._push(lit)

    def _push(self, lit: int) -> None:
        self._true[lit] = len(self._trail)
        self._trail.append(lit)
        for row, factor in self.rows_with.get(-lit, ()):
            left = self._slack[row] = self._slack[row] - factor
            if left < self._rows[row][0][0]:
                self._waiting.add(row)

    def on_new_level(self) -> None:
        self._levels.append(len(self._trail))

    def on_backtrack(self, to: int) -> None:
        if to >= len(self._levels):
            return
        start = self._levels[to]
        del self._levels[to:]
        undone = self._trail[start:]
        del self._trail[start:]
        for lit in undone:
            del self._true[lit]
            for row, factor in self.rows_with.get(-lit, ()):
                self._slack[row] += factor
        self._clause = None
        for lit in undone:
            if lit in self._fixed:
                self._push(lit)
        # what was returned may not have been heard
        self._waiting = {row for row, left in enumerate(self._slack) if left < self._rows[row][0][0]}

    def check_model(self, model: list[int]) -> bool:
        places = dict.fromkeys(model, -1)
        for number in range(len(self._rows)):
            clause = self._enough(number, self._spare[number], 0, places)
            if clause is not None:
                self._clause = clause
                return False
        return True

    def propagate(self) -> list[int]:
        found = list[int]()
        if self._deadline.expired:
            self._clause = []
            return found
        while self._waiting:
            number = self._waiting.pop()
            left, before = self._slack[number], len(self._trail)
            if left < 0:
                self._clause = self._enough(number, self._spare[number], before, self._true)
                return []
            for factor, literal in self._rows[number]:
                if factor <= left:
                    break
                if literal not in self._true and -literal not in self._true:
                    self._because[literal] = number, before
                    self._explained.discard(literal)
                    found.append(literal)
                    if not self._levels:
                        # the solver does not report what it learns for good from here, nor ask why
                        self.provide_reason(literal)
                        self._push(literal)
        return found

    def provide_reason(self, lit: int) -> list[int]:
        number, before = self._because[lit]
        factor = next(factor for factor, literal in self._rows[number] if literal == lit)
        because = self._enough(number, self._spare[number] - factor, before, self._true)
        if because is None:
            # it was for an assignment that was taken back, and has another reason now
            return []
        clause = [lit, *because]
        self.given.append(clause)
        self._explained.add(lit)
        return clause

    def has_clause(self) -> bool:
        return self._clause is not None

    def add_clause(self) -> list[int]:
        clause, self._clause = self._clause or [], None
        self.given.append(clause)
        return clause

    def _enough(self, number: int, left: int, before: int, places: Mapping[int, int]) -> list[int] | None:
        """The fewest literals of a row that were false before, with factors above `left` together; None: too few."""
        found = []
        for factor, literal in self._rows[number]:
            if left < 0:
                break
            if places.get(-literal, before) < before:
                found.append(literal)
                left -= factor
        return found if left < 0 else None
