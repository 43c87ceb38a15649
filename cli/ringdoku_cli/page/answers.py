"""The questions of the page: `TASKS` has a function for each, which calls the library and returns JSON.

A puzzle comes as one JSON object of `ringdoku.text`, with the key `grid`; a cell is its index on the board.
"""

import json
import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ringdoku import Session, candidates, check, classic, explain, ring_weights, why_best, why_none, why_several
from ringdoku.constraints.digits import AllowedDigits
from ringdoku.domain import Board, Grid, Lines, Objective, Puzzle, Result, Sense, Status, counted, whole_number
from ringdoku.domain.errors import InputError, Place, TimeLimitError, UsageError, expect, refuse
from ringdoku.domain.marks import Cage
from ringdoku.drawing.drawer import CELL, extent
from ringdoku.drawing.picture import Picture
from ringdoku.drawing.views import View
from ringdoku.explanations.explanation import LEVEL_WORDS, Step, steps_of
from ringdoku.explanations.graph import LARGEST_ORDER
from ringdoku.explanations.inferences import Candidates
from ringdoku.explanations.path import Effort, Outcome, Walk
from ringdoku.exports import export, find_export
from ringdoku.limits import Deadline
from ringdoku.services.explaining import up_to_two_solutions, with_player_marks, wrong_marks
from ringdoku.text import Entry, ReadOptions, layout_named, or_raise, puzzle_text, read
from ringdoku.text.cells import names_on
from ringdoku_cli.exits import message_and_code
from ringdoku_cli.render import LINKS, link_to

FILE = "text"  # the name in messages for what was typed, pasted or dropped

NEW = {"classic": (classic(9), ()), "killer": (classic(9), ("killer",)), "thermometer": (classic(9), ("thermometer",))}
NEW |= {"6×6": (classic(6, (2, 3)), ())}
"""The kinds of new puzzles: their rules, and the constraints that are placed."""

Event = tuple[str, Any]
"""An event of a run and its data: `progress` any number of times, then one `result` or `error`."""
Record = dict[str, Any]
Answerer = Callable[[object, Session, Callable[[Record], None]], Record]
"""Answers what was posted, with a session and a function that reports progress; raises `RingdokuError`."""
Field = TypeVar("Field", str, list[Any])


@dataclass(frozen=True)
class Question:
    """What was posted. The properties parse it, and raise `UsageError` or `InputError` for wrong values."""

    fields: Mapping[str, Any]
    session: Session
    report: Callable[[Record], None]
    """Sends progress to the page."""

    def field(self, key: str, kind: type[Field]) -> Field:
        """The value that was posted under `key`, or an empty one."""
        value: Field = expect(self.fields.get(key, kind()), kind, repr(key))
        return value

    @cached_property
    def puzzle(self) -> Puzzle:
        text = self.field("puzzle", str).encode("utf-8", "replace")
        found = next(or_raise(read(BytesIO(text), FILE, ReadOptions(format="json"))))
        _refuse_large(found.puzzle.board)
        return found.puzzle

    @property
    def limit(self) -> float | None:
        limit: float | None = self.fields.get("limit", 60)
        # refuses anything but a positive number
        Deadline.asked(limit)
        return limit

    def name(self, digit: int) -> str:
        board = self.puzzle.board
        return names_on(board)[digit - board.least]

    @property
    def objective(self) -> Objective:
        weights, sense = self.fields.get("weights"), Sense.MINIMISE if self.fields.get("lowest") else Sense.MAXIMISE
        return ring_weights(self.puzzle.board, sense) if weights is None else Objective(weights, sense)

    @property
    def digits(self) -> Grid:
        """The digits to draw, or those of the player; posted as null for an empty cell."""
        board = self.puzzle.board
        return Grid(tuple(board.blank if digit is None else digit for digit in self.field("digits", list)), board)

    @property
    def player(self) -> Puzzle:
        """The position of the player: digits as clues, and the marks of a cell, if it has any, as a rule."""
        in_grid = self.field("marks", list)[: self.puzzle.board.grid_count]
        rules = [AllowedDigits(allowed, (cell,)) for cell, allowed in enumerate(in_grid) if allowed]
        return Puzzle(self.puzzle.ruleset.extended(*rules), self.digits)


def _refuse_large(board: Board) -> None:
    is_large, largest = max(board.rows, board.columns, board.order) > LARGEST_ORDER, f"{LARGEST_ORDER}×{LARGEST_ORDER}"
    refuse(is_large, f"the page is for boards up to {largest}, not {board}; the other commands read it")


def json_text(puzzle: Puzzle) -> str:
    """The puzzle in the form in which a question has it."""
    return puzzle_text(puzzle, layout_named("json", puzzle.ruleset))


def puzzle_record(entry: Entry, notice: str = "") -> Record:
    """What the page needs to show a puzzle. Raises `UsageError` for a board that is too large."""
    puzzle, ruleset, board = entry.puzzle, entry.puzzle.ruleset, entry.puzzle.board
    _refuse_large(board)
    shape, picture = json.loads(json_text(puzzle)), Picture(ruleset)
    del shape["grid"]
    grid_place = dict(zip(("left", "top", "width", "height"), extent(picture), strict=True))
    return {
        "title": entry.name,
        "author": entry.author,
        "about": entry.about,
        "notice": notice,
        "rows": board.rows,
        "columns": board.columns,
        "values": list(board.digits),
        "names": list(names_on(board)),
        "clues": _cells(puzzle.clues),
        "shape": shape,
        "is_plain": not shape,
        # on such a board the user types clues first
        "is_blank": ruleset.classic_box is not None and not puzzle.clues.filled_count,
        "is_latin": Lines() in ruleset.constraints,
        "has_sums": any(isinstance(mark, Cage) and mark.text for mark in picture.marks),
        "houses": [house.cells for house in ruleset.houses if max(house.cells) < board.grid_count],
        "rules": list(picture.sentences),
        "rings": ring_weights(board).weights,
        # without digits, with the place of the grid; rules in words may be below it, which the page shows as text
        "picture": {"svg": Puzzle(ruleset, Grid.blank(board)).svg(), **grid_place, "cell": CELL},
    }


def _cells(grid: Grid) -> list[int | None]:
    return [None if digit == grid.board.blank else digit for row in grid.rows for digit in row]


def _read_text(question: Question) -> Record:
    text, notices = question.field("text", str).encode("utf-8", "replace"), list[str]()
    ignore = bool(question.fields.get("ignore"))
    options = ReadOptions(ignore=ignore, note=lambda place, said: notices.append(f"Line {place.line}: {said}."))
    first, *others = islice(read(BytesIO(text), FILE, options), 2)
    if isinstance(first, InputError):
        raise first
    notice = " ".join(["The text holds several puzzles; this is the first."] * bool(others) + notices)
    return puzzle_record(first, notice)


def _new_puzzle(question: Question) -> Record:
    """A new puzzle of a kind and a level, from a seed."""
    # imported here: they load a solver
    from ringdoku.services.generator import make
    from ringdoku.services.spec import Spec

    kind, level = question.field("kind", str), question.field("level", str)
    if kind not in NEW or level not in LEVEL_WORDS:
        raise UsageError(f"a new puzzle is of {', '.join(NEW)}, and {', '.join(LEVEL_WORDS)}")
    ruleset, kinds = NEW[kind]
    seed = whole_number(question.fields.get("seed"), "seeds")
    spec = Spec(ruleset, kinds=kinds, levels=(LEVEL_WORDS[level][0], LEVEL_WORDS[level][-1]))
    made = next(make(spec, seed, question.limit))
    if made.puzzle is None:
        raise UsageError("no such puzzle was found in time; ask again, or for another level")
    title = f"{_capitalised(kind)}, {level}"
    return puzzle_record(Entry(made.puzzle, layout_named("line", ruleset), Place(FILE), made.solution, title))


def _result_record(result: Result) -> Record:
    return {
        "status": result.status.value,
        "digits": result.grid and _cells(result.grid),
        "score": result.score,
        "bound": result.bound,
        "seconds": result.seconds,
    }


def _maximise(question: Question) -> Record:
    """The best grid; progress has each new score and bound, and each better grid."""
    last: Grid | None = None

    def on_progress(found: Any) -> None:
        nonlocal last
        better = found.grid if found.grid is not last else None
        last = found.grid
        step = {"seconds": found.seconds, "score": found.score, "bound": found.bound}
        question.report(step | ({"digits": _cells(better)} if better else {}))

    return _result_record(question.session.maximise(question.puzzle, question.objective, question.limit, on_progress))


def _prices(question: Question) -> Record:
    found = why_best(question.puzzle, question.objective, question.limit)
    if found is None:
        return {"lines": ["There is no solution."]}
    first, second, *others = found.lines()
    costs = [round(float(cost), 2) for cost in found.costs()]
    digits = found.result.grid and _cells(found.result.grid)
    return {"lines": [f"{first} {second}", *others], "costs": costs, "digits": digits}


def _unique(question: Question) -> Record:
    puzzle, deadline = question.puzzle, Deadline.asked(question.limit)
    result = question.session.solve(puzzle, question.limit)
    if result.status is not Status.SATISFIABLE:
        return {"status": result.status.value}
    found = why_several(puzzle, deadline.left())
    if found is None:
        return {"status": "unique"}
    return {
        "status": "several",
        "lines": [f"{_capitalised(line)}." for line in found.lines(question.name)],
        "cells": [cell for cell in found.cells if cell < puzzle.board.grid_count],
        "grids": [_cells(found.first), _cells(found.second)],
    }


def _check_player(question: Question) -> Record:
    """Whether the player's digits are a solution; if not, which of them are wrong, as far as is known."""
    puzzle, player = question.puzzle, Puzzle(question.puzzle.ruleset, question.digits)
    if player.clues.is_full and not check(puzzle, player.clues):
        return {"solved": True, "wrong": [], "text": ""}
    wrong = [*wrong_marks(puzzle, player, question.limit)]
    if wrong:
        text = f"{counted(len(wrong), 'cell')} {'is' if len(wrong) == 1 else 'are'} wrong."
    elif question.session.solve(player, question.limit).status is Status.INFEASIBLE:
        text = "From here there is no solution."
    else:
        text = "Nothing is wrong so far."
    return {"solved": False, "wrong": wrong, "text": text}


def _hint(question: Question) -> Record:
    """The next step from the player's position, as a hint of four levels; wrong digits are reported first."""
    puzzle, session, deadline = question.puzzle, question.session, Deadline.asked(question.limit)
    if session.solve(puzzle, question.limit).status is Status.INFEASIBLE:
        return {"levels": ["There is no solution: ask for the steps to see why."]}
    player = question.player
    if wrong := wrong_marks(puzzle, player, deadline.left()):
        cell, digits = next(iter(wrong.items()))
        place, right = puzzle.board.cell_name(cell), " or ".join(map(question.name, digits))
        levels = [f"{place} is wrong: look at it again.", f"The digit of {place} is {right}."]
        return {"levels": levels, "cells": [cell], "marks": [], "placed": [cell, *digits] if len(digits) == 1 else None}
    if session.solve(player, deadline.left()).status is Status.INFEASIBLE:
        return {"levels": ["From here there is no solution: something that you filled in is wrong."]}
    puzzle, start, walk = walk_from(puzzle, player, deadline)
    for step in steps_of(puzzle, start, walk):
        return _step_record(step)
    solved = walk.outcome is Outcome.SOLVED
    return {"levels": ["Every cell has its digit." if solved else "No step is left: the puzzle has several solutions."]}


def walk_from(puzzle: Puzzle, player: Puzzle, deadline: Deadline) -> tuple[Puzzle, Candidates, Walk]:
    """The puzzle with the player's digits as clues, the candidates that are left, and a walk of steps from there."""
    puzzle, start = with_player_marks(puzzle, player)
    known = up_to_two_solutions(puzzle, start, deadline.left())
    return puzzle, start, Walk(puzzle, Effort(cases=len(known) == 1, known=known, deadline=deadline), start)


def _step_record(step: Step) -> Record:
    size = step.puzzle.board.grid_count
    where, heading, which, reason = step.hints(names_on(step.puzzle.board)).values()
    gone = [[cell, digit] for cell, digit in step.removed if cell < size]
    # if a digit is placed, it is obvious which candidates of its cell and its peers are removed
    removed = [] if step.placed else gone
    lost = sorted({cell for cell, _ in removed})
    _, left = step.after
    return {
        "levels": [f"{_capitalised(where)}.", f"Technique: {heading}.", f"{_capitalised(which)}.", reason],
        "heading": heading,
        "cells": sorted({cell for cell, _ in step.ways if cell < size}.union(lost)),
        "placed": step.placed if step.placed and step.placed[0] < size else None,
        "removed": removed,
        "gone": gone,
        # the marks that the player must write for the next step to continue from here
        "marks": [[cell, sorted(left[cell])] for cell in lost],
    }


def _capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _steps(question: Question) -> Record:
    """All steps to the solution, or from a smallest conflict to the contradiction."""
    puzzle, limit = question.puzzle, question.limit
    refutation = why_none(puzzle, limit)
    found = refutation.explanation if refutation else explain(puzzle, limit)
    conflict = refutation and f"{_capitalised(': '.join(refutation.sentence(question.name)))}."
    return {
        "outcome": found.outcome.value,
        "conflict": conflict,
        "clues": _cells(found.puzzle.clues),
        "start": [sorted(digits) for digits in found.start[: puzzle.board.grid_count]],
        "steps": list(map(_step_record, found)),
    }


def _picture(question: Question) -> Record:
    shaded = question.objective if question.fields.get("shaded") else None
    view = View(question.puzzle, question.digits, shaded, names_on(question.puzzle.board))
    return {"name": "sudoku.svg", "type": "image/svg+xml", "text": f"{view.svg()}\n"}


def _export(question: Question) -> Record:
    form, file = find_export(question.field("format", str)), BytesIO()
    export(question.puzzle, form.name, file, question.objective if form.has_objective else None)
    return {"name": f"sudoku.{form.name}", "type": "text/plain", "text": file.getvalue().decode()}


def _text(question: Question) -> Record:
    """The puzzle as text: its rules as lines, and its grid."""
    form = "line" if question.puzzle.board.order < 10 else "spaced"
    return {"copied": puzzle_text(question.puzzle, layout_named(form, question.puzzle.ruleset))}


def _link(question: Question) -> Record:
    """A link to the puzzle for a program, and a description of it."""
    program, title, author, about = (question.field(key, str) for key in ("program", "title", "author", "about"))
    layout = layout_named("json", question.puzzle.ruleset)
    entry = Entry(question.puzzle, layout, Place(FILE), name=title, author=author, about=about)
    return {"copied": link_to(program, entry), "what": LINKS[program]}


TASKS: Mapping[str, Callable[[Question], Record]] = {
    "read": _read_text,
    "new": _new_puzzle,
    "text": _text,
    "link": _link,
    "check": _check_player,
    "solve": lambda question: _result_record(question.session.solve(question.puzzle, question.limit)),
    "maximise": _maximise,
    "prices": _prices,
    "candidates": lambda question: {"cells": candidates(question.puzzle, question.limit)},
    "unique": _unique,
    "hint": _hint,
    "steps": _steps,
    "picture": _picture,
    "export": _export,
}


def answer(fields: object, session: Session, report: Callable[[Record], None]) -> Record:
    """The answer to what was posted. Raises `RingdokuError`."""
    if not isinstance(fields, dict) or fields.get("task") not in tuple(TASKS):
        raise UsageError(f"a question has a task, one of {', '.join(TASKS)}")
    return TASKS[fields["task"]](Question(fields, session, report))


SESSION = Session()


def load() -> None:
    """Load the solvers. An error, such as too little memory, is left for the first question to report."""
    with suppress(Exception):
        SESSION.maximise(Puzzle.blank(4))


def answer_event(answerer: Answerer, fields: object, pipe: bytes) -> Event:
    """The last event of a run, its result or error; progress is sent through a pickled pipe."""
    progress: Connection = pickle.loads(pipe)

    def report(record: Record) -> None:
        # the page may have just been closed
        with suppress(BrokenPipeError):
            progress.send(record)

    try:
        return "result", answerer(fields, SESSION, report)
    except TimeLimitError:
        text = "The time limit came first."
    except Exception as error:
        text, _ = message_and_code(error)
    return "error", {"text": text, "can_ignore": "--ignore" in text}
