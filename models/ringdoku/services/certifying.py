"""Certificates of answers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ringdoku.domain import Grid, Objective, Puzzle, Result, Sense, Status, expect, ring_weights
from ringdoku.limits import Deadline, interrupts_held
from ringdoku.proofs.model import Claim

if TYPE_CHECKING:
    # these import numpy
    from ringdoku.proofs.certificate import Certificate

DRAT = "drat"


def certify(
    puzzle: Puzzle,
    claim: Claim,
    grids: Sequence[Grid] = (),
    objective: Objective | None = None,
    time_limit: float | None = None,
    form: str = "3.0",
) -> "Certificate":
    """A model and a proof of what is known to be true of a puzzle; our own checkers accepted them.

    `grids` are all solutions that the claim counts, or one of best score. `form` is a version of VeriPB's format, 3.0
    or 1.2, or `drat` for a formula and a DRAT proof. Raises `TimeLimitError`, `DisagreementError` for a false claim,
    `UsageError` where 1.2 is to count solutions of a board with extra cells.
    """
    with interrupts_held():
        from ringdoku.proofs.certificate import certify as make
    expect(puzzle, Puzzle, "what is certified")
    expect(claim, Claim, "a claim")
    return make(puzzle, objective or ring_weights(puzzle.board), claim, grids, form, Deadline.asked(time_limit))


def claim_of_best(results: Sequence[Result], count: int, sense: Sense) -> tuple[Claim, list[Grid]] | None:
    """What the `count` best solutions show, for `certify`; None where not all of them were proved.

    With s the last score of several: just those of them that are better than s are. Of those that score s there may be
    more. Fewer than `count` are all solutions that there are.
    """
    found = [(result.score, result.grid) for result in results if result.score is not None and result.grid is not None]
    if not all(result.status in (Status.OPTIMAL, Status.INFEASIBLE) for result in results):
        return None
    if len(found) < count:
        return Claim(len(found)), [grid for _, grid in found]
    last = found[-1][0]
    if count == 1:
        return Claim(None, last), [found[0][1]]
    better = [grid for score, grid in found if score != last]
    return Claim(len(better), last + sense.sign), better
