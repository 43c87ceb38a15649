"""Puzzle → CP-SAT model with one Boolean for each candidate: "exactly one" for every cell and for every digit of a
unit.

Its linear relaxation is far stronger than that of integer variables with AllDifferent, if the solver uses all of it,
which linearization level 2 asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from ortools.sat.python.cp_model import CpModel, LinearExpr  # noqa: TID253 - this module itself is loaded on use

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense
from ringdoku.domain.primitives import Count, Linear
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.duality.projection import Projection, projected
from ringdoku.limits import NEVER, Deadline
from ringdoku.lowering.cpsat import add_clauses

STEPS = 10_000
"""Variables made between two checks of the deadline."""


@dataclass(frozen=True)
class BooleanCpSat:
    """A model of the solutions of a puzzle within its candidates, and the map back to grids.

    `places` are (variable, cell, digit), one for each candidate; the objective is the projected one.
    """

    puzzle: Puzzle
    model: CpModel
    places: tuple[tuple[Any, int, int], ...]
    projection: Projection | None
    linearization_level: int = 2

    def decode(self, value: Callable[[Any], int]) -> Grid:
        """The solution under `value`, the method of that name of a solver or of a solution callback."""
        board = self.puzzle.board
        digits = [board.blank] * board.cell_count
        for variable, cell, digit in self.places:
            if value(variable):
                digits[cell] = digit
        return Grid(tuple(digits), board)

    def suggest(self, grid: Grid) -> None:
        """Give the solver a grid to start from."""
        for variable, cell, digit in self.places:
            self.model.add_hint(variable, grid.digits[cell] == digit)

    def exclude(self, grids: Iterable[Grid]) -> None:
        """Solutions that do not count."""
        for grid in grids:
            size = self.puzzle.board.grid_count
            chosen = [v for v, cell, digit in self.places if cell < size and grid.digits[cell] == digit]
            if len(chosen) == size:
                self.model.add_bool_or([~variable for variable in chosen])

    def score(self, inner: int) -> int:
        """The score for a value of the model's objective."""
        return inner if self.projection is None else self.projection.score(inner)

    def between(self, low: int | None, high: int | None) -> None:
        """Allow only solutions with a score in this range; None is no limit."""
        if self.projection is not None:
            constant, step = self.projection.constant, self.projection.step
            total = self._total(self.projection)
            if low is not None:
                self.model.add(total >= -((constant - low) // step))
            if high is not None:
                self.model.add(total <= (high - constant) // step)

    def _total(self, projection: Projection) -> Any:
        size = len(projection.coefficients)
        terms = [(v, projection.coefficients[cell] * digit) for v, cell, digit in self.places if cell < size]
        used = [(variable, value) for variable, value in terms if value]
        return LinearExpr.weighted_sum([variable for variable, _ in used], [value for _, value in used])


def lower_to_boolean_cpsat(
    puzzle: Puzzle, objective: Objective | None = None, within: Candidates | None = None, deadline: Deadline = NEVER
) -> BooleanCpSat:
    """Only the candidates that propagation leaves, or those `within` (cells, digits), have variables. Raises
    `TimeLimitError` at the deadline."""
    model, board = CpModel(), puzzle.board
    candidates = propagate(puzzle, deadline=deadline) if within is None else within
    if candidates is None:
        # "exactly one" of no variables makes the model infeasible too
        candidates = np.zeros((board.cell_count, board.order), dtype=bool)
    cells, digits = np.nonzero(candidates)
    variables = []
    for number in range(len(cells)):
        if number % STEPS == 0:
            deadline.check()
        variables.append(model.new_bool_var(""))
    index = np.full(candidates.shape, -1, dtype=np.int64)
    index[cells, digits] = np.arange(len(cells))

    def at(members: list[int]) -> list[Any]:
        return [variables[member] for member in members if member >= 0]

    of_cells: Any = index.tolist()
    for of_cell in of_cells:
        deadline.check()
        model.add_exactly_one(at(of_cell))
    for house in puzzle.ruleset.houses:
        add = model.add_exactly_one if len(house.cells) == board.order else model.add_at_most_one
        for column in index[list(house.cells)].T:
            deadline.check()
            add(at(column.tolist()))
    places = tuple(zip(variables, cells.tolist(), (digits + board.least).tolist(), strict=True))
    if puzzle.ruleset.rest:
        literals = [[None if member < 0 else variables[member] for member in of_cell] for of_cell in of_cells]
        _add_rules(model, puzzle.ruleset, literals, deadline)
    projection = None if objective is None else projected(puzzle, objective)
    lowered = BooleanCpSat(puzzle, model, places, projection)
    if objective is not None and projection is not None:
        total = lowered._total(projection)
        if objective.sense is Sense.MAXIMISE:
            model.maximize(total)
        else:
            model.minimize(total)
    return lowered


def _add_rules(model: CpModel, ruleset: Ruleset, literals: list[list[Any]], deadline: Deadline) -> None:
    """Sums and counts are linear constraints. Every primitive, sums too, is also added as clauses, which propagate
    more."""
    least = ruleset.board.least
    for primitive in ruleset.rest:
        deadline.check()
        if isinstance(primitive, Linear):
            terms = [
                (variable, coefficient * digit)
                for cell, coefficient in zip(primitive.cells, primitive.coefficients, strict=True)
                for digit, variable in enumerate(literals[cell], least)
                if variable is not None and digit
            ]
            total = LinearExpr.weighted_sum([variable for variable, _ in terms], [value for _, value in terms])
            if primitive.least is not None:
                model.add(total >= primitive.least)
            if primitive.greatest is not None:
                model.add(total <= primitive.greatest)
        elif isinstance(primitive, Count):
            found = [literals[cell][digit - least] for cell, digit in primitive.candidates]
            total = LinearExpr.sum([variable for variable in found if variable is not None])
            model.add_linear_constraint(total, primitive.least, primitive.greatest)
    rest = [primitive for primitive in ruleset.rest if not isinstance(primitive, Count)]
    add_clauses(model, literals, ruleset, rest, deadline)
