"""Candidates as text: small digits in the cells, a plain grid, one line, a table, or JSON."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TextIO

from ringdoku.domain.errors import UsageError
from ringdoku.drawing import PICTURES
from ringdoku.drawing.terminal import ASCII, BOLD, FOUND, frame_of, styled
from ringdoku.text import Entry
from ringdoku.text.cells import names_on
from ringdoku.text.stated import NO_SOLUTION, UNKNOWN
from ringdoku_cli.exits import printable
from ringdoku_cli.render import draw_puzzle, json_line, title_of
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
    colours, room, board = wants_colours(stream), terminal_width(stream), entry.puzzle.board
    heading = printable(title_of(entry))
    if marks.digits is None:
        return f"{heading}\n{NO_SOLUTION}\n\n"
    frame = frame_of(entry.puzzle.ruleset, characters_for(stream))
    names, gap, beside = entry.layout.symbols or names_on(board), " ", len(frame.letters[0])
    if room is not None and frame.width(len(_block(names, gap, ())[0]) + beside) > room:
        gap = ""
    blank = _block(names, gap, ())[0]
    cells = []
    # extra cells are not drawn
    for found, clue, letter in zip(marks.digits, entry.puzzle.clues.digits, frame.letters, strict=False):
        lines = _block(names, gap, [digit - board.least for digit in found])
        if colours and len(found) == 1:
            lines = [styled(line, FOUND if clue == board.blank else BOLD) for line in lines]
        # the letter of a cage is beside the first line
        cells.append([lines[0] + letter, *(line + " " * len(letter) for line in (*lines[1:], blank))])
    words = (line for word in frame.words for line in wrapped(printable(word), room, "  "))
    drawing = frame.lines(cells, len(blank) + beside)
    return "\n".join([styled(heading, BOLD) if colours else heading, *drawing, *words]) + "\n\n"


def _block(names: Sequence[str], gap: str, found: Collection[int]) -> list[str]:
    """The lines of a cell, with a place for each digit; one that is alone stands in the middle."""
    across, size = isqrt(len(names) - 1) + 1, max(map(len, names))
    down = -(-len(names) // across)
    places = [names[place] if place in found else "" for place in range(len(names))] + [""] * (across * down)
    if len(found) == 1:
        places = [""] * len(places)
        (places[(down - 1) // 2 * across + (across - 1) // 2],) = (names[digit] for digit in found)
    rows = (places[row * across : (row + 1) * across] for row in range(down))
    return [f" {gap.join(place.rjust(size) for place in row)} " for row in rows]


def _render_grid(entry: Entry, digits: Sequence[Sequence[int]]) -> str:
    """Each cell its digits, one after the other; numbers have commas between them."""
    board = entry.puzzle.board
    names = entry.layout.symbols or names_on(board)
    joiner = "" if max(map(len, names)) == 1 else ","
    texts = [joiner.join(names[digit - board.least] for digit in found) for found in digits[: board.grid_count]]
    wide = max(map(len, texts))
    # without the clues around the grid, which stand with the rules
    cells = [[f" {text.ljust(wide)} "] for text in texts]
    return "\n".join(frame_of(entry.puzzle.ruleset, ASCII).lines(cells, wide + 2)) + "\n"


def _render_line(entry: Entry, digits: Sequence[Sequence[int]]) -> str:
    """n³ characters: n for each cell, a dot for a digit that it never has. `solve` and other programs read them."""
    board = entry.puzzle.board
    if not board.is_plain or board.order > 9:
        raise UsageError(f"--output-format line is for boards of up to 9x9 with digits from 1, not for {board}")
    return "".join(str(digit) if digit in found else "." for found in digits for digit in board.digits) + "\n"


def _render_table(entry: Entry, marks: Marks, stream: TextIO) -> str:
    """A line for each candidate: its cell, its digit, how many solutions have it, the best score with it."""
    board, heads, rows = entry.puzzle.board, ["cell", "digit"], []
    heads += [head for head, asked in (("solutions", marks.counts), ("best", marks.scores)) if asked is not None]
    for cell, digits in enumerate(marks.digits or ()):
        for digit in digits:
            row = [board.cell_name(cell), entry.layout.name(board, digit)]
            if marks.counts is not None:
                row.append(f"{'' if marks.is_exact else '>='}{marks.counts.get((cell, digit), 0)}")
            if marks.scores is not None:
                score = marks.scores.get((cell, digit))
                row.append(UNKNOWN if score is None else str(score))
            rows.append(row)
    return "\n".join(table_lines(heads, rows, terminal_width(stream), ("digit", "solutions", "best"))) + "\n"


def _render_json(entry: Entry, marks: Marks) -> str:
    """One object on a line; `candidates` has a list of digits for each cell, row after row, null for no solution.

    `solutions` and `best` have the numbers in the same order, null where they were not asked for. `exact` is false
    where the numbers of solutions are lower limits.
    """

    def numbers(of: Mapping[Candidate, int | None] | Mapping[Candidate, int] | None) -> object:
        return of and [[of.get((cell, digit)) for digit in found] for cell, found in enumerate(marks.digits or ())]

    record = {
        "candidates": marks.digits,
        "solutions": numbers(marks.counts),
        "exact": marks.is_exact,
        "best": numbers(marks.scores),
    }
    return json_line(entry, record)


def render_marks(form: str, stream: TextIO, entry: Entry, marks: Marks | None) -> str:
    """Candidates in a format of `MARKS_FORMATS`; None for a puzzle of which nothing is known."""
    if marks is None:
        return f"{UNKNOWN}\n"
    if form == "pretty":
        return render_pretty(entry, marks, stream)
    if form == "json":
        return _render_json(entry, marks)
    if form in PICTURES:
        alarm = NO_SOLUTION if marks.digits is None else ""
        return draw_puzzle(entry, form, stream, candidates=marks.digits or (), alarm=alarm)
    if marks.digits is None:
        return f"{NO_SOLUTION}\n"
    if form == "table":
        return _render_table(entry, marks, stream)
    return (_render_grid if form == "grid" else _render_line)(entry, marks.digits)


MARKS_FORMATS = ("grid", "pretty", "line", "table", "json", *PICTURES)
"""Every value of `candidates --output-format`."""
