"""Other signs for blanks: `53x x7x xxx`, `□` and so on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ringdoku.text.pastes.base import LEAST, OTHER_MARKS, Paste, Rewritten, Written

_SIGNS = re.compile(f"[{re.escape(OTHER_MARKS)}]")
_HORIZONTAL = r"\-+=|\u2500-\u257f"
_BORDER = re.compile(rf"[ \t{_HORIZONTAL}]+")
_MARK = re.compile("[0._*?·]|-")
_DIGIT = re.compile("[1-9A-Ga-g]")


def with_dots(lines: Sequence[Written]) -> Rewritten | None:
    """The lines with dots for the one other sign that stands for every blank; None if there is no such sign.

    Rows have no other mark for blanks, and nothing but digits, borders and separators beside it.
    """
    found = {sign for line in lines if _is_short(line.text) for sign in _SIGNS.findall(line.text)}
    for sign in sorted(found):
        row = re.compile(rf"[0-9A-Ga-g \t,;'\"|\u2500-\u257f{re.escape(sign)}]+")
        rows = {
            place
            for place, (_, text) in enumerate(lines)
            if row.fullmatch(text) and sign in text and not (sign in "+=" and _BORDER.fullmatch(text) and "-" in text)
        }
        cells = "".join(lines[place].text for place in rows)
        others = [text for place, (_, text) in enumerate(lines) if place not in rows]
        if cells.count(sign) < LEAST or not _DIGIT.search(cells) or "0" in cells:
            continue
        if any(_MARK.search(text) and not _BORDER.fullmatch(text) and _is_all_cells(text) for text in others):
            continue
        return [
            Written(number, text.replace(sign, ".") if place in rows else text)
            for place, (number, text) in enumerate(lines)
        ]
    return None


def _is_short(text: str) -> bool:
    return text.strip() != ""


def _is_all_cells(text: str) -> bool:
    return not re.search(r"[^0-9A-Ga-g \t,;|._*?·\u2500-\u257f-]", text)


def _rewrite(lines: Sequence[str]) -> Iterable[Rewritten]:
    rewritten = with_dots([Written(number, line) for number, line in enumerate(lines, 1)])
    return [rewritten] if rewritten else []


SIGNS = Paste("signs", f"another sign for every blank: {' '.join(OTHER_MARKS)}", _rewrite)
