"""What `ringdoku check` found out about one puzzle, and the two ways it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from ringdoku.domain.grid import Grid
from ringdoku.formats import Entry
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import printable


class Count(Enum):
    """How many solutions there are, as far as uniqueness needs it."""

    NONE = "no solution"
    """Proved: there is none."""
    ONE = "exactly one solution"
    """Proved: there is one and no other."""
    MANY = "more than one solution"
    """Two were found."""
    UNKNOWN = "unknown number of solutions"
    """The time limit came first."""


@dataclass(frozen=True)
class Verdict:
    """`faults` of `answer` as a solution, or of the clues when there is no answer; `count` when it was asked for."""

    entry: Entry
    faults: tuple[str, ...]
    answer: Grid | None = None
    score: int | None = None
    count: Count | None = None

    @property
    def exit(self) -> Exit:
        if self.faults or self.count in (Count.NONE, Count.MANY):
            return Exit.NEGATIVE
        return Exit.UNKNOWN if self.count is Count.UNKNOWN else Exit.OK

    @property
    def sentence(self) -> str:
        if self.answer is None:
            parts = [
                "contradictory clues" if self.faults else f"well-formed, {self.entry.puzzle.clues.filled_count} clues"
            ]
        else:
            parts = ["wrong solution" if self.faults else "right solution"]
        if self.score is not None:
            parts.append(f"score {self.score}")
        if self.count:
            parts.append(self.count.value)
        return ", ".join(parts)


def render_text(verdict: Verdict) -> str:
    """A line for the puzzle, and an indented one for each fault."""
    entry = verdict.entry
    who = printable(f"{entry.place} {entry.name}".rstrip())
    return "\n  ".join([f"{who}: {verdict.sentence}", *verdict.faults]) + "\n"


def render_json(verdict: Verdict) -> str:
    """One object a line; `good` is null when a time limit left it open."""
    import json

    good = {Exit.OK: True, Exit.NEGATIVE: False}.get(verdict.exit)
    record = {
        "name": verdict.entry.name,
        "place": str(verdict.entry.place),
        "good": good,
        "verdict": verdict.sentence,
        "clues": verdict.entry.puzzle.clues.filled_count,
        "faults": verdict.faults,
        "score": verdict.score,
        "solutions": verdict.count and verdict.count.value,
    }
    return json.dumps(record) + "\n"


VERDICT_FORMATS: Mapping[str, Callable[[Verdict], str]] = {"text": render_text, "json": render_json}
"""Every value of `check --output-format`."""
