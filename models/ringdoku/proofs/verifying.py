"""Checks that a certificate proves a claim. Its model is made again from the puzzle; nothing else in it is trusted."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

from ringdoku.domain import Grid, Objective, Puzzle, ring_weights
from ringdoku.domain.errors import MalformedError, RefutedError, TimeLimitError, counted, expect, listed
from ringdoku.limits import Deadline
from ringdoku.proofs import checker
from ringdoku.proofs.check_files import read_model
from ringdoku.proofs.claim import Claim
from ringdoku.proofs.model import CertificateModel
from ringdoku.proofs.narrating import Narrator

_CONCLUSION = re.compile(
    r"conclusion\s+(?:UNSAT|ENUMERATION_COMPLETE\s+(?P<count>\d{1,9})|BOUNDS\s+(?P<value>-?\d{1,30}))\s"
)
_LEAST = re.compile(r">= (-?\d{1,30}) ;")


def verify(
    puzzle: Puzzle,
    proof: Iterable[str],
    claim: Claim,
    objective: Objective | None = None,
    model: Iterable[str] | None = None,
    time_limit: float | None = None,
    tell: Callable[[str], None] | None = None,
) -> list[Grid]:
    """The solutions that any program's certificate lists, if it proves the claim: all for a count, one of best score.

    `proof` has the lines of a VeriPB 3.0 proof, and `model` those of its OPB file, which is optional since the model is
    made again from the puzzle. `tell` is called with each line of a text that explains what the first 200 statements
    derive and why. Raises `RefutedError` and `MalformedError`, which say where and why, and `TimeLimitError`.
    """
    expect(puzzle, Puzzle, "what is verified")
    expect(claim, Claim, "a claim")
    objective = ring_weights(puzzle.board) if objective is None else expect(objective, Objective, "an objective")
    steps = (expect(line, str, "a line of a proof") for line in listed(proof, "lines of a proof"))
    deadline = Deadline.asked(time_limit)
    own_model = CertificateModel(puzzle, objective, claim)
    lines = list(own_model.lines())
    if model is not None:
        given = (expect(line, str, "a line of a model") for line in listed(model, "lines of a model"))
        _require_equal(lines, given, deadline)
    try:
        narrator = Narrator(own_model, tell) if tell else lambda *_: None
        proved = checker.check_proof(read_model(lines), steps, lambda: deadline.expired, narrator)
    except checker.OutOfTimeError:
        raise TimeLimitError from None
    except checker.MalformedError as error:
        raise MalformedError(str(error)) from None
    except checker.RefutedError as error:
        raise RefutedError(str(error)) from None
    count, best = len(proved.solutions), -own_model.objective.sense.sign * (claim.score or 0)
    holds = proved.kind != "BOUNDS" and count == claim.count if claim.count is not None else proved.value == best
    if not holds:
        value = "" if proved.value is None else f" with the value {proved.value}"
        raise RefutedError(f"it concludes {proved.kind} of {counted(count, 'solution')}{value}, which is not: {claim}")
    return [own_model.grid(chosen) for chosen in proved.solutions]


def claim_of(puzzle: Puzzle, objective: Objective, proof_end: str, model_end: str = "") -> Claim:
    """The claim that a certificate appears to make, read from the last characters of its proof and of its model, if it
    has one. Raises `MalformedError` if the proof has no conclusion, which `checker` would reject too."""
    conclusions = list(_CONCLUSION.finditer(proof_end))
    if not conclusions:
        expected = "a proof in the format VeriPB 3.0 ends with a conclusion that claims something"
        others = "VeriPB of 2022 checks version 1.2, drat-trim and dratify check DRAT"
        raise MalformedError(f"{expected}, and this has none; {others}")
    if conclusions[-1]["value"]:
        return Claim(None, -objective.sense.sign * int(conclusions[-1]["value"]))
    count, last = Claim(int(conclusions[-1]["count"] or 0)), (model_end.splitlines() or [""])[-1]
    # if the model ends with a constraint that the puzzle does not have, it is the one on the score
    least = _LEAST.search(last)
    if least is None or last.split() == CertificateModel(puzzle, objective, count).constraints[-1].text.split():
        return count
    return Claim(count.count, objective.sense.sign * int(least[1]))


def _require_equal(lines: Sequence[str], model: Iterable[str], deadline: Deadline) -> None:
    """Raises `RefutedError` for the first statement that differs from ours; spaces and comments do not matter."""
    given = (words for words in map(str.split, model) if words and (words[0][0] != "*" or words[1:2] == ["#variable="]))
    for number, (ours, theirs) in enumerate(zip_longest(lines, given), 1):
        if ours is None or theirs is None or ours.split() != theirs:
            found = "nothing" if theirs is None else repr(" ".join(theirs)[:60])
            expected = "nothing" if ours is None else repr(ours[:60])
            about_scores = number == len(lines) or (ours or "").startswith("min:")
            expected += "; is it for other weights, or --minimise?" if about_scores else ""
            raise RefutedError(f"the model is not the puzzle's: statement {number} is {found}, expected {expected}")
        deadline.check()
