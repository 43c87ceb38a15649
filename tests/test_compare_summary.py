"""The figures of a comparison, worked out by hand."""

from __future__ import annotations

import pytest
from comparing import measurement, plan

from ringdoku.compare.measurement import Outcome
from ringdoku.compare.results import Results
from ringdoku.compare.summary import EFFORT, Measure, Summary, legend, percentile, seconds_text, table


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
    assert (row.solved, row.instances, row.par2) == (1, 2, 12.0)
    assert row.failures == {"timeout": 1}


def test_percentiles_count_unsolved_instances_as_slower_than_all() -> None:
    found = summary(measurement("easy", seconds=4.0), measurement("open", outcome=Outcome.TIMEOUT, seconds=None))
    assert (found.rows[0].median, found.rows[0].p90, found.rows[0].worst) == (4.0, None, None)
    heads, (cells, _) = table(found)
    assert [cells[heads.index(head)] for head in ("median s", "p90 s", "worst s")] == ["4.00", "> 10", "> 10"]
    assert "> 10 where so many were not" in legend(found)


def test_the_measure_decides_who_is_first() -> None:
    runs = [
        measurement("easy", "search", 3.0, build_seconds=2.5, load_seconds=0.25, solve_seconds=0.25, cpu_seconds=3.0),
        measurement("easy", "minisat22", 2.0, build_seconds=1.0, solve_seconds=1.0, cpu_seconds=4.0),
    ]
    first = {each: Summary(Results(plan(), {}, tuple(runs)), each).rows[0] for each in Measure}
    assert {measure.value: (row.name, row.par2) for measure, row in first.items()} == {
        "total": ("minisat22", 2.0),
        "solve": ("search", 0.25),
        "cpu": ("search", 3.0),
    }
    heads, rows = table(summary(*runs), EFFORT, best=False)
    assert heads == ["contender", "build s", "load s", "solve s", "cpu s", "memory MiB"]
    assert rows[0] == ["minisat22", "1.00", "in solve", "1.00", "4.00", "20"]


def test_what_solvers_count_is_the_median_of_answered_runs_and_blank_where_unknown() -> None:
    runs = [measurement(repeat=number, conflicts=count) for number, count in enumerate((10, 20, 60))]
    lost = measurement("open", outcome=Outcome.UNKNOWN, conflicts=9999)
    found = summary(*runs, lost, measurement(backend="minisat22"), repeats=3)
    assert found.counts("conflicts") == {"search": {"easy": 20}}
    heads, rows = table(found, EFFORT, best=False)
    assert {row[0]: row[heads.index("conflicts")] for row in rows} == {"search": "20", "minisat22": ""}
    assert "decisions" not in heads


@pytest.mark.parametrize(("kinds", "words"), [((True, False), ["live", "new"]), ((True, True), None)])
def test_two_kinds_of_runs_are_told_apart(kinds: tuple[bool, bool], words: list[str] | None) -> None:
    runs = [measurement(backend=name, live=live) for name, live in zip(("search", "minisat22"), kinds, strict=True)]
    heads, rows = table(summary(*runs))
    assert ("solver" in heads) == (words is not None)
    if words:
        found = {row[0]: row[heads.index("solver")] for row in rows}
        assert [found["search"], found["minisat22"]] == words


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
    assert heads == ["contender", "solved", "PAR-2 s", "median s", "p90 s", "worst s", "wins", "memory MiB"]
    assert rows == [
        ["search", "1/1", "1.00", "1.00", "1.00", "1.00", "1", "20"],
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
