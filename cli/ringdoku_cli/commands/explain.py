"""`ringdoku explain`: a solution step by step, or why there is none or more than one, or why a score is best."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Annotated, Any

from ringdoku import Board, Outcome, Puzzle, Session, Status, why_best, why_none, why_several
from ringdoku import explain as explanation_of
from ringdoku.domain import refuse, write_constraint
from ringdoku.drawing.terminal import Characters, Frame, boxed_lines
from ringdoku.explanations.explanation import HINTS, LEVELS, Explanation, Step
from ringdoku.explanations.inferences import Candidate, Candidates, CellTruth, RuleTruth, Truth, UniqueTruth, UnitTruth
from ringdoku.explanations.search import MOST_TRUTHS
from ringdoku.explanations.techniques import SPLITS, TECHNIQUES, UNIQUENESS
from ringdoku.explanations.wording import wrapped
from ringdoku.services.explaining import Ambiguity, Prices, Refutation, with_candidates, with_player_marks, wrong_marks
from ringdoku.text import Entry
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli.answering import Job, Progress
from ringdoku_cli.commands.rate import ENDINGS
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.options import Inputs, Marks, Output, TextFormat, TimeLimit, choice, option
from ringdoku_cli.render import format_of, json_line, label
from ringdoku_cli.render.terminal import characters_for, terminal_width

HINT_HELP = f"Give the next step as a hint, at one of the levels: {', '.join(HINTS)}."
ONLY_HELP = "Look for no harder steps: singles, or the largest number of truths, 1 to 6. No case splits then."
SCORE_HELP = "Explain instead why the best ring score is best: the prices of the bound."
FEWEST_HELP = "Prove of each step that none takes fewer truths, or say that it took too long."
AT_HELP = "Show the candidates right before the first step of this name, which `rate --techniques` lists, and the step."
UNIQUE_HELP = "Take it as a reason that there is one solution: unique rectangles and BUG+1."


@dataclass(frozen=True)
class Options:
    """What is explained, and how it is shown."""

    next_step: Annotated[str | None, choice("--next", HINTS, HINT_HELP)] = None
    only: Annotated[str | None, choice("--only", LEVELS[:-1], ONLY_HELP)] = None
    at: Annotated[str | None, choice("--at", (*TECHNIQUES, *SPLITS[1:]), AT_HELP)] = None
    marks: Marks = None
    score: Annotated[bool, option("--score", SCORE_HELP)] = False
    fewest: Annotated[bool, option("--fewest", FEWEST_HELP)] = False
    assume_unique: Annotated[bool, option("--assume-unique", UNIQUE_HELP)] = False
    draw: Annotated[bool, option("--draw", "Draw the cells of each step.")] = False
    output_format: TextFormat = None

    def __post_init__(self) -> None:
        steps = self.next_step or self.only or self.marks or self.draw or self.fewest or self.assume_unique
        others = "--next, --only, --marks, --fewest, --assume-unique or --draw"
        refuse(self.score and steps, f"--score cannot go with {others}")
        refuse(self.draw and self.next_step in HINTS[:-1], "--draw goes with the last level of --next alone, step")
        refuse(self.at and (self.next_step or self.score), "--at cannot go with --next or --score")


def explain(inputs: Inputs, options: Options, output: Output, time_limit: TimeLimit = 60.0) -> Exit:
    """Each step has its name, how many truths it takes, and its reason in a sentence; a small checker accepted it. A
    truth is "this cell has a digit", "this unit has a place for this digit", or a rule. The steps of the fewest truths
    come first. Where no small step is found, a candidate is tried until it fails: a case split.

    Without a solution, it gives a smallest set of clues and rules that conflict, and the steps from those to the
    contradiction. With several, two of them, and the clues that would decide.

    Exit status: 0 all explained, 1 a puzzle has no solution, or several, which --only does not look for, the marks are
    wrong, or no step is that of --at, 2 malformed input or usage, 3 the time limit came first, 130 interrupted.
    """
    inputs.require_one_standard_input(*inputs.files, options.marks)
    form = format_of(options.output_format, output.output)
    player = inputs.read_marks(options.marks) if options.marks is not None else None
    as_json = partial(_json, hint=options.next_step)
    return Job[Reasons](
        Session(),
        query_of=lambda entry: partial(_reasons, entry.puzzle, options, player, time_limit),
        writer_on=lambda out: as_json if form == "json" else _Text(characters_for(out), options, terminal_width(out)),
        exit_of=lambda _, reasons: reasons.exit,
        unknown=Reasons(),
    ).run(inputs, output, require_one="--marks are for one" if player else "")


@dataclass(frozen=True)
class Reasons:
    """The outcome for JSON, the exit code, and what is known, nothing at the time limit: wrong marks; prices; the steps
    to the solution, with two solutions if there are several; or the steps from a conflict. `at` is the step of --at."""

    outcome: str = UNKNOWN
    exit: Exit = Exit.UNKNOWN
    steps: Explanation | None = None
    refutation: Refutation | None = None
    several: Ambiguity | None = None
    wrong: Mapping[int, Sequence[int]] = field(default_factory=dict)
    prices: Prices | None = None
    at: Step | None = None

    def wrong_told(self, hint: str | None) -> Mapping[int, Sequence[int]]:
        """The wrong marks, each with its digit; below the last level a hint tells one of them, and not its digit."""
        return dict.fromkeys(islice(self.wrong, 1), ()) if hint in HINTS[:-1] else self.wrong


def _reasons(
    puzzle: Puzzle, options: Options, player: Puzzle | None, time_limit: float | None, session: Session, _: Progress
) -> list[Reasons]:
    if options.score and (prices := why_best(puzzle, time_limit=time_limit)):
        status = prices.result.status
        return [Reasons(status.value, Exit.OK if status.is_final else Exit.UNKNOWN, prices=prices)]
    status = Status.INFEASIBLE if options.score else session.solve(puzzle, time_limit).status
    if status is Status.INFEASIBLE and (refutation := why_none(puzzle, time_limit)):
        found = refutation.explanation
        return [Reasons(found.outcome.value, Exit.NEGATIVE, found, refutation)]
    if status is not Status.SATISFIABLE:
        return [Reasons()]
    if player and (wrong := wrong_marks(puzzle, player, time_limit)):
        return [Reasons("wrong marks", Exit.NEGATIVE, wrong=wrong)]
    position, start = with_player_marks(puzzle, player) if player else (puzzle, None)
    return [_explained_steps(position, start, options, time_limit)]


def _explained_steps(puzzle: Puzzle, start: Candidates | None, options: Options, time_limit: float | None) -> Reasons:
    truths, fewest = MOST_TRUTHS if options.only is None else LEVELS.index(options.only), options.fewest
    found = explanation_of(puzzle, time_limit, truths, options.only is None, start, fewest, options.assume_unique)
    is_stuck = found.outcome is Outcome.STUCK and not (options.only or options.next_step)
    several = why_several(with_candidates(puzzle, found.start), time_limit) if is_stuck else None
    at = next((step for step in found if step.name == options.at), None) if options.at else None
    code = ENDINGS[found.outcome][0]
    if options.at:
        code = Exit.OK if at else worst(code, Exit.NEGATIVE)
    elif options.only and found.outcome is Outcome.STUCK:
        code = Exit.OK
    return Reasons(found.outcome.value, code, found, several=several, at=at)


@dataclass(frozen=True)
class _Text:
    characters: Characters
    options: Options
    width: int | None

    def __call__(self, entry: Entry, found: Reasons) -> str:
        return "".join(f"{line}\n" for line in (f"{label(entry)}:", *self._lines(entry, found), ""))

    def _lines(self, entry: Entry, found: Reasons) -> Iterator[str]:
        name, board = partial(entry.layout.name, entry.puzzle.board), entry.puzzle.board
        if found == Reasons():
            yield UNKNOWN
        for cell, right in found.wrong_told(self.options.next_step).items():
            problem = f"its digit is {' or '.join(map(name, right))}" if right else "look at it again"
            yield f"{board.cell_name(cell)} is wrong: {problem}."
        if found.prices:
            yield from found.prices.lines()
        if found.refutation:
            yield from self._conflict(entry, found.refutation)
        elif found.at:
            digits = ("".join(map(name, sorted(each))) for each in found.at.candidates[: board.grid_count])
            yield from self._grid(entry.puzzle, list(digits))
            yield from wrapped(found.at.lines(entry.layout.symbols), self.width)
        elif self.options.at:
            technique, may_exist = self.options.at, self.options.at in UNIQUENESS and not self.options.assume_unique
            yield f"no step is called {technique}{' without --assume-unique' if may_exist else ''}: {found.outcome}"
        elif found.steps:
            if self.options.marks and found.steps.outcome is Outcome.CONTRADICTION:
                yield "From here there is no solution: some of the digits or marks are wrong together."
            yield from self._step_lines(entry, found.steps)
        if found.several:
            yield "more than one solution; two of them:"
            for rows in zip(found.several.first.rows, found.several.second.rows, strict=True):
                first, second = (" ".join(map(name, row)) for row in rows)
                yield f"  {first}   {second}"
            yield from wrapped(found.several.lines(name), self.width)

    def _conflict(self, entry: Entry, found: Refutation) -> Iterator[str]:
        puzzle, board, name = found.puzzle, found.puzzle.board, partial(entry.layout.name, found.puzzle.board)
        claim, parts = found.sentence(name)
        yield from (f"no solution: {claim}:", f"  {parts}")
        names = [self.characters.blank, *map(name, board.digits)]
        yield from self._grid(puzzle, [names[digit - board.blank] for digit in puzzle.clues.digits])
        yield from self._step_lines(entry, found.explanation)

    def _step_lines(self, entry: Entry, explanation: Explanation) -> Iterator[str]:
        symbols, hint = entry.layout.symbols, self.options.next_step
        for step in explanation.steps[: 1 if hint else None]:
            if hint:
                hints = "\n".join(map(": ".join, step.hints(symbols, hint).items()))
                yield from wrapped(hints.splitlines(), self.width)
            else:
                yield from wrapped(step.lines(symbols), self.width)
            if hint == HINTS[-1] or (self.options.draw and not hint):
                yield from self._grid(step.puzzle, step.cells(self.characters.blank, symbols))
        ending = explanation.ending(" of this kind" if self.options.only else "")
        if ending and not (hint and explanation.steps):
            yield from wrapped([ending], self.width)

    def _grid(self, puzzle: Puzzle, texts: Sequence[str]) -> Iterator[str]:
        return (f"  {line}" for line in boxed_lines(Frame(puzzle.ruleset, self.characters), texts))


def _json(entry: Entry, found: Reasons, hint: str | None) -> str:
    """`steps` lead to the solution, or from a conflict to the contradiction. For a `hint`, one of `HINTS`, there are
    sentences up to that level, and only at the last one the step."""
    board, steps, hints = entry.puzzle.board, found.steps.steps if found.steps else (), None
    symbols = entry.layout.symbols
    wrong = found.wrong_told(hint).items()
    if found.steps and hint:
        hints = steps[0].hints(symbols, hint) if steps else {}
        steps = steps[: hint == HINTS[-1]]
    record: dict[str, Any] = {
        "outcome": found.outcome,
        "rating": found.steps and found.steps.rating.record,
        "steps": found.steps and [_step_record(step, symbols) for step in steps],
        "hint": hints,
        "wrong": [[board.cell_name(cell), digit] for cell, right in wrong for digit in right or (None,)],
        "conflict": None,
        "solutions": found.several and [found.several.first.rows, found.several.second.rows],
        "deciding": found.several and _pairs(found.several.deciding, board),
        "prices": None,
    }
    if found.at:
        candidates = list(map(sorted, found.at.candidates[: board.grid_count]))
        record |= {"steps": [_step_record(found.at, symbols)], "grid": found.at.grid.rows, "candidates": candidates}
    if found.refutation:
        puzzle = found.refutation.puzzle
        record["conflict"] = {
            "clues": [clue for clue in _pairs(enumerate(puzzle.clues.digits), board) if clue[1] != board.blank],
            "rules": [write_constraint(rule, board) for rule in puzzle.ruleset.constraints],
            "smallest": found.refutation.smallest,
        }
    if found.prices:
        bound = found.prices.bound
        record["prices"] = {
            "score": found.prices.result.score,
            "bound": bound.value,
            "denominator": bound.denominator,
            "cells": bound.cell_prices,
            "units": dict(bound.unit_prices),
            "rows": dict(bound.row_prices),
        }
    return json_line(entry, record)


def _pairs(candidates: Iterable[Candidate], board: Board) -> list[list[object]]:
    return [[board.cell_name(cell), digit] for cell, digit in candidates]


def _step_record(step: Step, symbols: Sequence[str]) -> dict[str, object]:
    board = step.puzzle.board
    return {
        "name": step.name,
        "size": step.size,
        "truths": [_truth_record(step.puzzle, truth) for truth in step.truths],
        "placed": step.placed and _pairs([step.placed], board)[0],
        "removed": _pairs(step.removed, board),
        "is_case_split": bool(step.case),
        "smallest": step.smallest,
        "rules": [write_constraint(rule.constraint, board) for rule in step.rules],
        "text": step.sentences(symbols),
    }


def _truth_record(puzzle: Puzzle, truth: Truth) -> dict[str, object]:
    match truth:
        case CellTruth(cell):
            return {"cell": puzzle.board.cell_name(cell)}
        case RuleTruth(constraint):
            return {"rule": write_constraint(constraint, puzzle.board)}
        case UniqueTruth(pattern):
            return {"pattern": _pairs(pattern, puzzle.board)}
    digit = {"digit": truth.digit} if isinstance(truth, UnitTruth) else {}
    return {"unit": puzzle.ruleset.units[truth.unit].name, **digit}
