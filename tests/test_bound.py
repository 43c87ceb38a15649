"""Bounds and their proofs: true of every solution, proved from the clues alone, and refused when something is wrong."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from puzzles import NO_SOLUTION, P1074, RELAXED, mixed_puzzles, objectives, puzzle, random_puzzle

import ringdoku
from ringdoku import Bound, Grid, Objective, Puzzle, Sense, Status, check_bound, classic, ring_weights

SAMPLE, BEST = next(iter(P1074.items()))
RINGS = ring_weights(puzzle(SAMPLE).board)


def proved(each: Puzzle, objective: Objective) -> Bound:
    found = ringdoku.bound(each, objective)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def sample_bound() -> Bound:
    return proved(puzzle(SAMPLE), RINGS)


def test_no_best_score_is_beyond_its_bound_and_many_reach_it() -> None:
    reached = []
    for each in mixed_puzzles(least_clues=24):
        for objective in objectives(each.ruleset, each):
            best = ringdoku.maximise(each, objective)
            bound = ringdoku.bound(each, objective)
            if best.score is None:
                assert best.status is Status.INFEASIBLE
            else:
                assert bound is not None
                assert not objective.sense.better(best.score, bound.value)
                assert check_bound(each, objective, bound) == []
                reached.append(best.score == bound.value)
    assert sum(reached) > len(reached) / 2 > 20


def test_the_bounds_of_known_puzzles_in_no_time_and_where_there_is_no_solution() -> None:
    assert [proved(puzzle(line), RINGS).value for line in P1074] == [2829, 2854]
    assert proved(Puzzle.blank(9), RINGS).value == 2906
    assert proved(Puzzle.blank(1), Objective((-8,))).value == -8
    assert (bound := ringdoku.bound(Puzzle.blank(9), time_limit=0.001)) is not None
    assert bound.value >= 2906  # which some grid has
    each = puzzle(RELAXED)
    assert ringdoku.solve(each).status is Status.INFEASIBLE
    assert check_bound(each, RINGS, proved(each, RINGS)) == []


@pytest.mark.parametrize("sense", Sense)
def test_the_proof_is_what_it_says_by_fractions(sense: Sense) -> None:
    each = random_puzzle(classic(12, (3, 4)), 60, seed=1)
    objective = Objective(tuple(cell * cell % 23 - 9 for cell in range(144)), sense)
    bound = proved(each, objective)
    alpha = [Fraction(price, bound.denominator) for price in bound.cell_prices]
    beta = {name: [Fraction(price, bound.denominator) for price in row] for name, row in bound.unit_prices.items()}
    total = sum(alpha) + sum(map(sum, beta.values()))
    assert 0 <= sense.sign * (total - bound.value) < 1
    for cell, clue in enumerate(each.clues.digits):
        row, column = divmod(cell, 12)
        names = f"row {row + 1}", f"column {column + 1}", f"box {row // 3 * 3 + column // 4 + 1}"
        for digit in [clue] if clue else range(1, 13):
            reduced_cost = alpha[cell] + sum(beta[name][digit - 1] for name in names)
            assert sense.sign * (reduced_cost - objective.weights[cell] * digit) >= 0


def test_what_singles_decide_is_proved_and_lowest_scores_are_bounded_from_below() -> None:
    each = random_puzzle(classic(9), 40, seed=2)
    (solution,) = ringdoku.solutions(each)
    for objective in (RINGS, replace(RINGS, sense=Sense.MINIMISE)):
        assert proved(each, objective).value == objective.score(solution)
    lowest = proved(puzzle(SAMPLE), replace(RINGS, sense=Sense.MINIMISE))
    turned = proved(puzzle(SAMPLE), Objective(tuple(-weight for weight in RINGS.weights)))
    assert lowest.value == -turned.value
    assert lowest.value <= (ringdoku.minimise(puzzle(SAMPLE)).score or 0)


@pytest.mark.parametrize("line", ["11" + "0" * 14, "1230000400000000", NO_SOLUTION])
def test_no_solution_is_no_bound(line: str) -> None:
    assert ringdoku.bound(puzzle(line)) is None


@pytest.mark.parametrize("weight", [0, 10**9, -(10**9)])
def test_extreme_weights(weight: int) -> None:
    each = puzzle(SAMPLE)
    assert proved(each, Objective((weight,) * 81)).value == weight * 405


CORRUPTIONS: dict[str, tuple[Callable[[Bound], dict[str, Any]], str]] = {
    "a bound too low": (lambda bound: {"value": bound.value - 1}, "which proves 2829, not 2828"),
    "a cell price too low": (lambda bound: {"cell_prices": first_cell(bound, -1)}, "in r1c1 has the reduced cost -1/"),
    "a unit price too low": (
        lambda bound: {"unit_prices": {**bound.unit_prices, "box 5": [p - 1 for p in bound.unit_prices["box 5"]]}},
        "has the reduced cost -1/",
    ),
    "a price too high": (lambda bound: {"cell_prices": first_cell(bound, 10**12)}, "not 2829"),
    "the denominator 0": (lambda _: {"denominator": 0}, "over a denominator of at least 1"),
    "a negative denominator": (lambda bound: {"denominator": -bound.denominator}, "over a denominator of at least 1"),
    "a larger denominator": (lambda bound: {"denominator": 2 * bound.denominator}, "the reduced cost -"),
    "a cell without a price": (lambda bound: {"cell_prices": bound.cell_prices[1:]}, "the prices are not those of"),
    "a unit without prices": (
        lambda bound: {"unit_prices": {k: v for k, v in bound.unit_prices.items() if k != "row 9"}},
        "the prices are not those of",
    ),
    "a unit that does not exist": (
        lambda bound: {"unit_prices": {**bound.unit_prices, "row 10": (0,) * 9}},
        "the prices are not those of",
    ),
    "a digit without a price": (
        lambda bound: {"unit_prices": {**bound.unit_prices, "row 1": bound.unit_prices["row 1"][1:]}},
        "the prices are not those of",
    ),
    "a number with a point": (
        lambda bound: {"cell_prices": first_cell(bound, float("nan"))},
        "over a denominator of at least 1",
    ),
}


def first_cell(bound: Bound, more: float) -> tuple[float, ...]:
    """The prices of cells with a change of the first."""
    return (bound.cell_prices[0] + more, *bound.cell_prices[1:])


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_corrupted_proofs_are_refused(kind: str, sample_bound: Bound) -> None:
    assert check_bound(puzzle(SAMPLE), RINGS, sample_bound) == []
    changes, complaint = CORRUPTIONS[kind]
    corrupt = replace(sample_bound, **changes(sample_bound))
    assert any(complaint in fault for fault in check_bound(puzzle(SAMPLE), RINGS, corrupt))


def test_a_proof_is_for_one_puzzle_and_one_objective(sample_bound: Bound) -> None:
    assert check_bound(puzzle(list(P1074)[1]), RINGS, sample_bound)
    assert check_bound(puzzle(SAMPLE), Objective((10,) * 81), sample_bound)
    assert check_bound(puzzle(SAMPLE), replace(RINGS, sense=Sense.MINIMISE), sample_bound)
    assert check_bound(Puzzle.blank(9), RINGS, sample_bound)
    with pytest.raises(ringdoku.DimensionError):
        check_bound(Puzzle.blank(9), ring_weights(classic(4).board), sample_bound)
    weaker = replace(sample_bound, value=sample_bound.value + 1)
    assert check_bound(puzzle(SAMPLE), RINGS, weaker) == []


def test_the_command_prints_the_bound_alone_and_what_minus_one_means(ringdoku_here: Run, tmp_path: Path) -> None:
    done = ringdoku_here("maximise", "--bound-only", input=f"{SAMPLE}\n{NO_SOLUTION}\n{'.' * 81}\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{BEST}\n-1\n2906\n", "")
    weights = tmp_path / "weights.txt"
    weights.write_text("-1\n")
    done = ringdoku_here("maximise", "--bound-only", "--box", "1x1", "--weights", weights, input="1\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "-1\n", "")
    weights.write_text("-1 0 0 0\n" * 4)
    done = ringdoku_here("maximise", "--bound-only", "--weights", weights, input=f"11{'.' * 14}\n")
    assert (done.returncode, done.stdout) == (0, "-1\n")
    assert "no solution; -1 stands for that" in done.stderr


@pytest.mark.parametrize("box", [(1, 9), (9, 1), (1, 5), (3, 3)])
def test_the_bound_is_tight_where_rows_or_columns_are_boxes_too(box: tuple[int, int]) -> None:
    each = Puzzle.blank(box[0] * box[1], box)
    assert (bound := ringdoku.bound(each)) is not None
    assert bound.value == ringdoku.maximise(each).score


@pytest.mark.parametrize("sense", Sense)
@pytest.mark.parametrize("rules", [(), ("thermometer: r4c3 r4c4", "killer 5: r4c4 r4c3")])
def test_what_cells_cost_is_what_the_bound_loses_without_them(sense: Sense, rules: tuple[str, ...]) -> None:
    board = classic(4).board
    objective = Objective(tuple(cell * cell % 7 + 1 for cell in range(16)), sense)
    grid = Grid((1, 2, 3, 4, 3, 4, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0), board)
    each = Puzzle(classic(4), grid).with_rules(*rules)
    found = ringdoku.why_best(each, objective)
    assert found
    assert found.result.score
    bound, lost = found.bound, Fraction(0)
    for cell, (clue, cost) in enumerate(zip(grid.digits, found.costs(), strict=True)):
        assert cost >= 0
        if not clue:
            lost += cost
            continue
        fewer = Puzzle(each.ruleset, Grid((*grid.digits[:cell], 0, *grid.digits[cell + 1 :]), board))
        worse = replace(bound, value=bound.value + sense.sign * ceil(cost))
        for less in (0, 1) if cost else (0,):
            prices = list(bound.cell_prices)
            prices[cell] += sense.sign * (int(cost * bound.denominator) - less)
            assert (check_bound(fewer, objective, replace(worse, cell_prices=tuple(prices))) == []) is (less == 0)
    assert lost <= abs(bound.value - found.result.score) + 1
    beyond = {Sense.MAXIMISE: "above", Sense.MINIMISE: "below"}[sense]
    *told, last = [line for line in found.lines() if line.startswith("  ")]
    assert last.endswith(f": no score is {beyond} {bound.value}")
    parts = [line.partition(" adds ")[2] for line in told] + ["-" + last.split("together ")[1].split(":")[0]]
    assert sum((-1 if part[0] == "-" else 1) * sum(map(Fraction, part.strip("-").split())) for part in parts) == 0


@pytest.mark.parametrize("text", ["odd: r5c5 r4c4 r6c6 r4c5 r5c4", "allowed 1 2: r5c5", "even: r1c1-r1c4"])
def test_digits_that_rules_exclude_are_a_part_of_the_proof(text: str) -> None:
    each = Puzzle.blank(9).with_rules(text)
    assert (proved := ringdoku.bound(each)) is not None
    assert check_bound(each, RINGS, proved) == []
    assert proved.value <= 2906
    assert any(name.startswith("allowed digits of") for name in proved.row_prices)


@pytest.mark.parametrize(
    "rules",
    [
        ("full-rank 2: r1c1-r1c4",),
        ("diagonal", "diagonal-down"),
        ("extra-region: r1c1 r1c3 r3c2 r4c4", "extra-region: r1c1 r2c3 r3c4 r4c2"),
        ("weighted-sum 0 1 -1: r1c1 r1c1",),
    ],
)
def test_rules_that_have_a_house_twice_or_an_empty_sum_are_bounded(rules: tuple[str, ...]) -> None:
    ruleset = Puzzle.blank(4).with_rules(*rules).ruleset
    for clues in ({}, {0: 1}, {0: 2, 6: 3}, {1: 4, 7: 1}):
        each = Puzzle(ruleset, Grid(tuple(clues.get(cell, 0) for cell in range(16))))
        best, bound = ringdoku.maximise(each), ringdoku.bound(each)
        assert best.score is None or (bound is not None and bound.value >= best.score)
