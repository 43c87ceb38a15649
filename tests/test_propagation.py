"""Propagation of clues: what it must find, that it loses no solution, and what the lowering makes of it."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from puzzles import GEOMETRIES, puzzle, random_puzzle

from ringdoku import Board, Grid, Puzzle, Ruleset, check, classic, solutions
from ringdoku.constraints.registry import read_constraint
from ringdoku.deduction.propagation import Candidates, digit_sets, propagate
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.digits import DIGITS
from ringdoku.sat.options import PRESOLVED, EncodingOptions

EASY = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"


def slow_singles(puzzle: Puzzle) -> "Candidates | None":
    """The same by sets, one single at a time and from the definition."""
    n, units = puzzle.order, [unit.cells for unit in puzzle.ruleset.units]
    possible = [{clue} if clue else set(range(1, n + 1)) for clue in puzzle.clues.digits]
    changed = True
    while changed:
        before = [set(digits) for digits in possible]
        for unit in units:
            for cell in unit:
                if len(possible[cell]) == 1:
                    for peer in set(unit) - {cell}:
                        possible[peer] -= possible[cell]
            for digit in range(1, n + 1):
                places = [cell for cell in unit if digit in possible[cell]]
                if not places:
                    return None
                if len(places) == 1:
                    possible[places[0]] &= {digit}
        if not all(possible):
            return None
        changed = before != possible
    return np.array([[digit in digits for digit in range(1, n + 1)] for digits in possible])


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Clues of a solution, some of them maybe wrong."""
    ruleset = draw(st.sampled_from((classic(1), classic(3, (1, 3)), *GEOMETRIES)))
    clues = draw(st.integers(0, ruleset.board.cell_count))
    return random_puzzle(ruleset, clues, draw(st.integers(0, 2**32)), wrong=min(clues, draw(st.integers(0, 2))))


@given(puzzles())
def test_the_same_as_singles_by_sets_and_no_solution_is_lost(puzzle: Puzzle) -> None:
    found, expected = propagate(puzzle), slow_singles(puzzle)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert np.array_equal(found, expected)
    if puzzle.clues.filled_count > puzzle.board.cell_count // 2:
        for grid in solutions(puzzle, backend="cadical195"):
            assert found is not None
            assert all(found[cell, digit - 1] for cell, digit in enumerate(grid.digits))


def test_rules_narrow_candidates_and_only_what_is_open_is_encoded() -> None:
    board = Board(4, 4)
    candidates = propagate(Puzzle(Ruleset(board, (read_constraint("sum 8: r1c1 r1c2", board),)), Grid.blank(board)))
    assert candidates is not None
    assert candidates.sum(axis=1).tolist() == [1, 1, *[4] * 14]
    formula = lower_to_cnf(puzzle(EASY), PRESOLVED)
    assert not check(puzzle(EASY), formula.digits.decode(range(1, formula.cnf.num_vars + 1)))
    formula = lower_to_cnf(puzzle("1234341200000000"), PRESOLVED)
    assert formula.cnf.num_vars == 24
    assert np.count_nonzero(formula.digits.literals, axis=1).tolist() == [1] * 8 + [2] * 8


# a digit twice in a row, a column and a box, a cell without a candidate, and a digit without a cell
@pytest.mark.parametrize(
    "line", ["1010000000000000", "1000000010000000", "1000010000000000", "0123400000000000", "1230000000040000"]
)
@pytest.mark.parametrize("digits", DIGITS)
def test_a_contradiction_becomes_one_in_a_variable(line: str, digits: str) -> None:
    assert propagate(puzzle(line)) is None
    formula = lower_to_cnf(puzzle(line), EncodingOptions(digits=digits, presolve=True))
    assert (formula.cnf.num_vars, formula.cnf.literals.tolist()) == (1, [1, 0, -1, 0])


@pytest.mark.parametrize("least", [0, 1, -2])
def test_sets_of_digits_with_a_sum_are_all_there(least: int) -> None:
    for size, digits, total in product((1, 2, 3), (0b11111, 0b101101, 0b11), (None, *range(-7, 25))):
        bits = [bit for bit in range(6) if digits >> bit & 1]
        sums = {sum(1 << bit for bit in chosen): size * least + sum(chosen) for chosen in combinations(bits, size)}
        found = digit_sets(size, digits, least, total)
        assert found is not None
        assert set(found) == {mask for mask, sum_of_set in sums.items() if total in (None, sum_of_set)}
    # too many of them, or to try
    assert digit_sets(6, (1 << 16) - 1, least) is digit_sets(12, (1 << 30) - 1, least, 12 * least) is None
