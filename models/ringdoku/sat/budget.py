"""Generalized totalizer (Joshi, Martins and Manquinho, CP 2015) over groups of literals: Σ cost ≤ budget.

A leaf is a group in which exactly one literal is true, such as the candidates of a cell. A node has one variable for
each total that its leaves can reach. It is true if the total is at least that. The number of variables depends on the
costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from ringdoku.sat import ClauseSink, VarPool

Node: TypeAlias = Mapping[int, int]
"""Reachable total → its variable, ascending."""


@dataclass
class _Clauses:
    """Clauses sorted by length, so that all of one length go to the sink as one batch."""

    one: list[tuple[int]] = field(default_factory=list)
    two: list[tuple[int, int]] = field(default_factory=list)
    three: list[tuple[int, int, int]] = field(default_factory=list)

    def pour(self, sink: ClauseSink) -> None:
        for batch in (self.one, self.two, self.three):
            if batch:
                sink.add(batch)


def within_budget(groups: Sequence[Sequence[tuple[int, int]]], budget: int, pool: VarPool, sink: ClauseSink) -> Node:
    """`groups` hold (literal, cost ≥ 0). To tighten the budget later, make larger totals of the returned root false."""
    clauses = _Clauses()
    nodes = [node for group in groups if (node := _leaf(group, budget, pool, clauses))]
    while len(nodes) > 1:
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        nodes = [_sum(left, right, budget, pool, clauses) for left, right in pairs] + nodes[len(nodes) // 2 * 2 :]
    clauses.pour(sink)
    return nodes[0] if nodes else {}


def _leaf(group: Sequence[tuple[int, int]], budget: int, pool: VarPool, clauses: _Clauses) -> Node:
    node = _node({cost for _, cost in group if 0 < cost <= budget}, pool, clauses)
    clauses.one += [(-literal,) for literal, cost in group if cost > budget]
    clauses.two += [(-literal, node[cost]) for literal, cost in group if 0 < cost <= budget]
    return node


def _sum(left: Node, right: Node, budget: int, pool: VarPool, clauses: _Clauses) -> Node:
    """left ≥ a ∧ right ≥ b → total ≥ a + b; a conflict if a + b is beyond the budget."""
    totals = {*left, *right, *(a + b for a in left for b in right)}
    node = _node({total for total in totals if total <= budget}, pool, clauses)
    clauses.two += [(-variable, node[cost]) for side in (left, right) for cost, variable in side.items()]
    for cost, variable in left.items():
        for other, other_variable in right.items():
            if cost + other <= budget:
                clauses.three.append((-variable, -other_variable, node[cost + other]))
            else:
                clauses.two.append((-variable, -other_variable))
    return node


def _node(totals: set[int], pool: VarPool, clauses: _Clauses) -> Node:
    """A variable for each total; a larger one implies the next smaller one."""
    ascending = sorted(totals)
    variables = pool.take(len(ascending)).tolist()
    clauses.two += [(-larger, smaller) for smaller, larger in pairwise(variables)]
    return dict(zip(ascending, variables, strict=True))
