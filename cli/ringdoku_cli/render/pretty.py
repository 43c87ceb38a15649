"""Drawings of grids with their boxes. Clues look different from found digits; a best grid has colours for weights."""

import os
from typing import TextIO

from ringdoku import Objective, Result
from ringdoku.drawing import terminal
from ringdoku.drawing.terminal import ASCII, UNICODE, Characters
from ringdoku.drawing.views import sentence_of
from ringdoku.text import Entry
from ringdoku_cli.exits import printable
from ringdoku_cli.render.table import wrapped


def pretty(
    entry: Entry,
    result: Result,
    objective: Objective | None = None,
    *,
    colours: bool,
    characters: Characters,
    room: int | None,
) -> str:
    """The grid, or the clues alone. Without colours a mark follows each clue, and a legend explains the mark. Words are
    wrapped in `room`, the width of a terminal, None elsewhere."""
    puzzle, heading = entry.puzzle, printable(entry.name or str(entry.place))
    grid = result.grid or puzzle.clues
    lines = [terminal.styled(heading, terminal.BOLD) if colours else heading]
    lines += terminal.puzzle_lines(puzzle, grid, entry.layout.symbols, characters, colours, objective)
    for line in terminal.words_below(puzzle, grid, characters):
        lines += wrapped(printable(line), room, "  ")
    legend = "" if colours or not puzzle.clues.filled_count else f"; {terminal.CLUE_MARK} marks a clue"
    return "\n".join([*lines, f"{_summary(result)}{legend}\n\n"])


def _summary(result: Result) -> str:
    """What was found. Without a backend it is the answer to an exported model."""
    seconds = f"{result.seconds * 1000:.1f} ms" if result.seconds < 0.1 else f"{result.seconds:.2f} s"
    took = f" ({result.backend}, {seconds})" if result.backend else ""
    return printable(f"{sentence_of(result) or 'solved'}{took}")


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
