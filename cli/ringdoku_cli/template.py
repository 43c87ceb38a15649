"""Answers in a form of the user's: a text with named fields, one for each answer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from string import Formatter

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.result import Result
from ringdoku.services import Session
from ringdoku.text import Entry
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli.messages import printable
from ringdoku_cli.render.text import score_line

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


class Fields(dict[str, str]):
    """The fields of an answer, each made when it is asked for: to count solutions takes time."""

    def __init__(self, entry: Entry, result: Result, session: Session, time_limit: float | None) -> None:
        super().__init__()
        self._entry, self._result = entry, result
        self._session, self._time_limit = session, time_limit

    def __missing__(self, field: str) -> str:
        entry, grid = self._entry, self._result.grid
        match field:
            case "name":
                return printable(entry.name)
            case "grid":
                return "" if grid is None else entry.layout.render(grid, entry.puzzle.ruleset)
            case "solvable":
                return YES_NO[grid is not None] if grid or self._result.status.is_final else UNKNOWN
        try:
            solutions = self._session.solutions(entry.puzzle, self._time_limit)
            count = sum(1 for _ in islice(solutions, 2 if field == "unique" else None))
        except TimeLimitError:
            return UNKNOWN
        return YES_NO[count == 1] if field == "unique" else str(count)


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
        fields = Fields(entry, result, session, time_limit)
        fields["number"] = str(number)
        fields["answer"] = render(entry, result).strip("\n")
        fields["score"] = score_line(result).strip() if scored else ""
        return text.format_map(fields) + "\n"

    return show
