"""Budgets: which choices are within them, by the whole truth table."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver  # noqa: TID253 - the tests have it

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.budget import within_budget

SHAPES = {
    "no group": [],
    "one group": [(0, 2, 5)],
    "all free": [(0, 0), (0,)],
    "pairs": [(0, 1), (2, 3)],
    "equal totals": [(0, 1, 2), (1, 0), (2, 1)],
    "no free choice": [(3, 1), (2, 4), (1,)],
    "gaps": [(0, 7), (0, 11), (0, 13), (1, 2)],
    "five groups": [(0, 1), (0, 2), (0, 4), (0, 8), (3, 0)],
    "drawn": [tuple(Random(f"budget {group}").choices(range(7), k=3)) for group in range(4)],
}


@pytest.mark.parametrize("costs", SHAPES.values(), ids=SHAPES)
def test_exactly_the_choices_within_a_budget_satisfy_it(costs: list[tuple[int, ...]]) -> None:
    most = sum(map(max, costs))
    for budget in range(most + 2):
        pool, sink = VarPool(), ClauseSink()
        # literals of both signs: an encoding must not take them for variables
        groups = [
            [(lit if number % 2 else -lit, cost) for number, (lit, cost) in enumerate(zip(lits, group, strict=True))]
            for group, lits in ((group, pool.take(len(group)).tolist()) for group in costs)
        ]
        root = within_budget(groups, budget, pool, sink)
        assert list(root) == sorted(root)
        assert all(0 < total <= budget for total in root)
        choices = [
            (
                [
                    lit if lit == picked else -lit
                    for (picked, _), group in zip(chosen, groups, strict=True)
                    for lit, _ in group
                ],
                total,
            )
            for chosen in product(*groups)
            for total in [sum(cost for _, cost in chosen)]
        ]
        with Solver(name="minisat22", bootstrap_with=sink.formula(pool).clauses()) as solver:
            for literals, total in choices:
                assert solver.solve(assumptions=literals) == (total <= budget)
            # tightened step by step, as a target rises
            for tighter in range(budget - 1, -1, -1):
                for total, variable in root.items():
                    if total > tighter:
                        solver.add_clause([-variable])
                for literals, total in choices:
                    assert solver.solve(assumptions=literals) == (total <= tighter)
