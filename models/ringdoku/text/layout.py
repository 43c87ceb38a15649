"""How a grid is written as text. A reader keeps the layout of its input, so that the answer looks the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt
from typing import Any

from ringdoku.domain.board import Board
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.cells import LETTERS, Alphabet, numbers_from_zero, one_character, starts_at_zero, symbols_on

FORMAT_NAMES = ("json", "boxed", "line", "packed", "spaced")
OUTPUTS = ("same", "boxed", "line", "packed", "spaced")
"""Layouts for printing grids: `same` as the input, or a format by name."""


@dataclass(frozen=True)
class Drawing:
    """The borders of a boxed grid: lines above, between and below bands, and the text around groups of cells.

    A group is `across` cells of a row, a band is `down` rows. None means that there is no line.
    """

    across: int
    down: int
    top: str | None
    middle: str | None
    bottom: str | None
    left: str
    bar: str
    right: str

    @staticmethod
    def bands(order: int, down: int) -> Drawing:
        """No borders, only a blank line between bands."""
        return Drawing(order, down, None, "", None, "", "", "")


@dataclass(frozen=True)
class Layout:
    """`symbols` is the alphabet, empty for the decimal numbers.

    Cells are right-aligned to `width` and joined by `separator`, rows by `row_end`; `spaces` end each row. `gap`: a
    blank line comes before this puzzle unless it is the first; code that prints several puzzles writes it.
    """

    format: str
    symbols: Alphabet = ""
    blank: str = "."
    separator: str = ""
    row_end: str = "\n"
    width: int = 0
    drawing: Drawing | None = None
    gap: bool = False
    spaces: str = ""

    def render(self, grid: Grid, ruleset: Ruleset) -> str:
        """The grid as text, without the end of its last line and with no trailing blanks but `spaces`."""
        if self.format == "json":
            return _write_record(grid, ruleset)
        board, blank = grid.board, grid.board.blank
        names = _names(self._symbols_for(grid), self.blank, self.width, board.least, board.order)
        # from the blank on, which is the number below the least digit
        cells = [names[digit - blank] for digit in grid.digits]
        rows = board.in_rows(cells)
        if self.drawing is None:
            return self.row_end.join([self.separator.join(row) + self.spaces for row in rows])
        return _draw(rows, self.separator, self.drawing)

    def name(self, board: Board, digit: int) -> str:
        """The text for a digit of a board."""
        return self.symbols[digit - board.least] if self.symbols else str(digit)

    def _symbols_for(self, grid: Grid) -> Alphabet:
        # letters without any of 1-9 are read in the alphabet that starts with A, so write such clues in it
        letters_alone = self.symbols[9:] and self.symbols[0] == "1" and len(self.symbols) <= len(LETTERS)
        if (
            letters_alone
            and grid.board.is_plain
            and max(grid.digits) > 9
            and not any(0 < digit < 10 for digit in grid.digits)
        ):
            return LETTERS[: len(self.symbols)]
        return self.symbols


def _draw(rows: list[list[str]], separator: str, drawing: Drawing) -> str:
    across, down = drawing.across, drawing.down
    lines = [] if drawing.top is None else [drawing.top]
    for number, row in enumerate(rows):
        if number and number % down == 0 and drawing.middle is not None:
            lines.append(drawing.middle)
        groups = [separator.join(row[start : start + across]) for start in range(0, len(row), across)]
        lines.append((drawing.left + drawing.bar.join(groups) + drawing.right).rstrip(" \t"))
    if drawing.bottom is not None:
        lines.append(drawing.bottom)
    return "\n".join(lines)


@lru_cache(maxsize=64)
def _names(symbols: Alphabet, blank: str, width: int, least: int, order: int) -> tuple[str, ...]:
    """The text for a blank and for each digit."""
    digits = symbols or map(str, range(least, least + order))
    return tuple(name.rjust(width) for name in (blank, *digits))


def drawn_layout(ruleset: Ruleset, symbols: Alphabet = "") -> Layout:
    """Separate cells as wide as the widest digit; a blank is `.`, or `_` repeated to that width."""
    board = ruleset.board
    width = max(map(len, symbols or (str(board.least), str(board.greatest))))
    down, across = ruleset.box or (board.rows, board.columns)
    dashes = "-" * (across * (width + 1) + 1)
    rule = f"+{'+'.join([dashes] * (board.columns // across))}+"
    drawing = Drawing(across, down, rule, rule, rule, "| ", " | ", " |")
    return Layout("boxed", symbols, "." if width == 1 else "_" * width, " ", width=width, drawing=drawing, gap=True)


def layout_named(name: str, ruleset: Ruleset, source: Layout | None = None) -> Layout:
    """How to print grids of `ruleset` in this format, with the alphabet of the layout `source` where it fits.

    Raises `UsageError` for an unknown name, and for an order that is too large for the format.
    """
    if source is not None and name in ("same", source.format):
        return source
    board = ruleset.board
    if name == "json":
        return Layout("json", row_end="")
    if name == "boxed":
        layout = drawn_layout(ruleset)
    elif name == "spaced":
        layout = Layout("spaced", blank="0" if board.least > 0 else ".", separator=" ")
    elif name in ("line", "packed"):
        symbols = one_character(source.symbols, board) if source else symbols_on(board)
        return Layout(name, symbols, row_end="" if name == "line" else "\n")
    else:
        raise UsageError(f"there is no format {name!r}; there are {', '.join(FORMAT_NAMES)}")
    if source and starts_at_zero(source.symbols) and board.is_plain:
        blank = "." if layout.blank == "0" else layout.blank
        return replace(layout, symbols=numbers_from_zero(ruleset.order), blank=blank)
    return layout


def puzzle_text(puzzle: Puzzle, layout: Layout) -> str:
    """One puzzle with the lines of its rules above it, which JSON has inside."""
    ruleset = puzzle.ruleset
    lines = []
    if layout.format != "json" and (not ruleset.classic_box or ruleset.box != (isqrt(ruleset.order),) * 2):
        # 30 ms that classic puzzles have no need of
        from ringdoku.constraints.text import write_board, write_rules

        lines += [] if ruleset.board.is_plain else [f"board {write_board(ruleset.board)}"]
        lines += write_rules(ruleset)
    return "\n".join([*lines, layout.render(puzzle.clues, ruleset)]) + "\n"


def _write_record(grid: Grid, ruleset: Ruleset) -> str:
    """The grid and its rules as one object."""
    import json

    height, width = ruleset.box or (0, 0)
    keys = {"grid": grid_rows(grid)} | ({} if height == width else {"box": [height, width]})
    return json.dumps(keys | {key: value for key, value in rule_keys(ruleset, grid).items() if value})


def grid_rows(grid: Grid) -> list[list[int | None]]:
    """The rows with null for a blank where 0 is not one."""
    blank = grid.board.blank
    return [[None if digit == blank != 0 else digit for digit in row] for row in grid.rows]


def rule_keys(ruleset: Ruleset, grid: Grid | None) -> dict[str, Any]:
    """What makes the rules more than classic ones, under the keys `board` and `rules`; and `extra` on a board with
    extra cells."""
    board = ruleset.board
    if ruleset.classic_box:
        return {"board": None, "rules": []}
    from ringdoku.constraints.text import write_board, write_rules

    keys: dict[str, Any] = {"board": None if board.is_plain else write_board(board), "rules": write_rules(ruleset)}
    if board.extra and grid:
        beside = board.beside(grid.digits).items()
        keys["extra"] = {name: None if digit == board.blank else digit for name, digit in beside}
    return keys
