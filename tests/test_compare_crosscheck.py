"""Answers that contradict each other are found, and answers that agree are not reported."""

from __future__ import annotations

import pytest
from comparing import OPEN, measurement, plan, solution

from ringdoku.compare.crosscheck import disagreements
from ringdoku.compare.measurement import Measurement, Outcome
from ringdoku.compare.plan import Task, grid_of
from ringdoku.compare.summary import Results
from ringdoku.domain.objective import ring_weights

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


@pytest.mark.parametrize(
    ("task", "measurements", "expected"),
    [
        # answers that agree
        (Task.SOLVE, [measurement("open", "a"), measurement("open", "b", grid=OTHER)], ""),
        (Task.SOLVE, [none("a"), none("b")], ""),
        (Task.SOLVE, [measurement(backend="a"), none("b", "open")], ""),
        (Task.SOLVE, [measurement(backend="a"), measurement(backend="b", outcome=Outcome.CRASHED, grid=None)], ""),
        (Task.SOLVE, [none("a"), measurement(backend="b", outcome=Outcome.UNKNOWN, grid=None)], ""),
        (Task.MAXIMISE, [best("a", SCORE), best("b", SCORE + 5)], ""),
        (Task.UNIQUE, [two("a"), two("b")], ""),
        (Task.UNIQUE, [only("a", solution(OPEN)), only("b", solution(OPEN))], ""),
        # that contradict each other
        (Task.SOLVE, [measurement(backend="a"), none("b")], "b says that there is no solution, a found one"),
        (Task.MAXIMISE, [best("a", SCORE), none("b", "open")], "b says that there is no solution, a found one"),
        (
            Task.MAXIMISE,
            [best("a", SCORE), measurement("open", "b", outcome=Outcome.UNKNOWN, grid=None, bound=SCORE - 1)],
            f"b says that no score is better than {SCORE - 1}, a found {SCORE}",
        ),
        (Task.UNIQUE, [two("a"), only("b", OTHER)], "b says that there is one solution, a found another"),
        (
            Task.UNIQUE,
            [only("a", solution(OPEN)), only("b", OTHER)],
            "a says that there is one solution, b found another",
        ),
        # that are wrong by themselves
        (Task.SOLVE, [measurement(backend="a", grid=OTHER)], "easy: a: "),
        (Task.SOLVE, [measurement(backend="a", grid=None)], "easy: a: "),
        (Task.SOLVE, [measurement(backend="a", grid="." * 16)], "easy: a: "),
        (Task.SOLVE, [measurement(backend="a", grid="nonsense")], "easy: a: "),
        (Task.SOLVE, [measurement(backend="a", outcome=Outcome.WRONG, grid=None, stderr="refused")], "a: refused"),
        (Task.MAXIMISE, [best("a", SCORE + 1, SCORE + 1)], "open: a: "),
        (Task.MAXIMISE, [best("a", SCORE - 1)], "open: a: "),
        (Task.UNIQUE, [measurement("open", "a", second_grid=solution(OPEN), solutions=2)], "a: the same solution"),
        (Task.UNIQUE, [measurement("open", "a", second_grid="1" * 16, solutions=2)], "open: a: "),
    ],
)
@pytest.mark.parametrize("turn", [1, -1])
def test_answers_are_checked_by_themselves_and_against_each_other(
    task: Task, measurements: list[Measurement], expected: str, turn: int
) -> None:
    found = problems(task, *measurements[::turn])
    assert any(expected in problem for problem in found) if expected else found == []
