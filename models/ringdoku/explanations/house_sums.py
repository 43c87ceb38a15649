"""Innies and outies: what a house and cages that cover most of it leave for few cells.

The digits of a unit have a known sum, and so have those of a cage. Cells of the unit outside the cages, and cells of
the cages outside the unit, have the difference. Imports the domain alone, so that the checker of steps can use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint
from ringdoku.domain.primitives import Linear
from ringdoku.domain.ruleset import Ruleset
from ringdoku.explanations.inferences import HouseTruth, RuleTruth, Truth

MOST_CELLS = 3
"""Cells that the difference is left for; more of them say little."""


def cage_of(constraint: Constraint, board: Board) -> Linear | None:
    """The one sum that a constraint states, of cells that are each counted once; None for all others."""
    parts = tuple(constraint.primitives(board))
    part = parts[0] if len(parts) == 1 else None
    if not isinstance(part, Linear) or part.least is None or part.least != part.greatest:
        return None
    return part if set(part.coefficients) == {1} else None


def difference(ruleset: Ruleset, truths: Sequence[Truth]) -> Linear | None:
    """What a house and cages that have no common cell state together; None for other truths."""
    if not isinstance(truths[0], HouseTruth) or len(truths) < 2:
        return None
    unit = set(ruleset.units[truths[0].unit].cells)
    factors = dict.fromkeys(sorted(unit), 1)
    total = sum(ruleset.board.digits)
    seen: set[int] = set()
    for truth in truths[1:]:
        cage = cage_of(truth.constraint, ruleset.board) if isinstance(truth, RuleTruth) else None
        if cage is None or cage.least is None or seen & set(cage.cells):
            return None
        seen |= set(cage.cells)
        total -= cage.least
        for cell in cage.cells:
            factors[cell] = factors.get(cell, 0) - 1
    left = {cell: factor for cell, factor in factors.items() if factor}
    if sum(left.values()) < 0 or (total < 0 and not sum(left.values())):
        left, total = {cell: -factor for cell, factor in left.items()}, -total
    # those that are added first
    cells = sorted(left, key=lambda cell: left[cell] < 0)
    return Linear(tuple(cells), tuple(left[cell] for cell in cells), total, total)


@lru_cache(maxsize=16)
def house_sums(ruleset: Ruleset) -> tuple[tuple[tuple[Truth, ...], Linear], ...]:
    """The truths and what they state of 1 to `MOST_CELLS` cells, the fewest truths first."""
    cages = [(c, cage) for c in dict.fromkeys(ruleset.constraints) if (cage := cage_of(c, ruleset.board))]
    found: dict[tuple[Truth, ...], Linear] = {}
    for index, unit in enumerate(ruleset.units):
        cells = set(unit.cells)
        for chosen in _choices(cells, cages):
            truths: tuple[Truth, ...] = (HouseTruth(index), *map(RuleTruth, chosen))
            stated = difference(ruleset, truths)
            if stated is not None and 0 < len(stated.cells) <= MOST_CELLS:
                found.setdefault(truths, stated)
    return tuple(sorted(found.items(), key=lambda item: len(item[0])))


def _choices(cells: set[int], cages: Iterable[tuple[Constraint, Linear]]) -> Iterator[list[Constraint]]:
    """Cages inside a house, and those with more cells inside than outside."""
    near = [(constraint, set(cage.cells)) for constraint, cage in cages if cells & set(cage.cells)]
    yield [constraint for constraint, cage in near if cage <= cells]
    yield [constraint for constraint, cage in near if 2 * len(cage & cells) > len(cage)]
