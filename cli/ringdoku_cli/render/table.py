"""What a terminal shows: how wide it is, and tables that fit it without a break inside a word or a number."""

import shutil
import textwrap
from collections.abc import Collection, Sequence
from typing import TextIO

from ringdoku.domain.showing import aligned

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
