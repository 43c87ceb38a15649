"""CNF and WCNF files: PySAT reads back what is written."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.formula import CNF, WCNF  # noqa: TID253 - the tests have it

from ringdoku.sat import ClauseSink, Cnf, VarPool
from ringdoku.sat.dimacs import PORTION, write_dimacs, write_wcnf
from ringdoku.sat.formula import Wcnf, violated_clause

literals = st.integers(1, 2**31 - 2).flatmap(lambda var: st.sampled_from([var, -var]))


def array(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(numbers, dtype=np.int32)


def written(cnf: Cnf, comments: tuple[str, ...] = ()) -> str:
    stream = io.BytesIO()
    write_dimacs(cnf, stream, comments)
    return stream.getvalue().decode()


def weighted(formula: Wcnf, comments: tuple[str, ...] = ()) -> str:
    stream = io.BytesIO()
    write_wcnf(formula, stream, comments)
    return stream.getvalue().decode()


def test_small_formulas_as_text() -> None:
    sink = ClauseSink()
    sink.add([[1, -2], [-1, 12]])
    sink.add([3])
    sink.add([])
    formula = sink.formula(VarPool(12))
    assert written(formula, ("a puzzle", "")) == "c a puzzle\nc\np cnf 12 4\n1 -2 0\n-1 12 0\n3 0\n0\n"
    soft = Wcnf(formula, array(-1, 0, 2, 3, 0), np.array([5, 12], dtype=np.int64))
    assert weighted(soft, ("a",)) == "c a\nh 1 -2 0\nh -1 12 0\nh 3 0\nh 0\n5 -1 0\n12 2 3 0\n"


@given(st.lists(st.lists(literals, min_size=1)))
def test_reading_returns_what_was_written(clauses: list[list[int]]) -> None:
    sink = ClauseSink()
    for clause in clauses:
        sink.add(clause)
    cnf = sink.formula(VarPool(2**31 - 2))
    assert CNF(from_string=written(cnf)).clauses == clauses
    read = WCNF(from_string=weighted(Wcnf(cnf, array(3, 0), np.array([2**63 - 3], dtype=np.int64))))
    assert (read.hard, read.soft, read.wght) == (clauses, [[3]], [2**63 - 3])


@pytest.mark.parametrize("clauses", [1, PORTION // 3, PORTION // 3 + 1])
def test_formulas_of_several_portions(clauses: int) -> None:
    cnf = Cnf(2, np.tile(array(1, -2, 0), clauses))
    assert written(cnf) == f"p cnf 2 {clauses}\n" + "1 -2 0\n" * clauses
    assert weighted(Wcnf(cnf, array(), np.zeros(0, dtype=np.int64))) == "h 1 -2 0\n" * clauses


@given(
    st.lists(st.lists(st.sampled_from([-3, -2, -1, 1, 2, 3]), max_size=3), max_size=6),
    st.dictionaries(st.integers(1, 3), st.booleans()),
)
def test_violated_clause_is_the_first_without_a_true_literal(clauses: list[list[int]], values: dict[int, bool]) -> None:
    wrong = [
        number
        for number, clause in enumerate(clauses, 1)
        if not any(values.get(abs(lit)) is (lit > 0) for lit in clause)
    ]
    cnf = Cnf(3, array(*(lit for clause in clauses for lit in [*clause, 0])))
    assert violated_clause(cnf, values) == (wrong[0] if wrong else None)
