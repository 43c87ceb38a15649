"""Measure one batch in a process of its own, killed with all its descendants at a limit. Needs a POSIX system.

Memory is read from Linux's /proc; on other systems the worker's own report is all that is known of it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

from ringdoku.compare.measurement import Measurement, Outcome
from ringdoku.compare.plan import Batch, Instance, Task
from ringdoku.solvers.base import Progress

GRACE_SECONDS = 1.0
"""How long after its time limit a backend may still stop by itself and report what it has found."""

START_SECONDS = 120.0
"""How long loading a solver's package may take before the process counts as crashed."""

EXIT_SECONDS = 5.0
"""How long a process may take to end after its last answer before it is killed."""

LOOK_SECONDS = 0.1
"""Time between two looks at the memory in use, and at whether the run was stopped."""

STDERR_BYTES = 4000
"""How much of the end of a failed process's standard error is kept."""

OUT_OF_MEMORY = ("MemoryError", "bad_alloc", "out of memory", "Cannot allocate memory")
"""One of these at the end of a failed process's standard error means that it was refused memory."""

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def measure(batch: Batch, stop: Event | None = None) -> Iterator[Measurement]:
    """A measurement for each instance of the batch, in order; fewer only when `stop` is set meanwhile.

    When the process fails, that is one measurement, and a new process takes the instances after it.
    """
    left = batch.instances
    stop = stop or Event()
    while left and not stop.is_set():
        worker = _Worker(batch, left)
        try:
            for measurement in worker.measurements(stop):
                left = left[1:]
                yield measurement
        finally:
            worker.end()


def request_of(batch: Batch, instances: Sequence[Instance]) -> dict[str, Any]:
    """The request that the worker reads: the batch, with these instances only."""
    return {
        "task": batch.task.value,
        "backend": batch.contender.backend,
        "encoding": batch.contender.encoding,
        "time_limit": batch.time_limit,
        "memory_limit": batch.memory_limit,
        "seed": batch.seed,
        "warm": batch.warm,
        "instances": [instance.to_json() for instance in instances],
    }


@dataclass(frozen=True)
class _Usage:
    """What a whole process took: wall and CPU seconds (None when it was shared), and its peak memory in MiB."""

    wall_seconds: float | None
    cpu_seconds: float | None
    memory: float


class _Worker:
    """A running worker process; `end` kills it and all its descendants."""

    def __init__(self, batch: Batch, instances: tuple[Instance, ...]) -> None:
        self._batch = batch
        self._waiting = list(instances)
        self._is_alone = len(batch.instances) == 1
        self._import_seconds: float | None = None
        self._trajectory: list[Progress] = []
        self._usage: _Usage | None = None
        self._peak = 0.0
        self._last_output = ""
        self._start = time.perf_counter()
        # temporary files of a solver that is killed go with the folder
        self._folder = tempfile.TemporaryDirectory(prefix="ringdoku-compare-", ignore_cleanup_errors=True)
        self._stderr = Path(self._folder.name, "stderr").open("w+b")  # noqa: SIM115  closed by `end`
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ringdoku.compare.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=os.environ | {"TMPDIR": self._folder.name},
            start_new_session=True,
        )

    def measurements(self, stop: Event) -> Iterator[Measurement]:
        """One for each instance, up to and including the first that fails."""
        deadline = time.monotonic() + START_SECONDS
        for event in self._events():
            match event["event"]:
                case "look":
                    reason = self._limit_passed(deadline)
                    if stop.is_set():
                        return
                    if reason:
                        yield self._failed(reason)
                        return
                case "ready":
                    self._import_seconds = event["import_seconds"]
                case "asked":
                    deadline = time.monotonic() + self._batch.time_limit + GRACE_SECONDS
                    self._trajectory.clear()
                case "progress":
                    self._trajectory.append(Progress(*event["step"]))
                case "answer" | "wrong":
                    self._peak = max(self._peak, event.get("memory", 0.0))
                    yield self._answered(event)
                    self._waiting.pop(0)
                    if not self._waiting:
                        return
        yield self._failed(Outcome.CRASHED)

    def end(self, patience: float = 0.0) -> _Usage:
        """Kill the process, unless it ends by itself within `patience` seconds, and all its descendants."""
        if self._usage is None:
            assert self._process.stdout
            # only the worker itself holds the other end, so it closes when the worker ends
            while patience and select.select([self._process.stdout], [], [], patience)[0]:
                patience = EXIT_SECONDS if os.read(self._process.stdout.fileno(), 65536) else 0.0
            members = descendants(self._process.pid)
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            # descendants may have started process groups of their own
            for member in members[1:]:
                with suppress(ProcessLookupError):
                    os.kill(member, signal.SIGKILL)
            _, status, used = os.wait4(self._process.pid, 0)
            self._process.returncode = os.waitstatus_to_exitcode(status)
            wall = time.perf_counter() - self._start
            self._usage = _Usage(wall, used.ru_utime + used.ru_stime, self._peak)
            self._last_output = self._read_stderr()
            self._folder.cleanup()
            with suppress(BrokenPipeError):
                self._process.communicate()
        return self._usage

    def _answered(self, event: Mapping[str, Any]) -> Measurement:
        """The measurement of an `answer` event, or of a `wrong` one, which has only a reason."""
        usage = self.end(EXIT_SECONDS) if self._is_alone else _Usage(None, None, self._peak)
        statistics: Mapping[str, Any] = event.get("statistics", {})
        seconds: float | None = event.get("seconds")
        build_seconds, load_seconds = (statistics.get(f"{phase}_seconds") for phase in ("build", "load"))
        grids: Sequence[str] = event.get("grids", ())
        outcome = Outcome(event.get("status", Outcome.WRONG))
        return replace(
            self._measured(outcome, usage),
            score=event.get("score"),
            bound=event.get("bound"),
            solutions=len(grids) if self._batch.task is Task.UNIQUE and outcome.is_final else None,
            grid=grids[0] if grids else None,
            second_grid=grids[1] if len(grids) > 1 else None,
            build_seconds=_rounded(build_seconds),
            load_seconds=_rounded(load_seconds),
            solve_seconds=None if seconds is None else _rounded(seconds - (build_seconds or 0) - (load_seconds or 0)),
            seconds=_rounded(seconds),
            cpu_seconds=_rounded(event.get("cpu_seconds")),
            live=None if "live" not in statistics else bool(statistics["live"]),
            conflicts=statistics.get("conflicts"),
            decisions=statistics.get("decisions"),
            propagations=statistics.get("propagations"),
            variables=statistics.get("variables"),
            clauses=statistics.get("clauses"),
            stderr=event.get("reason", ""),
        )

    def _failed(self, outcome: Outcome) -> Measurement:
        """The measurement of a process that ended without an answer."""
        usage = self.end()
        refused_memory = self._batch.memory_limit and any(words in self._last_output for words in OUT_OF_MEMORY)
        if outcome is Outcome.CRASHED and refused_memory:
            outcome = Outcome.MEMOUT
        return replace(self._measured(outcome, usage), stderr=self._last_output)

    def _measured(self, outcome: Outcome, usage: _Usage) -> Measurement:
        """The fields of every measurement, whether there was an answer or not."""
        return Measurement(
            instance=self._waiting[0].name,
            task=self._batch.task.value,
            backend=self._batch.contender.backend,
            encoding=self._batch.contender.encoding,
            repeat=self._batch.repeat,
            outcome=outcome,
            import_seconds=_rounded(self._import_seconds),
            process_seconds=_rounded(usage.wall_seconds),
            process_cpu_seconds=_rounded(usage.cpu_seconds),
            memory=_rounded(usage.memory),
            trajectory=tuple(self._trajectory),
        )

    def _read_stderr(self) -> str:
        with self._stderr as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - STDERR_BYTES))
            return stream.read().decode(errors="replace")

    def _events(self) -> Iterator[dict[str, Any]]:
        """The worker's events, and a `look` every so often; ends when the worker does."""
        assert self._process.stdout
        channel = self._process.stdout.fileno()
        self._send_request()
        text = b""
        next_look = time.monotonic() + LOOK_SECONDS
        while True:
            readable, _, _ = select.select([channel], [], [], max(0.0, next_look - time.monotonic()))
            if readable:
                piece = os.read(channel, 1 << 20)
                if not piece:
                    return
                *lines, text = (text + piece).split(b"\n")
                yield from map(json.loads, lines)
            if time.monotonic() >= next_look:
                yield {"event": "look"}
                next_look = time.monotonic() + LOOK_SECONDS

    def _send_request(self) -> None:
        assert self._process.stdin
        # the events of a worker that is dead already end at once, and its run counts as crashed
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request_of(self._batch, self._waiting)).encode() + b"\n")
            self._process.stdin.flush()

    def _limit_passed(self, deadline: float) -> Outcome | None:
        limit = self._batch.memory_limit
        self._peak = max(self._peak, resident_mebibytes(self._process.pid))
        if limit is not None and self._peak > limit:
            return Outcome.MEMOUT
        if time.monotonic() > deadline:
            return Outcome.CRASHED if self._import_seconds is None else Outcome.TIMEOUT
        return None


def descendants(pid: int) -> list[int]:
    """The process itself and all its descendants; the process alone where there is no /proc."""
    found = [pid]
    for parent in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{parent}/task").iterdir():
                with suppress(OSError):
                    found += map(int, (thread / "children").read_text().split())
    return found


def resident_mebibytes(pid: int) -> float:
    """Memory in use by a process and its descendants, in MiB; 0 where there is no /proc."""
    pages = 0
    for member in descendants(pid):
        with suppress(OSError, IndexError):
            pages += int(Path(f"/proc/{member}/statm").read_text().split()[1])
    return pages * PAGE_BYTES / 2**20


def _rounded(value: float | None) -> float | None:
    """To microseconds, so that reading a results file gives exactly what was measured."""
    return None if value is None else round(value, 6)
