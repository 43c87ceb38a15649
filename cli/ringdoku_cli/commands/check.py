"""`ringdoku check`: whether a puzzle is well-formed or has one solution, and whether a grid is its solution."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from itertools import islice
from typing import Annotated, BinaryIO

from ringdoku.domain.board import Board
from ringdoku.domain.checker import check as check_grid
from ringdoku.domain.checker import repeats, sentence
from ringdoku.domain.constraint import Boxes, Lines
from ringdoku.domain.errors import InputError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.proofs.model import Claim
from ringdoku.services import Session
from ringdoku.services.lines import Lines as PlainLines
from ringdoku.services.lines import only_solutions_of
from ringdoku.text import Entry, StatedAnswer, pair, read_stated
from ringdoku_cli import options
from ringdoku_cli.answering import Job, Question, note_more_than_one
from ringdoku_cli.certificates import Certificates, Claimed
from ringdoku_cli.exits import Exit
from ringdoku_cli.inputs import input_name, open_binary
from ringdoku_cli.messages import printable
from ringdoku_cli.outputs import Writer
from ringdoku_cli.progress import Progress
from ringdoku_cli.render import format_of
from ringdoku_cli.render.text import by_word


class Count(Enum):
    """How many solutions there are, as far as it matters for uniqueness."""

    NONE = "no solution"
    """There is none."""
    ONE = "exactly one solution"
    """There is one and no other."""
    MANY = "more than one solution"
    """Two were found."""
    UNKNOWN = "unknown number of solutions"
    """The time limit came first."""


class Absence(Enum):
    """Why a claim has no grid."""

    PROVED = "no solution claimed"
    """It says that the puzzle has no solution."""
    UNEXPLAINED = "no answer claimed"
    """It says that no solution was found."""
    SCORE = "a score claimed"
    """It has a score alone."""
    NOTHING = "no answer to check"
    """--best has nothing to check where there is no claim at all."""


class Best(Enum):
    """What was found out about an answer to the question for the best score."""

    PROVED = "the best"
    """It is the best score, or it is right that there is no solution."""
    DISPROVED = "not the best"
    """There is a better score, or just one of the two says that there is no solution."""
    UNKNOWN = "not proved best"
    """The time limit came first."""


@dataclass(frozen=True)
class Searched:
    """What a solver said of a puzzle; `count` is None without --unique, `optimum` unknown without --best."""

    count: Count | None = None
    grids: tuple[Grid, ...] = ()
    optimum: Result = field(default_factory=lambda: Result(Status.UNKNOWN))


@dataclass(frozen=True)
class Verdict:
    """`faults` of `answer` as a solution, or of the clues when there is no answer; `count` when it was asked for;
    `absence` is what the claim had in place of a grid, `best` what was found out of its score if that was asked, and
    `best_fault` what is wrong with it. `word_of` is the program whose word alone stands for the count, `grids` are the
    solutions that were counted."""

    entry: Entry
    faults: tuple[str, ...]
    answer: Grid | None = None
    score: int | None = None
    count: Count | None = None
    absence: Absence | None = None
    word_of: str = ""
    best: Best | None = None
    best_fault: str = ""
    grids: tuple[Grid, ...] = ()

    @property
    def exit(self) -> Exit:
        disproved = self.absence is Absence.PROVED and self.count is Count.ONE
        if self.all_faults or disproved or self.count in (Count.NONE, Count.MANY):
            return Exit.NEGATIVE
        unanswered = self.absence is not None and self.best is not Best.PROVED
        return Exit.UNKNOWN if unanswered or self.count is Count.UNKNOWN or self.best is Best.UNKNOWN else Exit.OK

    @property
    def all_faults(self) -> tuple[str, ...]:
        return (*self.faults, *([self.best_fault] if self.best_fault else []))

    @property
    def constraints(self) -> int:
        """How many constraints there are besides rows, columns and boxes."""
        return sum(not isinstance(rule, (Lines, Boxes)) for rule in self.entry.puzzle.ruleset.constraints)

    @property
    def sentence(self) -> str:
        if self.answer is not None:
            parts = ["wrong solution" if self.faults else "right solution"]
        elif self.faults:
            parts = ["contradictory clues"]
        else:
            parts = ["well-formed", counted(self.entry.puzzle.clues.filled_count, "clue")]
        # in what the rules differ from those of classic sudoku
        ruleset = self.entry.puzzle.ruleset
        parts += [] if ruleset.board.is_plain else [f"a board of {ruleset.board}"]
        parts += [] if any(isinstance(rule, Lines) for rule in ruleset.constraints) else ["no lines"]
        parts += ["no boxes"] if ruleset.box is None else []
        parts += [counted(self.constraints, "constraint")] if self.constraints else []
        if self.absence is Absence.SCORE:
            parts.append(f"score {self.score} claimed")
        elif self.absence:
            parts.append(self.absence.value)
        elif self.score is not None:
            parts.append(f"score {self.score}")
        parts += [self.best.value] if self.best else []
        parts += [f"{self.count.value}{by_word(self.word_of)}"] if self.count else []
        return ", ".join(parts)


def render_text(_: Entry, verdict: Verdict) -> str:
    """A line for the puzzle, an indented line for each fault, and its author and rules where they came with it."""
    entry = verdict.entry
    who = printable(f"{entry.place} {entry.name}".rstrip())
    about = [f"by {entry.author}"] if entry.author else []
    about += [line for line in entry.about.splitlines() if line.strip()]
    if entry.about and verdict.count is Count.MANY:
        about.append("(These words may say more than the rules that were read.)")
    return "\n  ".join([f"{who}: {verdict.sentence}", *verdict.all_faults, *map(printable, about)]) + "\n"


def render_json(_: Entry, verdict: Verdict) -> str:
    """One object on a line; `good` is null where the check came to no result."""
    record = {
        "name": verdict.entry.name,
        "author": verdict.entry.author,
        "about": verdict.entry.about,
        "place": str(verdict.entry.place),
        "good": {Exit.OK: True, Exit.NEGATIVE: False}.get(verdict.exit),
        "verdict": verdict.sentence,
        "clues": verdict.entry.puzzle.clues.filled_count,
        "constraints": verdict.constraints,
        "faults": verdict.all_faults,
        "score": verdict.score,
        "best": verdict.best and verdict.best.value,
        "solutions": verdict.count and verdict.count.value,
        "word_of": verdict.word_of or None,
    }
    return json.dumps(record) + "\n"


FORMATS: dict[str, Writer] = {"text": render_text, "json": render_json}
"""Every value of --output-format."""
SOLUTION_HELP = "Answers in the order of all puzzles: a filled grid for each, its score above it, or the score alone."
BEST_HELP = "Check whether the score is the best one, and -1 whether there is no solution."


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    solution: Annotated[str | None, options.option("--solution FILE", SOLUTION_HELP)] = None
    unique: Annotated[bool, options.option("--unique", "Check whether there is exactly one solution.")] = False
    best: Annotated[bool, options.option("--best", BEST_HELP)] = False
    output_format: Annotated[
        str | None,
        options.choice("--output-format", "output format of check", FORMATS, "The format of verdicts: text, json."),
    ] = None


@dataclass(frozen=True)
class Check:
    """What is asked of a puzzle: how many solutions it has, and the best score, both if wanted. `answer` is a grid that
    is said to be its solution, `stated` what the file of --solution says."""

    entry: Entry
    answer: Grid | None
    stated: StatedAnswer | None
    objective: Objective
    asked: Asked
    time_limit: float | None

    def __call__(self, session: Session, _: Progress) -> Iterator[Searched]:
        puzzle = self.entry.puzzle
        found = _count(session, puzzle, self.time_limit) if self.asked.unique else Searched()
        if self.asked.best and (self.answer or self.stated):
            found = replace(found, optimum=session.maximise(puzzle, self.objective, self.time_limit))
        yield found

    def verdict(self, found: Searched) -> Verdict:
        """What follows from what a solver said."""
        entry, answer, stated = self.entry, self.answer, self.stated
        puzzle, name = entry.puzzle, partial(entry.layout.name, entry.puzzle.board)
        score = stated.score if stated else None
        if answer is None:
            faults = tuple(sentence(fault, name) for fault in repeats(puzzle, puzzle.clues))
            verdict = Verdict(entry, faults, None, score, absence=_absence(stated))
        else:
            faults = tuple(sentence(fault, name) for fault in check_grid(puzzle, answer, self.objective, score))
            is_scored = answer.is_full and answer.board == puzzle.board
            verdict = Verdict(entry, faults, answer, self.objective.score(answer) if is_scored else None)
        verdict = replace(verdict, count=found.count, grids=found.grids)
        return self._with_best(verdict, found.optimum) if self.asked.best else verdict

    def _with_best(self, verdict: Verdict, result: Result) -> Verdict:
        """The verdict, and what the search for the best score says of it."""
        stated, has_none = self.stated, result.status is Status.INFEASIBLE
        if stated and stated.is_minus_one and min(self.objective.weights) < 0 and not has_none:
            # with weights below 0, a puzzle with a solution may have this score
            verdict = replace(verdict, absence=Absence.SCORE, score=-1)
        score, says_none = verdict.score, verdict.absence is Absence.PROVED
        if score is None and not says_none:
            return replace(verdict, absence=verdict.absence or Absence.NOTHING)
        if (says_none and has_none) or (result.status is Status.OPTIMAL and result.score == score):
            # there is no solution: that the clues contradict each other is no fault of the answer
            return replace(verdict, faults=() if says_none else verdict.faults, best=Best.PROVED)
        fault = _fault_of(score, result, self.objective)
        if fault is None:
            return replace(verdict, best=Best.UNKNOWN)
        return replace(verdict, best=Best.DISPROVED, best_fault=f"{stated.place}: {fault}" if stated else fault)


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
    if asked.solution and inputs.keep_going:
        raise UsageError("--keep-going cannot go with --solution: answers could be matched to the wrong puzzles")
    if certified.certificate and not asked.unique:
        raise UsageError("--certificate goes with --unique")
    if scores.minimise and not asked.best:
        raise UsageError("--minimise goes with --best")
    others = (*inputs.files, asked.solution, output.output)
    certificates = Certificates(certified, solver.time_limit, output.force, *others)
    render = FORMATS[format_of(asked.output_format, output.output, FORMATS) or "text"]
    session, limit = solver.session(), solver.time_limit
    board: Board | None = None

    def ask(entry: Entry) -> Check:
        nonlocal board
        board = entry.puzzle.board
        answer, said = entry.solution or (entry.puzzle.clues if entry.puzzle.clues.is_full else None), None
        if stated is not None:
            said = next(stated, None)
            if said is None:
                raise UsageError(f"{asked.solution} holds no solution for the puzzle at {entry.place}")
            entry, answer = pair(entry, said.entry) if said.entry else (entry, None)
        return Check(entry, answer, said, scores.of(entry.puzzle), asked, limit)

    def finish(question: Question[Verdict], found: Searched) -> Verdict:
        assert isinstance(question.ask, Check)
        verdict = question.ask.verdict(found)
        return replace(verdict, word_of=session.word_of) if found.count in (Count.NONE, Count.ONE) else verdict

    def exit_of(_: Entry, verdict: Verdict) -> Exit:
        if verdict.count is Count.MANY and verdict.entry.shared:
            note_more_than_one(verdict.entry)
        return verdict.exit

    plain = asked.unique and not (asked.best or asked.solution or certificates.name)
    with ExitStack() as stack:
        stream = stack.enter_context(open_binary(asked.solution)) if asked.solution else None
        stated = _stated(stream, asked.solution or "", inputs.shape, lambda: board) if stream else None
        exit_code = Job(
            session,
            ask,
            lambda _: render,
            exit_of,
            lost=Searched(Count.UNKNOWN if asked.unique else None),
            alone=not (asked.unique or asked.best),
            finish=finish,
            certificates=certificates,
            claim=_claim,
            lines=partial(_together, limit) if plain else None,
        ).run(inputs, output, weights=scores.given, verify=False)
        if stated is not None and next(stated, None) is not None:
            raise UsageError(f"{asked.solution} holds more solutions than there are puzzles")
        return exit_code


def _stated(
    stream: BinaryIO, path: str, shape: tuple[int, int] | None, board_of: Callable[[], Board | None]
) -> Iterator[StatedAnswer]:
    for item in read_stated(stream, input_name(path), shape, board_of):
        if isinstance(item, InputError):
            raise item
        yield item


def _claim(_: Entry, verdicts: list[Verdict]) -> Claimed | str:
    (verdict,) = verdicts
    if verdict.count in (Count.NONE, Count.ONE):
        return Claimed(Claim(len(verdict.grids)), verdict.grids, word_of=verdict.word_of)
    return str((verdict.count or Count.UNKNOWN).value)


def _together(
    time_limit: float | None, lines: PlainLines, session: Session, _: Progress
) -> Iterable[tuple[int, Searched]]:
    for index, is_only in enumerate(only_solutions_of(lines, session)[1].tolist()):
        yield index, Searched(Count.ONE) if is_only else _count(session, lines.puzzle(index), time_limit)


def _count(session: Session, puzzle: Puzzle, time_limit: float | None) -> Searched:
    """With at most two solutions."""
    grids: list[Grid] = []
    try:
        grids += islice(session.solutions(puzzle, time_limit), 2)
    except TimeLimitError:
        return Searched(Count.UNKNOWN, tuple(grids))
    return Searched((Count.NONE, Count.ONE, Count.MANY)[len(grids)], tuple(grids))


def _absence(stated: StatedAnswer | None) -> Absence | None:
    if stated is None:
        return None
    if stated.score is not None:
        return Absence.SCORE
    return Absence.PROVED if stated.infeasible else Absence.UNEXPLAINED


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
