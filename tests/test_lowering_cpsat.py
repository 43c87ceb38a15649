"""The CP-SAT model: one variable a cell, one AllDifferent a unit, the score as it is."""

from __future__ import annotations

from puzzles import P1074, objectives, puzzle

from ringdoku import Puzzle
from ringdoku.lowering.cpsat import lower_to_cpsat


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


def test_it_decodes_what_was_found() -> None:
    from ortools.sat.python.cp_model import OPTIMAL, CpSolver

    for objective in objectives(Puzzle.blank(4).ruleset, seed=1):
        lowered = lower_to_cpsat(Puzzle.blank(4), objective)
        solver = CpSolver()
        assert solver.solve(lowered.model) == OPTIMAL
        assert objective.score(lowered.decode(solver.value)) == solver.objective_value


def test_without_an_objective_there_is_none() -> None:
    assert not lower_to_cpsat(Puzzle.blank(4)).model.has_objective()
