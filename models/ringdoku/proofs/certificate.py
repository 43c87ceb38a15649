"""Certificates, made and checked: a model, a proof about it, and the claim about a puzzle that they prove.

Prices are one line of the proof. With f the score, and prices over the denominator D, take D·(f ≥ t) and each
constraint times its price, ≤ where the price is positive and ≥ where it is negative. Their sum is Σ r·x ≤ U − D·t: the
reduced costs r of a solution's digits fit the *budget*. A SAT solver proves what the budget leaves open.

For DRAT the model is the textbook's formula, a blocking clause for each solution that is counted, and for claims on
scores *clauses of the budget*: the reduced costs of the digits that such a clause excludes exceed the budget together.
Comments derive these clauses by steps in VeriPB's format.
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
from ringdoku.proofs.rules import clause_row, variable_of
from ringdoku.proofs.sums import DerivedSums, cage_rows
from ringdoku.proofs.verifying import verify
from ringdoku.sat.formula import Cnf
from ringdoku.sat.rules import repeating_sums
from ringdoku.solvers.drat import faults_of_proof
from ringdoku.solvers.incremental import MOST_CONFLICTS, IncrementalSolver

VERSIONS = ("3.0", "1.2")
"""Versions of VeriPB's format."""
DRAT = "drat"
EASY = 500
"""Conflicts after which a proof also gets combined sums and the sets of cages; deriving these takes about as long."""


@dataclass(frozen=True)
class Certificate:
    """A claim, and the lines of the two files that prove it, without line ends."""

    claim: Claim
    model: tuple[str, ...]
    proof: tuple[str, ...]


@without_collection()
def make_certificate(
    puzzle: Puzzle, objective: Objective, claim: Claim, grids: Sequence[Grid], form: str, deadline: Deadline
) -> Certificate:
    """See `ringdoku.certify`. `form` is `DRAT` or one of the `VERSIONS`. Raises what `CertificateModel` does, too."""
    refuse(form not in (*VERSIONS, DRAT), f"forms of certificates are {', '.join(VERSIONS)} and {DRAT}, not {form!r}")
    if form == DRAT:
        return _certify_drat(puzzle, objective, claim, grids, deadline)
    if form == "1.2" and claim.count and puzzle.board.extra:
        raise UsageError("version 1.2 does not know that solutions which differ in extra cells alone are one; 3.0 does")
    model = CertificateModel(puzzle, objective, claim)
    proof = make_proof(model, grids, deadline)[0]
    lines, steps = list(model.lines()), proof.lines()
    # the checker reads what will be in the files, and shares no data with the code that made them
    if set(_verified_grids(model, steps, deadline)) != set(grids):
        raise DisagreementError(f"the certificate of {str(claim)!r} lists other solutions than were found")
    if form == "1.2":  # which does not know that line
        lines, steps = [line for line in lines if not line.startswith("preserved:")], proof.lines(form)
    return Certificate(claim, tuple(lines), tuple(steps))


def _certify_drat(
    puzzle: Puzzle, objective: Objective, claim: Claim, grids: Sequence[Grid], deadline: Deadline
) -> Certificate:
    """A DRAT certificate. Our DRAT checker verifies the proof, and `proofs.checker` the clauses of the budget."""
    formula = lower_to_cnf(puzzle, deadline=deadline)
    blocking = list(formula.digits.blocking_clauses(grids if claim.count else ()))
    clauses: list[Sequence[int]] = [*formula.cnf.clauses(), *blocking]
    variables = formula.cnf.num_vars
    notes = [f"{claim}: the puzzle, then clauses against {len(blocking)} solutions"]
    if claim.score is None:
        with IncrementalSolver(SOLVER, Cnf.of(variables, clauses), deadline, with_proof=True) as solver:
            if solver.is_satisfiable():
                raise DisagreementError("there is a solution that a certificate was to exclude")
            steps: Steps = [*solver.proof()] or [([], [])]
    else:
        model = CertificateModel(puzzle, objective, claim)
        proof, steps, sum_clauses = make_proof(model, grids, deadline, with_sums=True)
        _verified_grids(model, derived := proof.lines(), deadline)
        # the candidates have the same variables in both; behind them, the formula's come before the model's helpers
        first, shift = model.candidate_count, variables - model.candidate_count
        variables += len(model.rules.helpers)
        budget = list(dict.fromkeys(tuple(_shifted(clause, first, shift)) for clause, _ in sum_clauses))
        steps = [(_shifted(clause, first, shift), because) for clause, because in steps]
        clauses += budget
        notes.append(f"then {len(budget)} of rules and the budget, by these steps from the model for VeriPB,")
        notes.append(f"whose variables above x{first} are {shift} higher here:")
        notes += [f"{number}: {line}" for number, line in enumerate(derived[2 : -3 - len(steps)], len(model.rows) + 1)]
    lines = [_dimacs(clause) for clause, _ in steps]
    if faults := faults_of_proof(Cnf.of(variables, clauses), lines, deadline):
        raise DisagreementError(f"the certificate of {str(claim)!r} does not hold: {faults[0]}")
    head = [*(f"c {note}" for note in notes), f"p cnf {variables} {len(clauses)}"]
    return Certificate(claim, (*head, *map(_dimacs, clauses)), tuple(lines))


def _shifted(clause: Iterable[int], first: int, shift: int) -> list[int]:
    """The clause with all variables above `first` renumbered, by adding `shift`."""
    return [literal if abs(literal) <= first else literal + (shift if literal > 0 else -shift) for literal in clause]


def _dimacs(clause: Iterable[int]) -> str:
    return " ".join(map(str, [*clause, 0]))


def _verified_grids(model: CertificateModel, proof: list[str], deadline: Deadline) -> list[Grid]:
    """What our checker finds listed in a proof. Raises `DisagreementError` if it rejects that, and `TimeLimitError`."""
    try:
        return verify(model.puzzle, proof, model.claim, model.objective, time_limit=deadline.left())
    except (RefutedError, MalformedError) as error:
        raise DisagreementError(f"the certificate of {str(model.claim)!r} does not hold: {error}") from None


def make_proof(
    model: CertificateModel, grids: Sequence[Grid], deadline: Deadline, with_sums: bool = False, easy: int = EASY
) -> tuple[Proof, Steps, Steps]:
    """The proof; its clauses that a SAT solver learned; and the clauses of sums that these need, which are in the proof
    too if `with_sums`. A proof of more than `easy` conflicts first derives combined sums and the sets of cages."""
    claim, proof, board = model.claim, Proof(model), model.puzzle.board
    solutions = [[variable_of(board, cell, digit) for cell, digit in enumerate(grid.digits)] for grid in grids]
    # the constraint that the score is at least the target: the last one of the model, or derived from a best grid
    score = proof.improve_on(solutions[0]) if claim.count is None else len(model.rows)
    derived = DerivedSums(proof)
    rows = dict(enumerate(model.rows[: 2 * model.rules.unit_line_count], 1))
    rows |= {proof.exclude(s): clause_row(model.blocking_clause(s)) for s in (solutions if claim.count else ())}
    sums = dict(derived.numbered_rows())
    deadline.check()
    forced = {number: row for number, row in enumerate(model.rows, 1) if row.least == len(row.unweighted)}
    known, facts, sum_clauses = Propagation({**forced, **rows}), dict[int, int](), Steps()
    broken = known.propagate(facts, known.rows)
    sums |= derived.rows_of_full_houses(facts) if broken is None else {}
    if broken is None and claim.score is not None:
        target = model.objective.sense.sign * claim.score + (claim.count is None)
        for number, budget, too_costly in _budgets(proof, facts, score, target, deadline):
            sums[number] = budget
            sum_clauses += (([-var], [number]) for var in too_costly)
            known.add(number, budget)
            broken = broken or known.propagate(facts, [number])
    always = [number for number, _ in groupby(facts.values())]  # hints of every step
    if broken is not None:
        steps: Steps = [([], [broken])]
    else:
        always = [proof.clause(list(facts), always, len(facts))] if facts else []
        steps, used = _refuted_in_stages(derived, rows, sums, {-literal for literal in facts}, deadline, easy)
        sum_clauses += used
    numbers = [*(proof.clauses(sum_clauses, always) if with_sums else ()), *proof.clauses(steps, always)]
    proof.kept.update(numbers if with_sums else ())
    return proof, steps, sum_clauses


def _refuted_in_stages(
    extra: DerivedSums, rows: Mapping[int, Row], sums: Mapping[int, Row], false: Set[int], deadline: Deadline, easy: int
) -> tuple[Steps, Steps]:
    """As `refutation`. If that takes more than `easy` conflicts, it gets combined sums and the sets of cages, too."""
    ruleset, refuted = extra.proof.model.puzzle.ruleset, None
    if extra.proof.model.rules.cages or repeating_sums(ruleset.rest, ruleset.peers):
        refuted = refutation(rows, sums, false, deadline, easy)
    if refuted is None:
        more = dict(chain(extra.combined_rows(deadline), cage_rows(extra)))
        refuted = refutation(rows, {**sums, **more}, false, deadline, MOST_CONFLICTS)
    assert refuted, "without a limit on conflicts there is an answer, or the deadline was reached"
    return refuted


def _budgets(
    proof: Proof, facts: Iterable[int], score: int, target: int, deadline: Deadline
) -> Iterator[tuple[int, Row, list[int]]]:
    """Derives budgets from prices. For each: its number; the budget for the candidates that the facts leave, written as
    Σ r·(1 − x) ≥ Σ r − budget; and the candidates that cost more than the budget, all of them if it is negative.
    `score` is the number of the constraint f ≥ target."""
    model = proof.model
    gone = [-literal - 1 for literal in facts if -model.candidate_count <= literal < 0]
    left = np.isin(np.arange(model.candidate_count), gone, invert=True).reshape(-1, model.puzzle.order)
    for prices in _prices(model.puzzle, model.objective.upwards(), left, target, deadline):
        flat = [*prices.cell_prices.tolist(), *prices.unit_prices.reshape(-1).tolist(), *prices.row_prices.tolist()]
        pairs = zip(model.rules.row_numbers, flat, strict=True)
        terms = [(numbers[price > 0], abs(price)) for numbers, price in pairs if price and any(numbers)]
        number = proof.sum([(score, prices.denominator), *terms])
        costly = left & (prices.reduced_costs > 0)
        costs: list[int] = prices.reduced_costs[costly].tolist()
        budget = Row(tuple(-var for var in _variables(costly)), tuple(costs), sum(costs) - prices.slack(target))
        yield number, budget, _variables(left & ~prices.survivors(left, target))


def _variables(candidates: Candidates) -> list[int]:
    return [index + 1 for index in np.flatnonzero(candidates).tolist()]


def _prices(
    puzzle: Puzzle, objective: Objective, candidates: Candidates, target: int, deadline: Deadline
) -> Iterator[Prices]:
    """Prices for the solutions that score `target` or more; `objective` maximises. If they price inequalities, a second
    set without such prices follows. The slack of a priced inequality costs nothing, so a solution may fit the first
    budget and yet score less than the target. It fits the second if and only if it scores the target."""
    # loads OR-tools, which claims without a score do not need
    from ringdoku.duality.relaxation import relax

    units = incidence(puzzle.ruleset)
    gains: Ints = np.array(gains_of(objective.weights, puzzle.board), dtype=np.int64)
    best = relax(units, candidates, gains, deadline).prices
    rounded = rounded_prices(best, units, candidates, gains)
    yield rounded
    if rounded.slack(target) >= 0 and rounded.row_prices[~units.exact].any():
        of_units, of_rows = best.unit_prices / best.denominator, best.row_prices / best.denominator
        yield exact_prices(units, candidates, gains, of_units, of_rows * units.exact, rounded.denominator)
