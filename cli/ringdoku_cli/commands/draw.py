"""`ringdoku draw`: puzzles as pictures and on sheets to print."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Annotated

import typer

from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Sense
from ringdoku.drawing import PICTURES
from ringdoku.drawing.drawer import scene_of
from ringdoku.drawing.files import check_picture
from ringdoku.drawing.sheets import PAPERS, Item, PrintedSheet, Solutions
from ringdoku.services import Session
from ringdoku.text import ReadOptions
from ringdoku_cli import options
from ringdoku_cli.answering import noting_interrupts
from ringdoku_cli.drawn import SIMPLE, TRUE, Wish, pictures_of
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of, marks_from, weights_from
from ringdoku_cli.outputs import NUMBER, open_output, require_writable
from ringdoku_cli.progress import with_progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.pictures import write_file, write_files

ALL = "all"


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
                drawn = pictures_of(number, entry, wish, session)
            exit_code = worst(exit_code, drawn.exit)
            if printed or NUMBER not in (output or ""):
                items += drawn.items
                continue
            for item in drawn.items:
                count += 1
                write_file([scene_of(item.view)], form, output, force, count)
        if items:
            pages = printed.pages(items) if printed else [scene_of(item.view) for item in items]
            write_files(pages, form, output, force)
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
