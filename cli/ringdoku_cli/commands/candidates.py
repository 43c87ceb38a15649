"""`ringdoku candidates`: the digits that each cell has in some solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, TextIO

import typer

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.services import Session
from ringdoku.services import candidates as true_candidates
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli import options
from ringdoku_cli.answering import Enumeration, Loop, Question, note_contradiction
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import Writer, begin_files_for, require_a_file_for_each
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.marks import MARKS_FORMATS, Marks

NUMBERED = ("table", "json")
"""The formats that show how many solutions and which scores."""


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    counts: Annotated[
        bool, typer.Option("--counts", help="Count the solutions that have each candidate, up to --at-most solutions.")
    ] = False
    at_most: options.AtMost = None
    score: Annotated[
        bool, typer.Option("--score", help="Find the best score with each candidate in its cell, and prove it.")
    ] = False
    output_format: Annotated[
        str | None,
        options.choice(
            "--output-format",
            "output format of candidates",
            MARKS_FORMATS,
            f"The format of candidates: {', '.join(MARKS_FORMATS)}. Default: table with --counts or --score, else "
            "pretty on a terminal, which draws small digits in each cell, and grid elsewhere.",
        ),
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
    begin_files_for(inputs.files, output.output)

    def writer_on(stream: TextIO) -> Writer:
        render = MARKS_FORMATS[form or ("pretty" if stream.isatty() else "grid")]
        return lambda entry, marks: render(entry, marks, stream) if marks else f"{UNKNOWN}\n"

    def write(question: Question[Marks | None], found: Iterable[Marks | None]) -> Exit:
        (marks,) = found
        answers.write(question.number, question.entry, marks)
        if marks is None:
            note(f"{question.entry.place}: time limit: the candidates are not known")
            return Exit.UNKNOWN
        if not marks.is_exact or (marks.scores and None in marks.scores.values()):
            return Exit.UNKNOWN
        if marks.digits is None:
            note_contradiction(question.entry)
            return Exit.NEGATIVE
        return Exit.OK

    with inputs.puzzles() as puzzles, output.answers(writer_on) as answers:
        require_a_file_for_each(puzzles, output.output, form)

        def questions() -> Iterator[Question[Marks | None]]:
            for number, entry in enumerate(puzzles, 1):
                answers.begin(number, entry)
                if puzzles.fit(entry, scores.given):
                    objective = scores.on(entry.puzzle.board) if asked.score else None
                    ask = partial(_marks, entry.puzzle, asked.counts, asked.at_most, objective, work.time_limit)
                    yield Question(number, entry, ask)

        return Loop(work.session(), answers.stream, None).run(puzzles, questions(), write)


def _marks(
    puzzle: Puzzle,
    counts: bool,
    at_most: int | None,
    objective: Objective | None,
    time_limit: float | None,
    session: Session,
    progress: Progress,
) -> list[Marks | None]:
    """The candidates, and their numbers and best scores where they are wanted; None at the time limit."""
    try:
        marks = Marks(true_candidates(puzzle, time_limit))
        if marks.digits and counts:
            found = Enumeration(session, puzzle, at_most, time_limit, progress)
            marks = replace(marks, counts=_counts(found), is_exact=found.is_complete)
        if marks.digits and objective:
            marks = replace(marks, scores=_scores(session, puzzle, marks, objective, time_limit, progress))
    except TimeLimitError:
        return [None]
    return [marks]


def _counts(found: Enumeration) -> Mapping[tuple[int, int], int]:
    """How many solutions have each candidate."""
    counter: Counter[tuple[int, int]] = Counter()
    for result in found:
        assert result.grid is not None
        counter.update(enumerate(result.grid.digits))
    return counter


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
            result = session.maximise(_with(puzzle, cell, digit), objective, time_limit)
            scores[cell, digit] = result.score if result.status.is_final else None
            progress.hear(f"{len(scores)} of {len(wanted)} scores")
    return scores


def _with(puzzle: Puzzle, cell: int, digit: int) -> Puzzle:
    """The puzzle with one more clue."""
    digits = puzzle.clues.digits
    return Puzzle(puzzle.ruleset, Grid((*digits[:cell], digit, *digits[cell + 1 :]), puzzle.board))
