"""A bound on Σ weight·digit, so that the depth-first search can backtrack early."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import inf
from typing import TypeAlias

from ringdoku.domain.board import Board

Masks: TypeAlias = list[int]
"""A mask for each cell: bit d − 1 is set while digit d is possible there."""

Units: TypeAlias = Sequence[tuple[int, ...]]
"""Sets of n cells that hold every digit once."""

EXACT_ORDER = 10
"""Up to this order the best assignment of a row is found exactly, in up to n²·2ⁿ steps."""


def height_bound(weights: Sequence[int], units: Units, board: Board) -> Callable[[Masks], float]:
    """A function from candidates to a limit on Σ weight·digit, −∞ if some row cannot be filled.

    It is the sum over disjoint units of the best assignment of different digits to each.
    """
    groups: list[tuple[int, ...]] = []
    rest, blank = set(range(board.cell_count)), board.blank
    for unit in units if board.order <= EXACT_ORDER else ():
        if rest.issuperset(unit):
            groups.append(unit)
            rest.difference_update(unit)
    groups += [(cell,) for cell in rest]

    def height(candidates: Masks) -> float:
        total: float = 0
        for cells in groups:
            open_cells = []
            for cell in cells:
                mask = candidates[cell]
                if mask & (mask - 1):
                    open_cells.append(cell)
                else:
                    total += weights[cell] * (mask.bit_length() + blank)
            if open_cells:
                masks = tuple([candidates[cell] for cell in open_cells])
                total += blank * sum(weights[cell] for cell in open_cells)
                total += _best_assignment(tuple([weights[cell] for cell in open_cells]), masks)
        return total

    return height


@lru_cache(maxsize=100_000)
def _best_assignment(weights: tuple[int, ...], masks: tuple[int, ...]) -> float:
    """The highest Σ weight·digit with different digits, each from its cell's mask; −∞ if there is no such
    assignment."""
    # for each set of digits that the cells so far can hold: the highest sum
    heights = {0: 0}
    for weight, mask in zip(weights, masks, strict=True):
        longer: dict[int, int] = {}
        for used, height in heights.items():
            for digit in bits(mask & ~used):
                total = height + weight * digit.bit_length()
                if total > longer.get(used | digit, -inf):
                    longer[used | digit] = total
        heights = longer
    return max(heights.values(), default=-inf)


def bits(mask: int) -> Iterator[int]:
    """The single bits of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest
