"""Generalized totalizer (Joshi, Martins and Manquinho, CP 2015) over groups of literals: Σ cost ≤ budget. A leaf is a
group in which exactly one literal is true, such as the candidates of a cell. A node has one variable for each total
that its leaves can reach, true if the total is at least that; how many there are depends on the costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import TypeAlias

from ringdoku.sat.formula import FormulaBuilder

Node: TypeAlias = Mapping[int, int]
"""Reachable total → its variable, ascending."""


def within_budget(groups: Sequence[Sequence[tuple[int, int]]], budget: int, builder: FormulaBuilder) -> Node:
    """`groups` hold (literal, cost ≥ 0). To tighten the budget later, make larger totals of the returned root false."""
    tree = _Tree(budget, builder)
    nodes = [node for group in groups if (node := tree.leaf(group))]
    while len(nodes) > 1:
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        nodes = [tree.sum(left, right) for left, right in pairs] + nodes[len(nodes) // 2 * 2 :]
    builder.add_lists(tree.clauses)
    return nodes[0] if nodes else {}


@dataclass(frozen=True)
class _Tree:
    budget: int
    builder: FormulaBuilder
    clauses: list[tuple[int, ...]] = field(default_factory=list)

    def leaf(self, group: Sequence[tuple[int, int]]) -> Node:
        node = self._node({cost for _, cost in group})
        for literal, cost in group:
            if cost:
                self.clauses.append((-literal, node[cost]) if cost in node else (-literal,))
        return node

    def sum(self, left: Node, right: Node) -> Node:
        """left ≥ a ∧ right ≥ b → total ≥ a + b; a conflict if a + b is beyond the budget."""
        node = self._node({*left, *right, *(a + b for a in left for b in right)})
        self.clauses.extend((-variable, node[cost]) for side in (left, right) for cost, variable in side.items())
        for (cost, variable), (other, other_variable) in product(left.items(), right.items()):
            implied = (node[cost + other],) if cost + other in node else ()
            self.clauses.append((-variable, -other_variable, *implied))
        return node

    def _node(self, totals: set[int]) -> Node:
        """A variable for each total; a larger one implies the next smaller one."""
        ascending = sorted(total for total in totals if 0 < total <= self.budget)
        variables = self.builder.take(len(ascending)).tolist()
        self.clauses.extend((-larger, smaller) for smaller, larger in pairwise(variables))
        return dict(zip(ascending, variables, strict=True))
