"""The figures of a comparison, worked out by hand."""

from __future__ import annotations

import pytest
from comparing import measurement, plan

from ringdoku.compare.measurement import Outcome
from ringdoku.compare.results import Results
from ringdoku.compare.summary import Summary, percentile, seconds_text, table


def summary(*measurements: object, **changes: object) -> Summary:
    return Summary(Results(plan(**changes), {}, measurements))  # type: ignore[arg-type]


def test_the_time_is_the_median_of_the_repeats() -> None:
    found = summary(*(measurement(repeat=r, seconds=s) for r, s in enumerate([3.0, 1.0, 2.0])), repeats=3)
    assert found.times == {"search": {"easy": 2.0}}
    assert found.rows[0].spread == 1.0


def test_what_is_not_solved_counts_twice_the_limit() -> None:
    (row,) = summary(
        measurement("easy", seconds=4.0),
        measurement("open", outcome=Outcome.TIMEOUT, seconds=None),
    ).rows
    assert (row.solved, row.instances, row.par2, row.median, row.worst) == (1, 2, 12.0, 12.0, 20.0)
    assert row.failures == {"timeout": 1}


def test_an_answer_after_the_limit_is_none() -> None:
    (row,) = summary(measurement(seconds=10.5)).rows
    assert (row.solved, row.par2) == (0, 20.0)


def test_an_instance_is_solved_when_most_repeats_solve_it() -> None:
    runs = [measurement(repeat=0), measurement(repeat=1), measurement(repeat=2, outcome=Outcome.CRASHED, seconds=None)]
    (row,) = summary(*runs, repeats=3).rows
    assert (row.solved, row.par2) == (1, 1.0)
    (row,) = summary(*runs[1:], repeats=2).rows
    assert (row.solved, row.par2) == (0, 20.0)


def test_the_virtual_best_takes_the_fastest_of_each_instance() -> None:
    found = summary(
        measurement("easy", "search", 1.0),
        measurement("easy", "minisat22", 2.0),
        measurement("open", "search", 5.0),
        measurement("open", "minisat22", 3.0),
    )
    assert found.virtual_best == {"easy": 1.0, "open": 3.0}
    assert found.best_row is not None
    assert found.best_row.par2 == 2.0
    assert [(row.name, row.wins, row.par2) for row in found.rows] == [("minisat22", 1, 2.5), ("search", 1, 3.0)]


def test_nobody_wins_what_nobody_solves() -> None:
    (row,) = summary(measurement(outcome=Outcome.UNKNOWN)).rows
    assert row.wins == 0


def test_more_solved_comes_before_faster() -> None:
    found = summary(
        measurement("easy", "search", 9.0),
        measurement("open", "search", 9.0),
        measurement("easy", "minisat22", 0.1),
        measurement("open", "minisat22", outcome=Outcome.MEMOUT),
    )
    assert [row.name for row in found.rows] == ["search", "minisat22"]


@pytest.mark.parametrize(("share", "value"), [(0.0, 1), (0.1, 1), (0.11, 2), (0.9, 9), (1.0, 10)])
def test_percentiles_are_of_the_nearest_rank(share: float, value: float) -> None:
    assert percentile([float(number) for number in range(1, 11)], share) == value


def test_only_warm_runs_have_a_throughput() -> None:
    runs = [measurement("easy", seconds=0.5), measurement("open", seconds=0.25)]
    assert summary(*runs, warm=True).rows[0].throughput == pytest.approx(2 / 0.75)
    assert summary(*runs).rows[0].throughput is None


def test_the_table_leaves_empty_columns_out() -> None:
    heads, rows = table(summary(measurement()))
    assert heads == ["contender", "solved", "PAR-2 s", "median s", "p90 s", "worst s", "memory MiB", "wins"]
    assert rows == [
        ["search", "1/1", "1.00", "1.00", "1.00", "1.00", "20", "1"],
        ["virtual best", "1/1", "1.00", "1.00", "1.00", "1.00", "", ""],
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0"),
        (1.234e-5, "0.000012"),
        (0.0001234, "0.000123"),
        (0.01234, "0.0123"),
        (0.5, "0.500"),
        (12.345, "12.35"),
    ],
)
def test_seconds_have_three_digits_that_count(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text
