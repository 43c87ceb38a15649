"""How a grid is written as text. A reader keeps the layout of its input, so that the answer looks the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ringdoku.domain.board import Board
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import Ruleset
from ringdoku.text.alphabets import LETTERS, Alphabet


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

    def render(self, grid: Grid, ruleset: Ruleset) -> str:  # noqa: ARG002  other layouts print the box
        """The grid as text, without the end of its last line and with no trailing blanks but `spaces`."""
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
