"""The optimiser at its edges: hardly any time, odd boards, odd weights; true answers, and no claim beyond them."""

import random

import pytest
from puzzles import ONE_SOLUTION, puzzle, random_puzzle, random_solution

from ringdoku import Grid, Objective, Puzzle, Sense, Session, Status, classic, ring_weights, solutions
from ringdoku.solvers.registry import Progress

BOARDS = tuple(classic(h * w, (h, w)) for h, w in ((1, 1), (2, 2), (1, 5), (5, 1), (2, 3), (3, 3)))

WEIGHTS = {
    "all equal": lambda _: 7,
    "all zero": lambda _: 0,
    "all huge": lambda _: 10**9,
    "huge of both signs": lambda cell: (-1) ** (cell * cell // 3) * 10**9,
    "negative": lambda cell: -1 - cell * 37 % 50,
    "one cell": lambda cell: int(cell == 0),
}


@pytest.fixture(scope="module")
def session() -> Session:
    return Session("lp-sat")


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("sense", Sense)
def test_any_weights_on_full_contradictory_and_other_boards(session: Session, kind: str, sense: Sense) -> None:
    search = Session("search")
    for ruleset in BOARDS:
        n = ruleset.board.cell_count
        objective = Objective(tuple(map(WEIGHTS[kind], range(n))), sense)
        full = random_solution(ruleset, kind)
        result = session.maximise(Puzzle(ruleset, full), objective)
        assert (result.status, result.grid) == (Status.OPTIMAL, full)
        if n > 1:
            contradictory = Puzzle(ruleset, Grid((1, 1) + (0,) * (n - 2)))
            assert session.maximise(contradictory, objective).status is Status.INFEASIBLE
        between = random_puzzle(ruleset, n * 2 // 5, kind)
        assert session.maximise(between, objective).score == search.maximise(between, objective).score


@pytest.mark.parametrize("weight", [0, 7, -7, 10**9])
def test_equal_weights_on_blank_boards(session: Session, weight: int) -> None:
    for order in (1, 4, 9, 16):
        result = session.maximise(Puzzle.blank(order), Objective((weight,) * order**2))
        assert (result.status, result.score) == (Status.OPTIMAL, weight * order * order * (order + 1) // 2)


@pytest.mark.parametrize("limit", [0.0001, 0.05])
def test_hardly_any_time_gives_what_is_known(session: Session, limit: float) -> None:
    for order in (4, 9, 16):
        ruleset = classic(order)
        for clues in (0, ruleset.board.cell_count // 4, ruleset.board.cell_count // 2):
            each = random_puzzle(ruleset, clues, seed=clues)
            weights = tuple(random.Random(f"{clues}").choices(range(-99, 100), k=ruleset.board.cell_count))
            for objective in (ring_weights(ruleset.board), Objective(weights, Sense.MINIMISE)):
                witness = objective.score(random_solution(ruleset, seed=clues) if not clues else next(solutions(each)))
                result = session.maximise(each, objective, limit)
                assert result.status in (Status.OPTIMAL, Status.FEASIBLE, Status.UNKNOWN)
                assert result.bound is not None
                assert not objective.sense.better(witness, result.bound)


def test_weights_that_are_far_apart_soon_get_a_score_near_the_bound(session: Session) -> None:
    weights = Objective(tuple(random.Random(16).choices(range(1000), k=256)))

    def hear(progress: Progress) -> None:
        if progress.score is not None and progress.bound is not None and 100 * progress.score > 99 * progress.bound:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        session.maximise(Puzzle.blank(16), weights, 30, hear)


def test_one_solution_whatever_it_is_worth_and_at_the_limit_a_bound_that_is_not_reached(session: Session) -> None:
    each = puzzle(ONE_SOLUTION)
    lowest, highest = (session.maximise(each, ring_weights(each.board, sense)) for sense in Sense)
    assert lowest.grid == highest.grid == next(solutions(each))
    hard = random_puzzle(classic(25), 200, seed=1)
    heard: list[Progress] = []
    result = session.maximise(hard, ring_weights(hard.board), 0.8, heard.append)
    assert result.status is not Status.OPTIMAL
    assert result.bound is not None
    assert result.bound == heard[-1].bound
    assert result.score == heard[-1].score
    assert result.score is None or result.score < result.bound
