"""`ringdoku explain`: a solution step by step, or why there is none or more than one, or why a score is best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TextIO

import typer

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Status
from ringdoku.explanations.path import Outcome
from ringdoku.explanations.search import MOST_TRUTHS
from ringdoku.services import Session
from ringdoku.services.explaining import continued, marks_of, why_best, why_none, why_several, wrong_marks
from ringdoku.services.explaining import explain as explanation_of
from ringdoku_cli import options
from ringdoku_cli.answering import Job
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import marks_from
from ringdoku_cli.outputs import Writer
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.explaining import HINTS, Reasons, Text, json_line
from ringdoku_cli.render.pretty import characters_for

SINGLES = "singles"
ONLY = (SINGLES, *map(str, range(1, MOST_TRUTHS + 1)))


@dataclass(frozen=True)
class Asked:
    """What is explained, and how it is told."""

    next_step: Annotated[
        str | None,
        options.choice(
            "--next",
            "level of a hint",
            HINTS,
            f"Give the next step as a hint, at one of the levels: {', '.join(HINTS)}.",
        ),
    ] = None
    only: Annotated[
        str | None,
        options.choice(
            "--only",
            "kind of steps",
            ONLY,
            "Look for no harder steps: singles, or the largest number of truths, 1 to 6. No case splits then.",
        ),
    ] = None
    marks: Annotated[
        str | None,
        typer.Option(
            "--marks",
            metavar="FILE",
            help="Start from what the player has: a grid with more digits, or n³ characters with the marks of each "
            "cell. What is wrong in it is said first.",
        ),
    ] = None
    score: Annotated[
        bool, typer.Option("--score", help="Explain instead why the best ring score is best: the prices of the bound.")
    ] = False
    fewest: Annotated[
        bool,
        typer.Option("--fewest", help="Prove of each step that none takes fewer truths, or say that it took too long."),
    ] = False
    draw: Annotated[bool, typer.Option("--draw", help="Draw the cells of each step.")] = False
    as_json: options.Json = False

    def __post_init__(self) -> None:
        if self.score and (self.next_step or self.only or self.marks or self.draw or self.fewest):
            raise UsageError("--score cannot go with --next, --only, --marks, --fewest or --draw")


def explain(inputs: options.Inputs, asked: Asked, output: options.Output, time_limit: options.TimeLimit = 60.0) -> Exit:
    """Explain each puzzle step by step, or what is wrong with it.

    Each step has its name, how many truths it takes, and its reason in a sentence; a small checker accepted it. A
    truth is "this cell has a digit", "this unit has a place for this digit", or a rule. The steps of the fewest truths
    come first. Where no small step is found, a candidate is tried until it fails: a case split.

    Without a solution, it gives a smallest set of clues and rules that conflict, and the steps from those to the
    contradiction. With several, two of them, and the clues that would decide.

    Exit status: 0 all explained, 1 a puzzle has no solution or several or the marks are wrong, 2 malformed input or
    usage, 3 the time limit came first, 130 interrupted.
    """
    as_json = asked.as_json or format_of(None, output.output, ("json",)) == "json"
    inputs.require_one_standard_input(asked.marks)

    def writer_on(stream: TextIO) -> Writer:
        if as_json:
            return partial(json_line, hint=asked.next_step)
        return Text(characters_for(stream), asked.draw, asked.next_step)

    player = marks_from(asked.marks, inputs.shape) if asked.marks is not None else None
    return Job[Reasons](
        Session(),
        lambda entry: partial(_answer, entry.puzzle, asked, player, time_limit),
        writer_on,
        lambda _, reasons: _exit_of(reasons, bool(asked.only)),
        lost=Reasons(unknown=True),
    ).run(inputs, output, one="--marks are for one" if player else "")


def _answer(
    puzzle: Puzzle, asked: Asked, player: Puzzle | None, time_limit: float | None, session: Session, _: Progress
) -> Iterator[Reasons]:
    try:
        if asked.score:
            prices = why_best(puzzle, time_limit=time_limit)
            yield Reasons(prices=prices) if prices else Reasons(refutation=why_none(puzzle, time_limit))
        else:
            yield _reasons(puzzle, asked, player, time_limit, session)
    except TimeLimitError:
        yield Reasons(unknown=True)


def _reasons(
    puzzle: Puzzle, asked: Asked, player: Puzzle | None, time_limit: float | None, session: Session
) -> Reasons:
    status = session.solve(puzzle, time_limit).status
    if status is Status.UNKNOWN:
        return Reasons(unknown=True)
    if status is Status.INFEASIBLE:
        return Reasons(refutation=why_none(puzzle, time_limit))
    start = None
    if player is not None:
        if wrong := wrong_marks(puzzle, player, time_limit):
            return Reasons(wrong=wrong)
        start = marks_of(puzzle := continued(puzzle, player), player)
    truths = MOST_TRUTHS if asked.only is None else 0 if asked.only == SINGLES else int(asked.only)
    found = explanation_of(puzzle, time_limit, truths, asked.only is None, start, asked.fewest)
    several = why_several(puzzle, time_limit) if found.outcome is Outcome.STUCK and not asked.only else None
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
