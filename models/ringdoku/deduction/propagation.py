"""Candidates as arrays, after the propagation of clues, houses and rules."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringdoku.deduction.rules import propagators
from ringdoku.domain import Primitive, Puzzle, Ruleset
from ringdoku.limits import NEVER, Deadline, without_collection

Candidates: TypeAlias = NDArray[np.bool_]
"""(cells, digits): whether cell c may hold digit d, at [c, d − least]."""


@without_collection()
def propagate(puzzle: Puzzle, within: Candidates | None = None, deadline: Deadline = NEVER) -> Candidates | None:
    """The candidates that are left, (cells, digits); None when they contradict each other, so there is no solution.
    Every solution (every one `within` these candidates) is kept. If a cell has one candidate, its peers do not have
    that digit. Raises `TimeLimitError` at the deadline."""
    # hundreds of thousands of rules take seconds to state, and as long again to prepare; both is done once
    deadline.check()
    board, order = puzzle.board, puzzle.order
    masks = [(1 << order) - 1] * board.cell_count
    if within is not None:
        packed = np.packbits(within, axis=1, bitorder="little")
        masks = [int.from_bytes(row.tobytes(), "little") for row in packed]
    for cell, clue in enumerate(puzzle.clues.digits):
        if clue != board.blank:
            masks[cell] &= 1 << clue - board.least
    if not all(masks) or not propagators(puzzle.ruleset).settle(masks, None, deadline):
        return None
    width = -(-order // 8)
    raw = np.frombuffer(b"".join([mask.to_bytes(width, "little") for mask in masks]), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, width), axis=1, count=order, bitorder="little").astype(bool)


def undecided(ruleset: Ruleset, candidates: Candidates) -> list[Primitive]:
    """The primitives besides houses that still matter after propagation has left these candidates: the others hold."""
    decided = (np.count_nonzero(candidates, axis=1) == 1).tolist()
    rules = zip(ruleset.rest, propagators(ruleset).rules, strict=True)
    return [rule for rule, each in rules if not all(decided[cell] for cell in each.cells)]
