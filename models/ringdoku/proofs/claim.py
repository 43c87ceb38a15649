"""What a certificate proves of a puzzle."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.domain import Grid, Result, Sense, Status, UsageError, counted, expect, refuse, whole_numbers

_TEXT = re.compile(r"no solution|unique|best (?P<best>-?\d{1,30})|count (?P<count>\d{1,9})( from (?P<of>-?\d{1,30}))?")
FORMS = "'no solution', 'unique', 'count N', 'best SCORE', or 'count N from SCORE'"


@dataclass(frozen=True)
class Claim:
    """Exactly `count` solutions score `score` or better (or exist, if it is None); without `count`, the best score."""

    count: int | None
    score: int | None = None

    def __post_init__(self) -> None:
        given = tuple(number for number in (self.count, self.score) if number is not None)
        whole_numbers(given, "the numbers of a claim")
        refuse(not given or (self.count or 0) < 0, f"a claim has a count from 0 or a score, not {given}")

    @staticmethod
    def parse(text: str) -> "Claim":
        """The claim that a text in one of the `FORMS` states. Raises `UsageError` for other texts."""
        expect(text, str, "a claim")
        found = _TEXT.fullmatch(text.strip()) if text.isascii() else None
        if found is None:
            raise UsageError(f"a claim is {FORMS}, not {text!r}")
        count, best, least = [int(number) if number else None for number in found.group("count", "best", "of")]
        if count is None and best is None:
            count = int(text.strip() == "unique")
        return Claim(count, best if least is None else least)

    def __str__(self) -> str:
        """The text that `parse` reads."""
        if self.count is None:
            return f"best {self.score}"
        if self.score is not None:
            return f"count {self.count} from {self.score}"
        return {0: "no solution", 1: "unique"}.get(self.count, f"count {self.count}")

    def sentence(self, sense: Sense = Sense.MAXIMISE) -> str:
        most, more = ("highest", "more") if sense is Sense.MAXIMISE else ("lowest", "less")
        if self.count is None:
            return f"the {most} score is {self.score}"
        found = f"exactly {counted(self.count, 'solution')}" if self.count else "no solution"
        if self.score is None:
            return f"there is {found}" if self.count < 2 else f"there are {found}"
        return f"{found} {'scores' if self.count < 2 else 'score'} {self.score} or {more}"


def claim_of_best(results: Sequence[Result], count: int, sense: Sense) -> tuple[Claim, list[Grid]] | None:
    """The claim that the results of a search for the `count` best solutions support, and its grids for `certify`. None
    if a result is not proved. Fewer than `count` solutions are all that exist. Otherwise let s be the last score: more
    may score s, too, so the claim counts those that are better, or for one result, is that s is the best."""
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
