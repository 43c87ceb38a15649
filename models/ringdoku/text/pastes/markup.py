"""Tables of HTML pages; puzzles of n² characters in XML, as in collections of OpenSudoku."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape

from ringdoku.text.pastes.base import Paste, Rewritten, Written
from ringdoku.text.pastes.fields import is_cells, is_damaged
from ringdoku.text.pastes.tables import Row, grid_of

_SHORTEST = 36
_PART = re.compile(
    r"""<(?P<close>/?)(?P<tag>[A-Za-z]\w*)(?P<attributes>(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*)>|<[^<>]*>?|[^<]+"""
)
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*("[^"]*"|'[^']*')""")


class _Table(list[Row]):
    """The rows of a table; `inner` are the tables that stand in cells of each of its rows."""

    def __init__(self) -> None:
        super().__init__()
        self.inner: list[list[_Table]] = []


class _Page:
    """Collects the tables of a page, and the words of n² characters in its attributes and texts."""

    def __init__(self, text: str) -> None:
        self.tables: list[_Table] = []
        self.words: list[Written] = []
        self._open: list[_Table] = []
        self._in_cell = False
        self._number = 1
        for part in _PART.finditer(text):
            closing, tag, attributes = part["close"], part["tag"], part["attributes"]
            if tag is None:
                self._text(part.group())
            elif closing:
                self._end(tag.lower())
            else:
                self._start(tag.lower(), attributes)
            self._number += part.group().count("\n")

    def _start(self, tag: str, attributes: str) -> None:
        if tag == "table":
            table = _Table()
            if self._open and self._open[-1].inner:
                self._open[-1].inner[-1].append(table)
            else:
                self.tables.append(table)
            self._open.append(table)
        elif self._open and tag == "tr":
            self._open[-1].append(Row(self._number, ()))
            self._open[-1].inner.append([])
        elif self._open and tag in ("td", "th") and self._open[-1]:
            self._open[-1][-1].append("")
            self._in_cell = True
        for name, value in _ATTRIBUTE.findall(attributes):
            if tag == "input" and name.lower() == "value":
                self._text(value[1:-1])
            else:
                self._keep(value[1:-1].strip())

    def _end(self, tag: str) -> None:
        if tag == "table" and self._open:
            self._open.pop()
        self._in_cell = self._in_cell and tag not in ("td", "th", "tr", "table")

    def _text(self, text: str) -> None:
        word = unescape(text).strip()
        if self._in_cell and self._open and self._open[-1] and self._open[-1][-1]:
            self._open[-1][-1][-1] += word
        else:
            self._keep(word)

    def _keep(self, word: str) -> None:
        # a shorter word may be a number or a time; one that is damaged is kept for its error
        if len(word) >= _SHORTEST and (is_cells(word) or is_damaged(word)):
            self.words.append(Written(self._number, word))


def _joined(table: _Table) -> list[Row]:
    """A table whose cells are tables has the rows of these side by side; any other table is as it is."""
    if not table.inner or not all(table.inner) or not all(len(row) == len(table.inner[0]) for row in table.inner):
        return table
    joined = []
    for boxes in table.inner:
        for rows in zip(*boxes, strict=False):
            joined.append(Row(rows[0].number, (cell for row in rows for cell in row)))
    return joined


def _page_of(lines: Sequence[str]) -> _Page | None:
    text = "\n".join(lines)
    return _Page(text) if "</" in text or "/>" in text else None


def _tables(lines: Sequence[str]) -> Iterable[Rewritten]:
    page = _page_of(lines)
    rewritten: Rewritten = []
    for grid in _grids(page) if page else ():
        rewritten += [Written(grid[0].number, "")] if rewritten else []
        rewritten += grid
    return [rewritten] if rewritten else []


def _grids(page: _Page) -> Iterator[Rewritten]:
    for table in page.tables:
        if grid := grid_of(_joined(table)):
            yield grid


def _words(lines: Sequence[str]) -> Iterable[Rewritten]:
    page = _page_of(lines)
    return [page.words] if page and page.words else []


HTML = Paste("html", "tables of HTML pages, also with an input in each cell", _tables, sure=True)
XML = Paste("xml", "n² characters in an attribute or an element, as in collections of OpenSudoku", _words, sure=True)
