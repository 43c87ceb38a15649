"""The questions that the page can ask: what it posts becomes calls of the library, and the answers become JSON.

A puzzle comes as one JSON object of `ringdoku.text`, with the key `grid`; a cell is its index on the board.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from typing import Any

from ringdoku.constraints.digits import AllowedDigits
from ringdoku.domain.board import Board
from ringdoku.domain.errors import InputError, TimeLimitError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.drawing.drawer import CELL, margins
from ringdoku.drawing.picture import Picture
from ringdoku.drawing.views import View
from ringdoku.explanations.checker import after
from ringdoku.explanations.explanation import Step, steps_of
from ringdoku.explanations.path import Effort, Outcome, Walk
from ringdoku.limits import Deadline
from ringdoku.services import Session, explain, why_best, why_none, why_several
from ringdoku.services import candidates as true_candidates
from ringdoku.services.explaining import marks_of, wrong_marks
from ringdoku.text import Entry, ReadOptions, Source, layout_named, puzzle_text, read, read_source
from ringdoku.text.cells import symbols_on
from ringdoku_cli.render.explaining import difference_lines, hints, parts_in_conflict, price_lines

LARGEST = 25
"""The longest side of a board on the page, and the most digits."""

LONGEST_LIMIT = 3600.0
"""Seconds of the longest time limit."""

MOST_EXPORTED = 32 << 20
"""Bytes of the largest model that is sent to the browser."""

FILE = "text"
"""What messages call what was typed, pasted or dropped."""

_SHARED = re.compile(r"[#?]s=([0-9A-Za-z_.-]+)")
_PLAIN = re.compile(r"[0-9A-Za-z.]+")

Tell = Callable[[dict[str, Any]], None]
"""Takes progress."""


@dataclass(frozen=True)
class Question:
    """What was posted. The properties raise `UsageError` or `InputError` for what makes no sense."""

    fields: Mapping[str, Any]
    session: Session
    tell: Tell

    def text(self, key: str) -> str:
        value = self.fields.get(key)
        if not isinstance(value, str):
            raise UsageError(f"the question has no text {key!r}")
        return value

    @property
    def puzzle(self) -> Puzzle:
        found = next(read(BytesIO(self.text("puzzle").encode("utf-8", "replace")), FILE, "json"))
        if isinstance(found, InputError):
            raise found
        _refuse_large(found.puzzle.board)
        return found.puzzle

    @property
    def limit(self) -> float:
        value = self.fields.get("limit", 60)
        if not isinstance(value, (int, float)) or not 0 < value <= LONGEST_LIMIT:
            raise UsageError(f"a time limit is between 0 and {LONGEST_LIMIT:g} seconds, not {value!r}")
        return float(value)

    def objective(self, board: Board) -> Objective:
        sense = Sense.MINIMISE if self.fields.get("lowest") else Sense.MAXIMISE
        weights = self.fields.get("weights")
        if weights is None:
            return ring_weights(board, sense)
        objective = Objective(tuple(_list(weights, "weights")), sense)
        objective.fits(board)
        return objective

    def digits(self, board: Board) -> Grid:
        """The digits that are to be drawn or that the player has, null for none."""
        found = _list(self.fields.get("digits"), "digits")
        return Grid(tuple(board.blank if digit is None else digit for digit in found), board)

    def player(self, puzzle: Puzzle) -> Puzzle:
        """The player's digits as clues, and lists of candidates as rules."""
        board = puzzle.board
        marks = _list(self.fields.get("marks") or [], "marks")
        rules = (
            AllowedDigits(tuple(_list(digits, "marks")), (cell,))
            for cell, digits in enumerate(marks[: board.grid_count])
            if digits
        )
        return Puzzle(puzzle.ruleset.extended(*rules), self.digits(board))


def _clock(limit: float) -> Callable[[], float]:
    """Returns the seconds that are left of the limit, or raises `TimeLimitError`."""
    end = time.monotonic() + limit

    def left() -> float:
        if time.monotonic() >= end:
            raise TimeLimitError
        return max(end - time.monotonic(), 1e-3)

    return left


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise UsageError(f"the question has no list of {what}")
    return value


def _refuse_large(board: Board) -> None:
    if max(board.rows, board.columns, board.order) > LARGEST:
        raise UsageError(f"the page is for boards up to {LARGEST}×{LARGEST}, not {board}; the other commands read it")


# puzzles


def names_of(ruleset: Ruleset) -> Sequence[str]:
    """The text of each digit, ascending: one character if possible."""
    try:
        return symbols_on(ruleset.board)
    except UsageError:
        return [str(digit) for digit in ruleset.board.digits]


def puzzle_record(entry: Entry, notice: str = "", weights: Sequence[int] | None = None) -> dict[str, Any]:
    """What the page has to know of a puzzle. Raises `UsageError` for a board that is too large."""
    puzzle, board = entry.puzzle, entry.puzzle.board
    _refuse_large(board)
    shape = json.loads(puzzle_text(puzzle, layout_named("json", puzzle.ruleset)))
    del shape["grid"]
    return {
        "title": entry.name,
        "author": entry.author,
        "about": entry.about,
        "notice": notice,
        "rows": board.rows,
        "columns": board.columns,
        "values": list(board.digits),
        "names": list(names_of(puzzle.ruleset)),
        "clues": _cells(puzzle.clues),
        "shape": shape,
        "is_plain": not shape,
        "houses": [house.cells for house in puzzle.ruleset.houses if max(house.cells) < board.grid_count],
        "rules": Picture(puzzle.ruleset).words,
        "rings": ring_weights(board).weights,
        "weights": weights,
        "picture": _backdrop(puzzle.ruleset),
    }


def _cells(grid: Grid) -> list[int | None]:
    return [None if digit == grid.board.blank else digit for row in grid.rows for digit in row]


def _backdrop(ruleset: Ruleset) -> dict[str, Any]:
    """The board without digits, and where its grid is. Below are rules in words, which the page shows as text."""
    board = ruleset.board
    left, top, right, bottom = margins(Picture(ruleset))
    return {
        "svg": Puzzle(ruleset, Grid.blank(board)).svg(),
        "left": left,
        "top": top,
        "width": left + board.columns * CELL + right,
        "height": top + board.rows * CELL + bottom,
        "cell": CELL,
    }


def _read(question: Question) -> dict[str, Any]:
    text, weights = _opened(question.text("text"))
    ignore = bool(question.fields.get("ignore"))
    notices: list[str] = []
    options = ReadOptions(ignore=ignore, note=lambda place, said: notices.append(f"Line {place.line}: {said}."))
    first, *others = islice(read_source(Source(BytesIO(text.encode("utf-8", "replace"))), FILE, options), 2)
    if isinstance(first, InputError):
        raise first
    assert isinstance(first, Entry)
    notice = " ".join(["The text holds several puzzles; this is the first."] * bool(others) + notices)
    if weights is not None:
        Objective(tuple(weights)).fits(first.puzzle.board)
    return puzzle_record(first, notice, weights)


def _opened(text: str) -> tuple[str, list[int] | None]:
    """The text in a link that the page made, and the weights in it; any other text as it is."""
    found = _SHARED.search(text) if len(text.split()) == 1 else None
    if found is None:
        return text, None
    packed = found[1]
    if _PLAIN.fullmatch(packed) and not packed.startswith("ey"):
        return packed, None
    try:
        record = json.loads(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
        weights = record.pop("weights", None)
    except (binascii.Error, ValueError, AttributeError, RecursionError):
        raise UsageError("the link is damaged: what follows #s= is not a puzzle") from None
    return json.dumps(record), None if weights is None else _list(weights, "weights")


def shared_text(text: str) -> str | None:
    """The puzzle of a link that the page made, None for any other text. Raises `UsageError` for a damaged one."""
    opened, _ = _opened(text.strip())
    return None if opened == text.strip() else opened


# solutions and scores


def result_record(result: Result) -> dict[str, Any]:
    return {
        "status": result.status.value,
        "digits": result.grid and _cells(result.grid),
        "score": result.score,
        "bound": result.bound,
        "backend": result.backend,
        "seconds": result.seconds,
    }


def _maximise(question: Question) -> dict[str, Any]:
    puzzle = question.puzzle
    result = question.session.maximise(
        puzzle,
        question.objective(puzzle.board),
        question.limit,
        lambda found: question.tell({"seconds": found.seconds, "score": found.score, "bound": found.bound}),
    )
    return result_record(result)


def _prices(question: Question) -> dict[str, Any]:
    puzzle = question.puzzle
    found = why_best(puzzle, question.objective(puzzle.board), question.limit)
    if found is None:
        return {"lines": ["There is no solution."]}
    first, second, *others = price_lines(found)
    return {"lines": [f"{first} {second}", *others]}


def _unique(question: Question) -> dict[str, Any]:
    puzzle, left = question.puzzle, _clock(question.limit)
    result = question.session.solve(puzzle, question.limit)
    if result.status is not Status.SATISFIABLE:
        return {"status": result.status.value}
    found = why_several(puzzle, left())
    if found is None:
        return {"status": "unique"}
    return {
        "status": "several",
        "lines": [f"{_upper(line)}." for line in difference_lines(found, _name(puzzle))],
        "cells": [cell for cell in found.cells if cell < puzzle.board.grid_count],
        "grids": [_cells(found.first), _cells(found.second)],
    }


# reasons


def _hint(question: Question) -> dict[str, Any]:
    """The next step from where the player is, in four levels; what is wrong is said first."""
    puzzle, session, left = question.puzzle, question.session, _clock(question.limit)
    if session.solve(puzzle, question.limit).status is Status.INFEASIBLE:
        return {"levels": ["There is no solution: ask for the steps to see why."]}
    player = question.player(puzzle)
    if wrong := wrong_marks(puzzle, player, left()):
        cell, digit = wrong[0]
        place, name = puzzle.board.cell_name(cell), _name(puzzle)(digit)
        return {
            "levels": [f"{place} is wrong: look at it again.", f"The digit of {place} is {name}."],
            "cells": [cell],
            "placed": [cell, digit],
            "removed": [],
            "marks": [],
        }
    if session.solve(player, left()).status is Status.INFEASIBLE:
        return {"levels": ["From here there is no solution: something that you filled in is wrong."]}
    start = marks_of(puzzle, player)
    known = tuple(islice(session.solutions(puzzle, left()), 2))
    known = tuple(grid for grid in known if all(d in start[cell] for cell, d in enumerate(grid.digits)))
    walk = Walk(puzzle, Effort(cases=len(known) == 1, known=known, deadline=Deadline(left())), start)
    # digits that the player has need no step
    have = {cell for cell, digit in enumerate(player.clues.digits) if digit != puzzle.board.blank}
    for step in walk:
        if not step.placed or step.placed[0] not in have:
            (first,) = steps_of(puzzle, start, [step])
            return _step_record(first)
        start = after(start, step)
    solved = walk.outcome is Outcome.SOLVED
    return {"levels": ["Every cell has its digit." if solved else "No step is left: the puzzle has several solutions."]}


def _step_record(step: Step) -> dict[str, Any]:
    size = step.puzzle.board.grid_count
    where, heading, which, reason = hints(step, names_of(step.puzzle.ruleset)).values()
    gone = [[cell, digit] for cell, digit in step.removed if cell < size]
    # where a digit is placed, the others of its cell and its peers go without saying
    removed = [] if step.placed else gone
    lost = sorted({cell for cell, _ in removed})
    left = after(step.candidates, step)
    return {
        "levels": [f"{_upper(where)}.", f"Technique: {heading}.", f"{_upper(which)}.", reason],
        "heading": heading,
        "cells": sorted({cell for cell, _ in step.ways if cell < size}.union(lost)),
        "placed": step.placed if step.placed and step.placed[0] < size else None,
        "removed": removed,
        "gone": gone,
        # what to write down, so that the next step goes on from here
        "marks": [[cell, sorted(left[cell])] for cell in lost],
    }


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _name(puzzle: Puzzle) -> Callable[[int], str]:
    """Writes the digits of a puzzle."""
    names, least = names_of(puzzle.ruleset), puzzle.board.least
    return lambda digit: names[digit - least]


def steps_record(puzzle: Puzzle, limit: float | None) -> dict[str, Any]:
    """All steps to the solution, or from a smallest conflict to the contradiction."""
    refutation = why_none(puzzle, limit)
    found = refutation.explanation if refutation else explain(puzzle, limit)
    conflict = None
    if refutation:
        fewest = ", the fewest there are" if refutation.smallest else ""
        conflict = f"These conflict already{fewest}: {parts_in_conflict(found.puzzle, _name(puzzle))}."
    return {
        "outcome": found.outcome.value,
        "conflict": conflict,
        "clues": _cells(found.puzzle.clues),
        "start": [sorted(digits) for digits in found.start[: puzzle.board.grid_count]],
        "steps": list(map(_step_record, found)),
    }


# files


def _picture(question: Question) -> dict[str, Any]:
    puzzle = question.puzzle
    shaded = question.objective(puzzle.board) if question.fields.get("shaded") else None
    view = View(puzzle, question.digits(puzzle.board), shaded, names_of(puzzle.ruleset))
    return {"name": "sudoku.svg", "type": "image/svg+xml", "text": f"{view.svg()}\n"}


def _export(question: Question) -> dict[str, Any]:
    # numpy, which nothing else here needs
    from ringdoku.exports import export, find_export

    puzzle, form = question.puzzle, find_export(question.text("format"))
    file = BytesIO()
    export(puzzle, form.name, file, question.objective(puzzle.board) if form.has_objective else None)
    if file.tell() > MOST_EXPORTED:
        raise UsageError(f"this model is larger than {MOST_EXPORTED >> 20} MiB; `ringdoku export` writes it to a file")
    return {"name": f"sudoku.{form.name}", "type": "text/plain", "text": file.getvalue().decode()}


TASKS: Mapping[str, Callable[[Question], dict[str, Any]]] = {
    "read": _read,
    "solve": lambda question: result_record(question.session.solve(question.puzzle, question.limit)),
    "maximise": _maximise,
    "prices": _prices,
    "candidates": lambda question: {"cells": true_candidates(question.puzzle, question.limit)},
    "unique": _unique,
    "hint": _hint,
    "steps": lambda question: steps_record(question.puzzle, question.limit),
    "picture": _picture,
    "export": _export,
}
"""Every question by its name."""


def answer(fields: object, session: Session, tell: Tell) -> dict[str, Any]:
    """The answer to what was posted. Raises `RingdokuError`."""
    task = fields.get("task") if isinstance(fields, dict) else None
    if not isinstance(fields, dict) or not isinstance(task, str) or task not in TASKS:
        raise UsageError(f"a question has a task, one of {', '.join(TASKS)}")
    return TASKS[task](Question(fields, session, tell))
