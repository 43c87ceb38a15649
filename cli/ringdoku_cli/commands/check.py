"""`ringdoku check`: whether a puzzle is well-formed or has one solution, and whether a grid is its solution."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Annotated, Any, NamedTuple

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
from ringdoku_cli.answering import Job, Progress, Question, note_more_than_one
from ringdoku_cli.certificates import Certified, Claimed
from ringdoku_cli.exits import Exit, printable
from ringdoku_cli.inputs import input_name, open_binary
from ringdoku_cli.render import by_word, format_of, who

NONE, ONE, MANY = "no solution", "exactly one solution", "more than one solution"
UNCOUNTED = "unknown number of solutions"
"""How many solutions there are, as far as it matters for uniqueness; uncounted at the time limit."""
NONE_CLAIMED, NO_ANSWER_CLAIMED, SCORE_CLAIMED = "no solution claimed", "no answer claimed", "score {} claimed"
NOTHING_TO_CHECK = "no answer to check"
"""What a claim has in place of a grid; nothing, where --best has no claim at all."""
BEST, NOT_BEST, NOT_PROVED = "the best", "not the best", "not proved best"
"""What was found out about an answer to the question for the best score."""
SOLUTION_HELP = "Answers in the order of all puzzles: a filled grid for each, its score above it, or the score alone."
BEST_HELP = "Check whether the score is the best one, and -1 whether there is no solution."


@dataclass(frozen=True)
class Searched:
    """What a solver said of a puzzle; `count` is None without --unique, `optimum` unknown without --best."""

    count: str | None = None
    grids: tuple[Grid, ...] = ()
    optimum: Result = field(default_factory=lambda: Result(Status.UNKNOWN))


class Verdict(NamedTuple):
    """What is said of a puzzle, as JSON has it, and what a solver said of it."""

    record: dict[str, Any]
    found: Searched


@dataclass(frozen=True)
class Asked:
    """What is asked of each puzzle, and how it is printed."""

    solution: Annotated[str | None, options.option("--solution FILE", SOLUTION_HELP)] = None
    unique: Annotated[bool, options.option("--unique", "Check whether there is exactly one solution.")] = False
    best: Annotated[bool, options.option("--best", BEST_HELP)] = False
    output_format: options.TextFormat = None


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

    def verdict(self, found: Searched, word_of: str) -> Verdict:
        """What follows from what a solver said; `word_of` is the program whose word alone stands for the count."""
        entry, puzzle = self.entry, self.entry.puzzle
        faults, score, absence = self._compared()
        best, best_fault = None, None
        if self.asked.best:
            score, absence, best, best_fault = self._graded(score, absence, found.optimum)
        if best == BEST and absence == NONE_CLAIMED:
            # there is no solution: that the clues contradict each other is no fault of the answer
            faults = []
        clues = puzzle.clues.filled_count
        constraints = sum(not isinstance(rule, (Lines, Boxes)) for rule in puzzle.ruleset.constraints)
        wrong, right = "contradictory clues", f"well-formed, {counted(clues, 'clue')}"
        if self.answer is not None:
            wrong, right = "wrong solution", "right solution"
        word_of = word_of if found.count in (NONE, ONE) else ""
        parts = [wrong if faults else right, *_rules(puzzle, constraints)]
        parts += [absence.format(score)] if absence else [] if score is None else [f"score {score}"]
        parts += filter(None, (best, found.count and f"{found.count}{by_word(word_of)}"))
        faults += filter(None, (best_fault,))
        record = {
            "name": entry.name,
            "author": entry.author,
            "about": entry.about,
            "place": str(entry.place),
            "good": _good(faults, found.count, absence, best),
            "verdict": ", ".join(parts),
            "clues": clues,
            "constraints": constraints,
            "faults": faults,
            "score": score,
            "best": best,
            "solutions": found.count,
            "word_of": word_of or None,
        }
        return Verdict(record, found)

    def _compared(self) -> tuple[list[str], int | None, str | None]:
        """What is wrong with the answer, or without one with the clues; the score; and what stands for an answer."""
        answer, stated, puzzle = self.answer, self.stated, self.entry.puzzle
        name, score = partial(self.entry.layout.name, puzzle.board), stated.score if stated else None
        if answer is not None:
            faults = [sentence(fault, name) for fault in check_grid(puzzle, answer, self.objective, score)]
            is_scored = answer.is_full and answer.board == puzzle.board
            return faults, self.objective.score(answer) if is_scored else None, None
        absence = None
        if stated:
            absence = NONE_CLAIMED if stated.infeasible else NO_ANSWER_CLAIMED if score is None else SCORE_CLAIMED
        return [sentence(fault, name) for fault in repeats(puzzle, puzzle.clues)], score, absence

    def _graded(
        self, score: int | None, absence: str | None, optimum: Result
    ) -> tuple[int | None, str | None, str | None, str | None]:
        """The score, what stands for an answer, and what the search for the best score says of them."""
        stated, has_none = self.stated, optimum.status is Status.INFEASIBLE
        if stated and stated.is_minus_one and min(self.objective.weights) < 0 and not has_none:
            # with weights below 0, a puzzle with a solution may have this score
            absence, score = SCORE_CLAIMED, -1
        says_none = absence == NONE_CLAIMED
        if score is None and not says_none:
            return score, absence or NOTHING_TO_CHECK, None, None
        if (says_none and has_none) or (optimum.status is Status.OPTIMAL and optimum.score == score):
            return score, absence, BEST, None
        fault = _fault_of(score, optimum, self.objective)
        if fault is None:
            return score, absence, NOT_PROVED, None
        return score, absence, NOT_BEST, f"{stated.place}: {fault}" if stated else fault


def check(
    inputs: options.Inputs,
    asked: Asked,
    scores: options.Scores,
    solver: options.Solver,
    certified: Certified,
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
    wrongly_paired = "--keep-going cannot go with --solution: answers could be matched to the wrong puzzles"
    options.refuse(asked.solution and inputs.keep_going, wrongly_paired)
    options.refuse(certified.certificate and not asked.unique, "--certificate goes with --unique")
    options.refuse(scores.minimise and not asked.best, "--minimise goes with --best")
    others = (*inputs.files, asked.solution, output.output)
    certified.check(*others)
    form = format_of(asked.output_format, output.output, options.TEXT_FORMATS)
    session, board = solver.session(), None
    stated = _stated(asked.solution, inputs.shape, lambda: board) if asked.solution else None

    def ask(entry: Entry) -> Check:
        nonlocal board
        clues, said, board = entry.puzzle.clues, None, entry.puzzle.board
        answer = entry.solution or (clues if clues.is_full else None)
        if stated is not None:
            said = next(stated, None)
            if said is None:
                raise UsageError(f"{asked.solution} holds no solution for the puzzle at {entry.place}")
            answer = pair(entry, said.entry) if said.entry else None
        return Check(entry, answer, said, scores.of(entry.puzzle), asked, solver.time_limit)

    def finish(question: Question, found: Searched) -> Verdict:
        assert isinstance(question.ask, Check)
        return question.ask.verdict(found, session.word_of)

    plain = asked.unique and not (asked.best or asked.solution or certified.certificate)
    exit_code = Job(
        session,
        ask,
        lambda _: _json if form == "json" else _text,
        _exit_of,
        lost=Searched(UNCOUNTED if asked.unique else None),
        alone=not (asked.unique or asked.best),
        finish=finish,
        certified=certified,
        time_limit=solver.time_limit,
        claim=_claim,
        lines=partial(_together, solver.time_limit) if plain else None,
    ).run(inputs, output, weights=scores.given, verify=False)
    options.refuse(stated and next(stated, None), f"{asked.solution} holds more solutions than there are puzzles")
    return exit_code


def _stated(path: str, shape: tuple[int, int] | None, board_of: Callable[[], Board | None]) -> Iterator[StatedAnswer]:
    """The answers of a file. Raises `InputError`."""
    with open_binary(path) as stream:
        for item in read_stated(stream, input_name(path), shape, board_of):
            if isinstance(item, InputError):
                raise item
            yield item


def _exit_of(entry: Entry, verdict: Verdict) -> Exit:
    if verdict.found.count == MANY and entry.shared:
        note_more_than_one(entry)
    return {True: Exit.OK, False: Exit.NEGATIVE, None: Exit.UNKNOWN}[verdict.record["good"]]


def _claim(_: Entry, verdicts: list[Verdict]) -> Claimed | str:
    ((record, found),) = verdicts
    if found.count in (NONE, ONE):
        return Claimed(Claim(len(found.grids)), found.grids, word_of=record["word_of"] or "")
    return found.count or UNCOUNTED


def _text(entry: Entry, verdict: Verdict) -> str:
    """A line for the puzzle, an indented line for each fault, and its author and rules where they came with it."""
    about = [f"by {entry.author}"] if entry.author else []
    about += [line for line in entry.about.splitlines() if line.strip()]
    if entry.about and verdict.found.count == MANY:
        about.append("(These words may say more than the rules that were read.)")
    first = f"{who(entry)}: {verdict.record['verdict']}"
    return "\n  ".join([first, *verdict.record["faults"], *map(printable, about)]) + "\n"


def _json(_: Entry, verdict: Verdict) -> str:
    """One object on a line; `good` is null where the check came to no result."""
    return json.dumps(verdict.record) + "\n"


def _good(faults: list[str], count: str | None, absence: str | None, best: str | None) -> bool | None:
    """None where the check came to no result."""
    if faults or count in (NONE, MANY) or (absence == NONE_CLAIMED and count == ONE):
        return False
    return None if (absence and best != BEST) or count == UNCOUNTED or best == NOT_PROVED else True


def _rules(puzzle: Puzzle, constraints: int) -> Iterator[str]:
    """In what the rules differ from those of classic sudoku."""
    ruleset = puzzle.ruleset
    if not ruleset.board.is_plain:
        yield f"a board of {ruleset.board}"
    if not any(isinstance(rule, Lines) for rule in ruleset.constraints):
        yield "no lines"
    if ruleset.box is None:
        yield "no boxes"
    if constraints:
        yield counted(constraints, "constraint")


def _together(
    time_limit: float | None, lines: PlainLines, session: Session, _: Progress
) -> Iterator[tuple[int, Searched]]:
    for index, is_only in enumerate(only_solutions_of(lines, session)[1].tolist()):
        yield index, Searched(ONE) if is_only else _count(session, lines.puzzle(index), time_limit)


def _count(session: Session, puzzle: Puzzle, time_limit: float | None) -> Searched:
    """With at most two solutions."""
    grids: list[Grid] = []
    try:
        grids += islice(session.solutions(puzzle, time_limit), 2)
    except TimeLimitError:
        return Searched(UNCOUNTED, tuple(grids))
    return Searched((NONE, ONE, MANY)[len(grids)], tuple(grids))


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
