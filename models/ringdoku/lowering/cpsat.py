"""Puzzle → CP-SAT model with one integer variable a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.rules import AllDifferent


@dataclass(frozen=True)
class PuzzleCpSat:
    """A model whose solutions are a puzzle's, and the way back. `cells` are n² variables in reading order."""

    model: CpModel
    cells: tuple[IntVar, ...]
    linearization_level: int = 1

    def decode(self, value: Callable[[IntVar], int]) -> Grid:
        """The solution under `value`, the method of that name of a solver or of a solution callback."""
        return Grid(tuple(map(value, self.cells)))

    def exclude(self, grids: Iterable[Grid]) -> None:
        """Solutions that do not count."""
        excluded = [grid.digits for grid in grids]
        if excluded:
            self.model.add_forbidden_assignments(self.cells, excluded)

    def score(self, inner: int) -> int:
        """The score that the model's objective value stands for."""
        return inner


def lower_to_cpsat(puzzle: Puzzle, objective: Objective | None = None) -> PuzzleCpSat:
    """Clues are the domains of their variables; the score, if asked for, is a linear objective."""
    n = puzzle.order
    model = CpModel()
    cells = tuple(
        model.new_int_var(clue or 1, clue or n, puzzle.geometry.cell_name(cell))
        for cell, clue in enumerate(puzzle.clues.digits)
    )
    for rule in puzzle.rules:
        match rule:
            case AllDifferent(members):
                model.add_all_different([cells[cell] for cell in members])
    if objective is not None:
        score = LinearExpr.weighted_sum(cells, objective.weights)
        if objective.sense is Sense.MAXIMISE:
            model.maximize(score)
        else:
            model.minimize(score)
    return PuzzleCpSat(model, cells)
