"""Deadlines, calls into solvers that can be stopped, and the garbage collector at rest."""

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

LONGEST_SECONDS = 10**6
"""Eleven days: who waits for a process counts milliseconds in 32 bits, and solvers overflow too."""

LOOK_SECONDS = 0.02
"""Between two looks at a deadline that may come early, at input that may have come, or at a process."""

GRACE_SECONDS = 1.0
"""After a time limit, for a backend to stop by itself and report, and for the proof of a bound up to 64×64."""

PORTION = 1 << 16
"""Bytes, literals or clauses that are read, written or turned into Python objects at a time: some megabytes."""

Answer = TypeVar("Answer")


class Deadline:
    """A time on the monotonic clock, `seconds` from now; None means that it never comes."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = inf if seconds is None else time.monotonic() + seconds

    @classmethod
    def asked(cls, time_limit: float | None) -> "Deadline":
        """The deadline for a limit that a user gave. Raises `UsageError` unless it is a positive number of seconds, or
        None."""
        if time_limit is None:
            return cls()
        if not isinstance(time_limit, Real) or not 0 < time_limit < float("inf"):
            raise UsageError(f"a time limit is a positive number of seconds, not {time_limit!r}")
        return cls(float(min(time_limit, LONGEST_SECONDS)))

    def remaining(self) -> float | None:
        """Seconds left, at least 0; None when there is no limit."""
        return None if self._end == inf else max(0.0, self._end - time.monotonic())

    def left(self) -> float | None:
        """The time limit, in seconds, of what has to end by then; None when there is none. Raises `TimeLimitError` at
        the deadline."""
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
    """Ctrl-C and requests to end that come meanwhile are raised at the end: what is raised inside the import of
    OR-tools or inside a fork is lost."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = list[int]()
    stops = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda number, _: came.append(number)) for number in stops}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        for late in came[:1]:
            signal.raise_signal(late)


def interruptible(work: Callable[[], Answer], stop: Callable[[], object], deadline: Deadline) -> Answer:
    """Run `work` in a thread of its own and return its answer; `stop` makes it return early. At the deadline `work` is
    stopped, and its answer is what it has found so far. Ctrl-C stops it and is raised again as KeyboardInterrupt.
    `work` must release the interpreter's lock while it computes."""
    # logging, which easy questions do without
    from concurrent.futures import Future, wait

    future = Future[Answer]()
    try:
        in_thread(work, future)
        wait((future,), deadline.remaining())
    except BaseException:
        # it may come while the thread starts: then whoever is first says whether it works
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


def in_thread(work: Callable[[], Answer], future: "Future[Answer]") -> "Future[Answer]":
    """Run `work` in a thread that nobody has to wait for, unless the future that gets its answer is cancelled first."""

    def run() -> None:
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def apart(work: Callable[[], Answer], deadline: Deadline) -> Answer:
    """Run `work` in a process of its own and return its answer. The deadline and Ctrl-C kill the process, and on Linux
    so does the end of this one. This is for solvers that check neither a clock nor a request to stop. The answer must
    be picklable. Where processes cannot be forked, `work` runs in this one. Raises `TimeLimitError` at the deadline."""
    import multiprocessing

    if "fork" not in multiprocessing.get_all_start_methods():
        return work()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    end_with_us = ending_with_us()

    def run() -> None:
        if end_with_us:
            end_with_us()
        try:
            sender.send((work(), None))
        except BaseException as error:
            sender.send((None, error))

    process = context.Process(target=run, daemon=True)
    try:
        # one that comes meanwhile is raised here, and the process ends all the same
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


def ending_with_us() -> Callable[[], object] | None:
    """What a new process calls first, so that Linux kills it when the thread that made it ends; None elsewhere."""
    if sys.platform != "linux":
        return None
    import ctypes

    parent, prctl = os.getpid(), ctypes.CDLL(None).prctl

    def begin() -> None:
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            # it ended before that
            os.kill(os.getpid(), signal.SIGKILL)

    return begin


@contextmanager
def without_collection() -> Iterator[None]:
    """Nothing is collected meanwhile; also a decorator. For making many small objects that will all be used: each
    thousand new lists makes Python look for cycles among them and, now and then, among all that there is. Solving a
    blank 25×25 takes two thirds more time with that."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
