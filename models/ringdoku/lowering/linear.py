"""Puzzle → equations and inequalities over 0-1 variables, as integer programming and pseudo-Boolean solvers take them.

x[c,d] = 1 says that cell c holds digit d (the assignment formulation: Bartlett, Chartier, Langville and Rankin, "An
integer programming model for the Sudoku problem", Journal of Online Mathematics and its Applications 8, 2008).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ringdoku.cnf import ClauseSink, VarPool
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.rules import AllDifferent
from ringdoku.encodings.digits.literals import DigitLiterals
from ringdoku.encodings.digits.registry import DIGITS
from ringdoku.lowering.propagation import propagate


@dataclass(frozen=True)
class Sum:
    """The sum of `variables` is 1 where `exactly`, at most 1 otherwise. Names are letters, digits and underscores."""

    name: str
    variables: tuple[int, ...]
    exactly: bool


@dataclass(frozen=True)
class LinearPuzzle:
    """`digits` has a variable for each candidate of each open cell, numbered from 1 without gaps."""

    digits: DigitLiterals
    sums: tuple[Sum, ...]
    num_vars: int

    def places(self) -> Iterator[tuple[int, int, int]]:
        """(variable, cell, digit) in the order of the variables."""
        literals = self.digits.literals
        cells, columns = np.nonzero(literals)
        variables = literals[cells, columns]
        in_order = np.argsort(variables)
        yield from zip(
            variables[in_order].tolist(), cells[in_order].tolist(), (columns[in_order] + 1).tolist(), strict=True
        )


def lower_to_linear(puzzle: Puzzle, presolve: bool) -> LinearPuzzle:
    """One sum for each open cell, and one for each rule and digit that has variables.

    With `presolve` only what propagation leaves open has variables. Without, or when propagation leaves nothing open
    or finds a contradiction, every cell and digit has one, and a sum of its own makes each clue 1: no model is empty.
    """
    n, pool = puzzle.order, VarPool()
    clues = np.array(puzzle.clues.digits, dtype=np.int32)
    known = np.zeros_like(clues)
    candidates = propagate(puzzle) if presolve else None
    decided = None if candidates is None else np.count_nonzero(candidates, axis=1) == 1
    if candidates is None or decided is None or decided.all():
        candidates = np.ones((n * n, n), dtype=bool)
    else:
        known[decided] = candidates[decided].argmax(axis=1) + 1
    digits = DigitLiterals.of_candidates(candidates, known, DIGITS["direct"], pool, ClauseSink())
    name = puzzle.geometry.cell_name
    sums = [
        Sum(name(cell), tuple(row[row != 0].tolist()), exactly=True)
        for cell, row in enumerate(digits.literals)
        if not known[cell]
    ]
    for number, rule in enumerate(puzzle.rules, 1):
        match rule:
            case AllDifferent():
                sums += _all_different(rule, rule.name.replace(" ", "_") or f"rule_{number}", digits)
    sums += [
        Sum(f"clue_{name(cell)}", (int(digits.literals[cell, clues[cell] - 1]),), exactly=True)
        for cell in np.flatnonzero((clues > 0) & (known == 0)).tolist()
    ]
    return LinearPuzzle(digits, tuple(sums), pool.count)


def _all_different(rule: AllDifferent, name: str, digits: DigitLiterals) -> Iterator[Sum]:
    cells = list(rule.cells)
    n = digits.literals.shape[1]
    for digit, members in enumerate(digits.literals[cells].T, 1):
        present = tuple(members[members != 0].tolist())
        # a digit that is known in one of the cells is no candidate in the others
        if present:
            yield Sum(f"{name}_digit_{digit}", present, exactly=len(cells) == n)
