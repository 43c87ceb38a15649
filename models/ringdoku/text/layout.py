"""How a grid is written as text. Readers return the layout of their input, so that answers can look the same."""

from dataclasses import dataclass
from itertools import chain
from math import isqrt
from typing import Any

from ringdoku.domain import Board, Grid, Puzzle, Ruleset, refuse
from ringdoku.text.cells import LETTERS, Alphabet, symbols_on

FORMAT_NAMES = ("json", "boxed", "line", "packed", "spaced")
OUTPUTS = ("same", "boxed", "line", "packed", "spaced")
"""Layouts for printing grids: `same` as the input, or a format by name."""
CELL = "\0"
"""Where a cell stands in the template of a layout."""


@dataclass(frozen=True)
class Layout:
    """`template` is the text of a grid with `CELL` in place of each cell; a cell is right-aligned to `width`.

    `symbols` is the alphabet, empty for the decimal numbers. `gap`: a blank line comes before this puzzle unless it is
    the first; code that prints several puzzles writes it.
    """

    format: str
    symbols: Alphabet = ""
    blank: str = "."
    template: str = ""
    width: int = 0
    gap: bool = False

    def render(self, grid: Grid, ruleset: Ruleset) -> str:
        """The grid as text, without the end of its last line."""
        if self.format == "json":
            import json

            height, width = ruleset.box or (0, 0)
            keys = {"grid": grid_rows(grid)} | ({} if height == width else {"box": [height, width]})
            return json.dumps(keys | {key: value for key, value in rule_keys(ruleset, grid).items() if value})
        board = grid.board
        # letters without any of 1-9 are read in the alphabet that starts with A, so write such clues in it
        letters = board.is_plain and 9 < len(self.symbols) <= len(LETTERS) and {*range(1, 10)}.isdisjoint(grid.digits)
        symbols = LETTERS[: board.order] if letters and max(grid.digits) > 9 else self.symbols
        names = [name.rjust(self.width) for name in (self.blank, *(symbols or map(str, board.digits)))]
        *parts, end = self.template.split(CELL)
        # the blank is the number below the least digit
        cells = [names[digit - board.blank] for digit in grid.digits]
        return "".join(chain.from_iterable(zip(parts, cells, strict=False))) + end

    def name(self, board: Board, digit: int) -> str:
        return self.symbols[digit - board.least] if self.symbols else str(digit)


def layout_named(name: str, ruleset: Ruleset, source: Layout | None = None) -> Layout:
    """How to print grids of `ruleset` in this format, with the alphabet of the layout `source` where it fits.

    Raises `UsageError` for an unknown name, and for an order that is too large for the format.
    """
    if source is not None and name in ("same", source.format):
        return source
    refuse(name not in FORMAT_NAMES, f"there is no format {name!r}; there are {', '.join(FORMAT_NAMES)}")
    if name == "json":
        return Layout("json")
    board, rows, columns = ruleset.board, ruleset.board.rows, ruleset.board.columns
    if name == "spaced":
        return Layout(name, "", "0" if board.least > 0 else ".", "\n".join([" ".join([CELL] * columns)] * rows))
    if name != "boxed":
        symbols = (source and source.symbols) or symbols_on(board)
        if board.is_plain and board.order < 4:
            # on a line it would be read as a row
            name = "packed"
        return Layout(name, symbols, template=("" if name == "line" else "\n").join([CELL * columns] * rows))
    width = max(len(str(board.least)), len(str(board.greatest)))
    height, across = ruleset.box or (rows, columns)
    border = f"+{'+'.join(['-' * (across * (width + 1) + 1)] * (columns // across))}+"
    row = f"| {' | '.join([' '.join([CELL] * across)] * (columns // across))} |"
    bands = ["\n".join([border, *[row] * height])] * (rows // height)
    return Layout(name, "", "." if width == 1 else "_" * width, "\n".join([*bands, border]), width, gap=True)


def puzzle_text(puzzle: Puzzle, layout: Layout) -> str:
    """The text of a puzzle: the lines of its rules, then its grid. JSON has the rules inside."""
    ruleset = puzzle.ruleset
    is_shown = layout.format == "json" or ruleset.classic_box == (isqrt(ruleset.order),) * 2
    board, rules = (None, []) if is_shown else _stated(ruleset)
    # a grid has no place for clues in extra cells
    beside = () if is_shown else ruleset.board.beside(puzzle.clues.digits).items()
    rules = [*rules, *(f"allowed {digit}: {name}" for name, digit in beside if digit != ruleset.board.blank)]
    return "\n".join([*([f"board {board}"] if board else ()), *rules, layout.render(puzzle.clues, ruleset)]) + "\n"


def _stated(ruleset: Ruleset) -> tuple[str | None, list[str]]:
    """The board as `write_board` has it, None if a grid shows it (n×n, 1-n, usual boxes); and the other rules."""
    # this import takes 30 ms, and classic puzzles do without it
    from ringdoku.constraints.registry import write_board, write_rules

    board, (height, width) = ruleset.board, ruleset.box or (1, ruleset.order)
    is_shown = board.is_plain and height * width == board.order
    return None if is_shown else write_board(board), write_rules(ruleset)


def grid_rows(grid: Grid) -> list[list[int | None]]:
    """The rows for JSON: a blank is 0, or null on a board whose blank is another number."""
    return [[None if digit == grid.board.blank != 0 else digit for digit in row] for row in grid.rows]


def rule_keys(ruleset: Ruleset, grid: Grid | None) -> dict[str, Any]:
    """JSON's keys for rules that are not classic: `board` and `rules`, and `extra` for the digits of extra cells."""
    board = ruleset.board
    if ruleset.classic_box:
        return {"board": None, "rules": []}
    stated, rules = _stated(ruleset)
    keys: dict[str, Any] = {"board": stated, "rules": rules}
    if board.extra and grid:
        beside = board.beside(grid.digits).items()
        keys["extra"] = {name: None if digit == board.blank else digit for name, digit in beside}
    return keys
