"""What the objective becomes: a projection, weighted clauses, a linear sum. Costs and scores must be the same thing."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from puzzles import GEOMETRIES, P1074, objectives, puzzle, random_puzzle, random_solution

from ringdoku import Grid, Objective, Puzzle, Ruleset, Sense, Session, ring_weights
from ringdoku.domain.ruleset import classic
from ringdoku.duality.projection import projected
from ringdoku.lowering.cnf import PuzzleWcnf, lower_to_wcnf
from ringdoku.lowering.cpsat import lower_to_cpsat
from ringdoku.sat.options import PRESOLVED, TEXTBOOK, EncodingOptions


@pytest.mark.parametrize("ruleset", [*GEOMETRIES, classic(16), classic(1)], ids=str)
def test_a_projection_differs_from_the_objective_by_multiples_of_unit_sums(ruleset: Ruleset) -> None:
    """Not on samples: coefficient by coefficient, so that it is true of every solution."""
    puzzle = Puzzle(ruleset, Grid.blank(ruleset.order))
    for objective in objectives(ruleset, seed=7):
        projection = projected(puzzle, objective)
        difference = [0] * ruleset.board.cell_count
        for unit, multiplier in zip(ruleset.units, projection.multipliers, strict=True):
            for cell in unit.cells:
                difference[cell] += multiplier
        inner = [projection.step * coefficient for coefficient in projection.coefficients]
        assert [weight - less for weight, less in zip(objective.weights, difference, strict=True)] == inner
        assert projection.constant == sum(projection.multipliers) * sum(range(1, ruleset.order + 1))
        assert sum(map(abs, inner)) <= sum(map(abs, objective.weights))


def test_the_ring_weights_become_17_cells() -> None:
    blank = Puzzle.blank(9)
    projection = projected(blank, ring_weights(blank.board))
    used = [abs(coefficient) for coefficient in projection.coefficients if coefficient]
    assert (len(used), sum(used), projection.constant, projection.step) == (17, 21, 2745, 1)


@pytest.mark.parametrize(
    "options", [TEXTBOOK, PRESOLVED, EncodingOptions(digits="order")], ids=["textbook", "presolve", "order"]
)
@pytest.mark.parametrize("sense", Sense)
def test_what_an_assignment_costs_is_what_its_score_lacks(options: EncodingOptions, sense: Sense) -> None:
    random = Random(3)
    for ruleset in GEOMETRIES:
        weights = [random.randint(-9, 9) for _ in range(ruleset.board.cell_count)]
        each = random_puzzle(ruleset, ruleset.board.cell_count // 3, seed=3)
        lowered = lower_to_wcnf(each, weights, sense, options)
        for solution in islice(Session("search").solutions(each), 20):
            assert lowered.score(cost_of(lowered, solution)) == Objective(tuple(weights)).score(solution)


def cost_of(lowered: PuzzleWcnf, solution: Grid) -> int:
    """The weights of the soft clauses that a solution violates."""
    literals = lowered.puzzle_cnf.digits.literals
    true = {int(literals[cell, digit - 1]) for cell, digit in enumerate(solution.digits)}
    return sum(weight for clause, weight in lowered.wcnf.soft_clauses() if true.isdisjoint(clause))


def test_a_cell_with_weight_has_a_soft_clause_for_each_worse_digit() -> None:
    lowered = lower_to_wcnf(Puzzle.blank(4), [3, *[0] * 14, -2], Sense.MAXIMISE)
    assert sorted(lowered.wcnf.soft_clauses()) == [
        ([4], 3),
        ([4, 3], 3),
        ([4, 3, 2], 3),
        ([61], 2),
        ([61, 62], 2),
        ([61, 62, 63], 2),
    ]
    assert lowered.best == 3 * 4 - 2 * 1


def test_a_solution_given_whole_costs_nothing() -> None:
    ruleset = classic(9)
    solution = random_solution(ruleset, seed=2)
    weights = ring_weights(ruleset.board)
    lowered = lower_to_wcnf(Puzzle(ruleset, solution), weights.weights, weights.sense, PRESOLVED)
    assert (len(lowered.wcnf.weights), lowered.score(0)) == (0, weights.score(solution))


def test_the_model_is_the_textbooks() -> None:
    sample = puzzle(next(iter(P1074)))
    objective = next(objectives(sample.ruleset, seed=1))
    model = lower_to_cpsat(sample, objective).model.proto
    assert len(model.variables) == 81
    assert [list(variable.domain) for variable in model.variables] == [
        [clue or 1, clue or 9] for clue in sample.clues.digits
    ]
    assert [variable.name for variable in model.variables][:2] == ["r1c1", "r1c2"]
    assert all(constraint.has_all_diff() for constraint in model.constraints)
    assert len(model.constraints) == 27
    assert sorted(map(abs, model.objective.coeffs)) == sorted(map(abs, objective.weights))
