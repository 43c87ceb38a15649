"""Read what people paste: text in none of the reader's formats that contains rows of cells. `read_paste` comes last.

Each paste reader looks for one kind of markup, and rewrites the grids that it finds as lines for the reader of formats.
If the readings of two of them differ, that is an error. A paste reader gives up if some cells belong to no grid of n
rows with n cells, so that no damaged row is lost silently.
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
from ringdoku.text.between import ANSWER
from ringdoku.text.cells import BLANKS, is_blank, is_square
from ringdoku.text.formats import JIGSAW, Entry, Item, Note, fields_of, states_rule
from ringdoku.text.lines import CELL_NAME, RULES_TEXT, Kind, Line, kind_of
from ringdoku.text.records import record_in

LEAST = 4
"""The smallest order that paste readers look for: other things often look like smaller grids."""
OTHER_MARKS = "xX~#+=:□☐▢◻◽⬜■◼⬛○◯•⋅∙–—−␣．＿＊０。空"
"""Further signs that people write for a blank."""
_BLANK_WORDS = ("", "-1", "none", "null", "nil", "undefined", "na", "nan", "false", "empty", "nothing")
"""What programs write for a blank, in lower case; "" is an empty cell."""
_TEXT = re.compile(r"[^\W\d_]{3,}")
_BARS = "|│┃║┆┇┊┋╎╏¦"


class _Row(NamedTuple):
    """Cells, the number of the line where they begin, and in lists the text between them and the previous cells."""

    number: int
    cells: list[str]
    before: str = ""


_Text: TypeAlias = list[Line]
"""Lines for the reader of formats, numbered as the lines of the pasted text that they come from."""


class _DamagedError(Exception):
    """Some cells belong to no grid: the grid is damaged, or the text contains something else."""


def _is_cell(text: str) -> bool:
    """Whether a text may be a cell: a number, a letter, a mark, or a word for a blank."""
    if text.isdecimal():
        return text.isascii() and len(text) <= 3
    if text.lower() in _BLANK_WORDS:
        return True
    return (len(text) == 1 and text.isalpha()) or (text[0] in f"0{BLANKS}{OTHER_MARKS}" and len(set(text)) == 1)


def _lines_of_grids(grids: Iterable[Sequence[_Row]]) -> _Text:
    """The rows as lines of separate cells, with a blank line between grids; words and empty cells become dots."""
    text: _Text = []
    for rows in grids:
        text.append(Line(rows[0].number, ""))
        for row in rows:
            cells = ("." if cell.lower() in _BLANK_WORDS else cell for cell in row.cells)
            text.append(Line(row.number, " ".join(cells)))
    return text[1:]


def _square_of(number: int, cells: Sequence[str]) -> list[_Row]:
    """n² cells cut into n rows."""
    order = isqrt(len(cells))
    return [_Row(number, list(cells[start : start + order])) for start in range(0, len(cells), order)]


def _object_on_one_line(lines: Sequence[str]) -> Iterator[_Text]:
    """The JSON object with the key grid that the text is."""
    text = "\n".join(lines).strip()
    if len(lines) > 1 and "grid" in record_in(text):
        yield [Line(1, text.replace("\n", " "))]


# lists of programs: what stands between two brackets with no other bracket between them

_COMMENT = re.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|(?<![:\"'])//[^\n]*|(?<!\S)(?:[#%]|--)(?!\w)[^\n]*")
_LEAF = re.compile(r"""([\[({])((?:"[^"\n]*"|'[^'\n]*'|[^\[\](){}"'])*+)[\])}]|"[^"\n]*"|'[^'\n]*'""")
_TOKEN = re.compile(r"""["']([^"'\n]*)["']|([^\s"',|:=]+)|(,(?=\s*,)|^\s*,)""")
_SYMBOLS = re.compile(r"(?=.*[0-9._*?xX~-])[0-9A-Ga-g._*?xX~ -]{4,}")
_ANSWER_LIST = re.compile(rf"({ANSWER.pattern})\w*[\"']?\s*[:=][\s\[({{]*$", re.IGNORECASE)


def _grids_in_lists(lines: Sequence[str]) -> Iterator[_Text]:
    """The grids of n lists with n cells, of lists with n² cells, and of strings of n or n² characters."""
    text = "\n".join(lines)
    bare = text.lstrip()
    if bare.startswith("<") or (bare[:1] == "{" and '"grid"' in bare):
        return
    text = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    rows, read_lines = list[_Row](), set[int]()
    end = 0
    for leaf in _LEAF.finditer(text):
        group = 2 if leaf[1] else 0
        for first, last, cells in _rows_in(leaf[1] or "", leaf[group]):
            begin = leaf.start(group) + first
            rows.append(_Row(bisect(starts, text.find(cells[0], begin)), cells, text[end:begin]))
            end = leaf.start(group) + last
            read_lines.update(range(bisect(starts, begin), bisect(starts, end) + 1))
    if grids := [*_grids_of_rows(rows)]:
        yield [*(Line(number, "") for number in sorted(read_lines)), *_lines_of_grids(grids)]


def _rows_in(bracket: str, text: str) -> Iterator[tuple[int, int, list[str]]]:
    """The rows of cells in a list, with `;` or `|` between them, and the strings that are rows, each with its place.
    Fewer cells than `LEAST` in parentheses are arguments, and so is one in brackets; others raise `_DamagedError`."""
    for part in re.finditer("[^;|]+", text):
        start, end, cells, words = *part.span(), list[str](), False
        for token in _TOKEN.finditer(part[0]):
            string = token[1] or ""
            cell = re.sub(r"^([0-9]+)\.0*$", r"\1", string.strip() or token[2] or "")
            if _SYMBOLS.fullmatch(string.replace(r"\n", "")) and string.lower() not in _BLANK_WORDS:
                place = start + token.start(), start + token.end()
                yield from ((*place, list(piece.replace(" ", ""))) for piece in string.split(r"\n") if piece)
            elif _is_cell(cell):
                cells.append(cell)
            else:
                words = True
        if not words and bracket and len(cells) >= (LEAST if bracket == "(" else 2):
            if len(cells) < LEAST:
                raise _DamagedError
            yield start, end, cells


def _grids_of_rows(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    """Yields the rows of each grid: as many as the first one has cells, or one row of n² cells cut into n. A grid after
    a word such as `solution` is left out, but raises `_DamagedError` if it has blanks. Before the first grid the word
    has to be the list's own name. Grids below it without a name are answers too."""
    start, is_answer = 0, False
    while start < len(rows):
        number, cells, before = rows[start]
        count = taken = len(cells)
        grid = [*rows[start : start + count]]
        if count >= LEAST**2 and is_square(count) and not _is_large_grid(grid, count):
            grid, taken = _square_of(number, cells), 1
        if not start or re.search(r"[^\W\d_]", before):
            is_answer = bool(ANSWER.search(before) if start else _ANSWER_LIST.search(before) and rows[taken:])
        if not is_answer:
            yield grid
        elif any(not cell.isalnum() or cell.lower() in ("0", "x", *_BLANK_WORDS) for row in grid for cell in row.cells):
            raise _DamagedError
        start += taken


def _is_large_grid(rows: Sequence[_Row], count: int) -> bool:
    """Whether rows of n² cells are one grid of that order, and not a puzzle each: some clue is too high for these."""
    cells = {cell for row in rows for cell in row.cells if cell.isalnum()}
    clues = {cell for cell in cells if cell.lower() not in (*_BLANK_WORDS, "0", "x")}
    is_high = not clues or not clues.issubset(map(str, range(isqrt(count) + 1)))
    return is_high and [len(row.cells) for row in rows] == [count] * count


_QUOTED_WORD = re.compile("[\"']([A-Za-z]{4,})[\"']")
_QUOTED = re.compile(r"(\"\"\"|'''|```|`)(.*?)\1", re.DOTALL)


def _grids_in_quotes(lines: Sequence[str]) -> Iterator[_Text]:
    """The texts of several lines in three quotes or in backticks that are all rows."""
    text, found = "\n".join(lines), _Text()
    for quoted in _QUOTED.finditer(text):
        number, rows = text.count("\n", 0, quoted.start()) + 1, quoted[2].rstrip().split("\n")
        if len(rows) >= LEAST and all(not row.strip() or _ROW.fullmatch(row) for row in rows):
            found += [*(Line(number + place, row) for place, row in enumerate(rows)), Line(number + len(rows), "")]
    if found:
        yield found


# tables

_MARKUP = re.compile(
    r"<[^<>]*>|\\(?:begin|end)\{[^}]*\}(?:\{[^{}]*\}|\[[^\]]*\])*|\\c(?:line|midrule)[^ \n]*\}"
    r"|\\[a-zA-Z]+|\\[,;:! ]|[{}$*`~\"]|'''?"
)
_INPUT = re.compile(r"""<input\b(?:[^<>]*?(?<![\w-])value\s*=\s*["']([^"']*)["'])?[^<>]*>""", re.IGNORECASE)
_BORDER = re.compile(r"(?=.*[-+=\u2500-\u257f])[-+=|*_: \t\u2500-\u257f]+\n?")
_LABEL = re.compile(r"(?:row\s*|r|c|col)?\.?([0-9]{1,2}|[A-Za-z])[.:)\]]?", re.IGNORECASE)
_NAMES = ([str(number) for number in range(1, 36)], list(ascii_uppercase), [str(number) for number in range(36)])


class _Table(NamedTuple):
    """A markup of tables, as regular expressions: its sign in a text, what separates cells, what ends rows, what stands
    around the cells of a row, and what a part without cells contains if it ends a table.

    `first`: the index of the first part of a row that is a cell. Rows with labels have no sign, so they come last.
    """

    sign: str
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


_BLANK_HEADER = re.compile(
    r"^[ \t]*\|[| \t]*(?=\n[ \t]*\|[ \t:-]+\|)|(?<=<tr>)(?:\s*<th\b[^<>]*>\s*</th>)+(?=\s*</tr>)", re.I | re.M
)
"""The header of a table without labels, which is none of its rows."""


def _grids_in_tables(lines: Sequence[str]) -> Iterator[_Text]:
    """The grids in tables, without their labels; one text for each markup that fits."""
    text = _BLANK_HEADER.sub("", "\n".join(lines))
    for table in _TABLES:
        if re.search(table.sign, text, re.IGNORECASE | re.MULTILINE):
            groups = groupby(_table_rows(text, table), lambda row: bool(row.cells))
            tables = [list(group) for filled, group in groups if filled]
            grids = [_without_labels(rows) for rows in tables]
            cells = {cell for rows in grids for row in rows for cell in row.cells}
            # if blanks are marked, an empty cell has lost a digit
            has_lost = "" in cells and any(is_blank(cell) for cell in cells if cell)
            # rows without labels are left to the reader of formats
            if grids and all(grids) and not has_lost and (table.sign or grids != tables):
                yield _lines_of_grids(grids)


def _table_rows(text: str, table: _Table) -> list[_Row]:
    """The rows of all tables, with an empty row between two tables; none if another line is a rule."""
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
    """Whether the texts are 1, 2, … or A, B, … or 0, 1, …; `c1`, `c2`, … count as 1, 2, …"""
    labels = [found[1].upper() if (found := _LABEL.fullmatch(text)) else "" for text in texts]
    return any(labels == names[: len(labels)] for names in _NAMES)


def _without_labels(rows: list[_Row]) -> list[_Row]:
    """The n×n cells of a table without header, labels on the left and empty last column; none if that is no grid."""
    if {(2, len(rows))} == {(len(row.cells), len(row.cells[1])) for row in rows}:
        # a label and a word of n cells
        rows = [row._replace(cells=[row.cells[0], *row.cells[1]]) for row in rows]
    first = [row.cells[0] for row in rows]
    headed = [(1, 1), (1, 0)] if _is_header_row(rows[0].cells, rows[-1].cells) else []
    for above, left in (*headed, (0, 1), (0, 0)):
        grid = [row._replace(cells=row.cells[left:]) for row in rows[above:]]
        if _is_grid(grid) and (_are_labels(first[above:]) or not left):
            return grid
    # a separator may end a row too
    grid = [row._replace(cells=row.cells[:-1]) for row in rows]
    return grid if _is_grid(grid) and not "".join(row.cells[-1] for row in rows) else []


def _is_grid(rows: Sequence[_Row]) -> bool:
    return all(len(row.cells) == len(rows) and all(map(_is_cell, row.cells)) for row in rows) and len(rows) >= LEAST


def _is_header_row(cells: list[str], last: list[str]) -> bool:
    """Whether these cells are the labels above the columns, or all empty above a `last` row that is not."""
    if not any(cells):
        # if the last row is empty too, one of the two belongs to the grid
        return any(last)
    return _are_labels(cells) or _are_labels(cells[1:])


# cells and rows on one line


def _grids_on_one_line(lines: Sequence[str]) -> Iterator[_Text]:
    """The grids whose n² cells, or n rows, stand on one line with separators between them."""
    rewritten: _Text = []
    for number, line in enumerate(lines, 1):
        rows = _rows_on_line(line, number)
        rewritten += [Line(number, ""), *_lines_of_grids([rows])] if rows else [Line(number, line)]
    if len(rewritten) > len(lines):
        yield rewritten


def _rows_on_line(line: str, number: int) -> list[_Row]:
    """The rows of the grid on a line; none if there is no grid."""
    bare = line.strip().strip(",;/|")
    parts = re.split(r"\s*(?:\\n|[/|,;\s])\s*", bare)
    are_rows = all(len(part) == len(parts) for part in parts)
    cells = list("".join(parts)) if are_rows else re.split(r"[\s,;]+", bare)
    marks = {cell for cell in cells if cell.lower() in _BLANK_WORDS or cell[0] in f"0{BLANKS}xX"}
    numbers = [cell for cell in cells if cell not in marks]
    order = isqrt(len(cells))
    if order * order != len(cells) or order < LEAST or len(marks) > 1 or not numbers:
        return []
    # numbers larger than n make it a row of a larger grid
    fit = all(cell.isdecimal() and cell.isascii() and int(cell) <= order for cell in numbers)
    return _square_of(number, cells) if fit else []


# other signs for blanks, and blanks that are spaces

_SIGNS = re.compile(f"[{re.escape(OTHER_MARKS)}]")
_DIGITS_ALONE = re.compile(f"[1-9 {_BARS}]*")


def _with_dots(text: _Text) -> _Text:
    """The lines with a dot for each blank, if one of `OTHER_MARKS` stands for all blanks: rows with it have no other
    mark, and otherwise only digits, borders and separators."""
    texts = [line.text for line in text]
    for sign in sorted({sign for line in texts for sign in _SIGNS.findall(line)}):
        rows = _rows_marked_with(re.escape(sign), texts)
        cells = "".join(line for line in texts if line in rows)
        is_blank_sign = cells.count(sign) >= LEAST and re.search("[1-9A-Ga-g]", cells) and "0" not in cells
        if is_blank_sign and _rows_marked_with(re.escape(f"0{BLANKS}"), texts) <= rows:
            return [replace(line, text=line.text.replace(sign, ".")) if line.text in rows else line for line in text]
    return text


def _rows_marked_with(marks: str, lines: Iterable[str]) -> set[str]:
    """The lines that may be rows in which one of these marks is a blank."""
    row = re.compile(rf"(?=.*[{marks}])[0-9A-Ga-g \t,;'\"|\u2500-\u257f{marks}]+")
    return {line for line in lines if row.fullmatch(line) and not ("-" in line and _BORDER.fullmatch(line))}


def _grids_in_columns(lines: Sequence[str]) -> Iterator[_Text]:
    """The grid of n rows whose digits stand in n columns at equal distances, apart from bars in the same places in all
    rows: others are the walls of a jigsaw. Blanks are spaces."""
    rows = [Line(number, line.rstrip()) for number, line in enumerate(lines, 1) if kind_of(line) is Kind.CONTENT]
    rows = [row for row in rows if not _TEXT.search(row.text) and not _BORDER.fullmatch(row.text)]
    columns = sorted({place for row in rows for place, sign in enumerate(row.text) if sign.isdigit()})
    if not LEAST <= len(rows) == len(columns) or not all(_DIGITS_ALONE.fullmatch(row.text) for row in rows):
        return
    steps = {after - before for before, after in pairwise(columns)}
    bars = {re.sub(f"[^{_BARS}]", " ", row.text).rstrip() for row in rows}
    if len(steps) <= 1 + (bars != {""}) and len(bars) == 1:
        yield _lines_of_grids([[_Row(row.number, [row.text[at : at + 1].strip() for at in columns]) for row in rows]])


# the whole text

_ROW = re.compile(rf"(?=.*[1-9])[ \t]*(?:[0-9{BLANKS}][ \t,|]*){{{LEAST},}}")
_PROGRAM_SIGNS = re.compile(r"[][(){}=:;\"']")
_WIDE_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")
_TAG = re.compile(
    r"\[/?(?:code|pre|quote|b|i|u|tt|font|size|color|spoiler|hidden|center|indent)(?:=[^\]\n]{0,80})?\]", re.IGNORECASE
)
_DRAWN_BORDER = re.compile(r"[ \t]*[.,:'`+*](?:[-–—]{3,}[.,:'`+*|])+[ \t]*")
"""A border such as `.-------.`, `:-------+`, `'-------'`, also with dashes."""
_CORNERS = str.maketrans(".,:'`–—", "+++++--")
_ITEM = re.compile(r"^[ \t]*[-*•] (?=[\[\"']|[0-9._]{4})")
_WIDE = str.maketrans("０１２３４５６７８９．＊＿｜，、‘’“”", "0123456789.*_|,,''\"\"")
_WIDE_DIGIT = re.compile("[０-９]")
_NO_BREAK = re.compile("[\u00a0\u2007\u202f\u3000]")


def _without_markup(lines: list[str]) -> list[str]:
    """The lines without the markup of forums, mails (`-- ` above signatures) and web pages, and bullets of lists."""
    lines = _in_ascii([_KEYCAP.sub(r"\1", line) if line != "-- " else "" for line in lines])
    if sum(line.startswith(">") for line in lines) >= LEAST:
        lines = [re.sub("^(> ?)+", "", line) for line in lines]
    lines = [_ITEM.sub("", line) for line in lines]
    lines = [line.translate(_CORNERS) if _DRAWN_BORDER.fullmatch(line) else line for line in lines]
    return [_TAG.sub("", line) for line in lines]


def _in_ascii(lines: list[str]) -> list[str]:
    """The lines with no-break spaces as spaces and full-width digits as digits, unless they mix with ordinary ones."""
    if not any(re.search("[0-9]", line) for line in lines if _WIDE_DIGIT.search(line)):
        lines = [line.translate(_WIDE) for line in lines]
    if not any(len(_NO_BREAK.findall(line)) == 1 and " " in line.strip() for line in lines):
        lines = [_NO_BREAK.sub(" ", line) for line in lines]
    return lines


def _decode(raw: bytes) -> str:
    """The text of the bytes; "" if they are not text. UTF-16 needs a byte order mark."""
    try:
        text = raw.decode("utf-16" if raw.startswith(_WIDE_MARKS) else "utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return ""
    return "" if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|^\ufeff", text) else text


def read_paste(raw: bytes, file: str, read: Callable[[bytes], Iterator[Item]]) -> list[Item]:
    """The puzzles of a pasted text, as `read` finds them in the lines that paste readers rewrite. One error if their
    readings differ, or a list or table is malformed; nothing if no paste reader finds anything."""
    lines = _without_markup(_decode(raw).removesuffix("\n").split("\n"))
    readings: list[list[Item]] = []
    faults: list[Item] = []
    for text, is_sure in _rewritings(lines):
        items = _read_rewritten(text, file, read)
        if isinstance(items[-1], InputError):
            faults += items[-1:] if is_sure else []
        elif _puzzles_of(items) not in map(_puzzles_of, readings):
            readings.append([*items, *_unused_rows(lines, text, file)])
    if readings and (fault := next(_unread_rules(lines, file), None)):
        return [fault]
    if len(readings) > 1:
        place = next(Place(file, item.place.line) for item in readings[0] if isinstance(item, Entry))
        expected = "grids in one form, with a mark such as . in every blank cell"
        return [InputError(place, "a text that can be read in several ways", expected)]
    return readings[0] if readings else faults[:1]


def _unused_rows(lines: Sequence[str], text: _Text, file: str) -> Iterator[Note]:
    """A note if lines that may be rows are not in the rewritten text."""
    read = {line.number for line in text}
    rows = [number for number, line in enumerate(lines, 1) if number not in read and _ROW.fullmatch(line)]
    if len(rows) >= LEAST:
        yield Note(Place(file, rows[0]), f"{len(rows)} lines that look like rows of a grid are not used")


def _unread_rules(lines: Sequence[str], file: str) -> Iterator[InputError]:
    """The errors for rules and regions that stand in a list or a call."""
    from ringdoku.links.plain import is_jigsaw
    from ringdoku.links.rules_text import unstated

    for number, line in enumerate(lines, 1):
        if states_rule(line) or (RULES_TEXT.match(line) and any(unstated(line, ()))):
            yield InputError(Place(file, number), "rules in a list or a call", "one object a line, or lines of rules")
    words = [(word, number) for number, line in enumerate(lines, 1) for word in _QUOTED_WORD.findall(line)]
    for texts, numbers in (zip(*run, strict=True) for _, run in groupby(words, lambda word: len(word[0]))):
        if is_jigsaw("".join(texts)):
            yield InputError(Place(file, numbers[0]), "regions in a list", JIGSAW)


def _rewritings(lines: Sequence[str]) -> Iterator[tuple[_Text, bool]]:
    """The lines as each paste reader rewrites them, and whether its errors are reported, as for lists and tables."""
    yield _with_dots([Line(number, line) for number, line in enumerate(lines, 1)]), False
    # a rule must not be lost among other text; lines of programs may begin with a constraint's name too
    names_cell = any(CELL_NAME.search(line) and not fields_of(line) for line in lines)
    has_rule = names_cell or any(kind_of(line) is Kind.RULE and not _PROGRAM_SIGNS.search(line) for line in lines)
    readers = _grids_on_one_line, _object_on_one_line, _grids_in_lists, _grids_in_quotes, _grids_in_tables
    for reader in readers[:1] if has_rule else (*readers, _grids_in_columns):
        with suppress(_DamagedError):
            for text in [*reader(lines)]:
                yield _with_dots(text), reader in (_object_on_one_line, _grids_in_lists, _grids_in_tables)


def _puzzles_of(items: Iterable[Item]) -> list[Puzzle]:
    return [item.puzzle for item in items if isinstance(item, Entry)]


def _read_rewritten(text: _Text, file: str, read: Callable[[bytes], Iterator[Item]]) -> list[Item]:
    """The items that `read` finds in rewritten lines, up to the first error, with their places in the pasted text."""
    items: list[Item] = []
    for item in read("\n".join(line.text for line in text).encode("utf-8", "surrogatepass")):
        place = Place(file, text[min(item.place.line, len(text)) - 1].number)
        if isinstance(item, InputError):
            return [*items, InputError(place, item.found, item.expected)]
        items.append(replace(item, place=place))
    return items
