"""The pictures of one puzzle for `ringdoku draw`: alone, with its solution or candidates, or its steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import Objective, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.drawing.sheets import Item
from ringdoku.drawing.views import View, view_of_result
from ringdoku.explanations.path import Outcome, start_of
from ringdoku.limits import Deadline
from ringdoku.services import Session
from ringdoku.services import candidates as true_candidates
from ringdoku.services.explaining import continued, explain, rate, why_none
from ringdoku.text import Entry
from ringdoku.text.stated import NO_SOLUTION
from ringdoku_cli.commands.rate import ENDING, EXIT_OF
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.messages import note
from ringdoku_cli.render.pictures import title_of

TRUE, SIMPLE = "true", "simple"
"""Kinds of candidates."""
LOOK_SECONDS = 1.0
"""For whether there is a solution, where none is asked for."""


@dataclass(frozen=True)
class Wish:
    """What is drawn of each puzzle; `steps` are the first and the last, `weights` are those of a file."""

    solution: bool
    candidates: str | None
    player: Puzzle | None
    steps: tuple[int, int | None] | None
    rings: bool
    weights: Objective | None
    level: bool
    solutions_too: bool
    time_limit: float | None


@dataclass(frozen=True)
class Drawn:
    """The pictures of a puzzle, each with the line under it on a sheet, and how it was answered."""

    items: tuple[Item, ...]
    exit: Exit = Exit.OK


def pictures_of(number: int, entry: Entry, wish: Wish, session: Session) -> Drawn:
    """The pictures of one puzzle."""
    puzzle, symbols, title = entry.puzzle, entry.layout.symbols, title_of(entry)
    objective = wish.weights or (ring_weights(puzzle.board) if wish.rings else None)
    view = View(puzzle, objective=objective, symbols=symbols, title=title)
    if wish.steps:
        return _steps(entry, wish, wish.steps)
    exit_code = Exit.OK
    caption = f"{number} · {counted(puzzle.clues.filled_count, 'clue')}"
    solved, doubt = None, ""
    asks = wish.solution or wish.solutions_too
    deadline = Deadline.asked(wish.time_limit)
    limit = wish.time_limit if asks else min(wish.time_limit or LOOK_SECONDS, LOOK_SECONDS)
    result = Result(Status.UNKNOWN) if wish.candidates == TRUE else session.solve(puzzle, limit)
    if result.status is Status.INFEASIBLE:
        view = replace(view, alarm=NO_SOLUTION)
    if asks:
        solved = view_of_result(puzzle, result, objective, symbols, title)
        doubt = _doubt(puzzle, session, deadline) if result.grid else ""
        if doubt:
            note(f"{entry.place}: {doubt}")
        exit_code = {Status.INFEASIBLE: Exit.NEGATIVE, Status.UNKNOWN: Exit.UNKNOWN}.get(result.status, Exit.OK)
    if wish.solution and solved:
        view = replace(solved, caption=doubt)
    elif wish.player:
        allowed = wish.player.ruleset.allowed
        view = replace(
            view,
            grid=continued(puzzle, wish.player).clues,
            candidates=[allowed.get(cell, frozenset()) for cell in range(puzzle.board.cell_count)],
        )
    elif wish.candidates == SIMPLE:
        view = replace(view, candidates=start_of(puzzle))
    elif wish.candidates == TRUE:
        try:
            digits = true_candidates(puzzle, wish.time_limit)
        except TimeLimitError:
            note(f"{entry.place}: time limit: the candidates are not known")
            return Drawn((Item(view, caption),), Exit.UNKNOWN)
        alarm = "" if digits else NO_SOLUTION
        view = replace(view, candidates=digits or (), alarm=alarm)
        exit_code = exit_code if digits else worst(exit_code, Exit.NEGATIVE)
    if wish.level:
        rating = rate(puzzle, wish.time_limit)
        caption += f" · {ENDING[rating.outcome] or rating.hardest}"
    below = f"{number} · {doubt}" if doubt else str(number)
    return Drawn((Item(view, caption, solved if wish.solutions_too else None, below),), exit_code)


def _doubt(puzzle: Puzzle, session: Session, deadline: Deadline) -> str:
    """What to say beside a solution that may not be the only one."""
    left = deadline.remaining()
    try:
        count = len(tuple(islice(session.solutions(puzzle, None if left is None else max(left, 1e-3)), 2)))
    except TimeLimitError:
        return "one solution; time limit: it is not known whether there are others"
    return "one of several solutions" if count > 1 else ""


def _steps(entry: Entry, wish: Wish, span: tuple[int, int | None]) -> Drawn:
    """A picture for each step to the solution, or from a smallest conflict to the contradiction."""
    first, last = span
    try:
        found = explain(entry.puzzle, wish.time_limit)
        if found.outcome is Outcome.CONTRADICTION and (refuted := why_none(entry.puzzle, wish.time_limit)):
            found = refuted.explanation
    except TimeLimitError:
        note(f"{entry.place}: the time limit came first")
        return Drawn((), Exit.UNKNOWN)
    if found.outcome is Outcome.STUCK:
        note(f"{entry.place}: more than one solution; no step is left after {len(found)}")
    elif found.outcome is Outcome.LIMIT:
        note(f"{entry.place}: the time limit came first, after {counted(len(found), 'step')}")
    steps = found.steps[first - 1 : last]
    if not steps:
        note(f"{entry.place}: there is no step {first}; there are {len(found)}")
        return Drawn((), worst(EXIT_OF[found.outcome], Exit.NEGATIVE))
    views = [step.view(entry.layout.symbols) for step in steps]
    return Drawn(tuple(Item(view, "") for view in views), EXIT_OF[found.outcome])
