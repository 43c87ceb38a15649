"""What `ringdoku check` found out about one puzzle, and the two ways it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
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


class Absence(Enum):
    """Why an answer is no grid."""

    PROVED = "no solution claimed"
    """The puzzle is said to have none."""
    UNEXPLAINED = "no answer claimed"
    """None was found."""


@dataclass(frozen=True)
class Verdict:
    """`faults` of `answer` as a solution, or of the clues when there is no answer; `count` when it was asked for;
    `absence` is what was said in place of a grid."""

    entry: Entry
    faults: tuple[str, ...]
    answer: Grid | None = None
    score: int | None = None
    count: Count | None = None
    absence: Absence | None = None

    @property
    def exit(self) -> Exit:
        disproved = self.absence is Absence.PROVED and self.count is Count.ONE
        if self.faults or disproved or self.count in (Count.NONE, Count.MANY):
            return Exit.NEGATIVE
        return Exit.UNKNOWN if self.absence or self.count is Count.UNKNOWN else Exit.OK

    @property
    def sentence(self) -> str:
        if self.answer is None:
            clues = counted(self.entry.puzzle.clues.filled_count, "clue")
            parts = ["contradictory clues" if self.faults else f"well-formed, {clues}"]
        else:
            parts = ["wrong solution" if self.faults else "right solution"]
        if self.absence:
            parts.append(self.absence.value)
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
    """One object a line; `good` is null when it was left open."""
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
