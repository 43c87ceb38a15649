"""What commands that answer puzzle by puzzle share: ask, write, and keep the worst exit code."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TextIO, TypeAlias, TypeVar

from ringdoku.domain.checker import repeats
from ringdoku.domain.errors import TimeLimitError, WorkerDiedError
from ringdoku.domain.numbers import counted
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.services import Session
from ringdoku.services.session import shared
from ringdoku.solvers.registry import Ability, find
from ringdoku.text import Entry
from ringdoku_cli.certificates import Certificates, Claimed
from ringdoku_cli.exits import Exit, note, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.options import Inputs, Output
from ringdoku_cli.outputs import NUMBER, Answers, Writer, require_a_file_for_each
from ringdoku_cli.progress import Progress

if TYPE_CHECKING:
    from ringdoku.services.lines import Lines

Answer = TypeVar("Answer")
Ask: TypeAlias = Callable[[Session, Progress], Iterable[Any]]


@dataclass(frozen=True)
class Question:
    """What is asked of a puzzle, which has a number from 1; `ask` can be pickled where other processes may get it.
    Of many plain `lines`, each answer is text to be written, or the index of a line and the answer to it."""

    number: int
    entry: Entry
    ask: Ask
    lines: Lines | None = None


@dataclass(frozen=True)
class Job(Generic[Answer]):
    """What a command asks of each puzzle, and what becomes of the answers.

    `writer_on` makes what turns them into text for a stream; `exit_of` says how the command ends, and on standard error
    what standard output does not say. `lost` stands for the answer of a process that died; `alone` asks in this one.
    `finish` makes an answer of what was asked for; `rank_of` is its place among those of its puzzle, 0 where it is not
    written; `claim` is what can be certified of all answers to a puzzle, or why nothing can. `lines` is what is asked
    of plain lines.
    """

    session: Session
    ask: Callable[[Entry], Ask]
    writer_on: Callable[[TextIO], Writer]
    exit_of: Callable[[Entry, Answer], Exit]
    lost: Any
    alone: bool = False
    finish: Callable[[Question, Any], Answer] = lambda _, answer: answer
    rank_of: Callable[[Answer], int] = lambda _: 1
    certificates: Certificates | None = None
    claim: Callable[[Entry, list[Answer]], Claimed | str] = lambda *_: ""
    lines: Callable[[Lines, Session, Progress], Iterable[str | tuple[int, Any]]] | None = None

    def run(
        self,
        inputs: Inputs,
        output: Output,
        form: str | None = None,
        several: bool = False,
        weights: Objective | None = None,
        verify: bool = True,
        one: str = "",
    ) -> Exit:
        """Answers all puzzles of the inputs, in order. Returns the worst exit code of these and of reading.

        `several`: a puzzle may have more than one grid; `one` says what is for one puzzle.
        """
        exit_code = Exit.OK
        with inputs.puzzles(weights, verify) as puzzles, output.answers(self.writer_on, inputs.files) as answers:
            require_a_file_for_each(puzzles, output.output or "", form, several)
            if self.certificates and NUMBER not in self.certificates.name:
                one = f"--certificate '{self.certificates.name}-{NUMBER}' names a pair of files for each"
            if one:
                puzzles.require_one(one)
            questions = self._questions(puzzles, answers)
            for question, found in answered(self.session, puzzles, questions, answers.stream, self.lost, self.alone):
                exit_code = worst(exit_code, self._write(puzzles, answers, question, found))
            return worst(exit_code, puzzles.exit)

    def _questions(self, puzzles: Puzzles, answers: Answers) -> Iterator[Question]:
        if self.lines and not self.alone and answers.takes_lines and (lines := puzzles.plain_lines()):
            for part in lines.parts():
                yield Question(part.first, puzzles.entry_of(part, 0), partial(self.lines, part), part)
            return
        for number, entry in enumerate(puzzles, 1):
            answers.begin(number, entry)
            if self.certificates:
                self.certificates.begin(number, entry)
            yield Question(number, entry, self.ask(entry))

    def _write(self, puzzles: Puzzles, answers: Answers, question: Question, found: Iterable[Any]) -> Exit:
        exit_code, kept = Exit.OK, list[Answer]()
        for item in found:
            one, raw = question, item
            if question.lines and isinstance(item, str):
                answers.write_text(item)
                continue
            if question.lines:
                index, raw = item
                entry = puzzles.entry_of(question.lines, index)
                one = Question(question.number + index, entry, self.ask(entry))
            answer = self.finish(one, raw)
            if rank := self.rank_of(answer):
                answers.write(one.number, one.entry, answer, rank)
            exit_code = worst(exit_code, self.exit_of(one.entry, answer))
            if self.certificates:
                kept.append(answer)
        if self.certificates:
            claimed = self.claim(question.entry, kept)
            exit_code = worst(exit_code, self.certificates.write(question.number, question.entry, claimed))
        return exit_code


def answered(
    session: Session,
    puzzles: Puzzles,
    questions: Iterable[Question],
    output: TextIO,
    lost: Any = None,
    alone: bool = False,
) -> Iterator[tuple[Question, Iterable[Any]]]:
    """Each question with its answers, in order, from this process or, unless `alone`, from where the session has jobs
    or a cluster; `output` is where they will be written, and `lost` stands for the answer of a process that died."""
    progress = Progress(output)
    here, jobs = partial(_here, session, progress), 1 if alone else session.jobs
    try:
        for question, answers in shared(session, jobs, questions, here, _there, puzzles.ready):
            count = len(question.lines) if question.lines else 1
            try:
                found = answers()
            except KeyboardInterrupt:
                _note_interrupt(question.entry)
                raise
            except WorkerDiedError as error:
                note(f"{question.entry.place}: {error}")
                found = enumerate([lost] * count) if question.lines else [lost]
            yield question, found
            progress.done += count
            progress.latest = ""
    finally:
        progress.end(over=True)


def _here(session: Session, progress: Progress, question: Question) -> Iterator[Any]:
    """The answers as they are found in this process."""
    session.on_death = lambda why: note(f"{question.entry.place}: {why}")
    progress.begin()
    try:
        for found in question.ask(session, progress):
            progress.end()
            yield found
            progress.begin()
    except KeyboardInterrupt:
        progress.end()
        _note_interrupt(question.entry, progress.latest)
        raise
    finally:
        progress.end()


def _there(question: Question) -> Callable[[Session], list[Any]]:
    return partial(_listed, question.ask)


def _listed(ask: Ask, session: Session) -> list[Any]:
    return list(ask(session, Progress()))


def _note_interrupt(entry: Entry, known: str = "") -> None:
    """Which puzzle is the first without an answer."""
    note(f"{entry.place}: interrupted{f': {known}' if known else ' before it was answered'}")


def enumerated(
    session: Session, puzzle: Puzzle, at_most: int | None, time_limit: float | None, progress: Progress
) -> Iterator[Result]:
    """Each solution once, and last a result without a grid: infeasible if there are no more, and unknown if there may
    be, at the time limit (seconds) or because there is one more than `at_most`. `seconds` are wall-clock time."""
    start, rank, status, word_of = time.perf_counter(), 1, Status.UNKNOWN, ""
    backend = find(session.backend, Ability.ENUMERATE, puzzle=puzzle).name
    progress.hear("no solution yet")
    with suppress(TimeLimitError):
        for grid in session.solutions(puzzle, time_limit):
            if at_most is not None and rank > at_most:
                break
            progress.hear(f"at least {counted(rank, 'solution')}")
            seconds = time.perf_counter() - start
            yield Result(Status.SATISFIABLE, grid, backend=backend, seconds=seconds, rank=rank)
            rank += 1
        else:
            status, word_of = Status.INFEASIBLE, session.word_of
    yield Result(status, backend=backend, seconds=time.perf_counter() - start, rank=rank, word_of=word_of)


def note_second_solution(entry: Entry, result: Result) -> None:
    """Says that a puzzle that was shared has a second solution, unless that takes longer to find out than 2 seconds."""
    if entry.shared and result.grid is not None:
        with suppress(TimeLimitError):
            if Session().count_solutions(entry.puzzle, 2, 2.0) > 1:
                note_more_than_one(entry)


def note_more_than_one(entry: Entry) -> None:
    """The hint for a puzzle of another program that has several solutions."""
    more = f": {entry.about}" if entry.about else ""
    note(f"{entry.place}: more than one solution; the setter's rules text may say more than the file{more}")


def note_contradiction(entry: Entry) -> None:
    """Why a puzzle has no solution, where that is plain: two clues that break a rule together."""
    if repeat := next(repeats(entry.puzzle, entry.puzzle.clues), None):
        note(f"{entry.place}: the clues contradict each other: {repeat}")
