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
from ringdoku.drawing.terminal import ASCII, Characters, boxed_lines, frame_of
from ringdoku.limits import Deadline
from ringdoku.text import Entry
from ringdoku.text.cells import names_on
from ringdoku.text.stated import NO_SOLUTION, UNKNOWN
from ringdoku_cli.answering import Job, Progress, enumerated, note_contradiction
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
class Marks:
    """The digits that each cell has in some solution; None: there is no solution. `counts` says in how many solutions a
    candidate is, at least that many unless `is_exact`; `scores` the best score with it, None where the time limit came
    first."""

    digits: Sequence[Sequence[int]] | None
    counts: Mapping[Candidate, int] | None = None
    is_exact: bool = True
    scores: Mapping[Candidate, int | None] | None = None

    @property
    def all(self) -> list[Candidate]:
        return [(cell, digit) for cell, digits in enumerate(self.digits or ()) for digit in digits]


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    counts: Annotated[bool, option("--counts", COUNTS_HELP)] = False
    at_most: AtMost = None
    score: Annotated[bool, option("--score", SCORE_HELP)] = False
    output_format: Annotated[str | None, choice("--output-format", FORMATS, FORMATS_HELP)] = None


def candidates(inputs: Inputs, scores: Scores, asked: Asked, work: Work, output: Output) -> Exit:
    """These are the true candidates, which puzzle setters work with: each stands in a solution that was found and
    checked, and that no other digit is possible is proved. It prints `no solution` where there is none, and `unknown`
    at the time limit. The format line is n³ characters, which the other commands read as a puzzle again.

    Exit status: 0 all is known, 1 at least one puzzle has no solution, 2 malformed input or usage, 3 the time limit or
    --at-most came first, 130 interrupted.
    """
    more = asked.counts or asked.score
    form = format_of(asked.output_format, output.output, FORMATS) or ("table" if more else None)
    refuse(more and form not in ("table", "json"), "--counts and --score are shown by --output-format table and json")
    refuse((scores.weights or scores.minimise) and not asked.score, "--weights and --minimise go with --score")
    refuse(asked.at_most and not asked.counts, "--at-most goes with --counts")
    inputs.require_one_standard_input(*inputs.files, scores.weights)

    def ask(entry: Entry) -> partial[Iterator[Marks | None]]:
        return partial(_marks, entry.puzzle, asked, scores.of(entry) if asked.score else None, work.time_limit)

    session = Session(jobs=work.jobs, cluster=work.cluster)
    job = Job(session, ask, lambda stream: partial(_render, form or "grid", stream), _exit_of)
    return job.run(inputs, output, form)


def _exit_of(entry: Entry, marks: Marks | None) -> Exit:
    if marks is None:
        note(f"{entry.place}: time limit: the candidates are not known")
    if marks is None or not marks.is_exact or (marks.scores and None in marks.scores.values()):
        return Exit.UNKNOWN
    if marks.digits is None:
        note_contradiction(entry)
    return Exit.NEGATIVE if marks.digits is None else Exit.OK


def _marks(
    puzzle: Puzzle, asked: Asked, objective: Objective | None, limit: float | None, session: Session, progress: Progress
) -> Iterator[Marks | None]:
    """The candidates, and their numbers and best scores where they are wanted; None at the time limit."""
    deadline = Deadline.asked(limit)
    marks = Marks(true_candidates(puzzle, limit))
    if marks.digits and asked.counts:
        numbers = Counter[Candidate]()
        for result in enumerated(session, puzzle, asked.at_most, deadline.left(), progress, grids=True):
            numbers.update(enumerate(result.grid.digits if result.grid else ()))
        marks = replace(marks, counts=numbers, is_exact=result.status is Status.INFEASIBLE)
    if marks.digits and objective:
        progress.latest = "no score yet"
        best = session.maximise(puzzle, objective, deadline.left())
        # no score is better than the best one
        known = best.grid.digits if best.grid and best.status.is_final else ()
        scores: dict[Candidate, int | None] = dict.fromkeys(enumerate(known), best.score)
        for cell, digit in marks.all:
            if (cell, digit) not in scores:
                with_it = Puzzle(puzzle.ruleset, puzzle.clues.put(cell, digit))
                found = None if deadline.expired else session.maximise(with_it, objective, deadline.left())
                scores[cell, digit] = found.score if found and found.status.is_final else None
                progress.latest = f"{len(scores)} of {len(marks.all)} scores"
        marks = replace(marks, scores=scores)
    yield marks


def _render(form: str, stream: TextIO, entry: Entry, marks: Marks | None) -> str:
    if marks is None:
        return f"{UNKNOWN}\n"
    if form == "json":
        return _render_json(entry, marks)
    if form in PICTURES:
        alarm = NO_SOLUTION if marks.digits is None else ""
        return draw_puzzle(entry, form, stream, candidates=marks.digits or (), alarm=alarm)
    if marks.digits is None:
        return f"{NO_SOLUTION}\n"
    if form == "table":
        return _render_table(entry, marks, stream)
    if form == "line":
        return _render_line(entry, marks.digits)
    return _render_grid(entry, marks.digits, ASCII if form == "grid" else characters_for(stream))


def _render_grid(entry: Entry, digits: Sequence[Sequence[int]], characters: Characters) -> str:
    """Each cell its digits, one after the other; numbers have commas between them."""
    board = entry.puzzle.board
    names = entry.layout.symbols or names_on(board)
    joiner = "" if max(map(len, names)) == 1 else ","
    texts = [joiner.join(names[digit - board.least] for digit in found) for found in digits[: board.grid_count]]
    return "\n".join(boxed_lines(frame_of(entry.puzzle.ruleset, characters), texts)) + "\n"


def _render_line(entry: Entry, digits: Sequence[Sequence[int]]) -> str:
    """n³ characters: n for each cell, a dot for a digit that it never has. `solve` and other programs read them."""
    board = entry.puzzle.board
    if not board.is_plain or board.order > 9:
        raise UsageError(f"--output-format line is for boards of up to 9x9 with digits from 1, not for {board}")
    return "".join(str(digit) if digit in found else "." for found in digits for digit in board.digits) + "\n"


def _render_table(entry: Entry, marks: Marks, stream: TextIO) -> str:
    """A line for each candidate: its cell, its digit, how many solutions have it, the best score with it."""
    board = entry.puzzle.board
    columns = {
        "cell": [board.cell_name(cell) for cell, _ in marks.all],
        "digit": [entry.layout.name(board, digit) for _, digit in marks.all],
    }
    if marks.counts is not None:
        at_least = "" if marks.is_exact else ">="
        columns["solutions"] = [f"{at_least}{marks.counts.get(candidate, 0)}" for candidate in marks.all]
    if marks.scores is not None:
        best = map(marks.scores.get, marks.all)
        columns["best"] = [UNKNOWN if score is None else str(score) for score in best]
    rows = list(zip(*columns.values(), strict=True))
    return "\n".join(table_lines(list(columns), rows, terminal_width(stream), ("digit", "solutions", "best"))) + "\n"


def _render_json(entry: Entry, marks: Marks) -> str:
    """One object on a line; `candidates` has a list of digits for each cell, row after row, null for no solution.
    `solutions` and `best` have the numbers in the same order, null where they were not asked for. `exact` is false
    where the numbers of solutions are lower limits."""

    def numbers(of: Mapping[Candidate, int | None] | Mapping[Candidate, int] | None) -> object:
        return of and [[of.get((cell, digit)) for digit in found] for cell, found in enumerate(marks.digits or ())]

    record = {
        "candidates": marks.digits,
        "solutions": numbers(marks.counts),
        "exact": marks.is_exact,
        "best": numbers(marks.scores),
    }
    return json_line(entry, record)
