"""`ringdoku export`: a puzzle as a model file for other people's solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.exports.registry import EXPORTS, find_export
from ringdoku.formats import Entry
from ringdoku_cli import options
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import Puzzles, weights_from
from ringdoku_cli.outputs import open_output

if TYPE_CHECKING:
    from ringdoku.encodings.options import EncodingOptions

NUMBER = "{number}"

_OBJECTIVE = "Objective"
_ENCODING = "Encoding, as `ringdoku encodings` lists it"
"""Panels of the help text."""
_NAME_WIDTH = max(map(len, EXPORTS)) + 1
_FORMATS_HELP = "\n".join(
    (
        "The kind of model, and solvers that read it:",
        # typer leaves the lines of a paragraph as they are when it starts so
        "\n\b",
        *(f"{form.name:{_NAME_WIDTH}}{form.summary}\n{'':{_NAME_WIDTH}}{form.solvers}" for form in EXPORTS.values()),
    )
)


def _option(panel: str, *flags: str, **settings: Any) -> Any:
    return typer.Option(*flags, rich_help_panel=panel, **settings)


def export(
    to: Annotated[str, _option("Formats", "--to", metavar="FORMAT", help=_FORMATS_HELP)],
    source: options.Source = "-",
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"Write to FILE, in which {NUMBER} stands for a puzzle's number from 1.",
        ),
    ] = None,
    objective: Annotated[
        str | None,
        _option(
            _OBJECTIVE,
            "--objective",
            metavar="ring|none|FILE",
            help="What is optimised: the ring score (default where the format can), nothing, or weights in a FILE.",
        ),
    ] = None,
    minimise: Annotated[
        bool, _option(_OBJECTIVE, "--minimise", "--minimize", help="The lowest score instead.")
    ] = False,
    plain_objective: Annotated[
        bool,
        _option(_OBJECTIVE, "--plain-objective", help="The objective over all cells, not an equal one over fewer."),
    ] = False,
    presolve: Annotated[
        bool, _option(_ENCODING, "--presolve/--no-presolve", help="Leave out what follows from the clues, or nothing.")
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
        bool, _option(_ENCODING, "--triads", help="Redundant variables for box-line intersections.")
    ] = False,
    legacy: Annotated[bool, typer.Option("--legacy", help="wcnf: the header from before 2022.")] = False,
    binary: Annotated[bool, typer.Option("--binary", help="cpsat: the binary protocol buffer, not text.")] = False,
    input_format: options.InputFormat = None,
    box: options.Box = None,
    keep_going: options.KeepGoing = False,
    force: options.Force = False,
) -> Exit:
    """Write a puzzle as a model for SAT, MaxSAT, integer, constraint or SMT solvers.

    Comments in the file say what it is; with them `ringdoku decode` turns a solver's answer into the grid. Several
    puzzles become a file each.

    Exit status: 0 written, 2 malformed input or usage, 130 interrupted.
    """
    from ringdoku.exports import export as write_model

    form = find_export(to)
    chosen = objective or ("ring" if form.has_objective else "none")
    if chosen == source == "-":
        raise UsageError("the puzzles and --objective cannot both come from standard input")
    objective_of = _objective(chosen, Sense.MINIMISE if minimise else Sense.MAXIMISE)
    encoding = _encoding(presolve, clause_set, digits, at_most_one, triads)

    def write(entry: Entry, stream: TextIO) -> None:
        write_model(
            entry.puzzle,
            to,
            stream.buffer,
            objective_of(entry.puzzle),
            projected=not plain_objective,
            encoding=encoding,
            legacy=legacy,
            binary=binary,
        )

    with Puzzles(source, input_format, options.parse_box(box), keep_going) as puzzles:
        for entry, path in _files(puzzles, output):
            with open_output(path, force, useless_in_part=True) as stream:
                write(entry, stream)
                stream.flush()
        return puzzles.exit


def _objective(chosen: str, sense: Sense) -> Callable[[Puzzle], Objective | None]:
    if chosen == "none":
        return lambda _: None
    if chosen == "ring":
        return lambda puzzle: ring_weights(puzzle.geometry, sense)
    weights = weights_from(chosen, sense)
    return lambda _: weights


def _encoding(
    presolve: bool, clause_set: str | None, digits: str | None, at_most_one: str | None, triads: bool
) -> EncodingOptions:
    from ringdoku.encodings.options import ClauseSet, EncodingOptions

    names = [member.value for member in ClauseSet]
    if clause_set is not None and clause_set not in names:
        raise UsageError(f"no clause set is called {clause_set!r}; there are: {', '.join(names)}")
    default = EncodingOptions()
    return EncodingOptions(
        ClauseSet(clause_set) if clause_set else default.clause_set,
        digits or default.digits,
        at_most_one or default.at_most_one,
        triads,
        presolve,
    )


def _files(puzzles: Puzzles, output: str | None) -> Iterator[tuple[Entry, str | None]]:
    """Each puzzle and the file for its model; raises `UsageError` when several would go into one."""
    if output is not None and NUMBER in output:
        for number, entry in enumerate(puzzles, 1):
            yield entry, output.replace(NUMBER, str(number))
        return
    entries = list(islice(puzzles, 2))
    if len(entries) > 1:
        raise UsageError(f"the input holds several puzzles; -o 'model-{NUMBER}' names a file for each")
    yield from ((entry, output) for entry in entries)
