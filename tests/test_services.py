"""What a Python user calls."""

import math
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from puzzles import P1074, puzzle

import ringdoku
from ringdoku import DimensionError, Grid, Objective, Puzzle, Sense, Status, UsageError, ring_weights

SAMPLE, BEST = next(iter(P1074.items()))


def test_minimise_is_maximise_turned_round_and_the_same_seed_gives_the_same_answer() -> None:
    sample = puzzle(next(line for line, best in P1074.items() if best == 2852))
    negative = Objective(tuple(-weight for weight in ring_weights(sample.board).weights))
    lowest = ringdoku.minimise(sample).score
    assert lowest == -(ringdoku.maximise(sample, negative).score or 0)
    assert lowest == ringdoku.maximise(sample, ring_weights(sample.board, Sense.MINIMISE)).score
    assert lowest < 2852
    blank = Puzzle.blank(9)
    for backend in ("cpsat", "search", "cadical195"):
        first, second = (ringdoku.solve(blank, backend, seed=7).grid for _ in range(2))
        assert first == second


@pytest.mark.parametrize("limit", [0, -1, math.inf, math.nan, "5"])
def test_a_time_limit_is_positive_and_finite(limit: Any) -> None:
    for question in (ringdoku.solve, ringdoku.maximise, ringdoku.count_solutions, ringdoku.bound):
        with pytest.raises(UsageError, match="a time limit is a positive number of seconds, not"):
            question(puzzle(SAMPLE), time_limit=limit)


def test_a_count_cut_short_by_time_and_a_bound_beyond_memory_are_refused() -> None:
    with pytest.raises(ringdoku.TimeLimitError, match="the time limit passed before the answer was complete"):
        ringdoku.count_solutions(Puzzle.blank(9), time_limit=0.05)
    with pytest.raises(UsageError, match="at least 1, not 0"):
        ringdoku.count_solutions(Puzzle.blank(4), at_most=0)
    with pytest.raises(DimensionError, match="above order 256, and this is 441"):
        ringdoku.bound(Puzzle.blank(441))


HOURS_TO_LOAD = """
import sys, time
real, hours = time.monotonic, 0
time.monotonic = lambda: real() + 3600 * hours

class Slow:
    def find_spec(self, name, path=None, target=None):
        global hours
        hours += name in ("numpy", "ortools", "pysat")

sys.meta_path.insert(0, Slow())
from ringdoku import *
assert maximise(Puzzle.blank(4), backend=sys.argv[1], time_limit=600).status is Status.OPTIMAL
print(hours)
"""
"""On a clock by which each package takes an hour to load."""


@pytest.mark.parametrize("backend", ["lp-sat", "cpsat", "rc2"])
def test_loading_packages_is_no_part_of_the_time_limit(backend: str) -> None:
    command = [sys.executable, "-c", HOURS_TO_LOAD, backend]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 0


@pytest.mark.parametrize("backend", ["lp-sat", "cpsat", "cpsat-alldifferent", "rc2", "search", "auto"])
def test_a_limit_of_ages_is_as_good_as_none(backend: str) -> None:
    limits: list[Any] = [1e300, 10**400, np.int64(60), Fraction(121, 2)]
    for limit in limits:
        assert ringdoku.maximise(puzzle(SAMPLE), backend=backend, time_limit=limit).score == BEST


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint16])
def test_numbers_of_any_integer_type_are_exact(kind: Any) -> None:
    sample = puzzle(SAMPLE)
    clues = Grid(tuple(np.array(sample.clues.rows).astype(np.int8).ravel()))
    assert clues == sample.clues
    objective = Objective(tuple(np.full(81, 100).astype(kind)))
    assert ringdoku.maximise(Puzzle(sample.ruleset, clues), objective).score == 40500
    assert ringdoku.solve(Puzzle(sample.ruleset, clues), "search").status is Status.SATISFIABLE


@pytest.mark.parametrize("jobs", [1, 2])
def test_many_plain_puzzles_are_answered_together(jobs: int) -> None:
    solved = ringdoku.solve(SAMPLE).grid
    assert solved
    texts = [*P1074, "".join(map(str, solved.digits[:-2])) + "..", "." * 81, "11" + "." * 79]
    array = np.array([[int(mark) if mark.isdigit() else 0 for mark in text] for text in texts]).reshape(-1, 9, 9)
    statuses = [ringdoku.solve(text).status for text in texts]
    for many in (texts, tuple(texts), array, array.astype(np.uint8)):
        results = list(ringdoku.solve_many(many, jobs=jobs))
        assert [result.status for result in results] == statuses
        assert any(result.backend == "arrays" for result in results)
        for text, result in zip(texts, results, strict=True):
            assert result.grid is None or ringdoku.check(text, result.grid) == []
        counts = [ringdoku.count_solutions(text, 2) for text in texts]
        assert list(ringdoku.count_many(many, jobs=jobs)) == counts
        assert set(counts) == {0, 1, 2}
        # the last grids are right for other puzzles alone
        grids = [result.grid or solved for result in results]
        for lines in (grids, ["".join(map(str, grid.digits)) for grid in grids]):
            checked = list(ringdoku.check_many(many, lines))
            assert checked == list(map(ringdoku.check, texts, grids))
            assert any(checked)
    assert list(ringdoku.count_many(["." * 81], None, time_limit=1e-9)) == [None]
    with pytest.raises(UsageError, match="given as a list"):
        list(ringdoku.check_many(5, [solved]))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="at least 1, not 0"):
        ringdoku.count_many(texts, 0)
    with pytest.raises(UsageError, match="more puzzles"):
        list(ringdoku.check_many(texts, lines[:-1]))
    assert {result.backend for result in ringdoku.solve_many(texts, "search")} == {"search"}
    # what is not plain is read one by one, and errors come at their turn
    mixed = ringdoku.solve_many([SAMPLE, SAMPLE + "\n", array[0] + 10])
    assert [next(mixed).status for _ in range(2)] == [Status.SATISFIABLE] * 2
    with pytest.raises(DimensionError):
        next(mixed)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_reading_on_comes_after_the_answers_before_it(jobs: int) -> None:
    def puzzles() -> Iterator[Puzzle]:
        yield puzzle(SAMPLE)
        raise ValueError("torn off")

    results = ringdoku.solve_many(puzzles(), jobs=jobs)
    assert next(results).status is Status.SATISFIABLE
    with pytest.raises(ValueError, match="torn off"):
        next(results)
