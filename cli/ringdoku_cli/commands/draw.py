"""`ringdoku draw`: puzzles as pictures and on sheets to print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import Annotated, Any, ClassVar

import typer

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Status
from ringdoku.drawing import PICTURES
from ringdoku.drawing.drawer import scene_of
from ringdoku.drawing.files import check_picture
from ringdoku.drawing.sheets import PAPERS, Item, PrintedSheet, Solutions
from ringdoku.drawing.views import View, view_of_result
from ringdoku.explanations.path import Outcome, start_of
from ringdoku.limits import Deadline
from ringdoku.services import Session
from ringdoku.services import candidates as true_candidates
from ringdoku.services.explaining import continued, explain, rate, why_none
from ringdoku.text import Entry
from ringdoku.text.stated import NO_SOLUTION
from ringdoku_cli import options
from ringdoku_cli.answering import Question, answered
from ringdoku_cli.commands.rate import ENDINGS
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import marks_from, weights_from
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import NUMBER, open_output, require_writable
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.pictures import title_of, write_picture

TRUE, SIMPLE = "true", "simple"
"""Kinds of candidates."""
ALL = "all"


@dataclass(frozen=True)
class Contents:
    """What is drawn of each puzzle."""

    solution: Annotated[bool, typer.Option("--solution", help="Draw the solution, found digits in blue.")] = False
    candidates: Annotated[
        str | None,
        options.choice(
            "--candidates",
            "kind of candidates",
            (TRUE, SIMPLE),
            "Small digits in the cells: true, those that stand in some solution; or simple, what the clues leave.",
        ),
    ] = None
    marks: Annotated[
        str | None,
        typer.Option(
            "--marks",
            metavar="FILE",
            help="What a player has: a grid with more digits, or n³ characters with the marks of each cell.",
        ),
    ] = None
    steps: Annotated[
        str | None,
        typer.Option("--steps", metavar="A-B", help="Draw steps of `ringdoku explain`: all, one, or from A to B."),
    ] = None
    rings: Annotated[bool, typer.Option("--rings", help="Tint the cells by their ring weights.")] = False
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="FILE", help="Tint the cells by these weights, n rows of n.")
    ] = None

    def __post_init__(self) -> None:
        if sum(map(bool, (self.solution, self.candidates or self.marks, self.steps))) > 1:
            raise UsageError("--solution, --steps and small digits (--candidates, --marks) are pictures of their own")
        if self.candidates and self.marks:
            raise UsageError("--candidates and --marks cannot go together")
        _ = self.span

    @cached_property
    def span(self) -> tuple[int, int | None] | None:
        """The first and the last step, from 1. Raises `UsageError`."""
        if self.steps is None:
            return None
        if self.steps == ALL:
            return 1, None
        found = re.fullmatch(r"([1-9][0-9]{0,5})(?:-([1-9][0-9]{0,5}))?", self.steps)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last:
            raise UsageError(f"--steps is all, a number, or a span such as 3-6, not {self.steps!r}")
        return first, last

    @cached_property
    def given(self) -> Objective | None:
        """The weights of the file."""
        return weights_from(self.weights, Sense.MAXIMISE) if self.weights else None


@dataclass(frozen=True)
class Sheets:
    """Puzzles on sheets of paper."""

    PANEL: ClassVar[str] = "Sheets to print"

    sheet: Annotated[
        str | None,
        typer.Option(
            "--sheet",
            metavar="ROWSxCOLUMNS",
            help="Put so many on a page, with number and clues under each. The page lies on its side where that makes "
            "them larger.",
        ),
    ] = None
    answers: Annotated[
        str | None,
        options.choice(
            "--answers",
            "place of answers",
            [place.value for place in Solutions],
            "With --sheet: solutions nowhere, small at the end, upside down at the foot of each page, or on pages "
            f"of their own: {', '.join(place.value for place in Solutions)}.",
        ),
    ] = None
    level: Annotated[
        bool, typer.Option("--level", help="With --sheet: how hard each is, by `ringdoku rate`, in the line under it.")
    ] = False
    paper: Annotated[str, options.choice("--paper", "paper", PAPERS, f"With --sheet: {', '.join(PAPERS)}.")] = "a4"
    margin: Annotated[
        float, typer.Option("--margin", min=0, max=100, metavar="MM", help="With --sheet: the margin of the paper.")
    ] = 15.0
    big: Annotated[bool, typer.Option("--big", help="With --sheet: big print.")] = False

    @cached_property
    def printed(self) -> PrintedSheet | None:
        """Raises `UsageError`."""
        if self.sheet is None:
            if self.answers or self.level or self.big:
                raise UsageError("--answers, --level and --big go with --sheet")
            return None
        found = re.fullmatch(r"([1-9][0-9]?)[xX×]([1-9][0-9]?)", self.sheet)
        if not found:
            raise UsageError(f"--sheet is ROWSxCOLUMNS, for example 3x2, not {self.sheet!r}")
        places = Solutions(self.answers or "none")
        return PrintedSheet(int(found[1]), int(found[2]), self.paper, self.margin, self.big, places)

    @property
    def has_solutions(self) -> bool:
        return self.answers not in (None, Solutions.NONE.value)


def draw(
    contents: Contents,
    sheets: Sheets,
    inputs: options.Inputs,
    output: options.Output,
    output_format: Annotated[
        str | None,
        options.choice(
            "--output-format",
            "format of pictures",
            PICTURES,
            f"The format: {', '.join(PICTURES)}. Default: the one that the name of --output ends in, else svg.",
        ),
    ] = None,
    time_limit: options.TimeLimit = 60.0,
) -> Exit:
    """Draw each puzzle, or many on sheets to print.

    It is drawn alone, or with its solution, candidates or steps. A file of svg or png is one picture; with {number}
    in its name, each picture or page has a file of its own. A file of pdf has a page for each. What the rules'
    marks do not show stands in words below. Clues that contradict each other are red. A puzzle without a solution
    says so, plain ones if that shows within a second; a solution that is one of several says so too.

    Exit status: 0 all is drawn, 1 a puzzle has no solution where one was asked for, or no such step, 2 malformed
    input or usage, 3 the time limit came first, 130 interrupted.
    """
    inputs.require_one_standard_input(contents.marks, contents.weights)
    if contents.steps and sheets.answers:
        raise UsageError("--answers cannot go with --steps")
    name = output.output
    if name not in (None, "-") and not output_format:
        check_picture(name)
    files = _Files(name, output.force, format_of(output_format, name, PICTURES) or "svg", sheets.printed)
    player = marks_from(contents.marks, inputs.shape) if contents.marks else None
    session = Session()
    pictures = _Pictures(contents, sheets, player, session, time_limit)

    exit_code = Exit.OK
    with inputs.puzzles(contents.given) as puzzles, open_output(None, False) as stream:
        if player:
            puzzles.require_one("--marks are for one")
        if not (contents.steps or files.numbered or files.printed or files.form == "pdf"):
            puzzles.require_one(
                f"-o 'puzzle-{NUMBER}.{files.form}' names a file for each, and --sheet 3x2 draws six on a page"
            )
        questions: Iterable[Question[Any]] = (
            Question(number, entry, partial(pictures, number, entry)) for number, entry in enumerate(puzzles, 1)
        )
        for _, drawn in answered(session, puzzles, questions, stream, alone=True):
            for items, code in drawn:
                files.take(items)
                exit_code = worst(exit_code, code)
        files.finish()
        return worst(exit_code, puzzles.exit)


class _Files:
    """Where pictures go: at once to a file each, or together to sheets or one file at the end."""

    def __init__(self, name: str | None, force: bool, form: str, printed: PrintedSheet | None) -> None:
        self.form, self.printed, self.numbered = form, printed, NUMBER in (name or "")
        self._name, self._force = name, force
        self._written = 0
        self._kept: list[Item] = []
        if name and not self.numbered:
            require_writable(name, force)

    def take(self, items: Sequence[Item]) -> None:
        self._kept += items
        if self.numbered and not self.printed:
            self.finish()

    def finish(self) -> None:
        """Write what was kept. Raises `UsageError` where several pictures have one file."""
        if not self._kept:
            return
        pages = self.printed.pages(self._kept) if self.printed else [scene_of(item.view) for item in self._kept]
        self._kept = []
        if not self.numbered and len(pages) > 1 and self.form != "pdf":
            raise UsageError(
                f"there are {len(pages)} pictures; -o 'page-{NUMBER}.{self.form}' names a file for each, and a file of "
                "pdf has pages"
            )
        for scenes in [[page] for page in pages] if self.numbered else [pages]:
            self._written += 1
            path = self._name and self._name.replace(NUMBER, str(self._written))
            with open_output(path, self._force, useless_in_part=True) as stream:
                write_picture(scenes, self.form, stream)
                stream.flush()


@dataclass(frozen=True)
class _Pictures:
    """What makes the pictures of a puzzle, each with the line under it on a sheet."""

    contents: Contents
    sheets: Sheets
    player: Puzzle | None
    session: Session
    time_limit: float | None

    def __call__(self, number: int, entry: Entry, _session: Session, _: Progress) -> list[tuple[list[Item], Exit]]:
        """Those of one puzzle, and how it was answered."""
        asked, puzzle = self.contents, entry.puzzle
        if asked.span:
            return [self._steps(entry, *asked.span)]
        objective = asked.given or (ring_weights(puzzle.board) if asked.rings else None)
        view = View(puzzle, objective=objective, symbols=entry.layout.symbols, title=title_of(entry))
        caption, below = f"{number} · {counted(puzzle.clues.filled_count, 'clue')}", str(number)
        solution, code = None, Exit.OK
        if asked.solution or self.sheets.has_solutions:
            solution, code = self._solved(entry, view)
            below = f"{below} · {solution.caption}".removesuffix(" · ")
            view = replace(view, alarm=NO_SOLUTION if code is Exit.NEGATIVE else "")
        if asked.solution and solution:
            view = solution
        else:
            if not solution and asked.candidates != TRUE:
                # that there is none is said where it shows within a second
                seen = self.session.solve(puzzle, min(self.time_limit or 1.0, 1.0))
                view = replace(view, alarm=NO_SOLUTION if seen.status is Status.INFEASIBLE else "")
            view, marked = self._with_candidates(entry, view)
            code = worst(code, marked)
        if self.sheets.level:
            rating = rate(puzzle, self.time_limit)
            caption += f" · {ENDINGS[rating.outcome][1] or rating.hardest}"
        answer = replace(solution, caption="") if solution and self.sheets.has_solutions else None
        return [([Item(view, caption, answer, below)], code)]

    def _solved(self, entry: Entry, view: View) -> tuple[View, Exit]:
        """The solution; its caption says where it may not be the only one."""
        deadline, doubt = Deadline.asked(self.time_limit), ""
        result = self.session.solve(entry.puzzle, self.time_limit)
        solved = view_of_result(entry.puzzle, result, view.objective, view.symbols, view.title)
        if result.grid is None:
            none = result.status is Status.INFEASIBLE
            note(f"{entry.place}: {'no solution' if none else 'the time limit came first'}")
            return solved, Exit.NEGATIVE if none else Exit.UNKNOWN
        try:
            if len(list(islice(self.session.solutions(entry.puzzle, deadline.left()), 2))) > 1:
                doubt = "one of several solutions"
        except TimeLimitError:
            doubt = "one solution; time limit: it is not known whether there are others"
        if doubt:
            note(f"{entry.place}: {doubt}")
        return replace(solved, caption=doubt), Exit.OK

    def _with_candidates(self, entry: Entry, view: View) -> tuple[View, Exit]:
        """With what the player has, or small digits, if they are asked for."""
        puzzle = entry.puzzle
        if self.player:
            allowed = self.player.ruleset.allowed
            marks = [allowed.get(cell, frozenset()) for cell in range(puzzle.board.cell_count)]
            return replace(view, grid=continued(puzzle, self.player)[0].clues, candidates=marks), Exit.OK
        if self.contents.candidates is None:
            return view, Exit.OK
        if self.contents.candidates == SIMPLE:
            return replace(view, candidates=start_of(puzzle)), Exit.OK
        try:
            digits = true_candidates(puzzle, self.time_limit)
        except TimeLimitError:
            note(f"{entry.place}: time limit: the candidates are not known")
            return view, Exit.UNKNOWN
        if digits is None:
            return replace(view, alarm=NO_SOLUTION), Exit.NEGATIVE
        return replace(view, candidates=digits), Exit.OK

    def _steps(self, entry: Entry, first: int, last: int | None) -> tuple[list[Item], Exit]:
        """A picture for each step to the solution, or from a smallest conflict to the contradiction."""
        try:
            found = explain(entry.puzzle, self.time_limit)
            if found.outcome is Outcome.CONTRADICTION and (refuted := why_none(entry.puzzle, self.time_limit)):
                found = refuted.explanation
        except TimeLimitError:
            note(f"{entry.place}: the time limit came first")
            return [], Exit.UNKNOWN
        if found.outcome is Outcome.STUCK:
            note(f"{entry.place}: more than one solution; no step is left after {len(found)}")
        elif found.outcome is Outcome.LIMIT:
            note(f"{entry.place}: the time limit came first, after {counted(len(found), 'step')}")
        code, _ = ENDINGS[found.outcome]
        steps = found.steps[first - 1 : last]
        if not steps:
            note(f"{entry.place}: there is no step {first}; there are {len(found)}")
            return [], worst(code, Exit.NEGATIVE)
        return [Item(step.view(entry.layout.symbols), "") for step in steps], code
