"""A puzzle a line, of n² characters, among other fields: `name: puzzle`, `puzzle|rating`, libraries of HoDoKu, lists
with ratings, records of JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from ringdoku.text.between import Kind, kind_of
from ringdoku.text.pastes.base import LEAST, Paste, Rewritten, Written, order_of

_WORD = re.compile(r"""[^\s,;:|"'=()<>{}&?/`]+|[?]+(?=[0-9?])""")
_SEPARATED = re.compile(r"""[^\s,;:|"'=()<>{}&/`]+""")
_CELLS = {order: re.compile(f"[0-{order}._*?xX~-]+") for order in range(4, 10)}
_SYMBOLS = re.compile(r"[0-9A-Za-z._*?-]+")
_SET = re.compile(r"\+[1-9]")
_LONG = 12
"""From this length on a word of digits and marks that is no puzzle may be a damaged one."""
_CELL = re.compile("[0-9._*?-]")
_TEXT = re.compile(r"[^\W\d_]{3,}")
_MOST_DIGITS = 12
_BLANKS = re.compile("[0._*?xX~-]")


def is_cells(word: str) -> bool:
    """Whether a word is n² cells of one character, with one mark for blanks at most."""
    order = order_of(len(word))
    if not order or not _CELLS.get(order, _SYMBOLS).fullmatch(word):
        return False
    marks = set(_BLANKS.findall(word))
    if order > 9:
        # a word is no puzzle, and letters are digits
        return len(marks - {"x", "X"}) == 1 and not marks & {"~"}
    return len(marks) == 0 or (len(marks) == 1 and (not marks & {"x", "X", "~"} or word.count(*marks) >= LEAST))


def is_damaged(word: str) -> bool:
    """Whether most of a long word is digits and marks."""
    return len(word) >= _LONG and 2 * len(_CELL.findall(word)) > len(word)


def _puzzle_in(line: str) -> str | None:
    """The puzzle of a line, with its solution and the other words as its name; None if it is not plain which it is."""
    if "[" in line or line.count("{") > 1:
        return None
    words = _SEPARATED.findall(line)
    if any("?" in word and not is_cells(word) for word in words):
        # an address
        words = _WORD.findall(line)
    if line.lstrip().startswith(":"):
        # in libraries of HoDoKu `+5` is a digit that was set while solving, not a clue
        words = [_SET.sub(".", word) for word in words]
    found = [word for word in words if is_cells(word)]
    if not 1 <= len(found) <= 2 or len({len(word) for word in found}) > 1:
        return None
    others = [word for word in words if word not in found]
    if any(is_damaged(word) or 2 * len(word) > max(_LONG, len(found[0])) for word in others):
        return None
    full = [word for word in found if word.isalnum() and "0" not in word]
    if len(found) == 2 and not full:
        return None
    if len(found) == 2 and full[0] is found[0] and len(full) == 1:
        found.reverse()
    found[0] = re.sub("[xX~]", ".", found[0]) if len(found[0]) < 100 else found[0]
    # the keys of records and the parts of addresses are no names
    name = "" if "{" in line or "//" in line else " ".join(others)
    return " ".join(found) + (f" # {name}" if name else "")


def each_line(rewrite: Callable[[str], str | None], lines: Sequence[str]) -> Iterable[Rewritten]:
    """Every line rewritten, or kept where it is no content or a title; nothing if there is another line."""
    rewritten: Rewritten = []
    found = False
    for number, line in enumerate(lines, 1):
        new = line_or_title(rewrite, line)
        if new is None:
            return []
        found = found or new is not line
        rewritten.append(Written(number, new))
    return [rewritten] if found else []


def line_or_title(rewrite: Callable[[str], str | None], line: str) -> str | None:
    """A line rewritten; itself where it is blank, a comment, or text; None for any other."""
    new = rewrite(line)
    if new is not None:
        return new
    if kind_of(line) in (Kind.BLANK, Kind.COMMENT):
        return line
    digits = sum(map(str.isdigit, line))
    if not digits and "|" in line and _TEXT.search(line):
        # the names of columns
        return f"# {line}"
    return line if _TEXT.search(line) and digits < _MOST_DIGITS and not any(map(is_damaged, line.split())) else None


FIELDS = Paste(
    "fields",
    "a puzzle a line among other fields, as in libraries of HoDoKu and lists with ratings",
    partial(each_line, _puzzle_in),
    by_line=_puzzle_in,
)
