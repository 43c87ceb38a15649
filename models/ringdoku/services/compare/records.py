"""From what a worker told, or failed to tell, to a measurement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ringdoku.backends.base import Progress
from ringdoku.services.compare.measurement import Measurement, Outcome
from ringdoku.services.compare.plan import Batch, Instance
from ringdoku.services.compare.task import Task

OUT_OF_MEMORY = ("MemoryError", "bad_alloc", "out of memory", "Cannot allocate memory")
"""One of these among a failed process's last words means that it was refused memory."""

Trajectory: TypeAlias = Sequence[tuple[float, int | None, int | None]]


@dataclass(frozen=True)
class Usage:
    """What a whole process took: wall and CPU seconds (None when it was shared), and its peak memory in MiB."""

    wall_seconds: float | None
    cpu_seconds: float | None
    memory: float


def answered(
    batch: Batch,
    instance: Instance,
    event: Mapping[str, Any],
    usage: Usage,
    load_seconds: float | None,
    trajectory: Trajectory,
) -> Measurement:
    """The measurement of an `answer` event, or of a `wrong` one, which is an answer with nothing but a reason."""
    statistics: Mapping[str, Any] = event.get("statistics", {})
    seconds: float | None = event.get("seconds")
    build_seconds: float | None = statistics.get("build_seconds")
    grids: Sequence[str] = event.get("grids", ())
    outcome = Outcome(event.get("status", Outcome.WRONG))
    return replace(
        _measured(batch, instance, outcome, usage, load_seconds, trajectory),
        score=event.get("score"),
        bound=event.get("bound"),
        solutions=len(grids) if batch.task is Task.UNIQUE and outcome.is_final else None,
        grid=grids[0] if grids else None,
        second_grid=grids[1] if len(grids) > 1 else None,
        build_seconds=_rounded(build_seconds),
        solve_seconds=None if seconds is None else _rounded(seconds - (build_seconds or 0.0)),
        seconds=_rounded(seconds),
        wall_seconds=_rounded(usage.wall_seconds or seconds),
        cpu_seconds=_rounded(usage.cpu_seconds or event.get("cpu_seconds")),
        conflicts=statistics.get("conflicts"),
        decisions=statistics.get("decisions"),
        propagations=statistics.get("propagations"),
        variables=statistics.get("variables"),
        clauses=statistics.get("clauses"),
        stderr=event.get("reason", ""),
    )


def failed(
    batch: Batch,
    instance: Instance,
    outcome: Outcome,
    usage: Usage,
    load_seconds: float | None,
    trajectory: Trajectory,
    stderr: str,
) -> Measurement:
    """The measurement of a process that ended without an answer."""
    if outcome is Outcome.CRASHED and batch.memory_limit and any(words in stderr for words in OUT_OF_MEMORY):
        outcome = Outcome.MEMOUT
    return replace(_measured(batch, instance, outcome, usage, load_seconds, trajectory), stderr=stderr)


def _measured(
    batch: Batch,
    instance: Instance,
    outcome: Outcome,
    usage: Usage,
    load_seconds: float | None,
    trajectory: Trajectory,
) -> Measurement:
    """What every measurement has, answered or not."""
    return Measurement(
        instance=instance.name,
        task=batch.task.value,
        backend=batch.contender.backend,
        encoding=batch.contender.encoding,
        repeat=batch.repeat,
        outcome=outcome,
        load_seconds=_rounded(load_seconds),
        wall_seconds=_rounded(usage.wall_seconds),
        cpu_seconds=_rounded(usage.cpu_seconds),
        memory=_rounded(usage.memory),
        trajectory=tuple(Progress(*step) for step in trajectory),
    )


def _rounded(value: float | None) -> float | None:
    """Microseconds are enough, and what is kept in a file is then the same as what was measured."""
    return None if value is None else round(value, 6)
