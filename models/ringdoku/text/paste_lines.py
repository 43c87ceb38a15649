"""Pastes whose lines are puzzles or rows: puzzles among other fields, cells with something between them, rows with
labels, other signs for blanks, and blanks that are spaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from string import ascii_uppercase
from typing import NamedTuple, TypeAlias

from ringdoku.text.between import Kind, kind_of
from ringdoku.text.cells import BLANKS, DIGITS

MARKS = f"0{BLANKS}"
"""Blanks as the reader knows them."""

OTHER_MARKS = "xX~#+=:□☐▢◻◽⬜■◼⬛○◯•⋅∙–—−␣．＿＊"
"""Further signs that people write for a blank."""

_BLANK_WORDS = frozenset(("", "none", "null", "nil", "undefined", "na", "nan", "false", "empty", "nothing"))
"""What programs write for a blank, in lower case; "" is an empty cell."""

LEAST = 4
"""The smallest order that is looked for in a paste: smaller grids are too much like other things."""


class Written(NamedTuple):
    """A line for the reader, and the number of the line of the text that it comes from."""

    number: int
    text: str


Rewritten: TypeAlias = list[Written]


def row_of(texts: Iterable[str]) -> str:
    """A row of separate cells as the reader takes it: words and empty texts that stand for a blank become a dot."""
    return " ".join("." if text.strip().lower() in _BLANK_WORDS else text.strip() for text in texts)


def is_cell(text: str) -> bool:
    """Whether a text may be a cell: a number, a letter, a mark, or a word for a blank."""
    bare = text.strip()
    if bare.isdecimal():
        return bare.isascii() and len(bare) <= 3
    if bare.lower() in _BLANK_WORDS:
        return True
    return (len(bare) == 1 and bare.isalpha()) or (bare[0] in MARKS + OTHER_MARKS and bare == bare[0] * len(bare))


def order_of(count: int) -> int:
    """The n of n² cells, 0 if there is none of at least `LEAST`."""
    order = round(count**0.5)
    return order if order * order == count and order >= LEAST else 0


# a puzzle among other fields of its line

_WORD = re.compile(r"""[^\s,;:|"'=()<>{}&?/`]+|[?]+(?=[0-9?])""")
_SEPARATED = re.compile(r"""[^\s,;:|"'=()<>{}&/`]+""")
_CELLS = {order: re.compile(f"[0-{order}._*?xX~-]+") for order in range(4, 10)}
_SYMBOLS = re.compile(r"[0-9A-Za-z._*?-]+")
_SET = re.compile(r"\+[1-9]")
_LONG = 12
"""From this length on a word of digits and marks that is no puzzle may be a damaged one."""
_CELL = re.compile("[0-9._*?-]")
_TEXT = re.compile(r"[^\W\d_]{3,}")
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
    return not marks or (len(marks) == 1 and (not marks & {"x", "X", "~"} or word.count(*marks) >= LEAST))


def is_damaged(word: str) -> bool:
    """Whether most of a long word is digits and marks."""
    return len(word) >= _LONG and 2 * len(_CELL.findall(word)) > len(word)


def _words_of(line: str) -> list[str]:
    words = _SEPARATED.findall(line)
    if any("?" in word and not is_cells(word) for word in words):
        # an address
        words = _WORD.findall(line)
    # in libraries of HoDoKu `+5` is a digit that was set while solving, not a clue
    return [_SET.sub(".", word) for word in words] if line.lstrip().startswith(":") else words


def _is_full(word: str) -> bool:
    """Whether a word has no blanks, as a solution has none."""
    return word.isalnum() and "0" not in word


def among_fields(line: str) -> str | None:
    """The puzzle of a line, with its solution and the other words as its name; None if it is not plain which it is."""
    words = [] if "[" in line or line.count("{") > 1 else _words_of(line)
    found = [word for word in words if is_cells(word)]
    if not 1 <= len(found) <= 2 or len({len(word) for word in found}) > 1:
        return None
    others = [word for word in words if word not in found]
    if any(is_damaged(word) or 2 * len(word) > max(_LONG, len(found[0])) for word in others):
        return None
    found.sort(key=_is_full)
    if not all(map(_is_full, found[1:])):
        return None
    if order_of(len(found[0])) <= 9:
        found[0] = re.sub("[xX~]", ".", found[0])
    # the keys of records and the parts of addresses are no names
    name = "" if "{" in line or "//" in line else " ".join(others)
    return " ".join(found) + (f" # {name}" if name else "")


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
    return line if _TEXT.search(line) and digits < _LONG and not any(map(is_damaged, line.split())) else None


def each_line(rewrite: Callable[[str], str | None], lines: Sequence[str]) -> Iterator[Rewritten]:
    """Every line rewritten, or kept where it is no content or a title; nothing if there is another line."""
    texts = [line_or_title(rewrite, line) for line in lines]
    if None not in texts and any(text is not line for text, line in zip(texts, lines, strict=True)):
        yield [Written(number, text or "") for number, text in enumerate(texts, 1)]


# n² cells on one line, or a line each

_BETWEEN_CELLS = re.compile(r"[\s,;]+")
_BETWEEN_ROWS = re.compile(r"\s*(?:\\n|[/|,;\s])\s*")
_NUMBER = re.compile("[0-9]{1,2}")


def cells_apart(line: str) -> str | None:
    """The n² cells of a line that have spaces or commas between them, or its n rows; None if there are none."""
    bare = line.strip().strip(",;/|")
    cells = [cell for cell in _BETWEEN_CELLS.split(bare) if cell]
    if order := order_of(len(cells)):
        return _packed(cells, order)
    rows = [row for row in _BETWEEN_ROWS.split(bare) if row]
    if len(rows) >= LEAST and all(len(row) == len(rows) for row in rows) and is_cells("".join(rows)):
        return "".join(rows)
    return None


def _packed(cells: Sequence[str], order: int) -> str | None:
    """One character for each of n² cells; None if they are not numbers and marks, or there are none of both."""
    signs: list[str] = []
    marks = set()
    for cell in cells:
        if _NUMBER.fullmatch(cell) and 0 < int(cell) <= min(order, len(DIGITS)):
            signs.append(DIGITS[int(cell) - 1])
        elif cell == cell[:1] * len(cell) and cell[0] in MARKS + "xX":
            signs.append(".")
            marks.add(cell)
        else:
            return None
    # a 0 beside another mark may be a digit
    return "".join(signs) if len(marks) < 2 else None


def one_line(lines: Sequence[str]) -> Iterator[Rewritten]:
    """A grid on each line; or n² lines of a cell each, where an empty line may be an empty cell."""
    texts = [line.strip() for line in lines]
    if texts and not texts[-1]:
        texts.pop()
    filled = [text for text in texts if text]
    for cells in (texts, filled):
        order = order_of(len(cells))
        if order and 4 * len(filled) >= order and max(map(len, cells)) <= 2:
            packed = _packed(["." if cell.lower() in _BLANK_WORDS else cell for cell in cells], order)
            if packed and packed.strip("."):
                yield [Written(1, packed)]
                return
    yield from each_line(cells_apart, lines)


# rows with labels before them

# quantifiers that give nothing back, so that a long run of anything takes linear time
_LABEL = re.compile(
    r"[|│║]?+\s*+(?:(?:row|r)\s*+)?+([0-9]{1,2}+|[A-Za-z])(?:[.)\]]\s++|\s*+[:|│║]\s*+|\s++)(.+)", re.IGNORECASE
)
_BORDER = re.compile(r"[-+=| \t\u2500-\u257f]+")
_BETWEEN = re.compile(r"[\s|│║,:]+")
_COLUMN = re.compile(r"^(?:col|c)\.?(?=[0-9])", re.IGNORECASE)
_NAMES = ([str(number) for number in range(1, 36)], list(ascii_uppercase), [str(number) for number in range(36)])


def are_labels(labels: Sequence[str]) -> bool:
    """Whether they are 1, 2, … or A, B, … or 0, 1, …, at least `LEAST` of them; `c1`, `c2`, … are 1, 2, …"""
    upper = [_COLUMN.sub("", label.strip()).upper() for label in labels]
    return len(upper) >= LEAST and any(upper == names[: len(upper)] for names in _NAMES)


def _names_columns(line: str) -> bool:
    words = [word for word in _BETWEEN.split(line.strip()) if word]
    return are_labels(words) or are_labels(list("".join(words)))


def labels(lines: Sequence[str]) -> Iterator[Rewritten]:
    """Rows without the labels before them, and without the labels of columns above."""
    found: list[str] = []
    written: Rewritten = []
    for number, line in enumerate(lines, 1):
        match = _LABEL.fullmatch(line.strip())
        text = ""
        if kind_of(line) is Kind.BLANK or _BORDER.fullmatch(line):
            # a border without blanks before it, since labels are gone too
            text = line.strip()
        elif not found and _names_columns(line):
            pass
        elif match:
            found.append(match[1])
            text = match[2]
        elif not found and _TEXT.search(line):
            text = line
        else:
            return
        written.append(Written(number, text))
    count = next((place for place, label in enumerate(found) if place and label == found[0]), len(found))
    if (
        count
        and len(found) % count == 0
        and all(are_labels(found[start : start + count]) for start in range(0, len(found), count))
    ):
        yield written


# other signs for blanks

_SIGNS = re.compile(f"[{re.escape(OTHER_MARKS)}]")
_RULE = re.compile(r"[ \t\-+=|\u2500-\u257f]+")
_MARK = re.compile("[0._*?·-]")
_DIGIT = re.compile("[1-9A-Ga-g]")
_NO_CELL = re.compile(r"[^0-9A-Ga-g \t,;|._*?·\u2500-\u257f-]")


def with_dots(lines: Sequence[Written]) -> Rewritten | None:
    """The lines with dots for the one other sign that stands for every blank; None if there is no such sign.

    Rows have no other mark for blanks, and nothing but digits, borders and separators beside it.
    """
    for sign in sorted({sign for line in lines for sign in _SIGNS.findall(line.text)}):
        row = re.compile(rf"[0-9A-Ga-g \t,;'\"|\u2500-\u257f{re.escape(sign)}]+")
        rows = {text for _, text in lines if sign in text and row.fullmatch(text) and not _is_rule(text, sign)}
        cells = "".join(text for _, text in lines if text in rows)
        marked = any(_is_marked(text) for _, text in lines if text not in rows)
        if cells.count(sign) >= LEAST and _DIGIT.search(cells) and "0" not in cells and not marked:
            return [Written(number, text.replace(sign, ".") if text in rows else text) for number, text in lines]
    return None


def _is_rule(text: str, sign: str) -> bool:
    """Whether a sign is part of a border."""
    return sign in "+=" and bool(_RULE.fullmatch(text)) and "-" in text


def _is_marked(text: str) -> bool:
    """Whether a line has the reader's own marks for blanks, and may be a row."""
    return bool(_MARK.search(text)) and not _RULE.fullmatch(text) and not _NO_CELL.search(text)


def signs(lines: Sequence[str]) -> Iterator[Rewritten]:
    """The lines with dots for another sign."""
    if rewritten := with_dots([Written(number, line) for number, line in enumerate(lines, 1)]):
        yield rewritten


# blanks that are spaces: the columns of the digits show the cells

_BARS = "|│┃║┆┇┊┋╎╏¦"
_BAR = re.compile(f"[{_BARS}]")
_ROW = re.compile(f"[1-9 {_BARS}]*")
_FRAME = re.compile(r"[|: ]*+[-+=_*\u2500-\u257f][-+=_|*: \u2500-\u257f]*+")
_HORIZONTAL = re.compile("[-=_+─━┄┅┈┉╌╍═╴╶╸╺╼╾]")
_MOST = 9
_WIDEST = 6
"""The most columns from one cell to the next."""


def spaces(lines: Sequence[str]) -> Iterator[Rewritten]:
    """The readings of n rows, plain or with bars between as many cells everywhere."""
    rows = _rows_of(lines)
    texts = [line.text for line in rows]
    digits = sum(sign.isdigit() for text in texts for sign in text)
    if not LEAST <= len(rows) <= _MOST or not len(rows) <= digits < len(rows) ** 2:
        return
    seen: list[list[str]] = []
    for grid in _between_bars(texts) if _BAR.search("".join(texts)) else _apart(texts):
        if grid not in seen:
            seen.append(grid)
            yield [Written(line.number, row) for line, row in zip(rows, grid, strict=True)]


def _rows_of(lines: Sequence[str]) -> Rewritten:
    """The lines of digits, spaces and bars, without borders, titles above and words below; none if there are others."""
    rows = [Written(number, line.rstrip("\r")) for number, line in enumerate(lines, 1)]
    for end in (0, -1):
        while rows and (_TEXT.search(rows[end].text) or not rows[end].text):
            rows.pop(end)
    if len(rows) > 6 * _MOST:
        return []
    rows = [line for line in rows if not (_FRAME.fullmatch(line.text) and _HORIZONTAL.search(line.text))]
    if not all(_ROW.fullmatch(line.text) for line in rows):
        return []
    barred = any(_BAR.search(line.text) for line in rows)
    return [line for line in rows if line.text.strip()] if barred or len(rows) > _MOST else rows


def _apart(texts: Sequence[str]) -> Iterator[list[str]]:
    """Rows without bars: n cells of equal width from the start of the line, or from further right."""
    order = len(texts)
    widest = max(len(text.rstrip()) for text in texts)
    indent = min(len(text) - len(text.lstrip()) for text in texts if text.strip())
    padded = len(set(map(len, texts))) == 1 and len(texts[0])
    for step in range(1, _WIDEST):
        for start in range(indent + 1):
            end = start + (order - 1) * step + 1
            if widest <= end and (not padded or abs(padded - end - start) <= 1):
                rows = [_spread(text, start, step, order) for text in texts]
                if None not in rows:
                    yield [" ".join(row) for row in rows if row]


def _between_bars(texts: Sequence[str]) -> Iterator[list[str]]:
    """Rows with the same bars: as many cells between two bars everywhere."""
    rows = _parts(texts)
    order, count = len(rows), len(rows[0])
    if not count or order % count or any(len(parts) != count for parts in rows):
        return
    width = max(len(part) for parts in rows for part in parts)
    across = order // count
    step = max(1, width // across)
    for start in range(width - (across - 1) * step):
        cells = [[_spread(part, start, step, across) for part in parts] for parts in rows]
        if all(all(parts) for parts in cells):
            yield [" ".join(cell for part in parts for cell in part or ()) for parts in cells]


def _parts(texts: Sequence[str]) -> list[list[str]]:
    """What stands between the bars of each row. Outside the outer bars there is nothing; where there is no outer bar on
    the left, a column is missing and is put back."""
    rows = [_BAR.split(text) for text in texts]
    left = all(not parts[0].strip() for parts in rows)
    right = all(not parts[-1].strip() for parts in rows)
    rows = [parts[left : len(parts) - right] for parts in rows]
    if left or not all(rows):
        return rows
    missing = max(len(part) for parts in rows for part in parts) - max(len(parts[0]) for parts in rows)
    return [[" " * missing + parts[0], *parts[1:]] for parts in rows]


def _spread(text: str, start: int, step: int, count: int) -> list[str] | None:
    """The digits at start, start + step, …; None if there are digits elsewhere."""
    places = range(start, start + count * step, step)
    if any(sign != " " and place not in places for place, sign in enumerate(text)):
        return None
    return [text[place : place + 1].strip() or "." for place in places]
