"""Turns prices that hold after singles were applied into prices that hold for the puzzle as given.

Prices found after singles may leave negative reduced costs at candidates that the singles removed. This module walks
through the singles from the last to the first and raises those reduced costs to 0 without changing the bound. Let the
single place d in cell c. Raising β of (a unit of c, d), or α of c, raises the reduced costs of the candidates that the
single removed there. Lowering another price of (c, d) by the same amount keeps the reduced cost of (c, d) and the sum
of all prices. That other price is α of c for a naked single and β of (its unit, d) for a hidden one: either lowers only
candidates that earlier singles removed, which are repaired later in the walk. For a clue it is α of c, since no
solution has another digit there. Digits that the rules do not allow in a cell come last; the rows that exclude them
have total 0, so their prices do not change the bound. Numbers may outgrow 64 bits, so they are Python's integers.
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
            lacking = -min((costs[cell][digit - least] for cell, digit, _ in row.terms), default=0)
            if lacking > 0:
                row_prices[index] += lacking
                for cell, digit, _ in row.terms:
                    costs[cell][digit - least] += lacking
    return cell_prices, unit_prices, row_prices
