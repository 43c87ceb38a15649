"""Prices for candidates made prices for the puzzle: what singles concluded becomes part of the proof.

Prices found after singles may have negative reduced costs at candidates that singles removed. Going back from the
last single to the first, what it removed is made dear enough at no cost to the bound. Let d be placed in cell c.
Raising β of (unit of c, d), or α of c, makes dear what the single removed there, and lowering another price of (c, d)
by as much leaves its own reduced cost and the sum of all prices as they were. For a naked single this is α of c, for a
hidden one β of (its unit, d): either makes cheaper only candidates that earlier singles removed, and their turn is
still to come. For a clue it is α of c, since other digits there are nobody's choice. Numbers grow, so these are
Python's integers.
"""

from __future__ import annotations

from collections.abc import Sequence

from ringdoku.duality.singles import Single


def lift(
    cell_prices: list[int],
    unit_prices: list[list[int]],
    costs: list[list[int]],
    units: Sequence[Sequence[int]],
    steps: Sequence[Single],
) -> None:
    """Change prices in place, multiples of one denominator, so that no reduced cost is negative.

    `cell_prices` (n²,), `unit_prices` (units, n) and `costs` (n², n), the reduced costs, which are kept up.
    """

    def raise_cell(cell: int, by: int) -> None:
        cell_prices[cell] += by
        costs[cell] = [cost + by for cost in costs[cell]]

    def raise_unit(unit: int, digit: int, by: int) -> None:
        unit_prices[unit][digit - 1] += by
        for cell in units[unit]:
            costs[cell][digit - 1] += by

    units_of: list[list[int]] = [[] for _ in cell_prices]
    for unit, cells in enumerate(units):
        for cell in cells:
            units_of[cell].append(unit)
    for step in reversed(steps):
        raised = 0
        for unit in units_of[step.cell]:
            cells = [cell for cell, digit in step.removed if digit == step.digit and unit in units_of[cell]]
            lacking = -min((costs[cell][step.digit - 1] for cell in cells), default=0)
            if lacking > 0:
                raise_unit(unit, step.digit, lacking)
                raised += lacking
        if step.hidden_in is not None:
            others = [digit for cell, digit in step.removed if cell == step.cell]
            lacking = -min((costs[step.cell][digit - 1] for digit in others), default=0)
            if lacking > 0:
                raise_cell(step.cell, lacking)
                raised += lacking
            raise_unit(step.hidden_in, step.digit, -raised)
        else:
            raise_cell(step.cell, -raised)
