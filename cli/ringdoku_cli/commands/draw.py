"""`ringdoku draw`: puzzles as pictures and on sheets to print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.drawing import PICTURES
from ringdoku.drawing.drawer import scene_of
from ringdoku.drawing.painter import check_picture
from ringdoku.drawing.shapes import Scene
from ringdoku.drawing.sheets import PAPERS, Item, PrintedSheet, Solutions
from ringdoku.drawing.views import View, view_of_result
from ringdoku.explanations.path import Outcome, start_of
from ringdoku.formats import Entry, ReadOptions
from ringdoku.formats.stated import NO_SOLUTION
from ringdoku.services import Session
from ringdoku.services import candidates as true_candidates
from ringdoku.services.explaining import continued, explain, rate, why_none
from ringdoku_cli import options
from ringdoku_cli.answering import noting_interrupts
from ringdoku_cli.commands.rate import ENDING, EXIT_OF
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of, marks_from, weights_from
from ringdoku_cli.messages import note
from ringdoku_cli.options import NUMBER
from ringdoku_cli.outputs import open_output, require_writable
from ringdoku_cli.progress import with_progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.pictures import title_of, write_picture

TRUE, SIMPLE = "true", "simple"
ALL = "all"
LOOK_SECONDS = 1.0
"""For whether there is a solution, where none is asked for."""


@dataclass(frozen=True)
class Wish:
    """What is drawn of each puzzle; `steps` are the first and the last, `weights` are those of a file."""

    solution: bool
    candidates: str | None
    player: Puzzle | None
    steps: tuple[int, int | None] | None
    rings: bool
    weights: Objective | None
    level: bool
    solutions_too: bool
    time_limit: float | None


@dataclass(frozen=True)
class Drawn:
    """The pictures of a puzzle, each with the line under it on a sheet, and how it was answered."""

    items: tuple[Item, ...]
    exit: Exit = Exit.OK


def draw(
    sources: options.Sources = None,
    solution: Annotated[bool, typer.Option("--solution", help="Draw the solution, found digits in blue.")] = False,
    candidates: Annotated[
        str | None,
        options.choice(
            "--candidates",
            "kind of candidates",
            (TRUE, SIMPLE),
            "Small digits in the cells: true, those that stand in some solution; or simple, what the clues leave.",
            own=True,
        ),
    ] = None,
    marks: Annotated[
        str | None,
        typer.Option(
            "--marks",
            metavar="FILE",
            help="What a player has: a grid with more digits, or n³ characters with the marks of each cell.",
        ),
    ] = None,
    steps: Annotated[
        str | None,
        typer.Option("--steps", metavar="A-B", help="Draw steps of `ringdoku explain`: all, one, or from A to B."),
    ] = None,
    rings: Annotated[bool, typer.Option("--rings", help="Tint the cells by their ring weights.")] = False,
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="FILE", help="Tint the cells by these weights, n rows of n.")
    ] = None,
    sheet: Annotated[
        str | None,
        typer.Option(
            "--sheet",
            metavar="ROWSxCOLUMNS",
            help="Put so many on a page, with number and clues under each. The page lies on its side where that makes "
            "them larger.",
        ),
    ] = None,
    answers: Annotated[
        str | None,
        options.choice(
            "--answers",
            "place of answers",
            [place.value for place in Solutions],
            "With --sheet: solutions nowhere, small at the end, upside down at the foot of each page, or on pages "
            f"of their own: {', '.join(place.value for place in Solutions)}.",
            own=True,
        ),
    ] = None,
    level: Annotated[
        bool, typer.Option("--level", help="With --sheet: how hard each is, by `ringdoku rate`, in the line under it.")
    ] = False,
    paper: Annotated[
        str, options.choice("--paper", "paper", PAPERS, f"With --sheet: {', '.join(PAPERS)}.", own=True)
    ] = "a4",
    margin: Annotated[
        float, typer.Option("--margin", min=0, max=100, metavar="MM", help="With --sheet: the margin of the paper.")
    ] = 15.0,
    big: Annotated[bool, typer.Option("--big", help="With --sheet: big print.")] = False,
    output_format: Annotated[
        str | None,
        options.choice(
            "--output-format",
            "format of pictures",
            PICTURES,
            f"The format: {', '.join(PICTURES)}. Default: the one that the name of --output ends in, else svg.",
        ),
    ] = None,
    input_format: options.InputFormat = None,
    time_limit: options.TimeLimit = 60.0,
    box: options.Box = None,
    rules: options.Rules = None,
    ignore: options.Ignore = False,
    keep_going: options.KeepGoing = False,
    output: options.AnswerFile = None,
    force: options.Force = False,
) -> Exit:
    """Draw each puzzle: alone, with its solution, candidates or steps, or many on sheets to print.

    A file of svg or png is one picture; with {number} in its name, each picture or page has a file of its own. A file
    of pdf has a page for each. What the rules' marks do not show stands in words below. Clues that contradict each
    other are red. A puzzle without a solution says so, plain ones if that shows within a second.

    Exit status: 0 all is drawn, 1 a puzzle has no solution where one was asked for, or no such step, 2 malformed
    input or usage, 3 the time limit came first, 130 interrupted.
    """
    files = files_of(sources)
    if output not in (None, "-") and not output_format:
        check_picture(output)
    form = format_of(output_format, output, PICTURES) or "svg"
    if sum(map(bool, (solution, candidates or marks, steps))) > 1:
        raise UsageError("--solution, --steps and small digits (--candidates, --marks) are pictures of their own")
    if candidates and marks:
        raise UsageError("--candidates and --marks cannot go together")
    if not sheet and (answers or level or big):
        raise UsageError("--answers, --level and --big go with --sheet")
    if steps and answers:
        raise UsageError("--answers cannot go with --steps")
    if [*files, marks, weights].count("-") > 1:
        raise UsageError("only one of the inputs can come from standard input")
    shape = options.parse_box(box)
    printed = _printed(sheet, paper, margin, big, answers)
    wish = Wish(
        solution,
        candidates,
        marks_from(marks, shape) if marks else None,
        _span(steps),
        rings,
        weights_from(weights, Sense.MAXIMISE) if weights else None,
        level,
        bool(printed and printed.solutions is not Solutions.NONE),
        time_limit,
    )
    if output and NUMBER not in output:
        require_writable(output, force)
    exit_code = Exit.OK
    items: list[Item] = []
    with (
        Puzzles(files, ReadOptions(input_format, shape, rules=rules, ignore=ignore), keep_going) as puzzles,
        open_output(None, force) as stream,
        closing(with_progress(puzzles, stream)) as entries,
    ):
        if marks:
            puzzles.require_one("--marks are for one")
        if not printed and not steps and form != "pdf" and NUMBER not in (output or ""):
            puzzles.require_one(
                f"-o 'puzzle-{NUMBER}.{form}' names a file for each, and --sheet 3x2 draws six on a page"
            )
        count, session = 0, Session()
        for number, entry in enumerate(entries, 1):
            if not puzzles.fit(entry, wish.weights):
                continue
            with noting_interrupts(entry):
                drawn = _drawn(number, entry, wish, session)
            exit_code = worst(exit_code, drawn.exit)
            if printed or NUMBER not in (output or ""):
                items += drawn.items
                continue
            for item in drawn.items:
                count += 1
                _write([scene_of(item.view)], form, _numbered(output, count), force)
        if items:
            pages = printed.pages(items) if printed else [scene_of(item.view) for item in items]
            _write_all(pages, form, output, force)
        return worst(exit_code, puzzles.exit)


def _printed(sheet: str | None, paper: str, margin: float, big: bool, answers: str | None) -> PrintedSheet | None:
    if sheet is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]?)[xX×]([1-9][0-9]?)", sheet)
    if not found:
        raise UsageError(f"--sheet is ROWSxCOLUMNS, for example 3x2, not {sheet!r}")
    return PrintedSheet(int(found[1]), int(found[2]), paper, margin, big, Solutions(answers or "none"))


def _span(steps: str | None) -> tuple[int, int | None] | None:
    if steps is None:
        return None
    if steps == ALL:
        return 1, None
    found = re.fullmatch(r"([1-9][0-9]{0,5})(?:-([1-9][0-9]{0,5}))?", steps)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if first > last:
        raise UsageError(f"--steps is all, a number, or a span such as 3-6, not {steps!r}")
    return first, last


def _numbered(output: str | None, number: int) -> str | None:
    return output and output.replace(NUMBER, str(number))


def _write(scenes: Sequence[Scene], form: str, path: str | None, force: bool) -> None:
    with open_output(path, force, useless_in_part=True) as stream:
        write_picture(scenes, form, stream)
        stream.flush()


def _write_all(scenes: Sequence[Scene], form: str, output: str | None, force: bool) -> None:
    """All in one file if it may have pages, else a file for each."""
    if NUMBER in (output or ""):
        for number, scene in enumerate(scenes, 1):
            _write([scene], form, _numbered(output, number), force)
    elif form == "pdf" or len(scenes) == 1:
        _write(scenes, form, output, force)
    else:
        raise UsageError(
            f"there are {len(scenes)} pictures; -o 'page-{NUMBER}.{form}' names a file for each, and a file of pdf has "
            "pages"
        )


def _drawn(number: int, entry: Entry, wish: Wish, session: Session) -> Drawn:
    """The pictures of one puzzle."""
    puzzle, symbols, title = entry.puzzle, entry.layout.symbols, title_of(entry)
    objective = wish.weights or (ring_weights(puzzle.board) if wish.rings else None)
    view = View(puzzle, objective=objective, symbols=symbols, title=title)
    if wish.steps:
        return _steps(entry, wish, wish.steps)
    exit_code = Exit.OK
    caption = f"{number} · {counted(puzzle.clues.filled_count, 'clue')}"
    solved = None
    asks = wish.solution or wish.solutions_too
    limit = wish.time_limit if asks else min(wish.time_limit or LOOK_SECONDS, LOOK_SECONDS)
    result = Result(Status.UNKNOWN) if wish.candidates == TRUE else session.solve(puzzle, limit)
    if result.status is Status.INFEASIBLE:
        view = replace(view, alarm=NO_SOLUTION)
    if asks:
        solved = view_of_result(puzzle, result, objective, symbols, title)
        exit_code = {Status.INFEASIBLE: Exit.NEGATIVE, Status.UNKNOWN: Exit.UNKNOWN}.get(result.status, Exit.OK)
    if wish.solution and solved:
        view = solved
    elif wish.player:
        allowed = wish.player.ruleset.allowed
        view = replace(
            view,
            grid=continued(puzzle, wish.player).clues,
            candidates=[allowed.get(cell, frozenset()) for cell in range(puzzle.board.cell_count)],
        )
    elif wish.candidates == SIMPLE:
        view = replace(view, candidates=start_of(puzzle))
    elif wish.candidates == TRUE:
        try:
            digits = true_candidates(puzzle, wish.time_limit)
        except TimeLimitError:
            note(f"{entry.place}: time limit: the candidates are not known")
            return Drawn((Item(view, caption),), Exit.UNKNOWN)
        alarm = "" if digits else NO_SOLUTION
        view = replace(view, candidates=digits or (), alarm=alarm)
        exit_code = exit_code if digits else worst(exit_code, Exit.NEGATIVE)
    if wish.level:
        rating = rate(puzzle, wish.time_limit)
        caption += f" · {ENDING[rating.outcome] or rating.hardest}"
    return Drawn((Item(view, caption, solved if wish.solutions_too else None, str(number)),), exit_code)


def _steps(entry: Entry, wish: Wish, span: tuple[int, int | None]) -> Drawn:
    """A picture for each step to the solution, or from a smallest conflict to the contradiction."""
    first, last = span
    try:
        found = explain(entry.puzzle, wish.time_limit)
        if found.outcome is Outcome.CONTRADICTION and (refuted := why_none(entry.puzzle, wish.time_limit)):
            found = refuted.explanation
    except TimeLimitError:
        note(f"{entry.place}: the time limit came first")
        return Drawn((), Exit.UNKNOWN)
    if found.outcome is Outcome.STUCK:
        note(f"{entry.place}: more than one solution; no step is left after {len(found)}")
    elif found.outcome is Outcome.LIMIT:
        note(f"{entry.place}: the time limit came first, after {counted(len(found), 'step')}")
    steps = found.steps[first - 1 : last]
    if not steps:
        note(f"{entry.place}: there is no step {first}; there are {len(found)}")
        return Drawn((), worst(EXIT_OF[found.outcome], Exit.NEGATIVE))
    views = [step.view(entry.layout.symbols) for step in steps]
    return Drawn(tuple(Item(view, "") for view in views), EXIT_OF[found.outcome])
