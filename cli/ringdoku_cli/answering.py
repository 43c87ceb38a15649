"""The loop of every command that answers puzzle by puzzle: ask, write, flush, and keep the worst exit code."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias, TypeVar, cast

from ringdoku.domain.checker import repeats
from ringdoku.domain.errors import TimeLimitError, UsageError, WorkerDiedError
from ringdoku.domain.grid import Grid
from ringdoku.domain.result import Result, Status
from ringdoku.drawing import PICTURES
from ringdoku.services import Session
from ringdoku.services.session import shared
from ringdoku.text import Batch, Entry
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles, puzzles_in
from ringdoku_cli.messages import note
from ringdoku_cli.options import INPUT, NUMBER, RANK
from ringdoku_cli.outputs import open_output, require_writable
from ringdoku_cli.progress import with_progress

if TYPE_CHECKING:
    from ringdoku.services.batches import BatchAnswer

Asked: TypeAlias = "Entry | Batch"
Answered: TypeAlias = "Iterable[Result] | BatchAnswer"
"""The results for a puzzle, or what is known of a batch."""
Displayed: TypeAlias = Callable[[Puzzles, TextIO], Generator[Any, None, None]]
"""What yields puzzles, or batches of them, and displays how many are done."""
Show = Callable[[Entry, Result], str]
Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Answers:
    """Where answers are written: standard output or FILE, or several where FILE has {number}, {rank} or {input} in it.

    `show_on` makes what turns answers into text for a stream. A context manager.
    """

    def __init__(self, path: str | None, force: bool, show_on: Callable[[TextIO], Show]) -> None:
        self._path = path
        self._force = force
        self._show_on = show_on
        self._split = path is not None and any(part in path for part in (NUMBER, RANK, INPUT))
        self._name: str | None = None
        self._files = ExitStack()
        # stands for files that are not open yet, which are no terminal either
        self.stream: TextIO = StringIO()

    def __enter__(self) -> Answers:
        if not self._split:
            self._open(self._path)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._files.__exit__(kind, error, trace)

    def begin(self, number: int, entry: Entry) -> None:
        """Raises `UsageError` when the file for a puzzle cannot be written, before the puzzle is worked on."""
        if self._split:
            require_writable(self._file_of(number, entry, 1), self._force)

    def write(self, number: int, entry: Entry, result: Result) -> None:
        """An answer to the puzzle of a number, from 1; a file is in place when the next one begins."""
        if self._split and (name := self._file_of(number, entry, result.rank)) != self._name:
            self._files.close()
            self._open(name)
        self.stream.write(self._show(entry, result))
        self.stream.flush()

    def write_batch(self, batch: Batch, answer: BatchAnswer) -> None:
        """The answers to many puzzles, for a layout and a file in which lines stand as they are."""
        size, start = batch.ruleset.board.cell_count, 1
        # the first is written as any other, and so begins as it has to
        for index, result in sorted({0: _first_of(batch, answer), **dict(answer.others)}.items()):
            self._write_lines(answer.lines[start * (size + 1) : index * (size + 1)])
            self.stream.write(self._show(batch.entry(index), result))
            start = index + 1
        self._write_lines(answer.lines[start * (size + 1) :])
        self.stream.flush()

    def _write_lines(self, lines: bytes) -> None:
        self.stream.write(lines.decode("ascii"))

    @property
    def takes_lines(self) -> bool:
        """Whether answers stand one below the other as text, in one file, without what a terminal shows."""
        return not self._split and not self.stream.isatty()

    def _file_of(self, number: int, entry: Entry, rank: int) -> str:
        name = (self._path or "").replace(NUMBER, str(number)).replace(RANK, str(rank))
        return name.replace(INPUT, bare_name(entry.place.file))

    def _open(self, name: str | None) -> None:
        self._name = name
        self.stream = self._files.enter_context(open_output(name, self._force))
        self._show = self._show_on(self.stream)


def _first_of(batch: Batch, answer: BatchAnswer) -> Result:
    digits = tuple(digit - ord("0") for digit in answer.lines[: batch.ruleset.board.cell_count])
    return Result(Status.SATISFIABLE, Grid(digits, batch.ruleset.board))


def bare_name(file: str) -> str:
    """The name of an input without its folder and suffix."""
    return Path(file).stem.strip("<>")


def answer_file(sources: Sequence[str], output: str | None, output_to: str | None, suffix: str | None) -> str | None:
    """Where answers go by --output, or by --output-to, whose folder is made. Raises `UsageError` if by both, or if two
    inputs would have one file."""
    if output_to is not None:
        if output is not None:
            raise UsageError("--output and --output-to cannot go together")
        try:
            Path(output_to).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write to {output_to}: {error.strerror}") from None
        output = str(Path(output_to) / (INPUT + (".out" if suffix is None else suffix)))
    elif suffix is not None:
        raise UsageError("--suffix goes with --output-to")
    names = [bare_name(source) for source in sources]
    if output and INPUT in output and len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two inputs are called {twice}, and their answers would be in one file")
    return output


def require_a_file_for_each(
    puzzles: Puzzles, path: str | None, output_format: str | None, several: bool = False
) -> None:
    """Raises `UsageError` where FILE leaves two grids to one picture, or grids of two puzzles to one file.

    `several`: a puzzle may have more than one grid.
    """
    path = path or ""
    is_picture = output_format in PICTURES
    name = f"grid-{NUMBER}{f'-{RANK}' if several else ''}{f'.{output_format}' if is_picture else ''}"
    if is_picture and several and RANK not in path:
        raise UsageError(f"a picture holds one grid; -o '{name}' names a file for each")
    if NUMBER not in path and INPUT not in path and (is_picture or RANK in path):
        puzzles.require_one(f"-o '{name}' names a file for each")


@dataclass(frozen=True)
class Elsewhere:
    """How other processes answer: `question` gives a function that can be pickled. `jobs` as in `Session`."""

    session: Session
    jobs: int | None
    question: Callable[[Any], Callable[[Session], Sequence[Result] | BatchAnswer]]

    def answers(
        self, puzzles: Puzzles, items: Iterator[Asked], ask: Callable[[Any], Answered]
    ) -> Iterator[tuple[Asked, Answered]]:
        """The answers in order; in this process they are asked for as they are read."""
        lost: Answered = [Result(Status.UNKNOWN)]
        return answers_in_order(
            puzzles,
            self.session,
            self.jobs,
            items,
            ask,
            self.question,
            lost,
            first_entry,
            entries_of,
        )


def first_entry(item: Entry | Batch) -> Entry:
    """The first puzzle of an item."""
    return item.entry(0) if isinstance(item, Batch) else item


def entries_of(item: Entry | Batch) -> Sequence[Entry]:
    """The puzzles of an item, one by one."""
    return tuple(item.entries()) if isinstance(item, Batch) else (item,)


LEAST_SECONDS = 1.0


def leaves_time_for_batches(time_limit: float | None) -> bool:
    """Whether a batch takes less time than one puzzle may."""
    return time_limit is None or time_limit >= LEAST_SECONDS


def jobs_beside(jobs: int | None, cluster: str | None, **alone: object) -> int | None:
    """1 beside an option that follows one puzzle at a time. Raises `UsageError` where more jobs were asked for, or a
    cluster; and where both were."""
    if jobs and cluster is not None:
        raise UsageError("--jobs and --cluster cannot go together: the cluster's workers say how many there are")
    for flag, value in alone.items():
        if value:
            if cluster is not None or (jobs and jobs > 1):
                asked = "--jobs" if cluster is None else "--cluster"
                raise UsageError(f"--{flag} follows one puzzle at a time; leave {asked} out")
            return 1
    return jobs


def answers_in_order(
    puzzles: Puzzles,
    session: Session,
    jobs: int | None,
    items: Iterator[Item],
    here: Callable[[Item], Answer],
    there: Callable[[Item], Callable[[Session], Answer]],
    lost: Answer,
    entry_of: Callable[[Item], Entry],
    parts: Callable[[Item], Sequence[Item]] = lambda item: (item,),
) -> Iterator[tuple[Item, Answer]]:
    """Answers that say on standard error what failed; `lost` is the answer where a process died, `entry_of` the first
    puzzle of an item, and `parts` are items of one puzzle each."""

    def timed(item: Item) -> Answer:
        start = time.monotonic()
        answer = here(item)
        puzzles.on_answers(puzzles_in(item), time.monotonic() - start)
        return answer

    for item, answer in shared(session, jobs, items, timed, there, puzzles.ready):
        # what is asked here reports an interrupt itself
        is_here = isinstance(answer, partial) and answer.func is timed
        try:
            with nullcontext() if is_here else noting_interrupts(entry_of(item)):
                found = answer()
        except WorkerDiedError as error:
            each = parts(item)
            if len(each) > 1:
                yield from answers_in_order(puzzles, session, 2, iter(each), here, there, lost, entry_of)
                continue
            note(f"{entry_of(item).place}: {error}")
            found = lost
        yield item, found


def answer_all(
    puzzles: Puzzles,
    answers: Answers,
    ask: Callable[[Any], Answered],
    judge: Callable[[Entry, Result], Exit],
    displayed: Displayed = with_progress,
    elsewhere: Elsewhere | None = None,
) -> Exit:
    """Asks every puzzle, writes and judges its answers; returns the worst exit code of these and of reading the
    puzzles.

    Of several answers to a puzzle, a later one that is not final is judged and not written: a grid that is not proved
    to be the next best, or that there may be more. `displayed` yields the puzzles, or batches of them if all that is
    asked can be asked of a batch, and meanwhile displays how many are done. Where the input is long, the puzzles are
    answered `elsewhere`.
    """
    exit_code = Exit.OK

    def begun(items: Iterator[Asked]) -> Iterator[Asked]:
        number = 1
        for item in items:
            if isinstance(item, Entry):
                answers.begin(number, item)
            number += puzzles_in(item)
            yield item

    def written(number: int, item: Asked, answer: Answered) -> Iterator[tuple[Entry, Result]]:
        """The answers to judge."""
        if isinstance(item, Batch):
            answers.write_batch(item, cast("BatchAnswer", answer))
            yield from ((item.entry(index), result) for index, result in cast("BatchAnswer", answer).others)
            return
        for result in cast("Iterable[Result]", answer):
            if result.rank == 1 or result.status.is_final:
                answers.write(number, item, result)
            yield item, result

    # closed when stopped too, so that nothing of a display stays on the screen
    with closing(displayed(puzzles, answers.stream)) as items:
        answered: Iterator[tuple[Asked, Answered]] = ((item, ask(item)) for item in begun(items))
        if elsewhere:
            answered = elsewhere.answers(puzzles, begun(items), ask)
        number = 1
        for item, answer in answered:
            for entry, result in written(number, item, answer):
                judgement = judge(entry, result)
                if judgement is not Exit.OK:
                    exit_code = worst(exit_code, judgement)
            number += puzzles_in(item)
    return worst(exit_code, puzzles.exit)


def later_puzzles() -> Callable[[Entry], bool]:
    """A function that says whether an answer is the first one to its puzzle, for all puzzles but the first."""
    last: Entry | None = None

    def is_later(entry: Entry) -> bool:
        nonlocal last
        before, last = last, entry
        return before is not None and before is not entry

    return is_later


@contextmanager
def noting_interrupts(entry: Entry) -> Iterator[None]:
    """Says which puzzle was being answered when the run was stopped."""
    try:
        yield
    except KeyboardInterrupt:
        note_interrupt(entry)
        raise


def note_deaths(session: Session, entry: Entry) -> None:
    """Says which puzzle a process was at when it died."""
    session.on_death = lambda why: note(f"{entry.place}: {why}")


def note_interrupt(entry: Entry) -> None:
    """Which puzzle is the first without an answer."""
    note(f"{entry.place}: interrupted before it was answered")


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
