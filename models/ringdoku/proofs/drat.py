"""Certificates as a formula without solutions and a DRAT proof of that, for the checkers of the SAT competitions.

The formula is the textbook's, a clause against each solution that the claim counts, and for claims on scores *clauses
of the budget*: each names choices whose reduced costs exceed it together. So whoever checks adds up integers, and runs
a checker of DRAT. The variables are those of `proofs.model`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ringdoku.domain.errors import DisagreementError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import Deadline
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.proofs.certificate import Certificate, accepted, conclusion_of, make_proof
from ringdoku.proofs.claims import Claim
from ringdoku.proofs.model import CertificateModel
from ringdoku.proofs.verifying import verify
from ringdoku.sat import Cnf
from ringdoku.sat.drat import faults_of_proof
from ringdoku.solvers.incremental import IncrementalSolver
from ringdoku.solvers.registry import DEFAULT_TO_REFUTE


def certify_drat(
    puzzle: Puzzle, objective: Objective, claim: Claim, grids: Sequence[Grid], deadline: Deadline
) -> Certificate:
    """The certificate, verified: the proof by our own checker of DRAT, the clauses of the budget by `proofs.checker`.

    A claim without a score may be about any rules. Raises as `certificate.certify` does.
    """
    formula = lower_to_cnf(puzzle, deadline=deadline)
    against = list(formula.digits.clauses_against(grids if claim.count else ()))
    clauses = [*formula.cnf.clauses(), *against]
    notes = [f"{claim}: the puzzle, then clauses against {len(against)} solutions"]
    if claim.score is None:
        steps = _refuted(_cnf(formula.cnf.num_vars, clauses), deadline)
    else:
        stated = CertificateModel(puzzle, objective, claim)
        proof, steps, given = make_proof(stated, grids, deadline, with_sums=True)
        accepted(stated, lambda: verify(stated, proof.lines(conclusion_of(stated)), expired=lambda: deadline.expired))
        budget = list(dict.fromkeys(tuple(clause) for clause in given))
        clauses += map(list, budget)
        notes.append(f"the last {len(budget)} clauses are of the budget, a sum of constraints of the model for VeriPB:")
        notes += [f"pol {words}" for words in proof.sums]
    cnf = _cnf(formula.cnf.num_vars, clauses)
    lines = [*_without_foreign_deletions(steps), "0"]
    if faults := faults_of_proof(cnf, lines, deadline):
        raise DisagreementError(f"the certificate of {str(claim)!r} does not hold: {faults[0]}")
    head = [*(f"c {note}" for note in notes), f"p cnf {cnf.num_vars} {len(clauses)}"]
    return Certificate(claim, (*head, *(" ".join(map(str, [*clause, 0])) for clause in clauses)), tuple(lines))


def _cnf(num_vars: int, clauses: Iterable[Sequence[int]]) -> Cnf:
    return Cnf(num_vars, np.array([literal for clause in clauses for literal in (*clause, 0)], dtype=np.int32))


def _refuted(cnf: Cnf, deadline: Deadline) -> list[str]:
    with IncrementalSolver(DEFAULT_TO_REFUTE, cnf, deadline, with_proof=True) as solver:
        if solver.is_satisfiable():
            raise DisagreementError("there is a solution that a certificate was to exclude")
        return solver.proof()


def _without_foreign_deletions(steps: Iterable[str]) -> Iterator[str]:
    """Up to the empty clause, with deletions only of what was added: solvers delete what they were given, and use it
    again."""
    added: Counter[frozenset[str]] = Counter()
    for step in steps:
        words = step.split()
        clause = frozenset(words[1:-1] if words[0] == "d" else words[:-1])
        if not clause:
            return
        if words[0] != "d":
            added[clause] += 1
            yield step
        elif added[clause] and len(clause) > 1:
            added[clause] -= 1
            yield step
