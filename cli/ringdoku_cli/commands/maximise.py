"""`ringdoku maximise`: the best score of each puzzle, proved."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TextIO

from ringdoku import Objective, Result, Session, Status
from ringdoku.domain import refuse
from ringdoku.limits import Deadline
from ringdoku.proofs.claim import claim_of_best
from ringdoku.solvers.registry import Progress as Incumbent
from ringdoku.text import Entry
from ringdoku.text.stated import BY_THE_WORD_OF
from ringdoku_cli.answering import Job, Progress, note_contradiction
from ringdoku_cli.certificates import Certificates, Claimed
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.options import Inputs, Output, OutputFormat, Scores, Solver, Template, option
from ringdoku_cli.outputs import RANK, Writer, require_own_file, require_writable
from ringdoku_cli.render import OUTPUT_FORMATS, SCORED_FORMATS, format_of, render_bound, renderer, with_template

TOP_HELP = f"The K best different grids, in order, each proved next; with {RANK} in FILE, each in one of its own."
FIRST_HELP = "Write of all best grids the first one: the least first row, and so on; proved."
SURE_HELP = "Never end on the word of CP-SAT, which writes no proof: SAT solvers prove it too. May take long."
BOUND_HELP = "Print a bound on the score, proved by linear programming without search."


@dataclass(frozen=True)
class Options:
    """Which best grids or bounds are computed, and how they are printed."""

    grid: Annotated[bool, option("--grid", "Write the best grid under its score.")] = False
    first: Annotated[bool, option("--first", FIRST_HELP)] = False
    top: Annotated[int, option("--top K", TOP_HELP, min=1)] = 1
    sure: Annotated[bool, option("--sure", SURE_HELP)] = False
    bound_only: Annotated[bool, option("--bound-only", BOUND_HELP)] = False
    log: Annotated[str | None, option("--log FILE", "Write each new score and bound to FILE, as lines of JSON.")] = None
    template: Template = None
    output_format: OutputFormat = None

    def form(self, output: str | None, *search_options: object) -> str | None:
        """The output format, None for the default. Raises `UsageError` for options that contradict each other."""
        names = OUTPUT_FORMATS if self.grid or self.first else SCORED_FORMATS
        form = format_of(self.output_format, output, () if self.bound_only or self.template else names)
        searches = any((self.grid, self.first, self.top > 1, self.sure, self.log, form, *search_options))
        others = "--grid, --first, --top, --sure, --log, --output-format, --certificate or --backend"
        refuse(self.bound_only and searches, f"--bound-only cannot go with {others}")
        refuse(self.first and self.top > 1, "--first is one grid; leave --top out")
        has_score, has_grid = form in SCORED_FORMATS, self.grid or self.first
        refuse(form and not (has_score or has_grid), f"--output-format {form} goes with --grid")
        conflicts = self.bound_only or self.top > 1 or has_score
        others = "--bound-only or --top, nor with a drawing, a picture or JSON"
        refuse(self.template and conflicts, f"--template cannot go with {others}")
        return form


def maximise(
    inputs: Inputs, options: Options, scores: Scores, solver: Solver, certificates: Certificates, output: Output
) -> Exit:
    """The score is the sum of weight times digit over all cells. It is printed alone on a line; -1 means that the
    puzzle has no solution. --grid, drawings, pictures and JSON have the grid too. At the time limit the best score
    found is printed, with its bound on standard error, or `unknown`.

    --top prints K scores for each puzzle, or fewer if it has fewer solutions, and a blank line before the next
    puzzle. More grids may have the last score. A grid that is not proved to be next in the time limit is left out.

    Exit status: 0 every answer is proved, also -1, or rests on the word of a named program; 2 malformed input or
    usage; 3 at least one is not proved; 130 interrupted.
    """
    form = options.form(output.output, certificates.certificate, solver.backend != "auto")
    inputs.require_one_standard_input(*inputs.files, scores.weights)
    others = (*inputs.files, scores.weights, output.output)
    require_own_file("--log", options.log, *others)
    certificates.check(*others, options.log)
    refuse(options.sure and solver.backend != "auto", "--sure is a backend of its own; leave --backend out")
    solver = replace(solver, backend="lp-sat-sure") if options.sure else solver
    session, limit, several = solver.session(log=options.log), solver.time_limit, options.top > 1
    limits = set[Exit]()
    query: Callable[..., Iterator[Result]] = _bound_result if options.bound_only else _ranked_results

    def writer_on(stream: TextIO) -> Writer:
        render: Writer = render_bound if options.bound_only else renderer(None, stream, several)
        if options.grid or options.first or form in SCORED_FORMATS:
            name = form or ("pretty" if stream.isatty() and not options.template else "same")
            render = renderer(name, stream, several, objective_of=scores.objective_of)
        template = options.template
        return with_template(template, render, session, limit, limits, scored=True) if template else render

    if options.log:
        require_writable(options.log, output.force)
    # line-buffered
    with Path(options.log).open("w", 1, "utf-8", newline="\n") if options.log else nullcontext() as log:
        return Job(
            session,
            query_of=lambda entry: partial(query, entry, scores.objective_of(entry), limit, options, log),
            writer_on=writer_on,
            exit_of=partial(_exit_of, options, scores),
            unknown=Result(Status.UNKNOWN),
            limits=limits,
            certificates=certificates,
            time_limit=solver.time_limit,
            claim=partial(_claim, options, scores),
        ).run(inputs, output, form, several)


def _claim(options: Options, scores: Scores, entry: Entry, results: list[Result]) -> Claimed | str:
    if found := claim_of_best(results, options.top, scores.sense):
        return *found, scores.objective_of(entry)
    return "not all is proved"


def _ranked_results(
    entry: Entry,
    objective: Objective,
    time_limit: float | None,
    options: Options,
    log: TextIO | None,
    session: Session,
    progress: Progress,
) -> Iterator[Result]:
    """Yield the best grids in order, and log each new score and bound."""
    start, last = time.monotonic(), dict[str, Any]()

    def log_new(incumbent: Incumbent | Result, status: str | None = None) -> None:
        nonlocal last
        new = {"score": incumbent.score, "bound": incumbent.bound, "status": status}
        if log and new != last:
            seconds = round(time.monotonic() - start, 6)
            log.write(json.dumps({"seconds": seconds, "place": str(entry.place), **new}) + "\n")
            last = new

    def on_progress(incumbent: Incumbent) -> None:
        progress.latest = in_words(incumbent)
        log_new(incumbent)

    progress.latest = in_words(None)
    puzzle, args = entry.puzzle, (objective, time_limit, on_progress)
    found = [session.first_best(puzzle, *args)] if options.first else session.best_solutions(puzzle, options.top, *args)
    for result in found:
        log_new(result, result.status.value)
        yield result
        progress.latest = in_words(None)


def _bound_result(entry: Entry, objective: Objective, time_limit: float | None, *_: object) -> Iterator[Result]:
    from ringdoku import bound

    deadline, proved = Deadline.asked(time_limit), bound(entry.puzzle, objective, time_limit)
    status = Status.UNKNOWN if deadline.expired else Status.OPTIMAL
    yield Result(status, bound=proved.value) if proved else Result(Status.INFEASIBLE)


def in_words(incumbent: Incumbent | None) -> str:
    """Score, bound and gap as text."""
    score, bound = (incumbent.score, incumbent.bound) if incumbent else (None, None)
    best = "no solution yet" if score is None else f"score {score}"
    proved = "no bound yet" if bound is None else f"bound {bound}"
    gap = "" if score is None or bound is None else f", gap {abs(bound - score)}"
    return f"{best}, {proved}{gap}"


def _exit_of(options: Options, scores: Scores, entry: Entry, result: Result) -> Exit:
    """The exit code. Prints on standard error what is proved and what is not: standard output has only the score."""
    if result.status is Status.INFEASIBLE:
        if min(scores.objective_of(entry).weights) < 0:
            # only with negative weights could −1 also be a score
            note(f"{entry.place}: no solution; -1 stands for that")
        note_contradiction(entry)
    if result.word_of:
        note(f"{entry.place}: {-1 if result.score is None else result.score}{BY_THE_WORD_OF}{result.word_of}")
    if result.status.is_final:
        return Exit.OK
    best = "best" if result.rank == 1 else "next"
    found = "nothing was found" if result.score is None else f"{result.score} is not proved {best}"
    limit = "no bound was proved" if result.bound is None else f"the bound is {result.bound}"
    before = "" if options.top == 1 else f"{result.rank - 1} of {options.top} are proved, "
    message = f"{before}{found}, {limit}"
    if options.bound_only:
        message = limit if result.bound is None else "the bound is proved, and better ones may be"
    elif options.first and result.score is not None and result.score == result.bound:
        message = f"{result.score} is the best score, but the grid is not proved to be the first"
    note(f"{entry.place}: time limit: {message}")
    return Exit.UNKNOWN
