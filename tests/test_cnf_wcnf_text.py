"""WCNF files in both formats, and whether an assignment satisfies a formula."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringdoku import InputError
from ringdoku.sat import Cnf
from ringdoku.sat.evaluate import violated_clause
from ringdoku.sat.wcnf import Wcnf
from ringdoku.sat.wcnf_text import read_wcnf, write_wcnf

NEW = b"c a comment\nh 1 -2 0\nh 3 0\n5 -1 0\n12 2 3 0\n"
OLD = b"c a comment\np wcnf 3 4 18\n18 1 -2 0\n18 3 0\n5 -1 0\n12 2 3 0\n"


def array(literals: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(literals, dtype=np.int32)


FORMULA = Wcnf(Cnf(3, array([1, -2, 0, 3, 0])), array([-1, 0, 2, 3, 0]), np.array([5, 12], dtype=np.int64))


@pytest.mark.parametrize(("legacy", "text"), [(False, NEW), (True, OLD)])
def test_text_of_a_formula(legacy: bool, text: bytes) -> None:
    stream = io.BytesIO()
    write_wcnf(FORMULA, stream, ["a comment"], legacy)
    assert stream.getvalue() == text


def same(left: Wcnf, right: Wcnf) -> bool:
    return (
        left.num_vars == right.num_vars
        and np.array_equal(left.hard.literals, right.hard.literals)
        and np.array_equal(left.soft, right.soft)
        and np.array_equal(left.weights, right.weights)
    )


@pytest.mark.parametrize("text", [NEW, OLD, NEW.replace(b"\n", b"\r\n\r\n"), OLD.replace(b" ", b"  ")])
def test_formula_of_a_text(text: bytes) -> None:
    assert same(read_wcnf(text), FORMULA)


@pytest.mark.parametrize("legacy", [False, True])
def test_largest_weights_survive(legacy: bool) -> None:
    formula = Wcnf(FORMULA.hard, FORMULA.soft, np.array([2**63 - 3, 1], dtype=np.int64))
    stream = io.BytesIO()
    write_wcnf(formula, stream, legacy=legacy)
    assert same(read_wcnf(stream.getvalue()), formula)


@pytest.mark.parametrize("clauses", [1, 100_000, 131_073])
def test_many_clauses_survive(clauses: int) -> None:
    literals = array([1, -2, 0]).reshape(1, 3).repeat(clauses, axis=0).reshape(-1)
    formula = Wcnf(Cnf(2, literals), array([]), np.array([], dtype=np.int64))
    stream = io.BytesIO()
    write_wcnf(formula, stream)
    assert stream.getvalue() == b"h 1 -2 0\n" * clauses
    assert same(read_wcnf(stream.getvalue()), formula)


def test_pysat_reads_what_is_written(tmp_path: Path) -> None:
    from pysat.formula import WCNF

    for legacy in (False, True):
        file = tmp_path / f"{legacy}.wcnf"
        with file.open("wb") as stream:
            write_wcnf(FORMULA, stream, legacy=legacy)
        read = WCNF(from_file=str(file))
        assert (read.hard, read.soft, read.wght) == ([[1, -2], [3]], [[-1], [2, 3]], [5, 12])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"h 1 -2\n", ":1: found 'h 1 -2'"),
        (b"h 1 0 2 0\n", ":1: found"),
        (b"h 1 0\nsoft 2 0\n", ":2: found 'soft 2 0'"),
        (b"h 1 0\np wcnf 1 1 2\n", ":2: found 'p wcnf 1 1 2'"),
        (b"p wcnf 2 3 9\n9 1 0\n2 2 0\n", "2 clauses, expected 3"),
        (b"p wcnf 2 1 9\n9 3 0\n", "variable 3, expected at most 2"),
        (b"h 9999999999 0\n", "variable 9999999999"),
        (b"p wcnf 9999999999 1 9\n9 9999999999 0\n", "variable 9999999999, expected at most 2147483646"),
        (b"h 1 0\n0 1 0\n", ":2: found '0 1 0', expected a weighted clause"),
        (b"h 1 0\n9999999999999999999 1 0\n", ":2: found weights of 9999999999999999999 together, expected at most"),
        (b"h 1 0\n9223372036854775806 1 0\n1 -1 0\n", ":3: found weights of 9223372036854775807 together"),
        (b"h 1 0\n99999999999999999999 1 0\n", ":2: found '99999999999999999999 1 0'"),
    ],
)
def test_broken_text_is_refused(text: bytes, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_wcnf(text)
    assert complaint in str(caught.value)


@given(
    st.lists(st.lists(st.sampled_from([-3, -2, -1, 1, 2, 3]), max_size=3), max_size=6),
    st.dictionaries(st.integers(1, 3), st.booleans()),
)
def test_violated_clause_is_the_first_without_a_true_literal(clauses: list[list[int]], values: dict[int, bool]) -> None:
    literals = [lit for clause in clauses for lit in [*clause, 0]]
    wrong = [
        number
        for number, clause in enumerate(clauses, 1)
        if not any(values.get(abs(lit)) is (lit > 0) for lit in clause)
    ]
    assert violated_clause(Cnf(3, array(literals)), values) == (wrong[0] if wrong else None)
