"""Many questions on all cores: processes that answer them, and the answers in the order of the questions.

The first questions are answered in this process, since most inputs are done before a process has started. A process
that dies is replaced, and the questions that it had are asked again one by one. A question is lost when two processes
died that had nothing else to answer.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ringdoku.domain.errors import UsageError
from ringdoku.services.race import cores
from ringdoku.services.worker import Worker

if TYPE_CHECKING:
    from ringdoku.services.session import Session

HERE_SECONDS = 0.3
"""Work in this process before others are started: about what starting one takes."""
BATCH_SECONDS = 0.02
"""Quick questions are sent together, as many as take about so long."""
MOST_TOGETHER = 256
MOST_AHEAD = 2**14
"""Questions after the oldest one that is open, which bounds the memory."""
LISTS_A_WORKER = 2
"""A worker has the next questions before it is done with its last ones."""
LOOK_SECONDS = 0.05
"""Between two looks at whether more input has come."""

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass
class Crew(Generic[Item, Answer]):
    """How items are answered.

    `here` answers an item in this process; `there` gives a question that can be pickled, which another process asks a
    session of its own. `lost` is the answer to an item whose processes died twice, and gets the reason. `on_death`
    hears of the first one, `on_interrupt` of the oldest open item when Ctrl-C comes. `jobs` is the number of processes,
    None for one a core as soon as they pay. `ready` says whether the next item comes at once; where it does not,
    answers do not wait for it.
    """

    session: Session
    here: Callable[[Item], Answer]
    there: Callable[[Item], Callable[[Session], Answer]]
    lost: Callable[[Item, str], Answer]
    jobs: int | None = 1
    on_death: Callable[[Item, str], object] = lambda _item, _why: None
    on_interrupt: Callable[[Item], object] = lambda _item: None
    ready: Callable[[], bool] = lambda: True

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"a number of jobs is at least 1, not {self.jobs}")

    def answers(self, items: Iterator[Item]) -> Iterator[tuple[Item, Answer]]:
        """Each item with its answer, in order. An error of reading or answering one comes after those before it."""
        jobs = cores() if self.jobs is None else self.jobs
        end = time.monotonic() + (HERE_SECONDS if self.jobs is None else 0)
        for item in items:
            if jobs > 1 and time.monotonic() >= end and self.ready():
                shift = _Shift(self, jobs, items, item)
                if shift.has_several:
                    yield from shift.answers()
                    return
                yield item, self.here(item)
                shift.end()
            else:
                yield item, self.here(item)


class _Shift(Generic[Item, Answer]):
    """The processes at work, from the first item that they get to the end."""

    def __init__(self, crew: Crew[Item, Answer], jobs: int, items: Iterator[Item], first: Item) -> None:
        self._crew = crew
        self._jobs = jobs
        self._items = items
        self._pulled = deque((first,))
        self._error: Exception | None = None
        self._exhausted = False
        # items that are not answered yet, from the number `_oldest` on, and the answers that came early
        self._open: deque[Item] = deque()
        self._oldest = 0
        self._done: dict[int, tuple[Any, Any]] = {}
        self._again: deque[int] = deque()
        self._suspects: set[int] = set()
        self._together = 1
        self._workers: list[_Worker] = []
        self._events: SimpleQueue[tuple[_Worker, Any]] = SimpleQueue()
        self.has_several = self._pull()

    def end(self) -> None:
        """Raises the error of reading on, if there was one."""
        if self._error:
            raise self._error

    def answers(self) -> Iterator[tuple[Item, Answer]]:
        try:
            while True:
                self._hand_out()
                while self._oldest in self._done:
                    answer, error = self._done.pop(self._oldest)
                    self._oldest += 1
                    item = self._open.popleft()
                    if error is not None:
                        raise error
                    yield item, answer
                if not self._open:
                    if self._exhausted:
                        self.end()
                        return
                    # nobody waits for an answer, so reading may take its time
                    self._pull()
                    continue
                self._listen()
        except KeyboardInterrupt:
            if self._open:
                self._crew.on_interrupt(self._open[0])
            raise
        finally:
            for worker in self._workers:
                worker.end()

    def _pull(self) -> bool:
        """Read an item ahead; an error, which comes after the answers before it, is the end."""
        try:
            self._pulled.append(next(self._items))
        except StopIteration:
            self._exhausted = True
        except Exception as error:
            self._error, self._exhausted = error, True
        return not self._exhausted

    def _hand_out(self) -> None:
        while worker := self._free_worker():
            numbers = [self._again.popleft()] if self._again else self._next_numbers()
            if not numbers:
                return
            questions = []
            for number in numbers:
                try:
                    questions.append((number, self._crew.there(self._open[number - self._oldest])))
                except Exception as error:
                    self._done[number] = None, error
            if questions:
                worker.ask(*map(list, zip(*questions, strict=True)))

    def _next_numbers(self) -> list[int]:
        numbers: list[int] = []
        while len(numbers) < self._together and len(self._open) < MOST_AHEAD:
            if not self._pulled and (self._exhausted or not self._crew.ready() or not self._pull()):
                break
            numbers.append(self._oldest + len(self._open))
            self._open.append(self._pulled.popleft())
        return numbers

    def _free_worker(self) -> _Worker | None:
        if not (self._again or self._pulled or not self._exhausted):
            return None
        idle = min(self._workers, key=lambda worker: len(worker.lists), default=None)
        if (idle is None or idle.lists) and len(self._workers) < self._jobs:
            idle = _Worker(self._crew.session, self._events)
            self._workers.append(idle)
        return idle if idle and len(idle.lists) < LISTS_A_WORKER else None

    def _listen(self) -> None:
        """Wait for an answer, or for a moment where input may come."""
        try:
            worker, answers = self._events.get(timeout=None if self._exhausted else LOOK_SECONDS)
        except Empty:
            return
        if answers is None:
            self._replace(worker)
            return
        for answer in answers:
            self._done[worker.lists[0].numbers.popleft()] = answer
        if not worker.lists[0].numbers:
            finished = worker.lists.popleft()
            pace = (time.monotonic() - finished.start) / finished.count
            self._together = max(1, min(2 * self._together, MOST_TOGETHER, int(BATCH_SECONDS / max(pace, 1e-6))))
            if worker.lists:
                worker.lists[0].start = time.monotonic()

    def _replace(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        why = worker.end()
        left = [number for each in worker.lists for number in each.numbers]
        if not left:
            return
        first = left[0]
        item = self._open[first - self._oldest]
        if worker.lists[0].count > 1:
            # which of them it was at is not known
            self._crew.on_death(item, f"the {why} with this and {len(left) - 1} more; they are asked again one by one")
        elif first in self._suspects:
            self._done[left.pop(0)] = self._crew.lost(item, f"its {why}"), None
        else:
            self._suspects.add(first)
            self._crew.on_death(item, f"its {why}; it is asked again")
        self._again.extend(left)


@dataclass
class _List:
    """Questions that a worker has; their numbers, without those that are answered."""

    numbers: deque[int]
    count: int
    start: float = field(default_factory=time.monotonic)


class _Worker(Worker):
    """A process with the questions that it has."""

    def __init__(self, session: Session, events: SimpleQueue[tuple[_Worker, Any]]) -> None:
        self.lists: deque[_List] = deque()
        super().__init__(session.backend, session.seed, events)

    def ask(self, numbers: list[int], questions: list[Any]) -> None:
        self.lists.append(_List(deque(numbers), len(numbers)))
        self.send(questions)
