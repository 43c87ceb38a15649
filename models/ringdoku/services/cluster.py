"""Questions of a crew on other machines: seats on the workers of a dask.distributed scheduler.

A seat has one list of questions at a time, a task of the scheduler. When a worker dies, the scheduler gives the task to
another one. A worker answers in a process of its own, which stays for the next list, and which is ended when nobody
wants the answers any more. So workers may have any number of threads, and a solver that crashes takes none with it.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import platform
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from types import TracebackType
from typing import Any

from ringdoku.domain.errors import MissingPackageError, UsageError
from ringdoku.services.crew import LOOK_SECONDS, Events, Place, Process

CONNECT_SECONDS = 10
"""For the scheduler to answer."""
WORKER_SECONDS = 30
"""For a worker to come when there is none."""
CLOSE_SECONDS = 1
SEATS_SECONDS = 1
"""Between two looks at how many workers there are."""
SEATS_A_THREAD = 2
"""A worker has the next questions before it is done with its last ones."""
MOST_SECONDS = 1
"""Answers wait no longer than this for those after them in their list."""
IDLE_SECONDS = 10
"""A process waits so long for the next list."""


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at `address`, once that has a worker.

    Raises `MissingPackageError` without dask.distributed, and `UsageError` when no scheduler answers or no worker
    comes.
    """
    try:
        import distributed
    except ImportError:
        raise MissingPackageError("dask.distributed", "pip install 'ringdoku[cluster]'") from None
    _require_scheduler(address)
    log = logging.getLogger("distributed.client")
    level = log.level
    # lost workers are its business, and a lost scheduler is our error
    log.setLevel(logging.CRITICAL)
    client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    try:
        try:
            client.wait_for_workers(1, WORKER_SECONDS)
        except distributed.TimeoutError:
            raise _without_workers(address) from None
        yield client
    finally:
        with suppress(distributed.TimeoutError):
            client.close(CLOSE_SECONDS)
        log.setLevel(level)


def _require_scheduler(address: str) -> None:
    """Raises `UsageError` when there is no scheduler. A client would tell that too, and hang at its own end."""
    found: SimpleQueue[str | Exception] = SimpleQueue()

    def ask() -> None:
        try:
            found.put(asyncio.run(_kind_of(address)))
        except Exception as error:
            found.put(error)

    # the caller's thread may have a loop of its own, as in notebooks
    Thread(target=ask, daemon=True).start()
    match found.get():
        case TimeoutError():
            raise UsageError(f"no scheduler answers at {address} within {CONNECT_SECONDS} seconds")
        case Exception() as error:
            raise UsageError(f"no scheduler answers at {address}: {error}")
        case kind if kind != "Scheduler":
            raise UsageError(f"no scheduler answers at {address}, but a {str(kind).lower()}")


async def _kind_of(address: str) -> str:
    """What a program of dask calls itself."""
    from distributed import Security, rpc

    there = rpc(address, connection_args=Security().get_connection_args("client"))
    try:
        about = await asyncio.wait_for(there.identity(), CONNECT_SECONDS)
        return str(about["type"])
    finally:
        await there.close_rpc()


def submitted(client: Any, function: Callable[..., Any], *arguments: object) -> Any:
    """The future of a call of the function on a worker.

    The pickle of the call is plain bytes to scheduler and worker until the task runs: a worker ends when it gets a task
    that it cannot unpickle, for want of ringdoku.
    """
    return client.submit(pickle.loads, pickle.dumps(_Call(function, arguments)), pure=False)


@dataclass(frozen=True)
class _Call:
    """To unpickle it is to call the function."""

    function: Callable[..., Any]
    arguments: tuple[object, ...]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return self.function, self.arguments


def problem_of(error: BaseException) -> UsageError:
    """What to say of the error of a task."""
    from ringdoku import __version__

    if isinstance(error, UsageError):
        return error
    if isinstance(error, ImportError | AttributeError):
        needed = f"pip install 'ringdoku[cluster]=={__version__}'"
        return UsageError(f"a worker of the cluster cannot run this ringdoku: {error}; it needs: {needed}")
    return UsageError(f"a worker of the cluster failed: {error}")


def connection_lost(address: str) -> UsageError:
    """The error of a scheduler that has ended, or cannot be reached any more."""
    return UsageError(f"the connection to the scheduler at {address} was lost")


def _without_workers(address: str) -> UsageError:
    return UsageError(f"the scheduler at {address} has no workers; start one with: dask worker {address}")


class Cluster:
    """The workers of a scheduler. A context manager, which raises what `connected` raises."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection = connected(address)
        self._seats = 0
        self._look = self._seen = time.monotonic()

    def __enter__(self) -> Cluster:
        self._client = self._connection.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.__exit__(kind, error, trace)

    def seats(self) -> int:
        """How many there may be now. Raises `UsageError` when the scheduler has ended, or all workers have."""
        if self._client.status != "running":
            raise connection_lost(self._address)
        now = time.monotonic()
        if now >= self._look:
            try:
                threads = sum(self._client.nthreads(callback_timeout=CONNECT_SECONDS).values())
            except OSError:
                raise connection_lost(self._address) from None
            if threads:
                self._seats, self._seen = SEATS_A_THREAD * threads, now
            elif now > self._seen + WORKER_SECONDS:
                raise _without_workers(self._address)
            self._look = now + SEATS_SECONDS
        return self._seats

    def seat(self, setup: tuple[str, int], events: Events) -> Seat:
        return Seat(self._client, setup, events)


class Seat(Place):
    """A place on a cluster, whichever worker answers."""

    most_lists = 1
    # a task costs some 10 ms
    list_seconds = 0.3

    def __init__(self, client: Any, setup: tuple[str, int], events: Events) -> None:
        super().__init__(events)
        self._client = client
        self._setup = setup
        self._left: list[Any] = []
        self._why = ""

    def ask(self, questions: list[Any]) -> None:
        self._left = questions
        self._submit()

    def end(self) -> str:
        return self._why

    def _submit(self) -> None:
        from ringdoku import __version__

        future = submitted(self._client, answer, __version__, self._setup, self._left)
        future.add_done_callback(self._hear)

    def _hear(self, future: Any) -> None:
        """In a thread of the client."""
        if future.status not in ("finished", "error"):
            # the connection was closed, or lost, which ends the shift
            return
        try:
            answers, self._why = future.result()
        except Exception as error:
            self._fail(error)
            return
        self._left = self._left[len(answers) :]
        self._events.put((self, answers))
        if self._why:
            self._events.put((self, None))
        elif self._left:
            self._submit()

    def _fail(self, error: Exception) -> None:
        from distributed.scheduler import KilledWorker

        if isinstance(error, KilledWorker):
            self._why = f"{error.allowed_failures + 1} workers on the cluster died"
            self._events.put((self, None))
            return
        self._events.put((self, [(None, problem_of(error))]))


def answer(version: str, setup: tuple[str, int], questions: list[Any]) -> tuple[list[tuple[Any, Any]], str]:
    """On a worker: (answer, None) or (None, error) for the first of the questions, at least one, and as many as there
    is time for; and why their process ended, if it did.

    Raises `UsageError` when this is another version of ringdoku.
    """
    from distributed import get_worker

    from ringdoku import __version__

    if __version__ != version:
        raise UsageError(f"a worker on {platform.node()} has ringdoku {__version__}, and this is {version}")
    worker = get_worker()
    key = worker.get_current_task()
    process, events = _take(setup)
    answers: list[tuple[Any, Any]] = []
    process.ask(questions)
    due = time.monotonic() + MOST_SECONDS
    try:
        while len(answers) < len(questions) and not (answers and time.monotonic() >= due):
            try:
                _, some = events.get(timeout=LOOK_SECONDS)
            except Empty:
                # the client is gone, or has all that it wanted
                task = worker.state.tasks.get(key)
                if worker.status.name != "running" or task is None or task.state == "cancelled":
                    break
                continue
            if some is None:
                return answers, f"{process.end()} on {platform.node()}"
            answers += some
        return answers, ""
    finally:
        if len(answers) == len(questions):
            _keep(setup, process, events)
        else:
            process.end()


_idle: defaultdict[tuple[str, int], list[tuple[Process, Events, Timer]]] = defaultdict(list)
"""The processes of this worker that wait for a list, by their sessions."""


def _take(setup: tuple[str, int]) -> tuple[Process, Events]:
    with suppress(IndexError):
        process, events, timer = _idle[setup].pop()
        timer.cancel()
        return process, events
    events = SimpleQueue()
    return Process(setup, events), events


def _keep(setup: tuple[str, int], process: Process, events: Events) -> None:
    def end() -> None:
        # unless it was taken at this moment
        with suppress(ValueError):
            _idle[setup].remove(waiting)
            process.end()

    timer = Timer(IDLE_SECONDS, end)
    timer.daemon = True
    waiting = process, events, timer
    _idle[setup].append(waiting)
    timer.start()
