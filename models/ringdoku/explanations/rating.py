"""How hard a puzzle is: how many truths its steps take. The scale is our own, and no other program's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import total_ordering

from ringdoku.domain.numbers import counted
from ringdoku.explanations.path import MOST_TRUTHS, Explanation, Outcome
from ringdoku.explanations.techniques import CASES, SINGLES, hardness

LEVELS = ("singles", *map(str, range(1, MOST_TRUTHS + 1)), "cases")
"""The levels of puzzles, easiest first: singles are enough; so many truths of the hardest step; a case split."""


@total_ordering
@dataclass(frozen=True)
class Rating:
    """`truths` of the hardest step, 99 for a case split; its `technique`, empty where it has no name; `steps` says how
    many steps have how many truths; `outcome` is how the steps ended. Ratings are ordered, the easiest first."""

    truths: int
    technique: str
    steps: Mapping[int, int] = field(hash=False)
    outcome: Outcome
    place: int = field(default=0, repr=False)

    @property
    def key(self) -> tuple[int, int, list[int]]:
        """By which ratings are ordered: truths, the technique's place in the table, then how many steps are that
        large, next smaller ones, and so on."""
        counts = [self.steps.get(size, 0) for size in range(CASES, 1, -1)]
        return self.truths, self.place, counts

    @property
    def level(self) -> str:
        """One of `LEVELS`."""
        if self.truths == CASES:
            return LEVELS[-1]
        return LEVELS[0] if self.truths <= 1 and self.place < SINGLES else str(self.truths)

    @property
    def record(self) -> dict[str, object]:
        """For JSON."""
        steps = dict(sorted(self.steps.items()))
        return {"level": self.level, "truths": self.truths, "technique": self.technique, "steps": steps}

    def __lt__(self, other: Rating) -> bool:
        return self.key < other.key

    @property
    def hardest(self) -> str:
        """The truths of the hardest step and its technique."""
        if not self.steps:
            return "nothing to do"
        hardest = "case split" if self.truths == CASES else counted(self.truths, "truth")
        return hardest + (f" ({self.technique})" if self.technique else "")

    def __str__(self) -> str:
        if not self.steps:
            return self.hardest
        counts = ", ".join(
            f"{count} of {'cases' if size == CASES else size}" for size, count in sorted(self.steps.items())
        )
        return f"{self.hardest}; steps: {counts}"


def rate_steps(explanation: Explanation) -> Rating:
    """The rating of the steps, those that end nothing left out."""
    steps = [step for step in explanation.inferences if step.removed or step.placed]
    counts = Counter(hardness(step)[0] for step in steps)
    if not steps:
        return Rating(0, "", {}, explanation.outcome)
    hardest = max(steps, key=hardness)
    truths, place = hardness(hardest)
    return Rating(truths, hardest.name, dict(counts), explanation.outcome, place)
