"""What an exported model optimises: the objective itself, or an equal one on fewer cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.projection import projected as project

LARGEST_FACTOR = 2**62
"""With larger numbers most programs overflow silently, since they use 64 bits."""


@dataclass(frozen=True)
class Goal:
    """score = constant + step·Σ coefficients·digit for every solution, with one coefficient for each cell of the
    grid."""

    objective: Objective
    coefficients: tuple[int, ...]
    constant: int = 0
    step: int = 1

    @staticmethod
    def of(puzzle: Puzzle, objective: Objective | None, projected: bool) -> Goal | None:
        """The goal for an objective: on fewer cells if `projected`, else with the weight of every cell.

        Raises `UsageError` for weights whose sums would not fit in 64 bits.
        """
        if objective is None:
            return None
        if not projected:
            goal = Goal(objective, objective.weights)
        else:
            projection = project(puzzle, objective)
            goal = Goal(objective, projection.coefficients, projection.constant, projection.step)
        if sum(map(abs, goal.coefficients)) * puzzle.board.largest >= LARGEST_FACTOR:
            raise UsageError("the weights are too large: sums of them would not fit the 64 bits of other programs")
        return goal

    @property
    def verb(self) -> str:
        """`maximize` or `minimize`, as the formats write it."""
        return self.objective.sense.value.replace("ise", "ize")

    def known_part(self, known: Sequence[int], blank: int = 0) -> int:
        """Σ coefficients·digit over the cells whose digits are known; `blank` marks an open cell."""
        digits = known[: len(self.coefficients)]
        return sum(factor * digit for factor, digit in zip(self.coefficients, digits, strict=True) if digit != blank)


@dataclass(frozen=True)
class ScoreFormula:
    """score = constant + factor·value, exactly, for the value that a solver minimises or maximises."""

    objective: Objective
    constant: int
    factor: int

    def gives(self, value: int, score: int) -> bool:
        """Whether a solver's `value` gives this score."""
        return self.constant + self.factor * value == score
