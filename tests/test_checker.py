"""The checker against wrong answers: each is found, and named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from puzzles import GEOMETRIES, ONE_SOLUTION, puzzle, random_puzzle, random_solution

from ringdoku import (
    BlankCell,
    Board,
    ChangedClue,
    DisagreementError,
    Grid,
    Objective,
    Puzzle,
    RepeatedDigit,
    Result,
    Ruleset,
    Sense,
    Status,
    Violation,
    WrongOrder,
    WrongScore,
    check,
    ring_weights,
)
from ringdoku.domain.checker import check_result, repeats
from ringdoku.domain.ruleset import classic

SIX = Puzzle.of_rows([[1, 0, 0, 0, 0, 0], *[[0] * 6] * 5], box=(2, 3))
RIGHT = Grid("123456 456123 234561 561234 345612 612345")  # type: ignore[arg-type]  # a text too


def changed(grid: Grid, **cells: int) -> Grid:
    """With other digits in cells that are named as people do: r1c1=2."""
    digits = list(grid.digits)
    for name, digit in cells.items():
        digits[(int(name[1]) - 1) * grid.order + int(name[3]) - 1] = digit
    return Grid(tuple(digits))


@pytest.mark.parametrize("ruleset", GEOMETRIES, ids=str)
def test_nothing_is_wrong_with_a_solution(ruleset: Ruleset) -> None:
    solution = random_solution(ruleset, seed=1)
    weights = ring_weights(ruleset.board)
    assert check(Puzzle(ruleset, solution), solution, weights, weights.score(solution)) == []
    assert check(random_puzzle(ruleset, 5, seed=1), random_solution(ruleset, seed=1)) == []


@pytest.mark.parametrize(
    ("grid", "found"),
    [
        (changed(RIGHT, r6c6=0), [BlankCell("r6c6")]),
        (
            changed(RIGHT, r1c1=2, r1c2=1),
            [
                ChangedClue("r1c1", 1, 2),
                RepeatedDigit("column 1", 2, ("r1c1", "r3c1")),
                RepeatedDigit("column 2", 1, ("r1c2", "r6c2")),
            ],
        ),
        (
            changed(RIGHT, r2c1=5),
            [
                RepeatedDigit("row 2", 5, ("r2c1", "r2c2")),
                RepeatedDigit("column 1", 5, ("r2c1", "r4c1")),
                RepeatedDigit("box 1", 5, ("r2c1", "r2c2")),
            ],
        ),
        (Grid.blank(4), [WrongOrder(Board.square(4), Board.square(6))]),
    ],
    ids=["blank", "clue", "repeated", "order"],
)
def test_each_fault_is_named(grid: Grid, found: list[Violation]) -> None:
    assert check(SIX, grid) == found


def test_boxes_are_looked_at_and_a_digit_that_stands_three_times_is_told_once() -> None:
    # two rows of different boxes exchanged: only boxes are wrong
    exchanged = check(SIX, Grid.of_rows([RIGHT.rows[row] for row in (0, 2, 1, 3, 4, 5)]))
    assert exchanged[0] == RepeatedDigit("box 1", 2, ("r1c2", "r2c1"))
    assert [str(fault)[:5] for fault in exchanged] == [f"box {number}" for number in (1, 1, 2, 2, 3, 3, 4, 4)]
    ones = changed(RIGHT, r1c2=1, r1c3=1)
    assert RepeatedDigit("row 1", 1, ("r1c1", "r1c2", "r1c3")) in check(SIX, ones)


def test_faults_read_as_sentences() -> None:
    assert [str(fault) for fault in check(SIX, changed(RIGHT, r1c1=0))] == [
        "r1c1 is blank",
        "r1c1 is 0, but the clue is 1",
    ]
    assert str(RepeatedDigit("row 1", 1, ("r1c1", "r1c2"))) == "row 1 has 1 in r1c1, r1c2"
    score = ring_weights(SIX.board).score(RIGHT)
    (wrong,) = check(SIX, RIGHT, claimed_score=score + 1)
    assert (wrong, str(wrong)) == (WrongScore(score + 1, score), f"the score is {score}, not {score + 1}")
    assert str(WrongOrder(Board.square(4), Board.square(6))) == "the grid is 4x4, the puzzle 6x6"


def test_clues_alone_can_be_checked() -> None:
    assert list(repeats(SIX, SIX.clues)) == []
    assert list(repeats(SIX, changed(SIX.clues, r2c2=1))) == [RepeatedDigit("box 1", 1, ("r1c1", "r2c2"))]


WEIGHTS = ring_weights(SIX.board)
SCORE = WEIGHTS.score(RIGHT)
TRUE_ANSWER = Result(Status.OPTIMAL, RIGHT, SCORE, SCORE, backend="liar")


@pytest.mark.parametrize(
    "answer",
    [
        TRUE_ANSWER,
        replace(TRUE_ANSWER, status=Status.FEASIBLE, bound=SCORE + 1),
        replace(TRUE_ANSWER, status=Status.FEASIBLE, bound=None),
        Result(Status.UNKNOWN, bound=SCORE),
        Result(Status.SATISFIABLE, RIGHT),
        Result(Status.INFEASIBLE),
    ],
)
def test_an_answer_that_holds_together_passes(answer: Result) -> None:
    objective = None if answer.score is None and answer.bound is None else WEIGHTS
    assert check_result(SIX, answer, objective) is answer


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        (replace(TRUE_ANSWER, grid=None), "status optimal without a grid"),
        (replace(TRUE_ANSWER, status=Status.INFEASIBLE), "status infeasible with a grid"),
        (replace(TRUE_ANSWER, status=Status.UNKNOWN), "status unknown with a grid"),
        (replace(TRUE_ANSWER, grid=changed(RIGHT, r6c6=0)), "r6c6 is blank"),
        (replace(TRUE_ANSWER, grid=changed(RIGHT, r6c6=6)), "row 6 has 6 in r6c1, r6c6"),
        (replace(TRUE_ANSWER, score=SCORE + 1, bound=SCORE + 1), f"the score is {SCORE}, not {SCORE + 1}"),
        (replace(TRUE_ANSWER, score=None), "no score"),
        (Result(Status.INFEASIBLE, score=3, backend="liar"), "a score of 3 without a grid or an objective"),
        (replace(TRUE_ANSWER, bound=SCORE + 1), f"optimal, but the bound is {SCORE + 1}"),
        (replace(TRUE_ANSWER, bound=None), "optimal, but the bound is None"),
        (
            replace(TRUE_ANSWER, status=Status.FEASIBLE, bound=SCORE - 1),
            f"the score {SCORE} is beyond the bound {SCORE - 1}",
        ),
    ],
)
def test_a_lying_backend_is_found_out(lie: Result, told: str) -> None:
    with pytest.raises(DisagreementError, match=f"backend liar gave a wrong answer: .*{told}"):
        check_result(SIX, lie, WEIGHTS)


def test_when_minimising_a_bound_lies_below() -> None:
    lowest = Objective(WEIGHTS.weights, Sense.MINIMISE)
    feasible = replace(TRUE_ANSWER, status=Status.FEASIBLE, bound=SCORE - 1)
    assert check_result(SIX, feasible, lowest) is feasible
    with pytest.raises(DisagreementError, match="beyond the bound"):
        check_result(SIX, replace(feasible, bound=SCORE + 1), lowest)


def test_a_solution_of_another_puzzle_is_found_out() -> None:
    other = random_solution(classic(9), seed=5)
    with pytest.raises(DisagreementError, match="but the clue is"):
        check_result(puzzle(ONE_SOLUTION), Result(Status.SATISFIABLE, other))
