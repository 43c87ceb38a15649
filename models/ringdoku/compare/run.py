"""Carry out a plan, here or on a cluster: measure what is missing, save it, and check each answer against the others.
A worker of the pool gives each batch a process of its own. When a worker of a cluster dies, another one does its batch
again; a batch that more workers died of than the scheduler's `allowed-failures`, 3 by default, is an error."""

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from ringdoku.compare.crosscheck import CrossCheck
from ringdoku.compare.measure import measure
from ringdoku.compare.plan import Batch, Measurement, command_line
from ringdoku.compare.results import journal
from ringdoku.compare.summary import Results
from ringdoku.domain import DisagreementError, UsageError
from ringdoku.services.pool import Cluster, Processes, answers
from ringdoku.services.session import cores
from ringdoku.solvers.registry import EXTERNAL, NUMPY, ORTOOLS, PYSAT, Package


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
    checks, made = CrossCheck(results), list(results.measurements)

    def verify(measurement: Measurement) -> None:
        if problems := checks.add(measurement):
            again = f"to repeat it: {command_line(results.plan)}"
            raise DisagreementError(f"on {measurement.instance}: {'; '.join(problems)} ({again})")

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


def environment() -> dict[str, Any]:
    """The machine, system and versions, as a JSON object: enough to judge whether two results may be compared."""
    cpu, memory = platform.processor() or platform.machine(), None
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        cpu = next(line for line in lines if line.startswith("model name")).partition(":")[2].strip()
    with suppress(OSError, ValueError, AttributeError):
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    packages = (Package("ringdoku", "ringdoku", ""), ORTOOLS, PYSAT, NUMPY)
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu,
        "cpus": cores(),
        "memory_mib": memory,
        "system": f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": {package.distribution: package.version for package in packages},
    }
