"""`ringdoku solve`: one solution of each puzzle, all, or some at random."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TextIO

from ringdoku import Claim, Grid, Puzzle, Result, Session, Status
from ringdoku.domain import counted, refuse
from ringdoku.services.lines import solve_lines
from ringdoku.text import Entry
from ringdoku_cli.answering import Job, Progress, enumerated, note_contradiction, note_second_solution
from ringdoku_cli.certificates import Certified, Claimed
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.options import FORMATS_HELP, AtMost, Inputs, Output, Solver, Template, choice, option
from ringdoku_cli.outputs import Writer
from ringdoku_cli.render import COMPETITION, DRAWN, OUTPUT_FORMATS, Text, format_of, renderer, with_template

FORMATS = (*OUTPUT_FORMATS, COMPETITION)
SAMPLE_HELP = "N solutions at random, each from all with equal chances; if many, by: pip install 'ringdoku\\[count]'."
NONE_HELP = "What to print where there is no solution, such as -1; it is then an answer, with the exit status 0."
FORMAT_HELP = f"{FORMATS_HELP} competition: lines of the SAT Competition for one puzzle; exit status 10, 20 or 0."


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    all: Annotated[bool, option("--all", "Print every solution once, as it is found, instead of any one.")] = False
    at_most: AtMost = None
    sample: Annotated[int | None, option("--sample N", SAMPLE_HELP, min=1)] = None
    none: Annotated[str | None, option("--none WORD", NONE_HELP)] = None
    template: Template = None
    output_format: Annotated[str | None, choice("--output-format", FORMATS, FORMAT_HELP)] = None

    @property
    def several(self) -> bool:
        """Whether a puzzle may have several answers."""
        return self.all or self.sample is not None

    def form(self, output: str | None, certificate: str | None, backend: str) -> str | None:
        """The output format, None where the output decides. Raises `UsageError`."""
        form = format_of(self.output_format, output, () if self.template else DRAWN)
        flag = "--sample" if self.sample else "--all"
        drawn = form in (COMPETITION, *DRAWN)
        refuse(self.template and drawn, "--template cannot go with a drawing, a picture, JSON or competition")
        refuse(self.none is not None and drawn, "--none cannot go with a drawing, a picture, JSON or competition")
        refuse(self.at_most and not self.all, "--at-most goes with --all")
        refuse(self.sample and (self.all or backend != "auto"), "--sample goes with none of --all and --backend")
        refuse(self.several and form == COMPETITION, f"{flag} cannot go with --output-format competition")
        refuse(self.several and certificate, f"{flag} cannot go with --certificate; count has it too")
        return form


def solve(inputs: Inputs, asked: Asked, solver: Solver, certified: Certified, output: Output) -> Exit:
    """It prints any one where there are several, `no solution` where there is none, and `unknown` at the time limit.
    With a program of your own (--backend cmd:PROGRAM), it prints `no solution, by the word of PROGRAM`, unless the
    program writes a DRAT proof to the file {proof} of its command line, which is checked.

    --all and --sample print a blank line between the solutions of one puzzle and those of the next. --sample draws each
    solution anew, so one may come again; of more than 50,000 it draws by the counts of the model counter Ganak.

    Exit status: 0 all solved, 1 at least one has no solution (0 with --none), 2 malformed input or usage, 3 at least
    one unknown, or with --all a puzzle has more solutions than were printed, or may have; 130 interrupted.
    """
    every, none, template, limit = asked.several, asked.none, asked.template, solver.time_limit
    form = asked.form(output.output, certified.certificate, solver.backend)
    # with a solution, without one, and where it is unknown
    exits, one = (Exit.OK, Exit.NEGATIVE, Exit.UNKNOWN), ""
    if form == COMPETITION:
        exits = (Exit.SATISFIABLE, Exit.UNSATISFIABLE, Exit.OK)
        one = "--output-format competition is for one"
    certified.check(*inputs.files, output.output)
    session = solver.session()

    def writer_on(stream: TextIO) -> Writer:
        if template:
            return with_template(template, Text(form or "same", none=none), session, limit)
        name = form or ("pretty" if stream.isatty() and none is None else "same")
        return renderer(name, stream, groups=every) if none is None else Text(name, every, none)

    plain = form in (None, "same", "line") and none is None and not template and not certified.certificate
    return Job(
        session,
        lambda entry: partial(_found, entry.puzzle, asked, limit, solver.seed),
        writer_on,
        partial(_exit_of, exits, asked),
        lost=Result(Status.UNKNOWN),
        alone=solver.alone(all=asked.all, sample=asked.sample),
        certified=certified,
        time_limit=solver.time_limit,
        claim=_claim,
        lines=partial(solve_lines, limit) if plain else None,
    ).run(inputs, output, form, every, one=one)


def _exit_of(exits: Sequence[Exit], asked: Asked, entry: Entry, result: Result) -> Exit:
    """Says on standard error what standard output does not have."""
    found, negative, unknown = exits
    if result.status is Status.INFEASIBLE:
        note_contradiction(entry)
        # who says what to print for it counts it as an answer, as judges do
        return negative if asked.none is None else Exit.OK
    if not asked.several:
        note_second_solution(entry, result)
    elif asked.all and result.grid is None:
        note(f"{entry.place}: at least {counted(result.rank - 1, 'solution')}")
    return found if result.grid else unknown


def _claim(_: Entry, results: list[Result]) -> Claimed | str:
    (result,) = results
    if result.status is Status.INFEASIBLE:
        return Claimed(Claim(0), word_of=result.word_of)
    return "a solution was found" if result.grid else "it is unknown if there is one"


def _found(
    puzzle: Puzzle, asked: Asked, time_limit: float | None, seed: int, session: Session, progress: Progress
) -> Iterator[Result]:
    """Any solution, or all, and last a result of another status if there is none, or if there may be more."""
    start, drawn = time.perf_counter(), list[Grid]()
    if asked.sample:
        progress.latest = "sampling"
        from ringdoku import sample_solutions

        drawn = sample_solutions(puzzle, asked.sample, time_limit, seed)
    seconds = time.perf_counter() - start
    for rank, grid in enumerate(drawn, 1):
        yield Result(Status.SATISFIABLE, grid, backend="sampling", seconds=seconds, rank=rank, ground="the grid")
    if not drawn and not asked.all:
        yield session.solve(puzzle, time_limit)
    for result in enumerated(session, puzzle, asked.at_most, time_limit, progress, grids=True) if asked.all else ():
        if result.rank == 1 or result.status is not Status.INFEASIBLE:
            yield result
