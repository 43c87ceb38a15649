"""`ringdoku export`: a puzzle as a model file for other people's solvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.exports import EXPORTS, find_export
from ringdoku.text import Entry, ReadOptions
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import Puzzles, files_of, weights_from
from ringdoku_cli.outputs import INPUT, NUMBER, bare_name, begin_files_for, open_output
from ringdoku_cli.render import format_of

if TYPE_CHECKING:
    from ringdoku.sat.options import EncodingOptions

_OBJECTIVE = "Objective"
_ENCODING = "Encoding, as `ringdoku list encodings` lists it"
"""Panels of the help text."""
_NAME_WIDTH = max(map(len, EXPORTS)) + 1
_FORMATS_HELP = "\n".join(
    (
        "The format of the model, and solvers that read it; needed where the name of --output does not end in it:",
        # typer keeps the lines of a paragraph that starts with this
        "\n\b",
        *(f"{form.name:{_NAME_WIDTH}}{form.summary}\n{'':{_NAME_WIDTH}}{form.solvers}" for form in EXPORTS.values()),
    )
)


def _option(panel: str, *flags: str, **settings: Any) -> Any:
    return typer.Option(*flags, rich_help_panel=panel, **settings)


def export(
    sources: options.Sources = None,
    to: Annotated[str | None, _option("Formats", "--to", metavar="FORMAT", help=_FORMATS_HELP)] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"Write to FILE; for several puzzles, {NUMBER} in its name stands for their numbers from 1, and "
            f"{INPUT} for the name of the input.",
        ),
    ] = None,
    objective: Annotated[
        str | None,
        _option(
            _OBJECTIVE,
            "--objective",
            metavar="ring|none|FILE",
            help="The objective: the ring score (the default where the format has objectives), none, or weights from "
            "FILE.",
        ),
    ] = None,
    minimise: Annotated[bool, _option(_OBJECTIVE, "--minimise", "--minimize", help="Minimise the score.")] = False,
    plain_objective: Annotated[
        bool,
        _option(
            _OBJECTIVE,
            "--plain-objective",
            help="Write the objective over all cells, not an equivalent one over fewer.",
        ),
    ] = False,
    presolve: Annotated[
        bool, _option(_ENCODING, "--presolve/--no-presolve", help="Leave out what follows from the clues, or keep it.")
    ] = True,
    clause_set: Annotated[
        str | None, _option(_ENCODING, "--clause-set", metavar="NAME", help="The clause set of a cnf or wcnf model.")
    ] = None,
    digits: Annotated[
        str | None, _option(_ENCODING, "--digits", metavar="NAME", help="How a cnf or wcnf model encodes digits.")
    ] = None,
    at_most_one: Annotated[
        str | None,
        _option(_ENCODING, "--at-most-one", metavar="NAME", help="How a cnf or wcnf model encodes at-most-one."),
    ] = None,
    triads: Annotated[
        bool, _option(_ENCODING, "--triads", help="Add redundant variables for box-line intersections.")
    ] = False,
    innies: Annotated[
        bool, _option(_ENCODING, "--innies", help="Add redundant clauses for cages that nearly cover some houses.")
    ] = False,
    binary: Annotated[
        bool, typer.Option("--binary", help="For cpsat: write the binary protocol buffer, not text.")
    ] = False,
    input_format: options.InputFormat = None,
    box: options.Box = None,
    rules: options.Rules = None,
    ignore: options.Ignore = False,
    keep_going: options.KeepGoing = False,
    force: options.Force = False,
) -> Exit:
    """Write a puzzle as a model for other solvers.

    There are formats for SAT, MaxSAT, integer, constraint and SMT solvers. Comments in the file describe the
    puzzle, so that `ringdoku decode` can turn a solver's answer into the grid. Several puzzles need a file each,
    with {number} in its name, or with {input} where each input has one.

    Exit status: 0 written, 2 malformed input or usage, 130 interrupted.
    """
    from ringdoku.exports import export as write_model

    to = format_of(to, output, EXPORTS)
    if to is None:
        raise UsageError(f"--to FORMAT is missing; there are: {', '.join(EXPORTS)}")
    form = find_export(to)
    chosen = objective or ("ring" if form.has_objective else "none")
    files = files_of(sources)
    begin_files_for(files, output)
    if chosen == "-" and "-" in files:
        raise UsageError("the puzzles and --objective cannot both come from standard input")
    objective_of = _objective(chosen, Sense.MINIMISE if minimise else Sense.MAXIMISE)
    encoding = _encoding(presolve, clause_set, digits, at_most_one, triads, innies)

    def write(entry: Entry, stream: TextIO) -> None:
        write_model(
            entry.puzzle,
            to,
            stream.buffer,
            objective_of(entry.puzzle),
            projected=not plain_objective,
            encoding=encoding,
            binary=binary,
        )

    written: set[str] = set()
    how = ReadOptions(input_format, options.parse_box(box), rules=rules, ignore=ignore)
    with Puzzles(files, how, keep_going) as puzzles:
        if output is None or not (NUMBER in output or INPUT in output):
            puzzles.require_one(f"-o 'model-{NUMBER}' names a file for each")
        for number, entry in enumerate(puzzles, 1):
            path = output and output.replace(NUMBER, str(number)).replace(INPUT, bare_name(entry.place.file))
            if path in written:
                raise UsageError(f"{path} would hold two models; {NUMBER} in its name makes a file for each")
            written |= {path} if path else set()
            with open_output(path, force, useless_in_part=True) as stream:
                write(entry, stream)
                stream.flush()
        return puzzles.exit


def _objective(chosen: str, sense: Sense) -> Callable[[Puzzle], Objective | None]:
    if chosen == "none":
        return lambda _: None
    if chosen == "ring":
        return lambda puzzle: ring_weights(puzzle.board, sense)
    weights = weights_from(chosen, sense)
    return lambda _: weights


def _encoding(
    presolve: bool, clause_set: str | None, digits: str | None, at_most_one: str | None, triads: bool, innies: bool
) -> EncodingOptions:
    from ringdoku.sat.options import ClauseSet, EncodingOptions

    names = [member.value for member in ClauseSet]
    if clause_set is not None and clause_set not in names:
        raise UsageError(f"no clause set is called {clause_set!r}; there are: {', '.join(names)}")
    default = EncodingOptions()
    return EncodingOptions(
        ClauseSet(clause_set) if clause_set else default.clause_set,
        digits or default.digits,
        at_most_one or default.at_most_one,
        triads,
        innies,
        presolve,
    )
