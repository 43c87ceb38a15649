"""Redundant counts of digits in killers: the same solutions, and more that follows at once."""

from random import Random

import pytest
from modelling import all_grids
from puzzles import random_solution
from pysat.solvers import Solver  # noqa: TID253 - the tests have it

from ringdoku import Puzzle, Session, parse
from ringdoku.lowering.cnf import lower_by_size, lower_to_cnf
from ringdoku.sat.options import EncodingOptions
from ringdoku.services.placing import PLACED, Placing

WITH_INNIES = EncodingOptions(innies=True)


def killer(seed: int, order: int = 6, box: tuple[int, int] = (2, 3)) -> Puzzle:
    """A blank board of random cages with the sums of one solution."""
    random, blank = Random(seed), Puzzle.blank(order, box)
    solution = random_solution(blank.ruleset, seed)
    return Puzzle(blank.ruleset.extended(*PLACED["killer"](Placing(solution, random, 0))), blank.clues)


@pytest.mark.parametrize("seed", range(6))
def test_the_solutions_stay_the_same(seed: int) -> None:
    puzzle = killer(seed)
    without, with_innies = lower_to_cnf(puzzle), lower_to_cnf(puzzle, WITH_INNIES)
    assert with_innies.cnf.num_clauses > without.cnf.num_clauses
    expected = set(Session().solutions(puzzle))
    for formula in (with_innies, lower_by_size(puzzle)):
        assert set(all_grids(formula)) == expected


def test_a_digit_that_two_cages_lack_is_in_the_third() -> None:
    # rows 1 and 2 hold every digit twice: in three cages, each at most once, and in r2c6
    cages = "killer 14: r1c1 r1c2 r2c1 r2c2\nkiller 14: r1c3 r1c4 r2c3 r2c4\nkiller 13: r1c5 r1c6 r2c5\n"
    puzzle = parse(cages + "......\n" * 6, box=(2, 3))
    for options, follows in ((EncodingOptions(), False), (WITH_INNIES, True)):
        formula = lower_to_cnf(puzzle, options)
        ones = formula.digits.literals[:, 0].tolist()
        with Solver("glucose4", bootstrap_with=formula.cnf.clauses()) as solver:
            holds, implied = solver.propagate([-ones[cell] for cell in (0, 1, 6, 7, 4, 5, 10)])
        assert holds
        assert (ones[11] in implied) is follows
