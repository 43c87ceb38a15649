"""Puzzles from a seed, generated from Python: what was asked for, proved by another way."""

import sys
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ringdoku import Board, Grid, Puzzle, check, classic, count_solutions, parse, solutions
from ringdoku.domain.checker import repeats
from ringdoku.explanations.explanation import LEVELS
from ringdoku.explanations.path import Outcome
from ringdoku.services.explaining import explain, rate
from ringdoku.services.generator import make, random_solution
from ringdoku.services.needs import made_unique, minimal_puzzles, needs, neighbours
from ringdoku.services.placing import PLACED, Placing, random_regions
from ringdoku.services.spec import SYMMETRIES, Generated, Solutions, Spec, orbits

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

generated = pytest.importorskip("generated", reason="benchmarks/ is not beside the tests")

SIX = classic(6, (2, 3))
NINE = classic(9)


def made(wish: Spec, count: int = 1, seed: int = 1) -> Iterator[tuple[Puzzle, Generated]]:
    for each in islice(make(wish, seed), count):
        assert each.puzzle is not None
        if each.solution is not None:
            assert check(each.puzzle, each.solution) == []
        yield each.puzzle, each


def solutions_of(puzzle: Puzzle) -> int:
    """Up to 2, found without any SAT solver."""
    return count_solutions(puzzle, at_most=2, backend="search")


@pytest.mark.parametrize("box", [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4)])
def test_random_solutions_break_no_rule(box: tuple[int, int]) -> None:
    ruleset = classic(box[0] * box[1], box)
    assert check(Puzzle(ruleset, Grid.blank(ruleset.board)), random_solution(ruleset, Random(1))) == []


@pytest.mark.parametrize("kind", generated.KINDS)
def test_puzzles_have_the_wished_number_of_solutions_by_two_ways(kind: str) -> None:
    """A few of each kind that `benchmarks/generated.py` makes by the hundred."""
    assert generated.verified(generated.KINDS[kind], 2, 3)[0] == 2


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_clues_are_minimal_in_groups_of_the_symmetry(symmetry: str) -> None:
    for puzzle, _ in made(Spec(NINE, minimal=True, symmetry=symmetry), 2):
        clues = puzzle.clues.digits
        assert solutions_of(puzzle) == 1
        for group in orbits(puzzle.board, symmetry):
            assert len({clues[cell] == 0 for cell in group}) == 1
            if clues[group[0]]:
                fewer = Grid(tuple(0 if cell in group else clue for cell, clue in enumerate(clues)))
                assert solutions_of(Puzzle(puzzle.ruleset, fewer)) == 2


@pytest.mark.parametrize(("wished", "count"), [("1", 1), ("2+", 2), ("0", 0)])
@pytest.mark.parametrize("span", [None, (8, 12), (20, 20)])
def test_as_many_clues_and_solutions_as_wished(wished: str, count: int, span: tuple[int, int] | None) -> None:
    for puzzle, _ in made(Spec(SIX, span, solutions=Solutions(wished)), 4):
        assert solutions_of(puzzle) == count
        assert next(repeats(puzzle, puzzle.clues), None) is None
        if span:
            assert span[0] <= puzzle.clues.filled_count <= span[1]


def test_what_was_nearest_is_said_and_does_not_depend_on_the_tries() -> None:
    missing = [next(make(Spec(NINE, (18, 19), tries=tries), 2)).remark for tries in (1, 2, 6)]
    assert [text.split(" the ")[1] for text in missing] == [f"nearest had {clues} clues" for clues in (25, 23, 23)]


@pytest.mark.parametrize("kind", PLACED)
def test_a_constraint_is_laid_over_a_solution_until_it_is_unique_and_thickly(kind: str) -> None:
    for puzzle, each in made(Spec(SIX, kinds=(kind,)), 1):
        assert each.solution is not None
        assert {rule.text for rule in puzzle.ruleset.constraints[len(SIX.constraints) :]} <= {kind}
        assert count_solutions(puzzle, at_most=2, backend="cpsat-alldifferent") == 1
    solution = random_solution(NINE, Random(1))
    laid = list(PLACED[kind](Placing(solution, Random(1), 1.0)))
    assert laid
    assert check(Puzzle(NINE.extended(*laid), Grid.blank(9)), solution) == []


def test_regions_are_mixed_and_constraints_can_do_without_clues() -> None:
    regions = random_regions(Board.square(7), Random(2)).regions
    assert sorted(cell for region in regions for cell in region) == list(range(49))
    assert {len(region) for region in regions} == {7}
    nine = random_regions(Board.square(9), Random(0)).regions
    assert not [region for region in nine if region[0] // 9 == region[-1] // 9]
    ((puzzle, _),) = made(Spec(classic(6, (1, 6)), kinds=("regions",)))
    assert solutions_of(puzzle) == 1
    ((puzzle, _),) = made(Spec(SIX, (0, 0), kinds=("killer",)))
    assert (puzzle.clues.filled_count, solutions_of(puzzle)) == (0, 1)
    ((puzzle, _),) = made(Spec(SIX, minimal=True, kinds=("killer", "thermometer")))
    rules = puzzle.ruleset
    for index in range(2, len(rules.constraints)):
        fewer = type(rules)(rules.board, (*rules.constraints[:index], *rules.constraints[index + 1 :]))
        assert solutions_of(Puzzle(fewer, puzzle.clues)) == 2


@pytest.mark.parametrize(
    ("levels", "settings"),
    [
        (("singles", "singles"), {}),
        (("1", "1"), {"symmetry": "half-turn"}),
        (("2", "3"), {"clues": (26, 28)}),
        (("1", "1"), {"clues": (24, 26)}),
        (("singles", "1"), {"minimal": True}),
        (("singles", "singles"), {"kinds": ("killer",)}),
    ],
)
def test_a_level_is_that_of_the_rating(levels: tuple[str, str], settings: dict[str, Any]) -> None:
    for puzzle, _ in made(Spec(NINE, levels=levels, **settings), 1):
        assert LEVELS.index(levels[0]) <= LEVELS.index(rate(puzzle).level) <= LEVELS.index(levels[1])
        assert solutions_of(puzzle) == 1
        clues = {cell for cell, clue in enumerate(puzzle.clues.digits) if clue}
        least, most = settings.get("clues", (0, 81))
        assert least <= len(clues) <= most
        fewer = [Puzzle(puzzle.ruleset, puzzle.clues.only(clues - {cell})) for cell in clues]
        if not settings:
            # harder, or with more solutions
            assert {explain(each, truths=0, cases=False).outcome for each in fewer} == {Outcome.STUCK}
        if settings.get("minimal"):
            assert {solutions_of(each) for each in fewer} == {2}


def test_all_puzzles_of_a_small_solution_are_listed_and_fewest_are_fewest_by_trying_all() -> None:
    blank, solution = Puzzle.blank(4), parse("1234341221434321").clues
    others = [grid.digits for grid in solutions(blank) if grid != solution]
    apart = [{cell for cell in range(16) if grid[cell] != solution.digits[cell]} for grid in others]

    def unique(count: int, inside: frozenset[int] = frozenset(range(16))) -> set[frozenset[int]]:
        chosen = (frozenset(cells) for cells in combinations(sorted(inside), count))
        return {cells for cells in chosen if not any(map(cells.isdisjoint, apart))}

    def cells(made: Iterator[Generated]) -> list[frozenset[int]]:
        found = [each.puzzle.clues.digits for each in made if each.puzzle]
        return [frozenset(cell for cell, clue in enumerate(digits) if clue) for digits in found]

    listed = cells(minimal_puzzles(blank, solution))
    assert len(listed) == len(set(listed)) == 284
    assert set(listed) == {each for size in range(8) for each in unique(size) if not unique(size - 1, each)}
    clues_of = [set(enumerate(grid.digits)) for grid in solutions(blank)]
    for each, (removed, added) in zip(listed, ((1, 1), (2, 1), (1, 0), (1, 2)), strict=False):
        puzzle = Puzzle(blank.ruleset, solution.only(each))
        given = {(cell, solution.digits[cell]) for cell in each}
        beside = [made.puzzle.clues for made in neighbours(puzzle, removed, added) if made.puzzle]
        expected = {
            frozenset(new)
            for kept in combinations(given, len(given) - removed)
            for clues in clues_of
            for others in combinations(sorted(clues - given), added)
            if clues.issuperset(new := {*kept, *others}) and sum(map(new.issubset, clues_of)) == 1
        }
        assert len(beside) == len(expected)
        assert {frozenset((cell, grid.digits[cell]) for cell in grid.filled) for grid in beside} == expected
    *_, found = needs(Puzzle(blank.ruleset, solution))
    repaired = made_unique(blank).puzzle or blank
    assert solutions_of(found.enough) == solutions_of(repaired) == 1
    assert (found.enough.clues.filled_count, found.smallest, repaired.clues.filled_count) == (4, True, 4)
