"""Do all answers to a puzzle go together? Grids by the checker; statuses, bounds and counts against all grids known."""

from __future__ import annotations

from collections import defaultdict

from ringdoku.domain.checker import check_result
from ringdoku.domain.errors import DisagreementError
from ringdoku.domain.objective import Objective, ring_weights
from ringdoku.domain.result import Result, Status
from ringdoku.services.compare.measurement import Measurement, Outcome
from ringdoku.services.compare.plan import Instance, Plan, grid_of
from ringdoku.services.compare.task import Task

STATUSES = {status.value for status in Status}


class CrossCheck:
    """Told of one measurement after another, in any order."""

    def __init__(self, plan: Plan) -> None:
        self._task = plan.task
        self._instances = {instance.name: instance for instance in plan.instances}
        self._told: defaultdict[str, list[Measurement]] = defaultdict(list)

    def add(self, measurement: Measurement) -> list[str]:
        """What is wrong with this measurement, alone or beside earlier ones; empty when nothing is."""
        instance = self._instances[measurement.instance]
        if measurement.outcome is Outcome.WRONG:
            return [f"{measurement.contender}: {measurement.stderr}"]
        try:
            self._check(instance, measurement)
        except (DisagreementError, ValueError) as error:
            return [f"{measurement.contender}: {error}"]
        earlier = self._told[instance.name]
        problems = [
            problem
            for other in earlier
            for claim, fact in ((measurement, other), (other, measurement))
            for problem in self._contradictions(claim, fact)
        ]
        problems += [] if earlier else self._contradictions(measurement, measurement)
        earlier.append(measurement)
        return problems

    def _check(self, instance: Instance, measurement: Measurement) -> None:
        """Raises `DisagreementError` when the answer does not hold together by itself."""
        if measurement.outcome.value not in STATUSES:
            return
        name, score, bound = measurement.contender, measurement.score, measurement.bound
        grid = grid_of(measurement.grid) if measurement.grid else None
        result = Result(Status(measurement.outcome.value), grid, score, bound, name)
        check_result(instance.puzzle, result, self._objective(instance))
        if measurement.second_grid is not None:
            check_result(instance.puzzle, Result(Status.SATISFIABLE, grid_of(measurement.second_grid), backend=name))
            if measurement.second_grid == measurement.grid:
                raise DisagreementError(f"backend {name} gave one solution twice")

    def _contradictions(self, claim: Measurement, fact: Measurement) -> list[str]:
        """What `claim` says that cannot be, given the grids of `fact`."""
        if fact.grid is None:
            return []
        if claim.outcome is Outcome.INFEASIBLE:
            return [f"{claim.contender} says that there is no solution, {fact.contender} found one"]
        if claim.solutions == 1 and {fact.grid, fact.second_grid} - {claim.grid, None}:
            return [f"{claim.contender} says that there is one solution, {fact.contender} found another"]
        objective = self._objective(self._instances[claim.instance])
        bound = _proved_bound(claim)
        if objective is not None and bound is not None:
            score = objective.score(grid_of(fact.grid))
            if objective.sense.better(score, bound):
                return [f"{claim.contender} says that no score is better than {bound}, {fact.contender} found {score}"]
        return []

    def _objective(self, instance: Instance) -> Objective | None:
        return ring_weights(instance.puzzle.geometry) if self._task is Task.MAXIMISE else None


def _proved_bound(measurement: Measurement) -> int | None:
    """The last bound claimed, also by a run that was killed later."""
    if measurement.bound is not None:
        return measurement.bound
    return next((step.bound for step in reversed(measurement.trajectory) if step.bound is not None), None)
