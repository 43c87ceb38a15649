"""Houses with fewer cells than there are digits: every backend, encoding and lowering keeps them."""

from functools import lru_cache
from random import Random

import numpy as np
import pytest
from modelling import all_grids
from puzzles import completions

import ringdoku
from ringdoku import Grid, Objective, Puzzle, Ruleset, Sense, Session, Status, check
from ringdoku.constraints.regions import ExtraRegion
from ringdoku.deduction.propagation import propagate
from ringdoku.domain import Board, Boxes, Lines, UsageError
from ringdoku.duality.prices import exact_prices, incidence
from ringdoku.lowering.cnf import lower_to_cnf
from ringdoku.sat.at_most_one import AT_MOST_ONE
from ringdoku.sat.digits import DIGITS
from ringdoku.sat.options import ClauseSet, EncodingOptions
from ringdoku.solvers.registry import BACKENDS, Ability

RULESETS = {
    "an extra region": (
        Ruleset(Board(6, 6), (Lines(), Boxes(2, 3), ExtraRegion((0, 9, 14, 23)))),
        "..........3...5.....2.54.3..6.....12",
    ),
    "part of a diagonal": (Ruleset(Board(4, 4), (Lines(), ExtraRegion((0, 5, 10)))), "....3..........4"),
    "short columns": (Ruleset(Board(3, 4), (Lines(),)), ".3...2..1..."),
    "digits to spare": (Ruleset(Board(3, 3, 1, 5), (Lines(),)), ".51345..4"),
}
KINDS = (*(("direct", name) for name in AT_MOST_ONE), *((name, "pairwise") for name in DIGITS if name != "direct"))
Case = tuple[Puzzle, set[Grid], set[Grid]]


@lru_cache
def case(name: str) -> Case:
    """A puzzle, its solutions, and the grids that its smaller houses alone refuse."""
    ruleset, line = RULESETS[name]
    board = ruleset.board
    puzzle = Puzzle(ruleset, Grid(tuple(int(digit) if digit != "." else board.blank for digit in line), board))
    units = Ruleset(board, tuple(ExtraRegion(unit.cells) for unit in ruleset.units))
    grids = set(completions(Puzzle(units, puzzle.clues)))
    kept = {grid for grid in grids if not check(puzzle, grid)}
    assert 8 <= len(kept) < len(grids)
    return puzzle, kept, grids - kept


@pytest.fixture(params=RULESETS)
def small(request: pytest.FixtureRequest) -> Case:
    return case(request.param)


def test_the_checker_names_the_house_that_is_broken(small: Case) -> None:
    puzzle, kept, refused = small
    short = {house.name for house in puzzle.ruleset.houses if len(house.cells) < puzzle.order}
    assert kept == set(completions(puzzle))
    for grid in refused:
        for violation in check(puzzle, grid):
            assert str(violation).partition(" has ")[0] in short


@pytest.mark.parametrize(("digits", "at_most_one"), KINDS)
@pytest.mark.parametrize("clause_set", ClauseSet)
def test_every_encoding_keeps_them(clause_set: ClauseSet, digits: str, at_most_one: str, small: Case) -> None:
    puzzle, kept, _ = small
    if clause_set is ClauseSet.MINIMAL and not all(puzzle.ruleset.units_of):
        # it would leave several digits to a cell that no unit has
        with pytest.raises(UsageError):
            lower_to_cnf(puzzle, EncodingOptions(clause_set, digits, at_most_one))
        return
    for presolve in (False, True):
        lowered = lower_to_cnf(puzzle, EncodingOptions(clause_set, digits, at_most_one, presolve=presolve))
        found = list(all_grids(lowered))
        assert len(found) == len(kept)
        assert set(found) == kept


def test_any_prices_of_their_rows_prove_a_bound(small: Case) -> None:
    puzzle, kept, _ = small
    units, candidates, random = incidence(puzzle.ruleset), propagate(puzzle), np.random.default_rng(1)
    assert candidates is not None
    weights = random.integers(-9, 10, candidates.shape)
    unit_prices = random.normal(0, 9, (len(units.units), puzzle.order))
    prices = exact_prices(units, candidates, weights, unit_prices, random.normal(5, 9, len(units.rows)))
    cells = np.arange(puzzle.board.cell_count)
    assert prices.row_prices.any()
    for grid in kept:
        digits = np.array(grid.digits)
        unused = [
            price * (row.total - sum(factor for cell, digit, factor in row.terms if grid.digits[cell] == digit))
            for row, price in zip(units.rows, prices.row_prices.tolist(), strict=True)
        ]
        costs = prices.reduced_costs[cells, digits - puzzle.board.least].tolist()
        assert min(costs + unused) >= 0
        assert sum(costs) + sum(unused) == prices.slack(int(weights[cells, digits - puzzle.board.least].sum()))


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_keeps_them(backend: str, small: Case) -> None:
    puzzle, kept, refused = small
    abilities = BACKENDS[backend].abilities
    session = Session(backend)
    if Ability.ENUMERATE in abilities:
        assert set(session.solutions(puzzle)) == kept
    if Ability.SATISFY in abilities:
        assert session.solve(puzzle).grid in kept
        assert session.solve(Puzzle(puzzle.ruleset, min(refused, key=lambda grid: grid.digits))).grid is None
    if Ability.OPTIMISE in abilities:
        random = Random("small houses")
        for sense in Sense:
            weights = tuple(random.randint(-9, 9) for _ in range(puzzle.board.grid_count))
            objective = Objective(weights, sense)
            scores = sorted(map(objective.score, kept))
            best = scores[-1 if sense is Sense.MAXIMISE else 0]
            result = session.maximise(puzzle, objective)
            assert (result.status, result.score) == (Status.OPTIMAL, best)
            bound = ringdoku.bound(puzzle, objective)
            assert bound is not None
            assert not sense.better(best, bound.value)
