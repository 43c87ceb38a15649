"""Formulas as arrays: every clause is returned once, whatever batches were added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringdoku import DimensionError
from ringdoku.sat import ClauseSink, Cnf, VarPool
from ringdoku.sat.formula import MAX_VAR, PORTION

literals = st.integers(1, 99).flatmap(lambda var: st.sampled_from([var, -var]))
batches = st.integers(0, 4).flatmap(
    lambda length: st.lists(st.lists(literals, min_size=length, max_size=length), min_size=1, max_size=5)
)


@given(st.lists(batches))
def test_every_clause_is_returned_once_shorter_ones_first(given_batches: list[list[list[int]]]) -> None:
    sink = ClauseSink()
    for batch in given_batches:
        sink.add(batch)
    cnf = sink.formula(VarPool(99))
    expected = [clause for batch in given_batches for clause in batch]
    assert list(cnf.clauses()) == sorted(expected, key=len)
    assert cnf.num_clauses == len(expected)
    assert [literal for clause in expected for literal in (*clause, 0)] == cnf.literals.tolist()


def test_many_clauses() -> None:
    sink, pool = ClauseSink(), VarPool()
    variables = pool.take(2 * PORTION + 1, 2)
    sink.add(variables)
    assert list(sink.formula(pool).clauses()) == variables.tolist()


def test_a_formula_without_clauses() -> None:
    cnf = ClauseSink().formula(VarPool(3))
    assert (cnf.num_vars, cnf.num_clauses, list(cnf.clauses())) == (3, 0, [])


def test_variables_are_handed_out_once_in_reading_order() -> None:
    pool = VarPool(5)
    assert pool.take(2, 3).tolist() == [[6, 7, 8], [9, 10, 11]]
    assert pool.take(0).tolist() == []
    assert pool.take(1).tolist() == [12]
    assert pool.count == 12


def test_variables_above_the_limit_of_solvers_are_refused() -> None:
    pool = VarPool(MAX_VAR - 1)
    assert pool.take(1).tolist() == [MAX_VAR]
    with pytest.raises(DimensionError, match="more than 2147483646 variables"):
        pool.take(1)
    assert Cnf(pool.count, np.zeros(0, dtype=np.int32)).num_vars == MAX_VAR
