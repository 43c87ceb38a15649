"""The form of an inference: a set of truths, and what follows if they all hold. A *truth* is true in every solution: a
cell has a digit, a unit has a place for a digit, a rule holds. Pairs of candidates that exclude each other are *links*,
and need not be listed. Rank theory calls truths and links strong and weak sets."""

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
    """At least one cell has a digit outside the `pattern`, which has two digits for each of its cells. Otherwise all
    cells could change to their other digit, a second solution. This assumes that there is only one."""

    pattern: tuple[Candidate, ...]

    @property
    def cells(self) -> list[int]:
        """The cells of the pattern, each once."""
        return sorted({cell for cell, _ in self.pattern})


Truth: TypeAlias = CellTruth | UnitTruth | RuleTruth | HouseTruth | UniqueTruth


def ways_of(truth: Truth, ruleset: Ruleset, candidates: Candidates) -> list[Candidate]:
    """The candidates that satisfy the truth about a cell, a unit or a pattern; none for other truths."""
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
    """A candidate that is assumed, what follows from it, and at the `end` truths that contradict each other."""

    assumed: Candidate
    inferences: "tuple[Inference, ...]"
    end: "Inference"


@dataclass(frozen=True)
class Inference:
    """By the truths and the links, no solution has a candidate of `removed`, and every solution has `placed`. If both
    are empty, the truths contradict each other: there is no solution.

    `name` is that of the technique, or empty. If there is a `case`, no small set of truths was found, and assuming the
    removed candidate led to a contradiction; the truths are those of all steps there, each as often as it is used.

    `smallest`: whether it is proved that no set of fewer truths refutes any candidate; False if the proof took too
    long, None if there was to be none.
    """

    truths: tuple[Truth, ...]
    removed: tuple[Candidate, ...]
    placed: Candidate | None = None
    name: str = ""
    case: Case | None = None
    smallest: bool | None = None

    @property
    def size(self) -> int:
        return len(self.truths)

    @property
    def depth(self) -> int:
        """How deeply case splits are nested: 0 for a step without a case, 1 for a case split with none inside."""
        return 1 + max((step.depth for step in self.case.inferences), default=0) if self.case else 0
