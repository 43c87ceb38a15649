"""The loop of every command that answers puzzle by puzzle: ask, write, flush, and remember how it went."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import TextIO

from ringdoku.domain.result import Result
from ringdoku.formats import Entry
from ringdoku_cli.exits import Exit, worst
from ringdoku_cli.inputs import Puzzles
from ringdoku_cli.progress import with_progress


def answer_all(
    puzzles: Puzzles,
    output: TextIO,
    ask: Callable[[Entry], Iterable[Result]],
    show: Callable[[Entry, Result], str],
    judge: Callable[[Entry, Result], Exit],
    displayed: Callable[[Puzzles, TextIO], Generator[Entry, None, None]] = with_progress,
) -> Exit:
    """Every puzzle asked, its answers shown and judged in turn; the worst of the judgements and of what the input had
    in it. `displayed` gives the puzzles and meanwhile shows how far they are."""
    exit_code = Exit.OK
    # closed when stopped too, so that nothing of a display is left
    with closing(displayed(puzzles, output)) as entries:
        for entry in entries:
            for result in ask(entry):
                output.write(show(entry, result))
                output.flush()
                judgement = judge(entry, result)
                if judgement is not Exit.OK:
                    exit_code = worst(exit_code, judgement)
    return worst(exit_code, puzzles.exit)
