"""Orbits: only what is really symmetric is taken together, and then the bound is the same as without orbits."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from puzzles import random_puzzle

from ringdoku import Puzzle, ring_weights
from ringdoku.deduction.propagation import propagate
from ringdoku.domain import classic, gains_of
from ringdoku.duality.prices import Ints, half_turn, incidence, orbits
from ringdoku.duality.relaxation import relax

NINE = np.arange(81).reshape(9, 9)
RING = np.array(gains_of(ring_weights(Puzzle.blank(9).board).weights, Puzzle.blank(9).board), dtype=np.int64)
DRAWN = np.multiply.outer(Random("weights").choices(range(-20, 21), k=81), np.arange(1, 10))
OF_DIGITS = np.array(Random("digits").choices(range(-20, 21), k=729)).reshape(81, 9)
KINDS = {
    "ring": (RING, (15, 8)),
    "drawn": (DRAWN, (81, 27)),
    "one cell more": (RING + (np.arange(81) == 10)[:, None], (45, 15)),
    "of digits": (OF_DIGITS + OF_DIGITS[NINE.T.reshape(-1)], (45, 15)),
    "half turn": (DRAWN + DRAWN[::-1], (41, 15)),
    "mirrored": (DRAWN + DRAWN[NINE.T.reshape(-1)], (45, 15)),
    "quarter turn": (sum(DRAWN[np.rot90(NINE, turns).reshape(-1)] for turns in range(4)), (21, 8)),
}
"""Weights, and how many cells and units are left, one for each orbit."""


def bound_without_orbits(puzzle: Puzzle, weights: Ints) -> int:
    candidates = propagate(puzzle)
    assert candidates is not None
    # what has no rows and columns has no symmetries of the square
    return relax(replace(incidence(puzzle.ruleset), has_lines=False), candidates, weights).prices.best_score


@pytest.mark.parametrize("kind", KINDS)
def test_the_bound_of_a_blank_board_is_the_same_with_and_without_orbits(kind: str) -> None:
    blank, (weights, sizes) = Puzzle.blank(9), KINDS[kind]
    units, candidates = incidence(blank.ruleset), np.ones((81, 9), dtype=bool)
    of_cells, of_units = orbits(units, candidates, weights)
    assert (len(np.unique(of_cells)), len(np.unique(of_units))) == sizes
    assert (weights == weights[of_cells]).all()
    # prices are rounded to the tolerance of the linear program
    assert abs(relax(units, candidates, weights).prices.best_score - bound_without_orbits(blank, weights)) <= 1


def test_clues_that_are_not_symmetric_and_boxes_that_are_rows_leave_no_orbits() -> None:
    each = random_puzzle(classic(9), 20, seed="orbits")
    candidates = propagate(each)
    assert candidates is not None
    assert (orbits(incidence(each.ruleset), candidates, RING)[0] == np.arange(81)).all()
    prices = relax(incidence(each.ruleset), candidates, RING).prices
    assert abs(prices.best_score - bound_without_orbits(each, RING)) <= 1
    blank = Puzzle.blank(5, (1, 5))
    of_cells, of_units = orbits(
        incidence(blank.ruleset), np.ones((25, 5), dtype=bool), np.zeros((25, 5), dtype=np.int64)
    )
    assert (of_cells == np.arange(25)).all()
    assert (of_units == np.arange(15)).all()


@pytest.mark.parametrize("text", ["extra-region: r1c1 r2c2 r3c3 r4c4", "killer 15: r1c1 r1c2"])
def test_rules_beside_the_units_leave_no_orbits(text: str) -> None:
    each = Puzzle.blank(9).with_rules(text)
    assert (orbits(incidence(each.ruleset), np.ones((81, 9), dtype=bool), RING)[0] == np.arange(81)).all()


@pytest.mark.parametrize(("order", "box", "free"), [(4, (2, 2), 0), (9, (3, 3), 45), (15, (3, 5), 105)])
def test_a_half_turn_repeats_all_but_the_middle_of_odd_orders(order: int, box: tuple[int, int], free: int) -> None:
    ruleset = classic(order, box)
    cells = np.arange(order * order)
    every, weights = np.ones((order * order, order), dtype=bool), np.zeros((order * order, order), dtype=np.int64)
    repeated = half_turn(ruleset, every, weights)
    assert repeated is not None
    assert np.isin(repeated, (cells, cells[::-1])).all()
    assert np.count_nonzero(repeated != cells) == (len(cells) - free) // 2
    assert all(int(repeated[cell]) not in ruleset.peers(cell) for cell in cells.tolist())
    for one_sided in (weights + (cells == 1)[:, None], weights - (cells == 2)[:, None]):
        assert half_turn(ruleset, every, one_sided) is None
    every[0, 0] = False
    assert half_turn(ruleset, every, weights) is None
