"""Results of several runs as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ringdoku.domain.errors import UsageError
from ringdoku.services.compare.plan import Instance
from ringdoku.services.compare.results import Results


def combine(many: Iterable[Results]) -> Results:
    """Several results of one task as one. Puzzles that are equal are one instance, contenders keep their names.

    Raises `UsageError` when tasks differ, or a name stands for two puzzles.
    """
    first, *others = many
    instances = {instance.name: instance for instance in first.plan.instances}
    contenders = dict.fromkeys(first.plan.contenders)
    measurements = {measurement.key: measurement for measurement in first.measurements}
    for other in others:
        if other.plan.task is not first.plan.task:
            raise UsageError(f"results of {first.plan.task.value} and {other.plan.task.value} do not go together")
        names = {one.puzzle: one.name for one in instances.values()}
        renamed = {one.name: names.get(one.puzzle, one.name) for one in other.plan.instances}
        for instance in other.plan.instances:
            name = renamed[instance.name]
            if instances.setdefault(name, Instance(name, instance.puzzle)).puzzle != instance.puzzle:
                raise UsageError(f"two different puzzles are called {name}")
        contenders.update(dict.fromkeys(other.plan.contenders))
        for measurement in other.measurements:
            moved = replace(measurement, instance=renamed[measurement.instance])
            while moved.key in measurements:
                moved = replace(moved, repeat=moved.repeat + 1)
            measurements[moved.key] = moved
    plan = replace(
        first.plan,
        instances=tuple(instances.values()),
        contenders=tuple(contenders),
        repeats=1 + max((measurement.repeat for measurement in measurements.values()), default=0),
        time_limit=max(one.plan.time_limit for one in (first, *others)),
    )
    return Results(plan, first.environment, tuple(measurements.values()))
