"""Certificates, made and checked: a model, a proof about it, and what they prove of a puzzle.

Prices are one line of the proof. With f the score, and prices over the denominator D, take D·(f ≥ t) and each
constraint times its price, ≤ where the price is positive and ≥ where it is negative. Their sum is Σ r·x ≤ U − D·t: the
reduced costs r of what a solution chooses fit the *budget*. Where that leaves something open, a SAT solver proves it.

For DRAT the model is the textbook's formula, a clause against each solution that is counted, and for claims on scores
*clauses of the budget*: each names choices whose reduced costs exceed it together. How these follow is said in comments
by steps of VeriPB's format.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, groupby

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain import Grid, Objective, Puzzle, gains_of
from ringdoku.domain.errors import DisagreementError, MalformedError, RefutedError, UsageError, refuse
from ringdoku.duality.prices import Ints, Prices, exact_prices, incidence, rounded_prices
from ringdoku.limits import Deadline, without_collection
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.proofs.checker import Propagation, Row
from ringdoku.proofs.claim import Claim
from ringdoku.proofs.model import CertificateModel
from ringdoku.proofs.proof import Proof, Steps
from ringdoku.proofs.refuting import SOLVER, refutation
from ringdoku.proofs.rules import clause_row
from ringdoku.proofs.sums import DerivedSums, rows_of_cages
from ringdoku.proofs.verifying import verify
from ringdoku.sat.drat import faults_of_proof
from ringdoku.sat.formula import Cnf
from ringdoku.solvers.incremental import MOST_CONFLICTS, IncrementalSolver

VERSIONS = ("3.0", "1.2")
"""Of the format of VeriPB."""
DRAT = "drat"
EASY = 500
"""Conflicts of a proof that needs nothing of sums side by side and the sets of cages; these take about as long."""


@dataclass(frozen=True)
class Certificate:
    """The lines of the two files, without ends of lines, and what they prove."""

    claim: Claim
    model: tuple[str, ...]
    proof: tuple[str, ...]


@without_collection()
def certified(
    puzzle: Puzzle, objective: Objective, claim: Claim, grids: Sequence[Grid], form: str, deadline: Deadline
) -> Certificate:
    """`ringdoku.certify`, which says more. Raises what it raises, and `CertificateModel`."""
    refuse(form not in (*VERSIONS, DRAT), f"forms of certificates are {', '.join(VERSIONS)} and {DRAT}, not {form!r}")
    if form == DRAT:
        return _certify_drat(puzzle, objective, claim, grids, deadline)
    if form == "1.2" and claim.count and puzzle.board.extra:
        raise UsageError("version 1.2 does not know that solutions which differ in extra cells alone are one; 3.0 does")
    stated = CertificateModel(puzzle, objective, claim)
    proof = make_proof(stated, grids, deadline)[0]
    lines, steps = list(stated.lines()), proof.lines()
    # nothing is taken over from the making: the checker reads what will be in the files
    found = _accepted(stated, steps, lines, deadline)
    if set(found) != set(grids):
        raise DisagreementError(f"the certificate of {str(claim)!r} lists other solutions than were found")
    if form == "1.2":  # which does not know that line
        lines, steps = [line for line in lines if not line.startswith("preserved:")], proof.lines(form)
    return Certificate(claim, tuple(lines), tuple(steps))


def _certify_drat(
    puzzle: Puzzle, objective: Objective, claim: Claim, grids: Sequence[Grid], deadline: Deadline
) -> Certificate:
    """The proof is verified by our own checker of DRAT, the clauses of the budget by `proofs.checker`."""
    formula = lower_to_cnf(puzzle, deadline=deadline)
    against = list(formula.digits.blocking_clauses(grids if claim.count else ()))
    clauses: list[Sequence[int]] = [*formula.cnf.clauses(), *against]
    variables = formula.cnf.num_vars
    notes = [f"{claim}: the puzzle, then clauses against {len(against)} solutions"]
    if claim.score is None:
        with IncrementalSolver(SOLVER, Cnf.of(variables, clauses), deadline, with_proof=True) as solver:
            if solver.is_satisfiable():
                raise DisagreementError("there is a solution that a certificate was to exclude")
            steps: Steps = [*solver.proof()] or [([], [])]
    else:
        stated = CertificateModel(puzzle, objective, claim)
        proof, steps, given = make_proof(stated, grids, deadline, with_sums=True)
        _accepted(stated, derived := proof.lines(), None, deadline)
        # the formula has other variables behind those of the candidates
        first, shift = stated.candidates, variables - stated.candidates
        variables += len(stated.rules.helpers)
        budget = list(dict.fromkeys(tuple(_shifted(clause, first, shift)) for clause, _ in given))
        steps = [(_shifted(clause, first, shift), because) for clause, because in steps]
        clauses += budget
        notes.append(f"then {len(budget)} of rules and the budget, by these steps from the model for VeriPB,")
        notes.append(f"whose variables above x{first} are {shift} higher here:")
        notes += [f"{number}: {line}" for number, line in enumerate(derived[2 : -3 - len(steps)], len(stated.rows) + 1)]
    lines = [_dimacs(clause) for clause, _ in steps]
    if faults := faults_of_proof(Cnf.of(variables, clauses), lines, deadline):
        raise DisagreementError(f"the certificate of {str(claim)!r} does not hold: {faults[0]}")
    head = [*(f"c {note}" for note in notes), f"p cnf {variables} {len(clauses)}"]
    return Certificate(claim, (*head, *map(_dimacs, clauses)), tuple(lines))


def _shifted(clause: Iterable[int], first: int, shift: int) -> list[int]:
    """With other numbers for the variables behind `first`."""
    return [literal if abs(literal) <= first else literal + (shift if literal > 0 else -shift) for literal in clause]


def _dimacs(clause: Iterable[int]) -> str:
    return " ".join(map(str, [*clause, 0]))


def _accepted(stated: CertificateModel, proof: list[str], model: list[str] | None, deadline: Deadline) -> list[Grid]:
    """What a check of our own work found. Raises `TimeLimitError`, and `DisagreementError` where it refuses."""
    try:
        return verify(stated.puzzle, proof, stated.claim, stated.objective, model, deadline.left())
    except (RefutedError, MalformedError) as error:
        raise DisagreementError(f"the certificate of {str(stated.claim)!r} does not hold: {error}") from None


def make_proof(
    stated: CertificateModel, grids: Sequence[Grid], deadline: Deadline, with_sums: bool = False, easy: int = EASY
) -> tuple[Proof, Steps, Steps]:
    """The proof; what of it a SAT solver learned; and the clauses of sums that this needs, which `with_sums` are in the
    proof too. One of more than `easy` conflicts derives sums side by side and the sets of cages first."""
    claim, proof = stated.claim, Proof(stated)
    listed = [stated.chosen(grid) for grid in grids]
    # the constraint that the score is at least the target: the last of the model, or what a best grid adds
    score = proof.better_than(listed[0]) if claim.count is None else len(stated.rows)
    found = DerivedSums(proof)
    rows = dict(enumerate(found.rows[: 2 * stated.rules.units], 1))
    rows |= {proof.another_than(one): clause_row(stated.against(one)) for one in (listed if claim.count else ())}
    sums = dict(found.every())
    deadline.check()
    at_once = {number: row for number, row in enumerate(stated.rows, 1) if row.least == len(row.every)}
    known, facts, given = Propagation({**at_once, **rows}), dict[int, int](), Steps()
    broken = known.propagate(facts, known.rows)
    if broken is None and claim.score is not None:
        target = stated.objective.sense.sign * claim.score + (claim.count is None)
        for number, budget, dear in _priced(proof, facts, score, target, deadline):
            sums[number] = budget
            given += (([-var], [number]) for var in dear)
            known.add(number, budget)
            broken = broken or known.propagate(facts, [number])
    always = [number for number, _ in groupby(facts.values())]  # what each step may use
    if broken is not None:
        steps: Steps = [([], [broken])]
    else:
        always = [proof.clause(list(facts), always, len(facts))] if facts else []
        steps, of_sums = _learned(found, rows, sums, {-literal for literal in facts}, deadline, easy)
        given += of_sums
    kept = [*(proof.follow(given, always) if with_sums else ()), *proof.follow(steps, always)]
    proof.needed.update(kept if with_sums else ())
    return proof, steps, given


def _learned(
    found: DerivedSums, rows: Mapping[int, Row], sums: Mapping[int, Row], false: Set[int], deadline: Deadline, easy: int
) -> tuple[Steps, Steps]:
    """As `refutation`, with sums side by side and the sets of cages where that takes more than `easy` conflicts
    without."""
    is_easy = not found.mixed and not found.proof.stated.rules.cages
    refuted = refutation(rows, sums, false, deadline, MOST_CONFLICTS if is_easy else easy)
    if refuted is None:
        more = dict(chain(found.side_by_side(deadline), rows_of_cages(found)))
        refuted = refutation(rows, {**sums, **more}, false, deadline)
    assert refuted, "without a limit on conflicts there is an answer, or the deadline was reached"
    return refuted


def _priced(
    proof: Proof, facts: Iterable[int], score: int, target: int, deadline: Deadline
) -> Iterator[tuple[int, Row, list[int]]]:
    """Sums of prices, which the proof gets: the number, the budget on what these facts leave, as Σ r·(1 − x) ≥ Σ r −
    budget, and the candidates that are dearer than that. Where it is below 0 all are. `score` is the number of
    f ≥ target."""
    stated = proof.stated
    gone = [-literal - 1 for literal in facts if -stated.candidates <= literal < 0]
    left = np.isin(np.arange(stated.candidates), gone, invert=True).reshape(-1, stated.puzzle.order)
    for prices in pricing(stated.puzzle, stated.objective.upwards(), left, target, deadline):
        every = [*prices.cell_prices.tolist(), *prices.unit_prices.reshape(-1).tolist(), *prices.row_prices.tolist()]
        pairs = zip(stated.rules.numbers, every, strict=True)
        terms = [(both[price > 0], abs(price)) for both, price in pairs if price and any(both)]
        number = proof.sum([(score, prices.denominator), *terms])
        costly = left & (prices.reduced_costs > 0)
        costs: list[int] = prices.reduced_costs[costly].tolist()
        budget = Row(tuple(-var for var in _variables(costly)), tuple(costs), sum(costs) - prices.slack(target))
        yield number, budget, _variables(left & ~prices.survivors(left, target))


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
    chosen = rounded_prices(best, units, candidates, gains)
    yield chosen
    if chosen.slack(target) >= 0 and chosen.row_prices[~units.exact].any():
        of_units, of_rows = best.unit_prices / best.denominator, best.row_prices / best.denominator
        yield exact_prices(units, candidates, gains, of_units, of_rows * units.exact, chosen.denominator)
