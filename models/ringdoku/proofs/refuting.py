"""That the constraints of a model have no (other) solution: a SAT solver's proof, over the model's own variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations

from pysat.solvers import Solver  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain.errors import DisagreementError, TimeLimitError
from ringdoku.limits import Deadline
from ringdoku.proofs.budget import Sums
from ringdoku.proofs.checker import Row
from ringdoku.solvers.sat_solver import adding, solve_in_turns

SOLVER = "cadical195"
"""The only one of PySAT's that takes a propagator of ours."""
OPTIONS = {"stabilizeonly": 1, "chrono": 0}
"""Of its ways to search the one with the fewest steps: hard 16×16 take a quarter less time to make and to check."""
LOOKS = 1000
"""Constraints between two looks at the clock."""


def refutation(
    clauses: Iterable[Sequence[int]], sums: Iterable[Row], gone: Set[int], deadline: Deadline
) -> tuple[list[str], list[Sequence[int]]]:
    """The proof, in the DRUP format, that no assignment satisfies the clauses and keeps the sums where the variables
    `gone` are 0; and the clauses of `sums` that the solver was given.

    Each step follows by unit propagation from the clauses, the sums and the variables that are gone, and each such
    clause from one sum. Raises `TimeLimitError`, and `DisagreementError` where there is an assignment.
    """
    given: list[Sequence[int]] = []
    kept: list[Row] = []
    for number, whole in enumerate(sums):
        if not number % LOOKS:
            deadline.check()
        row = _without(whole, gone)
        if sum(row.factors) < row.least:
            return [], given
        found = clauses_of(row)
        if found is None:
            kept.append(row)
        else:
            given += found
    clauses = [*clauses, *given]
    if not all(clauses):
        return [], given
    deadline.check()
    with Solver(name=SOLVER, with_proof=True) as solver:
        solver.configure(OPTIONS)
        adding(solver)(clauses)
        propagator = Sums(kept)
        if kept:
            solver.connect_propagator(propagator)
            for var in propagator.variables:
                solver.observe(var)
        try:
            answer = solve_in_turns(solver, [], deadline)
            steps: list[str] = solver.get_proof() if answer is False else []
        finally:
            if kept:
                solver.disconnect_propagator()
    if answer is None:
        raise TimeLimitError
    if answer:
        raise DisagreementError("there is a solution that a certificate was to exclude")
    return steps, [*given, *propagator.given]


def clauses_of_sets(sets: Iterable[Sequence[int]], left: Set[int]) -> Iterator[Sequence[int]]:
    """That just one variable of each set is true, where only those of `left` can be; nothing of sets without any."""
    for variables in sets:
        if not left.isdisjoint(variables):
            found = [var for var in variables if var in left]
            yield found
            yield from combinations([-var for var in found], 2)


def clauses_of(row: Row) -> Iterable[Sequence[int]] | None:
    """The same as clauses, where it is one, or says that all literals but one are true; None for other sums."""
    if row.least <= 0:
        return ()
    if min(row.factors) >= row.least:
        return (row.literals,)
    if max(row.factors) == 1 and row.least == len(row.literals) - 1:
        return combinations(row.literals, 2)
    return None


def _without(row: Row, gone: Set[int]) -> Row:
    """The row where these variables are 0."""
    if gone.isdisjoint(map(abs, row.literals)):
        return row
    terms = list(zip(row.literals, row.factors, strict=True))
    left = [(lit, factor) for lit, factor in terms if abs(lit) not in gone]
    held = sum([factor for lit, factor in terms if -lit in gone])
    return Row(tuple([lit for lit, _ in left]), tuple([factor for _, factor in left]), row.least - held)
