"""Every at-most-one encoding: the whole truth table, exact sizes, and many sets at a time."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from pysat.solvers import Solver  # noqa: TID253 - the tests have it

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.at_most_one.registry import AT_MOST_ONE

OWN = [name for name in AT_MOST_ONE if not name.startswith("pysat-")]


@pytest.mark.parametrize("size", range(9))
@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_truth_table(name: str, size: int) -> None:
    pool, sink = VarPool(), ClauseSink()
    # literals of both signs: an encoding must not take them for variables
    literals = pool.take(1, size) * np.where(np.arange(size) % 3 == 1, -1, 1).astype(np.int32)
    AT_MOST_ONE[name].encode(literals, pool, sink)
    with Solver(name="minisat22", bootstrap_with=sink.formula(pool).clauses()) as solver:
        for values in product((False, True), repeat=size):
            chosen = [lit if value else -lit for lit, value in zip(literals[0].tolist(), values, strict=True)]
            assert solver.solve(assumptions=chosen) == (sum(values) <= 1)


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_propagates_from_a_true_literal_to_all_others(name: str) -> None:
    pool, sink = VarPool(), ClauseSink()
    literals = pool.take(1, 8)
    AT_MOST_ONE[name].encode(literals, pool, sink)
    with Solver(name="minisat22", bootstrap_with=sink.formula(pool).clauses()) as solver:
        for lit in literals[0].tolist():
            _, implied = solver.propagate(assumptions=[lit])
            assert {-other for other in literals[0].tolist() if other != lit} <= set(implied)


@pytest.mark.parametrize("size", [*range(20), 25, 36, 49, 64, 100])
@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_sizes_are_exact(name: str, size: int) -> None:
    pool, sink = VarPool(), ClauseSink()
    row = AT_MOST_ONE[name]
    row.encode(pool.take(3, size), pool, sink)
    cnf = sink.formula(pool)
    assert cnf.num_vars == 3 * (size + row.variables(size))
    assert cnf.num_clauses == 3 * row.clauses(size)


@pytest.mark.parametrize(
    ("name", "variables", "clauses"),
    [
        ("pairwise", 0, 36),
        ("ladder", 8, 23),
        ("bitwise", 4, 36),
        ("commander", 3, 24),
        ("product", 6, 24),
        ("bimander", 3, 31),
    ],
)
def test_sizes_for_nine_literals(name: str, variables: int, clauses: int) -> None:
    assert (AT_MOST_ONE[name].variables(9), AT_MOST_ONE[name].clauses(9)) == (variables, clauses)


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_sets_of_a_batch_share_no_new_variable(name: str) -> None:
    pool, sink = VarPool(), ClauseSink()
    sets = pool.take(4, 6)
    AT_MOST_ONE[name].encode(sets, pool, sink)
    cnf = sink.formula(pool)
    with Solver(name="minisat22", bootstrap_with=cnf.clauses()) as solver:
        for chosen in product(range(6), repeat=4):
            assert solver.solve(assumptions=[int(sets[row, column]) for row, column in enumerate(chosen)])


def test_the_registry_names_each_row_by_its_name() -> None:
    assert all(name == row.name for name, row in AT_MOST_ONE.items())
    assert {"pairwise", "ladder", "bitwise", "commander", "product", "bimander"} == set(OWN)
