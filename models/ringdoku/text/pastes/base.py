"""What a paste grammar is, and the cells that all of them know.

The formats of the reader are read line by line. What people copy from web pages, mails and programs is not: a grammar
here rewrites a whole text into lines that the reader reads, or says that the text is nothing of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ringdoku.text.cells import BLANKS

MARKS = f"0{BLANKS}"
"""Blanks as the reader knows them."""

OTHER_MARKS = "xX~#+=:□☐▢◻◽⬜■◼⬛○◯•⋅∙–—−␣．＿＊"
"""Further signs that people write for a blank."""

BLANK_WORDS = frozenset(("", "none", "null", "nil", "undefined", "na", "nan", "false", "empty", "nothing"))
"""What programs write for a blank, in lower case; "" is an empty cell."""

LEAST = 4
"""The smallest order that is looked for in a paste: smaller grids are too much like other things."""


class Written(NamedTuple):
    """A line for the reader, and the number of the line of the text that it comes from."""

    number: int
    text: str


Rewritten: TypeAlias = list[Written]


@dataclass(frozen=True)
class Paste:
    """One way in which pasted puzzles look.

    - `rewrite` returns the texts that the lines may stand for; none if they are nothing of this kind. A puzzle that
      is of this kind and malformed may be rewritten too: the reader says what is wrong.
    - `sure`: what is rewritten cannot be anything else, so the reader's error for it is the one to report.
    - `by_line` rewrites one line, where each line is a puzzle, so that a long input streams.
    """

    name: str
    summary: str
    rewrite: Callable[[Sequence[str]], Iterable[Rewritten]]
    sure: bool = False
    by_line: Callable[[str], str | None] | None = None


def cell_of(text: str) -> str:
    """A cell as the reader takes it: the words and empty texts that stand for a blank become a dot."""
    bare = text.strip()
    return "." if bare.lower() in BLANK_WORDS else bare


def row_of(texts: Iterable[str]) -> str:
    """A row of separate cells."""
    return " ".join(map(cell_of, texts))


def is_cell(text: str) -> bool:
    """Whether a text may be a cell: a number, a letter, a mark, or a word for a blank."""
    bare = text.strip()
    if bare.isdecimal():
        return bare.isascii() and len(bare) <= 3
    if bare.lower() in BLANK_WORDS:
        return True
    return (len(bare) == 1 and bare.isalpha()) or (bare[0] in MARKS + OTHER_MARKS and bare == bare[0] * len(bare))


def order_of(count: int) -> int:
    """The n of n² cells, 0 if there is none of at least `LEAST`."""
    order = round(count**0.5)
    return order if order * order == count and order >= LEAST else 0
