"""What a text format provides, and what readers return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ringdoku.domain.errors import Place
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.layout import Layout
from ringdoku.text.lines import Lines

Box: TypeAlias = tuple[int, int] | tuple[()] | None
"""The box shape (height, width) that the caller asks for; None if the reader has to find it out, () for no boxes."""


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


ReadOne: TypeAlias = Callable[[Lines], Block]
"""Reads the puzzle that starts at the next line, and takes its lines.

Raises `InputError` for a malformed puzzle, after taking the lines that seem to belong to it, at least one."""


@dataclass(frozen=True)
class Format:
    """One way to write puzzles.

    - `recognises`: is the puzzle that starts at the next line in this format? It looks ahead as little as it can.
    - `open` makes the reader of one input. It takes the heading if there is one.
    - `layout` is how grids are printed. It raises `UsageError` for an order that is too large for the format.
    - `is_heading`: is the next line a heading, such as the names of columns?
    """

    name: str
    summary: str
    recognises: Callable[[Lines, Box], bool]
    open: Callable[[Lines, Box], ReadOne]
    layout: Callable[[Ruleset], Layout]
    is_heading: Callable[[Lines], bool] = lambda _: False
