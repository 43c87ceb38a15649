"""`ringdoku candidates`: the digits that each cell has in some solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, TextIO

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Status
from ringdoku.services import Session
from ringdoku.services import candidates as true_candidates
from ringdoku.text import Entry
from ringdoku_cli import options
from ringdoku_cli.answering import Job, enumerated, note_contradiction
from ringdoku_cli.exits import Exit, note
from ringdoku_cli.outputs import Writer
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.marks import MARKS_FORMATS, Marks, render_marks

COUNTS_HELP = "Count the solutions that have each candidate, up to --at-most solutions."
SCORE_HELP = "Find the best score with each candidate in its cell, and prove it."
FORMATS_HELP = (
    f"The format of candidates: {', '.join(MARKS_FORMATS)}. Default: table with --counts or --score, else pretty on a "
    "terminal, which draws small digits in each cell, and grid elsewhere."
)


def candidates(
    inputs: options.Inputs,
    scores: options.Scores,
    work: options.Work,
    output: options.Output,
    counts: Annotated[bool, options.option("--counts", COUNTS_HELP)] = False,
    at_most: options.AtMost = None,
    score: Annotated[bool, options.option("--score", SCORE_HELP)] = False,
    output_format: Annotated[
        str | None, options.choice("--output-format", "output format of candidates", MARKS_FORMATS, FORMATS_HELP)
    ] = None,
) -> Exit:
    """Print the digits that each cell has in some solution.

    These are the true candidates, which puzzle setters work with: each stands in a solution that was found and
    checked, and that no other digit is possible is proved. It prints `no solution` where there is none, and `unknown`
    at the time limit. The format line is n³ characters, which the other commands read as a puzzle again.

    Exit status: 0 all is known, 1 at least one puzzle has no solution, 2 malformed input or usage, 3 the time limit or
    --at-most came first, 130 interrupted.
    """
    form = format_of(output_format, output.output, MARKS_FORMATS) or ("table" if counts or score else None)
    shown = "--counts and --score are shown by --output-format table and json"
    options.refuse((counts or score) and form not in ("table", "json"), shown)
    options.refuse((scores.weights or scores.minimise) and not score, "--weights and --minimise go with --score")
    options.refuse(at_most and not counts, "--at-most goes with --counts")
    inputs.require_one_standard_input(scores.weights)

    def ask(entry: Entry) -> partial[Iterator[Marks | None]]:
        objective = scores.of(entry.puzzle) if score else None
        return partial(_marks, entry.puzzle, counts, at_most, objective, work.time_limit)

    def writer_on(stream: TextIO) -> Writer:
        return partial(render_marks, form or ("pretty" if stream.isatty() else "grid"), stream)

    job = Job(work.session(), ask, writer_on, _exit_of, lost=None)
    return job.run(inputs, output, form, weights=scores.given)


def _exit_of(entry: Entry, marks: Marks | None) -> Exit:
    """Says on standard error why nothing is known."""
    if marks is None:
        note(f"{entry.place}: time limit: the candidates are not known")
    if marks is None or not marks.is_exact or (marks.scores and None in marks.scores.values()):
        return Exit.UNKNOWN
    if marks.digits is None:
        note_contradiction(entry)
    return Exit.NEGATIVE if marks.digits is None else Exit.OK


def _marks(
    puzzle: Puzzle,
    counts: bool,
    at_most: int | None,
    objective: Objective | None,
    time_limit: float | None,
    session: Session,
    progress: Progress,
) -> Iterator[Marks | None]:
    """The candidates, and their numbers and best scores where they are wanted; None at the time limit."""
    try:
        marks = Marks(true_candidates(puzzle, time_limit))
        if marks.digits and counts:
            numbers = Counter[tuple[int, int]]()
            for result in enumerated(session, puzzle, at_most, time_limit, progress):
                numbers.update(enumerate(result.grid.digits if result.grid else ()))
            marks = replace(marks, counts=numbers, is_exact=result.status is Status.INFEASIBLE)
        if marks.digits and objective:
            marks = replace(marks, scores=_scores(session, puzzle, marks, objective, time_limit, progress))
    except TimeLimitError:
        yield None
    else:
        yield marks


def _scores(
    session: Session, puzzle: Puzzle, marks: Marks, objective: Objective, time_limit: float | None, progress: Progress
) -> Mapping[tuple[int, int], int | None]:
    """The best score with each candidate, None where the time limit came before the proof."""
    scores = dict[tuple[int, int], int | None]()
    wanted = [(cell, digit) for cell, digits in enumerate(marks.digits or ()) for digit in digits]
    progress.hear("no score yet")
    best = session.maximise(puzzle, objective, time_limit)
    if best.status.is_final and best.grid is not None:
        # no score is better than the best one
        scores |= dict.fromkeys(enumerate(best.grid.digits), best.score)
    for cell, digit in wanted:
        if (cell, digit) not in scores:
            clues = puzzle.clues.digits
            with_it = Grid((*clues[:cell], digit, *clues[cell + 1 :]), puzzle.board)
            result = session.maximise(Puzzle(puzzle.ruleset, with_it), objective, time_limit)
            scores[cell, digit] = result.score if result.status.is_final else None
            progress.hear(f"{len(scores)} of {len(wanted)} scores")
    return scores
