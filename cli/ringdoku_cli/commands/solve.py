"""`ringdoku solve`: one solution of each puzzle, all, or some at random."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import wrap
from typing import Annotated, TextIO

from ringdoku import Claim, Grid, Puzzle, Result, Session, Status
from ringdoku.domain import counted, refuse
from ringdoku.services.lines import solve_lines
from ringdoku.text import Entry
from ringdoku_cli.answering import Job, Progress, enumeration, note_contradiction, note_second_solution
from ringdoku_cli.certificates import Certificates, Claimed
from ringdoku_cli.exits import Exit, note, printable
from ringdoku_cli.options import FORMATS_HELP, AtMost, Inputs, Output, Solver, Template, choice, option
from ringdoku_cli.outputs import Writer
from ringdoku_cli.render import OUTPUT_FORMATS, SCORED_FORMATS, attribution, format_of, label, renderer, with_template

COMPETITION = "competition"
FORMATS = (*OUTPUT_FORMATS, COMPETITION)
SAMPLE_HELP = "N solutions at random, each from all with equal chances; if many, by: pip install 'ringdoku\\[count]'."
NONE_HELP = "What to print where there is no solution, such as -1; it is then an answer, with the exit status 0."
FORMAT_HELP = f"{FORMATS_HELP} competition: lines of the SAT Competition for one puzzle; exit status 10, 20 or 0."


@dataclass(frozen=True)
class Options:
    """Which solutions are printed, and how."""

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
        """The output format, None for the default. Raises `UsageError` for options that contradict each other."""
        form = format_of(self.output_format, output, () if self.template else OUTPUT_FORMATS)
        flag = "--sample" if self.sample else "--all"
        drawn = form in (COMPETITION, *SCORED_FORMATS)
        refuse(self.template and drawn, "--template cannot go with a drawing, a picture, JSON or competition")
        refuse(self.none is not None and drawn, "--none cannot go with a drawing, a picture, JSON or competition")
        refuse(self.at_most and not self.all, "--at-most goes with --all")
        refuse(self.sample and (self.all or backend != "auto"), "--sample goes with none of --all and --backend")
        refuse(self.several and form == COMPETITION, f"{flag} cannot go with --output-format competition")
        refuse(self.several and certificate, f"{flag} cannot go with --certificate; count has it too")
        return form


def solve(inputs: Inputs, options: Options, solver: Solver, certificates: Certificates, output: Output) -> Exit:
    """It prints any one where there are several, `no solution` where there is none, and `unknown` at the time limit.
    With a program of your own (--backend cmd:PROGRAM), it prints `no solution, by the word of PROGRAM`, unless the
    program writes a DRAT proof to the file {proof} of its command line, which is checked.

    --all and --sample print a blank line between the solutions of one puzzle and those of the next. --sample draws each
    solution anew, so one may come again; of more than 50,000 it draws by the counts of the model counter Ganak.

    Exit status: 0 all solved, 1 at least one has no solution (0 with --none), 2 malformed input or usage, 3 at least
    one unknown, or with --all a puzzle has more solutions than were printed, or may have; 130 interrupted.
    """
    several, none, template, limit = options.several, options.none, options.template, solver.time_limit
    form = options.form(output.output, certificates.certificate, solver.backend)
    # for a puzzle with a solution, without one, and unknown
    exits, require_one, limits = (Exit.OK, Exit.NEGATIVE, Exit.UNKNOWN), "", set[Exit]()
    if form == COMPETITION:
        exits = (Exit.SATISFIABLE, Exit.UNSATISFIABLE, Exit.OK)
        require_one = "--output-format competition is for one"
    certificates.check(*inputs.files, output.output)
    session = solver.session(all=options.all, sample=options.sample)

    def writer_on(stream: TextIO) -> Writer:
        if form == COMPETITION:
            return _competition_lines
        if template:
            return with_template(template, renderer(form or "same", stream, none=none), session, limit, limits)
        return renderer(form or ("pretty" if stream.isatty() and none is None else "same"), stream, several, none)

    plain = form in (None, "same", "line") and none is None and not (template or several or certificates.certificate)
    return Job(
        session,
        query_of=lambda entry: partial(_solutions, entry.puzzle, options, limit, solver.seed),
        writer_on=writer_on,
        exit_of=partial(_exit_of, exits, options),
        unknown=Result(Status.UNKNOWN),
        limits=limits,
        certificates=certificates,
        time_limit=solver.time_limit,
        claim=_claim,
        answer_lines=partial(solve_lines, limit) if plain else None,
    ).run(inputs, output, form, several, require_one=require_one)


def _exit_of(exits: Sequence[Exit], options: Options, entry: Entry, result: Result) -> Exit:
    """The exit code of a result. Prints on standard error what standard output leaves out."""
    found, negative, unknown = exits
    if result.status is Status.INFEASIBLE:
        is_first, word = result.rank == 1, attribution(result.word_of)
        if word and (not is_first or options.none is not None or options.template):
            note(f"{entry.place}: no {'' if is_first else 'further '}solution{word}")
        if not is_first:
            return found
        note_contradiction(entry)
        # with --none it counts as an answer, as judges see it
        return negative if options.none is None else Exit.OK
    if not options.several:
        note_second_solution(entry, result)
    elif options.all and result.grid is None:
        note(f"{entry.place}: at least {counted(result.rank - 1, 'solution')}")
    return found if result.grid else unknown


def _claim(_: Entry, results: list[Result]) -> Claimed | str:
    (result,) = results
    if result.status is Status.INFEASIBLE:
        return Claim(0), (), None
    return "a solution was found" if result.grid else "it is unknown if there is one"


def _solutions(
    puzzle: Puzzle, options: Options, limit: float | None, seed: int, session: Session, progress: Progress
) -> Iterator[Result]:
    """One solution, a sample or all, as results; the last has no grid if there is no solution, or may be one more."""
    start, drawn = time.perf_counter(), list[Grid]()
    if options.sample:
        progress.latest = "sampling"
        from ringdoku import sample_solutions

        drawn = sample_solutions(puzzle, options.sample, limit, seed)
    seconds = time.perf_counter() - start
    for rank, grid in enumerate(drawn, 1):
        yield Result(Status.SATISFIABLE, grid, backend="sampling", seconds=seconds, rank=rank, ground="the grid")
    if not drawn and not options.all:
        yield session.solve(puzzle, limit)
    if options.all:
        yield from enumeration(session, puzzle, options.at_most, limit, progress, grids=True)


def _competition_lines(entry: Entry, result: Result) -> str:
    """The `c`, `s` and `v` lines. Variable cell·n + k, cells from 0, k from 1: the cell has the k-th digit."""
    board = entry.puzzle.board
    n, from_one = board.order, 1 - board.least
    digit = f"digit {'+' if from_one > 0 else '-'} {abs(from_one)}" if from_one else "digit"
    answer = {Status.SATISFIABLE: "SATISFIABLE", Status.INFEASIBLE: "UNSATISFIABLE"}.get(result.status, "UNKNOWN")
    lines = [
        f"c {label(entry)}",
        f"c backend {result.backend}, {result.seconds:.6f} s",
        "c a variable is true when its cell holds its digit; row and column are from 0",
        f"c variable = (row*{board.columns} + column)*{n} + {digit}",
    ]
    if result.word_of:
        lines.append(f"c no proof was checked: the answer is the word of {printable(result.word_of)}")
    lines.append(f"s {answer}")
    if result.grid is not None:
        held = {cell * n + board.digits.index(digit) + 1 for cell, digit in enumerate(result.grid.digits)}
        literals = [var if var in held else -var for var in range(1, n * len(result.grid.digits) + 1)]
        lines += wrap(" ".join(map(str, [*literals, 0])), 78, initial_indent="v ", subsequent_indent="v ")
    return "".join(f"{line}\n" for line in lines)
