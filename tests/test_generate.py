"""Puzzles from a seed: legal, reproducible, as many clues as asked for."""

from __future__ import annotations

from random import Random

import pytest

from ringdoku import Grid, Puzzle, UsageError, check, count_solutions
from ringdoku.domain.ruleset import classic
from ringdoku.services.generate import pattern_solution, random_solution, traded
from ringdoku.services.generator import puzzles_of


@pytest.mark.parametrize("box", [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (7, 7)])
def test_solutions_break_no_rule(box: tuple[int, int]) -> None:
    ruleset = classic(box[0] * box[1], box)
    solution = random_solution(ruleset, Random(1))
    assert check(Puzzle(ruleset, Grid.blank(ruleset.board)), solution) == []


@pytest.mark.parametrize("box", [(1, 3), (2, 3), (3, 3), (7, 7)])
def test_traded_digits_break_no_rule(box: tuple[int, int]) -> None:
    ruleset = classic(box[0] * box[1], box)
    pattern = pattern_solution(ruleset)
    other = traded(ruleset, pattern, Random(1))
    assert check(Puzzle(ruleset, Grid.blank(ruleset.board)), other) == []
    changed = sum(one != two for one, two in zip(pattern.rows, other.rows, strict=True))
    assert changed == (2 * box[1] if box[0] > 1 else 0)


def test_equal_seeds_give_equal_puzzles_and_others_do_not() -> None:
    recipe = "5:clues=17..30"
    puzzles = list(puzzles_of(recipe, 7))
    assert puzzles == list(puzzles_of(recipe, 7))
    assert puzzles[:3] == list(puzzles_of("3:clues=17..30", 7))
    assert len({*puzzles, *puzzles_of(recipe, 8)}) == 10


def test_clues_are_as_many_as_the_recipe_says() -> None:
    counts = [puzzle.clues.filled_count for puzzle in puzzles_of("30:clues=10..12,order=6,box=2x3")]
    assert set(counts) == {10, 11, 12}


def test_a_minimal_puzzle_has_one_solution_and_needs_every_clue() -> None:
    (puzzle,) = puzzles_of("1:clues=minimal,order=4", 3)
    assert count_solutions(puzzle) == 1
    for cell, clue in enumerate(puzzle.clues.digits):
        if clue:
            fewer = (*puzzle.clues.digits[:cell], 0, *puzzle.clues.digits[cell + 1 :])
            assert count_solutions(Puzzle(puzzle.ruleset, Grid(fewer)), at_most=2) == 2


@pytest.mark.parametrize(
    "text",
    ["", "x", "0", "-1", "3:clues=5..2", "3:clues=1..82", "3:clue=3", "3:clues=1,clues=2", "3:order=6", "２"],
)
def test_a_recipe_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        puzzles_of(text)
