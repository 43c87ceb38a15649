"""Whether a certificate proves a claim about a puzzle. Its model is made again; nothing else in it is believed."""

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
    """The solutions that a certificate lists when it proves the claim, whoever made it: of a count all, of a best
    score one that has it.

    `proof` are the lines of a VeriPB 3.0 proof, `model` those of the OPB file where there is one. The model is made
    again from the puzzle. `tell` gets a text, line by line, that says what each of the first 200 statements derives and
    why. Raises `RefutedError` and `MalformedError`, which say where and why, and `TimeLimitError`.
    """
    expect(puzzle, Puzzle, "what is verified")
    expect(claim, Claim, "a claim")
    objective = ring_weights(puzzle.board) if objective is None else expect(objective, Objective, "an objective")
    steps = (expect(line, str, "a line of a proof") for line in listed(proof, "lines of a proof"))
    deadline = Deadline.asked(time_limit)
    stated = CertificateModel(puzzle, objective, claim)
    lines = list(stated.lines())
    if model is not None:
        told = (expect(line, str, "a line of a model") for line in listed(model, "lines of a model"))
        _compare(lines, told, deadline)
    try:
        narrator = Narrator(stated, tell) if tell else lambda *_: None
        proved = checker.check_proof(read_model(lines), steps, lambda: deadline.expired, narrator)
    except checker.OutOfTimeError:
        raise TimeLimitError from None
    except checker.MalformedError as error:
        raise MalformedError(str(error)) from None
    except checker.RefutedError as error:
        raise RefutedError(str(error)) from None
    count, best = len(proved.solutions), -stated.objective.sense.sign * (claim.score or 0)
    holds = proved.kind != "BOUNDS" and count == claim.count if claim.count is not None else proved.value == best
    if not holds:
        value = "" if proved.value is None else f" with the value {proved.value}"
        raise RefutedError(f"it concludes {proved.kind} of {counted(count, 'solution')}{value}, which is not: {claim}")
    return [stated.grid(chosen) for chosen in proved.solutions]


def claim_of(puzzle: Puzzle, objective: Objective, proof_end: str, model_end: str = "") -> Claim:
    """What a certificate seems to claim, from the last characters of its proof, and of its model where there is one.
    Raises `MalformedError` where the proof has no conclusion, which `checker` would refuse too."""
    found = list(_CONCLUSION.finditer(proof_end))
    if not found:
        raise MalformedError(
            "a proof in the format VeriPB 3.0 ends with a conclusion that claims something, and this has none; "
            "VeriPB of 2022 checks version 1.2, drat-trim and dratify check DRAT"
        )
    if found[-1]["value"]:
        return Claim(None, -objective.sense.sign * int(found[-1]["value"]))
    count, last = Claim(int(found[-1]["count"] or 0)), (model_end.splitlines() or [""])[-1]
    # a constraint more than the puzzle has is the one on the score
    least = _LEAST.search(last)
    if least is None or last.split() == CertificateModel(puzzle, objective, count).constraints[-1].text.split():
        return count
    return Claim(count.count, objective.sense.sign * int(least[1]))


def _compare(lines: Sequence[str], model: Iterable[str], deadline: Deadline) -> None:
    """Raises `RefutedError` for the first statement that is not the puzzle's; spaces and comments do not matter."""
    told = (words for line in model if (words := line.split()) and (words[0][0] != "*" or words[1:2] == ["#variable="]))
    for number, (ours, theirs) in enumerate(zip_longest(lines, told), 1):
        if ours is None or theirs is None or ours.split() != theirs:
            found = "nothing" if theirs is None else repr(" ".join(theirs)[:60])
            expected = "nothing" if ours is None else repr(ours[:60])
            about_scores = number == len(lines) or (ours or "").startswith("min:")
            expected += "; is it for other weights, or --minimise?" if about_scores else ""
            raise RefutedError(f"the model is not the puzzle's: statement {number} is {found}, expected {expected}")
        deadline.check()
