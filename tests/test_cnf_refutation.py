"""The check of DRAT proofs: it believes what follows by unit propagation, and nothing else."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from puzzles import NO_SOLUTION, puzzle

from ringdoku import Session
from ringdoku.cnf import Cnf
from ringdoku.cnf.refutation import faults_of_proof
from ringdoku.lowering.cnf import lower_to_cnf

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
"""No solution, which unit propagation alone does not see."""


def cnf(clauses: list[list[int]], num_vars: int) -> Cnf:
    return Cnf(num_vars, np.array([word for clause in clauses for word in (*clause, 0)], dtype=np.int32))


@pytest.mark.parametrize(
    ("clauses", "steps"),
    [
        (SQUARE, ["1 0", "0"]),
        # with 1 the rest follows, so that the empty clause need not be said
        (SQUARE, ["1 0"]),
        (SQUARE, ["d 1 2 0", "-2 0", "0"]),
        ([[1], [-1]], []),
        ([[]], []),
        ([[1, 1], [-1, 2, -1], [-2]], []),
    ],
)
def test_proofs(clauses: list[list[int]], steps: list[str]) -> None:
    assert faults_of_proof(cnf(clauses, 2), steps) == []


@pytest.mark.parametrize(
    ("clauses", "steps", "fault"),
    [
        (SQUARE, [], "ends without the empty clause"),
        (SQUARE, ["0"], "step 1 does not follow: '0'"),
        (SQUARE[:3], ["1 0", "0"], "step 2 does not follow"),
        ([[1, 2]], ["-1 -2 0", "0"], "step 1 does not follow"),
        ([[1, -1], [2]], ["0"], "step 1 does not follow"),
        (SQUARE, ["3 0", "0"], "step 1 is no clause of the formula's variables: '3 0'"),
        (SQUARE, ["1", "0"], "step 1 is no clause"),
        ([[1, 2]], ["0 0"], "step 1 is no clause"),
        ([[1, 2]], ["1 0 2 0"], "step 1 is no clause"),
        (SQUARE, ["x 0"], "step 1 is no clause"),
        (SQUARE, ["", "0"], "step 1 is no clause"),
    ],
)
def test_what_is_no_proof(clauses: list[list[int]], steps: list[str], fault: str) -> None:
    [found] = faults_of_proof(cnf(clauses, 2), steps)
    assert fault in found


def test_nothing_with_a_solution_is_refuted_whatever_the_steps() -> None:
    random = Random(3)
    refuted = 0
    for _ in range(500):
        clauses = [
            random.sample([1, 2, 3, 4, -1, -2, -3, -4], random.randint(1, 3)) for _ in range(random.randint(1, 14))
        ]
        steps = [f"{' '.join(map(str, random.sample([1, 2, 3, 4], random.randint(0, 2))))} 0".strip() for _ in range(6)]
        has_solution = any(
            all(any((literal > 0) == values[abs(literal) - 1] for literal in clause) for clause in clauses)
            for values in product((False, True), repeat=4)
        )
        faults = faults_of_proof(cnf(clauses, 4), steps)
        assert faults or not has_solution
        refuted += not faults
    assert refuted > 50


def test_a_proof_of_a_puzzle_with_steps_left_out() -> None:
    each = puzzle(NO_SOLUTION)
    formula, proof = lower_to_cnf(each).cnf, Session().refute(each).proof
    assert faults_of_proof(formula, proof) == []
    assert faults_of_proof(formula, proof[:20]) != []
