"""Solutions in which every row is a shift of every other: found where the clues tell them, and nowhere else."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from puzzles import searched_puzzle

from ringdoku import Grid, Puzzle, Session
from ringdoku.domain.checker import check
from ringdoku.domain.result import Status
from ringdoku.domain.ruleset import classic
from ringdoku.services.generate import keep_clues, pattern_solution, shuffled
from ringdoku.solvers.shifted import shifted_solution


def clues_of_a_pattern(order: int, per_cent: int, seed: int) -> Puzzle:
    random, rules = Random(seed), classic(order)
    solution = shuffled(rules, pattern_solution(rules), random)
    return keep_clues(rules, solution, order * order * per_cent // 100, random)


@pytest.mark.parametrize(("order", "per_cent"), [(16, 50), (25, 20), (36, 20), (49, 15), (64, 10), (64, 58), (225, 67)])
def test_the_solution_is_found(order: int, per_cent: int) -> None:
    for seed in range(1 if order > 100 else 3):
        puzzle = clues_of_a_pattern(order, per_cent, seed)
        found = shifted_solution(puzzle)
        assert found is not None
        assert not check(puzzle, found)


def test_other_puzzles_have_none() -> None:
    puzzle = clues_of_a_pattern(25, 40, seed=1)
    digits = list(puzzle.clues.digits)
    # two clues change places, so that it is no pattern any more
    one, other = [cell for cell in range(625) if digits[cell]][:2]
    digits[one], digits[other] = digits[other], digits[one]
    assert shifted_solution(Puzzle(puzzle.ruleset, Grid(tuple(digits)))) is None
    # a trade of two rows' digits leaves a solution
    assert shifted_solution(searched_puzzle(25, 250, seed=1)) is None
    for blank in (Puzzle.blank(4), Puzzle.blank(100)):
        assert shifted_solution(blank) is None
    # the addition table of three digits is a Latin square, whose rows do not fit into boxes
    latin = [[(row + column) % 9 + 1 for column in range(9)] for row in range(9)]
    assert shifted_solution(Puzzle.of_rows([[*latin[0]], *[[0] * 9] * 3, *latin[4:]])) is None


def test_it_comes_first_and_only_once_in_turns() -> None:
    puzzle = clues_of_a_pattern(64, 58, seed=4)
    result = Session("turns").solve(puzzle)
    assert result.status is Status.SATISFIABLE
    assert "conflicts" not in result.statistics
    some = clues_of_a_pattern(9, 40, seed=2)
    for most in (24, 27, 30):
        some = keep_clues(some.ruleset, clues_of_a_pattern(9, 100, seed=most).clues, most, Random(most))
        found, expected = (list(islice(Session(name).solutions(some), 500)) for name in ("turns", "cadical195"))
        assert len(set(found)) == len(found) == len(expected)
