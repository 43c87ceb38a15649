"""Answers to many puzzles at once, each checked as any other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ringdoku.deduction.many import only_solutions
from ringdoku.domain.array_checker import are_solutions
from ringdoku.domain.checker import check_result
from ringdoku.domain.grid import Grid
from ringdoku.domain.result import Result, Status
from ringdoku.formats import Batch
from ringdoku.services.session import Session

ARRAYS = "arrays"
"""What errors call the search on arrays, beside the names of backends."""


@dataclass(frozen=True)
class BatchAnswer:
    """A line for each puzzle of a batch: its solution in n² characters, or zeros where `others` says what is known."""

    lines: bytes
    others: tuple[tuple[int, Result], ...]

    def line(self, index: int, size: int) -> bytes:
        """One of them, with its end."""
        return self.lines[index * (size + 1) : (index + 1) * (size + 1)]


def solve_batch(batch: Batch, time_limit: float | None, session: Session) -> BatchAnswer:
    """A solution of each puzzle.

    Where the session chooses the backend, most puzzles with one solution are solved together, and a solver gets the
    others one after the other. So the answers are those of the solver wherever there is only one, and else depend on
    the puzzles alone, not on how they came in batches.
    """
    board, box = batch.ruleset.board, batch.ruleset.classic_box
    assert box
    clues = np.frombuffer(batch.clues, np.uint8).reshape(-1, board.cell_count)
    grids, found = np.zeros_like(clues), np.zeros(len(clues), np.bool_)
    if session.backend == "auto":
        grids, found = only_solutions(clues, box)
    others: list[tuple[int, Result]] = []
    for index in np.flatnonzero(~found).tolist():
        result = session.solve(batch.entry(index).puzzle, time_limit)
        grids[index] = result.grid.digits if result.grid else 0
        if result.grid is None:
            others.append((index, result))
    right = are_solutions(clues, grids, box)
    right[[index for index, _ in others]] = True
    for index in np.flatnonzero(~right).tolist():
        # it says what is wrong
        check_result(
            batch.entry(index).puzzle,
            Result(Status.SATISFIABLE, Grid(tuple(grids[index].tolist()), board), backend=ARRAYS),
        )
    lines = np.full((len(grids), board.cell_count + 1), ord("\n"), np.uint8)
    lines[:, :-1] = grids + ord("0")
    return BatchAnswer(lines.tobytes(), tuple(others))
