"""`ringdoku maximise`: the best score of each puzzle, proved."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import typer

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.services import Session, bound
from ringdoku.services.certifying import claim_of_best
from ringdoku.solvers.base import Progress as Known
from ringdoku.text import Entry
from ringdoku_cli import options
from ringdoku_cli.answering import Loop, Question, note_contradiction
from ringdoku_cli.certificates import Certificates
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import (
    RANK,
    Answers,
    Writer,
    begin_files_for,
    require_a_file_for_each,
    require_own_file,
    require_writable,
)
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import DRAWN, format_of, renderer
from ringdoku_cli.render.text import render_bound, render_score
from ringdoku_cli.template import with_template


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    grid: Annotated[bool, typer.Option("--grid", help="Write the best grid under its score.")] = False
    top: Annotated[
        int,
        typer.Option(
            "--top",
            min=1,
            metavar="K",
            help="The K best different grids, in order, each proved next. "
            f"With {RANK} in the name of --output, each has a file of its own.",
        ),
    ] = 1
    bound_only: Annotated[
        bool,
        typer.Option("--bound-only", help="Print a bound on the score, proved by linear programming without search."),
    ] = False
    log: Annotated[
        str | None,
        typer.Option("--log", metavar="FILE", help="Write each new score and bound to FILE, as lines of JSON."),
    ] = None
    template: options.Template = None
    output_format: options.OutputFormat = None

    def form(self, output: str | None, *searching: object) -> str | None:
        """The output format, None where it depends on the output; `searching` are what a bound alone does without.
        Raises `UsageError`."""
        form = format_of(self.output_format, output, () if self.bound_only or self.template else DRAWN)
        if self.bound_only and (self.grid or self.top > 1 or self.log or form or any(searching)):
            raise UsageError(
                "--bound-only cannot go with --grid, --top, --log, --output-format, --certificate or --backend"
            )
        if self.template and (self.bound_only or self.top > 1 or form in DRAWN):
            raise UsageError("--template cannot go with --bound-only or --top, nor with a drawing, a picture or JSON")
        return form


def maximise(
    inputs: options.Inputs,
    asked: Asked,
    scores: options.Scores,
    solver: options.Solver,
    certified: options.Certified,
    output: options.Output,
) -> Exit:
    """Find the best score of each puzzle, and prove it.

    The score is the sum of weight times digit over all cells. It is printed alone on a line; -1 means that the puzzle
    has no solution. --grid, drawings, pictures and JSON have the grid too. At the time limit the best
    score found is printed, with its bound on standard error, or `unknown`.

    --top prints K scores for each puzzle, or fewer if it has fewer solutions, and a blank line before the next
    puzzle. At the time limit a grid that is not proved to be the next best is left out.

    Exit status: 0 every answer is proved, also -1; 2 malformed input or usage; 3 at least one is not proved;
    130 interrupted.
    """
    form = asked.form(output.output, certified.certificate, solver.backend != "auto")
    begin_files_for(inputs.files, output.output)
    inputs.require_one_standard_input(scores.weights)
    others = (*inputs.files, scores.weights, output.output)
    require_own_file("--log", asked.log, *others)
    certificates = Certificates(certified, solver.time_limit, output.force, *others, asked.log)
    session = solver.session()
    alone = solver.require_alone(log=asked.log, certificate=certificates.wanted)

    def writer_on(stream: TextIO) -> Writer:
        show = _writer(asked, form, scores, stream)
        return with_template(asked.template, show, session, solver.time_limit, scored=True) if asked.template else show

    def write(question: Question[Result], results: Iterable[Result]) -> Exit:
        exit_code, found, number, entry = Exit.OK, list[Result](), question.number, question.entry
        for result in results:
            found.append(result)
            if result.rank == 1 or result.status.is_final:
                drawn = form in DRAWN or (form is None and asked.grid and answers.stream.isatty())
                begins = asked.top > 1 and result.rank == 1 and not drawn
                answers.write(number, entry, result, result.rank, blank_line=begins)
            exit_code = worst(exit_code, _noted(entry, result, asked, scores))
        if claimed := claim_of_best(found, asked.top, scores.sense) if certificates.wanted else None:
            return worst(exit_code, certificates.write(number, entry, *claimed, scores.on(entry.puzzle.board)))
        certificates.refuse(entry, "not all is proved")
        return exit_code

    with inputs.puzzles() as puzzles, output.answers(writer_on) as answers, _open_log(asked.log, output.force) as log:
        require_a_file_for_each(puzzles, output.output, form, several=asked.top > 1)
        certificates.require_a_pair_for_each(puzzles)

        questions = _questions(puzzles, asked, scores, solver.time_limit, answers, certificates, log)
        return Loop(session, answers.stream, Result(Status.UNKNOWN), alone).run(puzzles, questions, write)


def _questions(
    puzzles: Puzzles,
    asked: Asked,
    scores: options.Scores,
    time_limit: float | None,
    answers: Answers,
    certificates: Certificates,
    log: TextIO | None,
) -> Iterator[Question[Result]]:
    for number, entry in enumerate(puzzles, 1):
        answers.begin(number, entry)
        if puzzles.fit(entry, scores.given):
            certificates.begin(number, entry)
            ask = _bounded if asked.bound_only else partial(_ranked, asked.top, Log(entry, log).write if log else None)
            objective = scores.on(entry.puzzle.board)
            yield Question(number, entry, partial(ask, entry.puzzle, objective, time_limit))


def _writer(asked: Asked, form: str | None, scores: options.Scores, stream: TextIO) -> Writer:
    draws = asked.grid or form in DRAWN
    name = form or ("pretty" if stream.isatty() and not asked.template else "same")
    render = render_bound if asked.bound_only else renderer(name, stream) if draws else render_score
    return lambda entry, result: render(entry, result, scores.on(entry.puzzle.board))


Tell = Callable[[int | None, int | None, Status | None], None]
"""Gets a score, a bound, and the status where it is known."""


def _ranked(
    top: int,
    log: Tell | None,
    puzzle: Puzzle,
    objective: Objective,
    time_limit: float | None,
    session: Session,
    progress: Progress,
) -> Iterator[Result]:
    def hear(known: Known) -> None:
        progress.hear(in_words(known))
        if log:
            log(known.score, known.bound, None)

    progress.hear(in_words(None))
    for result in session.best_solutions(puzzle, top, objective, time_limit, hear):
        if log:
            log(result.score, result.bound, result.status)
        yield result
        progress.hear(in_words(None))


def _bounded(
    puzzle: Puzzle, objective: Objective, time_limit: float | None, _session: Session, _progress: Progress
) -> list[Result]:
    try:
        proved = bound(puzzle, objective, time_limit)
    except TimeLimitError:
        return [Result(Status.UNKNOWN)]
    return [Result(Status.UNKNOWN, bound=proved.value) if proved else Result(Status.INFEASIBLE)]


def in_words(known: Known | None) -> str:
    """Score, bound and gap."""
    score, limit = (None, None) if known is None else (known.score, known.bound)
    parts = ["no solution yet" if score is None else f"score {score}"]
    parts.append("no bound yet" if limit is None else f"bound {limit}")
    if score is not None and limit is not None:
        parts.append(f"gap {abs(limit - score)}")
    return ", ".join(parts)


@contextmanager
def _open_log(path: str | None, force: bool) -> Iterator[TextIO | None]:
    """A stream that writes each line at once to a file that exists from the start; None for no path.

    Raises `UsageError` when FILE exists and `force` is false, or cannot be written.
    """
    if path is None:
        yield None
        return
    require_writable(path, force)
    try:
        stream = Path(path).open("w", encoding="utf-8", newline="\n", buffering=1)  # noqa: SIM115  it is closed below
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    with stream:
        yield stream


@dataclass
class Log:
    """Writes the lines of a puzzle, one whenever something is new."""

    entry: Entry
    stream: TextIO
    start: float = field(default_factory=time.monotonic)
    last: tuple[int | None, int | None, Status | None] | None = None

    def write(self, score: int | None, bound: int | None, status: Status | None) -> None:
        if self.last == (score, bound, status):
            return
        self.last = score, bound, status
        record = {
            "seconds": round(time.monotonic() - self.start, 6),
            "place": str(self.entry.place),
            "score": score,
            "bound": bound,
            "status": status and status.value,
        }
        self.stream.write(json.dumps(record) + "\n")


def _noted(entry: Entry, result: Result, asked: Asked, scores: options.Scores) -> Exit:
    """Says on standard error what is proved and what is not, since standard output has the bare score."""
    if result.status is Status.INFEASIBLE:
        if min(scores.on(entry.puzzle.board).weights) < 0:
            # only then could −1 be a score
            note(f"{entry.place}: no solution; -1 stands for that")
        note_contradiction(entry)
    if result.status.is_final or (result.bound is not None and asked.bound_only):
        return Exit.OK
    best = "best" if result.rank == 1 else "next"
    found = "nothing was found" if result.score is None else f"{result.score} is not proved {best}"
    limit = "no bound was proved" if result.bound is None else f"the bound is {result.bound}"
    before = "" if asked.top == 1 else f"{result.rank - 1} of {asked.top} are proved, "
    note(f"{entry.place}: time limit: {before}{found}, {limit}")
    return Exit.UNKNOWN
