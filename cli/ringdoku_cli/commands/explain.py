"""`ringdoku explain`: a solution step by step, or why there is none or more than one, or why a score is best."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Status
from ringdoku.explanations.path import MOST_TRUTHS, Outcome
from ringdoku.services import Session
from ringdoku.services.explaining import continued, marks_of, why_best, why_none, why_several, wrong_marks
from ringdoku.services.explaining import explain as explanation_of
from ringdoku.text import Entry, ReadOptions
from ringdoku_cli import options
from ringdoku_cli.answering import noting_interrupts
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of, marks_from
from ringdoku_cli.outputs import open_output
from ringdoku_cli.progress import with_progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.explaining import HINTS, Reasons, Text, json_line
from ringdoku_cli.render.pretty import characters_for

SINGLES = "singles"
ONLY = (SINGLES, *map(str, range(1, MOST_TRUTHS + 1)))


def explain(
    sources: options.Sources = None,
    next_step: Annotated[
        str | None,
        options.choice(
            "--next",
            "level of a hint",
            HINTS,
            f"Give the next step as a hint, at one of the levels: {', '.join(HINTS)}.",
        ),
    ] = None,
    only: Annotated[
        str | None,
        options.choice(
            "--only",
            "kind of steps",
            ONLY,
            "Look for no harder steps: singles, or the largest number of truths, 1 to 6. No case splits then.",
        ),
    ] = None,
    marks: Annotated[
        str | None,
        typer.Option(
            "--marks",
            metavar="FILE",
            help="Start from what the player has: a grid with more digits, or n³ characters with the marks of each "
            "cell. What is wrong in it is said first.",
        ),
    ] = None,
    score: Annotated[
        bool, typer.Option("--score", help="Explain instead why the best ring score is best: the prices of the bound.")
    ] = False,
    fewest: Annotated[
        bool,
        typer.Option("--fewest", help="Prove of each step that none takes fewer truths, or say that it took too long."),
    ] = False,
    draw: Annotated[bool, typer.Option("--draw", help="Draw the cells of each step.")] = False,
    as_json: options.Json = False,
    input_format: options.InputFormat = None,
    time_limit: options.TimeLimit = 60.0,
    box: options.Box = None,
    rules: options.Rules = None,
    ignore: options.Ignore = False,
    keep_going: options.KeepGoing = False,
    output: options.OutputFile = None,
    force: options.Force = False,
) -> Exit:
    """Explain each puzzle step by step: the solution, or why there is none or more than one.

    Each step has its name, how many truths it takes, and its reason in a sentence; a small checker accepted it. A
    truth is "this cell has a digit", "this unit has a place for this digit", or a rule. The steps of the fewest truths
    come first. Where no small step is found, a candidate is tried until it fails: a case split.

    Without a solution, it gives a smallest set of clues and rules that conflict, and the steps from those to the
    contradiction. With several, two of them, and the clues that would decide.

    Exit status: 0 all explained, 1 a puzzle has no solution or several or the marks are wrong, 2 malformed input or
    usage, 3 the time limit came first, 130 interrupted.
    """
    if score and (next_step or only or marks or draw or fewest):
        raise UsageError("--score cannot go with --next, --only, --marks, --fewest or --draw")
    as_json = as_json or format_of(None, output, ("json",)) == "json"
    files = files_of(sources)
    if marks == "-" and "-" in files:
        raise UsageError("the puzzles and --marks cannot both come from standard input")
    shape = options.parse_box(box)
    exit_code = Exit.OK
    with (
        Puzzles(files, ReadOptions(input_format, shape, rules=rules, ignore=ignore), keep_going) as puzzles,
        open_output(output, force) as stream,
        closing(with_progress(puzzles, stream)) as entries,
    ):
        if marks is not None:
            puzzles.require_one("--marks are for one")
        text = Text(characters_for(stream), draw, next_step)
        for entry in entries:
            with noting_interrupts(entry):
                try:
                    player = None if marks is None else marks_from(marks, shape)
                    found = _score(entry, time_limit) if score else _reasons(entry, player, only, fewest, time_limit)
                except TimeLimitError:
                    found = Reasons(unknown=True)
            stream.write(json_line(entry, found, next_step) if as_json else text(entry, found))
            stream.flush()
            exit_code = worst(exit_code, _exit_of(found, bool(only)))
        return worst(exit_code, puzzles.exit)


def _score(entry: Entry, time_limit: float | None) -> Reasons:
    prices = why_best(entry.puzzle, time_limit=time_limit)
    return Reasons(prices=prices) if prices else Reasons(refutation=why_none(entry.puzzle, time_limit))


def _reasons(entry: Entry, player: Puzzle | None, only: str | None, fewest: bool, time_limit: float | None) -> Reasons:
    puzzle = entry.puzzle
    status = Session().solve(puzzle, time_limit).status
    if status is Status.UNKNOWN:
        return Reasons(unknown=True)
    if status is Status.INFEASIBLE:
        return Reasons(refutation=why_none(puzzle, time_limit))
    start = None
    if player is not None:
        if wrong := wrong_marks(puzzle, player, time_limit):
            return Reasons(wrong=wrong)
        start = marks_of(puzzle := continued(puzzle, player), player)
    truths = MOST_TRUTHS if only is None else 0 if only == SINGLES else int(only)
    found = explanation_of(puzzle, time_limit, truths, only is None, start, fewest)
    several = why_several(puzzle, time_limit) if found.outcome is Outcome.STUCK and not only else None
    return Reasons(explanation=found, several=several)


def _exit_of(found: Reasons, limited: bool) -> Exit:
    if found.unknown or (found.prices and not found.prices.result.status.is_final):
        return Exit.UNKNOWN
    if found.wrong or found.refutation or found.several:
        return Exit.NEGATIVE
    if found.explanation and found.explanation.outcome is Outcome.CONTRADICTION:
        return Exit.NEGATIVE
    if found.prices or found.explanation is None or found.explanation.outcome is Outcome.SOLVED:
        return Exit.OK
    return Exit.OK if limited and found.explanation.outcome is Outcome.STUCK else Exit.UNKNOWN
