"""`ringdoku candidates`: the digits that each cell has in some solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from ringdoku.domain.errors import TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.drawing import PICTURES
from ringdoku.services import Session
from ringdoku.services import candidates as true_candidates
from ringdoku.text import Entry, ReadOptions
from ringdoku_cli import options
from ringdoku_cli.answering import answers_in_order, jobs_beside, note_contradiction, noting_interrupts
from ringdoku_cli.enumerating import Enumeration, Watch
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, files_of, weights_from
from ringdoku_cli.messages import note
from ringdoku_cli.outputs import open_output
from ringdoku_cli.render import UNKNOWN, format_of
from ringdoku_cli.render.display import Display
from ringdoku_cli.render.marks import MARKS_FORMATS, Marks

NUMBERED = ("table", "json")
"""The formats that show how many solutions and which scores."""


def candidates(
    sources: options.Sources = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="Count the solutions that have each candidate, up to --at-most solutions.")
    ] = False,
    at_most: options.AtMost = None,
    score: Annotated[
        bool, typer.Option("--score", help="Find the best score with each candidate in its cell, and prove it.")
    ] = False,
    weights: options.Weights = None,
    minimise: Annotated[
        bool, typer.Option("--minimise", "--minimize", help="With --score: find the lowest scores instead.")
    ] = False,
    input_format: options.InputFormat = None,
    output_format: Annotated[
        str | None,
        options.choice(
            "--output-format",
            "output format of candidates",
            MARKS_FORMATS,
            f"The format of candidates: {', '.join(MARKS_FORMATS)}. Default: table with --counts or --score, else "
            "pretty on a terminal, which draws small digits in each cell, and grid elsewhere.",
        ),
    ] = None,
    time_limit: options.TimeLimit = None,
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    box: options.Box = None,
    rules: options.Rules = None,
    ignore: options.Ignore = False,
    keep_going: options.KeepGoing = False,
    output: options.OutputFile = None,
    force: options.Force = False,
) -> Exit:
    """Print the digits that each cell has in some solution.

    These are the true candidates, which puzzle setters work with: each stands in a solution that was found and
    checked, and that no other digit is possible is proved. It prints `no solution` where there is none, and `unknown`
    at the time limit. The format line is n³ characters, which the other commands read as a puzzle again.

    Exit status: 0 all is known, 1 at least one puzzle has no solution, 2 malformed input or usage, 3 the time limit or
    --at-most came first, 130 interrupted.
    """
    files = files_of(sources)
    output_format = format_of(output_format, output, MARKS_FORMATS)
    numbered = counts or score
    if numbered and output_format not in (None, *NUMBERED):
        raise UsageError(f"--counts and --score are shown by --output-format {' and '.join(NUMBERED)}")
    if (weights or minimise) and not score:
        raise UsageError("--weights and --minimise go with --score")
    if at_most and not counts:
        raise UsageError("--at-most goes with --counts")
    if weights == "-" and "-" in files:
        raise UsageError("the puzzles and --weights cannot both come from standard input")
    sense = Sense.MINIMISE if minimise else Sense.MAXIMISE
    given = weights_from(weights, sense) if weights else None
    jobs = jobs_beside(jobs, cluster)
    session, display = Session(cluster=cluster), Display()
    exit_code = Exit.OK
    how = ReadOptions(input_format, options.parse_box(box), rules=rules, ignore=ignore)
    with (
        Puzzles(files, how, keep_going) as puzzles,
        open_output(output, force) as stream,
        closing(display.entries(puzzles, stream)) as entries,
    ):
        if output_format in PICTURES:
            puzzles.require_one(f"`ringdoku draw --candidates true -o 'grid-{options.NUMBER}.svg'` draws each")

        def question(entry: Entry) -> partial[Marks | None]:
            objective = (given or ring_weights(entry.puzzle.board, sense)) if score else None
            return partial(_marks, entry.puzzle, counts, at_most, objective, time_limit)

        def here(entry: Entry) -> Marks | None:
            with noting_interrupts(entry):
                return question(entry)(session, Watch(display, entry))

        fitting = (entry for entry in entries if puzzles.fit(entry, given))
        answered = answers_in_order(puzzles, session, jobs, fitting, here, question, None, entry_of=lambda entry: entry)
        for entry, marks in answered:
            ended = Exit.OK
            if marks is None or not marks.is_exact or (marks.scores and None in marks.scores.values()):
                ended = Exit.UNKNOWN
            elif marks.digits is None:
                note_contradiction(entry)
                ended = Exit.NEGATIVE
            if marks is None:
                stream.write(f"{UNKNOWN}\n")
                note(f"{entry.place}: time limit: the candidates are not known")
            else:
                name = output_format or ("table" if numbered else "pretty" if stream.isatty() else "grid")
                stream.write(MARKS_FORMATS[name](entry, marks, stream))
            stream.flush()
            exit_code = worst(exit_code, ended)
        return worst(exit_code, puzzles.exit)


def _marks(
    puzzle: Puzzle,
    counts: bool,
    at_most: int | None,
    objective: Objective | None,
    time_limit: float | None,
    session: Session,
    watch: Watch | None = None,
) -> Marks | None:
    """The candidates, and their numbers and best scores where they are wanted; None at the time limit."""
    try:
        marks = Marks(true_candidates(puzzle, time_limit))
        if marks.digits is None:
            return marks
        if counts:
            found = Enumeration(session, puzzle, at_most, time_limit, watch)
            marks = replace(marks, counts=_counts(found), is_exact=found.is_complete)
        if objective:
            marks = replace(marks, scores=_scores(session, puzzle, marks, objective, time_limit, watch))
    except TimeLimitError:
        return None
    return marks


def _counts(found: Enumeration) -> Mapping[tuple[int, int], int]:
    """How many solutions have each candidate."""
    counter: Counter[tuple[int, int]] = Counter()
    for result in found:
        assert result.grid is not None
        counter.update(enumerate(result.grid.digits))
    return counter


def _scores(
    session: Session, puzzle: Puzzle, marks: Marks, objective: Objective, time_limit: float | None, watch: Watch | None
) -> Mapping[tuple[int, int], int | None]:
    """The best score with each candidate, None where the time limit came before the proof."""
    scores = dict[tuple[int, int], int | None]()
    assert marks.digits is not None
    total = sum(map(len, marks.digits))
    if watch:
        watch.display.begin("no score yet")
    try:
        best = session.maximise(puzzle, objective, time_limit)
        if best.status.is_final and best.grid is not None:
            # no score is better than the best one
            scores |= dict.fromkeys(enumerate(best.grid.digits), best.score)
        for cell, digits in enumerate(marks.digits):
            for digit in digits:
                if (cell, digit) not in scores:
                    result = session.maximise(_with(puzzle, cell, digit), objective, time_limit)
                    scores[cell, digit] = result.score if result.status.is_final else None
                    if watch:
                        watch.display.hear(f"{len(scores)} of {total} scores")
    finally:
        if watch:
            watch.display.end()
    return scores


def _with(puzzle: Puzzle, cell: int, digit: int) -> Puzzle:
    """The puzzle with one more clue."""
    digits = puzzle.clues.digits
    return Puzzle(puzzle.ruleset, Grid((*digits[:cell], digit, *digits[cell + 1 :]), puzzle.board))
