"""Answers that contradict each other are found, and answers that agree are not reported."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from comparing import OPEN, measurement, plan, solution

from ringdoku.compare.contenders import Task
from ringdoku.compare.crosscheck import disagreements
from ringdoku.compare.measurement import Measurement, Outcome
from ringdoku.compare.plan import grid_of
from ringdoku.compare.summary import Results
from ringdoku.domain.objective import ring_weights
from ringdoku.solvers.base import Progress

SCORE = ring_weights(OPEN.board).score(grid_of(solution(OPEN)))
OTHER = solution(OPEN).translate(str.maketrans("1234", "2143"))
"""Another solution of the open puzzle."""


def problems(task: Task, *measurements: Measurement) -> list[str]:
    return disagreements(Results(plan("a", "b", task=task), {}, measurements))


def none(name: str, instance: str = "easy") -> Measurement:
    return measurement(instance, name, outcome=Outcome.INFEASIBLE, grid=None)


def best(name: str, bound: int, score: int = SCORE) -> Measurement:
    outcome = Outcome.OPTIMAL if bound == score else Outcome.FEASIBLE
    return measurement("open", name, outcome=outcome, score=score, bound=bound)


def only(name: str, grid: str) -> Measurement:
    return measurement("open", name, grid=grid, solutions=1)


def two(name: str) -> Measurement:
    return measurement("open", name, second_grid=OTHER, solutions=2)


BOUND_LOST = Measurement("open", "maximise", "b", "", 0, Outcome.TIMEOUT, trajectory=(Progress(0.1, None, SCORE - 1),))


@pytest.mark.parametrize(
    ("task", "measurements"),
    [
        (Task.SOLVE, [measurement("open", "a"), measurement("open", "b", grid=OTHER)]),
        (Task.SOLVE, [none("a"), none("b")]),
        (Task.SOLVE, [measurement(backend="a"), none("b", "open")]),
        (Task.SOLVE, [measurement(backend="a"), measurement(backend="b", outcome=Outcome.CRASHED, grid=None)]),
        (Task.SOLVE, [none("a"), measurement(backend="b", outcome=Outcome.UNKNOWN, grid=None)]),
        (Task.MAXIMISE, [best("a", SCORE), best("b", SCORE + 5)]),
        (Task.UNIQUE, [two("a"), two("b")]),
        (Task.UNIQUE, [only("a", solution(OPEN)), only("b", solution(OPEN))]),
    ],
)
def test_answers_that_agree(task: Task, measurements: list[Measurement]) -> None:
    assert problems(task, *measurements) == []


@pytest.mark.parametrize(
    ("task", "measurements", "expected"),
    [
        (Task.SOLVE, [measurement(backend="a"), none("b")], "b says that there is no solution, a found one"),
        (Task.MAXIMISE, [best("a", SCORE), none("b", "open")], "b says that there is no solution, a found one"),
        (
            Task.MAXIMISE,
            [best("a", SCORE), BOUND_LOST],
            f"b says that no score is better than {SCORE - 1}, a found {SCORE}",
        ),
        (Task.UNIQUE, [two("a"), only("b", OTHER)], "b says that there is one solution, a found another"),
        (
            Task.UNIQUE,
            [only("a", solution(OPEN)), only("b", OTHER)],
            "a says that there is one solution, b found another",
        ),
    ],
)
@pytest.mark.parametrize("turn", [list, lambda items: list(reversed(items))])
def test_answers_that_contradict_each_other(
    task: Task, measurements: list[Measurement], expected: str, turn: Callable[[list[Measurement]], list[Measurement]]
) -> None:
    assert any(expected in problem for problem in problems(task, *turn(measurements)))


@pytest.mark.parametrize(
    ("task", "wrong"),
    [
        (Task.SOLVE, measurement(backend="a", grid=OTHER)),
        (Task.SOLVE, measurement(backend="a", grid=None)),
        (Task.SOLVE, measurement(backend="a", grid="." * 16)),
        (Task.SOLVE, measurement(backend="a", grid="nonsense")),
        (Task.SOLVE, measurement(backend="a", outcome=Outcome.WRONG, grid=None, stderr="refused")),
        (Task.MAXIMISE, best("a", SCORE + 1, SCORE + 1)),
        (Task.MAXIMISE, best("a", SCORE - 1)),
        (Task.UNIQUE, measurement("open", "a", second_grid=solution(OPEN), solutions=2)),
        (Task.UNIQUE, measurement("open", "a", second_grid="1" * 16, solutions=2)),
    ],
)
def test_one_answer_that_is_wrong_by_itself(task: Task, wrong: Measurement) -> None:
    assert len(problems(task, wrong)) == 1
