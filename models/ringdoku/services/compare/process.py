"""Measure one batch in a process of its own, killed with all its descendants at a limit. Needs a POSIX system."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

from ringdoku.services.compare.measurement import Measurement, Outcome
from ringdoku.services.compare.memory import descendants, resident_mebibytes
from ringdoku.services.compare.plan import Batch, Instance
from ringdoku.services.compare.records import Usage, answered, failed

GRACE_SECONDS = 1.0
"""So long after its time limit a backend may still stop itself and give what it has found."""

START_SECONDS = 120.0
"""Loading a solver's package may take so long before the process counts as crashed."""

EXIT_SECONDS = 5.0
"""So long a process may take to end after its last answer before it is killed."""

LOOK_SECONDS = 0.1
"""Between two looks at the memory in use, and at whether the run was stopped."""

STDERR_BYTES = 4000
"""So much of the end of what a failed process wrote to standard error is kept."""


def measure(batch: Batch, stop: Event | None = None) -> Iterator[Measurement]:
    """A measurement for each instance of the batch, in order; fewer only when `stop` is set meanwhile.

    A process that fails costs one measurement: the instances after it get a new one.
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
    """What the worker reads: the batch, with these instances only."""
    return {
        "task": batch.task.value,
        "backend": batch.contender.backend,
        "encoding": batch.contender.encoding,
        "time_limit": batch.time_limit,
        "memory_limit": batch.memory_limit,
        "seed": batch.seed,
        "instances": [instance.to_json() for instance in instances],
    }


class _Worker:
    """A running worker process; after `end` nothing of it runs any more."""

    def __init__(self, batch: Batch, instances: tuple[Instance, ...]) -> None:
        self._batch = batch
        self._instances = instances
        self._is_alone = len(batch.instances) == 1
        self._usage: Usage | None = None
        self._peak = 0.0
        self._last_words = ""
        self._start = time.perf_counter()
        # what a killed solver leaves behind goes with it
        self._folder = tempfile.TemporaryDirectory(prefix="ringdoku-compare-", ignore_cleanup_errors=True)
        self._stderr = Path(self._folder.name, "stderr").open("w+b")  # noqa: SIM115  closed by `end`
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ringdoku.services.compare.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=os.environ | {"TMPDIR": self._folder.name},
            start_new_session=True,
        )

    def measurements(self, stop: Event) -> Iterator[Measurement]:
        """One for each instance, up to and including the first that fails."""
        waiting = list(self._instances)
        deadline = time.monotonic() + START_SECONDS
        load_seconds: float | None = None
        trajectory: list[tuple[float, int | None, int | None]] = []
        for event in self._events():
            match event["event"]:
                case "look":
                    reason = self._limit_passed(deadline, is_asked=load_seconds is not None)
                    if stop.is_set():
                        return
                    if reason:
                        yield self._failed(reason, waiting[0], load_seconds, trajectory)
                        return
                case "ready":
                    load_seconds = event["load_seconds"]
                case "asked":
                    deadline = time.monotonic() + self._batch.time_limit + GRACE_SECONDS
                    trajectory.clear()
                case "progress":
                    trajectory.append(event["step"])
                case "answer" | "wrong":
                    self._peak = max(self._peak, event.get("memory", 0.0))
                    usage = self.end(EXIT_SECONDS) if self._is_alone else Usage(None, None, self._peak)
                    yield answered(self._batch, waiting.pop(0), event, usage, load_seconds, trajectory)
                    if not waiting:
                        return
        yield self._failed(Outcome.CRASHED, waiting[0], load_seconds, trajectory)

    def end(self, patience: float = 0.0) -> Usage:
        """Kill what still runs, after `patience` seconds for the process to end by itself."""
        if self._usage is None:
            assert self._process.stdout
            # only the worker itself holds the other end, so it closes when the worker ends
            while patience and select.select([self._process.stdout], [], [], patience)[0]:
                patience = EXIT_SECONDS if os.read(self._process.stdout.fileno(), 65536) else 0.0
            members = descendants(self._process.pid)
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            # those that made a group of their own
            for member in members[1:]:
                with suppress(ProcessLookupError):
                    os.kill(member, signal.SIGKILL)
            _, status, used = os.wait4(self._process.pid, 0)
            self._process.returncode = os.waitstatus_to_exitcode(status)
            wall = time.perf_counter() - self._start
            self._usage = Usage(wall, used.ru_utime + used.ru_stime, self._peak)
            self._last_words = self._read_stderr()
            self._folder.cleanup()
            with suppress(BrokenPipeError):
                self._process.communicate()
        return self._usage

    def _read_stderr(self) -> str:
        with self._stderr as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - STDERR_BYTES))
            return stream.read().decode(errors="replace")

    def _events(self) -> Iterator[dict[str, Any]]:
        """What the worker tells, and a `look` every so often; ends when the worker does."""
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
        # a worker that is dead already is found out when its events end
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request_of(self._batch, self._instances)).encode() + b"\n")
            self._process.stdin.flush()

    def _limit_passed(self, deadline: float, is_asked: bool) -> Outcome | None:
        limit = self._batch.memory_limit
        self._peak = max(self._peak, resident_mebibytes(self._process.pid))
        if limit is not None and self._peak > limit:
            return Outcome.MEMOUT
        if time.monotonic() > deadline:
            return Outcome.TIMEOUT if is_asked else Outcome.CRASHED
        return None

    def _failed(
        self,
        outcome: Outcome,
        instance: Instance,
        load_seconds: float | None,
        trajectory: list[tuple[float, int | None, int | None]],
    ) -> Measurement:
        usage = self.end()
        return failed(self._batch, instance, outcome, usage, load_seconds, trajectory, self._last_words)
