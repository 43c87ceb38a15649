"""Prices for candidates made prices for the puzzle: what singles concluded becomes part of the proof.

Prices found after singles may have negative reduced costs at candidates that singles removed. From the last single back
to the first, what it removed is made dear enough at no cost to the bound. Let d be placed in cell c. Raising β of (unit
of c, d), or α of c, makes dear what the single removed there, and lowering another price of (c, d) by as much leaves
its own reduced cost and the sum of all prices as they were. For a naked single this is α of c, for a hidden one β of
(its unit, d): either makes cheaper only candidates that earlier singles removed, and their turn is still to come. For a
clue it is α of c, since no solution has another digit there. Digits that the rules do not allow in a cell come last, by
the prices of the rows that say so, which cost nothing. Numbers grow, so these are Python's integers.
"""

from __future__ import annotations

from collections.abc import Sequence

from ringdoku.deduction.singles import Single
from ringdoku.duality.incidence import Incidence
from ringdoku.duality.prices import Prices
from ringdoku.limits import NEVER, Deadline


def lifted(
    prices: Prices, incidence: Incidence, steps: Sequence[Single], deadline: Deadline = NEVER
) -> tuple[list[int], list[list[int]], list[int]]:
    """Cell, unit and row prices, multiples of the same denominator, under which no reduced cost is negative.

    Raises `TimeLimitError` at the deadline.
    """
    cell_prices, row_prices = prices.cell_prices.tolist(), prices.row_prices.tolist()
    unit_prices: list[list[int]] = prices.unit_prices.tolist()
    costs: list[list[int]] = prices.reduced_costs.tolist()
    units: list[list[int]] = incidence.units.tolist()
    least = int(incidence.digits[0])
    units_of: list[list[int]] = [[] for _ in cell_prices]
    for unit, cells in enumerate(units):
        for cell in cells:
            units_of[cell].append(unit)

    def raise_cell(cell: int, by: int) -> None:
        cell_prices[cell] += by
        costs[cell] = [cost + by for cost in costs[cell]]

    def raise_unit(unit: int, digit: int, by: int) -> None:
        unit_prices[unit][digit - least] += by
        for cell in units[unit]:
            costs[cell][digit - least] += by

    for step in reversed(steps):
        deadline.check()
        raised = 0
        for unit in units_of[step.cell]:
            cells = [cell for cell, digit in step.removed if digit == step.digit and unit in units_of[cell]]
            lacking = -min((costs[cell][step.digit - least] for cell in cells), default=0)
            if lacking > 0:
                raise_unit(unit, step.digit, lacking)
                raised += lacking
        if step.hidden_in is not None:
            others = [digit for cell, digit in step.removed if cell == step.cell]
            lacking = -min((costs[step.cell][digit - least] for digit in others), default=0)
            if lacking > 0:
                raise_cell(step.cell, lacking)
                raised += lacking
            raise_unit(step.hidden_in, step.digit, -raised)
        else:
            raise_cell(step.cell, -raised)
    for index, row in enumerate(incidence.rows):
        if row.exact and not row.total and all(factor == 1 for _, _, factor in row.terms):
            lacking = -min(costs[cell][digit - least] for cell, digit, _ in row.terms)
            if lacking > 0:
                row_prices[index] += lacking
                for cell, digit, _ in row.terms:
                    costs[cell][digit - least] += lacking
    return cell_prices, unit_prices, row_prices
