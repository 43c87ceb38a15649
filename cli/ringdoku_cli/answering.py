"""What commands that answer puzzle by puzzle share: ask, write, and keep the worst exit code."""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, Generic, TextIO, TypeAlias, TypeVar

from ringdoku import Grid, InputError, Puzzle, Result, Session, Status, TimeLimitError
from ringdoku.domain import WorkerDiedError, counted, word_in
from ringdoku.domain.checker import repeats
from ringdoku.services.lines import Lines, only_solutions_of
from ringdoku.services.session import shared_answers
from ringdoku.text import Entry
from ringdoku_cli.certificates import Certified, Claimed
from ringdoku_cli.exits import Exit, can_erase, note, show, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.options import Inputs, Output
from ringdoku_cli.outputs import NUMBER, Answers, Writer, require_a_file_for_each

Answer = TypeVar("Answer")
Ask: TypeAlias = Callable[[Session, "Progress"], Iterable[Any]]


@dataclass(frozen=True)
class Question:
    """What is asked of a puzzle, which has a number from 1; `ask` can be pickled where other processes may get it.
    Of many plain `lines`, each answer is text to be written, or the index of a line and the answer to it."""

    number: int
    entry: Entry
    ask: Ask
    lines: "Lines | None" = None


@dataclass(frozen=True)
class Job(Generic[Answer]):
    """What a command asks of each puzzle, and what becomes of the answers. `writer_on` makes what turns them into text
    for a stream; `exit_of` says how the command ends, and on standard error what standard output does not say. `lost`
    stands for the answer of a process that died, and for one that the time limit cut short; `alone` asks in this one.
    `finish` makes an answer of what was asked and what was found; `claim` is what can be certified of all that was
    found of a puzzle, or why nothing can. `lines` is what is asked of plain lines; `verify`: a wrong solution beside a
    puzzle is an error."""

    session: Session
    ask: Callable[[Entry], Ask]
    writer_on: Callable[[TextIO], Writer]
    exit_of: Callable[[Entry, Answer], Exit]
    lost: Any = None
    alone: bool = False
    finish: Callable[[Any, Any], Answer] = lambda _, found: found
    certified: Certified = field(default_factory=Certified)
    time_limit: float | None = None
    claim: Callable[[Entry, list[Any]], Claimed | str] = lambda *_: ""
    lines: "Callable[[Lines, Session, Progress], Iterable[str | tuple[int, Any]]] | None" = None
    verify: bool = True

    def run(
        self, inputs: Inputs, output: Output, form: str | None = None, several: bool = False, one: str = ""
    ) -> Exit:
        """Answers all puzzles of the inputs, in order. Returns the worst exit code of these and of reading. `several`:
        a puzzle may have more than one grid; `one` says what is for one puzzle."""
        exit_code = Exit.OK
        with (
            inputs.puzzles(self.verify) as puzzles,
            Answers(output.output, output.force, self.writer_on, inputs.files) as answers,
            Progress(answers.stream) as progress,
        ):
            require_a_file_for_each(puzzles, output.output or "", form, several)
            name = self.certified.certificate
            if name and NUMBER not in name:
                one = f"--certificate '{name}-{NUMBER}' names a pair of files for each"
            if one:
                puzzles.require_one(one)
            for question, found in shared_answers(
                self.session,
                1 if self.alone else self.session.jobs,
                self._questions(puzzles, answers),
                lambda question: question.ask(self.session, progress),
                lambda question: partial(_listed, question.ask),
                puzzles.ready,
            ):
                known = self._each(question, found, progress)
                exit_code = worst(exit_code, self._write(puzzles, answers, question, known))
            return worst(exit_code, puzzles.exit)

    def _each(self, question: Question, answers: Callable[[], Iterable[Any]], progress: "Progress") -> Iterator[Any]:
        """The answers to a question; `lost` stands for what is not known."""
        place, count = question.entry.place, len(question.lines) if question.lines else 1
        progress.begin()
        try:
            for found in answers():
                progress.end()
                yield found
                progress.begin()
        except KeyboardInterrupt:
            progress.end()
            missed = f" before all {count} puzzles were answered" if count > 1 else " before it was answered"
            note(f"{place}: interrupted{f': {progress.latest}' if progress.latest else missed}")
            raise
        except (WorkerDiedError, TimeLimitError) as error:
            if isinstance(error, WorkerDiedError):
                note(f"{place}: {error}")
            yield from enumerate([self.lost] * count) if question.lines else [self.lost]
        finally:
            progress.end()
        progress.done += count
        progress.latest = ""

    def _questions(self, puzzles: Puzzles, answers: Answers) -> Iterator[Question]:
        if self.lines and not self.alone and answers.takes_lines and (lines := puzzles.plain_lines()):
            for part in lines.batches() if self.session.backend == "auto" else lines.batches(20):  # others take longer
                yield Question(part.first, puzzles.entry_of(part, 0), partial(self.lines, part), part)
            return
        for number, entry in enumerate(puzzles, 1):
            answers.begin(number, entry)
            self.certified.begin(number, entry, answers.force)
            try:
                ask = self.ask(entry)
            except InputError as error:
                puzzles.refuse(error)
            else:
                yield Question(number, entry, ask)

    def _write(self, puzzles: Puzzles, answers: Answers, question: Question, found: Iterable[Any]) -> Exit:
        number, entry, ask, exit_code = question.number, question.entry, question.ask, Exit.OK
        kept, waiting = list[Any](), list[Any]()
        for item in found:
            raw = item
            if isinstance(item, str):
                answers.write_text(item)
                continue
            if question.lines:
                index, raw = item
                number, entry = question.number + index, puzzles.entry_of(question.lines, index)
                ask = self.ask(entry)
            answer = self.finish(ask, raw)
            if self.certified.certificate:
                kept.append(raw)
                # it decides on what is somebody's word
                if waiting or word_in(raw.ground):
                    waiting.append(answer)
                    continue
            exit_code = worst(exit_code, self._show(answers, number, entry, answer))
        if self.certified.certificate:
            claimed = self.claim(entry, kept)
            made, said = self.certified.write(number, entry, claimed, self.time_limit, answers.force)
            shown = [self._show(answers, number, entry, answer) for answer in waiting]
            exit_code = worst(exit_code, made, *shown)
            if said:
                note(f"{entry.place}: {said}")
        return exit_code

    def _show(self, answers: Answers, number: int, entry: Entry, answer: Answer) -> Exit:
        # of several results the last one is shown only if it is certain
        if not isinstance(answer, Result) or answer.rank == 1 or answer.status.is_final:
            answers.write(number, entry, answer, getattr(answer, "rank", 1))
        return self.exit_of(entry, answer)


def _listed(ask: Ask, session: Session) -> list[Any]:
    return list(ask(session, Progress()))


class Progress:
    """A line on a terminal while puzzles are answered: what is known of the open question, and how many are done. It is
    on standard error, where that is a terminal, and appears when a question takes a second; with answers in a file,
    when all of them do. It is erased before an answer is written. `latest` is what is known, in words. A context
    manager, which begins with what it is `doing` where that is said."""

    def __init__(self, output: TextIO | None = None, doing: str = "") -> None:
        self.latest, self.done = doing, 0
        self._start = time.monotonic()
        self._since: float | None = None
        self._lock, self._over = Lock(), Event()
        self._is_beside = self._is_shown = False
        if output is not None and can_erase():
            # answers in a pipe may be printed on the terminal too
            self._is_beside = output.seekable()
            Thread(target=self._watch, daemon=True).start()

    def __enter__(self) -> "Progress":
        if self.latest:
            self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.end()

    def begin(self) -> None:
        """A question is asked."""
        self._since = self._start if self._is_beside else time.monotonic()

    def end(self) -> None:
        """There is an answer to write, or all is over."""
        with self._lock:
            if self._over.is_set() or not self._is_beside:
                self._since = None
                if self._is_shown:
                    show("")
                    self._is_shown = False

    def _watch(self) -> None:
        while not self._over.wait(0.2):
            with self._lock:
                if self._since is not None and time.monotonic() > self._since + 1.0:
                    done = f"{counted(self.done, 'puzzle')} " if self.done else ""
                    known = f": {self.latest}" if self.latest else ""
                    line = f"{done}{time.monotonic() - self._start:.0f} s{known}"
                    self._is_shown = True
                    show(line[: shutil.get_terminal_size().columns - 1])


def enumerated(
    session: Session, puzzle: Puzzle, at_most: int | None, time_limit: float | None, progress: Progress, grids: bool
) -> Iterator[Result]:
    """Each solution once if the `grids` are wanted, and last a result without a grid, with a rank above their number:
    infeasible if there are no more, and unknown if there may be, at the time limit (seconds) or because there is one
    more than `at_most`. `seconds` are wall-clock time."""
    start, known, status, ground = time.perf_counter(), 0, Status.UNKNOWN, ""
    progress.latest = "no solution yet"
    with suppress(TimeLimitError):
        for found in session.solutions(puzzle, time_limit) if grids else session.counts(puzzle, time_limit):
            known = found if isinstance(found, int) else known + 1
            if at_most is not None and known > at_most:
                known = at_most
                break
            progress.latest = f"at least {counted(known, 'solution')}"
            if isinstance(found, Grid):
                seconds = time.perf_counter() - start
                by = session.answered_by
                yield Result(Status.SATISFIABLE, found, backend=by, seconds=seconds, rank=known, ground="the grid")
        else:
            status, ground = Status.INFEASIBLE, session.ground
    seconds = time.perf_counter() - start
    yield Result(status, backend=session.answered_by, seconds=seconds, rank=known + 1, ground=ground)


def unless_only(
    known: Answer,
    ask: Callable[[Puzzle, Session, Progress], Iterator[Answer]],
    lines: Lines,
    session: Session,
    progress: Progress,
) -> Iterator[tuple[int, Answer]]:
    """The index of each of the plain lines: with `known` where it has exactly one solution, else with what is asked."""
    for index, is_only in enumerate(only_solutions_of(lines, session)[1].tolist()):
        for found in [known] if is_only else ask(lines.puzzle(index), session, progress):
            yield index, found


def note_second_solution(entry: Entry, result: Result) -> None:
    """Says that a puzzle that was shared has a second solution, unless that takes longer to find out than 2 seconds."""
    if entry.may_lack_rules and result.grid is not None:
        with suppress(TimeLimitError):
            if Session().count_solutions(entry.puzzle, 2, 2.0) > 1:
                more = f": {' '.join(entry.about.split())}" if entry.about else ""
                note(f"{entry.place}: more than one solution; the setter's rules text may say more than the file{more}")


def note_contradiction(entry: Entry) -> None:
    """Why a puzzle has no solution, where that is plain: two clues that break a rule together."""
    if repeat := next(repeats(entry.puzzle, entry.puzzle.clues), None):
        note(f"{entry.place}: the clues contradict each other: {repeat}")
