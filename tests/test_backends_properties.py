"""What does not change when a puzzle is looked at in another way."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from puzzles import GEOMETRIES, random_puzzle

from ringdoku import Grid, Objective, Puzzle, Session, ring_weights
from ringdoku.domain.ruleset import classic

SESSION = Session("cadical195")
OPTIMISER = Session("rc2")


@st.composite
def puzzles(draw: st.DrawFn, least_clues: int = 0) -> Puzzle:
    """Generated ones, some with a wrong clue and so mostly infeasible."""
    ruleset = draw(st.sampled_from(GEOMETRIES))
    clues = draw(st.integers(least_clues, ruleset.board.cell_count // 2))
    return random_puzzle(ruleset, clues, draw(st.integers(0, 999)), wrong=draw(st.integers(0, min(1, clues))))


def moved(puzzle: Puzzle, order: list[int], box: tuple[int, int] | None = None) -> Puzzle:
    """The puzzle whose cell k is cell `order[k]` of the old one."""
    ruleset = classic(puzzle.order, box or puzzle.ruleset.box)
    return Puzzle(ruleset, Grid(tuple(puzzle.clues.digits[cell] for cell in order)))


def transposed(puzzle: Puzzle) -> Puzzle:
    n = puzzle.order
    height, width = puzzle.ruleset.require_classic("this")
    box = (width, height)
    return moved(puzzle, [column * n + row for row in range(n) for column in range(n)], box)


def turned(puzzle: Puzzle) -> Puzzle:
    """By a quarter, so that boxes are as high as they were wide."""
    n = puzzle.order
    height, width = puzzle.ruleset.require_classic("this")
    box = (width, height)
    return moved(puzzle, [(n - 1 - column) * n + row for row in range(n) for column in range(n)], box)


@given(puzzles(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_names_of_digits_do_not_matter(puzzle: Puzzle, random: Random) -> None:
    names = [0, *random.sample(range(1, puzzle.order + 1), puzzle.order)]
    renamed = Puzzle(puzzle.ruleset, Grid(tuple(names[digit] for digit in puzzle.clues.digits)))
    assert SESSION.solve(renamed).status is SESSION.solve(puzzle).status


@given(puzzles())
@settings(deadline=None, max_examples=60)
def test_rows_may_become_columns(puzzle: Puzzle) -> None:
    assert SESSION.solve(transposed(puzzle)).status is SESSION.solve(puzzle).status
    assert transposed(transposed(puzzle)) == puzzle


@given(puzzles(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_bands_may_change_places(puzzle: Puzzle, random: Random) -> None:
    n, (height, _) = puzzle.order, puzzle.ruleset.require_classic("this")
    tops = random.sample(range(0, n, height), n // height)
    order = [row * n + column for top in tops for row in range(top, top + height) for column in range(n)]
    assert SESSION.solve(moved(puzzle, order)).status is SESSION.solve(puzzle).status


@given(puzzles(least_clues=8))
@settings(deadline=None, max_examples=40)
def test_turning_keeps_the_best_ring_score(puzzle: Puzzle) -> None:
    if puzzle.clues.filled_count < 28 and puzzle.order == 9:
        puzzle = Puzzle.blank(4)
    weights = ring_weights(puzzle.board)
    again = turned(puzzle)
    assert OPTIMISER.maximise(again, ring_weights(again.board)).score == OPTIMISER.maximise(puzzle, weights).score


@given(puzzles(least_clues=8), st.integers(-5, 5), st.data())
@settings(deadline=None, max_examples=40)
def test_a_number_added_to_the_weights_of_a_unit_adds_a_constant(
    puzzle: Puzzle, number: int, data: st.DataObject
) -> None:
    n = puzzle.order
    unit = data.draw(st.sampled_from(puzzle.ruleset.units))
    weights = ring_weights(puzzle.board).weights
    shifted = tuple(weight + number * (cell in unit.cells) for cell, weight in enumerate(weights))
    score = OPTIMISER.maximise(puzzle, Objective(weights)).score
    shifted_score = OPTIMISER.maximise(puzzle, Objective(shifted)).score
    assert shifted_score == (None if score is None else score + number * n * (n + 1) // 2)
