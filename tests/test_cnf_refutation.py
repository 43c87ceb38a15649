"""The check of DRAT proofs, and the files that hold them: it believes a step that it can follow, and nothing else."""

from io import BytesIO
from itertools import product, repeat
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from puzzles import NO_SOLUTION, puzzle

from ringdoku import Claim, InputError, TimeLimitError, certify
from ringdoku.limits import Deadline
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.formula import Cnf
from ringdoku.solvers.drat import drat_steps, faults_of_proof

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
"""No solution, which unit propagation alone does not see."""


@pytest.mark.parametrize(
    ("clauses", "steps", "fault"),
    [
        (SQUARE, ["1 0", "0"], None),
        # with 1 the rest follows, so that the empty clause need not be said
        (SQUARE, ["1 0"], None),
        (SQUARE, ["d 1 2 0", "-2 0", "0"], None),
        # 3 is defined: either of 1 and 2 is false
        (SQUARE, ["3 1 0", "3 2 0", "-3 -1 -2 0", "1 0", "0"], None),
        ([[1], [-1]], [], None),
        ([[]], [], None),
        ([[1, 1], [-1, 2, -1], [-2]], [], None),
        (SQUARE, [], "ends without the empty clause"),
        (SQUARE, ["0"], "step 1 does not follow: '0'"),
        (SQUARE[:3], ["1 0", "0"], "step 2 does not follow"),
        # allowed, since it keeps a formula satisfiable; then 1 or 2, and not both
        ([[1, 2]], ["-1 -2 0", "0"], "step 2 does not follow"),
        ([[1, 2]], ["3 1 0", "3 2 0", "-3 -1 0", "0"], "step 3 does not follow"),
        # the opposite of 3 is known by then
        ([[1, 2]], ["-3 0", "3 1 0"], "step 2 does not follow"),
        ([[1, -1], [2]], ["0"], "step 1 does not follow"),
        (SQUARE, ["3 0", "0"], "step 2 does not follow"),
        (SQUARE, ["2000000000 0", "0"], "step 2 does not follow"),
        (SQUARE, ["1", "0"], "step 1 is not a clause"),
        ([[1, 2]], ["0 0"], "step 1 is not a clause"),
        ([[1, 2]], ["1 0 2 0"], "step 1 is not a clause"),
        (SQUARE, ["x 0"], "step 1 is not a clause"),
        (SQUARE, ["", "0"], "step 1 is not a clause"),
    ],
)
def test_proofs_and_what_is_none(clauses: list[list[int]], steps: list[str], fault: str | None) -> None:
    found = faults_of_proof(Cnf.of(2, clauses), steps)
    assert len(found) == (fault is not None)
    assert (fault or "") in "".join(found)


def test_nothing_with_a_solution_is_refuted_whatever_the_steps() -> None:
    random = Random(3)
    refuted = 0
    for _ in range(500):
        clauses = [
            random.sample([1, 2, 3, 4, -1, -2, -3, -4], random.randint(1, 3)) for _ in range(random.randint(1, 14))
        ]
        literals = [1, 2, 3, 4, -1, -2, 5, -5]
        steps = [f"{' '.join(map(str, random.sample(literals, random.randint(0, 2))))} 0".strip() for _ in range(9)]
        has_solution = any(
            all(any((literal > 0) == values[abs(literal) - 1] for literal in clause) for clause in clauses)
            for values in product((False, True), repeat=4)
        )
        faults = faults_of_proof(Cnf.of(4, clauses), steps)
        assert faults or not has_solution
        refuted += not faults
    assert refuted > 50


def test_a_proof_with_steps_left_out_is_refused_and_the_time_limit_kept() -> None:
    each = puzzle(NO_SOLUTION)
    formula, proof = lower_to_cnf(each).cnf, certify(each, Claim(0), form="drat").proof
    assert faults_of_proof(formula, proof) == []
    assert faults_of_proof(formula, proof[:20]) != []
    with pytest.raises(TimeLimitError):
        faults_of_proof(Cnf.of(2, SQUARE), repeat("3 -3 0"), Deadline(0.2))


def binary(step: str) -> bytes:
    """A step of a text file as one of a binary file."""
    kind, words = (b"d", step[2:].split()) if step.startswith("d") else (b"a", step.split())
    coded = b""
    for literal in map(int, words[:-1]):
        code = 2 * abs(literal) + (literal < 0)
        while code >= 128:
            coded += bytes([code % 128 + 128])
            code //= 128
        coded += bytes([code])
    return kind + coded + b"\0"


def steps_in(data: bytes) -> list[str]:
    return list(drat_steps(BytesIO(data), "proof"))


@given(st.lists(st.tuples(st.booleans(), st.lists(st.integers(1, 2**31 - 2) | st.integers(-(2**31) + 2, -1)))))
def test_every_form_of_a_proof_file_is_read(clauses: list[tuple[bool, list[int]]]) -> None:
    steps = [f"{'d ' if deleted else ''}{' '.join(map(str, [*clause, 0]))}" for deleted, clause in clauses]
    assert steps_in(b"".join(map(binary, steps))) == steps
    assert steps_in("".join(f"{step}\r\n" for step in ["c a comment", "", *steps]).encode()) == steps
    frat = b"o 1 1 2 0\na 2 1 0 l 4 5 0\nd 1 1 2 0\na 3 0\na 4\na\nf 3 0\n"
    assert steps_in(frat) == ["1 0", "d 1 2 0", "0", "", ""]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"a\x02\0b\0", "byte 98 at the start of step 2"),
        (b"a\x02\0a\x02", "the end inside step 2"),
        (b"a\xff\xff\xff\xff\xff\x01\0", "more than 32 bits in step 1"),
        (b"a\x01\0", "literal 0 in step 1"),
        (b"1 " * (1 << 23) + b"1", "proof:1: found a line of more than"),
    ],
)
def test_broken_proof_files_are_refused(data: bytes, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        steps_in(data)


@given(st.binary(), st.booleans())
def test_any_bytes_are_steps_or_an_error(data: bytes, is_binary: bool) -> None:
    try:
        steps = steps_in(b"a\0" * is_binary + data)
    except InputError:
        return
    assert isinstance(faults_of_proof(Cnf.of(2, SQUARE[:3]), steps), list)
