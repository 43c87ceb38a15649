"""What a terminal shows: grids with their boxes, and tables that fit it without a break inside a word or a number."""

import os
import shutil
import textwrap
from collections.abc import Collection, Sequence
from typing import TextIO

from ringdoku import Objective, Result
from ringdoku.domain.showing import aligned
from ringdoku.drawing import terminal
from ringdoku.drawing.terminal import ASCII, UNICODE, Characters
from ringdoku.drawing.views import sentence_of
from ringdoku.text import Entry
from ringdoku_cli.exits import printable

INDENT = "    "


def table_lines(
    heads: Sequence[str], rows: Sequence[Sequence[str]], room: int | None, numbers: Collection[str] = ()
) -> list[str]:
    """The heads and a line for each row, no wider than `room`; None is any width. Columns are named by their heads, and
    those of `numbers` are set right. The last ones, where there is no room for them, stand below each row."""
    right = [place for place, head in enumerate(heads) if head in numbers]
    for count in range(len(heads), 0, -1):
        first, *lines = aligned([line[:count] for line in (heads, *rows)], right)
        if room is None or max(map(len, (first, *lines))) <= room:
            break
    result = wrapped(first, room)
    for line, row in zip(lines, rows, strict=True):
        result += wrapped(line, room)
        if below := [f"{head}: {cell}" for head, cell in zip(heads[count:], row[count:], strict=True) if cell]:
            result += wrapped("; ".join(below), room, INDENT)
    return result


def wrapped(text: str, room: int | None, indent: str = "") -> list[str]:
    """The text in lines of at most `room` characters, or as it is where that is None; only a longer word is longer."""
    if room is None:
        return [text]
    return textwrap.wrap(
        text, room, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def terminal_width(stream: TextIO) -> int | None:
    """Columns: COLUMNS of the environment if set, else those of the terminal; None where `stream` is not a terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def pretty(entry: Entry, result: Result, objective: Objective | None = None, *, output: TextIO) -> str:
    """The grid, or the clues alone, with the characters and colours that `output` can show, and words that fit it.
    Without colours a mark follows each clue, and a legend explains the mark."""
    colours, characters, room = wants_colours(output), characters_for(output), terminal_width(output)
    puzzle, heading = entry.puzzle, printable(entry.name or str(entry.place))
    grid = result.grid or puzzle.clues
    lines = [terminal.styled(heading, terminal.BOLD) if colours else heading]
    lines += terminal.puzzle_lines(puzzle, grid, entry.layout.symbols, characters, colours, objective)
    for line in terminal.words_below(puzzle, grid, characters):
        lines += wrapped(printable(line), room, "  ")
    seconds = f"{result.seconds * 1000:.1f} ms" if result.seconds < 0.1 else f"{result.seconds:.2f} s"
    # without a backend it is the answer to an exported model
    took = f" ({result.backend}, {seconds})" if result.backend else ""
    summary = printable(f"{sentence_of(result) or 'solved'}{took}")
    legend = "" if colours or not puzzle.clues.filled_count else f"; {terminal.CLUE_MARK} marks a clue"
    return "\n".join([*lines, f"{summary}{legend}\n\n"])


def wants_colours(stream: TextIO) -> bool:
    """Colours on a terminal, unless NO_COLOR is set; FORCE_COLOR asks for them elsewhere."""
    wanted = bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
    return wanted and not os.environ.get("NO_COLOR")


def characters_for(stream: TextIO) -> Characters:
    """Those that the encoding of the stream has."""
    try:
        "".join(UNICODE).encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE
