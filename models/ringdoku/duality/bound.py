"""A bound on the score with the prices that prove it, and the check of that proof.

The check shares no code with the search for prices. It uses integers only and takes O(n³) for order n.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from ringdoku.domain import Objective, Puzzle, expect, gains_of
from ringdoku.domain.rows import Row, rows_beside_units


@dataclass(frozen=True)
class Bound:
    """No solution has a score beyond `value`: above it when maximising, below it when minimising.

    Prices are fractions over `denominator` ≥ 1: α of each cell; β of each unit and digit, by the unit's name ("row 1",
    "column 1", "box 1", …); γ of the rows of other rules, by the row's name, where it is not 0. A solution has one
    digit in each cell, has each digit once in each unit, and satisfies the rows. Whatever the prices are, its score is
    therefore at most Σα + Σβ + Σ total·γ less the *reduced costs* α + Σβ + Σ coefficient·γ − weight·digit of its
    digits, provided that no row with "at most" has a negative price. If no possible digit of a cell (its clue, or any
    digit if blank) has a negative reduced cost, every score is at most Σα + Σβ + Σ total·γ. Minimising: if no reduced
    cost and no price of an "at most" row is positive, every score is at least that sum.
    """

    value: int
    denominator: int
    cell_prices: tuple[int, ...]
    unit_prices: Mapping[str, tuple[int, ...]] = field(hash=False)
    row_prices: Mapping[str, int] = field(default_factory=dict, hash=False)


def check_bound(puzzle: Puzzle, objective: Objective, bound: Bound) -> list[str]:
    """What is wrong with `bound` as a proof for this puzzle and objective, one sentence for each fault; empty when it
    holds. Raises `DimensionError` for weights of another size."""
    expect(puzzle, Puzzle, "what is bounded")
    expect(objective, Objective, "an objective")
    expect(bound, Bound, "a bound")
    objective.fits(puzzle.board)
    rows = {row.name: row for row in rows_beside_units(puzzle.ruleset)}
    shape = len(bound.cell_prices), {name: len(prices) for name, prices in bound.unit_prices.items()}
    fitting = puzzle.board.cell_count, {unit.name: puzzle.order for unit in puzzle.ruleset.units}
    if shape != fitting or not rows.keys() >= bound.row_prices.keys():
        return ["the prices are not those of the puzzle's cells, of its units and their digits, and of its rows"]
    numbers = [bound.value, bound.denominator, *bound.cell_prices, *bound.row_prices.values()]
    if any(type(number) is not int for number in chain(numbers, *bound.unit_prices.values())) or bound.denominator < 1:
        return ["prices are whole numbers over a denominator of at least 1"]
    return [*_sum_faults(objective, bound, rows), *_reduced_cost_faults(puzzle, objective, bound)]


def reduced_costs(puzzle: Puzzle, objective: Objective, bound: Bound) -> list[list[int]]:
    """The reduced cost of each cell and digit, over the bound's denominator, for prices that fit the puzzle."""
    least = puzzle.board.least
    costs = [
        [price - bound.denominator * gain for gain in gains]
        for price, gains in zip(bound.cell_prices, gains_of(objective.weights, puzzle.board), strict=True)
    ]
    for unit in puzzle.ruleset.units:
        for cell in unit.cells:
            costs[cell] = [cost + price for cost, price in zip(costs[cell], bound.unit_prices[unit.name], strict=True)]
    for row in rows_beside_units(puzzle.ruleset):
        price = bound.row_prices.get(row.name, 0)
        for cell, digit, coefficient in row.terms if price else ():
            costs[cell][digit - least] += coefficient * price
    return costs


def _sum_faults(objective: Objective, bound: Bound, rows: Mapping[str, Row]) -> Iterator[str]:
    sign, total = objective.sense.sign, sum(bound.cell_prices) + sum(map(sum, bound.unit_prices.values()))
    for name, price in bound.row_prices.items():
        total += rows[name].total * price
        if not rows[name].exact and sign * price < 0:
            yield f"row {name} says at most, and its price is {price}/{bound.denominator}"
    # scores are integers, so none is above the sum rounded down
    proved = sign * (sign * total // bound.denominator)
    if objective.sense.better(proved, bound.value):
        yield f"the prices sum to {total}/{bound.denominator}, which proves {proved}, not {bound.value}"


def _reduced_cost_faults(puzzle: Puzzle, objective: Objective, bound: Bound) -> Iterator[str]:
    board, sign, costs = puzzle.board, objective.sense.sign, reduced_costs(puzzle, objective, bound)
    for cell, clue in enumerate(puzzle.clues.digits):
        for digit in board.digits if clue == board.blank else (clue,):
            cost = costs[cell][digit - board.least]
            if sign * cost < 0:
                yield f"{digit} in {board.cell_name(cell)} has the reduced cost {cost}/{bound.denominator}"
