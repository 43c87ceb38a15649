"""Answers to many puzzles at once, each checked as any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ringdoku.deduction.many import Digits, only_solutions
from ringdoku.domain.checker import are_solutions, check_result
from ringdoku.domain.grid import Grid
from ringdoku.domain.result import Result, Status
from ringdoku.services.session import Session
from ringdoku.text import Batch, Entry

ARRAYS = "arrays"
"""What errors call the search on arrays, beside the names of backends."""

T = TypeVar("T")


@dataclass(frozen=True)
class BatchAnswer:
    """A line for each puzzle of a batch: its solution in n² characters, or zeros where `others` says what is known."""

    lines: bytes
    others: tuple[tuple[int, Result], ...]


def solve_batch(batch: Batch, time_limit: float | None, session: Session) -> BatchAnswer:
    """A solution of each puzzle.

    Most puzzles with one solution are solved together, and a solver gets the others one after the other. So the answers
    are the solver's where there is one solution only, and otherwise they do not depend on how the puzzles came in
    batches.
    """
    board = batch.ruleset.board
    grids, found = _only_solutions(batch, session)
    others: list[tuple[int, Result]] = []
    for index in np.flatnonzero(~found).tolist():
        # the session checks its answer
        result = session.solve(batch.entry(index).puzzle, time_limit)
        grids[index] = result.grid.digits if result.grid else 0
        if result.grid is None:
            others.append((index, result))
    lines = np.full((len(grids), board.cell_count + 1), ord("\n"), np.uint8)
    lines[:, :-1] = grids + ord("0")
    return BatchAnswer(lines.tobytes(), tuple(others))


def counted(batch: Batch, session: Session, one: T, count: Callable[[Entry], T]) -> list[T]:
    """`one` for each puzzle that has exactly one solution, most of which are found together, else what `count` says."""
    found = _only_solutions(batch, session)[1]
    return [one if has_one else count(batch.entry(index)) for index, has_one in enumerate(found.tolist())]


def _only_solutions(batch: Batch, session: Session) -> tuple[Digits, NDArray[np.bool_]]:
    """As `deduction.many`, checked; nothing is found where the session has a backend of the caller's choice."""
    board, box = batch.ruleset.board, batch.ruleset.classic_box
    clues = np.frombuffer(batch.clues, np.uint8).reshape(-1, board.cell_count)
    if session.backend != "auto" or box is None:
        return np.zeros_like(clues), np.zeros(len(clues), np.bool_)
    grids, found = only_solutions(clues, box)
    for index in np.flatnonzero(found & ~are_solutions(clues, grids, box)).tolist():
        wrong = Grid(tuple(grids[index].tolist()), board)
        # it says what is wrong
        check_result(batch.entry(index).puzzle, Result(Status.SATISFIABLE, wrong, backend=ARRAYS))
        raise AssertionError("two checkers disagree")
    return grids, found
