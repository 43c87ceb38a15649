"""Answers as pictures: one file for each grid."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from typing import TextIO

from ringdoku import Objective, Result, UsageError
from ringdoku.drawing.drawer import scene_of
from ringdoku.drawing.files import picture_file
from ringdoku.drawing.shapes import Scene
from ringdoku.drawing.views import View, view_of_result
from ringdoku.text import Entry
from ringdoku_cli.outputs import NUMBER


def render_picture(
    entry: Entry, result: Result, objective: Objective | None = None, *, form: str, output: TextIO
) -> str:
    """A renderer that writes the grid, or the clues alone where there is none, to the stream itself, as bytes."""
    view = view_of_result(entry.puzzle, result, objective, entry.layout.symbols, title_of(entry))
    write_picture([scene_of(view)], form, output)
    return ""


def draw_puzzle(
    entry: Entry, form: str, output: TextIO, candidates: Sequence[Collection[int]] = (), alarm: str = ""
) -> str:
    """The puzzle as it is posed, with small digits if there are `candidates`; as text nothing is left to write."""
    view = View(entry.puzzle, symbols=entry.layout.symbols, candidates=candidates, alarm=alarm, title=title_of(entry))
    write_picture([scene_of(view)], form, output)
    return ""


def title_of(entry: Entry) -> str:
    """The name of a puzzle, or where it was read."""
    return entry.name or str(entry.place)


def write_picture(scenes: Sequence[Scene], form: str, output: TextIO) -> None:
    """Raises `UsageError` where the bytes would go to a terminal, or to a file that has a picture already."""
    if form != "svg" and output.isatty():
        raise UsageError(f"{form} is not for a terminal; -o FILE.{form} names a file")
    if output is not sys.stdout and output.seekable() and output.tell():
        raise UsageError(f"a picture holds one grid; -o 'grid-{NUMBER}.{form}' names a file for each")
    picture = picture_file(scenes, form)
    output.flush()
    output.buffer.write(picture)
