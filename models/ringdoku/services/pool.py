"""Questions that other processes answer, on this machine or on a cluster, and their answers in order.

A pool is an executor of `concurrent.futures`. Its processes keep a session, so that solvers stay loaded. A process that
dies fails the question that it was at and no other, and another process takes its place.
"""

from __future__ import annotations

import logging
import os
import pickle
import platform
import signal
import sys
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.context import SpawnContext, SpawnProcess
from queue import SimpleQueue
from threading import Lock, Thread
from types import ModuleType
from typing import Any, TypeVar

from ringdoku.domain.errors import MissingPackageError, RingdokuError, UsageError, WorkerDiedError

AHEAD = 2**12
"""Questions after the oldest one without an answer, which bounds the memory. A hard one does not hold up so many."""
AT_ONCE = 64
"""So many are handed out before one looks for an answer."""
LOOK_SECONDS = 0.05
"""Between two looks at whether more input has come, or whether the parent lives."""
END_SECONDS = 0.5
"""For a process to end what it is at, before it is killed."""

CONNECT_SECONDS = 10
"""For the scheduler of a cluster to answer."""
WORKER_SECONDS = 30
"""For a worker of a cluster to come when there is none."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Pool(Executor):
    """An executor whose work can be given up; leaving it as a context manager gives up what is still open."""

    @abstractmethod
    def failure(self, error: BaseException) -> BaseException:
        """What to say of the error of a future."""

    def require_alive(self) -> None:
        """Raises what is wrong when no question will be answered any more."""

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


class Processes(Pool):
    """So many processes on this machine. Ctrl-C comes to this process alone, and they end when it does."""

    def __init__(self, count: int) -> None:
        # it loads asyncio
        from pebble import CONSTS, ProcessPool

        CONSTS.term_timeout = END_SECONDS
        self._pool: Any = ProcessPool(count, initializer=_begin, initargs=(os.getpid(),), context=_Spawning())
        # pebble may see that a process died before it reads which question that had, and would wait for ever
        workers: Any = self._pool._pool_manager.worker_manager
        workers.inspect_workers = _one_look_later(workers.inspect_workers)
        with _without_interrupts():
            started = self._pool.active
        assert started

    def submit(self, function: Callable[..., Answer], /, *arguments: Any, **named: Any) -> Future[Answer]:
        return self.within(None, partial(function, *arguments, **named))

    def within(self, seconds: float | None, function: Callable[..., Answer], *arguments: Any) -> Future[Answer]:
        """As `submit`. The process is ended after so many seconds of the call, and the error is `TimeoutError`."""
        future: Future[Answer] = self._pool.schedule(_run, (partial(function, *arguments),), timeout=seconds)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if cancel_futures:
            self._pool.stop()
        else:
            self._pool.close()
        if wait:
            self._pool.join()

    def failure(self, error: BaseException) -> BaseException:
        from pebble import ProcessExpired

        if not isinstance(error, ProcessExpired):
            return error
        code = error.exitcode or 0
        how = f"was killed by signal {-code}" if code < 0 else f"ended with {code}"
        return WorkerDiedError(f"its process {error.pid} {how}")


def _one_look_later(look: Callable[[], tuple[Any, ...]]) -> Callable[[], tuple[Any, ...]]:
    """A function that returns what the look before it found."""
    before: tuple[Any, ...] = ()

    def found() -> tuple[Any, ...]:
        nonlocal before
        last, before = before, look()
        return last

    return found


_starting = Lock()


class _SpawnedProcess(SpawnProcess):
    """Started without the user's script, which another process would run once more."""

    @staticmethod
    def _Popen(process: Any) -> Any:  # noqa: N802  the name that multiprocessing calls
        with _starting:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                return SpawnProcess._Popen(process)
            finally:
                sys.modules["__main__"] = main


class _Spawning(SpawnContext):
    Process = _SpawnedProcess


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Threads and processes that are started meanwhile never get Ctrl-C, where the system can do that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(parent: int) -> None:
    """The first thing that a process does."""
    # what a solver prints is no answer
    os.dup2(2, 1)
    if hasattr(os, "setsid"):
        os.setsid()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def _run(question: Callable[[], Answer]) -> Answer:
    """In a process: a request to end is like Ctrl-C, so that programs that the question started end with it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return question()
    except KeyboardInterrupt:
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The workers of the scheduler at `address`, once it has one.

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
    # lost workers are the scheduler's business, and a lost scheduler is our error
    log.setLevel(logging.CRITICAL)
    client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    try:
        try:
            client.wait_for_workers(1, WORKER_SECONDS)
        except distributed.TimeoutError:
            start = f"start one with: dask worker {address}"
            raise UsageError(f"the scheduler at {address} has no workers; {start}") from None
        with Cluster(client, address) as cluster:
            yield cluster
    finally:
        with suppress(distributed.TimeoutError):
            client.close(END_SECONDS)
        log.setLevel(level)


def _require_scheduler(address: str) -> None:
    """Raises `UsageError` when there is no scheduler. A client would report that too, and hang at its own end."""
    found: SimpleQueue[str | Exception] = SimpleQueue()

    # most questions do without
    import asyncio

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
    import asyncio

    from distributed import Security, rpc

    there = rpc(address, connection_args=Security().get_connection_args("client"))
    try:
        about = await asyncio.wait_for(there.identity(), CONNECT_SECONDS)
        return str(about["type"])
    finally:
        await there.close_rpc()


class AnswerLostError(RingdokuError):
    """A worker died when its answer was on the way; to ask again gives it."""


class Cluster(Pool):
    """The workers that a client's scheduler has."""

    def __init__(self, client: Any, address: str) -> None:
        self._client = client
        self._address = address
        self._executor = client.get_executor(pure=False)

    def submit(self, function: Callable[..., Answer], /, *arguments: Any, **named: Any) -> Future[Answer]:
        from ringdoku import __version__

        call = _Call(_on_worker, (__version__, partial(function, *arguments, **named)))
        # plain bytes until the task runs: a worker ends when it gets what it cannot unpickle, for want of ringdoku
        future: Future[Answer] = self._executor.submit(pickle.loads, pickle.dumps(call))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait=wait and not cancel_futures)

    def require_alive(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def failure(self, error: BaseException) -> BaseException:
        from distributed.scheduler import KilledWorker

        from ringdoku import __version__

        match error:
            case RingdokuError():
                return error
            case CancelledError():
                return self._lost()
            case KilledWorker():
                return WorkerDiedError(f"its {error.allowed_failures + 1} workers on the cluster died")
            case ImportError() | AttributeError():
                needed = f"pip install 'ringdoku[cluster]=={__version__}'"
                return UsageError(f"a worker of the cluster cannot run this ringdoku: {error}; it needs: {needed}")
            case TypeError() if "cannot unpack" in str(error):
                # dask's executor, where the worker dies between its answer and the look at its state
                return AnswerLostError(f"a worker of the cluster died with its answer: {error}")
        return UsageError(f"a worker of the cluster failed: {error}")

    def _lost(self) -> UsageError:
        return UsageError(f"the connection to the scheduler at {self._address} was lost")


@dataclass(frozen=True)
class _Call:
    """To unpickle it is to call the function."""

    function: Callable[..., Any]
    arguments: tuple[object, ...]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return self.function, self.arguments


def _on_worker(version: str, question: Callable[[], Answer]) -> Answer:
    """Raises `UsageError` when the worker has another version of ringdoku."""
    from distributed import get_worker

    from ringdoku import __version__

    if __version__ != version:
        raise UsageError(f"a worker on {platform.node()} has ringdoku {__version__}, and this is {version}")
    worker = get_worker()
    key = worker.get_current_task()
    pool = _processes(worker.state.nthreads)
    future = pool.submit(question)
    while not future.done():
        wait((future,), LOOK_SECONDS)
        task = worker.state.tasks.get(key)
        if worker.status.name != "running" or task is None or task.state == "cancelled":
            # the client is gone, or has all that it wanted
            future.cancel()
    try:
        return future.result()
    except Exception as error:
        failure = pool.failure(error)
        if isinstance(failure, WorkerDiedError):
            raise WorkerDiedError(f"{failure} on {platform.node()}") from None
        raise


_started = Lock()
_of_this_worker: list[Processes] = []


def _processes(count: int) -> Processes:
    """They stay for later tasks."""
    with _started:
        if not _of_this_worker:
            _of_this_worker.append(Processes(count))
        return _of_this_worker[0]


@contextmanager
def opened(jobs: int, cluster: str | None = None) -> Iterator[Pool]:
    """So many processes here, or the workers of the dask.distributed scheduler at an address."""
    if cluster is None:
        with Processes(jobs) as pool:
            yield pool
        return
    with connected(cluster) as pool:
        yield pool


def answers(
    pool: Pool,
    ask: Callable[[Item], Callable[[], Answer]],
    items: Iterable[Item],
    ahead: int = AHEAD,
    ready: Callable[[], bool] = lambda: True,
) -> Iterator[tuple[Item, Callable[[], Answer]]]:
    """Each item, in order, with a function that waits for its answer, and returns it or raises its error.

    `ask` says what to call elsewhere for an item; that and its answer can be pickled. As many as `ahead` are handed out
    before the oldest one is answered; where the next one is not `ready`, answers do not wait for it. An error of
    reading on comes after the answers before it.
    """
    waiting: deque[tuple[Item, Future[Answer]]] = deque()
    source, failures, ended = iter(items), list[Exception](), False

    def take() -> bool:
        nonlocal ended
        try:
            item = next(source)
        except StopIteration:
            ended = True
        except Exception as error:
            failures.append(error)
            ended = True
        else:
            waiting.append((item, _submitted(pool, ask, item)))
        return not ended

    def may_take() -> bool:
        return not ended and len(waiting) < ahead and ready()

    def answer(item: Item, future: Future[Answer], again: bool = True) -> Answer:
        while not future.done():
            if not (may_take() and take()):
                pool.require_alive()
                wait((future,), LOOK_SECONDS)
        try:
            return _result(pool, future)
        except AnswerLostError:
            if not again:
                raise
            return answer(item, _submitted(pool, ask, item), again=False)

    # where nobody waits for an answer, reading may take its time
    while waiting or (not ended and take()):
        while len(waiting) < AT_ONCE and may_take() and take():
            pass
        item, future = waiting.popleft()
        yield item, partial(answer, item, future)
    if failures:
        raise failures[0]


def _submitted(pool: Pool, ask: Callable[[Item], Callable[[], Answer]], item: Item) -> Future[Answer]:
    try:
        return pool.submit(ask(item))
    except UsageError as error:
        # it is the answer, at its turn
        future = Future[Answer]()
        future.set_exception(error)
        return future


def _result(pool: Pool, future: Future[Answer]) -> Answer:
    try:
        return future.result()
    except (Exception, CancelledError) as error:
        raise pool.failure(error) from None
