"""Blanks that are spaces: `53  7`, `5 3     7`, `| 5 3   |   7   |`. The columns of the digits show the cells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ringdoku.text.pastes.base import LEAST, Paste, Rewritten, Written

_BARS = "|│┃║┆┇┊┋╎╏¦"
_BAR = re.compile(f"[{_BARS}]")
_ROW = re.compile(f"[1-9 {_BARS}]*")
_BORDER = re.compile(r"[|: ]*+[-+=_*\u2500-\u257f][-+=_|*: \u2500-\u257f]*+")
_HORIZONTAL = re.compile("[-=_+─━┄┅┈┉╌╍═╴╶╸╺╼╾]")
_TEXT = re.compile(r"[^\W\d_]{3,}")
_MOST = 9
_WIDEST = 6
"""The most columns from one cell to the next."""


class _Part(NamedTuple):
    """The text between two bars, whether a bar stands on its left and on its right."""

    text: str
    left: bool
    right: bool


def _rewrite(lines: Sequence[str]) -> Iterable[Rewritten]:
    numbered = [Written(number, line.rstrip("\r")) for number, line in enumerate(lines, 1)]
    # titles above and words below
    while numbered and _TEXT.search(numbered[0].text):
        numbered.pop(0)
    while numbered and (not numbered[-1].text or _TEXT.search(numbered[-1].text)):
        numbered.pop()
    while numbered and not numbered[0].text:
        numbered.pop(0)
    if not LEAST <= len(numbered) <= 6 * _MOST or any("\t" in line.text for line in numbered):
        return
    rows = [line for line in numbered if not (_BORDER.fullmatch(line.text) and _HORIZONTAL.search(line.text))]
    if not all(_ROW.fullmatch(line.text) for line in rows):
        return
    if any(_BAR.search(line.text) for line in rows):
        rows = [line for line in rows if line.text.strip()]
        readings = _between_bars(rows)
    else:
        if not LEAST <= len(rows) <= _MOST:
            rows = [line for line in rows if line.text]
        readings = _apart([line.text for line in rows])
    digits = sum(sign.isdigit() for line in rows for sign in line.text)
    if not LEAST <= len(rows) <= _MOST or not len(rows) <= digits < len(rows) ** 2:
        return
    for reading in readings:
        yield [Written(line.number, " ".join(cells)) for line, cells in zip(rows, reading, strict=True)]


def _apart(texts: Sequence[str]) -> Iterator[list[list[str]]]:
    """Rows without bars: n cells of equal width from the start of the line, or from further right."""
    order = len(texts)
    widest = max((len(text.rstrip()) for text in texts), default=0)
    indent = min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)
    padded = len({len(text) for text in texts}) == 1 and len(texts[0])
    for step in range(1, _WIDEST):
        for start in range(indent + 1):
            end = start + (order - 1) * step + 1
            if widest <= end and (not padded or abs(padded - end - start) <= 1):
                yield from _cells(texts, start, step, order)


def _between_bars(rows: Sequence[Written]) -> Iterator[list[list[str]]]:
    """Rows with the same bars: as many cells between two bars everywhere."""
    order = len(rows)
    parts = _parts([line.text for line in rows])
    count = len(parts[0])
    if not count or order % count or any(len(row) != count for row in parts):
        return
    width = max(len(part.text) for row in parts for part in row if (part.left and part.right) or count == 1)
    across = order // count
    seen = set()
    for step in range(1, _WIDEST):
        for start in range(_WIDEST):
            end = start + (across - 1) * step + 1
            if abs(width - end - start) > 1 or end > width:
                continue
            for shift in (0, 1):
                grid = _joined(parts, start, step, across, shift)
                if grid and str(grid) not in seen:
                    seen.add(str(grid))
                    yield grid


def _joined(parts: Sequence[Sequence[_Part]], start: int, step: int, across: int, shift: int) -> list[list[str]] | None:
    """The cells of all parts; those without a bar on their left begin `shift` columns earlier."""
    grid: list[list[str]] = [[] for _ in parts]
    for cells, row in zip(grid, parts, strict=True):
        for part in row:
            first = start if part.left else start - shift
            if first < 0:
                return None
            found = next(_cells([part.text], first, step, across), None)
            if found is None:
                return None
            cells += found[0]
    return grid


def _parts(texts: Sequence[str]) -> list[list[_Part]]:
    """The parts of each row without the empty ones outside the outer bars."""
    rows = [_BAR.split(text) for text in texts]
    left = all(not pieces[0].strip() for pieces in rows)
    right = all(not pieces[-1].strip() for pieces in rows)
    return [
        [
            _Part(piece, place > 0, place < len(pieces) - 1)
            for place, piece in enumerate(pieces)
            if not (left and place == 0) and not (right and place == len(pieces) - 1)
        ]
        for pieces in rows
    ]


def _cells(texts: Sequence[str], start: int, step: int, count: int) -> Iterator[list[list[str]]]:
    """The digits at start, start + step, …; nothing if there are digits elsewhere."""
    grid = []
    for text in texts:
        places = [place for place, sign in enumerate(text) if sign != " "]
        if any(place < start or (place - start) % step or (place - start) // step >= count for place in places):
            return
        cells = [text[place : place + 1] for place in range(start, start + count * step, step)]
        grid.append([cell.strip() or "." for cell in cells])
    yield grid


SPACES = Paste("spaces", "blanks that are spaces, plain and between bars", _rewrite)
