"""`ringdoku rate`: how hard each puzzle is, by the steps that explain its solution."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Annotated

import typer

from ringdoku.explanations.path import Outcome
from ringdoku.explanations.rating import Rating
from ringdoku.explanations.techniques import TECHNIQUES
from ringdoku.services.explaining import rate as rating_of
from ringdoku.text import Entry, ReadOptions
from ringdoku_cli import options
from ringdoku_cli.answering import noting_interrupts
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of
from ringdoku_cli.messages import printable
from ringdoku_cli.outputs import open_output
from ringdoku_cli.progress import with_progress
from ringdoku_cli.render import format_of

EXIT_OF = {
    Outcome.SOLVED: Exit.OK,
    Outcome.CONTRADICTION: Exit.NEGATIVE,
    Outcome.STUCK: Exit.NEGATIVE,
    Outcome.LIMIT: Exit.UNKNOWN,
}
ENDING = {
    Outcome.SOLVED: "",
    Outcome.CONTRADICTION: "no solution",
    Outcome.STUCK: "more than one solution",
    Outcome.LIMIT: "unknown",
}


def rate(
    sources: options.Sources = None,
    techniques: Annotated[
        bool, typer.Option("--techniques", help="List the techniques, easiest first, and exit.")
    ] = False,
    as_json: options.Json = False,
    input_format: options.InputFormat = None,
    time_limit: options.TimeLimit = 60.0,
    box: options.Box = None,
    rules: options.Rules = None,
    ignore: options.Ignore = False,
    keep_going: options.KeepGoing = False,
    output: options.OutputFile = None,
    force: options.Force = False,
) -> Exit:
    """Rate how hard each puzzle is, by the steps that it takes.

    A step is as hard as it needs truths: "this cell has a digit" is one, "this unit has a place for this digit" is one,
    a rule is one. Of all steps the one with the fewest truths is taken, again and again. The rating is the number of
    truths of the hardest step with the name of its technique, then how many steps have how many truths. A case split
    is harder than all of them. The scale is our own, and no other program's.

    Exit status: 0 all rated, 1 at least one puzzle has no solution or several, 2 malformed input or usage, 3 the time
    limit came first, 130 interrupted.
    """
    as_json = as_json or format_of(None, output, ("json",)) == "json"
    with open_output(output, force) as stream:
        if techniques:
            for row in TECHNIQUES.values():
                stream.write(f"{row.size} {row.name}: {row.summary}\n")
            return Exit.OK
        exit_code = Exit.OK
        how = ReadOptions(input_format, options.parse_box(box), rules=rules, ignore=ignore)
        with (
            Puzzles(files_of(sources), how, keep_going) as puzzles,
            closing(with_progress(puzzles, stream)) as entries,
        ):
            for entry in entries:
                with noting_interrupts(entry):
                    rating = rating_of(entry.puzzle, time_limit)
                stream.write(_record(entry, rating) if as_json else _line(entry, rating))
                stream.flush()
                exit_code = worst(exit_code, EXIT_OF[rating.outcome])
            return worst(exit_code, puzzles.exit)


def _line(entry: Entry, rating: Rating) -> str:
    who = printable(f"{entry.place} {entry.name}".rstrip())
    return f"{who}: {ENDING[rating.outcome] or rating}\n"


def _record(entry: Entry, rating: Rating) -> str:
    record = {"name": entry.name, "place": str(entry.place), "outcome": rating.outcome.value, **rating.record}
    return json.dumps(record) + "\n"
