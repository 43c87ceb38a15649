"""Every at-most-one encoding: the whole truth table, exact sizes, and many sets at a time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import ceil, sqrt

import numpy as np
import pytest
from pysat.solvers import Solver  # noqa: TID253 - the tests have it

from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.at_most_one import AT_MOST_ONE


def bits(count: int) -> int:
    return max(count - 1, 0).bit_length()


def commander(size: int) -> tuple[int, int]:
    if size <= 3:
        return 0, size * (size - 1) // 2
    full, rest = divmod(size, 3)
    variables, clauses = commander(full + (rest > 0))
    return full + (rest > 0) + variables, 7 * full + (0, 2, 4)[rest] + clauses


def product_of(size: int) -> tuple[int, int]:
    if size <= 4:
        return 0, size * (size - 1) // 2
    rows = ceil(sqrt(size))
    columns = ceil(size / rows)
    (one, few), (other, more) = product_of(rows), product_of(columns)
    return rows + columns + one + other, 2 * size + few + more


SIZES: dict[str, Callable[[int], tuple[int, int]]] = {
    "pairwise": lambda k: (0, k * (k - 1) // 2),
    "ladder": lambda k: (k - 1, 3 * k - 4) if k > 1 else (0, 0),
    "bitwise": lambda k: (bits(k), k * bits(k)),
    "commander": commander,
    "product": product_of,
    "bimander": lambda k: (bits(ceil(k / 2)), k // 2 + k * bits(ceil(k / 2))),
}
"""The numbers of new variables and clauses for a set of k literals, as the papers have them."""


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
    variables, clauses = SIZES[name](size)
    assert (variables, clauses) == row.size(size)
    assert (cnf.num_vars, cnf.num_clauses) == (3 * (size + variables), 3 * clauses)


@pytest.mark.parametrize("name", AT_MOST_ONE)
def test_sets_of_a_batch_share_no_new_variable(name: str) -> None:
    pool, sink = VarPool(), ClauseSink()
    sets = pool.take(4, 6)
    AT_MOST_ONE[name].encode(sets, pool, sink)
    cnf = sink.formula(pool)
    with Solver(name="minisat22", bootstrap_with=cnf.clauses()) as solver:
        for chosen in product(range(6), repeat=4):
            assert solver.solve(assumptions=[int(sets[row, column]) for row, column in enumerate(chosen)])
