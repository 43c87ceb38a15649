"""Carry a plan out: measure what is missing, write each measurement down, check each answer against all others."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from ringdoku.domain.errors import DisagreementError, UsageError
from ringdoku.services.compare.commands import command_line
from ringdoku.services.compare.crosscheck import CrossCheck
from ringdoku.services.compare.environment import environment
from ringdoku.services.compare.journal import Journal
from ringdoku.services.compare.local import measure_here
from ringdoku.services.compare.measurement import Measurement
from ringdoku.services.compare.plan import Batch, Plan
from ringdoku.services.compare.results import Results


def begin(plan: Plan) -> Results:
    """Results without any measurement yet, on this machine."""
    return Results(plan, environment())


def compare(
    results: Results,
    path: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    on_measurement: Callable[[Measurement], None] | None = None,
) -> Results:
    """`results` with all that was missing from them.

    With a `path` every measurement is on the disk before the next begins, and the whole takes its place at the end.
    `cluster` is the address of a dask.distributed scheduler to run on instead of `jobs` processes here.
    Raises `DisagreementError`, naming a file that reproduces it, as soon as two answers contradict each other.
    """
    if os.name != "posix":
        raise UsageError("comparisons need a POSIX system, to limit and end processes: Linux, macOS, or WSL on Windows")
    if jobs < 1:
        raise UsageError(f"jobs are at least 1, not {jobs}")
    checks = CrossCheck(results.plan)
    for measurement in results.measurements:
        _verify(checks, results, measurement, path)
    batches = list(results.plan.batches(results.done))
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(path, results)) if path and batches else None
        made: list[Measurement] = []
        for measurement in stack.enter_context(closing(_measure(results.plan, batches, jobs, cluster))):
            made.append(measurement)
            if journal:
                journal.append(measurement)
            if on_measurement:
                on_measurement(measurement)
            _verify(checks, results, measurement, path)
    whole = Results(results.plan, results.environment, (*results.measurements, *made))
    if path:
        whole.save(path)
    return whole


def _measure(plan: Plan, batches: list[Batch], jobs: int, cluster: str | None) -> Generator[Measurement, None, None]:
    if cluster and batches:
        from ringdoku.services.compare.cluster import measure_on_cluster

        yield from measure_on_cluster(batches, cluster)
    elif batches:
        for _ in measure_here(plan.warm_up(), jobs):
            pass
        yield from measure_here(batches, jobs)


def _verify(checks: CrossCheck, results: Results, measurement: Measurement, path: Path | None) -> None:
    if problems := checks.add(measurement):
        where = reproduce(results.plan, measurement, problems, path.parent if path else Path())
        raise DisagreementError(f"on {measurement.instance}: {'; '.join(problems)} (saved as {where})")


def reproduce(plan: Plan, measurement: Measurement, problems: list[str], folder: Path) -> Path:
    """Write the puzzle of a disagreement, and the command that shows it again, to a file that ringdoku reads."""
    instance = next(instance for instance in plan.instances if instance.name == measurement.instance)
    name = "".join(mark if mark.isalnum() or mark in "-." else "_" for mark in instance.name)
    path = folder / f"disagreement-{name}.txt"
    ruleset = instance.puzzle.ruleset
    height, width = ruleset.require_classic("a comparison")
    box = ("--box", f"{height}x{width}")
    sources = (path.name, *(box if height != width else ()))
    about = [*problems, "Reproduce it with:", command_line(replace(plan, sources=sources))]
    lines = [f"# {line}" for text in about for line in text.splitlines()]
    path.write_text("\n".join([*lines, instance.to_json()["puzzle"], ""]), encoding="utf-8")
    return path
