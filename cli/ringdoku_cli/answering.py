"""The loop of every command that answers puzzle by puzzle: ask, write, flush, and keep the worst exit code."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TextIO

from ringdoku.domain.checker import repeats
from ringdoku.domain.result import Result
from ringdoku.formats import Entry
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.messages import note
from ringdoku_cli.progress import with_progress


def answer_all(
    puzzles: Puzzles,
    output: TextIO,
    ask: Callable[[Entry], Iterable[Result]],
    show: Callable[[Entry, Result], str],
    judge: Callable[[Entry, Result], Exit],
    displayed: Callable[[Puzzles, TextIO], Generator[Entry, None, None]] = with_progress,
) -> Exit:
    """Ask each puzzle, and write and judge its answers; the worst exit code of these and of reading the puzzles.

    `displayed` yields the puzzles, and meanwhile displays how many are done.
    """
    exit_code = Exit.OK
    # closed when stopped too, so that nothing of a display stays on the screen
    with closing(displayed(puzzles, output)) as entries:
        for entry in entries:
            for result in ask(entry):
                output.write(show(entry, result))
                output.flush()
                judgement = judge(entry, result)
                if judgement is not Exit.OK:
                    exit_code = worst(exit_code, judgement)
    return worst(exit_code, puzzles.exit)


@contextmanager
def noting_interrupts(entry: Entry) -> Iterator[None]:
    """Says which puzzle was being answered when the run was stopped."""
    try:
        yield
    except KeyboardInterrupt:
        note(f"{entry.place}: interrupted before it was answered")
        raise


def note_contradiction(entry: Entry) -> None:
    """Why a puzzle has no solution, where that is plain: two clues that break a rule together."""
    if repeat := next(repeats(entry.puzzle, entry.puzzle.clues), None):
        note(f"{entry.place}: the clues contradict each other: {repeat}")
