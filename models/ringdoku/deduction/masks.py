"""Singles, and propagation of all other rules, on bit masks. This is fast for boards of up to a few hundred cells.

Bit i of a cell's mask is set while the digit least + i is a candidate.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ringdoku.deduction.rules import BETWEEN_CHECKS, Masks, propagators
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import Deadline


class MaskBoard:
    """The data of a ruleset that deduction on masks uses."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.every_digit = (1 << ruleset.order) - 1
        self.units = [unit.cells for unit in ruleset.units]
        self._peers = ruleset.peers
        self._rules = propagators(ruleset)

    def blank(self, cells: int) -> Masks:
        """Every digit in every cell."""
        return [self.every_digit] * cells

    def settle(self, masks: Masks, fixed: Iterable[int], deadline: Deadline) -> bool:
        """Narrow the masks until singles and rules find nothing more; False when a contradiction shows.

        `fixed` are the cells whose digit was decided since the last call. Raises `TimeLimitError` at the deadline.
        """
        if not self._singles(masks, list(fixed), deadline):
            return False
        rules = self._rules
        waiting = rules.all
        while waiting:
            narrowed = rules.settle(masks, waiting, deadline)
            if narrowed is None:
                return False
            before = masks.copy()
            if not self._singles(masks, [cell for cell in narrowed if not masks[cell] & (masks[cell] - 1)], deadline):
                return False
            changed = [cell for cell, mask in enumerate(before) if mask != masks[cell]]
            waiting = list(dict.fromkeys(found for cell in changed for found in rules.of_cell.get(cell, ())))
        return True

    def _singles(self, masks: Masks, fixed: list[int], deadline: Deadline) -> bool:
        """Naked and hidden singles."""
        peers_of = self._peers
        while True:
            deadline.check()
            while fixed:
                cell = fixed.pop()
                if len(fixed) % BETWEEN_CHECKS == BETWEEN_CHECKS - 1:
                    deadline.check()
                digit = masks[cell]
                for peer in peers_of(cell):
                    mask = masks[peer]
                    if mask & digit:
                        mask ^= digit
                        if not mask:
                            return False
                        masks[peer] = mask
                        if not mask & (mask - 1):
                            fixed.append(peer)
            for unit in self.units:
                once = twice = 0
                for cell in unit:
                    mask = masks[cell]
                    twice |= once & mask
                    once |= mask
                if once != self.every_digit:
                    return False
                single = once & ~twice
                if not single:
                    continue
                for cell in unit:
                    digit = masks[cell] & single
                    if digit and digit != masks[cell]:
                        if digit & (digit - 1):
                            return False
                        masks[cell] = digit
                        fixed.append(cell)
            if not fixed:
                return True


@lru_cache(maxsize=16)
def mask_board(ruleset: Ruleset) -> MaskBoard:
    """The deducer of a ruleset, made once."""
    return MaskBoard(ruleset)


def propagated_masks(puzzle: Puzzle, within: Masks | None, deadline: Deadline) -> Masks | None:
    """The candidates that are left of `within` (None: of all). None when they contradict each other."""
    board, least = mask_board(puzzle.ruleset), puzzle.board.least
    masks = board.blank(puzzle.board.cell_count) if within is None else within
    fixed = []
    for cell, clue in enumerate(puzzle.clues.digits):
        if clue >= least:
            masks[cell] &= 1 << clue - least
            fixed.append(cell)
    if within is not None:
        fixed = [cell for cell, mask in enumerate(masks) if not mask & (mask - 1)]
    if not all(masks):
        return None
    return masks if board.settle(masks, fixed, deadline) else None
