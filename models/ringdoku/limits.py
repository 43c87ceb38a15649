"""Deadlines, calls into solvers that can be stopped, and a pause of the garbage collector."""

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from numbers import Real
from typing import TYPE_CHECKING, TypeVar

from ringdoku.domain import BackendError, TimeLimitError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future

LOOK_SECONDS = 0.02
"""The time between two checks of a deadline, of input that may have arrived, or of a process."""

GRACE_SECONDS = 1.0
"""The time that a backend has after a limit to stop by itself and report, and to prove a bound up to 64×64."""

PORTION = 1 << 16
"""How many bytes, literals or clauses are read, written or made Python objects at a time: some megabytes."""

Answer = TypeVar("Answer")


class Deadline:
    """A time on the monotonic clock, `seconds` from now; None means that it never comes."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = inf if seconds is None else time.monotonic() + seconds

    @classmethod
    def asked(cls, time_limit: float | None) -> "Deadline":
        """The deadline for a limit that a user gave. Raises `UsageError` unless it is None or positive, in seconds."""
        if time_limit is None:
            return cls()
        if isinstance(time_limit, bool) or not isinstance(time_limit, Real) or not 0 < time_limit < inf:
            raise UsageError(f"a time limit is a positive number of seconds, not {time_limit!r}")
        # eleven days: a wait for a process takes 32 bits of milliseconds, and solvers overflow too
        return cls(float(min(time_limit, 10**6)))

    def remaining(self) -> float | None:
        """Seconds left, at least 0; None when there is no limit."""
        return None if self._end == inf else max(0.0, self._end - time.monotonic())

    def left(self) -> float | None:
        """Seconds left, at least 1 ms, as a time limit for work that has to end by the deadline; None when there is no
        limit. Raises `TimeLimitError` at the deadline."""
        self.check()
        left = self.remaining()
        return None if left is None else max(left, 1e-3)

    def within(self, seconds: float) -> "Deadline":
        """The earlier of this deadline and one `seconds` from now."""
        left = self.remaining()
        return Deadline(seconds if left is None else min(left, seconds))

    @property
    def expired(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() >= self._end

    def check(self) -> None:
        """Raise `TimeLimitError` if the deadline has passed. Long computations call this again and again."""
        if time.monotonic() >= self._end:
            raise TimeLimitError


NEVER = Deadline()
"""No limit."""


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delay SIGINT and SIGTERM to the end of this context: exceptions in the import of OR-tools or a fork are lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received = list[int]()
    delayed = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda number, _: received.append(number)) for number in delayed}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        for late in received[:1]:
            signal.raise_signal(late)


def run_interruptibly(work: Callable[[], Answer], stop: Callable[[], object], deadline: Deadline) -> Answer:
    """Run `work` in a thread of its own and return its answer; `stop` makes it return early. At the deadline `work` is
    stopped, and its answer is what it has found so far. Ctrl-C stops it and is raised again as KeyboardInterrupt.
    `work` must release the interpreter's lock while it computes."""
    # this imports logging, for which easy questions need not wait
    from concurrent.futures import Future, wait

    future = Future[Answer]()
    try:
        run_in_thread(work, future)
        wait((future,), deadline.remaining())
    except BaseException:
        # Ctrl-C may come while the thread starts: then this or the thread is first
        future.cancel()
        raise
    finally:
        # a second Ctrl-C must not leave the thread in a solver that the caller deletes
        with interrupts_held():
            while not future.done():
                # a request to stop is lost if it comes before the work has begun
                stop()
                wait((future,), LOOK_SECONDS)
    return future.result()


def run_in_thread(work: Callable[[], Answer], future: "Future[Answer]") -> "Future[Answer]":
    """Run `work` in a daemon thread, unless the future is cancelled before; returns that, which gets the answer."""

    def run() -> None:
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def run_in_process(work: Callable[[], Answer], deadline: Deadline) -> Answer:
    """Run `work` in a process of its own and return its answer. The deadline and Ctrl-C kill the process, and on Linux
    so does the end of this one. This is for solvers that check neither a clock nor a request to stop. The answer must
    be picklable. Where no process can be forked, also in one of a multiprocessing.Pool, `work` runs in this one. Raises
    `TimeLimitError` at the deadline."""
    import multiprocessing

    if "fork" not in multiprocessing.get_all_start_methods() or multiprocessing.current_process().daemon:
        return work()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    die_with_parent = parent_death_hook()

    def run() -> None:
        if die_with_parent:
            die_with_parent()
        try:
            sender.send((work(), None))
        except BaseException as error:
            sender.send((None, error))

    process = context.Process(target=run, daemon=True)
    try:
        # a signal that comes meanwhile is raised here, and `finally` kills the process
        with interrupts_held():
            process.start()
        sender.close()
        while not receiver.poll(deadline.remaining()):
            deadline.check()
        answer, error = receiver.recv()
    except EOFError:
        raise BackendError(f"the solver's process ended with code {process.exitcode}, without an answer") from None
    finally:
        if process.pid:
            process.kill()
            process.join()
        receiver.close()
    if error is not None:
        raise error
    return answer  # type: ignore[no-any-return]  # what `work` returned


def parent_death_hook() -> Callable[[], object] | None:
    """What a new process calls first, so that Linux kills it when its parent thread ends; None on other systems."""
    if sys.platform != "linux":
        return None
    import ctypes

    parent, prctl = os.getpid(), ctypes.CDLL(None).prctl

    def begin() -> None:
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            # the parent ended before that
            os.kill(os.getpid(), signal.SIGKILL)

    return begin


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the garbage collector; also a decorator. For code that makes many small objects which are all used: with
    each thousand new lists Python looks for cycles among them and, now and then, among all objects. Solving a blank
    25×25 takes two thirds more time without the pause."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
