"""Solutions in which every row is a shift of every other, found from clues by linear equations instead of search.

Most programs that make large grids shuffle a pattern: the cell in row r and column c holds the digit d with
δ(d) = ρ(r) + κ(c) modulo n, for some numbers ρ, κ and δ of the rows, the columns and the digits. Then each clue is a
linear equation modulo n, and a tenth of the clues is mostly enough to know all numbers at 64×64, a fifth at 25×25. That
takes milliseconds where search takes hours. (A Latin square of this form is the addition table of a cyclic group in
other names; see Dénes and Keedwell, "Latin Squares and their Applications", 1974.)

It is a guess about how the puzzle was made. If it is wrong, the equations have no solution of this form, and if it is
right, the puzzle may have other solutions too.
"""

from __future__ import annotations

import numpy as np

from ringdoku.domain.checker import check
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Ints
from ringdoku.limits import NEVER, Deadline

MOST_PARAMETERS = 48
"""Puzzles of 25×25 with 5 % clues need so many. With so few clues the numbers are never known."""

SIGNS = np.array([1, 1, -1])
"""Of the numbers of row, column and digit in the equation of a clue, whose right side is 0."""


def shifted_solution(puzzle: Puzzle, deadline: Deadline = NEVER) -> Grid | None:
    """The solution of this form, of a puzzle with classic rules, if the clues leave just one; mostly there is none."""
    if puzzle.ruleset.classic_box is None:
        return None
    n, table = puzzle.order, np.array(puzzle.clues.rows)
    rows, columns = np.nonzero(table)
    clues = np.stack((rows, columns + n, table[rows, columns] - 1 + 2 * n), axis=1)
    forms = _forms(clues, n, deadline)
    if forms is None:
        return None
    equations = _left_sides(forms, clues) % n
    parameters = np.zeros(forms.shape[1], dtype=np.int64)
    for prime, power in _prime_powers(n):
        part = _only_direction(equations, prime, power)
        if part is None:
            return None
        # the Chinese remainder theorem
        rest = n // power
        parameters = (parameters + part * rest * pow(rest, -1, power)) % n
    of_row, of_column, of_digit = (forms @ parameters % n).reshape(3, n)
    digit_with = np.zeros(n, dtype=np.int64)
    digit_with[of_digit] = np.arange(1, n + 1)
    digits = digit_with[(of_row[:, None] + of_column) % n].reshape(-1).tolist()
    if not all(digits):
        return None
    grid = Grid(tuple(digits))
    return None if check(puzzle, grid) else grid


def _forms(clues: Ints, n: int, deadline: Deadline) -> Ints | None:
    """(3n, k): the numbers of rows, columns and digits as linear forms in k parameters; None if k is large.

    One row and one column have the number 0, since a constant may move from the rows to the columns and the digits.
    Where a clue has two numbers that are known, it gives the third. Where there is none, a number becomes a parameter.
    """
    forms, known = np.zeros((3 * n, 0), dtype=np.int64), np.zeros(3 * n, dtype=bool)
    known[np.bincount(clues[:, 0], minlength=n).argmax()] = known[n] = True
    while True:
        while len(some := np.flatnonzero(known[clues].sum(axis=1) == 2)):
            deadline.check()
            place = known[clues[some]].argmin(axis=1)
            found = clues[some, place]
            # the form of the number that is not known yet is 0
            forms[found] = -SIGNS[place, None] * _left_sides(forms, clues[some]) % n
            known[found] = True
        if known.all():
            return forms
        if forms.shape[1] == MOST_PARAMETERS:
            return None
        near = np.bincount(clues[known[clues].any(axis=1)].reshape(-1), minlength=3 * n)
        chosen = np.where(known, -1, near).argmax()
        forms = np.pad(forms, ((0, 0), (0, 1)))
        forms[chosen, -1] = 1
        known[chosen] = True


def _left_sides(forms: Ints, clues: Ints) -> Ints:
    """(clues, k): ρ + κ − δ of each clue."""
    sides: Ints = sum(sign * forms[numbers] for sign, numbers in zip(SIGNS, clues.T, strict=True))
    return sides


def _only_direction(equations: Ints, prime: int, power: int) -> Ints | None:
    """The parameters (k,) that solve the equations modulo a power of a prime, if they are unique but for a factor.

    Gaussian elimination; a pivot is what the prime does not divide. Not unique: None.
    """
    pivots: list[tuple[int, Ints]] = []
    left = np.unique(equations % power, axis=0)
    while len(units := np.argwhere(left % prime)):
        row, column = units[0].tolist()
        pivot = left[row] * pow(int(left[row, column]), -1, power) % power
        left = np.unique((left - left[:, column, None] * pivot) % power, axis=0)
        pivots.append((column, pivot))
    free = set(range(equations.shape[1])).difference(column for column, _ in pivots)
    if left.any() or len(free) != 1:
        return None
    solution = np.zeros(equations.shape[1], dtype=np.int64)
    solution[free.pop()] = 1
    for column, pivot in reversed(pivots):
        solution[column] = -(pivot @ solution) % power
    return solution


def _prime_powers(number: int) -> list[tuple[int, int]]:
    """(prime, the power of it that divides the number)."""
    found = []
    for prime in range(2, number + 1):
        power = 1
        while number % prime == 0:
            number //= prime
            power *= prime
        if power > 1:
            found.append((prime, power))
    return found
