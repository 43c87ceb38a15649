"""A live solver for other editors: the websocket protocol of SudokuSolver, which its user script for f-puzzles speaks
(https://github.com/dclamage/SudokuSolver, SudokuSolverConsole/WebsocketListener.cs).

A message has a `nonce`, a `command`, `dataType` "fpuzzles", and as `data` the packed text of an f-puzzles link. Each
answer to it has its nonce and a `type`. A new message cancels the one before.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from time import monotonic

from ringdoku import Grid, Puzzle, Session, UsageError, candidates, explain
from ringdoku.explanations.explanation import steps_of
from ringdoku.explanations.inferences import Candidates
from ringdoku.limits import NEVER
from ringdoku.links.compression import decompress
from ringdoku.links.fpuzzles import read_fpuzzles
from ringdoku_cli.page.answers import Question, Record, json_text, walk_from

ORIGINS = re.compile(r"https://([a-z0-9-]+\.)?f-puzzles\.com")
"""The sites whose pages may ask."""
NO_SOLUTION = {"type": "invalid", "message": "No solutions found."}


def _solve(question: Question) -> Record:
    grid = question.session.solve(question.puzzle).grid
    return {"type": "solved", "solution": grid.digits} if grid else NO_SOLUTION


def _count(question: Question, at_most: int | None = None) -> Record:
    count, last_report = 0, monotonic()
    for count, _ in enumerate(islice(question.session.solutions(question.puzzle), at_most), 1):
        if monotonic() > last_report + 1:
            question.report({"type": "count", "count": count, "inProgress": True})
            last_report = monotonic()
    return {"type": "count", "count": count, "inProgress": False}


def _true_candidates(question: Question) -> Record:
    """For each digit in each cell the number of solutions that have it, up to a limit that the file states, usually 1.
    If the file asks for it, −1 for a digit of no solution that the steps of `explain` do not rule out."""
    pairs = (str(option).partition("=") for option in question.field("options", list))
    options = {name: value for name, _, value in pairs}
    # without a number, colours distinguish up to 8 solutions
    most = int(options.get("truecandidatesnumsolutions") or (8 if "colored" in options else 1))
    true = candidates(question.puzzle)
    if true is None:
        return NO_SOLUTION
    _, left = explain(question.puzzle).end if "logical" in options else (None, true)
    counts = []
    for cell, (digits, seen) in enumerate(zip(true, left, strict=True)):
        for digit in question.puzzle.board.digits:
            if digit not in digits:
                counts.append(-1 if digit in seen else 0)
                continue
            with_it = Puzzle(question.puzzle.ruleset, question.puzzle.clues.put(cell, digit))
            counts.append(question.session.count_solutions(with_it, most) if most > 1 else 1)
    return {"type": "truecandidates", "solutionsPerCandidate": counts}


def _step(question: Question, most: int | None = 1) -> Record:
    """The next steps from the player's position; if an empty cell has no marks, the candidates first."""
    player = question.player
    if not question.session.solve(player).solved:
        return NO_SOLUTION
    puzzle, start, walk = walk_from(question.puzzle, player, NEVER)
    if most and any(cell not in player.ruleset.allowed for cell in player.clues.open):
        return _logical("Initial candidates.", player.clues, start)
    found = list(islice(steps_of(puzzle, start, walk), most))
    if not found:
        return _logical("No logical steps found.", player.clues, start)
    return _logical("\n".join(map(str, found)), *found[-1].after)


def _logical(message: str, grid: Grid, left: Candidates) -> Record:
    cells = [
        {"value": digit, "candidates": []} if digit != grid.board.blank else {"value": 0, "candidates": sorted(digits)}
        for digit, digits in zip(grid.digits, left, strict=True)
    ]
    return {"type": "logical", "cells": cells, "message": f"{message}\n", "isValid": True}


COMMANDS: Mapping[str, Callable[[Question], Record]] = {
    "solve": _solve,
    "check": partial(_count, at_most=2),
    "count": _count,
    "truecandidates": _true_candidates,
    "step": _step,
    "solvepath": partial(_step, most=None),
}
"""The function for each command but `cancel`."""


def answer_live(message: object, session: Session, report: Callable[[Record], None]) -> Record:
    """The answer to a message, without its nonce. Raises `RingdokuError`."""
    if not isinstance(message, dict) or message.get("command") not in tuple(COMMANDS):
        raise UsageError(f"commands are {', '.join(COMMANDS)} and cancel")
    data = message.get("data")
    if message.get("dataType") != "fpuzzles" or not isinstance(data, str):
        raise UsageError("a puzzle comes with the dataType fpuzzles, packed as in its links")
    text = decompress(data)
    found = read_fpuzzles(text)
    if found.unknown and not message.get("ignore"):
        raise UsageError(f"not all is understood: {'; '.join(found.unknown)}; `ringdoku page --ignore` goes on without")
    file = json.loads(text)
    cells = [cell for row in file["grid"] for cell in row]
    fields = {
        "puzzle": json_text(found.puzzle),
        # digits and marks of the player
        "digits": [cell.get("value") or None for cell in cells],
        "marks": [cell.get("centerPencilMarks") for cell in cells],
        "options": file.get("truecandidatesoptions") or [],
    }
    return COMMANDS[message["command"]](Question(fields, session, report))
