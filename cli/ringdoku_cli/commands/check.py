"""`ringdoku check`: is a puzzle well-formed, has it exactly one solution, is a filled grid its solution."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from typing import Annotated

import typer

from ringdoku.domain.checker import check as check_grid
from ringdoku.domain.checker import repeats
from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.formats import Entry, pair
from ringdoku.services import Session
from ringdoku_cli import options
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, weights_from
from ringdoku_cli.outputs import open_output
from ringdoku_cli.progress import with_progress
from ringdoku_cli.render.verdict import VERDICT_FORMATS, Count, Verdict


def check(
    source: options.Source = "-",
    solution: Annotated[
        str | None,
        typer.Option("--solution", metavar="FILE", help="Filled grids, one for each puzzle, in the same order."),
    ] = None,
    unique: Annotated[bool, typer.Option("--unique", help="Ask whether there is exactly one solution.")] = False,
    weights: Annotated[
        str | None,
        typer.Option("--weights", metavar="FILE", help="Score with n rows of n integers, not the ring weights."),
    ] = None,
    input_format: options.InputFormat = None,
    output_format: Annotated[
        str,
        options.choice(
            "--output-format",
            "output format of check",
            VERDICT_FORMATS,
            f"How verdicts are written: {', '.join(VERDICT_FORMATS)}.",
        ),
    ] = "text",
    backend: options.BackendName = "auto",
    time_limit: options.TimeLimit = None,
    seed: options.Seed = 0,
    box: options.Box = None,
    keep_going: options.KeepGoing = False,
    output: options.OutputFile = None,
    force: options.Force = False,
) -> Exit:
    """Check puzzles and filled grids.

    A grid from --solution, from the second column of CSV input, or a puzzle without blanks is checked as a solution:
    each broken unit and changed clue is named, and the score is told. Otherwise the clues are checked for
    contradicting each other.

    Exit status: 0 all is good, 1 something is wrong, 2 malformed input or usage, 3 a time limit left --unique open,
    130 interrupted.
    """
    if [source, solution, weights].count("-") > 1:
        raise UsageError("only one of the inputs can come from standard input")
    if solution and keep_going:
        raise UsageError("--keep-going cannot go with --solution: past a malformed puzzle, which grid is whose?")
    shape = options.parse_box(box)
    given = weights_from(weights, Sense.MAXIMISE) if weights else None
    session = Session(backend, seed)
    exit_code = Exit.OK
    with ExitStack() as stack:
        puzzles = stack.enter_context(Puzzles(source, input_format, shape, keep_going, verify=False))
        answers = None
        if solution:
            answers = iter(stack.enter_context(Puzzles(solution, None, shape)))
        stream = stack.enter_context(open_output(output, force))
        for entry in with_progress(puzzles, stream):
            answer = _own_answer(entry)
            if answers is not None:
                other = next(answers, None)
                if other is None:
                    raise UsageError(f"{solution} holds no solution for the puzzle at {entry.place}")
                entry, answer = pair(entry, other)
            count = _count(session, entry.puzzle, time_limit) if unique else None
            verdict = _judge(entry, answer, given, count)
            stream.write(VERDICT_FORMATS[output_format](verdict))
            stream.flush()
            exit_code = worst(exit_code, verdict.exit)
        if answers is not None and next(answers, None) is not None:
            raise UsageError(f"{solution} holds more solutions than there are puzzles")
    return worst(exit_code, puzzles.exit)


def _own_answer(entry: Entry) -> Grid | None:
    """The solution that the input itself holds: a second column, or a puzzle that is a filled grid."""
    clues = entry.puzzle.clues
    return entry.solution or (clues if clues.is_full else None)


def _judge(entry: Entry, answer: Grid | None, given: Objective | None, count: Count | None) -> Verdict:
    puzzle = entry.puzzle
    if answer is None:
        return Verdict(entry, tuple(map(str, repeats(puzzle, puzzle.clues))), count=count)
    violations = tuple(map(str, check_grid(puzzle, answer)))
    score = None
    if answer.is_full and answer.order == puzzle.order:
        score = (given or ring_weights(puzzle.geometry)).score(answer)
    return Verdict(entry, violations, answer, score, count)


def _count(session: Session, puzzle: Puzzle, time_limit: float | None) -> Count:
    try:
        return (Count.NONE, Count.ONE, Count.MANY)[sum(1 for _ in islice(session.enumerate(puzzle, time_limit), 2))]
    except TimeLimitError:
        return Count.UNKNOWN
