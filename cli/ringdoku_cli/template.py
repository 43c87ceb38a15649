"""Answers in a form of the user's: a text with named fields, one for each answer."""

from collections.abc import Callable
from string import Formatter

from ringdoku import Result, Session, TimeLimitError, UsageError
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
    fields = FIELDS if scored else [field for field in FIELDS if field != "score"]
    try:
        parts = [(field, spec or how) for _, field, spec, how in Formatter().parse(text) if field is not None]
        wrong = next((f"no field is {{{field}}}" for field, more in parts if field not in fields or more), "")
        problem = wrong or ("" if parts else "it has no field in braces")
    except ValueError as error:
        problem = str(error)
    if problem:
        raise UsageError(
            f"--template {template!r}: {problem}; fields are {', '.join(fields)}; names are {', '.join(READY)}; a "
            "brace itself is {{ or }}"
        )
    number = 0

    def show(entry: Entry, result: Result) -> str:
        nonlocal number
        number += result.rank == 1
        values = {"number": str(number), "answer": render(entry, result).strip("\n")}
        values |= {"score": score_line(result).strip()} if scored else {}
        for name, _ in parts:
            # made where it is asked for: to count solutions takes time
            values[name] = values[name] if name in values else _field(name, entry, result, session, time_limit)
        return text.format_map(values) + "\n"

    return show


def _field(name: str, entry: Entry, result: Result, session: Session, time_limit: float | None) -> str:
    grid = result.grid
    if name == "name":
        return printable(entry.name)
    if name == "grid":
        return "" if grid is None else entry.layout.render(grid, entry.puzzle.ruleset)
    if name == "solvable":
        found = "Yes" if grid else "No"
        return found if grid or result.status.is_final else UNKNOWN
    try:
        count = session.count_solutions(entry.puzzle, 2 if name == "unique" else None, time_limit)
    except TimeLimitError:
        return UNKNOWN
    if name == "unique":
        return "Yes" if count == 1 else "No"
    return str(count)
