"""What an exported model optimises: the objective itself, or an equal one on fewer cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.domain.board import MAX_ORDER
from ringdoku.domain.errors import UsageError
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.projection import projected as project

LARGEST_FACTOR = 2**62
"""Beyond this the readers of most formats, which hold numbers in 64 bits, go wrong without a word."""


@dataclass(frozen=True)
class Goal:
    """score = constant + step·Σ coefficients·digit on every solution; one coefficient a cell."""

    objective: Objective
    coefficients: tuple[int, ...]
    constant: int = 0
    step: int = 1

    @staticmethod
    def of(puzzle: Puzzle, objective: Objective | None, projected: bool) -> Goal | None:
        """The goal for an objective: on fewer cells if `projected`, else each with its own weight as in textbooks."""
        if objective is None:
            return None
        if not projected:
            return Goal(objective, objective.weights)
        projection = project(puzzle, objective)
        return Goal(objective, projection.coefficients, projection.constant, projection.step)

    def __post_init__(self) -> None:
        if sum(map(abs, self.coefficients)) * MAX_ORDER >= LARGEST_FACTOR:
            raise UsageError("the weights are too large: sums of them would not fit the 64 bits of other programs")

    @property
    def verb(self) -> str:
        """`maximize` or `minimize`, as the formats spell it."""
        return self.objective.sense.value.replace("ise", "ize")

    def known_part(self, known: Sequence[int]) -> int:
        """Σ coefficients·digit over the cells whose digits are known; 0 stands for an open cell."""
        return sum(coefficient * digit for coefficient, digit in zip(self.coefficients, known, strict=True))


@dataclass(frozen=True)
class ScoreFormula:
    """How a score comes from the value that a solver minimises or maximises: constant + factor·value, exactly."""

    objective: Objective
    constant: int
    factor: int

    def gives(self, value: int, score: int) -> bool:
        """Whether a solver's `value` stands for this score."""
        return self.constant + self.factor * value == score
