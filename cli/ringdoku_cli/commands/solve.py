"""`ringdoku solve`: one solution of each puzzle."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.proofs.claims import Claim
from ringdoku.services import Session
from ringdoku.text import Batch, Entry, ReadOptions
from ringdoku_cli import options
from ringdoku_cli.answering import (
    Answered,
    Answers,
    Displayed,
    Elsewhere,
    Show,
    answer_all,
    answer_file,
    jobs_beside,
    later_puzzles,
    leaves_time_for_batches,
    note_contradiction,
    note_deaths,
    note_second_solution,
    noting_interrupts,
    require_a_file_for_each,
)
from ringdoku_cli.certificates import Certificates
from ringdoku_cli.enumerating import Enumeration, Watch
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output, require_own_file, require_writable
from ringdoku_cli.progress import batches_with_progress, with_progress
from ringdoku_cli.render import DRAWN, Renderer, format_of, renderer
from ringdoku_cli.render.display import Display
from ringdoku_cli.template import with_template

if TYPE_CHECKING:
    from ringdoku.services.batches import BatchAnswer

EXIT_OF = {Status.SATISFIABLE: Exit.OK, Status.INFEASIBLE: Exit.NEGATIVE, Status.UNKNOWN: Exit.UNKNOWN}
COMPETITION_EXIT_OF = {
    Status.SATISFIABLE: Exit.SATISFIABLE,
    Status.INFEASIBLE: Exit.UNSATISFIABLE,
    Status.UNKNOWN: Exit.OK,
}


def solve(
    sources: options.Sources = None,
    every: Annotated[
        bool, typer.Option("--all", help="Print every solution once, as it is found, instead of any one.")
    ] = False,
    at_most: options.AtMost = None,
    competition: Annotated[
        bool,
        typer.Option(
            "--competition", help="SAT Competition output for one puzzle: c, s and v lines; exit 10, 20, or 0."
        ),
    ] = False,
    proof: Annotated[
        str | None,
        typer.Option(
            "--proof",
            metavar="FILE",
            help="For one puzzle without a solution: write a checked DRAT proof of that, for the formula that "
            "`ringdoku export --to cnf --no-presolve` writes.",
        ),
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
    force: options.Force = False,
) -> Exit:
    """Find one solution of each puzzle.

    It prints any one where there are several, `no solution` where there is none, and `unknown` at the time limit. With
    a program of your own (--backend cmd:PROGRAM), it prints `no solution, by the word of PROGRAM`, unless the program
    writes a DRAT proof to the file {proof} of its command line, which is checked.

    --all prints a blank line between the solutions of one puzzle and those of the next.

    Exit status: 0 all solved, 1 at least one has no solution, 2 malformed input or usage, 3 at least one unknown, or
    with --all a puzzle has more solutions than were printed, or may have; 130 interrupted.
    """
    files = files_of(sources)
    output = answer_file(files, output, output_to, suffix)
    output_format = format_of(output_format, output, () if template or competition else DRAWN)
    require_own_file("--proof", proof, *files, output)
    if every and (competition or proof or certificate):
        raise UsageError("--all cannot go with --competition, --proof or --certificate; count has --certificate too")
    if template and (competition or output_format in DRAWN):
        raise UsageError("--template cannot go with --competition, nor with a drawing, a picture or JSON")
    if at_most and not every:
        raise UsageError("--at-most goes with --all")
    certificates = Certificates(certificate, certificate_format, veripb, time_limit, force, *files, output, proof)
    session = Session(backend, seed, jobs, cluster)
    jobs = jobs_beside(jobs, cluster, all=every, competition=competition, proof=proof, certificate=certificate)
    display = Display()

    def show_on(stream: TextIO) -> Show:
        if competition:
            return _competition_output
        name = output_format or ("pretty" if stream.isatty() else "same")
        if template:
            return with_template(template, renderer(output_format or "same", stream), session, time_limit)
        render = renderer(name, stream)
        return render if not every or name in DRAWN else _in_groups(render)

    how = ReadOptions(input_format, options.parse_box(box), rules=rules, ignore=ignore, first_line=first_line)
    with (
        Puzzles(files, how, keep_going) as puzzles,
        Answers(output, force, show_on) as answers,
    ):
        if competition and output_format:
            raise UsageError("--competition has an output format of its own; leave --output-format out")
        if proof:
            require_writable(proof, force)
        require_a_file_for_each(puzzles, output, output_format, several=every)
        certificates.require_a_pair_for_each(puzzles)
        exit_of = COMPETITION_EXIT_OF if competition else EXIT_OF

        def ask(item: Entry | Batch) -> Answered:
            if isinstance(item, Batch):
                with noting_interrupts(item.entry(0)):
                    return question(item)(session)
            entry = item
            certificates.begin(entry)
            note_deaths(session, entry)
            if every:
                found = Enumeration(session, entry.puzzle, at_most, time_limit, Watch(display, entry))
                return all_solutions(found, session.word_of)
            with noting_interrupts(entry):
                if proof is None:
                    return [session.solve(entry.puzzle, time_limit)]
                result = session.refute(entry.puzzle, time_limit)
            _write_proof(result, proof, force)
            return [result]

        def judge(entry: Entry, result: Result) -> Exit:
            if result.status is Status.INFEASIBLE:
                note_contradiction(entry)
                return worst(exit_of[result.status], certificates.write(entry, Claim(0), word_of=result.word_of))
            if certificates.wanted:
                certificates.refuse(entry, "a solution was found" if result.grid else "it is unknown if there is one")
            if not every:
                note_second_solution(entry, result)
            if result.status is Status.UNKNOWN and every:
                note(f"{entry.place}: at least {counted(result.rank - 1, 'solution')}")
            return exit_of[result.status]

        def question(item: Entry | Batch) -> Callable[[Session], list[Result] | BatchAnswer]:
            if isinstance(item, Entry):
                return partial(_solved, item.puzzle, time_limit)
            # numpy, which other answers do without
            from ringdoku.services.batches import solve_batch

            return partial(solve_batch, item, time_limit)

        lines = answers.takes_lines and output_format in (None, "same", "line") and not (template or certificate)
        displayed: Displayed = display.entries if every else only_one if competition or proof else with_progress
        if displayed is with_progress and lines and leaves_time_for_batches(time_limit):
            displayed = batches_with_progress
        return answer_all(puzzles, answers, ask, judge, displayed, Elsewhere(session, jobs, question))


def _solved(puzzle: Puzzle, time_limit: float | None, session: Session) -> list[Result]:
    return [session.solve(puzzle, time_limit)]


def all_solutions(found: Enumeration, word_of: str) -> Iterator[Result]:
    """The solutions, and last a result of another status if there is none, or if there may be more."""
    yield from found
    if not found.is_complete:
        yield Result(Status.UNKNOWN, backend=found.backend, seconds=found.seconds, rank=found.count + 1)
    elif not found.count:
        yield Result(Status.INFEASIBLE, backend=found.backend, seconds=found.seconds, word_of=word_of)


def _in_groups(render: Renderer) -> Show:
    """`render` with a blank line before the first answer to each puzzle but the first."""
    begins_later_puzzle = later_puzzles()

    def show(entry: Entry, result: Result) -> str:
        text = render(entry, result)
        # some layouts have a blank line before every grid
        return f"\n{text}" if begins_later_puzzle(entry) and not text.startswith("\n") else text

    return show


def only_one(puzzles: Puzzles, _: TextIO) -> Generator[Entry, None, None]:
    """The one puzzle of the input; raises `UsageError` when there are more."""
    entries = list(islice(puzzles, 2))
    if len(entries) != 1:
        found = "more" if entries else "none"
        raise UsageError(f"--competition and --proof answer one puzzle; the input holds {found}")
    yield from entries


def _competition_output(entry: Entry, result: Result) -> str:
    from ringdoku_cli.render.competition import competition_lines

    return "".join(competition_lines(entry, result))


def _write_proof(result: Result, path: str, force: bool) -> None:
    if result.status is not Status.INFEASIBLE:
        note(f"no proof was written: {'a solution was found' if result.grid else 'the time limit was reached'}")
        return
    with open_output(path, force, useless_in_part=True) as stream:
        stream.writelines(f"{step}\n" for step in result.proof)
