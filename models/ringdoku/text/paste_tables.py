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
    found = list(filter(None, map(_grid_of, _page(lines)[0])))
    if found:
        yield one_below_the_other(found)


def xml(lines: Sequence[str]) -> Iterator[Rewritten]:
    """The puzzles of n² characters in attributes and elements."""
    if words := _page(lines)[1]:
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
    if len(rows) < LEAST or len({len(row.cells) for row in rows}) > 1:
        return []
    count, columns = len(rows), len(rows[0].cells)
    first = [row.cells[0].strip() for row in rows]
    corner = not rows[0].cells[0].strip("#\\/ ") and are_labels(rows[0].cells[1:]) and are_labels(first[1:])
    labelled = columns == count + 1 or (count == columns and corner)
    if count == columns + 1 or (count == columns and corner):
        names = [cell.strip() for cell in rows[0].cells[labelled:]]
        if any(names) and not are_labels(names) and all(len(name) < 2 for name in names):
            return []
        rows = rows[1:]
    elif count != columns and not labelled:
        return []
    if labelled and not all(_LABEL.fullmatch(row.cells[0].strip()) for row in rows):
        return []
    rows = [_Row(row.number, row.cells[labelled:]) for row in rows]
    if not all(is_cell(cell) for row in rows for cell in row.cells):
        return []
    return [Written(row.number, row_of(row.cells)) for row in rows]


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
            try:
                cells = next(csv.reader([line], delimiter=separator), [])
            except csv.Error:
                # a field of more than a hundred thousand characters
                return
            if len(cells) >= LEAST and all(map(is_cell, cells)):
                table.append(_Row(number, cells))
            elif table:
                # a separator may end a row too
                ended = all(len(row.cells) == len(table) + 1 and not row.cells[-1].strip() for row in table)
                yield [_Row(row.number, row.cells[:-1]) for row in table] if ended else table
                table = []


def _page(lines: Sequence[str]) -> tuple[list[list[_Row]], Rewritten]:
    """The tables of a page, and the words of n² characters in its attributes and texts. A table whose cells are tables
    has the rows of these side by side."""
    page = "\n".join(lines)
    found: list[list[_Row]] = []
    words: Rewritten = []
    outer: list[tuple[list[_Row], list[list[list[_Row]]]]] = []
    in_cell = False
    number = 1
    for part in _PART.finditer(page) if "</" in page or "/>" in page else ():
        tag = (part[1] or "").lower()
        attributes = [(name.lower(), value[1:-1].strip()) for name, value in _ATTRIBUTE.findall(part[2] or "")]
        text = "" if part.group().startswith("<") else unescape(part.group()).strip()
        text += "".join(value for name, value in attributes if (tag, name) == ("input", "value"))
        if tag == "table":
            outer.append(([], []))
        elif tag == "/table" and outer:
            rows, inner = outer.pop()
            table = _side_by_side(inner) if inner and all(inner) else rows
            if outer and outer[-1][1]:
                outer[-1][1][-1].append(table)
            else:
                found.append(table)
        elif tag == "tr" and outer:
            outer[-1][0].append(_Row(number, []))
            outer[-1][1].append([])
        elif tag in ("td", "th") and outer and outer[-1][0]:
            outer[-1][0][-1].cells.append("")
        in_cell = tag in ("td", "th") or (in_cell and tag not in ("/td", "/th", "/tr", "table", "/table"))
        if in_cell and outer and outer[-1][0] and outer[-1][0][-1].cells:
            outer[-1][0][-1].cells[-1] += text
            text = ""
        for word in (text, *(value for _, value in attributes)):
            if len(word) >= _SHORTEST and (is_cells(word) or is_damaged(word)):
                words.append(Written(number, word))
        number += part.group().count("\n")
    return found, words


def _side_by_side(rows: list[list[list[_Row]]]) -> list[_Row]:
    joined: list[_Row] = []
    for boxes in rows:
        for parts in zip(*boxes, strict=False):
            joined.append(_Row(parts[0].number, [cell for part in parts for cell in part.cells]))
    return joined
