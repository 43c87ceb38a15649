"""Prices in the literals of a formula: what a solution costs, and the budget that a target leaves for it.

A candidate costs its reduced cost. A row "at most one" that has a price costs that price when none of its candidates is
chosen. Rows of other kinds may cost something too, which is left out: sums are lower bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from operator import itemgetter

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Ints, incidence
from ringdoku.duality.prices import LARGEST_COST, Prices
from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.budget import Node, within_budget
from ringdoku.sat.formula import Literals

NOISE = 100
"""A slack below 1/100 of a point is rounding of the linear program: a budget on it would be large and useless."""


@dataclass(frozen=True)
class Budget:
    """Clauses that keep costs within a slack, in whole units; without totals there are none.

    Costs are rounded down to whole units, which makes a budget weaker, never wrong. `totals` are their sums.
    """

    unit: int = 1
    totals: Node = field(default_factory=dict)

    def beyond(self, slack: int) -> list[int]:
        """The variables of totals beyond a smaller slack, ascending: each is implied by all after it."""
        return [variable for total, variable in self.totals.items() if total > slack // self.unit]


class Costs:
    """`prices` of a puzzle's candidates, which have `literals` (cells, digits), 0 for those that there are not."""

    def __init__(self, prices: Prices, puzzle: Puzzle, literals: Literals) -> None:
        self._prices = prices
        self._incidence = incidence(puzzle)
        self._literals = literals
        self._rows = self._priced_rows()

    def slack(self, target: int) -> int:
        """What a solution that scores at least `target` may cost."""
        return self._prices.slack(target)

    def clauses(self, slack: int) -> Iterator[list[int]]:
        """What holds in solutions within the slack: no candidate that costs more, one of each row that would."""
        dear = self._literals[(self._literals > 0) & (self._prices.reduced_costs > min(slack, LARGEST_COST))]
        for variable in dear.tolist():
            yield [-variable]
        for price, members in self._rows:
            if price > slack:
                yield members

    def clause_against(self, chosen: Sequence[int], slack: int) -> list[int] | None:
        """The dearest choices and unused rows, whose costs alone are beyond the slack, cannot come together; None where
        those of all are within it."""
        # (cost, the literals one of which is true where it does not arise); Python's integers, as sums may be large
        parts = [(cost, [-variable]) for variable in chosen if (cost := self._of_variables[variable])]
        if self._rows:
            true = set(chosen)
            parts += [(price, members) for price, members in self._rows if true.isdisjoint(members)]
        parts.sort(key=itemgetter(0), reverse=True)
        totals = accumulate(cost for cost, _ in parts)
        enough = next((count for count, total in enumerate(totals, 1) if total > slack), None)
        return None if enough is None else [literal for _, literals in parts[:enough] for literal in literals]

    def budget(self, target: int, levels: int, candidates: Candidates, pool: VarPool, sink: ClauseSink) -> Budget:
        """The clauses for a budget on the costs of these candidates, in so many levels."""
        slack = self.slack(target)
        if not levels:
            return Budget()
        # a level is so much of the slack, rounded up
        unit = max(-(-slack // levels), 1)
        if slack * NOISE <= self._prices.denominator or unit > LARGEST_COST:
            return Budget()
        costs = np.where(candidates, self._prices.reduced_costs, 0) // unit
        groups = []
        dear: Ints = np.count_nonzero(costs, axis=1)
        # sums over neighbours, the cells of a box, mean more to the solver than any others
        neighbours_first = np.argsort(self._incidence.units_of.max(axis=1), kind="stable")
        for cell in neighbours_first[dear[neighbours_first] > 0].tolist():
            digits = np.flatnonzero(candidates[cell])
            groups.append(list(zip(self._literals[cell, digits].tolist(), costs[cell, digits].tolist(), strict=True)))
        for price, members in self._rows:
            if price // unit:
                # a variable that is true at least when none of the row's candidates is
                (unused,) = pool.reserve(1)
                sink.add([*members, unused])
                groups.append([(unused, price // unit)])
        return Budget(unit, within_budget(groups, slack // unit, pool, sink))

    @cached_property
    def _of_variables(self) -> list[int]:
        # takes long where no solution is ever refused
        return by_variable(self._literals, self._prices.reduced_costs)

    def _priced_rows(self) -> list[tuple[int, list[int]]]:
        """The price and the literals of each row "at most one" that has a price."""
        if not len(self._prices.row_prices):
            return []
        literals, least = self._literals, int(self._incidence.digits[0])
        found = []
        for row, price in zip(self._incidence.rows, self._prices.row_prices.tolist(), strict=True):
            if price > 0 and not row.exact and row.total == 1 and all(factor == 1 for _, _, factor in row.terms):
                members = [int(literals[cell, digit - least]) for cell, digit, _ in row.terms]
                found.append((price, [literal for literal in members if literal]))
        return found


def by_variable(literals: Literals, numbers: Ints) -> list[int]:
    """The sum of the numbers (cells, digits) over the candidates of each variable, 0 for variables that are of none."""
    sums = [0] * (int(literals.max(initial=0)) + 1)
    there = literals > 0
    for variable, number in zip(literals[there].tolist(), numbers[there].tolist(), strict=True):
        sums[variable] += number
    return sums
