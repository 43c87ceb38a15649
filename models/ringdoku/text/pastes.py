"""Read what people paste: a text that is in no format of the reader, and that a paste grammar rewrites into one.

All grammars are tried. The text is read if one puzzle, or one list of puzzles, is what all that fit agree on; otherwise
the error names the readings and the option that decides.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from types import MappingProxyType
from typing import BinaryIO, NamedTuple, cast

from ringdoku.domain.errors import InputError, Place
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text.base import Entry
from ringdoku.text.paste_lines import (
    OTHER_MARKS,
    Rewritten,
    Written,
    among_fields,
    cells_apart,
    each_line,
    labels,
    line_or_title,
    one_line,
    signs,
    spaces,
    with_dots,
)
from ringdoku.text.paste_lists import lists
from ringdoku.text.paste_tables import html, tables, xml
from ringdoku.text.source import Source


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


PASTES: Mapping[str, Paste] = MappingProxyType(
    {
        paste.name: paste
        for paste in (
            Paste(
                "fields",
                "a puzzle a line among other fields, as in libraries of HoDoKu and lists with ratings",
                partial(each_line, among_fields),
                by_line=among_fields,
            ),
            Paste(
                "one-line",
                "n² cells on one line with spaces or commas between them, n rows on one line, or a cell a line",
                one_line,
                by_line=cells_apart,
            ),
            Paste(
                "lists",
                "lists of rows in JSON, Python, C, Java, Haskell, Prolog, MATLAB, MiniZinc; strings in code",
                lists,
                sure=True,
            ),
            Paste(
                "tables",
                "tables of Markdown, MediaWiki and LaTeX; CSV with quotes or semicolons; empty cells are blanks",
                tables,
            ),
            Paste("html", "tables of HTML pages, also with an input in each cell", html, sure=True),
            Paste(
                "xml", "n² characters in an attribute or an element, as in collections of OpenSudoku", xml, sure=True
            ),
            Paste(
                "labels", "rows with labels before them, A to I or 1 to 9, also with labels of columns above", labels
            ),
            Paste("signs", f"another sign for every blank: {' '.join(OTHER_MARKS)}", signs),
            Paste("spaces", "blanks that are spaces, plain and between bars", spaces),
        )
    }
)
"""Paste grammars by name. They are tried on a text that the reader refuses."""

MAX_PASTE = 1 << 21
"""Most bytes of a text that is read as a whole. Longer ones are read where each line is a puzzle."""

_MOST_LINES = 1000
"""Lines of a long text that show its layout."""

Note = Callable[[Place, str], None]
ReadText = Callable[[BinaryIO, Note], Iterator[Entry | InputError]]
"""How the reader reads lines; what it passes over is noted."""

_WIDE_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SPACE = "\u00a0\u2007\u202f\u3000"
_NO_BREAK = re.compile(f"[{_SPACE}]")
_WIDE = str.maketrans("０１２３４５６７８９．＊＿｜", "0123456789.*_|")
_WIDE_DIGIT = re.compile("[０-９]")
_DIGIT = re.compile("[0-9]")
_KEYCAP = re.compile("([0-9])\ufe0f?\u20e3")
_TAG = re.compile(
    r"\[/?(?:code|pre|quote|b|i|u|tt|font|size|color|spoiler|hidden|center|indent)(?:=[^\]\n]{0,80})?\]", re.IGNORECASE
)
_FENCE = re.compile(
    r"[ \t]*(?:(?:```+|~~~+)[ \t]*[\w+-]*|</?(?:pre|code)[^<>]*>|(?:\w+ *= *)?r?(?:\"{3}|'{3})\\?)[ \t]*"
)
_CORNERS = str.maketrans(".,:'`", "+++++")
_CORNERED = re.compile(r"[ \t]*[.,:'`+*](?:-{3,}[.,:'`+*|])+[ \t]*")
"""A border of ASCII art: `.-------.`, `:-------+`, `'-------'`."""
_ITEM = re.compile(r"^[ \t]*[-*•] (?=[\[\"']|[0-9._]{4})")
_QUOTED = re.compile("> ?")


class _Reading(NamedTuple):
    """What a grammar makes of a text, and what the reader noted."""

    entries: list[Entry]
    notes: list[tuple[Place, str]]

    @property
    def puzzles(self) -> list[Puzzle]:
        return [entry.puzzle for entry in self.entries]


def read_paste(
    raw: bytes, file: str, again: ReadText, note: Note, name: str | None = None
) -> list[Entry | InputError] | None:
    """The puzzles of a text; an error if it has several readings, or is malformed in a layout that is plain to see;
    None if no grammar fits.

    `again` is the reader of the formats. `name` is that of the only grammar that is asked.
    """
    text = _decoded(raw)
    if text is None or not (text.strip() or name):
        return None
    chosen = PASTES[name] if name else None
    readings, fault = _readings(text, chosen, raw.startswith(_WIDE_MARKS), file, again)
    if len(readings) == 1:
        reading = next(iter(readings.values()))
        for place, message in reading.notes:
            note(place, message)
        return [*reading.entries]
    if readings:
        return [_ambiguous(readings, file)]
    if chosen and not fault:
        fault = InputError(Place(file, 1), "a text that is no such paste", f"{chosen.summary}, as --input-format says")
    return [fault] if fault else None


def _readings(
    text: str, chosen: Paste | None, wide: bool, file: str, again: ReadText
) -> tuple[dict[str, _Reading], InputError | None]:
    """The different readings of a text by the names of their grammars, and the first error that counts."""
    lines = _cleaned(text)
    readings: dict[str, _Reading] = {}
    fault: InputError | None = None
    for kind, rewritten, sure in _rewritings(lines, text, chosen, wide):
        reading = _read(rewritten, lines, file, again)
        if isinstance(reading, InputError):
            if sure or reading.expected.startswith("a box shape"):
                fault = fault or reading
        elif reading.entries and not any(reading.puzzles == other.puzzles for other in readings.values()):
            readings[kind if kind not in readings else f"{kind} in another way"] = reading
    return readings, fault


def rewritten_lines(raw: bytes, source: Source, file: str, again: ReadText) -> BinaryIO | None:
    """A long text in which each line is a puzzle, rewritten by the only grammar that fits its beginning, `raw`; None if
    there is none."""
    text = _decoded(b"\n".join(raw.split(b"\n", _MOST_LINES)[:_MOST_LINES]))
    if text is None:
        return None
    lines = _lines_of(text)
    fitting = [
        paste.by_line
        for paste in PASTES.values()
        if paste.by_line
        and (found := list(paste.rewrite(lines)))
        and isinstance(_read(found[0], lines, file, again), _Reading)
    ]
    return cast("BinaryIO", _Rewriting(fitting[0], source)) if len(fitting) == 1 else None


class _Rewriting:
    """A stream of lines, each rewritten as it is read; one that cannot be is left as it is, for its error."""

    def __init__(self, rewrite: Callable[[str], str | None], source: Source) -> None:
        self._rewrite = rewrite
        self._source = source

    def read(self, _: int) -> bytes:
        """The next line."""
        raw = self._source.readline(MAX_PASTE)
        text = raw.decode(errors="replace").rstrip("\r\n")
        new = line_or_title(self._rewrite, text)
        return raw if new is None or new is text else f"{new}\n".encode()


def _rewritings(
    lines: Sequence[str], text: str, chosen: Paste | None, wide: bool
) -> Iterator[tuple[str, Rewritten, bool]]:
    """The name of each grammar that fits, what it makes of the text, and whether its errors count."""
    as_it_is = [Written(number, line) for number, line in enumerate(lines, 1)]
    if chosen is None and (wide or lines != _lines_of(text)):
        yield "text", as_it_is, False
    for paste in [chosen] if chosen else PASTES.values():
        for rewritten in paste.rewrite(lines):
            yield paste.name, with_dots(rewritten) or rewritten, paste.sure or chosen is not None


def _read(rewritten: Rewritten, lines: Sequence[str], file: str, again: ReadText) -> _Reading | InputError:
    """The puzzles of rewritten lines, or the first error, at the lines of the text that they come from."""
    raw = "\n".join(line.text for line in rewritten).encode("utf-8", "surrogatepass")
    reading = _Reading([], [])

    def placed(place: Place) -> Place:
        line = rewritten[min(place.line, len(rewritten)) - 1]
        kept = line.number <= len(lines) and lines[line.number - 1] == line.text
        return Place(file, line.number, place.column if kept else 0)

    for item in again(BytesIO(raw), lambda place, message: reading.notes.append((placed(place), message))):
        if isinstance(item, InputError):
            return InputError(placed(item.place), item.found, item.expected)
        reading.entries.append(replace(item, place=placed(item.place)))
    return reading


def _ambiguous(readings: dict[str, _Reading], file: str) -> InputError:
    names = list(readings)
    place = next(iter(readings.values())).entries[0].place
    found = f"a text that is read as {' and differently as '.join(names)}"
    known = [name for name in names if name in PASTES]
    expected = "a mark such as . in every blank cell"
    if len(known) > 1:
        expected = f"--input-format {' or '.join(known)}"
    return InputError(Place(file, place.line), found, expected)


def _decoded(raw: bytes) -> str | None:
    """The text; None for one that is no text. UTF-16 needs its mark at the start."""
    try:
        text = raw.decode("utf-16" if raw.startswith(_WIDE_MARKS) else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    text = text.replace("\r\n", "\n")
    return None if _CONTROL.search(text) or "\r" in text or text.startswith("\ufeff") else text


def _lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _cleaned(text: str) -> list[str]:
    """The lines without the marks of forums, mails and pages around them, and items without their bullets."""
    lines = _in_ascii(_lines_of(_KEYCAP.sub(r"\1", text)))
    if all(line.startswith(">") for line in lines if line.strip()):
        lines = [_QUOTED.sub("", line, count=1) for line in lines]
    lines = [_ITEM.sub("", line) for line in lines]
    if any("|" in line for line in lines):
        lines = [line.translate(_CORNERS) if _CORNERED.fullmatch(line) else line for line in lines]
    return ["" if _FENCE.fullmatch(line) else _TAG.sub("", line) for line in lines]


def _in_ascii(lines: list[str]) -> list[str]:
    """No-break spaces as spaces, full-width digits as digits. One such sign among others of the usual kind is left, for
    its error."""
    if not any(_WIDE_DIGIT.search(line) and _DIGIT.search(line) for line in lines):
        wide = any(_WIDE_DIGIT.search(line) for line in lines)
        lines = [line.translate(_WIDE) for line in lines] if wide else lines
    if not any(len(_NO_BREAK.findall(line)) == 1 and " " in line.strip() for line in lines):
        lines = [_NO_BREAK.sub(" ", line) for line in lines]
    return lines
