"""How a grid is laid out as text: what a format remembers of its input, so that the answer looks the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import Ruleset
from ringdoku.formats.symbols import LETTERS


@dataclass(frozen=True)
class Drawing:
    """The borders of a boxed grid: whole lines above, between and below bands, and what stands around groups of cells.

    A group is `across` cells of a row, a band `down` rows; None is no line.
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
        """No borders, but a blank line between bands."""
        return Drawing(order, down, None, "", None, "", "", "")


@dataclass(frozen=True)
class Layout:
    """`symbols` has one character for each digit and is empty for decimal numbers.

    Cells are right-aligned to `width` and joined by `separator`, rows by `row_end`. `gap`: a blank line stands before
    this puzzle when it is not the first; whoever prints several writes it.
    """

    format: str
    symbols: str = ""
    blank: str = "."
    separator: str = ""
    row_end: str = "\n"
    width: int = 0
    drawing: Drawing | None = None
    gap: bool = False

    def render(self, grid: Grid, ruleset: Ruleset) -> str:  # noqa: ARG002  other layouts tell the box
        """The grid as text, without a last end of line and without trailing blanks."""
        board, columns, blank = grid.board, grid.board.columns, grid.board.blank
        names = _names(self._symbols_for(grid), self.blank, self.width, board.least, board.order)
        # from the blank on, which is the number below the least digit
        cells = [names[digit - blank] for digit in grid.digits]
        rows = [cells[start : start + columns] for start in range(0, board.grid_count, columns)]
        if self.drawing is None:
            return self.row_end.join([self.separator.join(row) for row in rows])
        return _draw(rows, self.separator, self.drawing)

    def _symbols_for(self, grid: Grid) -> str:
        # letters without any of 1-9 are read as an alphabet that starts with A, so such clues are written in it
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
def _names(symbols: str, blank: str, width: int, least: int, order: int) -> tuple[str, ...]:
    """What is written for a blank and for each digit."""
    digits = symbols or map(str, range(least, least + order))
    return tuple(name.rjust(width) for name in (blank, *digits))
