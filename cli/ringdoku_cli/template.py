"""Answers in a form of the user's: a text with named fields, one for each answer."""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.result import Result
from ringdoku.services import Session
from ringdoku.text import Entry
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli.exits import printable
from ringdoku_cli.render import score_line

READY = {
    "case": "Case #{number}:\n{answer}",
    "scenario": "Scenario #{number}:\n{answer}\n",
    "solvable": "{solvable}",
    "unique": "{unique}",
    "solutions": "{solutions}",
}
"""Templates by name."""

FIELDS = ("number", "name", "answer", "grid", "score", "solvable", "unique", "solutions")
"""What may stand in braces. `answer` is what is printed without a template."""

YES_NO = ("No", "Yes")


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
        parts = [(field, spec or how) for _, field, spec, how in Formatter().parse(text) if field is not None]
    except ValueError as error:
        raise UsageError(f"--template {template!r}: {error}; a brace itself is {{{{ or }}}}") from None
    if not parts:
        raise UsageError(
            f"--template {template!r} has no field in braces, such as {{answer}}, nor is it a name: {', '.join(READY)}"
        )
    if wrong := next((field for field, more in parts if field not in FIELDS or more), None):
        raise UsageError(f"--template has no field {{{wrong}}}; there are: {', '.join(FIELDS)}")
    number = 0

    def show(entry: Entry, result: Result) -> str:
        nonlocal number
        number += result.rank == 1
        values = {"number": str(number), "answer": render(entry, result).strip("\n")}
        values["score"] = score_line(result).strip() if scored else ""
        for name, _ in parts:
            if name not in values:
                values[name] = _field(name, entry, result, session, time_limit)
        return text.format_map(values) + "\n"

    return show


def _field(name: str, entry: Entry, result: Result, session: Session, time_limit: float | None) -> str:
    """One of the others, made when it is asked for: to count solutions takes time."""
    grid = result.grid
    match name:
        case "name":
            return printable(entry.name)
        case "grid":
            return "" if grid is None else entry.layout.render(grid, entry.puzzle.ruleset)
        case "solvable":
            return YES_NO[grid is not None] if grid or result.status.is_final else UNKNOWN
    try:
        count = session.count_solutions(entry.puzzle, 2 if name == "unique" else None, time_limit)
    except TimeLimitError:
        return UNKNOWN
    return YES_NO[count == 1] if name == "unique" else str(count)
