"""Finds answers to a puzzle that contradict each other: its statuses, bounds and counts against every grid found."""

from collections.abc import Sequence

from ringdoku.compare.plan import Measurement, Outcome, Task, grid_of
from ringdoku.compare.summary import Results
from ringdoku.domain import DisagreementError, Puzzle, Result, RingdokuError, Status, ring_weights
from ringdoku.domain.checker import check_result


class CrossCheck:
    """Takes the measurements of some results one after another, in any order."""

    def __init__(self, results: Results) -> None:
        self._task = results.plan.task
        self._puzzles = {instance.name: instance.puzzle for instance in results.plan.instances}
        self._right: dict[str, list[Measurement]] = {name: [] for name in self._puzzles}

    def add(self, measurement: Measurement) -> list[str]:
        """Take a measurement in; return what is wrong with it, or which answers to its puzzle contradict each other."""
        try:
            _check(self._puzzles[measurement.instance], measurement, self._task)
        except (RingdokuError, ValueError) as error:
            return [f"{measurement.contender}: {error}"]
        right = self._right[measurement.instance]
        right.append(measurement)
        return _contradictions(right)


def disagreements(results: Results) -> list[str]:
    """Every problem of some results, each once."""
    checks = CrossCheck(results)
    problems = (f"{one.instance}: {problem}" for one in results.measurements for problem in checks.add(one))
    return list(dict.fromkeys(problems))


def _contradictions(runs: Sequence[Measurement]) -> list[str]:
    """Of measurements that are right by themselves; each names the contenders that came first."""
    found = {grid: run.contender for run in runs[::-1] for grid in (run.second_grid, run.grid) if grid}
    none = [run.contender for run in runs if run.outcome is Outcome.INFEASIBLE]
    only = {run.grid: run.contender for run in runs[::-1] if run.solutions == 1 and run.grid}
    scores = [(run.score, run.contender) for run in runs if run.grid and run.score is not None]
    bounds = [(run.bound, run.contender) for run in runs if run.bound is not None]
    problems: list[str] = []
    if none and found:
        problems.append(f"{none[0]} says that there is no solution, {next(iter(found.values()))} found one")
    for grid, name in only.items():
        others = [finder for other, finder in found.items() if other != grid]
        problems += [f"{name} says that there is one solution, {finder} found another" for finder in others]
    (score, finder), (bound, name) = max(scores, default=(0, "")), min(bounds, default=(0, ""))
    if scores and bounds and score > bound:
        problems.append(f"{name} says that no score is better than {bound}, {finder} found {score}")
    return problems


def _check(puzzle: Puzzle, measurement: Measurement, task: Task) -> None:
    """Raises `DisagreementError` or `ValueError` when the answer is wrong by itself."""
    name, outcome = measurement.contender, measurement.outcome
    if outcome is Outcome.WRONG:
        raise DisagreementError(measurement.stderr)
    if outcome in (Outcome.TIMEOUT, Outcome.MEMOUT, Outcome.CRASHED):
        return
    grid = grid_of(measurement.grid, puzzle.board) if measurement.grid else None
    result = Result(Status(outcome.value), grid, measurement.score, measurement.bound, name)
    check_result(puzzle, result, ring_weights(puzzle.board) if task is Task.MAXIMISE else None)
    if measurement.second_grid is not None:
        check_result(puzzle, Result(Status.SATISFIABLE, grid_of(measurement.second_grid, puzzle.board), backend=name))
        if measurement.second_grid == measurement.grid:
            raise DisagreementError("the same solution was given twice")
