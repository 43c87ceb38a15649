"""The lines that are not part of a grid: blank lines, comments, headers, rules, sections, and the line that ends an
input."""

from __future__ import annotations

import re
from enum import Enum, auto

from ringdoku.text.lines import Line, Lines

LOOK_AHEAD = 100
"""How many lines are searched for the next content."""


class Kind(Enum):
    """What a line is to a reader of grids."""

    CONTENT = auto()
    """May be part of a grid."""
    BLANK = auto()
    """Only spaces and tabs."""
    COMMENT = auto()
    """Starts with `#`, as the `#A` … `#U` lines of .sdk files do."""
    HEADER = auto()
    """`Grid 01`, `Case #3:`, `puzzle size: 4x4`, and the lines above and below drawings for a terminal."""
    RULE = auto()
    """`killer 15: r1c1 r1c2`, and any other line that names a cell, has a colon, or begins with a word of a
    constraint's name: it is a constraint or an error, and never passed over."""
    SECTION = auto()
    """`[Puzzle]`, as in .sdk files."""
    END = auto()
    """`end`, as in POJ 3074."""


_NUMBERED = re.compile(r"([A-Z]{2,})(?: [A-Z]+)* +#?[0-9]+\W*", re.ASCII | re.IGNORECASE)
_KEYED = re.compile(r"([A-Z]++)[\w -]*+:", re.ASCII | re.IGNORECASE)
_HEADS = re.compile(
    "author|by|case|copyright|creator|date|difficulty|experiment|file|game|grid|https?|id|input|level|name|no|number|output"
    "|problem|puzzle|rating|score|setter|size|solution|source|sudoku|task|test|title|url|version|website"
)
"""What headers begin with: `Grid 01`, `Case #3:`, `puzzle size: 4x4`, `number of tasks: 2`, `Title: Easy`."""
_TITLES = frozenset(("name", "puzzle", "sudoku", "title"))
_CELL = re.compile(r"\b[rR][0-9]+[cC][0-9]+\b")
_PROSE = re.compile(r"[^:]{0,99}:[ \t]*[^ \t]")
_LONG = re.compile(r"[^ \t:]{16}")
"""A row of letters, not a word."""
_DIGITS = re.compile("[0-9]+")
_SUMMARY = re.compile(r" in [0-9.]+ m?s(?:;.*)?$")
_DECODED = re.compile(
    r"(?:solved|score -?[0-9]+, not proved best|(?:score -?[0-9]+, best|no solution), by the word of the solver"
    r"|unknown, nothing found)(?:;.*)?"
)
_NAMED = re.compile(r"(?:[A-Z]{2,}|[A-Z][_ -][A-Z]{2,})(?:['_-][A-Z]+)*(?=[ \t:]|$)", re.ASCII | re.IGNORECASE)
_SIGNS = " \t=-*~_/\\|<>[]`'\""
"""What stands around titles."""
_SECTION = re.compile(r"\[[A-Za-z ]+\]")


def kind_of(text: str) -> Kind:
    bare = text.strip(" \t")
    if not bare:
        return Kind.BLANK
    first = bare[0]
    if first == "#":
        return Kind.COMMENT
    if first.isalpha():
        if bare.lower() == "end":
            return Kind.END
        if _is_header(bare):
            return Kind.HEADER
        if _is_rule(bare):
            return Kind.RULE
    if _is_caption(bare):
        return Kind.HEADER
    if first == "[" and _SECTION.fullmatch(bare):
        return Kind.SECTION
    return Kind.CONTENT


def _is_header(bare: str) -> bool:
    header = _NUMBERED.fullmatch(bare) or _KEYED.match(bare)
    if header is None or not _HEADS.fullmatch(header[1].lower()) or _CELL.search(bare):
        return False
    # a puzzle may have a key, and an address is long too
    return "//" in bare or not _LONG.search(bare)


def _is_rule(bare: str) -> bool:
    if is_telling(bare):
        return not _is_caption(bare)
    if not _NAMED.match(bare):
        return False
    from ringdoku.constraints.text import is_rule

    return is_rule(without_comment(bare))


def _is_caption(bare: str) -> bool:
    """Whether the line is `FILE:LINE`, or one such as `solved by cadical195 in 1.2 ms; ' marks a clue`."""
    file, colon, line = bare.rpartition(":")
    if colon:
        return bool(_DIGITS.fullmatch(line)) and any(map(str.isalpha, file)) and bare[0] not in "{|"
    return bool(_DECODED.fullmatch(bare)) or (" by " in bare and bool(_SUMMARY.search(bare)))


def without_comment(text: str) -> str:
    """A line up to `#`, without trailing blanks."""
    return text.partition("#")[0].rstrip(" \t")


def next_content(lines: Lines, ahead: int) -> tuple[int, Line] | None:
    """The first line after `ahead` that may be part of a grid, and how far ahead it is; None if none is near."""
    for further in range(ahead + 1, LOOK_AHEAD):
        line = lines.peek(further)
        if line is None:
            break
        if kind_of(line.text) is Kind.CONTENT:
            return further, line
    return None


def is_telling(text: str) -> bool:
    """Whether a text names a cell or has something after a colon."""
    return bool(_CELL.search(text) or (_PROSE.match(text) and not _LONG.search(text)))


def name_of(header: str) -> str:
    """`Grid 01` for the header `Grid 01:`, `Easy` for `Title: Easy`; "" for a header that is not a name."""
    bare = header.strip(" \t")
    if _NUMBERED.fullmatch(bare):
        return bare.rstrip(":")
    key, _, value = bare.partition(":")
    return value.strip(" \t") if key.lower() in _TITLES else ""


def title_of(text: str) -> str:
    """What a title says, without the signs around it; "" for signs alone."""
    bare = without_comment(text).strip(_SIGNS)
    return bare if any(map(str.isalnum, bare)) else ""
