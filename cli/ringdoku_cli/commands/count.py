"""`ringdoku count`: how many solutions each puzzle has."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Annotated

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.formats import Entry
from ringdoku.proofs.claims import Claim
from ringdoku.services import Session
from ringdoku_cli import options
from ringdoku_cli.certificates import Certificates
from ringdoku_cli.enumerating import Enumeration, ExactCount
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render import by_word, format_of
from ringdoku_cli.render.display import Display

COUNT_FORMATS = ("text", "json")


def count(
    sources: options.Sources = None,
    at_most: options.AtMost = None,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Count without finding each solution, by Ganak: pip install 'ringdoku[count]'."),
    ] = False,
    input_format: options.InputFormat = None,
    first_line: options.FirstLineIs = None,
    output_format: Annotated[
        str | None,
        options.choice(
            "--output-format",
            "output format of count",
            COUNT_FORMATS,
            f"The format of counts: {', '.join(COUNT_FORMATS)}; text if not given.",
        ),
    ] = None,
    backend: options.BackendName = "auto",
    time_limit: options.TimeLimit = None,
    certificate: options.Certificate = None,
    certificate_format: options.CertificateFormat = "veripb",
    veripb: options.VeriPBVersion = "3.0",
    seed: options.Seed = 0,
    box: options.Box = None,
    rules: options.Rules = None,
    ignore: options.Ignore = False,
    keep_going: options.KeepGoing = False,
    output: options.OutputFile = None,
    force: options.Force = False,
) -> Exit:
    """Count the solutions of each puzzle.

    The number is printed alone on a line. Solutions are counted one by one, each checked; a puzzle with millions of
    them takes long. At --at-most, if there are more, and at the time limit it prints `at least` and how many were
    found. On a terminal a line shows how many were found so far.

    --exact counts more than can be found one by one, such as the 28,200,960 blank 6x6 grids, by the word of the model
    counter Ganak; at the time limit it prints `unknown`.

    Exit status: 0 all counts are exact, also 0; 2 malformed input or usage; 3 at least one puzzle has more solutions
    than were counted, or may have; 130 interrupted.
    """
    if exact and (at_most or certificate or backend != "auto"):
        raise UsageError("--exact counts by Ganak; leave --at-most, --certificate and --backend out")
    files = files_of(sources)
    output_format = format_of(output_format, output, COUNT_FORMATS)
    certificates = Certificates(certificate, certificate_format, veripb, time_limit, force, *files, output)
    session = Session(backend, seed)
    display = Display()
    exit_code = Exit.OK
    with (
        Puzzles(files, input_format, options.parse_box(box), keep_going, True, rules, ignore, first_line) as puzzles,
        open_output(output, force) as stream,
        closing(display.entries(puzzles, stream)) as entries,
    ):
        certificates.require_a_pair_for_each(puzzles)
        for entry in entries:
            if exact:
                counted = ExactCount(entry, time_limit, display)
                stream.write(_json(entry, counted, "") if output_format == "json" else f"{counted.text}\n")
                stream.flush()
                exit_code = worst(exit_code, Exit.OK if counted.is_complete else Exit.UNKNOWN)
                continue
            certificates.begin(entry)
            found = Enumeration(session, entry, at_most, time_limit, display)
            grids = [result.grid for result in found if certificates.wanted and result.grid]
            if output_format == "json":
                stream.write(_json(entry, found, session.word_of))
            else:
                stream.write(f"{found.text}{by_word(session.word_of) if found.is_complete else ''}\n")
            stream.flush()
            if found.is_complete:
                exit_code = worst(
                    exit_code, certificates.write(entry, Claim(found.count), grids, word_of=session.word_of)
                )
            else:
                exit_code = worst(exit_code, Exit.UNKNOWN)
                certificates.refuse(entry, "not all solutions were found")
                if found.timed_out:
                    note(f"{entry.place}: the time limit passed; --exact counts without finding each solution")
        return worst(exit_code, puzzles.exit)


def _json(entry: Entry, found: Enumeration | ExactCount, word_of: str) -> str:
    """One object on a line. `exact` is false where there may be more solutions than were counted, and `solutions` null
    where none were."""
    record = {
        "name": entry.name,
        "place": str(entry.place),
        "solutions": found.count,
        "exact": found.is_complete,
        "backend": found.backend,
        "word_of": word_of or None,
        "seconds": round(found.seconds, 6),
    }
    return json.dumps(record) + "\n"
