"""What a text format provides, and what readers return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ringdoku.domain.board import Board
from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Lines

Box: TypeAlias = tuple[int, int] | tuple[()] | None
"""The box shape (height, width) that the caller asks for; None if the reader has to find it out, () for no boxes."""


class Shape(NamedTuple):
    """What is known before a grid is read: its board where lines state one, and its boxes.

    `fault` says what is wrong with the lines that should tell it.
    """

    board: Board | None
    box: Box
    fault: InputError | None = None


@dataclass(frozen=True)
class Entry:
    """One puzzle of an input: its layout, the place where it starts, and what came with it: the solution, the name,
    the author, and what the author says of the rules. `shared`: it was in a link or a file of another program, whose
    rules text may say more than the file."""

    puzzle: Puzzle
    layout: Layout
    place: Place
    solution: Grid | None = None
    name: str = ""
    author: str = ""
    about: str = ""
    shared: bool = False


@dataclass(frozen=True)
class Block:
    """What a format reads from the lines of one puzzle. `solution_column` is where the solution starts, from 1."""

    puzzle: Puzzle
    layout: Layout
    solution: Grid | None = None
    name: str = ""
    solution_column: int = 0


@dataclass(frozen=True)
class Format:
    """One way to write puzzles.

    - `recognises`: is the puzzle that starts at the next line in this format? It looks ahead as little as it can.
    - `read` takes the lines of that puzzle. It raises `InputError` for a malformed one, after taking the lines that
      seem to belong to it, at least one.
    """

    name: str
    summary: str
    recognises: Callable[[Lines, Shape], bool]
    read: Callable[[Lines, Shape], Block]
