"""Rows with labels before them, and perhaps labels of columns above: `A 5 3 . . 7`, `r1: 53..7....`, `1) 5 3 0`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from ringdoku.text.between import Kind, kind_of
from ringdoku.text.pastes.base import LEAST, Paste, Rewritten, Written

# here and below quantifiers that give nothing back, so that a long run of anything takes linear time
_LABEL = re.compile(
    r"[|│║]?+\s*+(?:(?:row|r)\s*+)?+([0-9]{1,2}+|[A-Za-z])(?:[.)\]]\s++|\s*+[:|│║]\s*+|\s++)(.+)", re.IGNORECASE
)
_BORDER = re.compile(r"[-+=| \t\u2500-\u257f]+")
_BETWEEN = re.compile(r"[\s|│║,:]+")
_NAMES = tuple(
    tuple(names)
    for names in (
        [str(number) for number in range(1, 36)],
        list(ascii_uppercase),
        [str(number) for number in range(36)],
    )
)


def _are_labels(labels: Sequence[str]) -> bool:
    """Whether they are 1, 2, … or A, B, … or 0, 1, …"""
    upper = tuple(label.upper() for label in labels)
    return any(upper == names[: len(upper)] for names in _NAMES)


def are_column_labels(text: str, order: int = 0) -> bool:
    """Whether a line names columns: `1 2 3`, `A B C`, `c1 c2 c3`, `123 456 789`; so many if `order` is not 0."""
    words = [word for word in _BETWEEN.split(text.strip()) if word]
    labels = [re.sub(r"^(col|c)\.?(?=[0-9])", "", word, flags=re.IGNORECASE) for word in words]
    if any(len(label) > 2 for label in labels):
        labels = list("".join(words))
    return len(labels) >= LEAST and (not order or len(labels) == order) and _are_labels(labels)


def _rewrite(lines: Sequence[str]) -> Iterable[Rewritten]:
    found: list[tuple[str, str] | None] = []
    above: list[int] = []
    begun = False
    for place, line in enumerate(lines):
        match = _LABEL.fullmatch(line.strip())
        if kind_of(line) is Kind.BLANK or _BORDER.fullmatch(line):
            found.append(None)
        elif not begun and are_column_labels(line):
            above.append(place)
            found.append(None)
        elif match:
            found.append((match[1], match[2]))
            begun = True
        elif not begun and re.search(r"[^\W\d_]{3,}", line):
            # a title
            found.append(None)
        else:
            return []
    labels = [label for label, _ in filter(None, found)]
    count = next((place for place, label in enumerate(labels) if place and label == labels[0]), len(labels))
    if count < LEAST or len(labels) % count:
        return []
    if not all(_are_labels(labels[start : start + count]) for start in range(0, len(labels), count)):
        return []
    named = set(above)
    return [
        [
            Written(place + 1, cells[1] if cells else "" if place in named else _inside(lines[place]))
            for place, cells in enumerate(found)
        ]
    ]


def _inside(line: str) -> str:
    """A border without blanks before it, since labels are gone too."""
    return line.strip() if _BORDER.fullmatch(line) else line


LABELS = Paste("labels", "rows with labels before them, A to I or 1 to 9, also with labels of columns above", _rewrite)
