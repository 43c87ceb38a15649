"""`ringdoku solve`: one solution of each puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TextIO

from ringdoku.domain.errors import UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.proofs.model import Claim
from ringdoku.services import Session
from ringdoku.services.lines import Lines, solve_lines
from ringdoku.text import Entry
from ringdoku_cli import options
from ringdoku_cli.answering import Enumeration, Job, note_contradiction, note_second_solution
from ringdoku_cli.certificates import Certificates, Claimed
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import Writer
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import COMPETITION, DRAWN, OUTPUT_FORMATS, format_of, renderer
from ringdoku_cli.template import with_template

EXIT_OF = {Status.SATISFIABLE: Exit.OK, Status.INFEASIBLE: Exit.NEGATIVE, Status.UNKNOWN: Exit.UNKNOWN}
COMPETITION_EXIT_OF = {
    Status.SATISFIABLE: Exit.SATISFIABLE,
    Status.INFEASIBLE: Exit.UNSATISFIABLE,
    Status.UNKNOWN: Exit.OK,
}
FORMATS_HELP = (
    f"{options.FORMATS_HELP} competition has the c, s and v lines of the SAT Competition for one puzzle, and the exit "
    "status 10, 20, or 0."
)


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    every: Annotated[
        bool, options.option("--all", "Print every solution once, as it is found, instead of any one.")
    ] = False
    at_most: options.AtMost = None
    template: options.Template = None
    output_format: Annotated[
        str | None, options.choice("--output-format", "output format", (*OUTPUT_FORMATS, COMPETITION), FORMATS_HELP)
    ] = None

    def form(self, output: str | None) -> str | None:
        """The output format, None where it depends on the output. Raises `UsageError`."""
        form = format_of(self.output_format, output, () if self.template else DRAWN)
        if self.template and (form == COMPETITION or form in DRAWN):
            raise UsageError("--template cannot go with a drawing, a picture, JSON or competition")
        if self.at_most and not self.every:
            raise UsageError("--at-most goes with --all")
        if self.every and form == COMPETITION:
            raise UsageError("--all cannot go with --output-format competition")
        return form


def solve(
    inputs: options.Inputs,
    asked: Asked,
    solver: options.Solver,
    certified: options.Certified,
    output: options.Output,
) -> Exit:
    """Find one solution of each puzzle.

    It prints any one where there are several, `no solution` where there is none, and `unknown` at the time limit. With
    a program of your own (--backend cmd:PROGRAM), it prints `no solution, by the word of PROGRAM`, unless the program
    writes a DRAT proof to the file {proof} of its command line, which is checked.

    --all prints a blank line between the solutions of one puzzle and those of the next.

    Exit status: 0 all solved, 1 at least one has no solution, 2 malformed input or usage, 3 at least one unknown, or
    with --all a puzzle has more solutions than were printed, or may have; 130 interrupted.
    """
    form = asked.form(output.output)
    certificates = Certificates(certified, solver.time_limit, output.force, *inputs.files, output.output)
    if asked.every and certificates.name:
        raise UsageError("--all cannot go with --certificate; count has it too")
    session, limit = solver.session(), solver.time_limit

    def ask(entry: Entry) -> partial[Iterator[Result]]:
        return partial(_all if asked.every else _one, entry.puzzle, asked.at_most, limit)

    def writer_on(stream: TextIO) -> Writer:
        if asked.template:
            return with_template(asked.template, renderer(form or "same", stream), session, limit)
        return renderer(form or ("pretty" if stream.isatty() else "same"), stream, groups=asked.every)

    def exit_of(entry: Entry, result: Result) -> Exit:
        if result.status is Status.INFEASIBLE:
            note_contradiction(entry)
        elif not asked.every:
            note_second_solution(entry, result)
        elif result.status is Status.UNKNOWN:
            note(f"{entry.place}: at least {counted(result.rank - 1, 'solution')}")
        return (COMPETITION_EXIT_OF if for_one else EXIT_OF)[result.status]

    for_one = form == COMPETITION
    plain = form in (None, "same", "line") and not asked.template
    return Job(
        session,
        ask,
        writer_on,
        exit_of,
        lost=Result(Status.UNKNOWN),
        alone=solver.alone(all=asked.every),
        rank_of=shown_rank,
        certificates=certificates,
        claim=_claim,
        lines=partial(_lines, limit) if plain and not certificates.name else None,
    ).run(inputs, output, form, asked.every, one="--output-format competition is for one" if for_one else "")


def shown_rank(result: Result) -> int:
    """Where there are several answers, the last one is shown only if it is certain."""
    return result.rank if result.rank == 1 or result.status.is_final else 0


def _claim(_: Entry, results: list[Result]) -> Claimed | str:
    (result,) = results
    if result.status is Status.INFEASIBLE:
        return Claimed(Claim(0), word_of=result.word_of)
    return "a solution was found" if result.grid else "it is unknown if there is one"


def _one(puzzle: Puzzle, _: int | None, time_limit: float | None, session: Session, __: Progress) -> Iterator[Result]:
    yield session.solve(puzzle, time_limit)


def _all(
    puzzle: Puzzle, at_most: int | None, time_limit: float | None, session: Session, progress: Progress
) -> Iterator[Result]:
    """The solutions, and last a result of another status if there is none, or if there may be more."""
    found = Enumeration(session, puzzle, at_most, time_limit, progress)
    yield from found
    if not found.is_complete:
        yield Result(Status.UNKNOWN, backend=found.backend, seconds=found.seconds, rank=found.count + 1)
    elif not found.count:
        yield Result(Status.INFEASIBLE, backend=found.backend, seconds=found.seconds, word_of=session.word_of)


def _lines(time_limit: float | None, lines: Lines, session: Session, _: Progress) -> Iterator[str | tuple[int, Result]]:
    return solve_lines(lines, time_limit, session)
