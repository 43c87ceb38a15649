"""A bound on the score with the prices that prove it, and the check of that proof.

Shares no code with whatever found the prices; integers only, O(n³) for order n.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle


@dataclass(frozen=True)
class Bound:
    """No solution has a score beyond `value`: above it when maximising, below it when minimising.

    Prices are fractions over `denominator` ≥ 1: α of each cell, n² in reading order, and β of each unit and digit, n
    for each unit by its name ("row 1", "column 1", "box 1", …). A solution has one digit in each cell and each digit
    once in each unit. Whatever the prices are, its score is therefore Σα + Σβ less the *reduced costs* of what it
    chooses, which are α + Σβ − weight·digit with the three β of the cell's units and that digit. Where no cell has a
    negative one, for its clue or, if blank, for any digit, all scores are at most Σα + Σβ. Minimising, where none is
    positive, they are at least that.
    """

    value: int
    denominator: int
    cell_prices: tuple[int, ...]
    unit_prices: Mapping[str, tuple[int, ...]] = field(hash=False)


def check_bound(puzzle: Puzzle, objective: Objective, bound: Bound) -> list[str]:
    """What is wrong with `bound` as a proof for this puzzle and objective, a sentence each; empty when it holds.

    Raises `DimensionError` for weights of another order.
    """
    objective.fits(puzzle.geometry)
    units = {unit.name: unit.cells for unit in puzzle.units}
    if misshapen := list(_misshapen(puzzle, bound, units)):
        return misshapen
    return [*_wrong_sum(objective, bound), *_wrong_costs(puzzle, objective, bound, units)]


def _misshapen(puzzle: Puzzle, bound: Bound, units: Mapping[str, tuple[int, ...]]) -> Iterator[str]:
    n = puzzle.order
    if len(bound.cell_prices) != n * n:
        yield f"{counted(len(bound.cell_prices), 'price')} for {counted(n * n, 'cell')}"
    if set(bound.unit_prices) != set(units):
        yield "the prices are not for the units " + ", ".join(units)
    for name, prices in bound.unit_prices.items():
        if len(prices) != n:
            yield f"{name} has {counted(len(prices), 'price')} for {counted(n, 'digit')}"
    numbers = [
        bound.value,
        bound.denominator,
        *bound.cell_prices,
        *(p for ps in bound.unit_prices.values() for p in ps),
    ]
    if any(type(number) is not int for number in numbers):
        yield "not all are integers"
    elif bound.denominator < 1:
        yield f"the denominator is {bound.denominator}"


def _wrong_sum(objective: Objective, bound: Bound) -> Iterator[str]:
    total = sum(bound.cell_prices) + sum(map(sum, bound.unit_prices.values()))
    sign = objective.sense.sign
    # scores are integers, so the next integer beyond the sum is out of reach
    proved = sign * (sign * total // bound.denominator)
    if objective.sense.better(proved, bound.value):
        yield f"the prices sum to {total}/{bound.denominator}, which proves {proved}, not {bound.value}"


def _wrong_costs(
    puzzle: Puzzle, objective: Objective, bound: Bound, units: Mapping[str, tuple[int, ...]]
) -> Iterator[str]:
    n, sign = puzzle.order, objective.sense.sign
    costs = [
        [price - bound.denominator * weight * digit for digit in range(1, n + 1)]
        for price, weight in zip(bound.cell_prices, objective.weights, strict=True)
    ]
    for name, cells in units.items():
        for cell in cells:
            costs[cell] = [cost + price for cost, price in zip(costs[cell], bound.unit_prices[name], strict=True)]
    for cell, clue in enumerate(puzzle.clues.digits):
        for digit in (clue,) if clue else range(1, n + 1):
            cost = costs[cell][digit - 1]
            if sign * cost < 0:
                place = puzzle.geometry.cell_name(cell)
                yield f"{digit} in {place} has the reduced cost {cost}/{bound.denominator}"
