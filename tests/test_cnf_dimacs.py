"""DIMACS: reading returns what was written, and an error in the text is refused with its line."""

from __future__ import annotations

import io
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringdoku.domain.errors import InputError
from ringdoku.sat import ClauseSink, Cnf, VarPool
from ringdoku.sat.dimacs import PORTION, read_dimacs, write_dimacs


def written(cnf: Cnf, comments: tuple[str, ...] = ()) -> bytes:
    stream = io.BytesIO()
    write_dimacs(cnf, stream, comments)
    return stream.getvalue()


def test_a_small_formula_as_text() -> None:
    sink = ClauseSink()
    sink.add([[1, -2], [-1, 12]])
    sink.add([3])
    sink.add([])
    assert written(sink.formula(VarPool(12)), ("a puzzle", "")) == (
        b"c a puzzle\nc\np cnf 12 4\n1 -2 0\n-1 12 0\n3 0\n0\n"
    )


@given(st.lists(st.lists(st.integers(1, 2**31 - 2).flatmap(lambda var: st.sampled_from([var, -var])))))
def test_reading_returns_what_was_written(clauses: list[list[int]]) -> None:
    sink = ClauseSink()
    for clause in clauses:
        sink.add(clause)
    cnf = sink.formula(VarPool(2**31 - 2))
    back = read_dimacs(written(cnf, ("one", "  two")))
    assert back.cnf.literals.tolist() == cnf.literals.tolist()
    assert back.cnf.num_vars == cnf.num_vars
    assert back.comments == ("one", "  two")


def test_a_formula_of_several_portions() -> None:
    cnf = Cnf(PORTION, np.arange(-PORTION, PORTION + 1, dtype=np.int32).repeat(2)[:-2])
    cnf.literals[-1] = 0
    back = read_dimacs(written(cnf))
    assert np.array_equal(back.cnf.literals, cnf.literals)


@pytest.mark.parametrize(
    ("text", "literals"),
    [
        (b"p cnf 0 0", []),
        (b"p cnf 0 1\n0", [0]),
        (b"c one\nc two\np cnf 3 2\n1 -2 0\n3 0\n", [1, -2, 0, 3, 0]),
        (b"p cnf 3 2\r\n1 -2 0\r\n3 0\r\n", [1, -2, 0, 3, 0]),
        (b"p cnf 3 2\n1\n-2\n0 3 0", [1, -2, 0, 3, 0]),
        (b"p cnf 3 2\n1 -2 0 3 0\n", [1, -2, 0, 3, 0]),
        (b"p cnf 3 2\n1\nc inside a clause\n-2 0\nc\n3 0\nc after all", [1, -2, 0, 3, 0]),
        (b"  p  cnf  3\t2 \n\t1  -2 0\n\n  3 0", [1, -2, 0, 3, 0]),
        (b"p cnf 3 2\n1 -2 0\n3 0\n%\n0\n\n", [1, -2, 0, 3, 0]),
        (b"p cnf 3 2\r\n1 -2 0\r\n3 0\r\n%\r\n0\r\n", [1, -2, 0, 3, 0]),
        (b"p cnf 3 1\n1 00 ", [1, 0]),
        (b"c \xff\xfe not UTF-8\np cnf 1 1\n1 0\n", [1, 0]),
    ],
)
def test_accepted(text: bytes, literals: list[int]) -> None:
    assert read_dimacs(text).cnf.literals.tolist() == literals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "f.cnf: found no header"),
        (b"c nothing\n", "f.cnf: found no header"),
        (b"1 0\np cnf 1 1\n", "f.cnf:1:1: found '1' before the header"),
        (b"p cnf 1 1\n1 0\np cnf 1 1\n", "f.cnf:3:1: found a second header"),
        (b"c\np wcnf 1 1 2\n", "f.cnf:2:1: found 'p wcnf 1 1 2'"),
        (b"p cnf 1\n", "f.cnf:1:1: found 'p cnf 1'"),
        (b"p cnf 1 x\n", "f.cnf:1:1: found 'p cnf 1 x'"),
        (b"p cnf -1 0\n", "f.cnf:1:1: found 'p cnf -1 0'"),
        (b"p cnf 2147483647 0\n", "f.cnf:1:1: found 2147483647 variables"),
        (b"p cnf 3 3\n1 0\n2 0\n", "f.cnf:1:1: found 2 clauses, expected 3"),
        (b"p cnf 3 1\n1 0\n2 0\n", "f.cnf:1:1: found 2 clauses, expected 1"),
        (b"p cnf 3 1\n1 0\n2 3\n", "f.cnf:4:1: found the end inside a clause"),
        (b"p cnf 3 2\n1 0\n2 4 0\n", "f.cnf:3:3: found literal '4', expected −3..3"),
        (b"p cnf 3 2\nc 9 9\n1 0\n2 -4 0\n", "f.cnf:4:3: found literal '-4', expected −3..3"),
        (b"p cnf 3 1\n1 99999999999999999999999 0\n", "f.cnf:2:3: found literal '99999999999999999999999'"),
        (b"p cnf 3 1\n1 -99999999999999999999999 0\n", "f.cnf:2:3: found literal '-99999999999999999999999'"),
        (b"p cnf 3 1\r\n1 0\r\nend\r\n", "f.cnf:3:1: found 'end', expected a literal"),
        (b"p cnf 3 1\n1 2 0 c here\n", "f.cnf:2:7: found 'c', expected a literal"),
        (b"p cnf 3 1\n1 2-3 0\n", "f.cnf:2:3: found '2-3', expected a literal"),
        (b"p cnf 3 1\n1 --2 0\n", "f.cnf:2:3: found '--2', expected a literal"),
        (b"p cnf 3 1\n1 - 0\n", "f.cnf:2:3: found '-', expected a literal"),
        (b"p cnf 3 1\n1 2 0 -", "f.cnf:2:7: found '-', expected a literal"),
        (b"p cnf 3 1\n1 +2 0\n", "f.cnf:2:3: found '+2', expected a literal"),
        (b"p cnf 3 1\n1 2.0 0\n", "f.cnf:2:3: found '2.0', expected a literal"),
        (b"p cnf 3 1\n1 1_0 0\n", "f.cnf:2:3: found '1_0', expected a literal"),
        (b"p cnf 3 1\n\xef\xbc\x91 0\n", "f.cnf:2:1: found '１', expected a literal"),
        (b"p cnf 3 1\n1 \xc2\xa02 0\n", "f.cnf:2:3: found '\\xa02', expected a literal"),
        (b"p cnf 3 1\n1\0 0\n", "f.cnf:2:1: found '1\\x00', expected a literal"),
        (b"p cnf 3 1\n1 0\n%\n0\n2 0\n", "f.cnf:3:1: found more after the % line"),
    ],
)
def test_refused_with_its_place(text: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_dimacs(text, "f.cnf")
    assert str(caught.value).startswith(message)


@given(st.binary(max_size=60))
def test_no_text_breaks_the_reader(text: bytes) -> None:
    for data in (text, b"p cnf 3 2\n" + text):
        literals = []
        with suppress(InputError):
            literals = read_dimacs(data).cnf.literals.tolist()
        assert all(-3 <= lit <= 3 for lit in literals) or not data.startswith(b"p cnf 3 2")
