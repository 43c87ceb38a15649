"""`ringdoku solve`: one solution of each puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TextIO

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.proofs.claims import Claim
from ringdoku.services import Session
from ringdoku.services.lines import Lines, SolvedLines, solve_lines
from ringdoku.text import Entry
from ringdoku_cli import options
from ringdoku_cli.answering import Enumeration, Loop, Question, note_contradiction, note_second_solution
from ringdoku_cli.certificates import Certificates
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import Answers, Writer, begin_files_for, require_a_file_for_each
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import COMPETITION, DRAWN, OUTPUT_FORMATS, format_of, renderer
from ringdoku_cli.template import with_template

EXIT_OF = {Status.SATISFIABLE: Exit.OK, Status.INFEASIBLE: Exit.NEGATIVE, Status.UNKNOWN: Exit.UNKNOWN}
COMPETITION_EXIT_OF = {
    Status.SATISFIABLE: Exit.SATISFIABLE,
    Status.INFEASIBLE: Exit.UNSATISFIABLE,
    Status.UNKNOWN: Exit.OK,
}


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    every: Annotated[
        bool, typer.Option("--all", help="Print every solution once, as it is found, instead of any one.")
    ] = False
    at_most: options.AtMost = None
    template: options.Template = None
    output_format: Annotated[
        str | None,
        options.choice(
            "--output-format",
            "output format",
            (*OUTPUT_FORMATS, COMPETITION),
            options.FORMATS_HELP + " competition has the c, s and v lines of the SAT Competition for one puzzle, and "
            "the exit status 10, 20, or 0.",
        ),
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


@dataclass(frozen=True)
class Block(Question[Any]):
    """What is asked of many plain lines; their answers are written as a block."""

    lines: Lines


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
    begin_files_for(inputs.files, output.output)
    certificates = Certificates(certified, solver.time_limit, output.force, *inputs.files, output.output)
    if asked.every and certificates.wanted:
        raise UsageError("--all cannot go with --certificate; count has it too")
    session = solver.session()
    alone = solver.require_alone(all=asked.every, certificate=certificates.wanted)

    def writer_on(stream: TextIO) -> Writer:
        if asked.template:
            return with_template(asked.template, renderer(form or "same", stream), session, solver.time_limit)
        return renderer(form or ("pretty" if stream.isatty() else "same"), stream)

    with inputs.puzzles() as puzzles, output.answers(writer_on) as answers:
        if form == COMPETITION:
            puzzles.require_one("--output-format competition is for one")
        require_a_file_for_each(puzzles, output.output, form, several=asked.every)
        certificates.require_a_pair_for_each(puzzles)
        solving = Solving(asked, form, solver.time_limit, puzzles, answers, certificates)
        loop = Loop(session, answers.stream, Result(Status.UNKNOWN), alone)
        return loop.run(puzzles, solving.questions(not alone), solving.write)


@dataclass(frozen=True)
class Solving:
    """Asks the questions, and writes the answers."""

    asked: Asked
    form: str | None
    time_limit: float | None
    puzzles: Puzzles
    answers: Answers
    certificates: Certificates

    def questions(self, several: bool) -> Iterator[Question[Any]]:
        """`several`: more than one puzzle may be answered at a time."""
        asked, puzzles = self.asked, self.puzzles
        plain = several and self.answers.takes_lines and self.form in (None, "same", "line") and not asked.template
        if plain and (lines := puzzles.plain_lines()):
            for part in lines.parts():
                yield Block(part.first, puzzles.entry_of(part, 0), partial(_together, part, self.time_limit), part)
            return
        for number, entry in enumerate(puzzles, 1):
            self.answers.begin(number, entry)
            self.certificates.begin(number, entry)
            ask = partial(_all, entry.puzzle, asked.at_most) if asked.every else partial(_one, entry.puzzle)
            yield Question(number, entry, partial(ask, self.time_limit))

    def write(self, question: Question[Any], results: Iterable[Any]) -> Exit:
        """The answers to a question."""
        if isinstance(question, Block):
            (solved,) = results
            return self._write_block(question.lines, solved)
        exit_code = Exit.OK
        for result in results:
            exit_code = worst(exit_code, self._write_one(question, result))
        return exit_code

    def _write_one(self, question: Question[Any], result: Result) -> Exit:
        number, entry = question.number, question.entry
        if result.rank == 1 or result.status.is_final:
            drawn = self.form in DRAWN or (self.form is None and self.answers.stream.isatty())
            begins = self.asked.every and result.rank == 1 and not (self.asked.template or drawn)
            self.answers.write(number, entry, result, result.rank, blank_line=begins)
        exit_code = self._noted(entry, result)
        if result.status is Status.INFEASIBLE:
            return worst(exit_code, self.certificates.write(number, entry, Claim(0), word_of=result.word_of))
        self.certificates.refuse(entry, "a solution was found" if result.grid else "it is unknown if there is one")
        return exit_code

    def _write_block(self, lines: Lines, solved: SolvedLines | Result) -> Exit:
        """Plain lines; a result instead where their process died."""
        if isinstance(solved, Result):
            solved = SolvedLines(b"", tuple(enumerate([solved] * len(lines))))
        others = [(self.puzzles.entry_of(lines, index), result) for index, result in solved.others]
        self.answers.write_lines(solved, others)
        return worst(*[self._noted(entry, result) for entry, result in others])

    def _noted(self, entry: Entry, result: Result) -> Exit:
        """The exit code; says on standard error what standard output does not have."""
        if result.status is Status.INFEASIBLE:
            note_contradiction(entry)
        elif not self.asked.every:
            note_second_solution(entry, result)
        elif result.status is Status.UNKNOWN:
            note(f"{entry.place}: at least {counted(result.rank - 1, 'solution')}")
        return (COMPETITION_EXIT_OF if self.form == COMPETITION else EXIT_OF)[result.status]


def _together(lines: Lines, time_limit: float | None, session: Session, _: Progress) -> list[SolvedLines]:
    return [solve_lines(lines, time_limit, session)]


def _one(puzzle: Puzzle, time_limit: float | None, session: Session, _: Progress) -> list[Result]:
    return [session.solve(puzzle, time_limit)]


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
