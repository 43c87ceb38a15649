"""Finds answers to a puzzle that contradict each other: its statuses, bounds and counts against every grid found."""

from __future__ import annotations

from dataclasses import dataclass, field

from ringdoku.compare.measurement import Measurement, Outcome
from ringdoku.compare.plan import Plan, Task, grid_of
from ringdoku.compare.results import Results
from ringdoku.domain.checker import check_result
from ringdoku.domain.errors import DisagreementError
from ringdoku.domain.objective import Objective, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status

STATUSES = {status.value for status in Status}


class CrossCheck:
    """Takes the measurements of a plan one after another, in any order."""

    def __init__(self, plan: Plan) -> None:
        self._task = plan.task
        self._instances = {instance.name: instance for instance in plan.instances}
        self._known = {instance.name: _Known() for instance in plan.instances}

    def add(self, measurement: Measurement) -> list[str]:
        """Take a measurement in; return what is wrong with it, or which answers to its puzzle contradict each other."""
        puzzle = self._instances[measurement.instance].puzzle
        objective = ring_weights(puzzle.board) if self._task is Task.MAXIMISE else None
        try:
            _check(puzzle, measurement, objective)
        except (DisagreementError, ValueError) as error:
            return [f"{measurement.contender}: {error}"]
        known = self._known[measurement.instance]
        known.learn(measurement)
        return known.contradictions()


def disagreements(results: Results) -> list[str]:
    """Every problem of some results, each once."""
    checks = CrossCheck(results.plan)
    problems = (
        f"{measurement.instance}: {problem}"
        for measurement in results.measurements
        for problem in checks.add(measurement)
    )
    return list(dict.fromkeys(problems))


@dataclass
class _Known:
    """All that was found and claimed about one puzzle, with the names of the contenders that came first."""

    grids: dict[str, str] = field(default_factory=dict)
    """Solutions."""
    none: str | None = None
    """The contender that claims that there is no solution."""
    only: dict[str, str] = field(default_factory=dict)
    """Solutions claimed to be the only one."""
    score: tuple[int, str] | None = None
    """The best score found."""
    bound: tuple[int, str] | None = None
    """The least upper bound claimed."""

    def learn(self, measurement: Measurement) -> None:
        """Take in a measurement that is consistent by itself."""
        name = measurement.contender
        for grid in filter(None, (measurement.grid, measurement.second_grid)):
            self.grids.setdefault(grid, name)
        if measurement.outcome is Outcome.INFEASIBLE:
            self.none = self.none or name
        if measurement.solutions == 1 and measurement.grid:
            self.only.setdefault(measurement.grid, name)
        score, bound = measurement.score, _proved_bound(measurement)
        if measurement.grid and score is not None and (not self.score or score > self.score[0]):
            self.score = score, name
        if bound is not None and (not self.bound or self.bound[0] > bound):
            self.bound = bound, name

    def contradictions(self) -> list[str]:
        problems = []
        if self.none and self.grids:
            found = next(iter(self.grids.values()))
            problems.append(f"{self.none} says that there is no solution, {found} found one")
        for grid, name in self.only.items():
            for other, found in self.grids.items():
                if other != grid:
                    problems.append(f"{name} says that there is one solution, {found} found another")
        if self.score and self.bound and self.score[0] > self.bound[0]:
            problems.append(
                f"{self.bound[1]} says that no score is better than {self.bound[0]}, "
                f"{self.score[1]} found {self.score[0]}"
            )
        return problems


def _check(puzzle: Puzzle, measurement: Measurement, objective: Objective | None) -> None:
    """Raises `DisagreementError` or `ValueError` when the answer is wrong by itself."""
    name = measurement.contender
    if measurement.outcome is Outcome.WRONG:
        raise DisagreementError(measurement.stderr)
    if measurement.outcome.value not in STATUSES:
        return
    grid = grid_of(measurement.grid, puzzle.board) if measurement.grid else None
    result = Result(Status(measurement.outcome.value), grid, measurement.score, measurement.bound, name)
    check_result(puzzle, result, objective)
    if measurement.second_grid is not None:
        check_result(puzzle, Result(Status.SATISFIABLE, grid_of(measurement.second_grid, puzzle.board), backend=name))
        if measurement.second_grid == measurement.grid:
            raise DisagreementError("the same solution was given twice")


def _proved_bound(measurement: Measurement) -> int | None:
    """The last bound that the run claimed, even if it was killed later."""
    if measurement.bound is not None:
        return measurement.bound
    return next((step.bound for step in reversed(measurement.trajectory) if step.bound is not None), None)
