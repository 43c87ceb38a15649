"""Finds answers to a puzzle that contradict each other: its statuses, bounds and counts against every grid found."""

from __future__ import annotations

from dataclasses import dataclass, field

from ringdoku.compare.contenders import Task
from ringdoku.compare.measurement import Measurement, Outcome
from ringdoku.compare.plan import Plan, grid_of
from ringdoku.compare.summary import Results
from ringdoku.domain.checker import check_result
from ringdoku.domain.errors import DisagreementError
from ringdoku.domain.objective import Objective, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status


class CrossCheck:
    """Takes the measurements of a plan one after another, in any order."""

    def __init__(self, plan: Plan) -> None:
        self._task = plan.task
        self._puzzles = {instance.name: instance.puzzle for instance in plan.instances}
        self._known = {instance.name: _Known() for instance in plan.instances}

    def add(self, measurement: Measurement) -> list[str]:
        """Take a measurement in; return what is wrong with it, or which answers to its puzzle contradict each other."""
        puzzle = self._puzzles[measurement.instance]
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
    problems = (f"{one.instance}: {problem}" for one in results.measurements for problem in checks.add(one))
    return list(dict.fromkeys(problems))


@dataclass
class _Known:
    """All that was found and claimed about one puzzle, with the names of the contenders that came first."""

    grids: dict[str, str] = field(default_factory=dict)
    """Solutions."""
    none: list[str] = field(default_factory=list)
    """The contenders that claim that there is no solution."""
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
            self.none.append(name)
        if measurement.solutions == 1 and measurement.grid:
            self.only.setdefault(measurement.grid, name)
        score, bound = measurement.score, measurement.bound
        if measurement.grid and score is not None and (not self.score or score > self.score[0]):
            self.score = score, name
        if bound is not None and (not self.bound or bound < self.bound[0]):
            self.bound = bound, name

    def contradictions(self) -> list[str]:
        problems = []
        for name, found in zip(self.none[:1], self.grids.values(), strict=False):
            problems.append(f"{name} says that there is no solution, {found} found one")
        for grid, name in self.only.items():
            others = [found for other, found in self.grids.items() if other != grid]
            problems += [f"{name} says that there is one solution, {found} found another" for found in others]
        if self.score and self.bound and self.score[0] > self.bound[0]:
            (score, found), (bound, name) = self.score, self.bound
            problems.append(f"{name} says that no score is better than {bound}, {found} found {score}")
        return problems


def _check(puzzle: Puzzle, measurement: Measurement, objective: Objective | None) -> None:
    """Raises `DisagreementError` or `ValueError` when the answer is wrong by itself."""
    name, outcome = measurement.contender, measurement.outcome
    if outcome is Outcome.WRONG:
        raise DisagreementError(measurement.stderr)
    if outcome in (Outcome.TIMEOUT, Outcome.MEMOUT, Outcome.CRASHED):
        return
    grid = grid_of(measurement.grid, puzzle.board) if measurement.grid else None
    result = Result(Status(outcome.value), grid, measurement.score, measurement.bound, name)
    check_result(puzzle, result, objective)
    if measurement.second_grid is not None:
        check_result(puzzle, Result(Status.SATISFIABLE, grid_of(measurement.second_grid, puzzle.board), backend=name))
        if measurement.second_grid == measurement.grid:
            raise DisagreementError("the same solution was given twice")
