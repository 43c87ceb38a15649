"""`ringdoku candidates`: the digits that each cell has in some solution."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, TextIO

from ringdoku import Objective, Puzzle, Session, Status, UsageError
from ringdoku import candidates as true_candidates
from ringdoku.domain import refuse
from ringdoku.drawing import PICTURES
from ringdoku.drawing.terminal import ASCII, Characters, Frame, boxed_lines
from ringdoku.limits import Deadline
from ringdoku.text import Entry
from ringdoku.text.cells import names_on
from ringdoku.text.stated import NO_SOLUTION, UNKNOWN
from ringdoku_cli.answering import Job, Progress, enumeration, note_contradiction
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.options import AtMost, Inputs, Output, Scores, Work, choice, option
from ringdoku_cli.render import draw_puzzle, format_of, json_line
from ringdoku_cli.render.terminal import characters_for, table_lines, terminal_width

FORMATS = ("grid", "pretty", "line", "table", "json", *PICTURES)
COUNTS_HELP = "Count the solutions that have each candidate, up to --at-most solutions."
SCORE_HELP = "Find the best score with each candidate in its cell, and prove it."
FORMATS_HELP = f"The format: {', '.join(FORMATS)}. Default: grid, or table with --counts or --score; pretty has lines."

Candidate = tuple[int, int]
"""A cell and a digit."""


@dataclass(frozen=True)
class Report:
    """The digits that each cell has in some solution; None if there is no solution. `counts`: how many solutions have
    each candidate, lower bounds unless `is_exact`. `scores`: the best score with each, None at the time limit."""

    digits: Sequence[Sequence[int]] | None
    counts: Mapping[Candidate, int] | None = None
    is_exact: bool = True
    scores: Mapping[Candidate, int | None] | None = None

    @property
    def all(self) -> list[Candidate]:
        return [(cell, digit) for cell, digits in enumerate(self.digits or ()) for digit in digits]


@dataclass(frozen=True)
class Options:
    """What is computed for each puzzle, and how it is printed."""

    counts: Annotated[bool, option("--counts", COUNTS_HELP)] = False
    at_most: AtMost = None
    score: Annotated[bool, option("--score", SCORE_HELP)] = False
    output_format: Annotated[str | None, choice("--output-format", FORMATS, FORMATS_HELP)] = None


def candidates(inputs: Inputs, scores: Scores, options: Options, work: Work, output: Output) -> Exit:
    """These are the true candidates, which puzzle setters work with: each stands in a solution that was found and
    checked, and that no other digit is possible is proved. It prints `no solution` where there is none, and `unknown`
    at the time limit. The format line is n³ characters, which the other commands read as a puzzle again.

    Exit status: 0 all is known, 1 at least one puzzle has no solution, 2 malformed input or usage, 3 the time limit or
    --at-most came first, 130 interrupted.
    """
    more = options.counts or options.score
    form = format_of(options.output_format, output.output, FORMATS) or ("table" if more else None)
    refuse(more and form not in ("table", "json"), "--counts and --score are shown by --output-format table and json")
    refuse((scores.weights or scores.minimise) and not options.score, "--weights and --minimise go with --score")
    refuse(options.at_most and not options.counts, "--at-most goes with --counts")
    inputs.require_one_standard_input(*inputs.files, scores.weights)
    objective_of = scores.objective_of if options.score else lambda _: None
    return Job(
        Session(jobs=work.jobs, cluster=work.cluster),
        query_of=lambda entry: partial(_report, entry.puzzle, options, objective_of(entry), work),
        writer_on=lambda stream: partial(_render, form or "grid", stream),
        exit_of=_exit_of,
    ).run(inputs, output, form)


def _exit_of(entry: Entry, report: Report | None) -> Exit:
    if report is None:
        note(f"{entry.place}: time limit: the candidates are not known")
    if report is None or not report.is_exact or (report.scores and None in report.scores.values()):
        return Exit.UNKNOWN
    if report.digits is None:
        note_contradiction(entry)
    return Exit.NEGATIVE if report.digits is None else Exit.OK


def _report(
    puzzle: Puzzle, options: Options, objective: Objective | None, work: Work, session: Session, progress: Progress
) -> Iterator[Report | None]:
    """The candidates, with solution counts and best scores if the options ask for them; None at the time limit."""
    deadline = Deadline.asked(work.time_limit)
    report = Report(true_candidates(puzzle, work.time_limit))
    if report.digits and options.counts:
        counts = Counter[Candidate]()
        for result in enumeration(session, puzzle, options.at_most, deadline.left(), progress, grids=True):
            counts.update(enumerate(result.grid.digits if result.grid else ()))
        # of extra cells each grid was found with one choice alone
        digits = report.digits[: puzzle.board.grid_count]
        report = replace(report, digits=digits, counts=counts, is_exact=result.status is Status.INFEASIBLE)
    if report.digits and objective:
        progress.latest = "no score yet"
        best = session.maximise(puzzle, objective, deadline.left())
        # the candidates of a best grid have its score
        best_digits = best.grid.digits if best.grid and best.status.is_final else ()
        scores: dict[Candidate, int | None] = dict.fromkeys(enumerate(best_digits), best.score)
        for cell, digit in report.all:
            if (cell, digit) not in scores:
                with_it = Puzzle(puzzle.ruleset, puzzle.clues.put(cell, digit))
                found = None if deadline.expired else session.maximise(with_it, objective, deadline.left())
                scores[cell, digit] = found.score if found and found.status.is_final else None
                progress.latest = f"{len(scores)} of {len(report.all)} scores"
        report = replace(report, scores=scores)
    yield report


def _render(form: str, stream: TextIO, entry: Entry, report: Report | None) -> str:
    if form == "json":
        return _render_json(entry, report or Report(None, is_exact=False))
    if report is None:
        return f"{UNKNOWN}\n"
    if form in PICTURES:
        alarm = NO_SOLUTION if report.digits is None else ""
        return draw_puzzle(entry, form, stream, candidates=report.digits or (), alarm=alarm)
    if report.digits is None:
        return f"{NO_SOLUTION}\n"
    if form == "table":
        return _render_table(entry, report, stream)
    if form == "line":
        return _render_line(entry, report.digits)
    return _render_grid(entry, report.digits, ASCII if form == "grid" else characters_for(stream))


def _render_grid(entry: Entry, digits: Sequence[Sequence[int]], characters: Characters) -> str:
    """The grid with the candidates of each cell one after the other, with commas between numbers."""
    board = entry.puzzle.board
    names = entry.layout.symbols or names_on(board)
    joiner = "" if max(map(len, names)) == 1 else ","
    texts = [joiner.join(names[digit - board.least] for digit in found) for found in digits[: board.grid_count]]
    return "\n".join(boxed_lines(Frame(entry.puzzle.ruleset, characters), texts)) + "\n"


def _render_line(entry: Entry, digits: Sequence[Sequence[int]]) -> str:
    """n³ characters, n for each cell: a digit, or a dot if no solution has it. `solve` and other programs read it."""
    board = entry.puzzle.board
    if not board.is_plain or board.order > 9:
        raise UsageError(f"--output-format line is for boards of up to 9x9 with digits from 1, not for {board}")
    return "".join(str(digit) if digit in found else "." for found in digits for digit in board.digits) + "\n"


def _render_table(entry: Entry, report: Report, stream: TextIO) -> str:
    """A line for each candidate: its cell, its digit, how many solutions have it, the best score with it."""
    board = entry.puzzle.board
    columns = {
        "cell": [board.cell_name(cell) for cell, _ in report.all],
        "digit": [entry.layout.name(board, digit) for _, digit in report.all],
    }
    if report.counts is not None:
        at_least = "" if report.is_exact else ">="
        columns["solutions"] = [f"{at_least}{report.counts.get(candidate, 0)}" for candidate in report.all]
    if report.scores is not None:
        best = map(report.scores.get, report.all)
        columns["best"] = [UNKNOWN if score is None else str(score) for score in best]
    rows = list(zip(*columns.values(), strict=True))
    return "\n".join(table_lines(list(columns), rows, terminal_width(stream), ("digit", "solutions", "best"))) + "\n"


def _render_json(entry: Entry, report: Report) -> str:
    """One object on a line. `candidates` has a list of digits for each cell, row by row, null if there is no solution.
    `solutions` and `best` have numbers in the same order, null if they were not asked for; `exact` is false if those of
    solutions are lower bounds, and if the candidates are null since they are not known."""

    def by_cell(data: Mapping[Candidate, int | None] | Mapping[Candidate, int] | None) -> object:
        return data and [[data.get((cell, digit)) for digit in found] for cell, found in enumerate(report.digits or ())]

    record = {
        "candidates": report.digits,
        "solutions": by_cell(report.counts),
        "exact": report.is_exact,
        "best": by_cell(report.scores),
    }
    return json_line(entry, record)
