"""The options of an encoding of a puzzle as a formula."""

from dataclasses import dataclass
from enum import Enum

from ringdoku.domain import expect, refuse
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.sat.digits import DIGITS


class ClauseSet(Enum):
    """Which clauses of "each exactly once" are written. All clause sets have the same solutions."""

    MINIMAL = "minimal"
    """Each cell holds a digit; each unit has each digit at most once."""
    EFFICIENT = "efficient"
    """Minimal, and each cell holds at most one digit."""
    EXTENDED = "extended"
    """Efficient, and houses in which as many digits as cells are left have each at least once, as units have."""


CLAUSE_SET_REFERENCES = {
    ClauseSet.MINIMAL: "Lynce, Ouaknine 2006",
    ClauseSet.EFFICIENT: "Kwon, Jain 2006",
    ClauseSet.EXTENDED: "Lynce, Ouaknine 2006",
}


@dataclass(frozen=True)
class EncodingOptions:
    """`digits` is a name of `DIGITS`, `at_most_one` of `AT_MOST_ONE`; `UsageError` for any other. `triads` adds
    redundant variables for the cells that a box shares with a line, `innies` redundant clauses for the digits of cages
    that nearly cover some houses, and for sums of sums. `presolve` propagates the clues first and encodes only the open
    cells; without it the formula is the textbook's, with a unit clause for each clue."""

    clause_set: ClauseSet = ClauseSet.EXTENDED
    digits: str = "direct"
    at_most_one: str = "pairwise"
    triads: bool = False
    innies: bool = False
    presolve: bool = False

    def __post_init__(self) -> None:
        expect(self.clause_set, ClauseSet, "a clause set")
        for kind, name, names in (("digit", self.digits, DIGITS), ("at-most-one", self.at_most_one, AT_MOST_ONE)):
            refuse(name not in names, f"no {kind} encoding is called {name!r}; there are: {', '.join(names)}")


TEXTBOOK = EncodingOptions()
"""Extended, direct, pairwise, nothing presolved."""

PRESOLVED = EncodingOptions(presolve=True)
"""The textbook's encoding of the cells that propagation leaves open."""
