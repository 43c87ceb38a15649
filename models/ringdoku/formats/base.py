"""What a text format is, and what reading gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ringdoku.domain.errors import Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.formats.layout import Layout
from ringdoku.formats.lines import Lines

Box: TypeAlias = tuple[int, int] | tuple[()] | None
"""The box shape (height, width) that was asked for, None when it is to be found out, () where none is needed."""


@dataclass(frozen=True)
class Entry:
    """One puzzle of an input: how it was written, where it starts, and what came with it: the solution, the name, the
    author, and what the author says of the rules."""

    puzzle: Puzzle
    layout: Layout
    place: Place
    solution: Grid | None = None
    name: str = ""
    author: str = ""
    about: str = ""


@dataclass(frozen=True)
class Block:
    """What a format makes of the lines of one puzzle."""

    puzzle: Puzzle
    layout: Layout
    solution: Grid | None = None
    name: str = ""
    solution_column: int = 0


ReadOne: TypeAlias = Callable[[Lines], Block]
"""Takes the lines of the puzzle that starts at the next line. Raises `InputError`, after taking all that belongs to
the malformed puzzle: at least one line."""


@dataclass(frozen=True)
class Format:
    """`recognises` says whether the puzzle that starts at the next line is written so, looking ahead as little as it
    can; `open` gives a reader for one input, and may take a heading first, which `is_heading` knows; `layout` is how
    grids are printed, and raises `UsageError` for an order that the format cannot hold.
    """

    name: str
    summary: str
    recognises: Callable[[Lines, Box], bool]
    open: Callable[[Lines, Box], ReadOne]
    layout: Callable[[Ruleset], Layout]
    is_heading: Callable[[Lines], bool] = lambda _: False
