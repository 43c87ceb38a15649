"""Generalized totalizer (Joshi, Martins and Manquinho, CP 2015) over groups of literals: Σ cost ≤ budget. A leaf is a
group in which exactly one literal is true, such as the candidates of a cell. A node has one variable for each total
that its leaves can reach, true if the total is at least that; how many there are depends on the costs."""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import TypeAlias

from ringdoku.sat.formula import FormulaBuilder

Node: TypeAlias = Mapping[int, int]
"""Reachable total → its variable, ascending."""


def within_budget(groups: Sequence[Sequence[tuple[int, int]]], budget: int, builder: FormulaBuilder) -> Node:
    """`groups` hold (literal, cost ≥ 0). To tighten the budget later, make larger totals of the returned root false."""
    clauses: list[tuple[int, ...]] = []

    def node_of(totals: set[int]) -> Node:
        """A variable for each total; a larger one implies the next smaller one."""
        ascending = sorted(total for total in totals if 0 < total <= budget)
        variables = builder.reserve(len(ascending))
        clauses.extend((-larger, smaller) for smaller, larger in pairwise(variables))
        return dict(zip(ascending, variables, strict=True))

    def parent(left: Node, right: Node) -> Node:
        """left ≥ a ∧ right ≥ b → total ≥ a + b; a conflict if a + b is beyond the budget."""
        node = node_of({*left, *right, *(a + b for a in left for b in right)})
        clauses.extend((-variable, node[cost]) for side in (left, right) for cost, variable in side.items())
        for (cost, variable), (other, other_variable) in product(left.items(), right.items()):
            implied = (node[cost + other],) if cost + other in node else ()
            clauses.append((-variable, -other_variable, *implied))
        return node

    leaves: list[Node] = []
    for group in groups:
        leaf = node_of({cost for _, cost in group})
        clauses.extend((-literal, leaf[cost]) if cost in leaf else (-literal,) for literal, cost in group if cost)
        leaves.append(leaf)
    nodes = list(filter(None, leaves))
    while len(nodes) > 1:
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        nodes = [parent(left, right) for left, right in pairs] + nodes[len(nodes) // 2 * 2 :]
    builder.add_lists(clauses)
    return next(iter(nodes), {})
