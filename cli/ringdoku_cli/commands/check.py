"""`ringdoku check`: whether a puzzle is well-formed or has one solution, and whether a grid is its solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Annotated, Any, BinaryIO, NamedTuple, TextIO

import typer

from ringdoku.domain.board import Board
from ringdoku.domain.checker import check as check_grid
from ringdoku.domain.checker import repeats, sentence
from ringdoku.domain.errors import InputError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.proofs.claims import Claim
from ringdoku.services import Session
from ringdoku.services.lines import Lines, count_lines
from ringdoku.text import Entry, StatedAnswer, pair, read_stated
from ringdoku_cli import options
from ringdoku_cli.answering import Loop, Question, note_more_than_one, together
from ringdoku_cli.certificates import Certificates
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, input_name, open_binary
from ringdoku_cli.outputs import Answers, Writer, begin_files_for
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.verdict import VERDICT_FORMATS, Absence, Best, Count, Verdict


class Searched(NamedTuple):
    """What a solver said of a puzzle; `how_many` is None without --unique, `optimum` unknown without --best."""

    how_many: Count | None
    grids: list[Grid]
    optimum: Result


@dataclass(frozen=True)
class Claimed(Question[Searched]):
    """What is said of a puzzle: a filled grid, or what stands in the file of --solution."""

    answer: Grid | None
    stated: StatedAnswer | None
    objective: Objective


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    solution: Annotated[
        str | None,
        typer.Option(
            "--solution",
            metavar="FILE",
            help="Answers in the order of all puzzles: a filled grid for each, its score above it, or the score alone.",
        ),
    ] = None
    unique: Annotated[bool, typer.Option("--unique", help="Check whether there is exactly one solution.")] = False
    best: Annotated[
        bool,
        typer.Option("--best", help="Check whether the score is the best one, and -1 whether there is no solution."),
    ] = False
    output_format: Annotated[
        str | None,
        options.choice(
            "--output-format",
            "output format of check",
            VERDICT_FORMATS,
            f"The format of verdicts: {', '.join(VERDICT_FORMATS)}; text if not given.",
        ),
    ] = None

    def require_sense(self, inputs: options.Inputs, scores: options.Scores, certified: options.Certified) -> None:
        """Raises `UsageError` for options that do not go together."""
        if self.solution and inputs.keep_going:
            raise UsageError("--keep-going cannot go with --solution: answers could be matched to the wrong puzzles")
        if certified.certificate and not self.unique:
            raise UsageError("--certificate goes with --unique")
        if scores.minimise and not self.best:
            raise UsageError("--minimise goes with --best")


def check(
    inputs: options.Inputs,
    asked: Asked,
    scores: options.Scores,
    solver: options.Solver,
    certified: options.Certified,
    output: options.Output,
) -> Exit:
    """Check puzzles and filled grids.

    A grid is checked as a solution when it comes from --solution or the second column of CSV input, or when the
    puzzle itself has no blanks: each broken unit and each changed clue is named, and the score is printed. Otherwise
    the clues are checked for contradictions.

    --solution takes what solve and maximise --grid write. A number above a grid is a score to check; give the
    --weights that it was made with. `no solution`, `unknown`, -1 without a grid, and JSON whose grid is null stand in
    place of a grid, as a score alone does. Only contradictory clues, --unique or --best show that there is no solution;
    only --best shows whether a score without a grid is right.

    Exit status: 0 all is right, 1 something is wrong, 2 malformed input or usage, 3 --unique or --best reached the
    time limit, or there was no grid to check, 130 interrupted.
    """
    inputs.require_one_standard_input(asked.solution, scores.weights)
    begin_files_for(inputs.files, output.output)
    asked.require_sense(inputs, scores, certified)
    others = (*inputs.files, asked.solution, output.output)
    certificates = Certificates(certified, solver.time_limit, output.force, *others)
    render = VERDICT_FORMATS[format_of(asked.output_format, output.output, VERDICT_FORMATS) or "text"]
    session = solver.session()
    alone = solver.require_alone(certificate=certificates.wanted) or not (asked.unique or asked.best)

    def writer_on(_: TextIO) -> Writer:
        return lambda _, verdict: render(verdict)

    with ExitStack() as stack:
        puzzles = stack.enter_context(inputs.puzzles(verify=False))
        stated = stack.enter_context(open_binary(asked.solution)) if asked.solution else None
        answers = stack.enter_context(output.answers(writer_on))
        certificates.require_a_pair_for_each(puzzles)
        claims = _claims(puzzles, stated, asked.solution, inputs.shape)
        checking = Checking(asked, scores, solver.time_limit, session.word_of, answers, certificates)
        plain = asked.unique and not (asked.best or stated or alone) and answers.takes_lines
        lines = puzzles.plain_lines() if plain else None
        questions = checking.together(puzzles, lines) if lines else checking.questions(claims)
        lost = Searched(Count.UNKNOWN if asked.unique else None, [], Result(Status.UNKNOWN))
        return Loop(session, answers.stream, lost, alone).run(puzzles, questions, checking.write)


@dataclass(frozen=True)
class Checking:
    """Asks the questions, and writes the verdicts."""

    asked: Asked
    scores: options.Scores
    time_limit: float | None
    word_of: str
    answers: Answers
    certificates: Certificates

    def questions(self, claims: Iterable[tuple[Entry, Grid | None, StatedAnswer | None]]) -> Iterator[Any]:
        """What is asked of each puzzle."""
        for number, (entry, answer, stated) in enumerate(claims, 1):
            self.answers.begin(number, entry)
            self.certificates.begin(number, entry)
            yield self._claimed(number, entry, answer, stated)

    def together(self, puzzles: Puzzles, lines: Lines) -> Iterator[Any]:
        """What is asked of plain lines: whether each has one solution."""
        return together(puzzles, lines, partial(_together, self.time_limit), self._alone)

    def _alone(self, number: int, entry: Entry) -> Claimed:
        return self._claimed(number, entry, _own_answer(entry), None)

    def _claimed(self, number: int, entry: Entry, answer: Grid | None, stated: StatedAnswer | None) -> Claimed:
        objective = self.scores.on(entry.puzzle.board)
        wanted = objective if self.asked.best and (answer or stated) else None
        ask = partial(_searched, entry.puzzle, wanted, self.asked.unique, self.time_limit)
        return Claimed(number, entry, ask, answer, stated, objective)

    def write(self, claimed: Claimed, searched: Iterable[Searched]) -> Exit:
        """The verdict on a puzzle."""
        (found,) = searched
        number, entry = claimed.number, claimed.entry
        verdict = _verdict(claimed, found, self.asked.best)
        if found.how_many is Count.MANY and entry.shared:
            note_more_than_one(entry)
        if found.how_many not in (Count.NONE, Count.ONE):
            self.answers.write(number, entry, verdict)
            if found.how_many:
                self.certificates.refuse(entry, found.how_many.value)
            return verdict.exit
        self.answers.write(number, entry, replace(verdict, word_of=self.word_of))
        claim = Claim(len(found.grids))
        return worst(verdict.exit, self.certificates.write(number, entry, claim, found.grids, word_of=self.word_of))


def _own_answer(entry: Entry) -> Grid | None:
    """The solution in the input itself: a second column, or a puzzle that is a filled grid."""
    clues = entry.puzzle.clues
    return entry.solution or (clues if clues.is_full else None)


def _claims(
    puzzles: Puzzles, stream: BinaryIO | None, path: str | None, shape: tuple[int, int] | None
) -> Iterator[tuple[Entry, Grid | None, StatedAnswer | None]]:
    """Each puzzle with a grid to check, and what the file says, if there is one. Raises `UsageError` unless it says as
    much as there are puzzles."""
    board: Board | None = None
    all_stated = _read_stated(stream, path or "", shape, lambda: board) if stream else None
    for entry in puzzles:
        board = entry.puzzle.board
        if all_stated is None:
            yield entry, _own_answer(entry), None
            continue
        stated = next(all_stated, None)
        if stated is None:
            raise UsageError(f"{path} holds no solution for the puzzle at {entry.place}")
        paired, found = pair(entry, stated.entry) if stated.entry else (entry, None)
        yield paired, found, stated
    if all_stated is not None and next(all_stated, None) is not None:
        raise UsageError(f"{path} holds more solutions than there are puzzles")


def _read_stated(
    stream: BinaryIO, path: str, shape: tuple[int, int] | None, board_of: Callable[[], Board | None]
) -> Iterator[StatedAnswer]:
    for item in read_stated(stream, input_name(path), shape, board_of):
        if isinstance(item, InputError):
            raise item
        yield item


def _searched(
    puzzle: Puzzle,
    objective: Objective | None,
    unique: bool,
    time_limit: float | None,
    session: Session,
    _progress: Progress,
) -> list[Searched]:
    count, grids = _count(session, puzzle, time_limit) if unique else (None, [])
    optimum = session.maximise(puzzle, objective, time_limit) if objective else Result(Status.UNKNOWN)
    return [Searched(count, grids, optimum)]


def _together(time_limit: float | None, lines: Lines, session: Session, _: Progress) -> list[Searched]:
    def search(index: int) -> Searched:
        return Searched(*_count(session, lines.puzzle(index), time_limit), Result(Status.UNKNOWN))

    return count_lines(lines, session, Searched(Count.ONE, [], Result(Status.UNKNOWN)), search)


def _count(session: Session, puzzle: Puzzle, time_limit: float | None) -> tuple[Count, list[Grid]]:
    """With at most two solutions."""
    grids: list[Grid] = []
    try:
        grids += islice(session.solutions(puzzle, time_limit), 2)
    except TimeLimitError:
        return Count.UNKNOWN, grids
    return (Count.NONE, Count.ONE, Count.MANY)[len(grids)], grids


def _verdict(claimed: Claimed, found: Searched, best: bool) -> Verdict:
    entry, answer, stated, objective = claimed.entry, claimed.answer, claimed.stated, claimed.objective
    puzzle, name = entry.puzzle, partial(entry.layout.name, entry.puzzle.board)
    if answer is None:
        faults = tuple(sentence(fault, name) for fault in repeats(puzzle, puzzle.clues))
        verdict = Verdict(
            entry, faults, score=stated.score if stated else None, count=found.how_many, absence=_absence(stated)
        )
    else:
        violations = check_grid(puzzle, answer, objective, stated.score if stated else None)
        faults = tuple(sentence(fault, name) for fault in violations)
        score = objective.score(answer) if answer.is_full and answer.board == puzzle.board else None
        verdict = Verdict(entry, faults, answer, score, found.how_many)
    return _with_best(verdict, stated, found.optimum, objective) if best else verdict


def _absence(stated: StatedAnswer | None) -> Absence | None:
    if stated is None:
        return None
    if stated.score is not None:
        return Absence.SCORE
    return Absence.PROVED if stated.infeasible else Absence.UNEXPLAINED


def _with_best(verdict: Verdict, stated: StatedAnswer | None, result: Result, objective: Objective) -> Verdict:
    """The verdict, and what the search for the best score says of it."""
    none = result.status is Status.INFEASIBLE
    if stated and stated.is_minus_one and min(objective.weights) < 0 and not none:
        # with weights below 0, a puzzle with a solution may have this score
        verdict = replace(verdict, absence=Absence.SCORE, score=-1)
    score, says_none = verdict.score, verdict.absence is Absence.PROVED
    if score is None and not says_none:
        return replace(verdict, absence=verdict.absence or Absence.NOTHING)
    if (says_none and none) or (result.status is Status.OPTIMAL and result.score == score):
        # there is no solution: that the clues contradict each other is no fault of the answer
        return replace(verdict, faults=() if says_none else verdict.faults, best=Best.PROVED)
    fault = _fault_of(score, result, objective)
    if fault is None:
        return replace(verdict, best=Best.UNKNOWN)
    where = f"{stated.place}: " if stated else ""
    return replace(verdict, best=Best.DISPROVED, best_fault=where + fault)


def _fault_of(score: int | None, result: Result, objective: Objective) -> str | None:
    """What is wrong with a score, or where that is None with the claim that there is no solution; None if nothing is
    known to be wrong."""
    best, better = result.score, objective.sense.better
    if result.status is Status.INFEASIBLE:
        return "there is no solution"
    if score is None:
        return None if best is None else f"there is a solution with the score {best}"
    if result.status is Status.OPTIMAL:
        return f"the best score is {best}, not {score}"
    if best is not None and better(best, score):
        return f"the score {best} is better than {score}"
    if result.bound is not None and better(score, result.bound):
        return f"no score is better than {result.bound}, so none is {score}"
    return None
