"""Many questions on all cores, or on a cluster: places that answer them, and the answers in the order of the questions.

A place is a process on this machine, or a seat on a cluster. The first questions are answered in this process, since
most inputs are done before a process has started. A process that dies is replaced, and the questions that it had are
asked again one by one. A question is lost when two processes died that had nothing else to answer. An item may be many
questions that are answered together.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from ringdoku.domain.errors import UsageError
from ringdoku.solvers.base import News

if TYPE_CHECKING:
    from ringdoku.services.session import Session

HERE_SECONDS = 0.3
"""Work in this process before others are started: about what starting one takes."""
MOST_TOGETHER = 256
MOST_AHEAD = 2**14
"""Items after the oldest one that is open, which bounds the memory."""
MOST_QUESTIONS = 2**17
"""The same for the questions in them."""
LOOK_SECONDS = 0.05
"""Between two looks at whether more input has come."""
END_SECONDS = 1.0

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def cores() -> int:
    """As many as this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class Crew(Generic[Item, Answer]):
    """How items are answered.

    `here` answers an item in this process; `there` gives a question that can be pickled, which another process asks a
    session of its own. `lost` is the answer to an item whose processes died twice, and gets the reason. `on_death`
    hears of the first one, `on_interrupt` of the oldest open item when Ctrl-C comes. `jobs` is the number of processes,
    None for one a core as soon as they pay. `ready` says whether the next item comes at once; where it does not,
    answers do not wait for it. `size` is the number of questions in an item, `parts` are items of one each, and
    `on_answers` hears how many seconds so many questions took.

    A session with a cluster has all its questions answered there.
    """

    session: Session
    here: Callable[[Item], Answer]
    there: Callable[[Item], Callable[[Session], Answer]]
    lost: Callable[[Item, str], Answer]
    jobs: int | None = 1
    on_death: Callable[[Item, str], object] = lambda _item, _why: None
    on_interrupt: Callable[[Item], object] = lambda _item: None
    ready: Callable[[], bool] = lambda: True
    size: Callable[[Item], int] = lambda _item: 1
    parts: Callable[[Item], Sequence[Item]] = lambda item: (item,)
    on_answers: Callable[[int, float], object] = lambda _count, _seconds: None

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(f"a number of jobs is at least 1, not {self.jobs}")
        if self.session.cluster is not None and (self.jobs or 1) > 1:
            raise UsageError("a cluster decides itself how many jobs there are; leave jobs out")

    def answers(self, items: Iterator[Item]) -> Iterator[tuple[Item, Answer]]:
        """Each item with its answer, in order. An error of reading or answering one comes after those before it."""
        if self.session.cluster is not None:
            yield from self._answers_there(self.session.cluster, items)
            return
        jobs = cores() if self.jobs is None else self.jobs
        end = time.monotonic() + (HERE_SECONDS if self.jobs is None else 0)
        for item in items:
            if jobs > 1 and time.monotonic() >= end and self.ready():
                shift = _Shift(self, items, item, lambda: jobs, Process)
                if shift.has_several():
                    yield from shift.answers()
                    return
                yield item, self._here(item)
                shift.end()
            else:
                yield item, self._here(item)

    def _here(self, item: Item) -> Answer:
        start = time.monotonic()
        answer = self.here(item)
        self.on_answers(self.size(item), time.monotonic() - start)
        return answer

    def _answers_there(self, address: str, items: Iterator[Item]) -> Iterator[tuple[Item, Answer]]:
        # it imports this module
        from ringdoku.services.cluster import Cluster

        for item in items:
            with Cluster(address) as cluster:
                yield from _Shift(self, items, item, cluster.seats, cluster.seat).answers()


@dataclass
class _List:
    """Items that a place has, and their questions; `numbers` are without those that are answered. One that is asked
    again is `alone` there, so that only its own deaths count."""

    numbers: deque[int]
    count: int
    size: int
    alone: bool
    start: float = field(default_factory=time.monotonic)


Events: TypeAlias = "SimpleQueue[tuple[Place, list[Any] | None]]"
"""A place and (answer, None) or (None, error) for its next questions, or None at its end. Rivals in a race have news
there too."""


class Place(ABC):
    """Where lists of questions are answered, in their order; the answers go to `events`."""

    most_lists: int
    """It has the next questions before it is done with its last ones."""
    list_seconds: float
    """Quick questions are sent together, as many as take about so long."""

    def __init__(self, events: Events) -> None:
        self.lists: deque[_List] = deque()
        self._events = events

    @abstractmethod
    def ask(self, questions: list[Any]) -> None:
        """Ask them after those that were asked before."""

    @abstractmethod
    def end(self) -> str:
        """Why the place ended, if it did; otherwise it is ended."""


class _Shift(Generic[Item, Answer]):
    """The places at work, from the first item that they get to the end."""

    def __init__(
        self,
        crew: Crew[Item, Answer],
        items: Iterator[Item],
        first: Item,
        most_places: Callable[[], int],
        open_place: Callable[[tuple[str, int], Events], Place],
    ) -> None:
        self._crew = crew
        self._most_places = most_places
        self._open_place = open_place
        self._items = items
        self._pulled = deque((first,))
        self._error: Exception | None = None
        self._exhausted = False
        # items that are not answered yet by their numbers, these in order, and the answers that came early
        self._open: dict[int, Item] = {}
        self._order: deque[int] = deque()
        self._numbers = count()
        self._questions = 0
        self._done: dict[int, tuple[Any, Any]] = {}
        self._again: deque[int] = deque()
        self._suspects: set[int] = set()
        self._together = 1
        self._places: list[Place] = []
        self._events: Events = SimpleQueue()

    def has_several(self) -> bool:
        """Whether there is an item after the first one."""
        return self._pull()

    def end(self) -> None:
        """Raises the error of reading on, if there was one."""
        if self._error:
            raise self._error

    def answers(self) -> Iterator[tuple[Item, Answer]]:
        try:
            while True:
                self._hand_out()
                while self._order and self._order[0] in self._done:
                    number = self._order.popleft()
                    answer, error = self._done.pop(number)
                    item = self._open.pop(number)
                    self._questions -= self._crew.size(item)
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
                self._crew.on_interrupt(self._open[self._order[0]])
            raise
        finally:
            for place in self._places:
                place.end()

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
        while place := self._free_place():
            alone = bool(self._again)
            numbers = [self._again.popleft()] if alone else self._next_numbers()
            if not numbers:
                return
            questions = []
            for number in numbers:
                try:
                    questions.append((number, self._crew.there(self._open[number])))
                except Exception as error:
                    self._done[number] = None, error
            if questions:
                numbers, asked = map(list, zip(*questions, strict=True))
                size = sum(self._crew.size(self._open[number]) for number in numbers)
                place.lists.append(_List(deque(numbers), len(numbers), size, alone))
                place.ask(asked)

    def _next_numbers(self) -> list[int]:
        numbers: list[int] = []
        while len(numbers) < self._together and len(self._open) < MOST_AHEAD and self._questions < MOST_QUESTIONS:
            if not self._pulled and (self._exhausted or not self._crew.ready() or not self._pull()):
                break
            item = self._pulled.popleft()
            numbers.append(next(self._numbers))
            self._open[numbers[-1]] = item
            self._order.append(numbers[-1])
            self._questions += self._crew.size(item)
        return numbers

    def _free_place(self) -> Place | None:
        most = self._most_places()
        if not (self._again or self._pulled or not self._exhausted):
            return None
        shared = [place for place in self._places if not any(each.alone for each in place.lists)]
        idle = min(shared, key=lambda place: len(place.lists), default=None)
        if (idle is None or idle.lists) and len(self._places) < most:
            idle = self._open_place((self._crew.session.backend, self._crew.session.seed), self._events)
            self._places.append(idle)
        return idle if idle and len(idle.lists) < (1 if self._again else idle.most_lists) else None

    def _listen(self) -> None:
        """Wait for an answer, or for a moment where input may come."""
        try:
            place, answers = self._events.get(timeout=LOOK_SECONDS)
        except Empty:
            return
        if answers is None:
            self._replace(place)
            return
        for answer in answers:
            asked = place.lists[0]
            self._done[asked.numbers.popleft()] = answer
            if not asked.numbers:
                place.lists.popleft()
                seconds = time.monotonic() - asked.start
                self._crew.on_answers(asked.size, seconds)
                most = int(place.list_seconds * asked.count / max(seconds, 1e-6))
                self._together = max(1, min(2 * self._together, MOST_TOGETHER, most))
                if place.lists:
                    place.lists[0].start = time.monotonic()

    def _replace(self, place: Place) -> None:
        self._places.remove(place)
        why = place.end()
        left = [number for each in place.lists for number in each.numbers]
        if not left:
            return
        more = sum(self._crew.size(self._open[number]) for number in left) - 1
        begun = place.lists[0].numbers
        # what it had not begun stays together
        left[: len(begun)] = [part for number in begun for part in self._split(number)]
        first = left[0]
        item = self._open[first]
        if more:
            # which of them it was at is not known
            self._crew.on_death(item, f"the {why} with this and {more} more; they are asked again one by one")
        elif first in self._suspects:
            self._done[left.pop(0)] = self._crew.lost(item, f"its {why}"), None
        else:
            self._suspects.add(first)
            self._crew.on_death(item, f"its {why}; it is asked again")
        self._again.extend(left)

    def _split(self, number: int) -> list[int]:
        """The numbers of an item's parts, which come in its place."""
        item = self._open[number]
        if self._crew.size(item) == 1:
            return [number]
        parts = self._crew.parts(item)
        numbers = [next(self._numbers) for _ in parts]
        del self._open[number]
        self._open.update(zip(numbers, parts, strict=True))
        place, order = self._order.index(number), list(self._order)
        self._order = deque([*order[:place], *numbers, *order[place + 1 :]])
        return numbers


class Process(Place):
    """A process on this machine with a session of its own, and the threads that talk to it.

    `setup` is the session's backend and seed.
    """

    most_lists = 2
    list_seconds = 0.02

    def __init__(self, setup: tuple[str, int], events: Events) -> None:
        # takes as long to load as many puzzles to solve
        import subprocess

        super().__init__(events)
        self._inbox: SimpleQueue[list[Any] | News | None] = SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ringdoku.services.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C comes to this process alone
            start_new_session=True,
        )
        self._send(setup)
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._talk, self._hear)]
        for thread in self._threads:
            thread.start()

    def ask(self, questions: list[Any]) -> None:
        self._inbox.put(questions)

    def tell(self, news: News) -> None:
        """Makes it a rival in a race, before its question; later, what others found."""
        self._inbox.put(news)

    def end(self, seconds: float = END_SECONDS) -> str:
        """It has so many seconds to end programs that it started."""
        self._inbox.put(None)
        if seconds:
            self._process.terminate()
        due = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < due:
            time.sleep(0.01)
        if self._process.poll() is None and hasattr(os, "killpg"):
            # with the programs that it started
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        code = self._process.wait()
        for thread in self._threads:
            thread.join()
        with contextlib.suppress(BrokenPipeError), self._process:
            pass
        return f"process {self._process.pid} {f'was killed by signal {-code}' if code < 0 else f'ended with {code}'}"

    def _talk(self) -> None:
        while (message := self._inbox.get()) is not None:
            self._send(message)

    def _send(self, message: object) -> None:
        assert self._process.stdin
        # whoever reads the answers sees that the process is gone
        with contextlib.suppress(BrokenPipeError, ValueError):
            pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()

    def _hear(self) -> None:
        assert self._process.stdout
        try:
            while True:
                self._events.put((self, pickle.load(self._process.stdout)))
        except Exception:
            # the end of the process, or an answer that it did not write to its end
            self._events.put((self, None))
