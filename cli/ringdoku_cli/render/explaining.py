"""What `ringdoku explain` found out about one puzzle, in sentences and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ringdoku.domain.board import Board
from ringdoku.domain.checker import repeats, sentence
from ringdoku.domain.constraint import write_constraint
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Status
from ringdoku.drawing.terminal import Characters, boxed_lines, frame_of
from ringdoku.explanations.checker import after
from ringdoku.explanations.explanation import Explanation, Step
from ringdoku.explanations.inferences import Candidate, CellTruth, HouseTruth, RuleTruth, Truth, UnitTruth
from ringdoku.explanations.path import Outcome
from ringdoku.services.explaining import Ambiguity, Prices, Refutation
from ringdoku.text import Entry
from ringdoku.text.stated import UNKNOWN
from ringdoku_cli.messages import printable

HINTS = ("where", "technique", "cells", "step")
"""What --next tells, from the least to all."""

MOST_NAMED = 30
"""Cells or clues in a sentence."""


@dataclass(frozen=True)
class Reasons:
    """One of these: the steps, with two solutions where there are several; a conflict; wrong marks; prices; nothing
    known at the time limit."""

    explanation: Explanation | None = None
    several: Ambiguity | None = None
    refutation: Refutation | None = None
    wrong: tuple[Candidate, ...] = ()
    prices: Prices | None = None
    unknown: bool = False


@dataclass(frozen=True)
class Text:
    """Sentences; `draw` shows the cells of each step, `hint` one of `HINTS` for the next step alone."""

    characters: Characters
    draw: bool
    hint: str | None

    def __call__(self, entry: Entry, found: Reasons) -> str:
        heading = printable(f"{entry.place} {entry.name}".rstrip())
        lines = [f"{heading}:", *self._lines(entry, found)]
        return "".join(f"{line}\n" for line in (*lines, ""))

    def _lines(self, entry: Entry, found: Reasons) -> Iterator[str]:
        name = partial(entry.layout.name, entry.puzzle.board)
        cell_name = entry.puzzle.board.cell_name
        if found.unknown:
            yield UNKNOWN
        # a hint that is no whole step names one cell, and not its digit
        is_vague = self.hint in HINTS[:-1]
        for cell, digit in found.wrong[:1] if is_vague else found.wrong:
            yield f"{cell_name(cell)} is wrong: {'look at it again' if is_vague else f'its digit is {name(digit)}'}."
        if found.prices:
            yield from price_lines(found.prices)
        if found.refutation:
            yield from self._conflict(entry, found.refutation)
        if found.explanation:
            yield from self._steps(entry, found.explanation, "" if found.several else " of this kind")
        if found.several:
            yield "more than one solution; two of them:"
            for rows in zip(found.several.first.rows, found.several.second.rows, strict=True):
                one, other = (" ".join(map(name, row)) for row in rows)
                yield f"  {one}   {other}"
            yield from difference_lines(found.several, name)

    def _steps(self, entry: Entry, explanation: Explanation, kind: str = "") -> Iterator[str]:
        left = explanation.start
        for step in explanation.steps:
            if self.hint:
                yield from (f"{level}: {told}" for level, told in hints(step, entry.layout.symbols, self.hint).items())
                if self.hint == HINTS[-1]:
                    yield from self._drawing(entry, step)
                return
            yield from step.lines(entry.layout.symbols)
            if self.draw:
                yield from self._drawing(entry, step)
            left = after(step.candidates, step)
        match explanation.outcome:
            case Outcome.SOLVED:
                yield f"solved; {explanation.rating}"
            case Outcome.STUCK:
                open_cells = sum(len(digits) > 1 for digits in left)
                yield f"no step{kind} is left; {counted(open_cells, 'cell')} open"
            case Outcome.LIMIT:
                yield f"{UNKNOWN}: the time limit came first"

    def _drawing(self, entry: Entry, step: Step) -> Iterator[str]:
        yield from self._grid(step.puzzle, step.cells(self.characters.blank, entry.layout.symbols))

    def _grid(self, puzzle: Puzzle, texts: Sequence[str]) -> Iterator[str]:
        frame = frame_of(puzzle.ruleset, self.characters)
        yield from (f"  {line}" for line in boxed_lines(frame, texts))

    def _conflict(self, entry: Entry, found: Refutation) -> Iterator[str]:
        puzzle, name = found.puzzle, partial(entry.layout.name, entry.puzzle.board)
        fewest = ", the fewest there are" if found.smallest else ""
        yield f"no solution: these conflict already{fewest}:"
        yield f"  {parts_in_conflict(puzzle, name)}"
        names = [self.characters.blank, *(name(digit) for digit in puzzle.board.digits)]
        yield from self._grid(puzzle, [names[digit - puzzle.board.blank] for digit in puzzle.clues.digits])
        if repeat := next(repeats(puzzle, puzzle.clues), None):
            yield f"1. {sentence(repeat, name)}."
            return
        yield from self._steps(entry, found.explanation)


def hints(step: Step, symbols: Sequence[str] = (), level: str = HINTS[-1]) -> dict[str, str]:
    """What each level of a hint says, up to one of `HINTS`."""
    words = step.words(symbols)
    reason = "\n".join(words.lines(step.candidates, step))
    told = (words.where(step), words.heading(step), words.which(step), reason)
    return dict(zip(HINTS[: HINTS.index(level) + 1], told, strict=False))


def json_line(entry: Entry, found: Reasons, hint: str | None) -> str:
    """One object for a puzzle: `steps` are those to the solution, or from a conflict to the contradiction.

    For a `hint`, one of `HINTS`, there are sentences up to that level, and the step alone at the last.
    """
    board = entry.puzzle.board
    explanation = found.refutation.explanation if found.refutation else found.explanation
    steps = explanation.steps if explanation else ()
    record: dict[str, object] = {
        "name": entry.name,
        "place": str(entry.place),
        "outcome": _outcome(found, explanation),
        "rating": explanation.rating.record if explanation else None,
        "steps": list(map(_record, steps[: {None: None, HINTS[-1]: 1}.get(hint, 0)])) if explanation else None,
        "hint": (hints(steps[0], entry.layout.symbols, hint) if steps else {}) if explanation and hint else None,
        "wrong": _named(found.wrong, board),
        "conflict": None,
        "solutions": None,
        "deciding": None,
        "prices": None,
    }
    if found.refutation:
        puzzle = found.refutation.puzzle
        clues = ((cell, digit) for cell, digit in enumerate(puzzle.clues.digits) if digit != board.blank)
        record["conflict"] = {
            "clues": _named(clues, board),
            "rules": [write_constraint(rule, board) for rule in puzzle.ruleset.constraints],
            "smallest": found.refutation.smallest,
        }
    if found.several:
        record["solutions"] = [found.several.first.rows, found.several.second.rows]
        record["deciding"] = _named(found.several.deciding, board)
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
    return json.dumps(record) + "\n"


def _named(candidates: Iterable[Candidate], board: Board) -> list[list[object]]:
    return [[board.cell_name(cell), digit] for cell, digit in candidates]


def _outcome(found: Reasons, explanation: Explanation | None) -> str:
    if found.unknown:
        return UNKNOWN
    if found.wrong:
        return "wrong marks"
    if found.prices:
        return found.prices.result.status.value
    return explanation.outcome.value if explanation else UNKNOWN


def _record(step: Step) -> dict[str, object]:
    puzzle = step.puzzle
    return {
        "name": step.name,
        "size": step.size,
        "truths": [_truth(puzzle, truth) for truth in step.truths],
        "placed": step.placed and _named([step.placed], puzzle.board)[0],
        "removed": _named(step.removed, puzzle.board),
        "is_case_split": bool(step.cases),
        "smallest": step.smallest,
        "text": step.words().lines(step.candidates, step),
    }


def _truth(puzzle: Puzzle, truth: Truth) -> dict[str, object]:
    match truth:
        case CellTruth(cell):
            return {"cell": puzzle.board.cell_name(cell)}
        case UnitTruth(unit, digit):
            return {"unit": puzzle.ruleset.units[unit].name, "digit": digit}
        case RuleTruth(constraint):
            return {"rule": write_constraint(constraint, puzzle.board)}
        case HouseTruth(unit):
            return {"unit": puzzle.ruleset.units[unit].name}


def difference_lines(found: Ambiguity, name: Callable[[int], str]) -> Iterator[str]:
    """Where solutions differ, and which clues would decide between them."""
    board = found.first.board
    cells = [board.cell_name(cell) for cell in found.cells]
    least = "" if found.complete else "at least "
    yield f"solutions differ in {least}{counted(len(cells), 'cell')}: {_short(cells)}"
    if not found.complete:
        yield "there are too many to say which clues would decide"
    elif found.deciding:
        clues = [f"{board.cell_name(cell)} = {name(digit)}" for cell, digit in found.deciding]
        yield f"one more clue would decide: {_short(clues, ' or ')}"
    else:
        yield "no single clue would decide"


def _short(words: list[str], joiner: str = " ") -> str:
    return joiner.join(words[:MOST_NAMED]) + (f"{joiner}…" if len(words) > MOST_NAMED else "")


def parts_in_conflict(puzzle: Puzzle, name: Callable[[int], str]) -> str:
    """The clues and rules, those of classic sudoku aside."""
    board = puzzle.board
    clues = [f"{board.cell_name(c)} = {name(d)}" for c, d in enumerate(puzzle.clues.digits) if d != board.blank]
    rules = [
        write_constraint(rule, board) for rule in puzzle.ruleset.constraints if rule.text not in ("lines", "boxes")
    ]
    return "; ".join([*([", ".join(clues)] if clues else []), *rules]) or "the rules alone"


def price_lines(prices: Prices) -> Iterator[str]:
    result, bound = prices.result, prices.bound
    whole = bound.denominator
    yield "Cells, units with a digit, and rows of rules have prices. In every solution a digit in a cell brings at"
    yield "most the prices of its cell, of its units for it, and of its rows. So no score is above the sum of all:"
    shares = {name: sum(each) for name, each in bound.unit_prices.items()}
    shares |= bound.row_prices
    shares = {name: share for name, share in shares.items() if share}
    shares["all cells"] = sum(bound.cell_prices)
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        yield f"  {name} adds {_number(Fraction(share, whole))}"
    yield f"  all together: no score is above {bound.value}"
    match result.status:
        case Status.OPTIMAL if result.score == bound.value:
            yield f"The best score is {result.score}: the bound is reached, so it is proved by the prices alone."
        case Status.OPTIMAL:
            yield f"The best score is {result.score}: {_refuted(result.score, bound.value)} by {result.backend}."
        case _:
            yield f"The best score found is {result.score}, which is not proved best in the time."


def _refuted(score: int | None, bound: int) -> str:
    above = (score or 0) + 1
    return f"the score {above} was refuted" if above == bound else f"all scores from {above} to {bound} were refuted"


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.2f}"
