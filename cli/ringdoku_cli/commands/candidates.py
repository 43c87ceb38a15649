"""`ringdoku candidates`: the digits that each cell has in some solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, TextIO

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.services import Session
from ringdoku.services import candidates as true_candidates
from ringdoku.text import Entry
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli import options
from ringdoku_cli.answering import Enumeration, Job, note_contradiction
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import Writer
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.marks import MARKS_FORMATS, Marks

NUMBERED = ("table", "json")
"""The formats that show how many solutions and which scores."""
COUNTS_HELP = "Count the solutions that have each candidate, up to --at-most solutions."
SCORE_HELP = "Find the best score with each candidate in its cell, and prove it."
FORMATS_HELP = (
    f"The format of candidates: {', '.join(MARKS_FORMATS)}. Default: table with --counts or --score, else pretty on a "
    "terminal, which draws small digits in each cell, and grid elsewhere."
)


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    counts: Annotated[bool, options.option("--counts", COUNTS_HELP)] = False
    at_most: options.AtMost = None
    score: Annotated[bool, options.option("--score", SCORE_HELP)] = False
    output_format: Annotated[
        str | None, options.choice("--output-format", "output format of candidates", MARKS_FORMATS, FORMATS_HELP)
    ] = None

    def form(self, output: str | None, scores: options.Scores) -> str | None:
        """The output format, None where it depends on the output. Raises `UsageError`."""
        form = format_of(self.output_format, output, MARKS_FORMATS)
        if (self.counts or self.score) and form not in (None, *NUMBERED):
            raise UsageError(f"--counts and --score are shown by --output-format {' and '.join(NUMBERED)}")
        if (scores.weights or scores.minimise) and not self.score:
            raise UsageError("--weights and --minimise go with --score")
        if self.at_most and not self.counts:
            raise UsageError("--at-most goes with --counts")
        return form or ("table" if self.counts or self.score else None)


def candidates(
    inputs: options.Inputs, asked: Asked, scores: options.Scores, work: options.Work, output: options.Output
) -> Exit:
    """Print the digits that each cell has in some solution.

    These are the true candidates, which puzzle setters work with: each stands in a solution that was found and
    checked, and that no other digit is possible is proved. It prints `no solution` where there is none, and `unknown`
    at the time limit. The format line is n³ characters, which the other commands read as a puzzle again.

    Exit status: 0 all is known, 1 at least one puzzle has no solution, 2 malformed input or usage, 3 the time limit or
    --at-most came first, 130 interrupted.
    """
    form = asked.form(output.output, scores)
    inputs.require_one_standard_input(scores.weights)

    def ask(entry: Entry) -> partial[Iterator[Marks | None]]:
        objective = scores.of(entry.puzzle) if asked.score else None
        return partial(_marks, entry.puzzle, asked, objective, work.time_limit)

    def writer_on(stream: TextIO) -> Writer:
        render = MARKS_FORMATS[form or ("pretty" if stream.isatty() else "grid")]
        return lambda entry, marks: render(entry, marks, stream) if marks else f"{UNKNOWN}\n"

    def exit_of(entry: Entry, marks: Marks | None) -> Exit:
        if marks is None:
            note(f"{entry.place}: time limit: the candidates are not known")
        if marks is None or not marks.is_exact or (marks.scores and None in marks.scores.values()):
            return Exit.UNKNOWN
        if marks.digits is None:
            note_contradiction(entry)
        return Exit.NEGATIVE if marks.digits is None else Exit.OK

    job = Job(work.session(), ask, writer_on, exit_of, lost=None)
    return job.run(inputs, output, form, weights=scores.given)


def _marks(
    puzzle: Puzzle,
    asked: Asked,
    objective: Objective | None,
    time_limit: float | None,
    session: Session,
    progress: Progress,
) -> Iterator[Marks | None]:
    """The candidates, and their numbers and best scores where they are wanted; None at the time limit."""
    try:
        marks = Marks(true_candidates(puzzle, time_limit))
        if marks.digits and asked.counts:
            counts = Counter[tuple[int, int]]()
            found = Enumeration(session, puzzle, asked.at_most, time_limit, progress)
            for result in found:
                assert result.grid is not None
                counts.update(enumerate(result.grid.digits))
            marks = replace(marks, counts=counts, is_exact=found.is_complete)
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
