"""Tables as text: Markdown, MediaWiki, LaTeX, and CSV with quotes or semicolons. An empty cell is a blank.

A first row and a first column of labels are left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

from ringdoku.text.pastes.base import LEAST, Paste, Rewritten, Written, is_cell, row_of
from ringdoku.text.pastes.labels import are_column_labels

_DASHES = re.compile(r"[|:+ \t]*+-[|:+\- \t]*+")
_COMMAND = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\}|cmidrule[^}]*\}|begin\{[^}]*\}|end\{[^}]*\})"
)
_MARKUP = re.compile(r"\\[a-zA-Z]+|\\[,;:! ]|[{}$*`~]|'''?|&nbsp;")
_ARGUMENTS = re.compile(r"^(?:\{[^{}]*\})+|^\[[^\]]*\]")
_LABEL = re.compile(r"(?:r(?:ow)?\.?\s*)?[0-9A-Za-z]{1,2}[.:)]?|", re.IGNORECASE)
_BARRED = re.compile(r"\|.*\|\.")
_FENCED = re.compile(r"[ \t]*\|.*\|[ \t]*")


class Row(list[str]):
    """The texts of the cells of a row, and the number of its line."""

    def __init__(self, number: int, cells: Iterable[str]) -> None:
        super().__init__(cells)
        self.number = number


def grid_of(rows: Sequence[Row]) -> Rewritten:
    """The lines of the n×n cells of a table without its labels; nothing if there are not so many."""
    rows = [row for row in rows if row]
    count = len(rows)
    if count < LEAST or len({len(row) for row in rows}) > 1:
        return []
    columns = len(rows[0])
    labelled = columns in (count, count + 1) and columns > count
    if count == columns + 1 or (count == columns and _is_corner(rows)):
        if not _are_labels(rows[0][1:] if count == columns else rows[0]):
            return []
        rows = rows[1:]
        labelled = count == columns
    elif count != columns and not labelled:
        return []
    if labelled:
        if not all(_LABEL.fullmatch(row[0].strip()) for row in rows):
            return []
        rows = [Row(row.number, row[1:]) for row in rows]
    if not all(is_cell(cell) for row in rows for cell in row):
        return []
    return [Written(row.number, row_of(row)) for row in rows]


def _is_corner(rows: Sequence[Row]) -> bool:
    """Whether the first row and the first column of a square table are labels: `1 2 3` or `A B C`."""
    first = [row[0].strip() for row in rows[1:]]
    return (
        are_column_labels(" ".join(rows[0][1:]))
        and are_column_labels(" ".join(first))
        and not rows[0][0].strip("#\\/ ")
    )


def _are_labels(cells: Sequence[str]) -> bool:
    return (
        not any(cell.strip() for cell in cells)
        or are_column_labels(" ".join(cells))
        or any(len(cell.strip()) > 1 for cell in cells)
    )


def _cleaned(cell: str) -> str:
    return _MARKUP.sub("", cell).strip()


def _markdown(lines: Sequence[str]) -> Iterator[list[Row]]:
    """Lines between bars, in runs; a line of dashes below the first one is no row."""
    table: list[Row] = []
    dashes = False
    for number, line in enumerate([*lines, ""], 1):
        if _FENCED.fullmatch(line):
            if _DASHES.fullmatch(line):
                dashes = True
            else:
                table.append(Row(number, map(_cleaned, line.strip()[1:-1].split("|"))))
        elif table:
            if dashes:
                # a heading without labels is no row
                yield table if any(table[0]) or len(table) != len(table[0]) else []
            table, dashes = [], False


def _wiki(lines: Sequence[str]) -> Iterator[list[Row]]:
    table: list[Row] | None = None
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if bare.startswith("{|"):
            table = [Row(number, ())]
        elif table is None or not bare or bare.startswith("|+"):
            continue
        elif bare.startswith("|}"):
            yield table
            table = None
        elif bare.startswith("|-"):
            table.append(Row(number, ()))
        elif bare[0] in "|!":
            if not table[-1]:
                table[-1].number = number
            cells = re.split(r"\|\||!!", bare[1:])
            table[-1].extend(_cleaned(cell.rpartition("|")[2]) for cell in cells)
        else:
            table = None


def _latex(lines: Sequence[str]) -> Iterator[list[Row]]:
    if not any("&" in line and "\\\\" in line for line in lines):
        return
    table: list[Row] = []
    cells: list[str] = []
    for number, line in enumerate(lines, 1):
        if "\\begin" in line and table:
            yield table
            table = []
        text = _COMMAND.sub("", line.partition("%")[0]).strip()
        while text != (text := _ARGUMENTS.sub("", text).strip()):
            pass
        for part in re.split(r"(\\\\(?:\[[^\]]*\])?|\\tabularnewline)", text):
            if part.startswith(("\\\\", "\\tabular")):
                if cells:
                    table.append(Row(number, cells))
                cells = []
            elif "&" in part:
                cells += map(_cleaned, part.split("&"))
    if cells:
        table.append(Row(len(lines), cells))
    yield table


def _latex_sudoku(lines: Sequence[str]) -> Iterator[list[Row]]:
    """`|5| | |.`, as LaTeX packages for sudoku have it."""
    rows = [(number, line.strip()) for number, line in enumerate(lines, 1) if not _COMMAND.match(line.strip())]
    if rows and all(_BARRED.fullmatch(line) or not line for _, line in rows):
        yield [Row(number, map(_cleaned, line[1:-2].split("|"))) for number, line in rows if line]


def _sheet(lines: Sequence[str]) -> Iterator[list[Row]]:
    for separator in (";", ",", "\t"):
        if any(separator in line for line in lines) and (separator == ";" or any('"' in line for line in lines)):
            table: list[Row] = []
            for number, line in enumerate([*lines, ""], 1):
                try:
                    cells = next(csv.reader([line], delimiter=separator), [])
                except csv.Error:
                    # a field of more than a hundred thousand characters
                    return
                if len(cells) >= LEAST and all(is_cell(cell) for cell in cells):
                    # a separator may end a row too
                    table.append(Row(number, cells))
                elif table:
                    yield table
                    table = []


def _square(table: list[Row]) -> list[Row]:
    """Without the empty cell after a separator that ends each row."""
    if table and all(len(row) == len(table) + 1 and not row[-1].strip() for row in table):
        return [Row(row.number, row[:-1]) for row in table]
    return table


def _rewrite(lines: Sequence[str]) -> Iterable[Rewritten]:
    for tables_in in (_markdown, _wiki, _latex, _latex_sudoku, _sheet):
        rewritten: Rewritten = []
        for table in tables_in(lines):
            grid = grid_of(_square(table) if tables_in is _sheet else table)
            if not grid:
                break
            rewritten += [Written(grid[0].number, "")] if rewritten else []
            rewritten += grid
        else:
            if rewritten:
                yield rewritten


TABLES = Paste(
    "tables", "tables of Markdown, MediaWiki and LaTeX; CSV with quotes or semicolons; empty cells are blanks", _rewrite
)
