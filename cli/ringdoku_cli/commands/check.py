"""`ringdoku check`: whether a puzzle is well-formed or has one solution, and whether a grid is its solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Annotated, BinaryIO, NamedTuple

import typer

from ringdoku.domain.board import Board
from ringdoku.domain.checker import check as check_grid
from ringdoku.domain.checker import repeats, sentence
from ringdoku.domain.errors import InputError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.proofs.claims import Claim
from ringdoku.services import Session
from ringdoku.text import Batch, Entry, ReadOptions, StatedAnswer, pair, read_stated
from ringdoku_cli import options
from ringdoku_cli.answering import (
    Displayed,
    answers_in_order,
    jobs_beside,
    leaves_time_for_batches,
    note_more_than_one,
    noting_interrupts,
)
from ringdoku_cli.certificates import Certificates
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of, input_name, open_binary, weights_from
from ringdoku_cli.outputs import open_output
from ringdoku_cli.progress import batches_with_progress, with_progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.verdict import VERDICT_FORMATS, Absence, Best, Count, Verdict


class Asked(NamedTuple):
    """A puzzle with what is said of it, and the objective of its score."""

    entry: Entry
    answer: Grid | None
    stated: StatedAnswer | None
    objective: Objective


class Searched(NamedTuple):
    """What a solver said of a puzzle; `how_many` is None without --unique, `optimum` unknown without --best."""

    how_many: Count | None
    grids: list[Grid]
    optimum: Result


def check(
    sources: options.Sources = None,
    solution: Annotated[
        str | None,
        typer.Option(
            "--solution",
            metavar="FILE",
            help="Answers in the order of all puzzles: a filled grid for each, its score above it, or the score alone.",
        ),
    ] = None,
    unique: Annotated[bool, typer.Option("--unique", help="Check whether there is exactly one solution.")] = False,
    best: Annotated[
        bool,
        typer.Option("--best", help="Check whether the score is the best one, and -1 whether there is no solution."),
    ] = False,
    weights: options.Weights = None,
    minimise: Annotated[
        bool, typer.Option("--minimise", "--minimize", help="With --best: whether it is the lowest score.")
    ] = False,
    input_format: options.InputFormat = None,
    output_format: Annotated[
        str | None,
        options.choice(
            "--output-format",
            "output format of check",
            VERDICT_FORMATS,
            f"The format of verdicts: {', '.join(VERDICT_FORMATS)}; text if not given.",
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
    """Check puzzles and filled grids.

    A grid is checked as a solution when it comes from --solution or the second column of CSV input, or when the
    puzzle itself has no blanks: each broken unit and each changed clue is named, and the score is printed. Otherwise
    the clues are checked for contradictions.

    --solution takes what solve and maximise --grid write. A number above a grid is a score to check; give the
    --weights that it was made with. `no solution`, `unknown`, -1 without a grid, and JSON whose grid is null stand in
    place of a grid, as a score alone does. Only contradictory clues, --unique or --best show that there is no solution;
    only --best shows whether a score without a grid is right.

    Exit status: 0 all is right, 1 something is wrong, 2 malformed input or usage, 3 --unique or --best reached the
    time limit, or there was no grid to check, 130 interrupted.
    """
    files = files_of(sources)
    if [*files, solution, weights].count("-") > 1:
        raise UsageError("only one of the inputs can come from standard input")
    if solution and keep_going:
        raise UsageError("--keep-going cannot go with --solution: answers could be matched to the wrong puzzles")
    if certificate and not unique:
        raise UsageError("--certificate goes with --unique")
    certificates = Certificates(certificate, certificate_format, veripb, time_limit, force, *files, solution, output)
    if minimise and not best:
        raise UsageError("--minimise goes with --best")
    shape = options.parse_box(box)
    render = VERDICT_FORMATS[format_of(output_format, output, VERDICT_FORMATS) or "text"]
    sense = Sense.MINIMISE if minimise else Sense.MAXIMISE
    given = weights_from(weights, sense) if weights else None
    session = Session(backend, seed, cluster=cluster if unique or best else None)
    jobs = jobs_beside(jobs, cluster, certificate=certificate)
    exit_code = Exit.OK
    with ExitStack() as stack:
        puzzles = stack.enter_context(
            Puzzles(files, ReadOptions(input_format, shape, verify=False, rules=rules, ignore=ignore), keep_going)
        )
        all_stated, board = None, None
        if solution:
            all_stated = _read_stated(stack.enter_context(open_binary(solution)), solution, shape, lambda: board)
        stream = stack.enter_context(open_output(output, force))
        alone = not unique or best or solution or certificate or not leaves_time_for_batches(time_limit)
        displayed: Displayed = with_progress if alone else batches_with_progress
        items = stack.enter_context(closing(displayed(puzzles, stream)))
        certificates.require_a_pair_for_each(puzzles)

        def plainly(entry: Entry) -> Asked:
            return Asked(entry, _own_answer(entry), None, given or ring_weights(entry.puzzle.board, sense))

        def asked() -> Iterator[Asked | Batch]:
            nonlocal board
            for item in items:
                if isinstance(item, Batch):
                    yield item
                    continue
                entry: Entry = item
                certificates.begin(entry)
                answer, stated, board = _own_answer(entry), None, entry.puzzle.board
                if all_stated is not None:
                    stated = next(all_stated, None)
                    if stated is None:
                        raise UsageError(f"{solution} holds no solution for the puzzle at {entry.place}")
                    entry, answer = pair(entry, stated.entry) if stated.entry else (entry, None)
                yield plainly(entry)._replace(answer=answer, stated=stated)

        def question(item: Asked | Batch) -> Callable[[Session], Searched | list[Count]]:
            if isinstance(item, Batch):
                return partial(_counted, item, time_limit)
            claims = item.answer is not None or item.stated is not None
            objective = item.objective if best and claims else None
            return partial(_searched, item.entry.puzzle, objective, unique, time_limit)

        def search_here(item: Asked | Batch) -> Searched | list[Count]:
            with noting_interrupts(entry_of(item)):
                return question(item)(session)

        def entry_of(item: Asked | Batch) -> Entry:
            return item.entry(0) if isinstance(item, Batch) else item.entry

        def one_by_one(item: Asked | Batch) -> Sequence[Asked]:
            return tuple(map(plainly, item.entries())) if isinstance(item, Batch) else (item,)

        lost: Searched | list[Count] = Searched(Count.UNKNOWN if unique else None, [], Result(Status.UNKNOWN))
        searched = answers_in_order(
            puzzles,
            session,
            jobs if unique or best else 1,
            asked(),
            search_here,
            question,
            lost,
            entry_of=entry_of,
            parts=one_by_one,
        )
        each = (
            (ask, found)
            for item, answer in searched
            for ask, found in zip(one_by_one(item), _each(answer), strict=True)
        )
        for (entry, answer, stated, objective), (count, grids, optimum) in each:
            verdict = _judge(entry, answer, stated, objective, count)
            if best:
                verdict = _with_best(verdict, stated, optimum, objective)
            if count in (Count.NONE, Count.ONE):
                verdict = replace(verdict, word_of=session.word_of)
            if count is Count.MANY and entry.shared:
                note_more_than_one(entry)
            stream.write(render(verdict))
            stream.flush()
            exit_code = worst(exit_code, verdict.exit)
            if count in (Count.NONE, Count.ONE):
                exit_code = worst(
                    exit_code, certificates.write(entry, Claim(len(grids)), grids, word_of=session.word_of)
                )
            elif count:
                certificates.refuse(entry, count.value)
        if all_stated is not None and next(all_stated, None) is not None:
            raise UsageError(f"{solution} holds more solutions than there are puzzles")
    return worst(exit_code, puzzles.exit)


def _read_stated(
    stream: BinaryIO, path: str, shape: tuple[int, int] | None, board_of: Callable[[], Board | None]
) -> Iterator[StatedAnswer]:
    for item in read_stated(stream, input_name(path), shape, board_of):
        if isinstance(item, InputError):
            raise item
        yield item


def _own_answer(entry: Entry) -> Grid | None:
    """The solution in the input itself: a second column, or a puzzle that is a filled grid."""
    clues = entry.puzzle.clues
    return entry.solution or (clues if clues.is_full else None)


def _judge(
    entry: Entry, answer: Grid | None, stated: StatedAnswer | None, objective: Objective, count: Count | None
) -> Verdict:
    puzzle = entry.puzzle
    name = partial(entry.layout.name, puzzle.board)
    if answer is None:
        faults = tuple(sentence(fault, name) for fault in repeats(puzzle, puzzle.clues))
        absence = None
        if stated:
            absence = Absence.PROVED if stated.infeasible else Absence.UNEXPLAINED
            if stated.score is not None:
                absence = Absence.SCORE
        return Verdict(entry, faults, score=stated.score if stated else None, count=count, absence=absence)
    violations = check_grid(puzzle, answer, objective, stated.score if stated else None)
    faults = tuple(sentence(fault, name) for fault in violations)
    score = objective.score(answer) if answer.is_full and answer.board == puzzle.board else None
    return Verdict(entry, faults, answer, score, count)


def _with_best(verdict: Verdict, stated: StatedAnswer | None, result: Result, objective: Objective) -> Verdict:
    """The verdict, and what the search for the best score says of it."""
    score, best = verdict.score, result.score
    none = result.status is Status.INFEASIBLE
    if stated and stated.is_minus_one and min(objective.weights) < 0 and not none:
        # with weights below 0, a puzzle with a solution may have this score
        score = -1
        verdict = replace(verdict, absence=Absence.SCORE, score=score)
    says_none = verdict.absence is Absence.PROVED
    if score is None and not says_none:
        return replace(verdict, absence=verdict.absence or Absence.NOTHING)
    if (says_none and none) or (result.status is Status.OPTIMAL and best == score):
        # there is no solution: that the clues contradict each other is no fault of the answer
        return replace(verdict, faults=() if says_none else verdict.faults, best=Best.PROVED)
    if none:
        fault = "there is no solution"
    elif says_none and best is not None:
        fault = f"there is a solution with the score {best}"
    elif result.status is Status.OPTIMAL:
        fault = f"the best score is {best}, not {score}"
    elif score is not None and best is not None and objective.sense.better(best, score):
        fault = f"the score {best} is better than {score}"
    elif score is not None and result.bound is not None and objective.sense.better(score, result.bound):
        fault = f"no score is better than {result.bound}, so none is {score}"
    else:
        return replace(verdict, best=Best.UNKNOWN)
    where = f"{stated.place}: " if stated else ""
    return replace(verdict, best=Best.DISPROVED, best_fault=where + fault)


def _searched(
    puzzle: Puzzle, objective: Objective | None, unique: bool, time_limit: float | None, session: Session
) -> Searched:
    count, grids = _count(session, puzzle, time_limit) if unique else (None, [])
    optimum = session.maximise(puzzle, objective, time_limit) if objective else Result(Status.UNKNOWN)
    return Searched(count, grids, optimum)


def _counted(batch: Batch, time_limit: float | None, session: Session) -> list[Count]:
    # numpy, which other checks do without
    from ringdoku.services.batches import counted

    return counted(batch, session, Count.ONE, lambda entry: _count(session, entry.puzzle, time_limit)[0])


def _each(found: Searched | list[Count]) -> Sequence[Searched]:
    """What was found, puzzle by puzzle."""
    if isinstance(found, Searched):
        return (found,)
    return [Searched(count, [], Result(Status.UNKNOWN)) for count in found]


def _count(session: Session, puzzle: Puzzle, time_limit: float | None) -> tuple[Count, list[Grid]]:
    """With at most two solutions."""
    grids: list[Grid] = []
    try:
        grids += islice(session.solutions(puzzle, time_limit), 2)
    except TimeLimitError:
        return Count.UNKNOWN, grids
    return (Count.NONE, Count.ONE, Count.MANY)[len(grids)], grids
