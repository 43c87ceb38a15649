"""Text for a terminal: grids with their boxes, and tables and paragraphs that fit its width without breaking a word."""

import os
import shutil
import textwrap
from collections.abc import Collection, Sequence
from typing import TextIO

from ringdoku import Objective, Result
from ringdoku.domain.showing import aligned
from ringdoku.drawing import terminal
from ringdoku.drawing.picture import extra_digits
from ringdoku.drawing.terminal import ASCII, UNICODE, Characters
from ringdoku.drawing.views import sentence_of
from ringdoku.text import Entry
from ringdoku_cli.exits import printable

INDENT = "    "


def table_lines(
    heads: Sequence[str], rows: Sequence[Sequence[str]], width: int | None, numbers: Collection[str] = ()
) -> list[str]:
    """The heads and a line for each row, no wider than `width`; None is any width. Columns whose heads are in
    `numbers` are aligned to the right. The last columns, if they do not fit, are listed below each row."""
    right = [place for place, head in enumerate(heads) if head in numbers]
    for count in range(len(heads), 0, -1):
        first, *lines = aligned([line[:count] for line in (heads, *rows)], right)
        if width is None or max(map(len, (first, *lines))) <= width:
            break
    result = wrapped(first, width)
    for line, row in zip(lines, rows, strict=True):
        result += wrapped(line, width)
        if below := [f"{head}: {cell}" for head, cell in zip(heads[count:], row[count:], strict=True) if cell]:
            result += wrapped("; ".join(below), width, INDENT)
    return result


def wrapped(text: str, width: int | None, indent: str = "") -> list[str]:
    """The text in lines of at most `width` characters, None for one line; only a longer word makes a longer line."""
    if width is None:
        return [text]
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def terminal_width(stream: TextIO) -> int | None:
    """The columns of a terminal, or COLUMNS of the environment if it is set; None if `stream` is no terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def pretty(entry: Entry, result: Result, objective: Objective | None = None, *, output: TextIO) -> str:
    """The grid, or the clues alone, with the characters and colours that `output` can show, fitted to its width.
    Without colours a mark follows each clue, and a legend explains it."""
    colours, width, puzzle = wants_colours(output), terminal_width(output), entry.puzzle
    frame, heading = terminal.Frame(puzzle.ruleset, characters_for(output)), printable(entry.name or str(entry.place))
    grid = result.grid or puzzle.clues
    lines = [terminal.styled(heading, terminal.BOLD) if colours else heading]
    lines += terminal.puzzle_lines(frame, puzzle, grid, entry.layout.symbols, colours, objective)
    for line in filter(None, (*frame.words, ", ".join(extra_digits(grid)))):
        lines += wrapped(printable(line), width, "  ")
    seconds = f"{result.seconds * 1000:.1f} ms" if result.seconds < 0.1 else f"{result.seconds:.2f} s"
    # the answer of a solver to an exported model has no backend
    took = f" ({result.backend}, {seconds})" if result.backend else ""
    summary = printable(f"{sentence_of(result) or 'solved'}{took}")
    legend = "" if colours or not puzzle.clues.filled_count else f"; {terminal.CLUE_MARK} marks a clue"
    return "\n".join([*lines, f"{summary}{legend}\n\n"])


def wants_colours(stream: TextIO) -> bool:
    """Whether to use colours: on a terminal unless NO_COLOR is set; elsewhere if FORCE_COLOR is."""
    wanted = bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
    return wanted and not os.environ.get("NO_COLOR")


def characters_for(stream: TextIO) -> Characters:
    """The line-drawing characters that the encoding of the stream has."""
    try:
        "".join(UNICODE).encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE
