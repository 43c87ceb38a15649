"""The process that measures one batch: `python -m ringdoku.compare.worker`.

One JSON request comes on standard input, and events go to standard output, a JSON object a line:
`ready` when the solver is loaded, and for each puzzle `asked`, `progress` and `answer`. Whatever the solver prints goes
to standard error. An exception ends the process, and the parent reports it as a crash, which is a result.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from ringdoku.compare.contenders import open_contender
from ringdoku.compare.plan import Contender, Instance, Task, grid_text
from ringdoku.domain.errors import DisagreementError, RingdokuError, TimeLimitError
from ringdoku.domain.objective import ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.limits import Deadline
from ringdoku.solvers.base import Backend, Progress, Run

ADDRESS_ROOM = 4096
"""MiB of address space beyond the memory limit, which counts only memory in use: solvers reserve more than they use."""

Send = Callable[..., None]


def main() -> None:
    try:
        _answer(_event_channel())
        code = 0
    except RingdokuError as error:
        # a solver is missing or answers nonsense; a traceback would add nothing
        print(error, file=sys.stderr)
        code = 1
    sys.stderr.flush()
    # skips the interpreter's clean-up, which can take longer than the question
    os._exit(code)


def _answer(send: Send) -> None:
    request: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    _die_with_the_parent()
    if request["memory_limit"] is not None:
        room = (request["memory_limit"] + ADDRESS_ROOM) << 20
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
    start = time.perf_counter()
    backend = open_contender(Contender(request["backend"], request["encoding"]), request["warm"])
    send(event="ready", import_seconds=time.perf_counter() - start)
    for record in request["instances"]:
        puzzle = Instance.from_json(record).puzzle
        # the ruleset computes these once for all solvers, so they belong to the time of none
        _ = puzzle.ruleset.primitives, puzzle.ruleset.units_of
        _ask(backend, Task(request["task"]), puzzle, request, send)


def _ask(backend: Backend, task: Task, puzzle: Puzzle, request: Mapping[str, Any], send: Send) -> None:
    send(event="asked")
    cpu_start, start = _cpu_seconds(), time.perf_counter()

    reported: tuple[int | None, int | None] = (None, None)

    def on_progress(progress: Progress) -> None:
        nonlocal reported
        if reported == (progress.score, progress.bound):
            return
        reported = progress.score, progress.bound
        send(event="progress", step=[round(time.perf_counter() - start, 6), progress.score, progress.bound])

    run = Run(Deadline(request["time_limit"]), request["seed"], on_progress)
    grids: list[str] = []
    try:
        match task:
            case Task.SOLVE:
                result = backend.solve(puzzle, run)
            case Task.MAXIMISE:
                result = backend.optimise(puzzle, ring_weights(puzzle.board), run)
            case Task.UNIQUE:
                result = _two_solutions(backend, puzzle, run, grids)
    except TimeLimitError:
        # the limit came while the model was built
        result = Result(Status.UNKNOWN, None)
    except DisagreementError as error:
        # the backend itself refused its solver's answer
        send(event="wrong", reason=str(error))
        return
    seconds, cpu_seconds = time.perf_counter() - start, _cpu_seconds() - cpu_start
    if result.grid is not None and not grids:
        grids.append(grid_text(result.grid))
    send(
        event="answer",
        status=result.status.value,
        score=result.score,
        bound=result.bound,
        grids=grids,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        memory=_peak_memory(),
        # those of a solver in a process of its own come with the result
        statistics={**run.effort.statistics(), **result.statistics},
    )


def _two_solutions(backend: Backend, puzzle: Puzzle, run: Run, grids: list[str]) -> Result:
    """Append up to two solutions to `grids`; the result is satisfiable when there is at least one."""
    first = None
    try:
        with closing(backend.enumerate(puzzle, run)) as solutions:  # type: ignore[type-var]  # all are generators
            for grid in islice(solutions, 2):
                first = first or grid
                grids.append(grid_text(grid))
    except TimeLimitError:
        return Result(Status.UNKNOWN if first is None else Status.FEASIBLE, first)
    return Result(Status.INFEASIBLE if first is None else Status.SATISFIABLE, first)


def _event_channel() -> Send:
    """A function that writes events to standard output; whatever else is printed there now goes to standard error."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)

    def send(**event: object) -> None:
        channel.write(json.dumps(event) + "\n")

    return send


def _die_with_the_parent() -> None:
    """Have the system kill this process group when the other end of standard input closes.

    The parent keeps that end open while it lives. A thread cannot watch it, since solvers hold the interpreter's lock.
    """
    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(0, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(0, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)


def _cpu_seconds() -> float:
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _peak_memory() -> float:
    """MiB of this process or a child. On Linux `VmHWM` is exact, while `ru_maxrss` starts from the parent's size."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        own = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if sys.platform == "darwin":
            return max(own, children) / 2**20
    return max(own, children) / 2**10


if __name__ == "__main__":
    main()
