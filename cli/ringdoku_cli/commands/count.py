"""`ringdoku count`: how many solutions each puzzle has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TypeAlias

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.proofs.claims import Claim
from ringdoku.services import Session
from ringdoku.text import Batch, Entry, ReadOptions
from ringdoku_cli import options
from ringdoku_cli.answering import answers_in_order, entries_of, first_entry, jobs_beside, leaves_time_for_batches
from ringdoku_cli.certificates import Certificates
from ringdoku_cli.enumerating import Enumeration, ExactCount, Watch
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output
from ringdoku_cli.progress import batches_with_progress
from ringdoku_cli.render import by_word, format_of
from ringdoku_cli.render.display import Display
from ringdoku_cli.render.terminal import errors_are_seen

COUNT_FORMATS = ("text", "json")
MOST_IN_BATCHES = 100
"""With more solutions to find, a puzzle may take so long that others should not wait for it."""


@dataclass(frozen=True)
class Counted:
    """How many solutions were found, whether these are all or the time limit passed, and the grids if wanted."""

    count: int
    is_complete: bool
    timed_out: bool
    backend: str
    seconds: float
    grids: tuple[Grid, ...] = ()

    @property
    def text(self) -> str:
        """`288`, or `at least 5` where there may be more."""
        return str(self.count) if self.is_complete else f"at least {self.count}"


Answer: TypeAlias = "Counted | ExactCount | list[Counted]"
"""The count of a puzzle, or those of a batch."""


def count(
    sources: options.Sources = None,
    at_most: options.AtMost = None,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Count without finding each solution, by Ganak: pip install 'ringdoku\\[count]'."),
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
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
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

    Exit status: 0 all counts are exact, even if there is no solution; 2 malformed input or usage; 3 at least one puzzle
    has more solutions than were counted, or may have; 130 interrupted.
    """
    if exact and (at_most or certificate or backend != "auto"):
        raise UsageError("--exact counts by Ganak; leave --at-most, --certificate and --backend out")
    files = files_of(sources)
    output_format = format_of(output_format, output, COUNT_FORMATS)
    certificates = Certificates(certificate, certificate_format, veripb, time_limit, force, *files, output)
    session = Session(backend, seed, cluster=cluster)
    word_of = "" if exact else session.word_of
    jobs = jobs_beside(jobs, cluster, certificate=certificate, exact=exact)
    display = Display()
    exit_code = Exit.OK

    # the counts of a batch come together, and no way to them is seen
    batches = bool(at_most and at_most <= MOST_IN_BATCHES and leaves_time_for_batches(time_limit))
    batches = batches and not (exact or certificate or output_format == "json" or errors_are_seen())

    def here(item: Entry | Batch) -> Answer:
        if isinstance(item, Batch):
            return _counted_together(item, at_most, time_limit, session, display)
        if exact:
            return ExactCount(item, time_limit, display)
        return _counted(item.puzzle, at_most, time_limit, session, certificates.wanted, Watch(display, item))

    def question(item: Entry | Batch) -> Callable[[Session], Answer]:
        if isinstance(item, Batch):
            return partial(_counted_together, item, at_most, time_limit)
        return partial(_counted, item.puzzle, at_most, time_limit)

    how = ReadOptions(input_format, options.parse_box(box), rules=rules, ignore=ignore, first_line=first_line)
    with (
        Puzzles(files, how, keep_going) as puzzles,
        open_output(output, force) as stream,
        closing((batches_with_progress if batches else display.entries)(puzzles, stream)) as items,
    ):
        certificates.require_a_pair_for_each(puzzles)

        def begun() -> Iterator[Entry | Batch]:
            for item in items:
                if isinstance(item, Entry):
                    certificates.begin(item)
                yield item

        lost: Answer = Counted(0, False, False, session.backend, 0.0)
        answered = answers_in_order(
            puzzles,
            session,
            jobs,
            begun(),
            here,
            question,
            lost=lost,
            entry_of=first_entry,
            parts=entries_of,
        )
        each = (
            (entry, found)
            for item, answer in answered
            for entry, found in zip(entries_of(item), answer if isinstance(answer, list) else [answer], strict=True)
        )
        for entry, found in each:
            if output_format == "json":
                stream.write(_json(entry, found, word_of))
            else:
                stream.write(f"{found.text}{by_word(word_of) if found.is_complete else ''}\n")
            stream.flush()
            if isinstance(found, ExactCount):
                exit_code = worst(exit_code, Exit.OK if found.is_complete else Exit.UNKNOWN)
            elif found.is_complete:
                claim = Claim(found.count)
                exit_code = worst(exit_code, certificates.write(entry, claim, found.grids, word_of=word_of))
            else:
                exit_code = worst(exit_code, Exit.UNKNOWN)
                certificates.refuse(entry, "not all solutions were found")
                if found.timed_out:
                    note(f"{entry.place}: the time limit passed; --exact counts without finding each solution")
        return worst(exit_code, puzzles.exit)


def _counted(
    puzzle: Puzzle,
    at_most: int | None,
    time_limit: float | None,
    session: Session,
    keep: bool = False,
    watch: Watch | None = None,
) -> Counted:
    found = Enumeration(session, puzzle, at_most, time_limit, watch)
    grids = tuple(result.grid for result in found if keep and result.grid)
    return Counted(found.count, found.is_complete, found.timed_out, found.backend, found.seconds, grids)


def _counted_together(
    batch: Batch, at_most: int | None, time_limit: float | None, session: Session, display: Display | None = None
) -> list[Counted]:
    # numpy, which other counts do without
    from ringdoku.services.batches import ARRAYS, counted

    def count(entry: Entry) -> Counted:
        return _counted(entry.puzzle, at_most, time_limit, session, watch=Watch(display, entry) if display else None)

    return counted(batch, session, Counted(1, True, False, ARRAYS, 0.0), count)


def _json(entry: Entry, found: Counted | ExactCount, word_of: str) -> str:
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
