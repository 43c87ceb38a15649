"""What commands that answer puzzle by puzzle share: `Job.run` does it, `Progress` shows on a terminal how far it is."""

import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, Generic, TextIO, TypeAlias, TypeVar

from ringdoku import Grid, InputError, Puzzle, Result, Session, Status, TimeLimitError
from ringdoku.domain import WorkerDiedError, counted, word_in
from ringdoku.domain.checker import repeats
from ringdoku.services.lines import Lines, only_solutions_of
from ringdoku.services.session import count_or_none, shared_answers
from ringdoku.text import Entry
from ringdoku_cli.certificates import Certificates, Claimed
from ringdoku_cli.exits import Exit, can_erase, note, show, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.options import Inputs, Output
from ringdoku_cli.outputs import NUMBER, Answers, Writer, require_a_file_for_each

Answer = TypeVar("Answer")
Query: TypeAlias = Callable[[Session, "Progress"], Iterable[Any]]


@dataclass(frozen=True)
class Question:
    """The query for puzzle `number`, from 1, which can be pickled if other processes may run it. If `lines` are given,
    it answers them all: each answer is text to be written, or the index of a line and the answer to it."""

    number: int
    entry: Entry
    query: Query
    lines: "Lines | None" = None


@dataclass(frozen=True)
class Job(Generic[Answer]):
    """What a command asks of each puzzle, and what it does with the answers."""

    session: Session
    _: KW_ONLY
    query_of: Callable[[Entry], Query]
    writer_on: Callable[[TextIO], Writer]
    """Returns the writer that turns answers into text for a stream."""
    exit_of: Callable[[Entry, Answer], Exit]
    """Returns the exit code of an answer, and prints on standard error what standard output leaves out."""
    unknown: Any = None
    """The answer where a worker process died or the time limit came first."""
    limits: Collection[Exit] = ()
    """Exit codes for limits that the writer reached."""
    finish: Callable[[Any, Any], Answer] = lambda _, result: result
    """Makes an answer from a query and its result."""
    certificates: Certificates = field(default_factory=Certificates)
    time_limit: float | None = None
    claim: Callable[[Entry, list[Any]], Claimed | str] = lambda *_: ""
    """Returns what can be certified of all results, or why nothing can."""
    answer_lines: "Callable[[Lines, Session, Progress], Iterable[str | tuple[int, Any]]] | None" = None
    """Answers plain lines as arrays, if the command can; the answers are as in `Question`."""
    verify: bool = True
    """Whether a wrong solution beside a puzzle is an error."""

    def run(
        self, inputs: Inputs, output: Output, form: str | None = None, several: bool = False, require_one: str = ""
    ) -> Exit:
        """Answer all puzzles of the inputs, in order, and return the worst exit code, that of reading included.
        `several`: a puzzle may have more than one grid. `require_one`: why there may be only one puzzle, if so."""
        exit_code = Exit.OK
        with (
            inputs.puzzles(self.verify) as puzzles,
            Answers(output.output, output.force, self.writer_on, inputs.files) as answers,
            Progress(answers.stream) as progress,
        ):
            require_a_file_for_each(puzzles, output.output or "", form, several)
            name = self.certificates.certificate
            if name and NUMBER not in name:
                require_one = f"--certificate '{name}-{NUMBER}' names a pair of files for each"
            if require_one:
                puzzles.require_one(require_one)
            for question, run_query in shared_answers(
                self.session,
                self._questions(puzzles, answers),
                lambda question: question.query(self.session, progress),
                lambda question: partial(_result_list, question.query),
                puzzles.ready,
            ):
                results = self._results(question, run_query, progress)
                exit_code = worst(exit_code, self._write_results(puzzles, answers, question, results))
            return worst(exit_code, puzzles.exit, *self.limits)

    def _results(self, question: Question, run: Callable[[], Iterable[Any]], progress: "Progress") -> Iterator[Any]:
        """The results for a question as they come, and `unknown` in place of those that do not."""
        place, count = question.entry.place, len(question.lines) if question.lines else 1
        progress.begin()
        try:
            for result in run():
                progress.end()
                yield result
                progress.begin()
        except KeyboardInterrupt:
            progress.end()
            early = " before it was answered" if count == 1 else f" before the {count} puzzles from here were answered"
            note(f"{place}: interrupted{f': {progress.latest}' if progress.latest else early}")
            raise
        except (WorkerDiedError, TimeLimitError) as error:
            if isinstance(error, WorkerDiedError):
                note(f"{place}: {error}")
            yield from enumerate([self.unknown] * count) if question.lines else [self.unknown]
        finally:
            progress.end()
        progress.done += count
        progress.latest = ""

    def _questions(self, puzzles: Puzzles, answers: Answers) -> Iterator[Question]:
        if self.answer_lines and answers.takes_lines and (lines := puzzles.plain_lines()):
            for part in lines.batches() if self.session.backend == "auto" else lines.batches(20):  # others take longer
                yield Question(part.first, puzzles.entry_of(part, 0), partial(self.answer_lines, part), part)
            return
        for number, entry in enumerate(puzzles, 1):
            answers.begin(number, entry)
            self.certificates.require_writable_files(number, entry, answers.force)
            try:
                query = self.query_of(entry)
            except InputError as error:
                puzzles.refuse(error)
            else:
                yield Question(number, entry, query)

    def _write_results(self, puzzles: Puzzles, answers: Answers, question: Question, items: Iterable[Any]) -> Exit:
        number, entry, query, exit_code = question.number, question.entry, question.query, Exit.OK
        results, held_back = list[Any](), list[Any]()
        for item in items:
            result = item
            if isinstance(item, str):
                answers.write_text(item)
                continue
            if question.lines:
                index, result = item
                number, entry = question.number + index, puzzles.entry_of(question.lines, index)
                query = self.query_of(entry)
            answer = self.finish(query, result)
            if self.certificates.certificate:
                results.append(result)
                # an answer by the word of a program waits for the certificate, which may show that it is wrong
                if held_back or word_in(result.ground):
                    held_back.append(answer)
                    continue
            exit_code = worst(exit_code, self._write_answer(answers, number, entry, answer))
        if self.certificates.certificate:
            claimed, word_of = self.claim(entry, results), max(word_in(result.ground) for result in results)
            code, message = self.certificates.write(number, entry, claimed, word_of, self.time_limit, answers.force)
            codes = [self._write_answer(answers, number, entry, answer) for answer in held_back]
            exit_code = worst(exit_code, code, *codes)
            if message:
                note(f"{entry.place}: {message}")
        return exit_code

    def _write_answer(self, answers: Answers, number: int, entry: Entry, answer: Answer) -> Exit:
        # of several results the last one is left out if it has no proved grid
        if not isinstance(answer, Result) or answer.rank == 1 or (answer.status.is_final and answer.grid):
            answers.write(number, entry, answer, getattr(answer, "rank", 1))
        return self.exit_of(entry, answer)


def _result_list(query: Query, session: Session) -> list[Any]:
    """All results of a query at once, for another process, which shows no progress."""
    return list(query(session, Progress()))


class Progress:
    """A line on a terminal while puzzles are answered: what is known of the current question, and how many are done. It
    is on standard error, if that is a terminal, and appears when a question takes more than a second, or the whole run
    if answers go to a file. It is erased before an answer is written. `latest` is what is known, in words. A
    context manager, which starts to show `activity` at once where that is given."""

    def __init__(self, output: TextIO | None = None, activity: str = "") -> None:
        self.latest, self.done = activity, 0
        self._start = time.monotonic()
        self._since: float | None = None
        self._lock, self._over = Lock(), Event()
        self._answers_in_file = self._is_shown = False
        if output is not None and can_erase():
            # answers in a pipe, which cannot seek, may be printed on the same terminal
            self._answers_in_file = output.seekable()
            Thread(target=self._watch, daemon=True).start()

    def __enter__(self) -> "Progress":
        if self.latest:
            self.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.end()

    def begin(self) -> None:
        """Start to wait for the answer to a question."""
        self._since = self._start if self._answers_in_file else time.monotonic()

    def end(self) -> None:
        """Erase the line, since an answer is about to be written, or the run is over."""
        with self._lock:
            if self._over.is_set() or not self._answers_in_file:
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


def enumeration(
    session: Session, puzzle: Puzzle, at_most: int | None, time_limit: float | None, progress: Progress, grids: bool
) -> Iterator[Result]:
    """With `grids` a result for each solution, and always a last result without a grid, whose rank is the number of
    solutions + 1: infeasible if there are no more; unknown if there may be, at the time limit (seconds) or since there
    is one more than `at_most`. `seconds` are wall-clock time."""
    start, count, status, ground = time.perf_counter(), 0, Status.UNKNOWN, ""
    progress.latest = "no solution yet"
    with suppress(TimeLimitError):
        for found in session.solutions(puzzle, time_limit) if grids else session.counts(puzzle, time_limit):
            count = found if isinstance(found, int) else count + 1
            if at_most is not None and count > at_most:
                count = at_most
                break
            progress.latest = f"at least {counted(count, 'solution')}"
            if isinstance(found, Grid):
                seconds = time.perf_counter() - start
                by = session.answered_by
                yield Result(Status.SATISFIABLE, found, backend=by, seconds=seconds, rank=count, ground="the grid")
        else:
            status, ground = Status.INFEASIBLE, session.ground
    seconds = time.perf_counter() - start
    yield Result(status, backend=session.answered_by, seconds=seconds, rank=count + 1, ground=ground)


def answers_to_lines(
    unique: Answer,
    query: Callable[[Puzzle, Session, Progress], Iterator[Answer]],
    lines: Lines,
    session: Session,
    progress: Progress,
) -> Iterator[tuple[int, Answer]]:
    """The index of each plain line with its answer: `unique` if it has exactly one solution, else that of `query`."""
    for index, is_unique in enumerate(only_solutions_of(lines, session)[1].tolist()):
        yield index, unique if is_unique else next(query(lines.puzzle(index), session, progress))


def note_second_solution(entry: Entry, result: Result) -> None:
    """Print a note if a puzzle of another program has a second solution that is found within 2 seconds."""
    if entry.may_lack_rules and result.grid is not None and count_or_none(Session(), entry.puzzle, 2, 2.0) == 2:
        more = f": {' '.join(entry.about.split())}" if entry.about else ""
        note(f"{entry.place}: more than one solution; the setter's rules text may say more than the file{more}")


def note_contradiction(entry: Entry) -> None:
    """Print why a puzzle has no solution, if two of its clues break a rule together."""
    if repeat := next(repeats(entry.puzzle, entry.puzzle.clues), None):
        note(f"{entry.place}: the clues contradict each other: {repeat}")
