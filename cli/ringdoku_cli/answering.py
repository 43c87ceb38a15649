"""The loop of every command that answers puzzle by puzzle: ask, write, and keep the worst exit code."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, TextIO, TypeVar

from ringdoku.domain.checker import repeats
from ringdoku.domain.errors import TimeLimitError, WorkerDiedError
from ringdoku.domain.numbers import counted
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.services import Session
from ringdoku.services.session import shared
from ringdoku.solvers.base import Ability
from ringdoku.solvers.registry import find
from ringdoku.text import Entry
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.messages import note
from ringdoku_cli.progress import Progress

if TYPE_CHECKING:
    from ringdoku.services.lines import Lines

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Question(Generic[Answer]):
    """What is asked of a puzzle, which has a number from 1; `ask` can be pickled where other processes may get it."""

    number: int
    entry: Entry
    ask: Callable[[Session, Progress], Iterable[Answer]]


@dataclass(frozen=True)
class Together(Question[Answer]):
    """What is asked of many plain lines, with an answer for each; `each` makes what is asked of a puzzle alone."""

    lines: Lines
    each: Callable[[int, Entry], Question[Answer]]


Item = TypeVar("Item", bound="Question[Any]")


@dataclass(frozen=True)
class Loop:
    """How puzzles are answered: by a session, in this process `alone` or where the session has jobs or a cluster, while
    `output` gets the answers. `lost` is the answer to a puzzle whose process died."""

    session: Session
    output: TextIO
    lost: Any
    alone: bool = False

    def run(self, puzzles: Puzzles, questions: Iterator[Item], write: Callable[[Item, Iterable[Any]], Exit]) -> Exit:
        """Asks every question and writes its answers, in order. Returns the worst exit code of these and of reading."""
        progress, exit_code = Progress(), Exit.OK
        with progress.shown(self.output):
            for question, answers in self._answered(puzzles, questions, progress):
                for one, found in _one_by_one(puzzles, question, answers):
                    exit_code = worst(exit_code, write(one, found))
                progress.next_puzzle(puzzles.share_read)
        return worst(exit_code, puzzles.exit)

    def _answered(
        self, puzzles: Puzzles, questions: Iterator[Item], progress: Progress
    ) -> Iterator[tuple[Item, Iterable[Any]]]:
        here, jobs = partial(self._here, progress), 1 if self.alone else self.session.jobs
        for question, answers in shared(self.session, jobs, questions, here, _elsewhere, puzzles.ready):
            try:
                found = answers()
            except KeyboardInterrupt:
                _note_interrupt(question.entry)
                raise
            except WorkerDiedError as error:
                note(f"{question.entry.place}: {error}")
                found = [self.lost] * (len(question.lines) if isinstance(question, Together) else 1)
            yield question, found

    def _here(self, progress: Progress, question: Item) -> Iterator[Any]:
        """The answers as they are found in this process."""
        entry = question.entry
        self.session.on_death = lambda why: note(f"{entry.place}: {why}")
        # asked within the loop, so that an interrupt of the first answer is noted too
        answers = chain.from_iterable(question.ask(self.session, progress) for _ in range(1))
        while True:
            progress.begin()
            try:
                found = list(islice(answers, 1))
            except KeyboardInterrupt:
                progress.end()
                _note_interrupt(entry, progress.latest)
                raise
            finally:
                progress.end()
            if not found:
                return
            yield found[0]


def together(
    puzzles: Puzzles,
    lines: Lines,
    ask: Callable[[Lines, Session, Progress], Iterable[Answer]],
    each: Callable[[int, Entry], Question[Answer]],
) -> Iterator[Together[Answer]]:
    """The questions of plain lines; `ask` can be pickled."""
    for part in lines.parts():
        yield Together(part.first, puzzles.entry_of(part, 0), partial(ask, part), part, each)


def _one_by_one(puzzles: Puzzles, question: Any, answers: Iterable[Any]) -> Iterator[tuple[Any, Iterable[Any]]]:
    """A question of many puzzles as those of one each."""
    if isinstance(question, Together):
        for index, answer in enumerate(answers):
            yield question.each(question.number + index, puzzles.entry_of(question.lines, index)), [answer]
    else:
        yield question, answers


def _elsewhere(question: Question[Answer]) -> Callable[[Session], list[Answer]]:
    return partial(_listed, question.ask)


def _listed(ask: Callable[[Session, Progress], Iterable[Answer]], session: Session) -> list[Answer]:
    return list(ask(session, Progress()))


def _note_interrupt(entry: Entry, known: str = "") -> None:
    """Which puzzle is the first without an answer."""
    note(f"{entry.place}: interrupted{f': {known}' if known else ' before it was answered'}")


class Enumeration:
    """The solutions of one puzzle, each once; to be iterated over once.

    `count` is how many there were so far; at the end `is_complete` says whether these are all solutions. They are not
    if the time limit (seconds) passed, `timed_out`, or if there is one more than `at_most`. `seconds` is wall-clock
    time up to the last.
    """

    def __init__(
        self, session: Session, puzzle: Puzzle, at_most: int | None, time_limit: float | None, progress: Progress
    ) -> None:
        self.count = 0
        self.is_complete = False
        self.backend = find(session.backend, Ability.ENUMERATE, puzzle=puzzle).name
        self.timed_out = False
        self.seconds = 0.0
        self._solutions = session.solutions(puzzle, time_limit)
        self._at_most = at_most
        self._progress = progress

    def __iter__(self) -> Iterator[Result]:
        start = time.perf_counter()
        self._progress.hear("no solution yet")
        try:
            for grid in self._solutions:
                if self.count == self._at_most:
                    return
                self.count += 1
                self._progress.hear(f"at least {counted(self.count, 'solution')}")
                self.seconds = time.perf_counter() - start
                yield Result(Status.SATISFIABLE, grid, backend=self.backend, seconds=self.seconds, rank=self.count)
        except TimeLimitError:
            self.timed_out = True
            return
        finally:
            self.seconds = time.perf_counter() - start
        self.is_complete = True


SECOND_SECONDS = 2.0
"""For the question whether a shared puzzle has a second solution."""


def note_second_solution(entry: Entry, result: Result) -> None:
    """Says that a puzzle that was shared has a second solution: its rules text may then say more than its file."""
    if not entry.shared or result.grid is None:
        return
    with suppress(TimeLimitError):
        if len(list(islice(Session().solutions(entry.puzzle, SECOND_SECONDS), 2))) > 1:
            note_more_than_one(entry)


def note_more_than_one(entry: Entry) -> None:
    """The hint for a puzzle of another program that has several solutions."""
    more = f": {entry.about}" if entry.about else ""
    note(f"{entry.place}: more than one solution; the setter's rules text may say more than the file{more}")


def note_contradiction(entry: Entry) -> None:
    """Why a puzzle has no solution, where that is plain: two clues that break a rule together."""
    if repeat := next(repeats(entry.puzzle, entry.puzzle.clues), None):
        note(f"{entry.place}: the clues contradict each other: {repeat}")
