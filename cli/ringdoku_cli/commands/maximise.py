"""`ringdoku maximise`: the best score of each puzzle, proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Annotated, TextIO

import typer

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.services import Session, bound
from ringdoku.services.certifying import claim_of_best
from ringdoku.text import Entry, ReadOptions
from ringdoku_cli import options
from ringdoku_cli.answering import (
    Answers,
    Elsewhere,
    Show,
    answer_all,
    answer_file,
    jobs_beside,
    later_puzzles,
    note_contradiction,
    note_deaths,
    noting_interrupts,
    require_a_file_for_each,
)
from ringdoku_cli.certificates import Certificates
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.following import Follower, open_log
from ringdoku_cli.inputs import Puzzles, files_of, weights_from
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import require_own_file
from ringdoku_cli.render import DRAWN, format_of, renderer
from ringdoku_cli.render.display import Display
from ringdoku_cli.render.text import render_bound, render_score
from ringdoku_cli.template import with_template


def maximise(
    sources: options.Sources = None,
    grid: Annotated[bool, typer.Option("--grid", help="Write the best grid under its score.")] = False,
    top: Annotated[
        int,
        typer.Option(
            "--top",
            min=1,
            metavar="K",
            help="The K best different grids, in order, each proved next. "
            f"With {options.RANK} in the name of --output, each has a file of its own.",
        ),
    ] = 1,
    bound_only: Annotated[
        bool,
        typer.Option("--bound-only", help="Print a bound on the score, proved by linear programming without search."),
    ] = False,
    weights: options.Weights = None,
    minimise: Annotated[bool, typer.Option("--minimise", "--minimize", help="Find the lowest score instead.")] = False,
    log: Annotated[
        str | None,
        typer.Option("--log", metavar="FILE", help="Write each new score and bound to FILE, as lines of JSON."),
    ] = None,
    template: options.Template = None,
    input_format: options.InputFormat = None,
    first_line: options.FirstLineIs = None,
    output_format: options.OutputFormat = None,
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
    output: options.AnswerFile = None,
    output_to: options.OutputTo = None,
    suffix: options.Suffix = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            rich_help_panel=options.COMMON,
            help="Let --output, --log and --certificate replace existing files.",
        ),
    ] = False,
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
    files = files_of(sources)
    output = answer_file(files, output, output_to, suffix)
    output_format = format_of(output_format, output, () if bound_only or template else DRAWN)
    if weights == "-" and "-" in files:
        raise UsageError("the puzzles and --weights cannot both come from standard input")
    if bound_only and (grid or top > 1 or log or output_format or certificate or backend != "auto"):
        raise UsageError(
            "--bound-only cannot go with --grid, --top, --log, --output-format, --certificate or --backend"
        )
    require_own_file("--log", log, *files, weights, output)
    certificates = Certificates(
        certificate, certificate_format, veripb, time_limit, force, *files, weights, output, log
    )
    if template and (bound_only or top > 1 or output_format in DRAWN):
        raise UsageError("--template cannot go with --bound-only or --top, nor with a drawing, a picture or JSON")
    sense = Sense.MINIMISE if minimise else Sense.MAXIMISE
    given = weights_from(weights, sense) if weights else None
    session = Session(backend, seed, jobs, cluster)
    jobs = jobs_beside(jobs, cluster, log=log, certificate=certificate)
    display = Display()

    @cache
    def objective_on(ruleset: Ruleset) -> Objective:
        return given or ring_weights(ruleset.board, sense)

    def show_on(stream: TextIO) -> Show:
        draws = grid or output_format in DRAWN
        name = output_format or ("pretty" if stream.isatty() and not template else "same")
        render = render_bound if bound_only else renderer(name, stream) if draws else render_score
        blank_line_before = later_puzzles() if top > 1 and not (draws and name in DRAWN) else lambda _: False

        def show(entry: Entry, result: Result) -> str:
            gap = "\n" if blank_line_before(entry) else ""
            return gap + render(entry, result, objective_on(entry.puzzle.ruleset))

        return with_template(template, show, session, time_limit, scored=True) if template else show

    how = ReadOptions(input_format, options.parse_box(box), rules=rules, ignore=ignore, first_line=first_line)
    with (
        Puzzles(files, how, keep_going) as puzzles,
        Answers(output, force, show_on) as answers,
        open_log(log, force) as log_stream,
    ):
        require_a_file_for_each(puzzles, output, output_format, several=top > 1)
        certificates.require_a_pair_for_each(puzzles)
        found: list[Result] = []
        certified: list[Exit] = []

        def ask(entry: Entry) -> Iterator[Result]:
            if not puzzles.fit(entry, given):
                return
            certificates.begin(entry)
            note_deaths(session, entry)
            objective = objective_on(entry.puzzle.ruleset)
            if bound_only:
                with noting_interrupts(entry):
                    yield from _bounded(entry.puzzle, objective, time_limit, session)
                return
            found.clear()
            for result in Follower(entry, display, log_stream).follow(
                lambda hear: session.best_solutions(entry.puzzle, top, objective, time_limit, hear)
            ):
                found.append(result)
                yield result
            if not certificates.wanted:
                return
            if claimed := claim_of_best(found, top, sense):
                certified.append(certificates.write(entry, *claimed, objective))
            else:
                certificates.refuse(entry, "not all is proved")

        def judge(entry: Entry, result: Result) -> Exit:
            if result.status is Status.INFEASIBLE:
                if min(objective_on(entry.puzzle.ruleset).weights) < 0:
                    # only then could −1 be a score
                    note(f"{entry.place}: no solution; -1 stands for that")
                note_contradiction(entry)
            if result.status.is_final or (result.bound is not None and bound_only):
                return Exit.OK
            note(f"{entry.place}: time limit: {_unproved(result, top)}")
            return Exit.UNKNOWN

        def question(entry: Entry) -> Callable[[Session], list[Result]]:
            if not puzzles.fit(entry, given):
                return _nothing
            objective = objective_on(entry.puzzle.ruleset)
            if bound_only:
                return partial(_bounded, entry.puzzle, objective, time_limit)
            return partial(_ranked, entry.puzzle, objective, top, time_limit)

        elsewhere = Elsewhere(session, jobs, question)
        return worst(answer_all(puzzles, answers, ask, judge, display.entries, elsewhere), *certified)


def _ranked(puzzle: Puzzle, objective: Objective, top: int, time_limit: float | None, session: Session) -> list[Result]:
    return list(session.best_solutions(puzzle, top, objective, time_limit))


def _bounded(puzzle: Puzzle, objective: Objective, time_limit: float | None, _: Session) -> list[Result]:
    try:
        proved = bound(puzzle, objective, time_limit)
    except TimeLimitError:
        return [Result(Status.UNKNOWN)]
    return [Result(Status.UNKNOWN, bound=proved.value) if proved else Result(Status.INFEASIBLE)]


def _nothing(_: Session) -> list[Result]:
    return []


def _unproved(result: Result, top: int) -> str:
    """What is proved and what is not, since standard output has the bare score."""
    best = "best" if result.rank == 1 else "next"
    found = "nothing was found" if result.score is None else f"{result.score} is not proved {best}"
    limit = "no bound was proved" if result.bound is None else f"the bound is {result.bound}"
    before = "" if top == 1 else f"{result.rank - 1} of {top} are proved, "
    return f"{before}{found}, {limit}"
