"""Certificates, made and checked: a model, a proof about it, and what they prove of a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ringdoku.deduction.propagation import LARGEST_FOR_MASKS, Candidates, propagate_houses
from ringdoku.domain.errors import DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.primitives import Allowed
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import MalformedError, OutOfTimeError, RefutedError
from ringdoku.proofs.claims import Claim
from ringdoku.proofs.guessing import refuted_by_guesses
from ringdoku.proofs.model import CertificateModel, best_of_cells, rules_of
from ringdoku.proofs.refuting import clauses_of, clauses_of_sets, refutation
from ringdoku.proofs.steps import Proof
from ringdoku.proofs.verifying import verify


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
    try:
        # nothing is taken over from the making: the checker reads what will be in the files
        found = verify(stated, proof.lines(conclusion), lines, lambda: deadline.expired)
    except (RefutedError, MalformedError) as error:
        raise DisagreementError(f"the certificate of {str(claim)!r} does not hold: {error}") from None
    except OutOfTimeError:
        raise TimeLimitError from None
    if set(found) != set(grids):
        raise DisagreementError(f"the certificate of {str(claim)!r} lists other solutions than were found")
    if version == "1.2":
        # which does not know that line
        lines = tuple(line for line in lines if not line.startswith("preserved:"))
    return Certificate(claim, lines, tuple(proof.lines(conclusion, version)))


def conclusion_of(stated: CertificateModel) -> str:
    claim = stated.claim
    if claim.count is None:
        value = -stated.objective.sense.sign * (claim.score or 0)
        return f"BOUNDS {value} : -1 {value}"
    return f"ENUMERATION_COMPLETE {claim.count} : -1" if claim.count else "UNSAT : -1"


def make_proof(
    stated: CertificateModel, grids: Sequence[Grid], deadline: Deadline, with_sums: bool = False
) -> tuple[Proof, list[str], list[Sequence[int]]]:
    """The proof; the part of it that a SAT solver wrote, in the DRUP format; and the clauses of sums that this needs.

    Clues, singles and fixing by prices are unit propagation, so that no step says them. `with_sums`: the clauses of
    sums are steps too.
    """
    claim, rules = stated.claim, rules_of(stated.puzzle.ruleset)
    proof, steps, given = Proof(stated.size), list[str](), list[Sequence[int]]()
    listed = [stated.chosen(grid) for grid in grids]
    target = score = None
    if claim.score is not None:
        # the constraint that the score is at least the target: the last of the model, or what a best grid adds
        target = stated.objective.sense.sign * claim.score + (claim.count is None)
        score = proof.constraints
        if claim.count is None:
            proof.better_than(listed[0], stated.variables)
            score = proof.constraints
    if claim.count:
        for chosen in listed:
            proof.another_than(chosen)
    # cells and units, clues and what was listed are clauses; the rows of other rules and the budget are sums
    sums = rules.rows[rules.clauses :]
    for number in _sums(stated.puzzle.ruleset):
        if found := best_of_cells(rules.rows[number - 1], stated.puzzle.order):
            words, sums[number - 1 - rules.clauses] = found
            proof.sum(f"{number} {words}")
    ruleset = stated.puzzle.ruleset
    if score is None and not ruleset.rest and ruleset.order <= LARGEST_FOR_MASKS:
        guessed = refuted_by_guesses(stated.puzzle, grids, deadline)
        if guessed is not None:
            proof.drup(guessed)
            proof.contradiction()
            return proof, guessed, given
    left = propagate_houses(stated.puzzle, _allowed(stated.puzzle), deadline)
    if left is not None and target is not None and score is not None:
        # numpy and a solver of linear programs, which the other claims do not need
        from ringdoku.proofs.pricing import pricing

        for priced in pricing(stated.puzzle, stated.objective.upwards(), left, target, deadline):
            proof.sum(priced.words(score, rules.numbers))
            sums.append(priced.row())
            # each is dearer than the budget; where that is below 0, all are
            dear: list[int] = (np.flatnonzero((left & ~priced.candidates).reshape(-1)) + 1).tolist()
            given += [[-var] for var in dear]
            left &= priced.candidates
        left = propagate_houses(stated.puzzle, left, deadline)
    if left is not None:
        # a digit that is sure follows by unit propagation, and its houses are done
        single = left.sum(axis=1, keepdims=True) == 1
        unsure = set((np.flatnonzero(left & ~single) + 1).tolist())
        sure: list[int] = (np.flatnonzero(left & single) + 1).tolist()
        clauses = [
            *([var] for var in sure),
            *clauses_of_sets(rules.sets, unsure),
            *([-var for var in chosen if var in unsure] for chosen in listed if claim.count),
        ]
        gone = set((np.flatnonzero(~left) + 1).tolist())
        steps, of_sums = refutation(clauses, sums, gone, deadline)
        given += of_sums
    if with_sums:
        for clause in given:
            proof.clause(clause)
    proof.drup(steps)
    proof.contradiction()
    return proof, steps, given


def _sums(ruleset: Ruleset) -> list[int]:
    """The numbers of the rows of rules that are neither clauses nor "at most one"."""
    rules = rules_of(ruleset)
    pairs = rules.numbers[ruleset.board.cell_count + len(ruleset.units) * ruleset.order :]
    numbers = [number for pair in pairs for number in pair if number]
    return [number for number in numbers if clauses_of(rules.rows[number - 1]) is None]


def _allowed(puzzle: Puzzle) -> Candidates | None:
    """The candidates that rules about one cell leave; None for all."""
    board, found = puzzle.board, None
    for primitive in puzzle.ruleset.rest:
        if isinstance(primitive, Allowed):
            if found is None:
                found = np.ones((board.cell_count, board.order), dtype=bool)
            found[primitive.cell] &= [digit in primitive.digits for digit in board.digits]
    return found
