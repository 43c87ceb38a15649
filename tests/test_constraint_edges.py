"""Constraints at the edges of what makes sense: cells that are listed twice, no houses at all, sums out of reach."""

from __future__ import annotations

from itertools import product

import pytest

from ringdoku import Grid, Puzzle, Ruleset, UsageError, check, solutions
from ringdoku.constraints.pairs import Successive
from ringdoku.constraints.registry import read_constraint
from ringdoku.constraints.sums import EqualSums, Killer
from ringdoku.deduction.propagation import propagate
from ringdoku.domain import primitives
from ringdoku.domain.board import Board
from ringdoku.domain.constraint import Constraint

FOUR = Board.square(4)


@pytest.mark.parametrize(
    "text",
    ["parity-line: r1c1 r1c2 r1c2", "slow-thermometer: r1c1 r1c1 r1c2", "every-pair 1,1 1,2 2,1: r1c2 r1c1 r1c1"],
)
def test_lines_that_pass_a_cell_twice_mean_what_they_say(text: str) -> None:
    board = Board(1, 2, 1, 4)
    puzzle = Puzzle(Ruleset(board, (read_constraint(text, board),)), Grid.blank(board))
    every = (Grid(digits, board) for digits in product(board.digits, repeat=2))
    assert set(solutions(puzzle, "cadical195")) == {grid for grid in every if not check(puzzle, grid)}


def test_rules_without_houses_narrow_candidates() -> None:
    puzzle = Puzzle(Ruleset(FOUR, (read_constraint("sum 8: r1c1 r1c2", FOUR),)), Grid.blank(FOUR))
    candidates = propagate(puzzle)
    assert candidates is not None
    assert candidates.sum(axis=1).tolist() == [1, 1, *[4] * 14]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("equality-cage: r1c1 r1c1", "a cage has each cell once"),
        ("same-digits: r1c1 r1c1 | r2c1 r2c2", "a group of cells that hold the same digits has each cell once"),
        ("counting-circles: r1c1 r1c1", "a cell has one circle at most"),
        ("weighted-sum 0 1001 -1001: r1c1 r1c2", "a factor is between -1000 and 1000, not 1001"),
        ("arrow: r1c1-r1c4 | r2c1", "the number in an arrow's circle has one to three cells, not 4"),
        ("rellik 999999999: r1c1 r1c2", "digits of 2 cells have a sum of at most 8, not 999999999"),
        ("sum-line 13: r1c1-r1c3", "digits of 3 cells have a sum of at most 12, not 13"),
        ("product 7: r1c1 r1c2", "2 digits from 1 to 4 have no such product"),
        ("either: { " * 21 + "odd: r1c1" + " }" * 21, "cases are nested more than 20 deep"),
    ],
)
def test_rules_that_make_no_sense_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        read_constraint(text, FOUR)


@pytest.mark.parametrize("rule", [Killer(8, ()), Successive(frozenset(), (0, 1)), EqualSums(((0, 1), ()))])
def test_rules_in_python_lack_nothing_either(rule: Constraint) -> None:
    with pytest.raises(UsageError, match=r"(cells|pairs) are missing"):
        Ruleset(FOUR, (rule,))


@pytest.mark.parametrize("text", ["extra-region: r1c1 r2c2 r1c1", "thermometer: r1c1 r1c2 r1c1", "rellik 5: r1c1 r1c1"])
def test_a_house_has_each_cell_once(text: str) -> None:
    with pytest.raises(UsageError, match="has r1c1 twice"):
        Ruleset(FOUR, (read_constraint(text, FOUR),))


def test_what_is_too_large_to_be_stated_is_refused_in_seconds() -> None:
    nine, large = Board.square(9), Board.square(25)
    with pytest.raises(UsageError, match="a sum of 300 is too large for a loop of 36 cells"):
        read_constraint(f"sum-loop 300: {' '.join(nine.cell_name(cell) for cell in range(36))}", nine)
    circles = read_constraint(f"counting-circles: {' '.join(large.cell_name(cell) for cell in range(200))}", large)
    assert len(list(circles.primitives(large))) == 25
    with pytest.raises(UsageError, match="anti-taxicab is for boards of up to 25x25"):
        read_constraint("anti-taxicab", Board.square(36))
    cage = read_constraint(f"equality-cage: {' '.join(large.cell_name(cell) for cell in range(200))}", large)
    assert len(list(cage.primitives(large))) == 2


def test_a_diagram_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(primitives, "MOST_EDGES", 1000)
    rule = read_constraint("count-distinct: r9c9 | r1c1-r1c9", Board.square(9))
    with pytest.raises(UsageError, match="the different digits of r9c9 is too large: a diagram of its 10 cells"):
        list(rule.primitives(Board.square(9)))
