"""Propagation of clues: what it must find, that it loses no solution, and what the lowering makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringdoku import Grid, Puzzle, check, solutions
from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.ruleset import classic
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.digits import DIGITS
from ringdoku.sat.options import PRESOLVED, EncodingOptions


def puzzle_of(text: str, box: tuple[int, int] | None = None) -> Puzzle:
    return Puzzle.of_rows([[int(character) for character in row] for row in text.split()], box)


def slow_singles(puzzle: Puzzle) -> Candidates | None:
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
    height, width = draw(st.sampled_from([(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3)]))
    n = height * width
    line = np.arange(n)
    solution = ((width * (line[:, None] % height) + line[:, None] // height + line) % n + 1).reshape(-1)
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    digits = random.permutation(np.arange(1, n + 1))[solution - 1]
    digits[random.random(n * n) < draw(st.floats(0, 1))] = 0
    for _ in range(draw(st.integers(0, 2))):
        digits[random.integers(n * n)] = random.integers(1, n + 1)
    return Puzzle(classic(height * width, (height, width)), Grid(tuple(digits.tolist())))


@given(puzzles())
def test_the_same_as_singles_by_sets(puzzle: Puzzle) -> None:
    found, expected = propagate(puzzle), slow_singles(puzzle)
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert np.array_equal(found, expected)


@given(puzzles().filter(lambda puzzle: puzzle.clues.filled_count > puzzle.board.cell_count // 2))
def test_no_solution_is_lost(puzzle: Puzzle) -> None:
    candidates = propagate(puzzle)
    for grid in solutions(puzzle, backend="search"):
        assert candidates is not None
        assert all(candidates[cell, digit - 1] for cell, digit in enumerate(grid.digits))


def test_no_clues_say_nothing() -> None:
    candidates = propagate(Puzzle.blank(9))
    assert candidates is not None
    assert candidates.shape == (81, 9)
    assert candidates.all()


def test_an_easy_puzzle_is_solved_without_any_variable() -> None:
    puzzle = puzzle_of("530070000 600195000 098000060 800060003 400803001 700020006 060000280 000419005 000080079")
    formula = lower_to_cnf(puzzle, PRESOLVED)
    assert (formula.cnf.num_vars, formula.cnf.num_clauses) == (0, 0)
    assert not check(puzzle, formula.decode([]))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1010 0000 0000 0000", id="twice in a row"),
        pytest.param("1000 0000 1000 0000", id="twice in a column"),
        pytest.param("1000 0100 0000 0000", id="twice in a box"),
        pytest.param("0123 4000 0000 0000", id="a cell without a candidate"),
        pytest.param("1230 0000 0004 0000", id="a digit without a cell"),
    ],
)
@pytest.mark.parametrize("digits", DIGITS)
def test_a_contradiction_becomes_the_empty_clause(text: str, digits: str) -> None:
    puzzle = puzzle_of(text)
    assert propagate(puzzle) is None
    formula = lower_to_cnf(puzzle, EncodingOptions(digits=digits, presolve=True))
    assert (formula.cnf.num_vars, formula.cnf.literals.tolist()) == (0, [0])


def test_only_what_is_open_is_encoded() -> None:
    puzzle = puzzle_of("1234 3412 0000 0000")
    formula = lower_to_cnf(puzzle, PRESOLVED)
    assert formula.digits.known.tolist() == [1, 2, 3, 4, 3, 4, 1, 2] + [0] * 8
    assert formula.cnf.num_vars == 16
    assert np.count_nonzero(formula.digits.literals[8:], axis=1).tolist() == [2] * 8
