"""Puzzle → CP-SAT model with one Boolean for each candidate: every cell and every digit of a unit exactly one.

Its linear relaxation is far stronger than that of integer variables with AllDifferent, provided that the solver is
told to use all of it, by linearization level 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from ortools.sat.python.cp_model import CpModel, LinearExpr  # noqa: TID253 - this module itself is loaded on use

from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.rules import AllDifferent
from ringdoku.duality.incidence import Candidates
from ringdoku.duality.projection import Projection, projected
from ringdoku.lowering.propagation import propagate


@dataclass(frozen=True)
class BooleanCpSat:
    """A model whose solutions are those of a puzzle within its candidates, and the way back.

    `places` are (variable, cell, digit), one for each candidate; the objective is the projected one.
    """

    model: CpModel
    places: tuple[tuple[Any, int, int], ...]
    cell_count: int
    projection: Projection | None
    linearization_level: int = 2

    def decode(self, value: Callable[[Any], int]) -> Grid:
        """The solution under `value`, the method of that name of a solver or of a solution callback."""
        digits = [0] * self.cell_count
        for variable, cell, digit in self.places:
            if value(variable):
                digits[cell] = digit
        return Grid(tuple(digits))

    def suggest(self, grid: Grid) -> None:
        """Tell the solver of a grid to start from."""
        for variable, cell, digit in self.places:
            self.model.add_hint(variable, grid.digits[cell] == digit)

    def exclude(self, grids: Iterable[Grid]) -> None:
        """Solutions that do not count."""
        for grid in grids:
            chosen = [variable for variable, cell, digit in self.places if grid.digits[cell] == digit]
            if len(chosen) == self.cell_count:
                self.model.add_bool_or([~variable for variable in chosen])

    def score(self, inner: int) -> int:
        """The score that the model's objective value stands for."""
        return inner if self.projection is None else self.projection.score(inner)

    def between(self, low: int | None, high: int | None) -> None:
        """Only solutions whose score is in this range, None being open."""
        if self.projection is not None:
            constant, step = self.projection.constant, self.projection.step
            total = self._total(self.projection)
            if low is not None:
                self.model.add(total >= -((constant - low) // step))
            if high is not None:
                self.model.add(total <= (high - constant) // step)

    def _total(self, projection: Projection) -> Any:
        terms = [(variable, projection.coefficients[cell] * digit) for variable, cell, digit in self.places]
        used = [(variable, value) for variable, value in terms if value]
        return LinearExpr.weighted_sum([variable for variable, _ in used], [value for _, value in used])


def lower_to_boolean_cpsat(
    puzzle: Puzzle, objective: Objective | None = None, within: Candidates | None = None
) -> BooleanCpSat:
    """Only what propagation leaves, or only `within` these candidates (n², n), has variables."""
    model, n = CpModel(), puzzle.order
    candidates = propagate(puzzle) if within is None else within
    if candidates is None:
        # exactly one of none: the model has no solution either
        candidates = np.zeros((n * n, n), dtype=bool)
    cells, digits = np.nonzero(candidates)
    variables = [model.new_bool_var("") for _ in range(len(cells))]
    index = np.full(candidates.shape, -1, dtype=np.int64)
    index[cells, digits] = np.arange(len(cells))

    def at(members: list[int]) -> list[Any]:
        return [variables[member] for member in members if member >= 0]

    for row in index:
        model.add_exactly_one(at(row.tolist()))
    for rule in puzzle.rules:
        match rule:
            case AllDifferent(of_rule):
                add = model.add_exactly_one if len(of_rule) == n else model.add_at_most_one
                for column in index[list(of_rule)].T:
                    add(at(column.tolist()))
    places = tuple(zip(variables, cells.tolist(), (digits + 1).tolist(), strict=True))
    projection = None if objective is None else projected(puzzle, objective)
    lowered = BooleanCpSat(model, places, n * n, projection)
    if objective is not None and projection is not None:
        total = lowered._total(projection)
        if objective.sense is Sense.MAXIMISE:
            model.maximize(total)
        else:
            model.minimize(total)
    return lowered
