"""Lists of programs: JSON, Python, NumPy, C, Java, Haskell, Prolog, MATLAB, MiniZinc; also strings in code.

Brackets of every kind are one kind here. A list of n lists of n cells is a grid; so are a list of n² cells, n strings
of n characters, and a string of n². `;`, `|` and line ends may end rows within a list. A grid that stands after a word
such as `solution` is that of the puzzle before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ringdoku.text.paste_lines import LEAST, Rewritten, Written, is_cell, is_cells, is_damaged, order_of, row_of
from ringdoku.text.paste_tables import one_below_the_other

_COMMENT = re.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|(?<![:\"'])//[^\n]*|(?<!\S)(?:[#%]|--)(?!\w)[^\n]*")
_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<open>[\[({])|(?P<close>[\])}])|(?P<end>[;|\n])|(?P<empty>,(?=\s*,)|(?<=[\[({]),)|(?P<word>[^\s"'\[\](){};|,:=]+)""",
    re.VERBOSE,
)
_FLOAT = re.compile(r"([0-9]+)\.0*")
_ESCAPED = re.compile(r"\\[nrt]")
_SYMBOLS = re.compile("[0-9A-Ga-g._*?xX~ -]+")
_ANSWER = re.compile("solution|answer|output|solved|expected", re.IGNORECASE)
_BLANK_ROW = re.compile("[._*?x0-]{4,}")
_DEEPEST = 50


class _Cell(NamedTuple):
    """The text of a cell, or of a string; the line, and the offset from the start."""

    text: str
    number: int
    at: int


_Rows: TypeAlias = list[list[_Cell]]


@dataclass
class _List:
    """What stands between two brackets. A new row of cells begins where a row may end."""

    rows: _Rows = field(default_factory=lambda: [[]])
    strings: list[_Cell] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    words: bool = False
    call: bool = False

    @property
    def cells(self) -> list[_Cell]:
        return [cell for row in self.rows for cell in row]

    def add(self, word: _Cell) -> None:
        """Adds a cell, or notes a word. Raises `_SpoiltError` for a damaged one."""
        if is_cell(word.text):
            self.rows[-1].append(word)
        elif is_damaged(word.text):
            raise _SpoiltError
        else:
            self.words = True

    @property
    def is_row(self) -> bool:
        """Whether it holds cells, and no other list."""
        return not self.lists and len(self.cells) > 1


class _SpoiltError(Exception):
    """There are lists or words of cells that belong to no grid: something is damaged, or the text says more than a grid
    does."""


def _parse(text: str) -> _List:
    """What stands outside all brackets. Raises `_SpoiltError`."""
    stack = [_List()]
    number = 1
    for match in _TOKEN.finditer(text):
        kind, token = match.lastgroup, match.group()
        here = stack[-1]
        if kind == "end":
            number += token == "\n"
            here.rows.append([])
        elif kind == "open" and len(stack) < _DEEPEST:
            here.lists.append(_List(call=token == "("))
            stack.append(here.lists[-1])
        elif kind == "close" and len(stack) > 1:
            stack.pop()
        elif kind == "empty":
            here.rows[-1].append(_Cell("", number, match.start()))
        elif kind == "string" and (not is_cell(token[1:-1]) or _BLANK_ROW.fullmatch(token[1:-1])):
            here.strings += [_Cell(part, number, match.start()) for part in _ESCAPED.split(token[1:-1]) if part]
        elif kind in ("string", "word"):
            here.add(_Cell(token[1:-1] if kind == "string" else _FLOAT.sub(r"\1", token), number, match.start()))
    return stack[0]


def _grids(one: _List) -> Iterator[_Rows]:
    """The grids in a list, of lists first. Raises `_SpoiltError`."""
    if one.strings and not one.cells:
        yield from _of_strings(one.strings)
    leaves = [inner for inner in one.lists if inner.is_row]
    rows = [leaf.cells for leaf in leaves]
    if len(rows) < LEAST or one.cells or any(leaf.call and leaf.words for leaf in leaves) or _are_grids(rows):
        # each is a grid on its own
        leaves = []
    elif all(len(row) >= LEAST for row in rows):
        yield rows
    else:
        raise _SpoiltError
    known = set(map(id, leaves))
    for inner in one.lists:
        if id(inner) not in known:
            yield from _of_leaf(inner) if not inner.lists else _grids(inner)


def _are_grids(rows: _Rows) -> bool:
    return any(len(row) != len(rows) for row in rows) and all(order_of(len(row)) for row in rows)


def _of_leaf(one: _List) -> Iterator[_Rows]:
    """The grid that a list of cells is."""
    cells, rows = one.cells, [row for row in one.rows if row]
    order = order_of(len(cells))
    if len(rows) >= LEAST and all(len(row) == len(rows) for row in rows):
        yield rows
    elif order:
        yield _square(cells)
    elif len(rows) >= LEAST and len(cells) > LEAST**2:
        # one that is malformed
        yield rows
    elif len(cells) > 1 and not one.words and not one.call:
        raise _SpoiltError
    elif one.strings:
        yield from _of_strings(one.strings)


def _of_strings(strings: Sequence[_Cell]) -> Iterator[_Rows]:
    """The grids whose rows, or whose cells, are the characters of strings."""
    texts = [string for string in strings if _SYMBOLS.fullmatch(string.text)]
    damaged = [string for string in strings if is_damaged(_without_spaces(string.text))]
    for cut in (str, _without_spaces):
        signs = [[_Cell(sign, string.number, string.at) for sign in cut(string.text)] for string in texts]
        whole = {string for string in texts if is_cells(cut(string.text))}
        if whole:
            if not whole.issuperset(damaged):
                raise _SpoiltError
            yield from (_square(row) for row, string in zip(signs, texts, strict=True) if string in whole)
            return
        if len(signs) >= LEAST and all(len(row) == len(signs) for row in signs):
            yield signs
            return
    if damaged:
        raise _SpoiltError


def _square(cells: Sequence[_Cell]) -> _Rows:
    order = order_of(len(cells))
    return [list(cells[start : start + order]) for start in range(0, len(cells), order)]


def _without_spaces(text: str) -> str:
    return text.replace(" ", "")


def _is_full(rows: _Rows) -> bool:
    return all(cell.text.isalnum() and cell.text not in ("0", "x", "X") for row in rows for cell in row)


def lists(lines: Sequence[str]) -> Iterator[Rewritten]:
    """The grids of all lists."""
    text = "\n".join(lines)
    bare = text.lstrip()
    if not any(sign in text for sign in "[({\"'") or bare.startswith("<") or (bare[:1] == "{" and '"grid"' in bare):
        # an object with a grid is a format of the reader
        return
    text = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    try:
        grids = list(_grids(_parse(text)))
    except _SpoiltError:
        return
    puzzles: list[Rewritten] = []
    for place, rows in enumerate(grids):
        if place and _ANSWER.search(text[grids[place - 1][-1][-1].at : rows[0][0].at]):
            # the answer to the puzzle before it
            if not _is_full(rows):
                return
        else:
            puzzles.append([Written(row[0].number if row else 1, row_of(cell.text for cell in row)) for row in rows])
    if puzzles:
        yield one_below_the_other(puzzles)
