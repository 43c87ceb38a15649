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
from ringdoku.text.cells import MAX_SYMBOLS, symbols_on
from ringdoku.text.stated import NO_SOLUTION
from ringdoku_cli.messages import printable
from ringdoku_cli.render.pretty import characters_for, wants_colours
from ringdoku_cli.render.table import table_lines, terminal_width, wrapped

LARGEST_LINE_ORDER = 9


@dataclass(frozen=True)
class Marks:
    """The digits that each cell has in some solution; None: there is no solution.

    `counts` says for (cell, digit) in how many solutions; a lower limit unless `is_exact`. `scores` has the best score
    with that digit there, None where the time limit came first.
    """

    digits: Sequence[Sequence[int]] | None
    counts: Mapping[tuple[int, int], int] | None = None
    is_exact: bool = True
    scores: Mapping[tuple[int, int], int | None] | None = None


def render_pretty(entry: Entry, marks: Marks, stream: TextIO) -> str:
    """Each cell a block of small digits, a digit that is alone in its middle; clues bold."""
    colours, room, least = wants_colours(stream), terminal_width(stream), entry.puzzle.board.least
    heading = printable(entry.name or str(entry.place))
    if marks.digits is None:
        return f"{heading}\n{NO_SOLUTION}\n\n"
    frame = frame_of(entry.puzzle.ruleset, characters_for(stream))
    names = _one_character_names(entry) or [str(digit) for digit in entry.puzzle.board.digits]
    block, letters = Block(names), frame.letters
    if room is not None and frame.width(block.width + len(letters[0])) > room:
        block = Block(names, gap=0)
    cells = []
    # extra cells are not drawn
    for found, clue, letter in zip(marks.digits, entry.puzzle.clues.digits, letters, strict=False):
        style = "" if len(found) > 1 or not colours else BOLD if clue >= least else FOUND
        cells.append(block.lines([names[digit - least] for digit in found], letter, style))
    drawing = frame.lines(cells, block.width + len(letters[0]))
    words = (line for word in frame.words for line in wrapped(printable(word), room, "  "))
    return "\n".join([styled(heading, BOLD) if colours else heading, *drawing, *words]) + "\n\n"


@dataclass(frozen=True)
class Block:
    """A cell with a place for each small digit, and `gap` blanks between them."""

    names: Sequence[str]
    gap: int = 1

    @property
    def across(self) -> int:
        """How many digits are side by side."""
        return isqrt(len(self.names) - 1) + 1

    @property
    def size(self) -> int:
        """The width of a digit."""
        return max(map(len, self.names))

    @property
    def width(self) -> int:
        return self.across * (self.size + self.gap) + 2 - self.gap

    def lines(self, found: Sequence[str], letter: str, style: str) -> list[str]:
        """A digit that is alone stands in the middle; the letter of a cage is beside the first line."""
        down = -(-len(self.names) // self.across)
        places = [name if name in found else "" for name in self.names]
        places += [""] * (down * self.across - len(places))
        if len(found) == 1:
            places = [""] * len(places)
            places[(down - 1) // 2 * self.across + (self.across - 1) // 2] = found[0]
        rows = (places[start : start + self.across] for start in range(0, len(places), self.across))
        texts = [f" {(' ' * self.gap).join(place.rjust(self.size) for place in row)} " for row in rows]
        first, *others = [styled(text, style) if style else text for text in texts]
        return [first + letter, *(line + " " * len(letter) for line in (*others, " " * self.width))]


def render_grid(entry: Entry, marks: Marks, _stream: TextIO) -> str:
    """Each cell its digits, one after the other; numbers have commas between them."""
    if marks.digits is None:
        return f"{NO_SOLUTION}\n"
    board = entry.puzzle.board
    names, joiner = _one_character_names(entry), ""
    if not names:
        names, joiner = [str(digit) for digit in board.digits], ","
    texts = [
        joiner.join(names[digit - board.least] for digit in marks.digits[cell]) for cell in range(board.grid_count)
    ]
    wide = max(map(len, texts))
    frame = frame_of(entry.puzzle.ruleset, ASCII)
    # without the clues around the grid, which stand with the rules
    return "\n".join(frame.lines([[f" {text.ljust(wide)} "] for text in texts], wide + 2)) + "\n"


def render_line(entry: Entry, marks: Marks, _stream: TextIO) -> str:
    """n³ characters: n for each cell, a dot for a digit that it never has. `solve` and other programs read them."""
    if marks.digits is None:
        return f"{NO_SOLUTION}\n"
    board = entry.puzzle.board
    if not board.is_plain or board.order > LARGEST_LINE_ORDER:
        raise UsageError(f"--output-format line is for boards of up to 9x9 with digits from 1, not for {board}")
    return "".join(str(d) if d in cell else "." for cell in marks.digits for d in board.digits) + "\n"


def render_table(entry: Entry, marks: Marks, stream: TextIO) -> str:
    """A line for each candidate: its cell, its digit, how many solutions have it, the best score with it."""
    if marks.digits is None:
        return f"{NO_SOLUTION}\n"
    heads, rows = ["cell", "digit"], []
    heads += ["solutions"] if marks.counts is not None else []
    heads += ["best"] if marks.scores is not None else []
    board = entry.puzzle.board
    for cell, digits in enumerate(marks.digits):
        for digit in digits:
            row = [board.cell_name(cell), entry.layout.name(board, digit)]
            if marks.counts is not None:
                row.append(f"{'' if marks.is_exact else '>='}{marks.counts.get((cell, digit), 0)}")
            if marks.scores is not None:
                score = marks.scores.get((cell, digit))
                row.append("unknown" if score is None else str(score))
            rows.append(row)
    lines = table_lines(heads, rows, terminal_width(stream), ("digit", "solutions", "best"))
    return "\n".join(lines) + "\n"


def render_json(entry: Entry, marks: Marks, _stream: TextIO) -> str:
    """One object on a line; `candidates` has a list of digits for each cell, row after row, null for no solution.

    `solutions` and `best` have the numbers in the same order, null where they were not asked for. `exact` is false
    where the numbers of solutions are lower limits.
    """
    digits = marks.digits or ()

    def numbers(of: Mapping[tuple[int, int], int | None] | Mapping[tuple[int, int], int] | None) -> object:
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


def _one_character_names(entry: Entry) -> Sequence[str]:
    """One symbol for each digit, as in the input if it has some; none where there are too many digits."""
    board = entry.puzzle.board
    if board.least < 0 or board.digits[-1] > MAX_SYMBOLS:
        return ()
    return entry.layout.symbols or symbols_on(board)


MARKS_FORMATS: Mapping[str, Callable[[Entry, Marks, TextIO], str]] = {
    "grid": render_grid,
    "pretty": render_pretty,
    "line": render_line,
    "table": render_table,
    "json": render_json,
    **{form: partial(_render_picture, form) for form in PICTURES},
}
"""Every value of `candidates --output-format`."""
