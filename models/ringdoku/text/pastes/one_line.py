"""A grid on one line: n² cells with spaces or commas between them, or n rows; also n² lines of a cell each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ringdoku.text.cells import DIGITS
from ringdoku.text.pastes.base import BLANK_WORDS, MARKS, Paste, Rewritten, Written, order_of
from ringdoku.text.pastes.fields import each_line, is_cells

_BETWEEN_CELLS = re.compile(r"[\s,;]+")
_BETWEEN_ROWS = re.compile(r"\s*(?:\\n|[/|,;\s])\s*")
_NUMBER = re.compile("[0-9]{1,2}")


def _rewrite_line(line: str) -> str | None:
    bare = line.strip().strip(",;/|")
    cells = [cell for cell in _BETWEEN_CELLS.split(bare) if cell]
    if order := order_of(len(cells)):
        return _packed(cells, order)
    rows = [row for row in _BETWEEN_ROWS.split(bare) if row]
    if len(rows) >= 4 and all(len(row) == len(rows) for row in rows) and is_cells("".join(rows)):
        return "".join(rows)
    return None


def _packed(cells: Sequence[str], order: int) -> str | None:
    """One character for each of n² cells; None if they are not numbers and marks, or there are none of both."""
    signs: list[str] = []
    marks = set()
    for cell in cells:
        if _NUMBER.fullmatch(cell) and 0 < int(cell) <= min(order, len(DIGITS)):
            signs.append(DIGITS[int(cell) - 1])
        elif cell == cell[:1] * len(cell) and cell[0] in MARKS + "xX":
            signs.append(".")
            marks.add(cell)
        else:
            return None
    # a 0 beside another mark may be a digit
    return "".join(signs) if len(marks) < 2 else None


def _column(lines: Sequence[str]) -> Rewritten:
    """The line of n² lines of a cell each, where an empty line may be an empty cell."""
    texts = [line.strip() for line in lines]
    if texts and not texts[-1]:
        texts.pop()
    filled = [text for text in texts if text]
    for cells in (texts, filled):
        order = order_of(len(cells))
        if order and 4 * len(filled) >= order and max(map(len, cells)) <= 2:
            packed = _packed([cell if cell.lower() not in BLANK_WORDS else "." for cell in cells], order)
            if packed and packed.strip("."):
                return [Written(1, packed)]
    return []


def _rewrite(lines: Sequence[str]) -> Iterable[Rewritten]:
    column = _column(lines)
    return [column] if column else each_line(_rewrite_line, lines)


ONE_LINE = Paste(
    "one-line",
    "n² cells on one line with spaces or commas between them, n rows on one line, or a cell a line",
    _rewrite,
    by_line=_rewrite_line,
)
