"""Candidates as text: small digits in the cells, a plain grid, one line, a table, or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isqrt
from typing import TextIO

from ringdoku.domain.errors import UsageError
from ringdoku.drawing import PICTURES
from ringdoku.drawing.terminal import ASCII, BOLD, FOUND, frame_of, styled
from ringdoku.text import Entry
from ringdoku.text.cells import names_on
from ringdoku.text.stated import NO_SOLUTION
from ringdoku_cli.messages import printable
from ringdoku_cli.render.pretty import characters_for, wants_colours
from ringdoku_cli.render.table import table_lines, terminal_width, wrapped

Candidate = tuple[int, int]
"""A cell and a digit."""


@dataclass(frozen=True)
class Marks:
    """The digits that each cell has in some solution; None: there is no solution.

    `counts` says for (cell, digit) in how many solutions; a lower limit unless `is_exact`. `scores` has the best score
    with that digit there, None where the time limit came first.
    """

    digits: Sequence[Sequence[int]] | None
    counts: Mapping[Candidate, int] | None = None
    is_exact: bool = True
    scores: Mapping[Candidate, int | None] | None = None


def render_pretty(entry: Entry, marks: Marks, stream: TextIO) -> str:
    """Each cell a block of small digits, a digit that is alone in its middle; clues bold."""
    colours, room, blank = wants_colours(stream), terminal_width(stream), entry.puzzle.board.blank
    heading = printable(entry.name or str(entry.place))
    if marks.digits is None:
        return f"{heading}\n{NO_SOLUTION}\n\n"
    frame = frame_of(entry.puzzle.ruleset, characters_for(stream))
    # a space between digits where there is room
    block, beside = Block(entry.layout.symbols or names_on(entry.puzzle.board)), len(frame.letters[0])
    if room is not None and frame.width(block.width + beside) > room:
        block = Block(block.names, "")
    cells = []
    # extra cells are not drawn
    for found, clue, letter in zip(marks.digits, entry.puzzle.clues.digits, frame.letters, strict=False):
        style = "" if len(found) > 1 or not colours else FOUND if clue == blank else BOLD
        first, *others = block.lines([digit - entry.puzzle.board.least for digit in found], style)
        # the letter of a cage is beside the first line
        cells.append([first + letter, *(line + " " * len(letter) for line in (*others, " " * block.width))])
    drawing = frame.lines(cells, block.width + beside)
    words = (line for word in frame.words for line in wrapped(printable(word), room, "  "))
    return "\n".join([styled(heading, BOLD) if colours else heading, *drawing, *words]) + "\n\n"


class Block:
    """A cell with a place for each small digit, and a `gap` between them."""

    def __init__(self, names: Sequence[str], gap: str = " ") -> None:
        self.names, self._gap, self._size = names, gap, max(map(len, names))
        self._across = isqrt(len(names) - 1) + 1
        self._down = -(-len(names) // self._across)
        self.width = self._across * (self._size + len(gap)) + 2 - len(gap)

    def lines(self, found: Sequence[int], style: str) -> list[str]:
        """A digit that is alone stands in the middle."""
        places = [""] * (self._across * self._down)
        for digit in found:
            places[digit] = self.names[digit]
        if len(found) == 1:
            middle = (self._down - 1) // 2 * self._across + (self._across - 1) // 2
            places[found[0]], places[middle] = "", self.names[found[0]]
        rows = (places[start : start + self._across] for start in range(0, len(places), self._across))
        texts = (f" {self._gap.join(place.rjust(self._size) for place in row)} " for row in rows)
        return [styled(text, style) if style else text for text in texts]


def render_grid(entry: Entry, marks: Marks, _stream: TextIO) -> str:
    """Each cell its digits, one after the other; numbers have commas between them."""
    if marks.digits is None:
        return f"{NO_SOLUTION}\n"
    board = entry.puzzle.board
    names = entry.layout.symbols or names_on(board)
    joiner = "" if max(map(len, names)) == 1 else ","
    texts = [joiner.join(names[d - board.least] for d in digits) for digits in marks.digits[: board.grid_count]]
    wide = max(map(len, texts))
    frame = frame_of(entry.puzzle.ruleset, ASCII)
    # without the clues around the grid, which stand with the rules
    return "\n".join(frame.lines([[f" {text.ljust(wide)} "] for text in texts], wide + 2)) + "\n"


def render_line(entry: Entry, marks: Marks, _stream: TextIO) -> str:
    """n³ characters: n for each cell, a dot for a digit that it never has. `solve` and other programs read them."""
    if marks.digits is None:
        return f"{NO_SOLUTION}\n"
    board = entry.puzzle.board
    if not board.is_plain or board.order > 9:
        raise UsageError(f"--output-format line is for boards of up to 9x9 with digits from 1, not for {board}")
    return "".join(str(d) if d in cell else "." for cell in marks.digits for d in board.digits) + "\n"


def render_table(entry: Entry, marks: Marks, stream: TextIO) -> str:
    """A line for each candidate: its cell, its digit, how many solutions have it, the best score with it."""
    if marks.digits is None:
        return f"{NO_SOLUTION}\n"
    board, least = entry.puzzle.board, "" if marks.is_exact else ">="
    columns: dict[str, Callable[[int, int], str]] = {
        "cell": lambda cell, _: board.cell_name(cell),
        "digit": lambda _, digit: entry.layout.name(board, digit),
    }
    if (counts := marks.counts) is not None:
        columns["solutions"] = lambda cell, digit: f"{least}{counts.get((cell, digit), 0)}"
    if (scores := marks.scores) is not None:
        columns["best"] = lambda cell, digit: "unknown" if (best := scores.get((cell, digit))) is None else str(best)
    rows = [
        [text(cell, digit) for text in columns.values()] for cell, digits in enumerate(marks.digits) for digit in digits
    ]
    lines = table_lines(list(columns), rows, terminal_width(stream), ("digit", "solutions", "best"))
    return "\n".join(lines) + "\n"


def render_json(entry: Entry, marks: Marks, _stream: TextIO) -> str:
    """One object on a line; `candidates` has a list of digits for each cell, row after row, null for no solution.

    `solutions` and `best` have the numbers in the same order, null where they were not asked for. `exact` is false
    where the numbers of solutions are lower limits.
    """
    digits = marks.digits or ()

    def numbers(of: Mapping[Candidate, int | None] | Mapping[Candidate, int] | None) -> object:
        return of and [[of.get((cell, digit)) for digit in found] for cell, found in enumerate(digits)]

    record = {
        "name": entry.name,
        "place": str(entry.place),
        "candidates": marks.digits,
        "solutions": numbers(marks.counts),
        "exact": marks.is_exact,
        "best": numbers(marks.scores),
    }
    return json.dumps(record) + "\n"


def _render_picture(form: str, entry: Entry, marks: Marks, stream: TextIO) -> str:
    """Small digits in the cells; written to the stream itself."""
    from ringdoku_cli.render.pictures import draw_puzzle

    return draw_puzzle(entry, form, stream, marks.digits or (), NO_SOLUTION if marks.digits is None else "")


MARKS_FORMATS: Mapping[str, Callable[[Entry, Marks, TextIO], str]] = {
    "grid": render_grid,
    "pretty": render_pretty,
    "line": render_line,
    "table": render_table,
    "json": render_json,
    **{form: partial(_render_picture, form) for form in PICTURES},
}
"""Every value of `candidates --output-format`."""
