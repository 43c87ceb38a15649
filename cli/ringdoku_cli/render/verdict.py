"""What `ringdoku check` found out about one puzzle, as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from ringdoku.domain.constraint import Boxes, Lines
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.text import Entry
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import printable
from ringdoku_cli.render.text import by_word


class Count(Enum):
    """How many solutions there are, as far as it matters for uniqueness."""

    NONE = "no solution"
    """There is none."""
    ONE = "exactly one solution"
    """There is one and no other."""
    MANY = "more than one solution"
    """Two were found."""
    UNKNOWN = "unknown number of solutions"
    """The time limit came first."""


class Absence(Enum):
    """Why a claim has no grid."""

    PROVED = "no solution claimed"
    """It says that the puzzle has no solution."""
    UNEXPLAINED = "no answer claimed"
    """It says that no solution was found."""
    SCORE = "a score claimed"
    """It has a score alone."""
    NOTHING = "no answer to check"
    """--best has nothing to check where there is no claim at all."""


class Best(Enum):
    """What was found out about an answer to the question for the best score."""

    PROVED = "the best"
    """It is the best score, or it is right that there is no solution."""
    DISPROVED = "not the best"
    """There is a better score, or just one of the two says that there is no solution."""
    UNKNOWN = "not proved best"
    """The time limit came first."""


@dataclass(frozen=True)
class Verdict:
    """`faults` of `answer` as a solution, or of the clues when there is no answer; `count` when it was asked for;
    `absence` is what the claim had in place of a grid, `best` what was found out of its score if that was asked,
    and `best_fault` what is wrong with it. `word_of` is the program whose word alone stands for the count."""

    entry: Entry
    faults: tuple[str, ...]
    answer: Grid | None = None
    score: int | None = None
    count: Count | None = None
    absence: Absence | None = None
    word_of: str = ""
    best: Best | None = None
    best_fault: str = ""

    @property
    def exit(self) -> Exit:
        disproved = self.absence is Absence.PROVED and self.count is Count.ONE
        if self.all_faults or disproved or self.count in (Count.NONE, Count.MANY):
            return Exit.NEGATIVE
        unanswered = self.absence is not None and self.best is not Best.PROVED
        return Exit.UNKNOWN if unanswered or self.count is Count.UNKNOWN or self.best is Best.UNKNOWN else Exit.OK

    @property
    def all_faults(self) -> tuple[str, ...]:
        return (*self.faults, *([self.best_fault] if self.best_fault else []))

    @property
    def sentence(self) -> str:
        if self.answer is None:
            clues = counted(self.entry.puzzle.clues.filled_count, "clue")
            parts = ["contradictory clues" if self.faults else f"well-formed, {clues}"]
        else:
            parts = ["wrong solution" if self.faults else "right solution"]
        parts += self._rules()
        if self.absence is Absence.SCORE:
            parts.append(f"score {self.score} claimed")
        elif self.absence:
            parts.append(self.absence.value)
        elif self.score is not None:
            parts.append(f"score {self.score}")
        if self.best:
            parts.append(self.best.value)
        if self.count:
            parts.append(f"{self.count.value}{by_word(self.word_of)}")
        return ", ".join(parts)

    @property
    def constraints(self) -> int:
        """How many constraints there are besides rows, columns and boxes."""
        return sum(not isinstance(rule, (Lines, Boxes)) for rule in self.entry.puzzle.ruleset.constraints)

    def _rules(self) -> Iterator[str]:
        """In what the rules differ from those of classic sudoku."""
        ruleset = self.entry.puzzle.ruleset
        if not ruleset.board.is_plain:
            yield f"a board of {ruleset.board}"
        if not any(isinstance(rule, Lines) for rule in ruleset.constraints):
            yield "no lines"
        if ruleset.box is None:
            yield "no boxes"
        if self.constraints:
            yield counted(self.constraints, "constraint")


def render_text(verdict: Verdict) -> str:
    """A line for the puzzle, an indented line for each fault, and its author and rules where they came with it."""
    entry = verdict.entry
    who = printable(f"{entry.place} {entry.name}".rstrip())
    about = [f"by {entry.author}"] if entry.author else []
    about += [line for line in entry.about.splitlines() if line.strip()]
    if entry.about and verdict.count is Count.MANY:
        about.append("(These words may say more than the rules that were read.)")
    return "\n  ".join([f"{who}: {verdict.sentence}", *verdict.all_faults, *map(printable, about)]) + "\n"


def render_json(verdict: Verdict) -> str:
    """One object on a line; `good` is null where the check came to no result."""
    import json

    good = {Exit.OK: True, Exit.NEGATIVE: False}.get(verdict.exit)
    record = {
        "name": verdict.entry.name,
        "author": verdict.entry.author,
        "about": verdict.entry.about,
        "place": str(verdict.entry.place),
        "good": good,
        "verdict": verdict.sentence,
        "clues": verdict.entry.puzzle.clues.filled_count,
        "constraints": verdict.constraints,
        "faults": verdict.all_faults,
        "score": verdict.score,
        "best": verdict.best and verdict.best.value,
        "solutions": verdict.count and verdict.count.value,
        "word_of": verdict.word_of or None,
    }
    return json.dumps(record) + "\n"


VERDICT_FORMATS: Mapping[str, Callable[[Verdict], str]] = {"text": render_text, "json": render_json}
"""Every value of `check --output-format`."""
