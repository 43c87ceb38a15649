"""Answers in a form of the user's: a text with named fields, one for each answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from string import Formatter

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.result import Result
from ringdoku.services import Session
from ringdoku.text import Entry
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli.messages import printable
from ringdoku_cli.render.text import score_line

READY: Mapping[str, str] = {
    "case": "Case #{number}:\n{answer}",
    "scenario": "Scenario #{number}:\n{answer}\n",
    "solvable": "{solvable}",
    "unique": "{unique}",
    "solutions": "{solutions}",
}
"""Templates by name."""

YES_NO = ("No", "Yes")


@dataclass(frozen=True)
class Answered:
    """What a field is made from: the number of the puzzle from 1, the answer as printed without a template, and whether
    a best score was asked for."""

    number: int
    entry: Entry
    result: Result
    text: str
    session: Session
    time_limit: float | None
    scored: bool

    def count(self, most: int | None) -> int | None:
        """How many solutions there are, up to so many; None at the time limit."""
        try:
            return sum(1 for _ in islice(self.session.solutions(self.entry.puzzle, self.time_limit), most))
        except TimeLimitError:
            return None


def _solvable(answered: Answered) -> str:
    if not answered.result.status.is_final and answered.result.grid is None:
        return UNKNOWN
    return YES_NO[answered.result.grid is not None]


def _unique(answered: Answered) -> str:
    count = answered.count(2)
    return UNKNOWN if count is None else YES_NO[count == 1]


def _solutions(answered: Answered) -> str:
    count = answered.count(None)
    return UNKNOWN if count is None else str(count)


def _grid(answered: Answered) -> str:
    grid, entry = answered.result.grid, answered.entry
    return "" if grid is None else entry.layout.render(grid, entry.puzzle.ruleset)


def _score(answered: Answered) -> str:
    return score_line(answered.result).strip() if answered.scored else ""


FIELDS: Mapping[str, Callable[[Answered], str]] = {
    "number": lambda answered: str(answered.number),
    "name": lambda answered: printable(answered.entry.name),
    "answer": lambda answered: answered.text.strip("\n"),
    "grid": _grid,
    "score": _score,
    "solvable": _solvable,
    "unique": _unique,
    "solutions": _solutions,
}
"""What may stand in braces. `answer` is what is printed without a template."""


def with_template(
    template: str,
    render: Callable[[Entry, Result], str],
    session: Session,
    time_limit: float | None,
    scored: bool = False,
) -> Callable[[Entry, Result], str]:
    """`render` with its text in a template, or one of `READY` by its name; `\\n` in it is the end of a line.

    Raises `UsageError` for a field that is not in `FIELDS`, and for a text without any.
    """
    text = READY.get(template, template.replace("\\n", "\n"))
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise UsageError(f"--template {template!r}: {error}; a brace itself is {{{{ or }}}}") from None
    if all(field is None for _, field, _, _ in parts):
        raise UsageError(
            f"--template {template!r} has no field in braces, such as {{answer}}, nor is it a name: {', '.join(READY)}"
        )
    for _, field, spec, conversion in parts:
        if field is not None and (field not in FIELDS or spec or conversion):
            raise UsageError(f"--template has no field {{{field}}}; there are: {', '.join(FIELDS)}")
    number = 0

    def show(entry: Entry, result: Result) -> str:
        nonlocal number
        number += result.rank == 1
        answered = Answered(number, entry, result, render(entry, result), session, time_limit, scored)
        filled = (before + (FIELDS[field](answered) if field else "") for before, field, _, _ in parts)
        return "".join(filled) + "\n"

    return show
