"""`ringdoku rate`: how hard each puzzle is, by the steps that explain its solution."""

from functools import partial
from typing import Annotated

from ringdoku import Outcome, Rating, Session
from ringdoku.explanations.techniques import TECHNIQUES
from ringdoku.services.explaining import rate as rating_of
from ringdoku.text import Entry
from ringdoku_cli.answering import Job
from ringdoku_cli.exits import Exit
from ringdoku_cli.options import Inputs, Output, TextFormat, TimeLimit, option
from ringdoku_cli.render import format_of, json_line, label

ENDINGS = {
    Outcome.SOLVED: (Exit.OK, ""),
    Outcome.CONTRADICTION: (Exit.NEGATIVE, "no solution"),
    Outcome.STUCK: (Exit.NEGATIVE, "more than one solution"),
    Outcome.LIMIT: (Exit.UNKNOWN, "unknown: the time limit came first"),
}
"""For each outcome of an explanation, the exit code and the text that replaces a rating."""


def rate(
    inputs: Inputs,
    output: Output,
    techniques: Annotated[bool, option("--techniques", "List the techniques, easiest first, and exit.")] = False,
    output_format: TextFormat = None,
    time_limit: TimeLimit = 60.0,
) -> Exit:
    """A step is as hard as it needs truths: "this cell has a digit" is one, "this unit has a place for this digit" is
    one, a rule is one. Of all steps that are found the one with the fewest truths is taken, again and again; of rules
    there may be more, which `explain --fewest` looks for. The rating is a word, from easy to diabolical, the truths of
    the hardest step with the name of its technique, how many steps have how many truths, and the depth of trial and
    error by singles. A case split is harder than all other steps. The scale is our own, and no other program's.

    Exit status: 0 all rated, 1 at least one puzzle has no solution or several, 2 malformed input or usage, 3 the time
    limit came first, 130 interrupted.
    """
    form = format_of(output_format, output.output)
    if techniques:
        with output.open() as stream:
            stream.writelines(f"{row.size} {row.name}: {row.summary}\n" for row in TECHNIQUES.values())
        return Exit.OK
    return Job[Rating](
        Session(),
        query_of=lambda entry: lambda *_: [rating_of(entry.puzzle, time_limit)],
        writer_on=lambda _: partial(_render, form),
        exit_of=lambda _, rating: ENDINGS[rating.outcome][0],
    ).run(inputs, output)


def _render(form: str | None, entry: Entry, rating: Rating) -> str:
    if form == "json":
        return json_line(entry, {"outcome": rating.outcome.value, **rating.record})
    return f"{label(entry)}: {ENDINGS[rating.outcome][1] or rating}\n"
