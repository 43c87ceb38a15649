"""Carry out a plan, here or on a cluster: measure what is missing, save it, and check each answer against the others.
A worker of the pool gives each batch a process of its own. When a worker of a cluster dies, another one does its batch
again; a batch that more workers died of than the scheduler's `allowed-failures`, 3 by default, is an error."""

import os
import platform
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ringdoku.compare.measure import measure
from ringdoku.compare.plan import Batch, Measurement, Outcome, Task, grid_of
from ringdoku.compare.results import journal
from ringdoku.compare.summary import Results
from ringdoku.domain import DisagreementError, Puzzle, Result, RingdokuError, Status, UsageError, ring_weights
from ringdoku.domain.checker import check_result
from ringdoku.services.pool import Cluster, Processes, answers
from ringdoku.services.session import cores
from ringdoku.solvers.registry import EXTERNAL


def programs_left(results: Results) -> tuple[str, ...]:
    """The backends `cmd:PROGRAM` that `compare` would run for the missing measurements. A results file from somebody
    else may name any program, so let the user confirm these before you call `compare`."""
    backends = (batch.contender.backend for batch in results.plan.batches(results.done))
    return tuple(dict.fromkeys(backend for backend in backends if backend.startswith(EXTERNAL)))


def compare(
    results: Results,
    path: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    on_measurement: Callable[[Measurement], object] = lambda _: None,
) -> Results:
    """The results with all their missing measurements made. With a `path` they are on the disk in the order of the
    plan, each as soon as it is made; those of a warm process together. `cluster` is the address of a dask.distributed
    scheduler to run on instead of `jobs` processes here. Raises `DisagreementError` as soon as two answers contradict
    each other."""
    if os.name != "posix":
        raise UsageError("comparisons need a POSIX system, to limit and end processes: Linux, macOS, or WSL on Windows")
    if jobs < 1:
        raise UsageError(f"jobs are at least 1, not {jobs}")
    problems_with, made = cross_check(results), list(results.measurements)

    def verify(measurement: Measurement) -> None:
        if problems := problems_with(measurement):
            again = f" (to repeat it: {results.plan.command})" if results.plan.command else ""
            raise DisagreementError(f"on {measurement.instance}: {'; '.join(problems)}{again}")

    for measurement in results.measurements:
        verify(measurement)
    with (
        journal(path, results) if path else nullcontext(lambda _: None) as append,
        closing(Processes(jobs) if cluster is None else Cluster(cluster)) as pool,
    ):
        for measurement in measure_in(pool, results.plan.batches(results.done)):
            made.append(measurement)
            append(measurement)
            on_measurement(measurement)
            verify(measurement)
    return replace(results, measurements=tuple(made))


def measure_in(pool: Processes | Cluster, batches: Iterable[Batch]) -> Iterator[Measurement]:
    """Measurements in order, each once. The workers of a cluster need ringdoku and the solvers installed. Raises
    `UsageError` when a cluster gives a batch up."""
    for _, answer in answers(pool, lambda batch: partial(_measure_all, batch), batches):
        yield from answer()


def _measure_all(batch: Batch) -> list[Measurement]:
    machine = environment()["cpu"]
    return [replace(measurement, machine=machine) for measurement in measure(batch)]


def cross_check(results: Results) -> Callable[[Measurement], list[str]]:
    """A function that takes measurements one after another, in any order, and says of each what is wrong with it, or
    which answers to its puzzle so far contradict each other: statuses, bounds and counts against every grid found."""
    puzzles = {instance.name: instance.puzzle for instance in results.plan.instances}
    right = defaultdict[str, list[Measurement]](list)

    def problems_with(measurement: Measurement) -> list[str]:
        try:
            _check(puzzles[measurement.instance], measurement, results.plan.task)
        except (RingdokuError, ValueError) as error:
            return [f"{measurement.contender}: {error}"]
        right[measurement.instance].append(measurement)
        return _contradictions(right[measurement.instance])

    return problems_with


def disagreements(results: Results) -> list[str]:
    """Every problem of some results, each once."""
    problems_with = cross_check(results)
    problems = (f"{one.instance}: {problem}" for one in results.measurements for problem in problems_with(one))
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


def environment() -> dict[str, Any]:
    """The machine, system and versions, as a JSON object: enough to judge whether two results may be compared."""
    cpu, memory = platform.processor() or platform.machine(), None
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line for line in lines if line.startswith("model name")).partition(":")[2].strip()
    with suppress(OSError, ValueError, AttributeError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu,
        "cpus": cores(),
        "memory_mib": memory,
        "system": f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": {name: version(name) for name in ("ringdoku", "ortools", "python-sat", "numpy")},
    }
