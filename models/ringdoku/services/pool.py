"""Answers questions in other processes, on this machine or on a cluster, and returns the answers in order.

Questions and answers are pickled. If a process dies, only the question that it was answering fails, and a new process
takes its place: pebble sees to that, or dask on a cluster. Commands then go on to the next question; functions raise.
"""

import logging
import os
import pickle
import platform
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import metadata
from itertools import islice
from multiprocessing import current_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import RLock, Thread
from types import ModuleType
from typing import Any, TypeVar

import cloudpickle  # takes along the classes of the user's script, which the other process does not run

from ringdoku.domain.errors import MissingPackageError, RingdokuError, UsageError, WorkerDiedError, refusing
from ringdoku.limits import LOOK_SECONDS, interrupts_held

MOST_WAITING = 2**12
"""How many questions may follow the oldest unanswered one: it bounds the memory, and a hard question holds up none."""
END_SECONDS = 0.5
"""How long a process may take to end before it is killed."""
CONNECT_SECONDS = 20
"""How long to wait for the scheduler of a cluster, and then for a worker if there is none."""
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Processes:
    """`count` worker processes, which first call `on_start`, and end when this process does. They run in process
    sessions of their own, so that Ctrl-C in a terminal does not reach them."""

    def __init__(self, count: int, on_start: Callable[[], object] = tuple) -> None:
        # this loads asyncio
        from pebble import CONSTS, ProcessPool

        # dask's usual workers are daemons, and such processes may not start others; ours end with them all the same
        vars(current_process())["_config"]["daemon"] = False
        CONSTS.term_timeout = END_SECONDS
        self._pool: Any = ProcessPool(count, initializer=_begin, initargs=(os.getpid(), on_start), context=_Spawning())
        # pebble keeps looking for dead processes. At a look it hears what the one before saw: by then it has read which
        # question the process took, and does not wait for ever. A death without a question would make it give up
        manager: Any = self._pool._pool_manager
        look, earlier_looks = manager.worker_manager.inspect_workers, deque[tuple[Any, ...]]([()])

        def one_look_later() -> tuple[Any, ...]:
            earlier_looks.append(look())
            at_work = {task.worker_id for task in tuple(manager.task_manager.tasks.values())}
            return tuple(dead for dead in earlier_looks.popleft() if dead[0] in at_work)

        manager.worker_manager.inspect_workers = one_look_later
        # on Linux its locks are files in /dev/shm
        with refusing("no other process can be used here, and one job needs none"), _interrupts_blocked():
            started = self._pool.active
        assert started

    @interrupts_held()
    def submit(self, question: Callable[[], Answer], seconds: float | None = None) -> Future[Answer]:
        """The future answer. After `seconds` of work the process is ended, and the future raises `TimeoutError`."""
        future: Future[Answer] = self._pool.schedule(_run_pickled, (cloudpickle.dumps(question),), timeout=seconds)
        return future

    @interrupts_held()
    def close(self) -> None:
        """Give up open questions, and end the processes."""
        # keep these locks alive: pebble drops them before it ends the processes, and one that just begins needs them
        _locks = vars(self._pool._pool_manager.worker_manager.workers_channel.mutex).copy()
        self._pool.stop()
        self._pool.join()

    def require_alive(self) -> None:
        """Never raises: processes that die are replaced."""

    def failure(self, error: BaseException) -> BaseException:
        """The error to raise for the error of a future."""
        from pebble import ProcessExpired

        if not isinstance(error, ProcessExpired):
            return error
        code = error.exitcode or 0
        how = f"was killed by signal {-code}" if code < 0 else f"ended with {code}"
        return WorkerDiedError(f"its process {error.pid} {how}")


_start_lock = RLock()


class _Spawning(SpawnContext):
    """Starts processes that do not import the user's script, which would run it once more."""

    class Process(SpawnProcess):
        @staticmethod
        def _Popen(process: Any) -> Any:  # noqa: N802  the name that multiprocessing calls
            with _start_lock:
                main = sys.modules["__main__"]
                sys.modules["__main__"] = ModuleType("__main__")
                try:
                    return SpawnProcess._Popen(process)
                finally:
                    sys.modules["__main__"] = main


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Threads and processes that start in this context never get Ctrl-C, where the system can do that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # first, since it unblocks Ctrl-C when it starts
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(parent: int, on_start: Callable[[], object]) -> None:
    # what a solver prints must not end up among the answers
    os.dup2(2, 1)
    if hasattr(os, "setsid"):
        os.setsid()
        # drop a Ctrl-C that came earlier
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)
        Thread(target=_end_with_parent, args=(parent,), daemon=True).start()
    on_start()


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def _run_pickled(question: bytes) -> Any:
    """The answer, in a worker. SIGTERM acts like Ctrl-C, so that programs that the question started end with it."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return pickle.loads(question)()
    except KeyboardInterrupt:
        os._exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


class Cluster:
    """The workers of the dask.distributed scheduler at an address; it waits for the first one.

    Raises `MissingPackageError` without dask.distributed, `UsageError` when no scheduler answers or no worker comes.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise MissingPackageError("dask.distributed", "pip install 'ringdoku[cluster]'") from None
        self._address = address
        self._log = logging.getLogger("distributed.client")
        self._level = self._log.level
        # lost workers are the scheduler's business, and a lost scheduler is our error
        self._log.setLevel(logging.CRITICAL)
        with refusing(f"no scheduler answers at {address}"):
            # a client that finds no scheduler hangs when it is closed
            socket.create_connection(distributed.comm.get_address_host_port(address), CONNECT_SECONDS).close()
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        self._executor = self._client.get_executor(pure=False)
        try:
            self._client.wait_for_workers(1, CONNECT_SECONDS)
        except TimeoutError:
            self.close()
            start = f"start one with: dask worker {address}"
            raise UsageError(f"the scheduler at {address} has no workers; {start}") from None

    def submit(self, question: Callable[[], Answer]) -> Future[Answer]:
        call = _CallWhenUnpickled(_on_worker, metadata.version("ringdoku"), cloudpickle.dumps(question))
        # plain bytes until the task runs: a worker without ringdoku ends when dask cannot unpickle what it gets
        future: Future[Answer] = self._executor.submit(pickle.loads, pickle.dumps(call))
        return future

    def close(self) -> None:
        """Give up open questions."""
        # no scheduler hears a shutdown when the connection is lost
        if self._client.status == "running":
            self._executor.shutdown(wait=False)
        with suppress(TimeoutError):
            self._client.close(END_SECONDS)
        self._log.setLevel(self._level)

    def require_alive(self) -> None:
        """Raises `UsageError` when the connection is lost, so that no more answers can come."""
        if self._client.status != "running":
            raise self._lost()

    def failure(self, error: BaseException) -> BaseException | None:
        """The error to raise for the error of a future; None where the question is to be asked again."""
        from distributed.scheduler import KilledWorker

        match error:
            case RingdokuError():
                return error
            case CancelledError():
                return self._lost()
            case KilledWorker():
                return WorkerDiedError(f"its {error.allowed_failures + 1} workers on the cluster died")
            case ImportError() | AttributeError():
                needed = f"pip install 'ringdoku[cluster]=={metadata.version('ringdoku')}'"
                return UsageError(f"a worker of the cluster cannot run this ringdoku: {error}; it needs: {needed}")
            case TypeError() if "cannot unpack" in str(error):
                # dask's executor raises this if the worker dies between its answer and the look at its state
                return None
        return UsageError(f"a worker of the cluster failed: {error}")

    def _lost(self) -> UsageError:
        return UsageError(f"the connection to the scheduler at {self._address} was lost")


class _CallWhenUnpickled(partial[Any]):
    """A call that unpickles to its result."""

    def __reduce__(self) -> tuple[Any, ...]:
        return self.func, self.args


def _on_worker(version: str, question: bytes) -> Any:
    """The answer, in a worker of the cluster. Raises `UsageError` when that has another version of ringdoku."""
    from distributed import get_worker

    if (there := metadata.version("ringdoku")) != version:
        raise UsageError(f"a worker on {platform.node()} has ringdoku {there}, and this is {version}")
    worker = get_worker()
    key = worker.get_current_task()
    with _start_lock:
        pool = _processes_of_worker(worker.state.nthreads)
    future = pool.submit(pickle.loads(question))
    while not future.done():
        wait((future,), LOOK_SECONDS)
        task = worker.state.tasks.get(key)
        if worker.status.name != "running" or task is None or task.state == "cancelled":
            # the client is gone, or needs no more answers
            future.cancel()
    try:
        return future.result()
    except Exception as error:
        failure = pool.failure(error)
        if isinstance(failure, WorkerDiedError):
            raise WorkerDiedError(f"{failure} on {platform.node()}") from None
        raise


_processes_of_worker = cache(Processes)
"""The processes of a worker, which stay for later tasks."""


@interrupts_held()
def _is_done(future: Future[Any], seconds: float = 0.0) -> bool:
    """Whether the future is done within so many seconds. Ctrl-C is held here and in `submit`: it could leave a lock
    closed, and the pool would wait for ever."""
    return not wait((future,), seconds).not_done


def answers(
    pool: Processes | Cluster,
    ask: Callable[[Item], Callable[[], Answer]],
    items: Iterator[Item],
    ready: Callable[[], bool] = lambda: True,
) -> Iterator[tuple[Item, Callable[[], Answer]]]:
    """Each item, in order, with a function that waits for its answer, and returns it or raises its error.

    `ask` returns an item's question; both can be pickled. While the next item is not `ready`, no answer waits for it.
    """
    waiting: deque[tuple[Item, Future[Answer]]] = deque()

    def take() -> bool:
        taken = [(item, pool.submit(ask(item))) for item in islice(items, 1)]
        waiting.extend(taken)
        return bool(taken)

    def answer(item: Item, future: Future[Answer]) -> Answer:
        while True:
            while not _is_done(future):
                if not (len(waiting) < MOST_WAITING and ready() and take()):
                    pool.require_alive()
                    _is_done(future, LOOK_SECONDS)
            try:
                return future.result()
            except Exception as error:
                if failure := pool.failure(error):
                    raise failure from None
            future = pool.submit(ask(item))

    # no answer is open here, so reading may take its time
    while waiting or take():
        item, future = waiting.popleft()
        yield item, partial(answer, item, future)
