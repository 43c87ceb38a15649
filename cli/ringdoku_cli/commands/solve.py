"""`ringdoku solve`: one solution of each puzzle."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.domain.result import Result, Status
from ringdoku.formats import Entry
from ringdoku.services import Session
from ringdoku_cli import options
from ringdoku_cli.answering import answer_all
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render import renderer

EXIT_OF = {Status.SATISFIABLE: Exit.OK, Status.INFEASIBLE: Exit.NEGATIVE, Status.UNKNOWN: Exit.UNKNOWN}


def solve(
    source: options.Source = "-",
    competition: Annotated[
        bool,
        typer.Option(
            "--competition", help="SAT Competition output for one puzzle: c, s and v lines; exit 10, 20, or 0."
        ),
    ] = False,
    input_format: options.InputFormat = None,
    output_format: options.OutputFormat = None,
    backend: options.BackendName = "auto",
    time_limit: options.TimeLimit = None,
    seed: options.Seed = 0,
    box: options.Box = None,
    keep_going: options.KeepGoing = False,
    output: options.OutputFile = None,
    force: options.Force = False,
) -> Exit:
    """Find one solution of each puzzle.

    Any one where there are several; `no solution` where there is none, `unknown` at the time limit.

    Exit status: 0 all solved, 1 at least one has no solution, 2 malformed input or usage, 3 at least one unknown,
    130 interrupted.
    """
    session = Session(backend, seed)
    with (
        Puzzles(source, input_format, options.parse_box(box), keep_going) as puzzles,
        open_output(output, force) as stream,
    ):
        if competition:
            if output_format:
                raise UsageError("--competition has an output format of its own; leave --output-format out")
            from ringdoku_cli.render.competition import competition_lines

            entry = only_one(puzzles)
            result = session.solve(entry.puzzle, time_limit)
            stream.writelines(competition_lines(entry, result))
            stream.flush()
            return puzzles.exit or _COMPETITION_EXIT.get(result.status, Exit.OK)
        show = renderer(output_format or ("pretty" if stream.isatty() else "same"), stream)
        return answer_all(puzzles, stream, lambda entry: [session.solve(entry.puzzle, time_limit)], show, _judge)


_COMPETITION_EXIT = {Status.SATISFIABLE: Exit.SATISFIABLE, Status.INFEASIBLE: Exit.UNSATISFIABLE}


def only_one(puzzles: Puzzles) -> Entry:
    """The one puzzle of the input; raises `UsageError` when there are more."""
    entries = list(islice(puzzles, 2))
    if len(entries) != 1:
        raise UsageError(f"--competition answers one puzzle; the input holds {'more' if entries else 'none'}")
    return entries[0]


def _judge(_entry: Entry, result: Result) -> Exit:
    return EXIT_OF[result.status]
