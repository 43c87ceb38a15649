"""Certificates, made and checked: a model, a proof about it, and what they prove of a puzzle.

Prices are one line of the proof: the bound, what it fixes, and the budget for the search at once. With f the score, and
prices α, β, γ over the denominator D, take D·(f ≥ t) and each constraint times its price, ≤ where the price is positive
and ≥ where it is negative. Their sum is Σ r·x ≤ U − D·t: the reduced costs r of what a solution chooses fit the
*budget*. Where the budget leaves something open, a SAT solver proves the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.errors import DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Ints, incidence
from ringdoku.duality.prices import Prices, exact_prices
from ringdoku.duality.relaxation import relax
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import MalformedError, OutOfTimeError, RefutedError, Row
from ringdoku.proofs.claims import Claim
from ringdoku.proofs.model import CertificateModel, Rules, best_of_cells, rules_of
from ringdoku.proofs.refuting import Clauses, clauses_of, refutation
from ringdoku.proofs.steps import Proof
from ringdoku.proofs.verifying import verify

DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 1024, 4096)
"""Tried in turn, so that numbers are short: 8 to 128 will do on 9×9."""
LOSS = 8
"""Rounding may widen a budget by 1/8 of a point."""


@dataclass(frozen=True)
class Certificate:
    """The lines of the two files, without ends of lines, and what they prove."""

    claim: Claim
    model: tuple[str, ...]
    proof: tuple[str, ...]


def certify(
    puzzle: Puzzle, objective: Objective, claim: Claim, grids: Sequence[Grid], version: str, deadline: Deadline
) -> Certificate:
    """The certificate, verified, of a claim that is known to be true.

    `grids` are the solutions that it is about: all of them for a count, for a best score one that has it. `version` is
    one of `steps.VERSIONS`. Raises `TimeLimitError`, `DisagreementError` where the claim is false, and what
    `CertificateModel` raises.
    """
    stated = CertificateModel(puzzle, objective, claim)
    lines, proof, conclusion = tuple(stated.lines()), make_proof(stated, grids, deadline)[0], conclusion_of(stated)
    # nothing is taken over from the making: the checker reads what will be in the files
    found = accepted(stated, lambda: verify(stated, proof.lines(conclusion), lines, lambda: deadline.expired))
    if set(found) != set(grids):
        raise DisagreementError(f"the certificate of {str(claim)!r} lists other solutions than were found")
    if version == "1.2":
        # which does not know that line
        lines = tuple(line for line in lines if not line.startswith("preserved:"))
    return Certificate(claim, lines, tuple(proof.lines(conclusion, version)))


def accepted(stated: CertificateModel, check: Callable[[], list[Grid]]) -> list[Grid]:
    """What a check of our own work found. Raises `TimeLimitError`, and `DisagreementError` where it refuses."""
    try:
        return check()
    except (RefutedError, MalformedError) as error:
        raise DisagreementError(f"the certificate of {str(stated.claim)!r} does not hold: {error}") from None
    except OutOfTimeError:
        raise TimeLimitError from None


def conclusion_of(stated: CertificateModel) -> str:
    claim = stated.claim
    if claim.count is None:
        value = -stated.objective.sense.sign * (claim.score or 0)
        return f"BOUNDS {value} : -1 {value}"
    return f"ENUMERATION_COMPLETE {claim.count} : -1" if claim.count else "UNSAT : -1"


def make_proof(
    stated: CertificateModel, grids: Sequence[Grid], deadline: Deadline, with_sums: bool = False
) -> tuple[Proof, list[str], Clauses]:
    """The proof; the part of it that a SAT solver wrote, in the DRUP format; and the clauses of sums that this needs.

    Clues, singles and fixing by prices are unit propagation, so that no step says them. `with_sums`: the clauses of
    sums are steps too.
    """
    claim, puzzle, rules = stated.claim, stated.puzzle, rules_of(stated.puzzle.ruleset)
    proof, steps, given = Proof(stated.size), list[str](), Clauses()
    listed = [stated.chosen(grid) for grid in grids]
    # the constraint that the score is at least the target: the last of the model, or what a best grid adds
    score = proof.constraints + (claim.count is None)
    if claim.count is None:
        proof.better_than(listed[0], stated.variables)
    for chosen in listed if claim.count else ():
        proof.another_than(chosen)
    rows, sums = _clauses_and_sums(rules, puzzle.order, proof)
    left = propagate(puzzle, _allowed(puzzle), deadline, with_rules=False)
    if left is not None and claim.score is not None:
        target = stated.objective.sense.sign * claim.score + (claim.count is None)
        for prices in pricing(puzzle, stated.objective.upwards(), left, target, deadline):
            proof.sum(words_of(prices, score, rules.numbers))
            survivors = prices.survivors(left, target)
            sums.append(budget_of(prices, target, survivors))
            # each is dearer than the budget; where that is below 0, all are
            given += [[-var] for var in _variables(left & ~survivors)]
            left = survivors
        left = propagate(puzzle, left, deadline, with_rules=False)
    if left is not None:
        rows += [Row(tuple(-var for var in chosen), (1,) * len(chosen), 1) for chosen in listed if claim.count]
        steps, of_sums = refutation(rows, sums, set(_variables(~left)), deadline)
        given += of_sums
    if with_sums:
        for clause in given:
            proof.clause(clause)
    proof.drup(steps)
    proof.contradiction()
    return proof, steps, given


def _clauses_and_sums(rules: Rules, order: int, proof: Proof) -> tuple[list[Row], list[Row]]:
    """The rows of cells and units, which are clauses, and those of other rules, sums as the proof has them."""
    first = 2 * rules.units
    sums = rules.rows[first:]
    for place, row in enumerate(sums):
        if clauses_of(row) is None and (found := best_of_cells(row, order)):
            words, sums[place] = found
            proof.sum(f"{first + place + 1} {words}")
    return rules.rows[:first], sums


def _variables(candidates: Candidates) -> list[int]:
    found: list[int] = (np.flatnonzero(candidates) + 1).tolist()
    return found


def _allowed(puzzle: Puzzle) -> Candidates | None:
    """The candidates that rules about one cell leave; None for all."""
    board, allowed = puzzle.board, puzzle.ruleset.allowed
    if not allowed:
        return None
    return np.array(
        [[digit in allowed.get(cell, (digit,)) for digit in board.digits] for cell in range(board.cell_count)]
    )


def pricing(
    puzzle: Puzzle, objective: Objective, candidates: Candidates, target: int, deadline: Deadline
) -> Iterator[Prices]:
    """Prices for the solutions whose score is `target` or more; `objective` maximises.

    What a solution leaves of an inequality costs it nothing. So where inequalities have prices, the budget says less
    than the score does, and others follow in which they have none: a solution fits just when it scores the target.
    """
    units = incidence(puzzle)
    weights: Ints = np.array(objective.of_cells(puzzle.board), dtype=np.int64)
    best = relax(units, candidates, weights, deadline).prices
    slack = best.slack(target)
    of_units = best.unit_prices / best.denominator
    of_rows = best.row_prices / best.denominator
    chosen = best
    for denominator in DENOMINATORS:
        rounded = exact_prices(units, candidates, weights, of_units, of_rows, denominator)
        # slack/D of both, compared in integers
        widened = rounded.slack(target) * best.denominator - slack * rounded.denominator
        narrow = slack >= 0 and LOSS * widened <= best.denominator * rounded.denominator
        if rounded.slack(target) < 0 or (narrow and rounded.best_score == best.best_score):
            chosen = rounded
            break
    yield chosen
    if chosen.slack(target) >= 0 and chosen.row_prices[~units.exact].any():
        yield exact_prices(units, candidates, weights, of_units, of_rows * units.exact, chosen.denominator)


def words_of(prices: Prices, score: int, numbers: Iterable[tuple[int, int]]) -> str:
    """The sum, in reverse Polish notation: `score` is the number of the constraint f ≥ target, `numbers` are those of
    `proofs.model.Rules`."""
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
