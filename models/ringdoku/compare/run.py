"""Carry out a plan, here or on a cluster: measure what is missing, save it, and check each answer against the others.

On a cluster the batches run on the workers of a dask.distributed scheduler. When a worker dies, another one does its
batch again; a batch that more workers died of than the scheduler's `allowed-failures`, 3 by default, is an error.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from queue import Queue
from threading import Event, Lock, Thread
from typing import Any

from ringdoku.compare.crosscheck import CrossCheck
from ringdoku.compare.measure import measure
from ringdoku.compare.measurement import Measurement
from ringdoku.compare.plan import Batch, Plan, command_line, grid_text, rules_of
from ringdoku.compare.results import Journal, Results
from ringdoku.domain.errors import DisagreementError, UsageError
from ringdoku.solvers.registry import EXTERNAL

PACKAGES = ("ringdoku", "ortools", "python-sat", "numpy")
"""Packages whose versions are part of the environment."""


def begin(plan: Plan) -> Results:
    """Results without measurements, in the environment of this machine."""
    return Results(plan, environment())


def programs_left(results: Results) -> tuple[str, ...]:
    """The backends `cmd:PROGRAM` that `compare` would run for the missing measurements.

    A results file from somebody else may name any program, so let the user confirm these before you call `compare`.
    """
    backends = (batch.contender.backend for batch in results.plan.batches(results.done))
    return tuple(dict.fromkeys(backend for backend in backends if backend.startswith(EXTERNAL)))


def compare(
    results: Results,
    path: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    on_measurement: Callable[[Measurement], None] | None = None,
) -> Results:
    """The results with all their missing measurements made.

    With a `path` every measurement is on the disk before the next begins, and the complete document is written at the
    end. `cluster` is the address of a dask.distributed scheduler to run on instead of `jobs` processes here.
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
    if cluster is not None and batches:
        yield from measure_on_cluster(batches, cluster)
    elif batches:
        for _ in measure_here(plan.warm_up(dict.fromkeys(batch.contender for batch in batches)), jobs):
            pass
        yield from measure_here(batches, jobs)


def measure_here(batches: Iterable[Batch], jobs: int) -> Iterator[Measurement]:
    """Measurements as they are made. Leaving early, by an error or Ctrl-C, kills the processes and waits for them."""
    queue: Queue[Measurement | BaseException | None] = Queue()
    stop = Event()
    waiting, lock = iter(batches), Lock()

    def work() -> None:
        try:
            while not stop.is_set():
                with lock:
                    batch = next(waiting, None)
                if batch is None:
                    break
                for measurement in measure(batch, stop):
                    queue.put(measurement)
        except BaseException as error:
            queue.put(error)
        queue.put(None)

    threads = [Thread(target=work) for _ in range(jobs)]
    running = len(threads)
    try:
        for thread in threads:
            thread.start()
        while running:
            match queue.get():
                case None:
                    running -= 1
                case BaseException() as error:
                    raise error
                case measurement:
                    yield measurement
    finally:
        stop.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()


def measure_on_cluster(batches: Iterable[Batch], address: str) -> Iterator[Measurement]:
    """Measurements as they arrive, each once; leaving early cancels the rest.

    The workers need ringdoku and the solvers installed. Raises `MissingPackageError` without dask.distributed and
    `UsageError` when the scheduler cannot be reached, has no worker, or gives a batch up.
    """
    # asyncio, which comparisons on this machine do without
    from ringdoku.services.pool import answers, opened

    with opened(1, address) as pool:
        for _, answer in answers(pool, lambda batch: partial(measure_all, batch), batches):
            yield from answer()


def measure_all(batch: Batch) -> list[Measurement]:
    """The measurements of a batch, as a worker of a cluster makes them."""
    machine = environment()["cpu"]
    return [replace(measurement, machine=machine) for measurement in measure(batch)]


def _verify(checks: CrossCheck, results: Results, measurement: Measurement, path: Path | None) -> None:
    if problems := checks.add(measurement):
        try:
            where = f"saved as {reproduce(results.plan, measurement, problems, path.parent if path else Path())}"
        except OSError as error:
            where = f"could not be saved: {error.strerror}"
        raise DisagreementError(f"on {measurement.instance}: {'; '.join(problems)} ({where})")


def reproduce(plan: Plan, measurement: Measurement, problems: list[str], folder: Path) -> Path:
    """Write the puzzle of a disagreement to a file that ringdoku reads, with a command that reproduces it."""
    instance = next(instance for instance in plan.instances if instance.name == measurement.instance)
    name = "".join(mark if mark.isalnum() or mark in "-." else "_" for mark in instance.name)
    path = folder / f"disagreement-{name}.txt"
    ruleset = instance.puzzle.ruleset
    height, width = ruleset.classic_box or (0, 0)
    sources = (path.name, *(("--box", f"{height}x{width}") if height != width else ()))
    described = {} if ruleset.classic_box else rules_of(ruleset)
    rules = [f"board {described['board']}", *described["rules"]] if described else []
    about = [*problems, "Reproduce it with:", command_line(replace(plan, sources=sources))]
    lines = [f"# {line}" for text in about for line in text.splitlines()]
    clues = grid_text(instance.puzzle.clues)
    if instance.puzzle.board.extra:
        # a text has no place for them
        clues = clues.rpartition("\n")[0]
    text = "\n".join([*lines, *rules, clues, ""])
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    return path


def environment() -> dict[str, Any]:
    """The machine, system and versions, as a JSON object: enough to judge whether two results may be compared."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": _cpu_name(),
        "cpus": _usable_cpus(),
        "memory_mib": _memory_mebibytes(),
        "system": f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _cpu_name() -> str:
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line for line in lines if line.startswith("model name")).partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory_mebibytes() -> int | None:
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return None


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
