"""`ringdoku draw`: puzzles as pictures and on sheets to print."""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated

from ringdoku import Puzzle, Session, TimeLimitError, candidates, explain, rate, why_none
from ringdoku.domain import Result, Status, counted, refuse
from ringdoku.drawing import PICTURES
from ringdoku.drawing.drawer import scene_of
from ringdoku.drawing.files import check_picture
from ringdoku.drawing.picture import Picture
from ringdoku.drawing.shapes import Scene
from ringdoku.drawing.sheets import PAPERS, SOLUTIONS, Item, PrintedSheet
from ringdoku.drawing.views import View, sentence_of
from ringdoku.explanations.path import Outcome, start_of
from ringdoku.limits import Deadline
from ringdoku.services.explaining import with_player_marks
from ringdoku.text import Entry
from ringdoku.text.stated import NO_SOLUTION
from ringdoku_cli.answering import Progress
from ringdoku_cli.commands.rate import ENDINGS
from ringdoku_cli.exits import Exit, note, worst
from ringdoku_cli.options import Inputs, Marks, Output, Panel, Scores, TimeLimit, choice, option, parse_pair
from ringdoku_cli.outputs import INPUT, NUMBER, open_output, require_writable
from ringdoku_cli.render import LINKS, format_of, link_to, title_of, write_picture

TRUE, SIMPLE = "true", "simple"
TIME_LIMIT = "the time limit came first"
NOT_OF_STEPS = "--answers, --level, --link, --rings and --weights cannot go with --steps"
CANDIDATES_HELP = "Small digits in the cells: true, those that stand in some solution; or simple, what the clues leave."
STEPS_HELP = "Draw steps of `ringdoku explain`: all, one, or from A to B."
SHEET_HELP = "Put so many on a page, with number and clues under each, on its side with more columns than rows."
ANSWERS_HELP = f"With --sheet: where solutions stand: {', '.join(SOLUTIONS)}; foot is of the page, upside down."
LEVEL_HELP = "With --sheet: how hard each is, by `ringdoku rate`, in the line under it."
CAPTION_HELP = "Words below: none; title, with the author; rules, the author's and ours. Default: names of the rules."
LINK_HELP = f"Let the picture lead to the puzzle in a program, where it is clicked: {', '.join(LINKS)}. Not in PNG."
FORMAT_HELP = f"The format: {', '.join(PICTURES)}. Default: the one that the name of --output ends in, else svg."


@dataclass(frozen=True)
class Contents:
    """What each picture shows."""

    solution: Annotated[bool, option("--solution", "Draw the solution, found digits in blue.")] = False
    candidates: Annotated[str | None, choice("--candidates", (TRUE, SIMPLE), CANDIDATES_HELP)] = None
    marks: Marks = None
    steps: Annotated[str | None, option("--steps A-B", STEPS_HELP)] = None
    rings: Annotated[bool, option("--rings", "Tint the cells by their ring weights.")] = False
    weights: Annotated[str | None, option("--weights FILE", "Tint the cells by these weights, n rows of n.")] = None
    caption: Annotated[str | None, choice("--caption", ("none", "title", "rules"), CAPTION_HELP)] = None
    link: Annotated[str | None, choice("--link", LINKS, LINK_HELP)] = None

    def __post_init__(self) -> None:
        own = "--solution, --steps and small digits (--candidates, --marks) are pictures of their own"
        refuse(sum(map(bool, (self.solution, self.candidates or self.marks, self.steps))) > 1, own)
        refuse(self.candidates and self.marks, "--candidates and --marks cannot go together")
        refuse(self.rings and self.weights, "--rings and --weights cannot go together")
        refuse(self.steps and (self.link or self.rings or self.weights), NOT_OF_STEPS)
        _ = self.span

    @cached_property
    def span(self) -> tuple[int, int | None] | None:
        """The first and the last step, from 1. Raises `UsageError`."""
        expected = "--steps is all, a number, or a span such as 3-6"
        return (1, None) if self.steps == "all" else parse_pair(self.steps, expected, is_span=True)


@dataclass(frozen=True)
class Sheets(Panel, title="Sheets to print"):
    """Puzzles on sheets of paper."""

    sheet: Annotated[str | None, option("--sheet ROWSxCOLUMNS", SHEET_HELP)] = None
    answers: Annotated[str | None, choice("--answers", SOLUTIONS, ANSWERS_HELP)] = None
    level: Annotated[bool, option("--level", LEVEL_HELP)] = False
    paper: Annotated[str, choice("--paper", PAPERS, f"With --sheet: {', '.join(PAPERS)}.")] = "a4"
    margin: Annotated[float, option("--margin MM", "With --sheet: the margin of the paper.", min=0, max=100)] = 15.0
    big: Annotated[bool, option("--big", "With --sheet: big print.")] = False

    @cached_property
    def printed(self) -> PrintedSheet | None:
        """The layout of the sheets, None without --sheet. Raises `UsageError`."""
        size = parse_pair(self.sheet, "--sheet is ROWSxCOLUMNS, for example 3x2", "[xX×]")
        if size is None:
            refuse(self != Sheets(), "--answers, --level, --paper, --margin and --big go with --sheet")
            return None
        return PrintedSheet(*size, self.paper, self.margin, self.big, self.answers or "none")


def draw(
    contents: Contents,
    sheets: Sheets,
    inputs: Inputs,
    output: Output,
    output_format: Annotated[str | None, choice("--output-format", PICTURES, FORMAT_HELP)] = None,
    time_limit: TimeLimit = 60.0,
) -> Exit:
    """A puzzle is drawn alone, or with its solution, candidates or steps. A file of svg or png is one picture; with
    {number} in its name, each picture or page has a file of its own. A file of pdf has a page for each. What the rules'
    marks do not show stands in words below. Clues that contradict each other are red. A puzzle without a solution says
    so, plain ones if that shows within a second; a solution that is one of several says so too.

    Exit status: 0 all is drawn, 1 a puzzle has no solution where one was asked for, or no such step, 2 malformed
    input or usage, 3 the time limit came first, 130 interrupted.
    """
    inputs.require_one_standard_input(*inputs.files, contents.marks, contents.weights)
    refuse(contents.steps and (sheets.answers or sheets.level), NOT_OF_STEPS)
    name, printed = output.output or "-", sheets.printed
    refuse(INPUT in name, f"pictures and pages have numbers; put {NUMBER} into the name, not {INPUT}")
    if name != "-" and not output_format:
        check_picture(name)
    if name != "-" and NUMBER not in name:
        require_writable(name, output.force)
    form = format_of(output_format, name, PICTURES) or "svg"
    refuse(contents.link and form == "png", "--link is for svg and pdf; png pictures have no links")
    player = inputs.read_marks(contents.marks) if contents.marks else None
    drawer = _Drawer(contents, sheets, Scores(contents.weights), player, Session(), time_limit)
    with inputs.puzzles() as puzzles, Progress(sys.stdout, "drawing") as progress:
        if player:
            puzzles.require_one("--marks are for one")
        if not (contents.steps or NUMBER in name or printed or form == "pdf"):
            puzzles.require_one(f"-o 'puzzle-{NUMBER}.{form}' names a file for each; --sheet 3x2 draws six on a page")
        items = (item for number, entry in enumerate(puzzles, 1) for item in drawer.items(number, entry, progress))
        _write_pages(printed.pages(list(items)) if printed else (scene_of(item.view) for item in items), form, output)
        return worst(drawer.exit, puzzles.exit)


def _write_pages(pages: Iterable[Scene], form: str, output: Output) -> None:
    """Write each page, as it comes, to a file of its own, or all of them at the end to one."""
    name = output.output or "-"
    for number, scenes in enumerate(([page] for page in pages) if NUMBER in name else [list(pages)], 1):
        problem = f"there are {len(scenes)} pictures; -o 'page-{NUMBER}.{form}' names a file for each, or a PDF"
        refuse(len(scenes) > 1 and form != "pdf", problem)
        if scenes:
            with open_output(name.replace(NUMBER, str(number)), output.force, useless_in_part=True) as stream:
                write_picture(scenes, form, stream)


@dataclass
class _Drawer:
    """Draws the pictures of a puzzle, each with the line under it on a sheet; `exit` is the worst exit code so far."""

    contents: Contents
    sheets: Sheets
    scores: Scores
    player: Puzzle | None
    session: Session
    time_limit: float | None
    exit: Exit = Exit.OK

    def items(self, number: int, entry: Entry, progress: Progress) -> Iterator[Item]:
        progress.latest = f"drawing {entry.place}"
        contents, puzzle = self.contents, entry.puzzle
        if contents.span:
            yield from self._step_items(entry, *contents.span)
            return
        objective = self.scores.objective_of(entry) if contents.weights or contents.rings else None
        link = link_to(contents.link, entry) if contents.link else ""
        view = View(puzzle, objective=objective, symbols=entry.layout.symbols, title=title_of(entry), link=link)
        has_answers = self.sheets.answers not in (None, "none")
        deadline, result, doubt = Deadline.asked(self.time_limit), Result(Status.UNKNOWN), ""
        if contents.solution or has_answers:
            result = self.session.solve(puzzle, self.time_limit)
            doubt = self._uniqueness_doubt(entry, result, deadline)
        elif contents.candidates != TRUE:
            # to say so if there is no solution, as shows within a second; true candidates show it too
            result = self.session.solve(puzzle, min(self.time_limit or 1.0, 1.0))
        solution = replace(view, grid=result.grid, caption=doubt, alarm="" if result.grid else sentence_of(result))
        if result.status is Status.INFEASIBLE:
            view = replace(view, alarm=NO_SOLUTION)
        view = solution if contents.solution else self._with_candidates(entry, view)
        caption = f"{number} · {counted(puzzle.clues.filled_count, 'clue')}"
        if self.sheets.level:
            rating = rate(puzzle, self.time_limit)
            caption += f" · {ENDINGS[rating.outcome][1] or rating.word}"
        below = f"{number} · {doubt}" if doubt else str(number)
        answer = replace(solution, caption="", words=contents.caption is None)
        yield Item(self._with_caption(entry, view), caption, Item(answer, below) if has_answers else None)

    def _with_caption(self, entry: Entry, view: View) -> View:
        """The view with the words that --caption asks for; words about the solution stay."""
        kind, lines = self.contents.caption, [view.caption] if view.caption else []
        if kind is None:
            return view
        if kind == "rules":
            picture = Picture(entry.puzzle.ruleset)
            lines = [entry.about, picture.basics(view.symbols), *picture.sentences, *lines]
        heading = "" if kind == "none" else ", by ".join(filter(None, (entry.name, entry.author)))
        return replace(view, heading=heading, caption="\n".join(filter(None, lines)), words=False)

    def _report(self, entry: Entry, message: str, code: Exit = Exit.OK) -> None:
        note(f"{entry.place}: {message}")
        self.exit = worst(self.exit, code)

    def _uniqueness_doubt(self, entry: Entry, result: Result, deadline: Deadline) -> str:
        """Says that the solution is, or may be, one of several; empty for the only one. Reports if there is none."""
        if result.grid is None:
            is_none = result.status is Status.INFEASIBLE
            self._report(entry, NO_SOLUTION if is_none else TIME_LIMIT, Exit.NEGATIVE if is_none else Exit.UNKNOWN)
            return ""
        try:
            if self.session.count_solutions(entry.puzzle, 2, deadline.left()) < 2:
                return ""
            doubt = "one of several solutions"
        except TimeLimitError:
            doubt = "one solution; time limit: it is not known whether there are others"
        self._report(entry, doubt)
        return doubt

    def _with_candidates(self, entry: Entry, view: View) -> View:
        puzzle = entry.puzzle
        if self.player:
            allowed = self.player.ruleset.allowed
            marks = [allowed.get(cell, frozenset()) for cell in range(puzzle.board.cell_count)]
            return replace(view, grid=with_player_marks(puzzle, self.player)[0].clues, candidates=marks)
        if self.contents.candidates == SIMPLE:
            return replace(view, candidates=start_of(puzzle))
        if self.contents.candidates is None or view.alarm:
            return view
        try:
            digits = candidates(puzzle, self.time_limit)
        except TimeLimitError:
            self._report(entry, "time limit: the candidates are not known", Exit.UNKNOWN)
            return view
        if digits is not None:
            return replace(view, candidates=digits)
        self._report(entry, NO_SOLUTION, Exit.NEGATIVE)
        return replace(view, alarm=NO_SOLUTION)

    def _step_items(self, entry: Entry, first: int, last: int | None) -> Iterator[Item]:
        """A picture for each step to the solution, or from a smallest conflict to the contradiction."""
        try:
            found = explain(entry.puzzle, self.time_limit)
            if found.outcome is Outcome.CONTRADICTION and (refuted := why_none(entry.puzzle, self.time_limit)):
                found = refuted.explanation
        except TimeLimitError:
            self._report(entry, TIME_LIMIT, Exit.UNKNOWN)
            return
        if last is None or last > len(found):
            self.exit = worst(self.exit, ENDINGS[found.outcome][0])
            if found.outcome is Outcome.STUCK:
                self._report(entry, f"more than one solution; no step is left after {len(found)}")
            elif found.outcome is Outcome.LIMIT:
                self._report(entry, f"{TIME_LIMIT}, after {counted(len(found), 'step')}")
            elif found.outcome is Outcome.CONTRADICTION:
                self._report(entry, NO_SOLUTION)
        if (wanted := last or first) > len(found) and found.outcome is not Outcome.LIMIT:
            self._report(entry, f"there is no step {wanted}; there are {len(found)}", Exit.NEGATIVE)
        for step in found.steps[first - 1 : last]:
            yield Item(self._with_caption(entry, step.view(entry.layout.symbols)))
