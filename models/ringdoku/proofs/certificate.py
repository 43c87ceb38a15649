"""Certificates, made and checked: a model, a proof about it, and what they prove of a puzzle.

Prices are one line of the proof. With f the score, and prices over the denominator D, take D·(f ≥ t) and each
constraint times its price, ≤ where the price is positive and ≥ where it is negative. Their sum is Σ r·x ≤ U − D·t: the
reduced costs r of what a solution chooses fit the *budget*. Where that leaves something open, a SAT solver proves it.

For DRAT the model is the textbook's formula, a clause against each solution that is counted, and for claims on scores
*clauses of the budget*: each names choices whose reduced costs exceed it together. Whoever checks adds up integers, and
runs a checker of DRAT.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain import DisagreementError, Grid, Objective, Puzzle, UsageError, gains_of
from ringdoku.duality.prices import Ints, Prices, exact_prices, incidence, rounded_prices
from ringdoku.limits import Deadline
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.proofs.checker import MalformedError, RefutedError, Row
from ringdoku.proofs.model import CertificateModel, Claim
from ringdoku.proofs.proof import Proof, own_steps
from ringdoku.proofs.refuting import Clauses, refutation
from ringdoku.proofs.rules import clause_row
from ringdoku.proofs.sums import DerivedSums, rows_of_cages
from ringdoku.proofs.verifying import verify
from ringdoku.sat.drat import faults_of_proof
from ringdoku.sat.formula import Cnf
from ringdoku.solvers.incremental import MOST_CONFLICTS, IncrementalSolver
from ringdoku.solvers.registry import DEFAULT_TO_REFUTE

VERSIONS = ("3.0", "1.2")
"""Of the format of VeriPB."""
DRAT = "drat"
EASY = 500
"""Conflicts of a proof that needs nothing of the sets of cages; to derive these takes about as long."""


@dataclass(frozen=True)
class Certificate:
    """The lines of the two files, without ends of lines, and what they prove."""

    claim: Claim
    model: tuple[str, ...]
    proof: tuple[str, ...]


def certified(
    puzzle: Puzzle, objective: Objective, claim: Claim, grids: Sequence[Grid], form: str, deadline: Deadline
) -> Certificate:
    """`ringdoku.certify`, which says more. Raises what it raises, and `CertificateModel`."""
    if form not in (*VERSIONS, DRAT):
        raise UsageError(f"forms of certificates are {', '.join(VERSIONS)} and {DRAT}, not {form!r}")
    if form == DRAT:
        return _certify_drat(puzzle, objective, claim, grids, deadline)
    if form == "1.2" and claim.count and puzzle.board.extra:
        raise UsageError("version 1.2 does not know that solutions which differ in extra cells alone are one; 3.0 does")
    stated = CertificateModel(puzzle, objective, claim)
    lines, proof = tuple(stated.lines()), make_proof(stated, grids, deadline)[0]
    # nothing is taken over from the making: the checker reads what will be in the files
    found = _accepted(proof, lines, deadline)
    if set(found) != set(grids):
        raise DisagreementError(f"the certificate of {str(claim)!r} lists other solutions than were found")
    if form == "1.2":
        # which does not know that line
        lines = tuple(line for line in lines if not line.startswith("preserved:"))
    return Certificate(claim, lines, tuple(proof.lines(form)))


def _certify_drat(
    puzzle: Puzzle, objective: Objective, claim: Claim, grids: Sequence[Grid], deadline: Deadline
) -> Certificate:
    """The proof is verified by our own checker of DRAT, the clauses of the budget by `proofs.checker`."""
    formula = lower_to_cnf(puzzle, deadline=deadline)
    against = list(formula.digits.clauses_against(grids if claim.count else ()))
    clauses: list[Sequence[int]] = [*formula.cnf.clauses(), *against]
    variables = formula.cnf.num_vars
    notes = [f"{claim}: the puzzle, then clauses against {len(against)} solutions"]
    if claim.score is None:
        cnf = Cnf.of(formula.cnf.num_vars, clauses)
        with IncrementalSolver(DEFAULT_TO_REFUTE, cnf, deadline, with_proof=True) as solver:
            if solver.is_satisfiable():
                raise DisagreementError("there is a solution that a certificate was to exclude")
            steps = solver.proof()
    else:
        stated = CertificateModel(puzzle, objective, claim)
        proof, steps, given = make_proof(stated, grids, deadline, with_sums=True)
        _accepted(proof, None, deadline)
        # the formula has other variables behind those of the candidates
        first, shift = stated.candidates, variables - stated.candidates
        variables += len(stated.rules.helpers)
        budget = list(dict.fromkeys(tuple(_shifted(clause, first, shift)) for clause in given))
        steps = [_shifted_step(step, first, shift) for step in steps]
        clauses += budget
        notes.append(f"the last {len(budget)} clauses are of rules and of the budget, sums of the model for VeriPB:")
        notes += [f"pol {words}" for words in proof.sums]
    lines = [*own_steps(steps, {}), "0"]
    if faults := faults_of_proof(Cnf.of(variables, clauses), lines, deadline):
        raise DisagreementError(f"the certificate of {str(claim)!r} does not hold: {faults[0]}")
    head = [*(f"c {note}" for note in notes), f"p cnf {variables} {len(clauses)}"]
    return Certificate(claim, (*head, *(" ".join(map(str, [*clause, 0])) for clause in clauses)), tuple(lines))


def _shifted(clause: Iterable[int], first: int, shift: int) -> list[int]:
    """With other numbers for the variables behind `first`."""
    return [literal if abs(literal) <= first else literal + (shift if literal > 0 else -shift) for literal in clause]


def _shifted_step(step: str, first: int, shift: int) -> str:
    found = step.removeprefix("d ")
    return step[: len(step) - len(found)] + " ".join(map(str, _shifted(map(int, found.split()), first, shift)))


def _accepted(proof: Proof, model: Iterable[str] | None, deadline: Deadline) -> list[Grid]:
    """What a check of our own work found. Raises `TimeLimitError`, and `DisagreementError` where it refuses."""
    stated = proof.stated
    try:
        return verify(stated.puzzle, proof.lines(), stated.claim, stated.objective, model, deadline.left())
    except (RefutedError, MalformedError) as error:
        raise DisagreementError(f"the certificate of {str(stated.claim)!r} does not hold: {error}") from None


def make_proof(
    stated: CertificateModel, grids: Sequence[Grid], deadline: Deadline, with_sums: bool = False, easy: int = EASY
) -> tuple[Proof, list[str], Clauses]:
    """The proof; the part of it that a SAT solver wrote, in the DRUP format; and the clauses of sums that this needs.
    Clues, singles and fixing by prices are unit propagation, so that no step says them. `with_sums`: the clauses of
    sums are steps too. A proof of more than `easy` conflicts derives the sets of cages first."""
    claim, puzzle = stated.claim, stated.puzzle
    proof, steps, given = Proof(stated), list[str](), Clauses()
    listed = [stated.chosen(grid) for grid in grids]
    # the constraint that the score is at least the target: the last of the model, or what a best grid adds
    score = proof.constraints + (claim.count is None)
    if claim.count is None:
        proof.better_than(listed[0])
    for chosen in listed if claim.count else ():
        proof.another_than(chosen)
    found, sums = DerivedSums(stated), list[Row]()
    rows = found.rows[: found.of_units]
    for words, row in found.every():
        deadline.check()
        sums.append(row)
        if words:
            proof.sum(words)
    left = propagate(puzzle, None, deadline, with_rules=False)
    if left is not None and claim.score is not None:
        target = stated.objective.sense.sign * claim.score + (claim.count is None)
        for prices in pricing(puzzle, stated.objective.upwards(), left, target, deadline):
            proof.sum(words_of(prices, score, stated.rules.numbers))
            survivors = prices.survivors(left, target)
            sums.append(budget_of(prices, target, survivors))
            # each is dearer than the budget; where that is below 0, all are
            given += [[-var] for var in _variables(left & ~survivors)]
            left = survivors
        left = propagate(puzzle, left, deadline, with_rules=False)
    if left is not None:
        for chosen in listed if claim.count else ():
            rows.append(clause_row(stated.against(chosen)))
        gone = set(_variables(~left))
        refuted = refutation(rows, sums, gone, deadline, easy if stated.rules.cages else MOST_CONFLICTS)
        if refuted is None:
            of_cages = list(rows_of_cages(found, proof))
            refuted = refutation(rows, [*sums, *of_cages], gone, deadline)
        assert refuted, "without a limit on conflicts there is an answer, or the deadline was reached"
        steps, of_sums = refuted
        given += of_sums
    if with_sums:
        for clause in given:
            proof.clause(clause)
    proof.drup(steps)
    proof.clause([])
    return proof, steps, given


def _variables(candidates: Candidates) -> list[int]:
    found: list[int] = (np.flatnonzero(candidates) + 1).tolist()
    return found


def pricing(
    puzzle: Puzzle, objective: Objective, candidates: Candidates, target: int, deadline: Deadline
) -> Iterator[Prices]:
    """Prices for the solutions whose score is `target` or more; `objective` maximises. What a solution leaves of an
    inequality costs it nothing. So where inequalities have prices, the budget says less than the score does, and others
    follow in which they have none: a solution fits just when it scores the target."""
    # it loads OR-tools, which claims without a score do without
    from ringdoku.duality.relaxation import relax

    units = incidence(puzzle.ruleset)
    gains: Ints = np.array(gains_of(objective.weights, puzzle.board), dtype=np.int64)
    best = relax(units, candidates, gains, deadline).prices
    chosen = rounded_prices(best, units, candidates, gains, lambda some: some.best_score == best.best_score)
    yield chosen
    if chosen.slack(target) >= 0 and chosen.row_prices[~units.exact].any():
        of_units, of_rows = best.unit_prices / best.denominator, best.row_prices / best.denominator
        yield exact_prices(units, candidates, gains, of_units, of_rows * units.exact, chosen.denominator)


def words_of(prices: Prices, score: int, numbers: Iterable[tuple[int, int]]) -> str:
    """The sum, in reverse Polish notation: `score` is the number of f ≥ target, `numbers` are those of `Rules`."""
    every = [*prices.cell_prices.tolist(), *prices.unit_prices.reshape(-1).tolist(), *prices.row_prices.tolist()]
    words = [f"{score} {prices.denominator} *"]
    for price, (least, most) in zip(every, numbers, strict=True):
        if price and (least or most):
            words.append(f"{most if price > 0 else least} {abs(price)} * +")
    return " ".join(words).replace(" 1 *", "")


def budget_of(prices: Prices, target: int, candidates: Candidates) -> Row:
    """The budget on the candidates, as Σ r·(1 − x) ≥ Σ r − budget."""
    dear = candidates & (prices.reduced_costs > 0)
    costs: list[int] = prices.reduced_costs[dear].tolist()
    return Row(tuple(-var for var in _variables(dear)), tuple(costs), sum(costs) - prices.slack(target))
