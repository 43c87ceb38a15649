"""Naked and hidden singles, and the propagation of all other rules, on bit masks.

A cell with one candidate holds it, and the other cells of its houses do not (naked single); a unit with one cell for a
digit has it there (hidden single). Bit i of a cell's mask is set while the digit least + i is a candidate. After the
start, the work is proportional to the number of houses in which a cell loses candidates.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ringdoku.deduction.rules import BETWEEN_CHECKS, Masks, Propagators, propagators
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import Deadline


class MaskBoard:
    """The data of a ruleset that deduction on masks uses: its houses, and the propagators of its other rules."""

    def __init__(self, ruleset: Ruleset, rules: Propagators) -> None:
        self.every_digit = (1 << ruleset.order) - 1
        self.units = [unit.cells for unit in ruleset.units]
        self._houses = [house.cells for house in ruleset.houses]
        self._order = ruleset.order
        self._houses_of: list[list[int]] = [[] for _ in range(ruleset.board.cell_count)]
        for number, cells in enumerate(self._houses):
            for cell in cells:
                self._houses_of[cell].append(number)
        self._rules = rules

    def blank(self, cells: int) -> Masks:
        """Every digit in every cell."""
        return [self.every_digit] * cells

    def settle(self, masks: Masks, changed: Iterable[int], deadline: Deadline) -> bool:
        """Narrow the masks until singles and rules find nothing more; False when a contradiction shows.

        `changed` are the cells that lost candidates since the last call. Raises `TimeLimitError` at the deadline.
        """
        if self._singles(masks, changed, deadline) is None:
            return False
        waiting = self._rules.all
        while waiting:
            narrowed = self._rules.settle(masks, waiting, deadline)
            placed = None if narrowed is None else self._singles(masks, narrowed, deadline)
            if placed is None:
                return False
            of_cell = self._rules.of_cell
            waiting = list(dict.fromkeys(found for cell in sorted(placed) for found in of_cell.get(cell, ())))
        return True

    def _singles(self, masks: Masks, changed: Iterable[int], deadline: Deadline) -> set[int] | None:
        """Naked and hidden singles; the cells that lost candidates, None for a contradiction."""
        houses_of, narrowed = self._houses_of, set[int]()
        waiting = {house for cell in changed for house in houses_of[cell]}
        while waiting:
            following: set[int] = set()
            for number, house in enumerate(waiting):
                if number % BETWEEN_CHECKS == 0:
                    deadline.check()
                cells = self._narrow_house(masks, self._houses[house])
                if cells is None:
                    return None
                for cell in cells:
                    following.update(houses_of[cell])
                narrowed.update(cells)
            waiting = following
        return narrowed

    def _narrow_house(self, masks: Masks, house: tuple[int, ...]) -> list[int] | None:
        """The cells of a house that lose candidates to its singles, None for a contradiction."""
        once = twice = placed = 0
        for cell in house:
            mask = masks[cell]
            twice |= once & mask
            once |= mask
            if not mask & (mask - 1):
                if placed & mask:
                    return None
                placed |= mask
        hidden = 0
        if len(house) == self._order:
            if once != self.every_digit:
                return None
            hidden = once & ~twice & ~placed
        narrowed: list[int] = []
        if not hidden and not twice & placed:
            return narrowed
        for cell in house:
            mask = masks[cell]
            if mask & (mask - 1):
                left = mask & hidden or mask & ~placed
                if not left or (mask & hidden and left & (left - 1)):
                    return None
                if left != mask:
                    masks[cell] = left
                    narrowed.append(cell)
        return narrowed


@lru_cache(maxsize=16)
def mask_board(ruleset: Ruleset, with_rules: bool = True) -> MaskBoard:
    """The deducer of a ruleset, made once."""
    return MaskBoard(ruleset, propagators(ruleset) if with_rules else Propagators(ruleset, ()))
