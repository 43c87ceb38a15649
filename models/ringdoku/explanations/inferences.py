"""What an inference is: a set of truths, and what follows when they all hold. A *truth* says that something is true of
every solution: a cell has a digit, a unit has a place for a digit, a rule holds. Candidates that exclude each other are
*links*, and taken for granted. Rank theory calls these strong and weak sets."""

from dataclasses import dataclass
from typing import TypeAlias

from ringdoku.domain import Constraint, Ruleset

Candidate: TypeAlias = tuple[int, int]
"""A cell and a digit that it may hold."""
Candidates: TypeAlias = tuple[frozenset[int], ...]
"""For each cell the digits that it may hold."""


@dataclass(frozen=True)
class CellTruth:
    """The cell has a digit."""

    cell: int


@dataclass(frozen=True)
class UnitTruth:
    """The unit has a place for the digit; `unit` is its index in the ruleset's units."""

    unit: int
    digit: int


@dataclass(frozen=True)
class RuleTruth:
    """A named constraint holds."""

    constraint: Constraint


@dataclass(frozen=True)
class HouseTruth:
    """The unit has every digit, so that its digits have a known sum; `unit` is its index in the ruleset's units."""

    unit: int


@dataclass(frozen=True)
class UniqueTruth:
    """Of cells with two digits each, the `pattern`, one has another digit: else each could have its other one, which
    makes a second solution. That there is only one is assumed."""

    pattern: tuple[Candidate, ...]

    @property
    def cells(self) -> list[int]:
        """Those of the pattern, each once."""
        return sorted({cell for cell, _ in self.pattern})


Truth: TypeAlias = CellTruth | UnitTruth | RuleTruth | HouseTruth | UniqueTruth


def ways_of(truth: Truth, ruleset: Ruleset, candidates: Candidates) -> list[Candidate]:
    """The candidates that satisfy the truth of a cell, a unit or a pattern; none for other truths."""
    match truth:
        case CellTruth(cell):
            return [(cell, digit) for digit in sorted(candidates[cell])]
        case UnitTruth(unit, digit):
            return [(cell, digit) for cell in ruleset.units[unit].cells if digit in candidates[cell]]
        case UniqueTruth(pattern):
            every = ((cell, digit) for cell in truth.cells for digit in sorted(candidates[cell]))
            return [candidate for candidate in every if candidate not in pattern]
    return []


@dataclass(frozen=True)
class Case:
    """The candidate that is assumed, what follows from there, and at the end truths that contradict each other."""

    assumed: Candidate
    inferences: "tuple[Inference, ...]"
    end: "Inference"


@dataclass(frozen=True)
class Inference:
    """With the truths and the links, no solution has one of the candidates `removed`, and all have `placed`. With
    neither of these the truths contradict each other: there is no solution.

    `name` is that of the technique, empty where it has none. Where there are `cases`, no small set of truths was found:
    each removed candidate was assumed, which led to a contradiction. The truths are then those of all steps there, each
    as often as it is used.

    `smallest`: it is proved that no set of fewer truths refutes any candidate; False where that took too long, None
    where it was not asked.
    """

    truths: tuple[Truth, ...]
    removed: tuple[Candidate, ...]
    placed: Candidate | None = None
    name: str = ""
    cases: tuple[Case, ...] = ()
    smallest: bool | None = None

    @property
    def size(self) -> int:
        return len(self.truths)

    @property
    def depth(self) -> int:
        """How deep cases lie in cases: 1 for a case split without any inside, 0 for a step without cases."""
        inner = (1 + max((step.depth for step in case.inferences), default=0) for case in self.cases)
        return max(inner, default=0)
