"""Read what people paste: a text in none of the reader's formats, from which rows of cells are taken.

Each paste reader looks for one kind of markup, and writes what it finds as lines for the reader of the formats. The
text is read if one puzzle, or one list of puzzles, is what all of them agree on; otherwise the error says so. Rows of
cells that belong to no grid of n rows with n cells spoil a reading, since a damaged row must not be lost.
"""

import re
from bisect import bisect
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from html import unescape
from itertools import groupby, pairwise
from math import isqrt
from string import ascii_uppercase
from typing import NamedTuple, TypeAlias

from ringdoku.domain import InputError, Place, Puzzle
from ringdoku.text.cells import BLANKS, is_blank, is_square
from ringdoku.text.formats import Entry, Item, fields_of
from ringdoku.text.lines import CELL_NAME, Kind, Line, kind_of

LEAST = 4
"""The smallest order that is looked for: smaller grids are too much like other things."""
OTHER_MARKS = "xX~#+=:□☐▢◻◽⬜■◼⬛○◯•⋅∙–—−␣．＿＊０。空"
"""Further signs that people write for a blank."""
_BLANK_WORDS = ("", "none", "null", "nil", "undefined", "na", "nan", "false", "empty", "nothing")
"""What programs write for a blank, in lower case; "" is an empty cell."""
_TEXT = re.compile(r"[^\W\d_]{3,}")
_BARS = "|│┃║┆┇┊┋╎╏¦"


class _Row(NamedTuple):
    """Cells, the number of the line where they begin, and in lists the text between them and the cells before."""

    number: int
    cells: list[str]
    said: str = ""


_Text: TypeAlias = list[Line]
"""Lines for the reader, with the numbers of the lines of the text that they come from."""


class _SpoiltError(Exception):
    """There are cells that belong to no grid: something is damaged, or the text says more than a grid does."""


def _is_cell(text: str) -> bool:
    """Whether a text may be a cell: a number, a letter, a mark, or a word for a blank."""
    if text.isdecimal():
        return text.isascii() and len(text) <= 3
    if text.lower() in _BLANK_WORDS:
        return True
    return (len(text) == 1 and text.isalpha()) or (text[0] in f"0{BLANKS}{OTHER_MARKS}" and len(set(text)) == 1)


def _below(grids: Iterable[Sequence[_Row]]) -> _Text:
    """Rows of separate cells, with a blank line between grids; words and empty cells for a blank are dots."""
    text: _Text = []
    for rows in grids:
        text.append(Line(rows[0].number, ""))
        for row in rows:
            cells = ("." if cell.lower() in _BLANK_WORDS else cell for cell in row.cells)
            text.append(Line(row.number, " ".join(cells)))
    return text[1:]


def _in_rows(number: int, cells: Sequence[str]) -> list[_Row]:
    """n² cells as n rows."""
    order = isqrt(len(cells))
    return [_Row(number, list(cells[start : start + order])) for start in range(0, len(cells), order)]


# lists of programs: what stands between two brackets with no other bracket between them

_COMMENT = re.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|(?<![:\"'])//[^\n]*|(?<!\S)(?:[#%]|--)(?!\w)[^\n]*")
_LEAF = re.compile(r"""([\[({])((?:"[^"\n]*"|'[^'\n]*'|[^\[\](){}"'])*+)[\])}]|"[^"\n]*"|'[^'\n]*'""")
_TOKEN = re.compile(r"""["']([^"'\n]*)["']|([^\s"',|:=]+)|(,(?=\s*,)|^\s*,)""")
_SYMBOLS = re.compile(r"(?=.*[0-9._*?xX~-])[0-9A-Ga-g._*?xX~ -]{4,}")
_ANSWER = re.compile("solution|answer|output|solved|expected", re.IGNORECASE)


def _lists(lines: Sequence[str]) -> Iterator[_Text]:
    """The grids of n lists with n cells, of lists with n² cells, and of strings of n or n² characters."""
    text = "\n".join(lines)
    bare = text.lstrip()
    if bare.startswith("<") or (bare[:1] == "{" and '"grid"' in bare):
        return
    text = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    rows: list[_Row] = []
    end = 0
    for leaf in _LEAF.finditer(text):
        for cells in _rows_in(leaf[1] or "", leaf[2] if leaf[1] else leaf[0]):
            number = bisect(starts, text.find(cells[0], leaf.start()))
            rows.append(_Row(number, cells, text[end : leaf.start()]))
            end = leaf.end()
    if rows:
        yield _below(_puzzles(rows))


def _rows_in(bracket: str, text: str) -> Iterator[list[str]]:
    """The rows of cells in a list, which `;` and `|` end too, and those that are strings. A few cells are an index or
    arguments, unless they are a list of their own. Raises `_SpoiltError`."""
    for part in re.split("[;|]", text):
        cells, words = [], False
        for string, word, _ in _TOKEN.findall(part):
            cell = re.sub(r"^([0-9]+)\.0*$", r"\1", string.strip() or word)
            if _SYMBOLS.fullmatch(string.replace(r"\n", "")) and string.lower() not in _BLANK_WORDS:
                yield from (list(piece.replace(" ", "")) for piece in string.split(r"\n") if piece)
            elif _is_cell(cell):
                cells.append(cell)
            else:
                words = True
        if not words and bracket and len(cells) >= (LEAST if bracket == "(" else 2):
            if len(cells) < LEAST:
                raise _SpoiltError
            yield cells


def _puzzles(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    """The rows of each grid: as many as the first one has cells, or one row of n² cells cut into n. A grid that stands
    after a word such as `solution` is that of the puzzle before it. Raises `_SpoiltError` for one with blanks."""
    start = 0
    while start < len(rows):
        number, cells, said = rows[start]
        count = taken = len(cells)
        grid = [*rows[start : start + count]]
        if count >= LEAST**2 and is_square(count) and [len(row.cells) for row in grid] != [count] * count:
            grid, taken = _in_rows(number, cells), 1
        if not start or not _ANSWER.search(said):
            yield grid
        elif any(not cell.isalnum() or cell in "0xX" for row in grid for cell in row.cells):
            raise _SpoiltError
        start += taken


# tables

_MARKUP = re.compile(
    r"<[^<>]*>|\\(?:begin|end)\{[^}]*\}(?:\{[^{}]*\}|\[[^\]]*\])*|\\c(?:line|midrule)[^ \n]*\}"
    r"|\\[a-zA-Z]+|\\[,;:! ]|[{}$*`~\"]|'''?"
)
_INPUT = re.compile(r"""<input\b(?:[^<>]*?\bvalue\s*=\s*["']([^"']*)["'])?[^<>]*>""", re.IGNORECASE)
_BORDER = re.compile(r"(?=.*[-+=\u2500-\u257f])[-+=|*_: \t\u2500-\u257f]+\n?")
_LABEL = re.compile(r"(?:row\s*|r|c|col)?\.?([0-9]{1,2}|[A-Za-z])[.:)\]]?", re.IGNORECASE)
_NAMES = ([str(number) for number in range(1, 36)], list(ascii_uppercase), [str(number) for number in range(36)])


class _Table(NamedTuple):
    """A way to write tables, as regular expressions: what shows it, what separates cells, what ends rows, what stands
    around the cells of a row, and what a part without cells has in it where another table may begin.

    `first`: the number of the first part of a row that is a cell. Nothing shows rows with labels, so they come last.
    """

    shown: str
    cell: str
    row: str = r"(?<=\n)"
    around: str = ""
    ends: str = ""
    first: int = 0


_TABLES = (
    _Table("<t[dh]", r"<t[dh]\b[^<>]*>", r"(</?t(?:r|able)\b[^<>]*>)", ends="table", first=1),
    _Table(*(r"\{\|", r"\|\||!!|\n[ \t]*[|!](?:[^|\n]*\|(?!\|))?", r"(\n[ \t]*\|[-+}].*)"), ends=r"\{\|", first=1),
    _Table(r"^[^\n&]*&[^\n]*\\\\", "&", r"(\\\\(?:\[[^\]]*\])?|\\tabularnewline|%.*)", ends=r"\\begin"),
    _Table(r"^[ \t]*\|.*\|\.?[ \t]*$", r"\|", around=r"^[ \t]*\||\|\.?[ \t]*$"),
    # a list of other things has commas, but no empty cell
    *(_Table(rf'^[^\n"]*"[^\n]*{mark}|{mark} *(?:{mark}|$)' if mark != ";" else ";", mark) for mark in ";,\t"),
    _Table("", rf"[ \t,:{_BARS}]+", around=rf"^[\s{_BARS}]*(?:row\s+(?=[0-9A-Za-z]))?|[\s{_BARS}]+$"),
)


def _tables(lines: Sequence[str]) -> Iterator[_Text]:
    """The grids of tables, without labels above and on the left."""
    text = "\n".join(lines)
    for table in _TABLES:
        if re.search(table.shown, text, re.IGNORECASE | re.MULTILINE):
            groups = groupby(_table_rows(text, table), lambda row: bool(row.cells))
            tables = [list(group) for filled, group in groups if filled]
            grids = [_grid_of(rows) for rows in tables]
            cells = {cell for rows in grids for row in rows for cell in row.cells}
            # beside a mark an empty cell has lost a digit
            has_lost = "" in cells and any(is_blank(cell) for cell in cells if cell)
            # without labels they are rows as the reader knows them
            if grids and all(grids) and not has_lost and (table.shown or grids != tables):
                yield _below(grids)


def _table_rows(text: str, table: _Table) -> list[_Row]:
    """The rows of all tables, with one without cells between two tables; none where a line beside them is a rule."""
    rows, number = [], 1
    for part in re.split(table.row, text, flags=re.IGNORECASE):
        row = re.sub(table.around, "", part, flags=re.IGNORECASE)
        cells = re.split(table.cell, row, flags=re.IGNORECASE)[table.first :]
        cells = [_MARKUP.sub("", unescape(_INPUT.sub(r"\1", cell))).strip() for cell in cells]
        is_border = bool(_BORDER.fullmatch(part))
        if len(cells) > 1 and not is_border and not any(map(_TEXT.search, cells)):
            rows.append(_Row(number, cells))
        elif not is_border and re.search(table.ends, part):
            if kind_of(part.strip("\n")) is Kind.RULE:
                return []
            rows.append(_Row(number, []))
        number += part.count("\n")
    return rows


def _are_labels(texts: Sequence[str]) -> bool:
    """Whether they are 1, 2, … or A, B, … or 0, 1, …; `c1`, `c2`, … are 1, 2, …"""
    labels = [found[1].upper() if (found := _LABEL.fullmatch(text)) else "" for text in texts]
    return any(labels == names[: len(labels)] for names in _NAMES)


def _grid_of(rows: list[_Row]) -> list[_Row]:
    """The n×n cells of a table without its head, labels on the left, and empty ends of rows; none if it has others."""
    if {(2, len(rows))} == {(len(row.cells), len(row.cells[1])) for row in rows}:
        # a label and a word of n cells
        rows = [row._replace(cells=[row.cells[0], *row.cells[1]]) for row in rows]
    first = [row.cells[0] for row in rows]
    headed = [(1, 1), (1, 0)] if _is_head(rows[0].cells, rows[-1].cells) else []
    for above, left in (*headed, (0, 1), (0, 0)):
        grid = [row._replace(cells=row.cells[left:]) for row in rows[above:]]
        if _is_grid(grid) and (_are_labels(first[above:]) or not left):
            return grid
    # a separator may end a row too
    grid = [row._replace(cells=row.cells[:-1]) for row in rows]
    last = "".join(row.cells[-1] for row in rows)
    return grid if _is_grid(grid) and not last else []


def _is_grid(rows: Sequence[_Row]) -> bool:
    fits = all(len(row.cells) == len(rows) and all(map(_is_cell, row.cells)) for row in rows)
    return fits and len(rows) >= LEAST


def _is_head(cells: list[str], last: list[str]) -> bool:
    """Whether there is a label or nothing above each column, and perhaps above that of the labels."""
    if not any(cells):
        # of two empty rows, the first and the last, one is of the grid
        return any(last)
    return _are_labels(cells) or _are_labels(cells[1:])


# cells and rows on one line


def _one_line(lines: Sequence[str]) -> Iterator[_Text]:
    """n² cells on a line with something between them, or n rows."""
    written: _Text = []
    for number, line in enumerate(lines, 1):
        rows = _on_line(line, number)
        written += [Line(number, ""), *_below([rows])] if rows else [Line(number, line)]
    if len(written) > len(lines):
        yield written


def _on_line(line: str, number: int) -> list[_Row]:
    """The rows of a grid on one line; none for another line."""
    bare = line.strip().strip(",;/|")
    parts = re.split(r"\s*(?:\\n|[/|,;\s])\s*", bare)
    are_rows = all(len(part) == len(parts) for part in parts)
    cells = list("".join(parts)) if are_rows else re.split(r"[\s,;]+", bare)
    marks = {cell for cell in cells if cell.lower() in _BLANK_WORDS or cell[0] in f"0{BLANKS}xX"}
    numbers = [cell for cell in cells if cell not in marks]
    order = isqrt(len(cells))
    if order * order != len(cells) or order < LEAST or len(marks) > 1 or not numbers:
        return []
    # only then is each cell short; larger numbers are those of a row
    fit = all(cell.isdecimal() and cell.isascii() and int(cell) <= order for cell in numbers)
    return _in_rows(number, cells) if fit else []


# other signs for blanks, and blanks that are spaces

_SIGNS = re.compile(f"[{re.escape(OTHER_MARKS)}]")
_DIGITS_ALONE = re.compile(f"[1-9 {_BARS}]*")


def _with_dots(text: _Text) -> _Text:
    """The lines with dots for the one other sign that stands for every blank: rows have no other mark for blanks, and
    nothing but digits, borders and separators beside it."""
    written = [line.text for line in text]
    for sign in sorted({sign for line in written for sign in _SIGNS.findall(line)}):
        rows = _marked_with(re.escape(sign), written)
        cells = "".join(line for line in written if line in rows)
        is_blank_sign = cells.count(sign) >= LEAST and re.search("[1-9A-Ga-g]", cells) and "0" not in cells
        if is_blank_sign and _marked_with(re.escape(f"0{BLANKS}"), written) <= rows:
            return [replace(line, text=line.text.replace(sign, ".")) if line.text in rows else line for line in text]
    return text


def _marked_with(marks: str, lines: Iterable[str]) -> set[str]:
    """The lines that may be rows with one of these marks for a blank."""
    row = re.compile(rf"(?=.*[{marks}])[0-9A-Ga-g \t,;'\"|\u2500-\u257f{marks}]+")
    return {line for line in lines if row.fullmatch(line) and not ("-" in line and _BORDER.fullmatch(line))}


def _spaces(lines: Sequence[str]) -> Iterator[_Text]:
    """n rows whose digits stand in n columns, at equal distances but for bars between them."""
    rows = [Line(number, line.rstrip()) for number, line in enumerate(lines, 1)]
    rows = [row for row in rows if row.text and not _TEXT.search(row.text) and not _BORDER.fullmatch(row.text)]
    columns = sorted({place for row in rows for place, sign in enumerate(row.text) if sign.isdigit()})
    if not LEAST <= len(rows) == len(columns) or not all(_DIGITS_ALONE.fullmatch(row.text) for row in rows):
        return
    steps = {after - before for before, after in pairwise(columns)}
    barred = any(set(_BARS).intersection(row.text) for row in rows)
    if len(steps) <= 1 + barred:
        yield _below([[_Row(row.number, [row.text[at : at + 1].strip() for at in columns]) for row in rows]])


# the whole text

_RULES = re.compile(r"""\brules["']?\s*[=:]\s*[\[("']""", re.IGNORECASE)
_OF_PROGRAMS = re.compile(r"[][(){}=:;\"']")
_WIDE_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")
_TAG = re.compile(
    r"\[/?(?:code|pre|quote|b|i|u|tt|font|size|color|spoiler|hidden|center|indent)(?:=[^\]\n]{0,80})?\]", re.IGNORECASE
)
_CORNERED = re.compile(r"[ \t]*[.,:'`+*](?:-{3,}[.,:'`+*|])+[ \t]*")
"""A border of ASCII art: `.-------.`, `:-------+`, `'-------'`."""
_CORNERS = str.maketrans(".,:'`", "+++++")
_ITEM = re.compile(r"^[ \t]*[-*•] (?=[\[\"']|[0-9._]{4})")
_WIDE = str.maketrans("０１２３４５６７８９．＊＿｜，、", "0123456789.*_|,,")
_WIDE_DIGIT = re.compile("[０-９]")
_NO_BREAK = re.compile("[\u00a0\u2007\u202f\u3000]")


def _cleaned(lines: list[str]) -> list[str]:
    """The lines without the marks of forums, mails and pages around them, and items without their bullets."""
    lines = _in_ascii([_KEYCAP.sub(r"\1", line) for line in lines])
    if all(line.startswith(">") for line in lines if line.strip()):
        lines = [re.sub("^> ?", "", line) for line in lines]
    lines = [_ITEM.sub("", line) for line in lines]
    lines = [line.translate(_CORNERS) if _CORNERED.fullmatch(line) else line for line in lines]
    return [_TAG.sub("", line) for line in lines]


def _in_ascii(lines: list[str]) -> list[str]:
    """No-break spaces as spaces and full-width digits as digits, unless one stands among others of the usual kind."""
    if not any(re.search("[0-9]", line) for line in lines if _WIDE_DIGIT.search(line)):
        lines = [line.translate(_WIDE) for line in lines]
    if not any(len(_NO_BREAK.findall(line)) == 1 and " " in line.strip() for line in lines):
        lines = [_NO_BREAK.sub(" ", line) for line in lines]
    return lines


def _decoded(raw: bytes) -> str:
    """The text; "" for one that is no text. UTF-16 needs its mark at the start."""
    try:
        text = raw.decode("utf-16" if raw.startswith(_WIDE_MARKS) else "utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return ""
    return "" if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|^\ufeff", text) else text


def read_paste(raw: bytes, file: str, read: Callable[[bytes], Iterator[Item]]) -> list[Item]:
    """The puzzles of a text, as `read` finds them in what the paste readers write; an error if it has several readings,
    or is malformed in a layout that is plain to see; nothing if it is nothing that is known."""
    lines = _cleaned(_decoded(raw).removesuffix("\n").split("\n"))
    readings: list[list[Item]] = []
    faults: list[Item] = []
    for text, is_sure in _rewritten(lines):
        items = _read(text, file, read)
        if isinstance(items[-1], InputError):
            faults += items[-1:] if is_sure else []
        elif _puzzles_of(items) not in map(_puzzles_of, readings):
            readings.append(items)
    if readings and (number := next((number for number, line in enumerate(lines, 1) if _RULES.search(line)), 0)):
        return [InputError(Place(file, number), "rules in a list or a call", "one object a line, or lines of rules")]
    if len(readings) > 1:
        place = next(Place(file, item.place.line) for item in readings[0] if isinstance(item, Entry))
        return [InputError(place, "a text that can be read in several ways", "a mark such as . in every blank cell")]
    return readings[0] if readings else faults[:1]


def _rewritten(lines: Sequence[str]) -> Iterator[tuple[_Text, bool]]:
    """What each reader makes of the lines, if they are not spoilt for it, and whether its errors are reported: the
    markup of lists and tables cannot be anything else."""
    yield _with_dots([Line(number, line) for number, line in enumerate(lines, 1)]), False
    # a rule of ours must not be lost among other text; lines of programs may begin with its name too
    named = any(CELL_NAME.search(line) and not fields_of(line) for line in lines)
    ruled = named or any(kind_of(line) is Kind.RULE and not _OF_PROGRAMS.search(line) for line in lines)
    for reader in (_one_line,) if ruled else (_one_line, _lists, _tables, _spaces):
        with suppress(_SpoiltError):
            for text in [*reader(lines)]:
                yield _with_dots(text), reader in (_lists, _tables)


def _puzzles_of(items: Iterable[Item]) -> list[Puzzle]:
    return [item.puzzle for item in items if isinstance(item, Entry)]


def _read(text: _Text, file: str, read: Callable[[bytes], Iterator[Item]]) -> list[Item]:
    """What the reader makes of rewritten lines, at the lines of the text that they come from, up to the first error."""
    items: list[Item] = []
    for item in read("\n".join(line.text for line in text).encode("utf-8", "surrogatepass")):
        place = Place(file, text[min(item.place.line, len(text)) - 1].number)
        if isinstance(item, InputError):
            return [*items, InputError(place, item.found, item.expected)]
        items.append(replace(item, place=place))
    return items
