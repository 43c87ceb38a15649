"""What a certificate proves of a puzzle, and how it is said."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ringdoku.domain.errors import UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import Sense

_TEXT = re.compile(
    r"no solution|unique|best (?P<best>-?\d{1,30})|count (?P<count>\d{1,9})( from (?P<from>-?\d{1,30}))?"
)
FORMS = "'no solution', 'unique', 'count N', 'best SCORE', or 'count N from SCORE'"


@dataclass(frozen=True)
class Claim:
    """With a `count`: just so many solutions score `score` or better, or exist at all where `score` is None. Without:
    the best score is `score`."""

    count: int | None
    score: int | None = None

    @staticmethod
    def parse(text: str) -> Claim:
        """From one of `FORMS`. Raises `UsageError`."""
        found = _TEXT.fullmatch(text.strip()) if text.isascii() else None
        if found is None:
            raise UsageError(f"a claim is {FORMS}, not {text!r}")
        if found["best"]:
            return Claim(None, int(found["best"]))
        if found["count"]:
            return Claim(int(found["count"]), int(found["from"]) if found["from"] else None)
        return Claim(1 if text.strip() == "unique" else 0)

    def __str__(self) -> str:
        """As `parse` reads it."""
        if self.count is None:
            return f"best {self.score}"
        if self.score is not None:
            return f"count {self.count} from {self.score}"
        return {0: "no solution", 1: "unique"}.get(self.count, f"count {self.count}")

    def sentence(self, sense: Sense = Sense.MAXIMISE) -> str:
        """In words."""
        most, more = ("highest", "more") if sense is Sense.MAXIMISE else ("lowest", "less")
        if self.count is None:
            return f"the {most} score is {self.score}"
        found = f"exactly {counted(self.count, 'solution')}" if self.count else "no solution"
        if self.score is None:
            return f"there is {found}" if self.count < 2 else f"there are {found}"
        return f"{found} {'scores' if self.count < 2 else 'score'} {self.score} or {more}"
