"""Certificates, made and checked: a model, a proof about it, and what they prove of a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate_houses
from ringdoku.domain.errors import DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.primitives import Allowed
from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import Deadline
from ringdoku.proofs.checker import Model, OutOfTimeError, Proved, RefutedError, Row, check_proof, read_model
from ringdoku.proofs.claims import Claim
from ringdoku.proofs.model import CertificateModel
from ringdoku.proofs.refuting import refutation
from ringdoku.proofs.steps import Proof


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
    lines = tuple(stated.lines())
    try:
        model = read_model(lines)
        proof = _proof(stated, model, grids, deadline)
        conclusion = _conclusion(stated)
        faults = _faults(stated, check_proof(model, proof.lines(conclusion), lambda: deadline.expired), grids)
    except RefutedError as error:
        faults = str(error)
    except OutOfTimeError:
        raise TimeLimitError from None
    if faults:
        raise DisagreementError(f"the certificate of {claim} does not hold: {faults}")
    return Certificate(claim, lines, tuple(proof.lines(conclusion, version)))


def verify(
    stated: CertificateModel,
    proof: Iterable[str],
    model: Iterable[str] | None = None,
    expired: Callable[[], bool] = lambda: False,
) -> list[Grid]:
    """The solutions that the proof lists; it proves the claim of `stated`.

    `model` is an OPB file to compare. Raises what `checker.check_proof` does.
    """
    lines = list(stated.lines())
    if model is not None:
        _compare(lines, model, expired)
    proved = check_proof(read_model(lines), proof, expired)
    if faults := _faults(stated, proved, None):
        raise RefutedError(faults)
    return [stated.grid(chosen) for chosen in proved.solutions]


def _compare(lines: Sequence[str], model: Iterable[str], expired: Callable[[], bool]) -> None:
    """Raises `RefutedError` for the first line that is not the puzzle's. White space and comments do not matter."""
    told = (words for line in model if (words := line.split()) and (words[0][0] != "*" or words[1:2] == ["#variable="]))
    for number, (ours, theirs) in enumerate(zip_longest(lines, told), 1):
        if ours is None or theirs is None or ours.split() != theirs:
            found = "nothing" if theirs is None else repr(" ".join(theirs)[:60])
            expected = "nothing" if ours is None else repr(ours[:60])
            raise RefutedError(f"the model is not the puzzle's: statement {number} is {found}, expected {expected}")
        if expired():
            raise OutOfTimeError


def _faults(stated: CertificateModel, proved: Proved, grids: Sequence[Grid] | None) -> str:
    """What is proved, where that is not the claim; empty where it is."""
    claim, found = stated.claim, [stated.grid(chosen) for chosen in proved.solutions]
    if claim.count is None:
        holds = proved.value is not None and proved.value == -stated.objective.sense.sign * (claim.score or 0)
    else:
        # UNSAT has no solutions
        holds = proved.kind != "BOUNDS" and len(found) == claim.count
    if not holds:
        return f"it proves {proved.kind} with {len(found)} solutions listed and the value {proved.value}, not: {claim}"
    if grids is not None and set(grids) != set(found):
        return "it lists other solutions than were found"
    return ""


def _conclusion(stated: CertificateModel) -> str:
    claim = stated.claim
    if claim.count is None:
        value = -stated.objective.sense.sign * (claim.score or 0)
        return f"BOUNDS {value} : -1 {value}"
    return f"ENUMERATION_COMPLETE {claim.count} : -1" if claim.count else "UNSAT : -1"


def _proof(stated: CertificateModel, model: Model, grids: Sequence[Grid], deadline: Deadline) -> Proof:
    """Clues, singles and fixing by prices are unit propagation, so that no step says them."""
    claim, proof = stated.claim, Proof(stated.count)
    rows = model.rows
    target = score = None
    if claim.score is not None:
        # the constraint that the score is at least the target: the last of the model, or what a best grid adds
        target = stated.objective.sense.sign * claim.score + (claim.count is None)
        score = proof.constraints
        if claim.count is None:
            proof.better_than(stated.chosen(grids[0]), stated.variables)
            score = proof.constraints
        else:
            rows = rows[:-1]
    if claim.count:
        for grid in grids:
            chosen = stated.chosen(grid)
            proof.another_than(chosen)
            rows = [*rows, Row(tuple([-var for var in chosen]), (1,) * len(chosen), 1)]
    left = propagate_houses(stated.puzzle, _allowed(stated.puzzle), deadline)
    if left is not None and target is not None and score is not None:
        # numpy and a solver of linear programs, which the other claims do not need
        from ringdoku.proofs.pricing import pricing

        priced = pricing(stated.puzzle, stated.objective.upwards(), left, target, deadline)
        proof.sum(priced.words(score, stated.numbers))
        if priced.budget < 0:
            left = None
        else:
            left = propagate_houses(stated.puzzle, priced.candidates, deadline)
            rows = [*rows, priced.row()]
    if left is not None:
        gone: list[int] = (np.flatnonzero(~left.reshape(-1)) + 1).tolist()
        proof.drup(refutation(rows, set(gone), deadline))
    proof.contradiction()
    return proof


def _allowed(puzzle: Puzzle) -> Candidates | None:
    """The candidates that rules about one cell leave; None for all."""
    board, found = puzzle.board, None
    for primitive in puzzle.ruleset.rest:
        if isinstance(primitive, Allowed):
            if found is None:
                found = np.ones((board.cell_count, board.order), dtype=bool)
            found[primitive.cell] &= [digit in primitive.digits for digit in board.digits]
    return found
