"""Prices prove true bounds whatever numbers they were made from, and reachable scores are those that occur."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from puzzles import GEOMETRIES, random_puzzle

from ringdoku import Grid, Objective, Puzzle, Session
from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain import classic, gains_of
from ringdoku.duality.prices import Floats, Incidence, Ints, Prices, exact_prices, incidence
from ringdoku.duality.projection import projected
from ringdoku.duality.relaxation import relax

Case = tuple[Puzzle, Objective, list[Grid]]
NOISE = [0.0, 1e-9, 1e-3, 1.0, 1e6, 1e19, float("nan"), float("inf")]
"""From none to rounding, tolerances, nonsense, numbers beyond 64 bits and what is no number."""


def cases() -> Iterator[Case]:
    """Puzzles with all their solutions, at most a few hundred."""
    for ruleset in (*GEOMETRIES, classic(5, (1, 5))):
        random = Random(f"{ruleset}")
        clues = {4: 4, 5: 8, 6: 12, 9: 30}[ruleset.order]
        for number, largest in enumerate((1, 9, 10**9)):
            each = random_puzzle(ruleset, clues, f"prices {number}")
            weights = tuple(random.randint(-largest, largest) for _ in range(ruleset.board.cell_count))
            yield each, Objective(weights), list(Session("search").solutions(each))


@pytest.fixture(scope="module")
def all_cases() -> list[Case]:
    return list(cases())


def assert_proof(units: Incidence, candidates: Candidates, weights: Ints, prices: Prices) -> None:
    """All of it once more from the definition, in Python's integers."""
    assert prices.denominator >= 1
    assert prices.bound == sum(prices.cell_prices.tolist()) + sum(map(sum, prices.unit_prices.tolist()))
    # a cell in fewer units than others has the number of units there
    unit_prices = [*prices.unit_prices.tolist(), [0] * units.ruleset.order]
    for cell, digit in np.argwhere(candidates).tolist():
        reduced_cost = int(prices.cell_prices[cell]) - prices.denominator * int(weights[cell, digit])
        reduced_cost += sum(unit_prices[unit][digit] for unit in units.units_of[cell].tolist())
        assert reduced_cost == prices.reduced_costs[cell, digit] >= 0


@pytest.mark.parametrize("size", NOISE)
def test_noise_in_prices_makes_no_wrong_bound(size: float, all_cases: list[Case]) -> None:
    random = np.random.default_rng(5)
    for each, objective, grids in all_cases:
        candidates = propagate(each)
        assert candidates is not None
        units, weights = incidence(each.ruleset), np.array(gains_of(objective.weights, each.board), dtype=np.int64)
        prices = relax(units, candidates, weights).prices
        unit_prices: Floats = prices.unit_prices / prices.denominator
        with np.errstate(invalid="ignore"):
            perturbed = unit_prices + size * random.standard_normal(unit_prices.shape)
        found = exact_prices(units, candidates, weights, perturbed, np.zeros(0))
        assert_proof(units, candidates, weights, found)
        scores = list(map(objective.score, grids))
        assert found.best_score >= max(scores)
        for grid, score in zip(grids[:50], scores, strict=False):
            digits = np.array(grid.digits)
            # exactly what the prices say the solution is short of the bound
            costs = found.reduced_costs[np.arange(len(digits)), digits - 1].tolist()
            assert sum(costs) == found.slack(score)
            assert found.survivors(candidates, score)[np.arange(len(digits)), digits - 1].all()


@pytest.mark.parametrize("kind", ["chess board", "multiples of 6", "anything", "rows and columns"])
def test_every_score_is_reachable(kind: str, all_cases: list[Case]) -> None:
    steps = set()
    for each, _, grids in all_cases:
        n, random = each.order, Random(kind)
        drawn = [random.randint(-99, 99) for _ in range(n * n)]
        by_kind = {
            "chess board": [(-1) ** (cell // n + cell % n) for cell in range(n * n)],
            "multiples of 6": [6 * weight + 5 for weight in drawn],
            "anything": drawn,
            "rows and columns": [drawn[cell // n] + drawn[n + cell % n] for cell in range(n * n)],
        }
        objective = Objective(tuple(by_kind[kind]))
        reachable = projected(each, objective)
        steps.add(reachable.step)
        for score in set(map(objective.score, grids)):
            assert reachable.at_most(score) == score
            assert reachable.at_most(score + reachable.step - 1) == score
    expected = {"chess board": 4, "multiples of 6": 6, "anything": 1, "rows and columns": 1}
    assert expected[kind] in steps
