"""Batches on this machine, so many at a time, each in a process of its own that a thread waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from queue import Queue
from threading import Event, Lock, Thread

from ringdoku.services.compare.measurement import Measurement
from ringdoku.services.compare.plan import Batch
from ringdoku.services.compare.process import measure


def measure_here(batches: Iterable[Batch], jobs: int) -> Iterator[Measurement]:
    """Measurements as they are made. To leave early, by an error or Ctrl-C, kills what runs and waits for its end."""
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
