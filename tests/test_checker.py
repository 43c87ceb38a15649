"""The checker against wrong answers: each is found, and named."""

from dataclasses import replace

import pytest

from ringdoku import DisagreementError, Grid, Objective, Puzzle, Result, Sense, Status, check, ring_weights
from ringdoku.domain.checker import check_result, repeats

SIX = Puzzle.of_rows([[1, 0, 0, 0, 0, 0], *[[0] * 6] * 5], box=(2, 3))
RIGHT = Grid("123456 456123 234561 561234 345612 612345")  # type: ignore[arg-type]  # a text too
EXCHANGED = Grid.of_rows([RIGHT.rows[row] for row in (0, 2, 1, 3, 4, 5)])
WEIGHTS = ring_weights(SIX.board)
SCORE = WEIGHTS.score(RIGHT)
TRUE_ANSWER = Result(Status.OPTIMAL, RIGHT, SCORE, SCORE, backend="liar")
FEASIBLE = replace(TRUE_ANSWER, status=Status.FEASIBLE)


def changed(grid: Grid, **cells: int) -> Grid:
    """With other digits in cells that are named as people do: r1c1=2."""
    digits = list(grid.digits)
    for name, digit in cells.items():
        digits[(int(name[1]) - 1) * grid.order + int(name[3]) - 1] = digit
    return Grid(tuple(digits))


@pytest.mark.parametrize(
    ("grid", "score", "faults"),
    [
        (changed(RIGHT, r6c6=0), None, ["r6c6 is blank"]),
        (changed(RIGHT, r1c1=0), None, ["r1c1 is blank"]),
        (
            changed(RIGHT, r1c1=2, r1c2=1),
            None,
            ["r1c1 is 2, but the clue is 1", "column 1 has 2 in r1c1, r3c1", "column 2 has 1 in r1c2, r6c2"],
        ),
        (
            changed(RIGHT, r2c1=5, r2c3=5),
            None,
            [
                "row 2 has 5 in r2c1, r2c2, r2c3",
                *("column 1 has 5 in r2c1, r4c1", "column 3 has 5 in r2c3, r5c3", "box 1 has 5 in r2c1, r2c2, r2c3"),
            ],
        ),
        # two rows of different boxes: only boxes are wrong
        (EXCHANGED, None, [f"box {number}" for number in (1, 1, 2, 2, 3, 3, 4, 4)]),
        (Grid.blank(4), None, ["the grid is 4x4, the puzzle 6x6"]),
        (RIGHT, SCORE + 1, [f"the score is {SCORE}, not {SCORE + 1}"]),
    ],
)
def test_each_fault_is_named(grid: Grid, score: int | None, faults: list[str]) -> None:
    found = list(map(str, check(SIX, grid, claimed_score=score)))
    assert (found if grid is not EXCHANGED else [fault[:5] for fault in found]) == faults


def test_clues_alone_can_be_checked_and_digits_have_names() -> None:
    assert list(repeats(SIX, SIX.clues)) == []
    (found,) = repeats(SIX, changed(SIX.clues, r2c2=1))
    assert found.sentence("?ABC".__getitem__) == "box 1 has A in r1c1, r2c2"


@pytest.mark.parametrize(
    ("answer", "objective"),
    [
        (TRUE_ANSWER, WEIGHTS),
        (replace(FEASIBLE, bound=SCORE + 1), WEIGHTS),
        (replace(FEASIBLE, bound=None), WEIGHTS),
        (replace(FEASIBLE, bound=SCORE - 1), replace(WEIGHTS, sense=Sense.MINIMISE)),
        (Result(Status.UNKNOWN, bound=SCORE), WEIGHTS),
        (Result(Status.SATISFIABLE, RIGHT), None),
        (Result(Status.UNKNOWN), None),
        (Result(Status.INFEASIBLE), None),
    ],
)
def test_an_answer_that_holds_together_passes(answer: Result, objective: Objective | None) -> None:
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
        (replace(FEASIBLE, bound=SCORE - 1), f"the score {SCORE} is beyond the bound {SCORE - 1}"),
        (replace(TRUE_ANSWER, grid=changed(RIGHT, r1c1=3)), "r1c1 is 3, but the clue is 1"),
    ],
)
def test_a_lying_backend_is_found_out(lie: Result, told: str) -> None:
    with pytest.raises(DisagreementError, match=f"backend liar gave a wrong answer: .*{told}"):
        check_result(SIX, lie, WEIGHTS)
    # when minimising a bound lies below
    with pytest.raises(DisagreementError, match="beyond the bound"):
        check_result(SIX, replace(FEASIBLE, bound=SCORE + 1), replace(WEIGHTS, sense=Sense.MINIMISE))
