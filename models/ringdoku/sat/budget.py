"""Generalized totalizer (Joshi, Martins and Manquinho, CP 2015) over groups of literals: Σ cost ≤ budget.

A leaf is a group in which exactly one literal is true, such as the candidates of a cell. A node has one variable for
each total that its leaves can reach. It is true if the total is at least that. The number of variables depends on the
costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from ringdoku.sat import ClauseSink, VarPool

Node: TypeAlias = Mapping[int, int]
"""Reachable total → its variable, ascending."""


def within_budget(groups: Sequence[Sequence[tuple[int, int]]], budget: int, pool: VarPool, sink: ClauseSink) -> Node:
    """`groups` hold (literal, cost ≥ 0). To tighten the budget later, make larger totals of the returned root false."""
    clauses: list[tuple[int, ...]] = []

    def node(totals: set[int]) -> Node:
        """A variable for each total; a larger one implies the next smaller one."""
        ascending = sorted(total for total in totals if 0 < total <= budget)
        variables = pool.take(len(ascending)).tolist()
        clauses.extend((-larger, smaller) for smaller, larger in pairwise(variables))
        return dict(zip(ascending, variables, strict=True))

    def leaf(group: Sequence[tuple[int, int]]) -> Node:
        made = node({cost for _, cost in group})
        clauses.extend((-literal,) for literal, cost in group if cost > budget)
        clauses.extend((-literal, made[cost]) for literal, cost in group if cost in made)
        return made

    def total(left: Node, right: Node) -> Node:
        """left ≥ a ∧ right ≥ b → total ≥ a + b; a conflict if a + b is beyond the budget."""
        made = node({*left, *right, *(a + b for a in left for b in right)})
        clauses.extend((-variable, made[cost]) for side in (left, right) for cost, variable in side.items())
        for cost, variable in left.items():
            for other, other_variable in right.items():
                implied = (made[cost + other],) if cost + other <= budget else ()
                clauses.append((-variable, -other_variable, *implied))
        return made

    nodes = [made for group in groups if (made := leaf(group))]
    while len(nodes) > 1:
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        nodes = [total(left, right) for left, right in pairs] + nodes[len(nodes) // 2 * 2 :]
    sink.add_lists(clauses)
    return nodes[0] if nodes else {}
