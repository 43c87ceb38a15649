"""Tables as text: Markdown, MediaWiki, LaTeX, HTML, and CSV with quotes or semicolons. An empty cell is a blank.

Each reader finds rows of cells in its own markup; a first row and a first column of labels are left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from typing import NamedTuple

from ringdoku.text.paste_lines import LEAST, Rewritten, Written, are_labels, is_cell, is_cells, is_damaged, row_of

_MARKUP = re.compile(r"\\[a-zA-Z]+|\\[,;:! ]|[{}$*`~]|'''?|&nbsp;")
_DASHES = re.compile(r"[|:+ \t]*+-[|:+\- \t]*+")
_FENCED = re.compile(r"[ \t]*\|.*\|[ \t]*")
_COMMAND = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\}|cmidrule[^}]*\}|begin\{[^}]*\}|end\{[^}]*\})"
)
_ARGUMENTS = re.compile(r"^(?:\{[^{}]*\}|\[[^\]]*\])+")
_ROW_END = re.compile(r"(\\\\(?:\[[^\]]*\])?|\\tabularnewline)")
_LABEL = re.compile(r"(?:r(?:ow)?\.?\s*)?[0-9A-Za-z]{1,2}[.:)]?|", re.IGNORECASE)
_BARRED = re.compile(r"\|.*\|\.")
_PART = re.compile(r"""<(/?[A-Za-z]\w*)((?:[^<>"']|"[^"<>]*"|'[^'<>]*')*)>|<[^<>]*>?|[^<]+""")
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*("[^"]*"|'[^']*')""")
_SHORTEST = 36
"""Characters of a puzzle in XML: a shorter word may be a number or a time."""


class _Row(NamedTuple):
    """The number of a line, and its cells."""

    number: int
    cells: list[str]


def tables(lines: Sequence[str]) -> Iterator[Rewritten]:
    """The grids of all tables of one kind."""
    for tables_in in (_markdown, _wiki, _latex, _latex_sudoku, _sheet):
        found = [_grid_of(table) for table in tables_in(lines)]
        if found and all(found):
            yield one_below_the_other(found)


def html(lines: Sequence[str]) -> Iterator[Rewritten]:
    """The grids of the tables of a page."""
    found = list(filter(None, map(_grid_of, _page(lines).tables)))
    if found:
        yield one_below_the_other(found)


def xml(lines: Sequence[str]) -> Iterator[Rewritten]:
    """The puzzles of n² characters in attributes and elements."""
    if words := _page(lines).words:
        yield words


def one_below_the_other(grids: Iterable[Rewritten]) -> Rewritten:
    """Grids with a blank line between them."""
    rewritten: Rewritten = []
    for grid in grids:
        rewritten += [Written(grid[0].number, "")] if rewritten else []
        rewritten += grid
    return rewritten


def _grid_of(table: Sequence[_Row]) -> Rewritten:
    """The lines of the n×n cells of a table without its labels; nothing if there are not so many."""
    rows = [row for row in table if row.cells]
    count, columns = len(rows), len(rows[0].cells) if rows else 0
    if count < LEAST or any(len(row.cells) != columns for row in rows):
        return []
    rows = _without_labels(rows, count, columns)
    cells = [cell for row in rows for cell in row.cells]
    if not rows or len(rows) ** 2 != len(cells) or not all(map(is_cell, cells)):
        return []
    return [Written(row.number, row_of(row.cells)) for row in rows]


def _without_labels(rows: list[_Row], count: int, columns: int) -> list[_Row]:
    """The rows without labels above and on the left; none if what should be labels is something else."""
    corner = count == columns and _is_corner(rows)
    if count == columns + 1 and not _is_heading(rows[0].cells):
        return []
    if corner or count == columns + 1:
        rows = rows[1:]
    if not corner and columns != count + 1:
        return rows
    if not all(_LABEL.fullmatch(row.cells[0].strip()) for row in rows):
        return []
    return [_Row(row.number, row.cells[1:]) for row in rows]


def _is_corner(rows: Sequence[_Row]) -> bool:
    """Whether the first row and the first column are labels."""
    names, first = rows[0].cells, [row.cells[0] for row in rows[1:]]
    return not names[0].strip("#\\/ ") and are_labels(names[1:]) and are_labels(first)


def _is_heading(cells: Sequence[str]) -> bool:
    names = [cell.strip() for cell in cells]
    return not any(names) or are_labels(names) or any(len(name) > 1 for name in names)


def _cells(texts: Iterable[str]) -> list[str]:
    """Cells without markup."""
    return [_MARKUP.sub("", text).strip() for text in texts]


def _markdown(lines: Sequence[str]) -> Iterator[list[_Row]]:
    """Lines between bars, in runs; a line of dashes below the first one is no row."""
    table: list[_Row] = []
    dashes = False
    for number, line in enumerate([*lines, ""], 1):
        if _DASHES.fullmatch(line) and _FENCED.fullmatch(line):
            dashes = True
        elif _FENCED.fullmatch(line):
            table.append(_Row(number, _cells(line.strip()[1:-1].split("|"))))
        elif table:
            if dashes:
                # a heading without labels is no row
                yield table if any(table[0].cells) or len(table) != len(table[0].cells) else []
            table, dashes = [], False


def _wiki(lines: Sequence[str]) -> Iterator[list[_Row]]:
    table: list[_Row] | None = None
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if bare.startswith("{|"):
            table = [_Row(number, [])]
        elif table is None or not bare or bare.startswith("|+"):
            continue
        elif bare.startswith("|}"):
            yield table
            table = None
        elif bare.startswith("|-"):
            table.append(_Row(number + 1, []))
        else:
            table[-1].cells.extend(_cells(cell.rpartition("|")[2] for cell in re.split(r"\|\||!!", bare[1:])))


def _latex(lines: Sequence[str]) -> Iterator[list[_Row]]:
    if not any("&" in line and "\\\\" in line for line in lines):
        return
    table: list[_Row] = []
    cells: list[str] = []
    for number, line in enumerate(lines, 1):
        if "\\begin" in line and table:
            yield table
            table = []
        text = _ARGUMENTS.sub("", _COMMAND.sub("", line.partition("%")[0]).strip())
        for part in _ROW_END.split(text):
            if part.startswith(("\\\\", "\\tabular")):
                table += [_Row(number, cells)] if cells else []
                cells = []
            elif "&" in part:
                cells += _cells(part.split("&"))
    yield [*table, _Row(len(lines), cells)]


def _latex_sudoku(lines: Sequence[str]) -> Iterator[list[_Row]]:
    """`|5| | |.`, as LaTeX packages for sudoku have it."""
    rows = [(number, line.strip()) for number, line in enumerate(lines, 1) if not _COMMAND.match(line.strip())]
    if rows and all(_BARRED.fullmatch(line) or not line for _, line in rows):
        yield [_Row(number, _cells(line[1:-2].split("|"))) for number, line in rows if line]


def _sheet(lines: Sequence[str]) -> Iterator[list[_Row]]:
    for separator in (";", ",", "\t"):
        if not any(separator in line for line in lines) or not (separator == ";" or any('"' in line for line in lines)):
            continue
        table: list[_Row] = []
        for number, line in enumerate([*lines, ""], 1):
            cells = _fields(line, separator)
            if len(cells) >= LEAST and all(map(is_cell, cells)):
                table.append(_Row(number, cells))
            elif table:
                # a separator may end a row too
                ended = all(len(row.cells) == len(table) + 1 and not row.cells[-1].strip() for row in table)
                yield [_Row(row.number, row.cells[:-1]) for row in table] if ended else table
                table = []


def _fields(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        # a field of more than a hundred thousand characters
        return []


def _page(lines: Sequence[str]) -> _Page:
    text = "\n".join(lines)
    return _Page(text if "</" in text or "/>" in text else "")


class _Page:
    """The tables of a page, and the words of n² characters in its attributes and texts."""

    def __init__(self, text: str) -> None:
        self.tables: list[list[_Row]] = []
        self.words: Rewritten = []
        self._open: list[tuple[list[_Row], list[list[list[_Row]]]]] = []
        """The tables that are open: their rows, and for each row the tables in its cells."""
        self._in_cell = False
        self._number = 1
        for part in _PART.finditer(text):
            attributes = [(name.lower(), value[1:-1].strip()) for name, value in _ATTRIBUTE.findall(part[2] or "")]
            tag = (part[1] or "").lower()
            self._tag(tag)
            written = "" if part.group().startswith("<") else unescape(part.group()).strip()
            self._text(written + "".join(value for name, value in attributes if (tag, name) == ("input", "value")))
            for _, value in attributes:
                self._keep(value)
            self._number += part.group().count("\n")

    def _tag(self, tag: str) -> None:
        if tag == "table":
            self._open.append(([], []))
        elif tag == "/table" and self._open:
            rows, inner = self._open.pop()
            # a table whose cells are tables has the rows of these side by side
            table = _side_by_side(inner) if inner and all(inner) else rows
            (self._open[-1][1][-1] if self._open and self._open[-1][1] else self.tables).append(table)
        elif tag == "tr" and self._open:
            self._open[-1][0].append(_Row(self._number, []))
            self._open[-1][1].append([])
        elif tag in ("td", "th") and self._open and self._open[-1][0]:
            self._open[-1][0][-1].cells.append("")
        if tag in ("td", "th", "/td", "/th", "/tr", "table", "/table"):
            self._in_cell = tag in ("td", "th")

    def _text(self, text: str) -> None:
        cells = self._open[-1][0][-1].cells if self._in_cell and self._open and self._open[-1][0] else []
        if cells:
            cells[-1] += text
        else:
            self._keep(text)

    def _keep(self, word: str) -> None:
        if len(word) >= _SHORTEST and (is_cells(word) or is_damaged(word)):
            self.words.append(Written(self._number, word))


def _side_by_side(rows: list[list[list[_Row]]]) -> list[_Row]:
    joined: list[_Row] = []
    for boxes in rows:
        for parts in zip(*boxes, strict=False):
            joined.append(_Row(parts[0].number, [cell for part in parts for cell in part.cells]))
    return joined
