"""What a terminal shows: how wide it is, and tables that fit it without a break inside a word or a number."""

import shutil
import textwrap
from collections.abc import Collection, Sequence
from typing import TextIO

from ringdoku.domain.showing import aligned

INDENT = "    "
_KEPT_SPACE = "\0"
"""Stands for a space that no line is broken at."""


def table_lines(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    room: int | None,
    numbers: Collection[str] = (),
    below: Sequence[str] = (),
    spare: Sequence[str] = (),
) -> list[str]:
    """The heads and a line for each row, no wider than `room`; None is any width. Columns are named by their heads.

    Columns of `numbers` are set right. Where there is no room for all columns, those of `below` move to lines of
    their own below each row, the first one first; where that is not enough, those of `spare` are left out, the first
    one first, and a last line names them. Where even this does not fit, each row becomes a paragraph.
    """
    shown, moved, left_out = list(heads), set[str](), set[str]()
    lines = _aligned(heads, rows, shown, numbers)
    if room is None:
        return lines
    while max(map(len, lines)) > room:
        if goes := next((head for head in below if head in shown), None):
            moved.add(goes)
        elif goes := next((head for head in spare if head in shown), None):
            left_out.add(goes)
        else:
            return [line for row in rows for line in _paragraph(heads, row, room)]
        shown.remove(goes)
        lines = _aligned(heads, rows, shown, numbers)
    result = [lines[0]]
    for line, row in zip(lines[1:], rows, strict=True):
        texts = (cell for head, cell in zip(heads, row, strict=True) if cell and head in moved)
        result += [line, *wrapped("; ".join(texts), room, INDENT)]
    if left_out:
        names = ", ".join(head.replace(" ", _KEPT_SPACE) for head in heads if head in left_out)
        result += ["", *wrapped(f"A wider terminal also shows: {names}.", room)]
    return result


def wrapped(text: str, room: int | None, indent: str = "") -> list[str]:
    """The text in lines of at most `room` characters, or as it is where that is None; only a longer word is longer."""
    if room is None:
        return [text]
    wrapper = textwrap.TextWrapper(room, indent, indent, break_long_words=False, break_on_hyphens=False)
    return [line.replace(_KEPT_SPACE, " ") for line in wrapper.wrap(text)]


def _aligned(
    heads: Sequence[str], rows: Sequence[Sequence[str]], shown: Sequence[str], numbers: Collection[str]
) -> list[str]:
    places = [heads.index(head) for head in shown]
    lines = [[line[place] for place in places] for line in (heads, *rows)]
    return aligned(lines, [place for place, head in enumerate(shown) if head in numbers])


def _paragraph(heads: Sequence[str], row: Sequence[str], room: int) -> list[str]:
    """The first cell, and below it the others after their heads; a head and its number stay on one line."""
    pairs = [f"{head}: {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell]
    text = "; ".join(pair.replace(" ", _KEPT_SPACE) if len(pair) < room // 2 else pair for pair in pairs)
    return [*wrapped(row[0], room), *wrapped(text, room, INDENT)]


def terminal_width(stream: TextIO) -> int | None:
    """Columns: COLUMNS of the environment if set, else those of the terminal; None where `stream` is not a terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None
