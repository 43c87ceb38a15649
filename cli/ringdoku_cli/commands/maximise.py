"""`ringdoku maximise`: the best score of each puzzle, proved."""

from __future__ import annotations

from functools import cache
from typing import Annotated

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.domain.geometry import Geometry
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.formats import Entry
from ringdoku.services import Session
from ringdoku_cli import options
from ringdoku_cli.answering import answer_all
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import Puzzles, weights_from
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render import DRAWN, renderer
from ringdoku_cli.render.text import render_score


def maximise(
    source: options.Source = "-",
    grid: Annotated[bool, typer.Option("--grid", help="Write the best grid under its score.")] = False,
    weights: Annotated[
        str | None,
        typer.Option("--weights", metavar="FILE", help="n rows of n integers instead of the ring weights 6 + ring."),
    ] = None,
    minimise: Annotated[bool, typer.Option("--minimise", "--minimize", help="The lowest score instead.")] = False,
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
    """Find the best score of each puzzle, and prove it.

    The score is the sum of weight times digit over all cells. It is written alone on a line; -1 stands for a puzzle
    without a solution. --grid, or the output formats pretty, svg and json, show the grid too. At the time limit it
    is the best score found, with the bound on standard error, or `unknown`.

    Exit status: 0 all answered for good, also by -1; 2 malformed input or usage, 3 at least one not proved,
    130 interrupted.
    """
    if weights == source == "-":
        raise UsageError("the puzzles and --weights cannot both come from standard input")
    sense = Sense.MINIMISE if minimise else Sense.MAXIMISE
    given = weights_from(weights, sense) if weights else None
    session = Session(backend, seed)

    @cache
    def objective_on(geometry: Geometry) -> Objective:
        return given or ring_weights(geometry, sense)

    def ask(puzzle: Puzzle) -> Result:
        return session.optimise(puzzle, objective_on(puzzle.geometry), time_limit)

    with (
        Puzzles(source, input_format, options.parse_box(box), keep_going) as puzzles,
        open_output(output, force) as stream,
    ):
        draws = grid or output_format in DRAWN
        name = output_format or ("pretty" if stream.isatty() else "same")
        render = renderer(name, stream) if draws else render_score

        def show(entry: Entry, result: Result) -> str:
            return render(entry, result, objective_on(entry.puzzle.geometry))

        def judge(entry: Entry, result: Result) -> Exit:
            return _judge(entry, result, objective_on(entry.puzzle.geometry))

        return answer_all(puzzles, stream, ask, show, judge)


def _judge(entry: Entry, result: Result, objective: Objective) -> Exit:
    """The exit code, and on standard error what a bare number on standard output leaves open."""
    if result.status is Status.INFEASIBLE and min(objective.weights) < 0:
        # only then could −1 be a score
        note(f"{entry.place}: no solution; -1 stands for that")
    if result.status.is_final:
        return Exit.OK
    found = "nothing was found" if result.score is None else f"{result.score} is not proved best"
    bound = "no bound was proved" if result.bound is None else f"the bound is {result.bound}"
    note(f"{entry.place}: time limit: {found}, {bound}")
    return Exit.UNKNOWN
