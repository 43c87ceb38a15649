"""Candidates as arrays, after the propagation of clues and rules."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ringdoku.deduction.masks import mask_board
from ringdoku.deduction.rules import propagators
from ringdoku.domain.primitives import Primitive
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.limits import NEVER, Deadline
from ringdoku.memory import without_collection

Candidates: TypeAlias = NDArray[np.bool_]
"""(cells, digits): whether cell c may hold digit d, at [c, d − least]."""


@without_collection()
def propagate(
    puzzle: Puzzle, within: Candidates | None = None, deadline: Deadline = NEVER, with_rules: bool = True
) -> Candidates | None:
    """The candidates that are left, (cells, digits); None when they contradict each other, so there is no solution.

    Every solution (every one `within` these candidates) is kept. If a cell has one candidate, its peers do not have
    that digit. Raises `TimeLimitError` at the deadline.
    """
    # hundreds of thousands of rules take seconds to state, and as long again to prepare; both is done once
    if with_rules and puzzle.ruleset.rest:
        deadline.check()
    board, cells = mask_board(puzzle.ruleset, with_rules), puzzle.board.cell_count
    width, order = -(-puzzle.order // 8), puzzle.order
    masks = board.blank(cells)
    if within is not None:
        packed = np.packbits(within, axis=1, bitorder="little")
        masks = [int.from_bytes(row.tobytes(), "little") for row in packed]
    for cell, clue in enumerate(puzzle.clues.digits):
        if clue != puzzle.board.blank:
            masks[cell] &= 1 << clue - puzzle.board.least
    if not all(masks) or not board.settle(masks, range(cells), deadline):
        return None
    raw = np.frombuffer(b"".join([mask.to_bytes(width, "little") for mask in masks]), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, width), axis=1, count=order, bitorder="little").astype(bool)


def propagate_houses(puzzle: Puzzle, within: Candidates | None = None, deadline: Deadline = NEVER) -> Candidates | None:
    """The same by the clues and the houses alone, whatever the other rules are."""
    return propagate(puzzle, within, deadline, with_rules=False)


def undecided(ruleset: Ruleset, candidates: Candidates) -> list[Primitive]:
    """The primitives besides houses that still matter after propagation has left these candidates: the others hold."""
    decided = (np.count_nonzero(candidates, axis=1) == 1).tolist()
    rules = zip(ruleset.rest, propagators(ruleset).all, strict=True)
    return [rule for rule, propagator in rules if not all(decided[cell] for cell in propagator.cells)]
