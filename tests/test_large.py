"""Large grids, and boards that are hard because they are blank."""

from random import Random

import numpy as np
import pytest
from puzzles import keep_clues, traded

from ringdoku import DimensionError, Grid, Puzzle, Session, Status, classic, maximise, solutions, solve
from ringdoku.deduction.propagation import propagate
from ringdoku.domain import pattern_solution
from ringdoku.lowering.cnf import encode_candidates, lower_to_cnf
from ringdoku.sat.formula import FormulaBuilder
from ringdoku.sat.options import EncodingOptions
from ringdoku.services.generator import random_solution
from ringdoku.solvers.registry import CPSAT_WORD


def generated(order: int, per_cent: int, box: tuple[int, int] | None = None) -> Puzzle:
    ruleset, random = classic(order, box), Random("0 0")
    solution = traded(ruleset, pattern_solution(ruleset), random) if order > 36 else random_solution(ruleset, random)
    return keep_clues(ruleset, solution, ruleset.board.cell_count * per_cent // 100, random)


@pytest.mark.parametrize(("order", "per_cent"), [(25, 0), (36, 30), (49, 60), (100, 72), (144, 75), (225, 78)])
def test_generated_puzzles_are_solved(order: int, per_cent: int) -> None:
    result = solve(generated(order, per_cent))
    assert result.status is Status.SATISFIABLE


def test_the_largest_grid_and_boxes_that_are_not_square() -> None:
    result = solve(generated(400, 85))
    assert result.status is Status.SATISFIABLE
    assert result.grid is not None
    assert result.grid.order == 400
    puzzle = generated(18, 60, (3, 6))
    found = list(solutions(puzzle))
    assert len(found) == len(set(found))
    assert set(found) == set(solutions(puzzle, backend="search"))


def test_the_best_score_of_a_blank_board_under_chess_moves_is_proved_by_placements() -> None:
    puzzle = Puzzle.blank(9).with_rules("anti-knight", "anti-king")
    result = maximise(puzzle, time_limit=60)
    # candidates leave it open: 2874 was found, and 2889 the bound, after a minute
    assert (result.status, result.score, result.ground) == (Status.OPTIMAL, 2874, CPSAT_WORD)


def test_contradictions_among_the_clues_and_those_that_singles_do_not_see() -> None:
    puzzle = generated(100, 60)
    rows = [list(row) for row in puzzle.clues.rows]
    row = next(row for row in rows if 0 in row and any(row))
    row[row.index(0)] = next(digit for digit in row if digit)
    assert solve(Puzzle(puzzle.ruleset, Grid.of_rows(rows))).status is Status.INFEASIBLE
    # the last five cells of row 1 need 21 to 25, but three of them are in columns that have 21, 22 and 23 below
    rows = [[*range(1, 21), 0, 0, 0, 0, 0], *([0] * 25 for _ in range(24))]
    for column in range(3):
        for band in range(3):
            rows[5 * band + 5 + column][20 + column] = 21 + (band + column) % 3
    puzzle = Puzzle.of_rows(rows)
    assert propagate(puzzle) is not None
    assert solve(puzzle).status is Status.INFEASIBLE


def test_the_encoding_and_the_solver_follow_what_is_open_and_what_memory_holds() -> None:
    for puzzle, at_most_one in ((generated(25, 40), "pairwise"), (Puzzle.blank(25), "bimander")):
        stated = lower_to_cnf(puzzle, EncodingOptions(at_most_one=at_most_one, presolve=True))
        assert np.array_equal(lower_to_cnf(puzzle, None).cnf.literals, stated.cnf.literals)
    session = Session()
    assert session.solve(generated(25, 0)).backend != session.solve(generated(25, 40)).backend
    with pytest.raises(DimensionError, match="choose another at-most-one encoding"):
        lower_to_cnf(Puzzle.blank(196))
    order = 700
    puzzle, builder = Puzzle.blank(order, (28, 25)), FormulaBuilder()
    candidates = np.ones((order**2, order), dtype=bool)
    with pytest.raises(DimensionError, match="clauses"):
        encode_candidates(puzzle, candidates, EncodingOptions(), builder)
    assert builder.num_vars == 0
