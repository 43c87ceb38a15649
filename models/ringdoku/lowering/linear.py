"""Puzzle → equations and inequalities over 0-1 variables, as integer programming and pseudo-Boolean solvers take them.

x[c,d] = 1 means that cell c holds digit d (the assignment formulation: Bartlett, Chartier, Langville and Rankin, "An
integer programming model for the Sudoku problem", Journal of Online Mathematics and its Applications 8, 2008).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

import numpy as np

from ringdoku.deduction.propagation import propagate
from ringdoku.domain.primitives import Primitive
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.rows import has_rows, rows_of
from ringdoku.domain.ruleset import Ruleset
from ringdoku.lowering.cnf import nothing_known
from ringdoku.sat.clauses import RuleClauses
from ringdoku.sat.digits import DIGITS, DigitLiterals
from ringdoku.sat.formula import FormulaBuilder, Literals, VarPool
from ringdoku.sat.rules import encode


@dataclass(frozen=True)
class Sum:
    """Σ coefficient·variable is `total` where `exactly`, at most `total` otherwise; `terms` are (coefficient,
    variable).

    No two names are equal. A name has letters, digits and underscores and begins with a letter other than `e`, which
    readers of the LP format take for an exponent. There is at least one term.
    """

    name: str
    terms: tuple[tuple[int, int], ...]
    total: int
    exactly: bool


@dataclass(frozen=True)
class LinearPuzzle:
    """`digits` has a variable for each candidate of each open cell, numbered from 1 without gaps. Further variables,
    which some rules need, come after them."""

    digits: DigitLiterals
    sums: tuple[Sum, ...]
    num_vars: int

    def places(self) -> list[tuple[int, int, int]]:
        """(variable, cell, digit) in the order of the variables."""
        literals = self.digits.literals
        cells, columns = np.nonzero(literals)
        digits = columns + self.digits.board.least
        return sorted(zip(literals[cells, columns].tolist(), cells.tolist(), digits.tolist(), strict=True))


def lower_to_linear(puzzle: Puzzle, presolve: bool) -> LinearPuzzle:
    """One sum for each open cell, one for each house and digit that has variables, and the rows of the other rules.

    With `presolve` only the cells that propagation leaves open have variables or, if there are other rules than houses,
    the candidates that it leaves. Without `presolve`, and if propagation leaves nothing open or finds a contradiction,
    every cell and digit has a variable, and a sum sets each clue to 1; so no model is empty. Rules without rows become
    clauses, which are written as sums.
    """
    board, ruleset, builder = puzzle.board, puzzle.ruleset, FormulaBuilder()
    clues = np.array(puzzle.clues.digits, dtype=np.int32)
    known = nothing_known(board)
    candidates = propagate(puzzle) if presolve else None
    decided = np.ones(0, dtype=bool) if candidates is None else np.count_nonzero(candidates, axis=1) == 1
    if candidates is None or (decided.all() and not ruleset.rest):
        candidates = np.ones((board.cell_count, board.order), dtype=bool)
    elif not ruleset.rest:
        known[decided] = candidates[decided].argmax(axis=1) + board.least
    digits = DigitLiterals.of_candidates(board, candidates, known, DIGITS["direct"], builder)
    name, literals = board.cell_name, digits.literals
    sums = [
        _sum(name(cell) if cell < board.grid_count else f"cell_{name(cell)}", row[row != 0].tolist(), True)
        for cell, row in enumerate(literals)
        if known[cell] == board.blank
    ]
    for label, house in zip(_labels(ruleset), ruleset.houses, strict=True):
        for digit, members in zip(board.digits, literals[list(house.cells)].T, strict=True):
            # a digit that one of the cells is known to hold is not a candidate in the others
            if present := members[members != 0].tolist():
                minus = "m" if digit < 0 else ""
                sums.append(_sum(f"{label}_digit_{minus}{abs(digit)}", present, len(house.cells) == board.order))
    for number, primitive in enumerate(ruleset.rest, 1):
        sums += _of_rule(f"rule_{number}", primitive, ruleset, literals, builder)
    sums += [
        _sum(f"clue_{name(cell)}", [int(literals[cell, clues[cell] - board.least])], True)
        for cell in np.flatnonzero((clues != board.blank) & (known == board.blank)).tolist()
        if literals[cell, clues[cell] - board.least]
    ]
    return LinearPuzzle(digits, tuple(sums), builder.count)


def _labels(ruleset: Ruleset) -> Iterator[str]:
    """The names of the houses if all are different and valid as names of sums, else numbers."""
    labels = [re.sub(r"\W+", "_", house.name, flags=re.ASCII) for house in ruleset.houses]
    counts = Counter(labels)
    for number, label in enumerate(labels, 1):
        yield label if counts[label] == 1 and re.match(r"[a-df-z]", label) else f"house_{number}"


def _sum(name: str, variables: list[int], exactly: bool) -> Sum:
    return Sum(name, tuple((1, variable) for variable in variables), 1, exactly)


def _of_rule(name: str, primitive: Primitive, ruleset: Ruleset, literals: Literals, pool: VarPool) -> Iterator[Sum]:
    board = ruleset.board
    if not has_rows(primitive):
        yield from _of_clauses(name, primitive, ruleset, literals, pool)
    for number, row in enumerate(rows_of(primitive, board), 1):
        # a variable that several terms share stands once, since not every program adds them up
        factors: Counter[int] = Counter()
        for cell, digit, factor in row.terms:
            factors[int(literals[cell, digit - board.least])] += factor
        terms = tuple((factor, variable) for variable, factor in factors.items() if variable and factor)
        # for "at most" this is tighter; and clasp 3.3.5 accepts 2 x = 3 as satisfiable
        divisor = gcd(*(factor for factor, _ in terms)) or 1
        # without terms the sum is 0
        never = bool(row.total % divisor if terms else row.total) if row.exact else not terms and row.total < 0
        if never:
            yield _never(f"{name}_{number}")
        elif terms:
            divided = tuple((factor // divisor, variable) for factor, variable in terms)
            yield Sum(f"{name}_{number}", divided, row.total // divisor, row.exact)


def _of_clauses(name: str, primitive: Primitive, ruleset: Ruleset, literals: Literals, pool: VarPool) -> Iterator[Sum]:
    clauses = RuleClauses(literals.tolist(), ruleset.board.least, ruleset.peers, pool)
    encode([primitive], clauses)
    for number, clause in enumerate(clauses.lists(), 1):
        # at least one true literal: Σ of the positive − Σ of the negated variables ≥ 1 − number of negated ones
        present = set(clause)
        terms = tuple((-1, lit) if lit > 0 else (1, -lit) for lit in sorted(present, key=abs))
        if not terms:
            yield _never(f"{name}_{number}")
        elif not any(-lit in present for lit in present):
            yield Sum(f"{name}_{number}", terms, sum(lit < 0 for lit in present) - 1, False)


def _never(name: str) -> Sum:
    """A sum that no assignment satisfies. It has a term, since programs refuse sums without terms."""
    return Sum(name, ((1, 1),), -1, False)
