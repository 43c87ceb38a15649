"""The figures of a comparison, worked out by hand; answers that contradict each other are found, others are not."""

from dataclasses import replace
from typing import Any

import pytest
from comparing import EASY, OPEN, measurement, plan, solution

from ringdoku.compare.plan import Instance, Measurement, Outcome, Task, grid_of
from ringdoku.compare.run import disagreements
from ringdoku.compare.summary import EFFORT, Measure, Results, Summary, legend, table
from ringdoku.domain.objective import ring_weights

TEN = [
    replace(measurement(seconds=seconds), instance=f"p{number}")
    for number, seconds in enumerate([0.0, 0.0, 0.0, 0.0, 1.234e-5, 1.3e-5, 0.001, 0.01, 0.01234, 5.0])
]
TIMEOUT = measurement("open", outcome=Outcome.TIMEOUT, seconds=None)
PHASES = [
    measurement("easy", "search", 3.0, build_seconds=2.5, load_seconds=0.25, solve_seconds=0.25, cpu_seconds=3.0),
    measurement("easy", "minisat22", 2.0, build_seconds=1.0, solve_seconds=1.0, cpu_seconds=4.0),
]
CRASHED = measurement(repeat=2, outcome=Outcome.CRASHED, seconds=None)


def summary(*measurements: Measurement, **changes: object) -> Summary:
    return Summary(Results(plan(**changes), {}, measurements))


def cells(found: Summary, *how: Any) -> list[dict[str, str]]:
    """The table, each row by its heads."""
    heads, rows = table(found, *how)
    return [dict(zip(heads, row, strict=True)) for row in rows]


@pytest.mark.parametrize(
    ("measurements", "changes", "expected"),
    [
        # the time is the median of the repeats
        (
            [measurement(repeat=repeat, seconds=seconds) for repeat, seconds in enumerate([3.0, 1.0, 2.0])],
            {"repeats": 3},
            {"PAR-2 s": "2.00", "spread": "100%"},
        ),
        # what is not solved counts twice the limit, and is slower than all
        (
            [measurement("easy", seconds=4.0), TIMEOUT],
            {},
            {"solved": "1/2", "PAR-2 s": "12.00", "failures": "1 timeout", "median s": "4.00", "worst s": "> 10"},
        ),
        # an answer after the limit is none
        ([measurement(seconds=10.5)], {}, {"solved": "0/1", "PAR-2 s": "20.00"}),
        # most repeats solve it; half do not
        ([measurement(repeat=0), measurement(repeat=1), CRASHED], {"repeats": 3}, {"solved": "1/1", "PAR-2 s": "1.00"}),
        ([measurement(repeat=1), CRASHED], {"repeats": 3}, {"solved": "0/1", "PAR-2 s": "20.00"}),
        ([measurement(), measurement(repeat=1), measurement(repeat=2, outcome=Outcome.WRONG)], {}, {"solved": "0/1"}),
        # percentiles are of the nearest rank, with three digits that count
        (
            TEN,
            {"instances": tuple(Instance(f"p{number}", EASY) for number in range(10))},
            {"solved": "10/10", "median s": "0.000012", "p90 s": "0.0123", "worst s": "5.00", "PAR-2 s": "0.502"},
        ),
        # nobody wins what nobody solves
        ([measurement(outcome=Outcome.UNKNOWN)], {}, {"wins": "0"}),
        # warm runs have a throughput
        ([measurement("easy", seconds=0.5), measurement("open", seconds=0.25)], {"warm": True}, {"puzzles/s": "3"}),
    ],
)
def test_the_figures(measurements: list[Measurement], changes: dict[str, object], expected: dict[str, str]) -> None:
    row = cells(summary(*measurements, **changes))[0]
    assert expected.items() <= row.items()


def test_the_measure_decides_who_is_first_and_counts_are_medians_of_answered_runs() -> None:
    first = {each: Summary(Results(plan(), {}, tuple(PHASES)), each).rows[0] for each in Measure}
    assert {measure.value: (row["contender"], row["PAR-2 s"]) for measure, row in first.items()} == {
        "total": ("minisat22", 2.0),
        "solve": ("search", 0.25),
        "cpu": ("search", 3.0),
    }
    effort = {"contender": "minisat22", "build s": "1.00", "load s": "in solve", "solve s": "1.00", "cpu s": "4.00"}
    assert cells(summary(*PHASES), EFFORT, False)[0] == effort | {"memory MiB": "20"}
    runs = [measurement(repeat=number, conflicts=count) for number, count in enumerate((10, 20, 60))]
    lost = measurement("open", outcome=Outcome.UNKNOWN, conflicts=9999)
    found = summary(*runs, lost, measurement(backend="minisat22"), repeats=3)
    assert found.counts("conflicts").to_dict() == {"search": {"easy": 20}}
    rows = cells(found, EFFORT, False)
    assert {row["contender"]: row["conflicts"] for row in rows} == {"search": "20", "minisat22": ""}
    assert "decisions" not in rows[0]


def test_more_solved_comes_before_faster_and_the_virtual_best_last() -> None:
    found = summary(
        measurement("easy", "search", 1.0),
        measurement("easy", "minisat22", 2.0),
        measurement("open", "search", 5.0),
        measurement("open", "minisat22", 3.0),
    )
    assert found.virtual_best.to_dict() == {"easy": 1.0, "open": 3.0}
    rows = [(row["contender"], row["wins"], row["PAR-2 s"]) for row in cells(found)]
    assert rows == [("minisat22", "1", "2.50"), ("search", "1", "3.00"), ("virtual best", "", "2.00")]
    slow = [measurement(name, "search", 9.0) for name in ("easy", "open")]
    quick = measurement("easy", "minisat22", 0.1), measurement("open", "minisat22", outcome=Outcome.MEMOUT)
    assert [row["contender"] for row in summary(*slow, *quick).rows] == ["search", "minisat22"]
    single = summary(measurement())
    heads, body = table(single)
    assert heads == ["contender", "solved", "PAR-2 s", "median s", "p90 s", "worst s", "wins", "memory MiB"]
    assert body == [
        ["search", "1/1", "1.00", "1.00", "1.00", "1.00", "1", "20"],
        ["virtual best", "1/1", "1.00", "1.00", "1.00", "1.00", "", ""],
    ]
    assert "> 10 where so many were not" in legend(single)


SOLUTION = solution(OPEN)
SCORE = ring_weights(OPEN.board).score(grid_of(SOLUTION, OPEN.board))
OTHER = SOLUTION.translate(str.maketrans("1234", "3124"))
"""Another solution of the open puzzle."""
(LEAST, LOW), (MOST, HIGH) = sorted(
    (ring_weights(OPEN.board).score(grid_of(grid, OPEN.board)), grid) for grid in (SOLUTION, OTHER)
)


def problems(task: Task, *measurements: Measurement) -> list[str]:
    return disagreements(Results(plan("a", "b", task=task), {}, measurements))


def none(name: str, instance: str = "easy") -> Measurement:
    return measurement(instance, name, outcome=Outcome.INFEASIBLE, grid=None)


def best(name: str, bound: int, score: int = SCORE, grid: str = SOLUTION) -> Measurement:
    outcome = Outcome.OPTIMAL if bound == score else Outcome.FEASIBLE
    return measurement("open", name, outcome=outcome, score=score, bound=bound, grid=grid)


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
        (Task.SOLVE, [none("a", "open"), measurement("open", "b", outcome=Outcome.CRASHED)], ""),
        (Task.MAXIMISE, [best("a", SCORE), best("b", SCORE + 5)], ""),
        (Task.UNIQUE, [two("a"), two("b")], ""),
        (Task.UNIQUE, [only("a", SOLUTION), only("b", SOLUTION)], ""),
        # that contradict each other
        (Task.SOLVE, [measurement(backend="a"), none("b")], "b: it says that there is no solution, a found one"),
        (Task.MAXIMISE, [best("a", SCORE), none("b", "open")], "b: it says that there is no solution, a found one"),
        (
            Task.MAXIMISE,
            [best("a", SCORE), measurement("open", "b", outcome=Outcome.UNKNOWN, grid=None, bound=SCORE - 1)],
            f"b: it says that no score is better than {SCORE - 1}, a found {SCORE}",
        ),
        (
            Task.MAXIMISE,
            [best("a", LEAST, LEAST, LOW), best("b", MOST + 1, MOST, HIGH), best("c", MOST + 1, LEAST, LOW)],
            f"a: it says that no score is better than {LEAST}, b found {MOST}",
        ),
        (Task.UNIQUE, [two("a"), only("b", OTHER)], "b: it says that there is one solution, a found another"),
        (Task.UNIQUE, [only("a", SOLUTION), only("b", OTHER)], "a: it says that there is one solution, b found"),
        # that are wrong by themselves
        (Task.SOLVE, [measurement(backend="a", grid=OTHER)], "easy: a: "),
        (Task.SOLVE, [measurement(backend="a", grid=None)], "easy: a: "),
        (Task.SOLVE, [measurement(backend="a", grid="." * 16)], "easy: a: "),
        (Task.SOLVE, [measurement(backend="a", grid="nonsense")], "easy: a: "),
        (Task.SOLVE, [measurement(backend="a", outcome=Outcome.WRONG, grid=None, stderr="refused")], "a: refused"),
        (Task.MAXIMISE, [best("a", SCORE + 1, SCORE + 1)], "open: a: "),
        (Task.MAXIMISE, [best("a", SCORE - 1)], "open: a: "),
        (Task.UNIQUE, [measurement("open", "a", second_grid=SOLUTION, solutions=2)], "a: the same solution"),
        (Task.UNIQUE, [measurement("open", "a", second_grid="1" * 16, solutions=2)], "open: a: "),
    ],
)
@pytest.mark.parametrize("turn", [1, -1])
def test_answers_are_checked(task: Task, measurements: list[Measurement], expected: str, turn: int) -> None:
    found = problems(task, *measurements[::turn])
    assert any(expected in problem for problem in found) if expected else found == []
