"""Read what people paste: a text that is in no format of the reader, and that a paste grammar rewrites into one.

All grammars are tried. The text is read if one puzzle, or one list of puzzles, is what all that fit agree on; otherwise
the error names the readings and the option that decides.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO

from ringdoku.domain.errors import InputError, Place
from ringdoku.text.base import Entry
from ringdoku.text.pastes import PASTES, Paste
from ringdoku.text.pastes.base import Rewritten, Written
from ringdoku.text.pastes.fields import line_or_title
from ringdoku.text.pastes.marks import with_dots
from ringdoku.text.source import Source

MAX_PASTE = 1 << 21
"""Most bytes of a text that is read as a whole. Longer ones are read where each line is a puzzle."""

_MOST_LINES = 1000
"""Lines of a long text that show its layout."""

ReadText = Callable[[BinaryIO], Iterator[Entry | InputError]]
"""How the reader reads lines."""

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


class Head:
    """A stream that keeps what is read from it, up to `MAX_PASTE`, until it is told to forget that."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._kept: list[bytes] | None = []
        self._size = 0
        self._again: list[bytes] = []
        """What is read once more, the last part first."""

    def readline(self, size: int = -1) -> bytes:
        """The next line, or so many bytes of it."""
        if self._again:
            raw = self._again.pop()
            if 0 <= size < len(raw):
                self._again.append(raw[size:])
                raw = raw[:size]
            return raw
        raw = self._stream.readline(size)
        if self._kept is not None:
            self._kept.append(raw)
            self._size += len(raw)
            if self._size > MAX_PASTE:
                self.forget()
        return raw

    def seekable(self) -> bool:
        """Whether all of the input is there."""
        return self._stream.seekable()

    @property
    def together(self) -> int:
        """As of `Source`."""
        return getattr(self._stream, "together", 0)

    @property
    def source(self) -> Source | None:
        """Where lines come from, once none of them is kept or read again."""
        return None if self._kept is not None or self._again else getattr(self._stream, "source", None)

    def forget(self) -> None:
        """Keeps nothing from now on."""
        self._kept = None

    def whole(self) -> tuple[list[bytes], bool]:
        """The input from its start, and whether that is all of it; nothing if too much was read for that.

        What was not read before is still read afterwards.
        """
        if self._kept is None:
            return [], False
        kept = self._kept
        before = len(kept)
        while self._kept is not None and self.readline(MAX_PASTE):
            pass
        complete = self._kept is not None
        self.forget()
        self.rewind(kept[before:])
        return kept, complete

    def rewind(self, parts: Sequence[bytes]) -> None:
        """Lets these be read next."""
        self._again = [raw for raw in reversed(parts) if raw]


def read_paste(raw: bytes, file: str, again: ReadText, chosen: Paste | None = None) -> list[Entry] | InputError | None:
    """The puzzles of a text; an error if it has several readings, or is malformed in a layout that is plain to see;
    None if no grammar fits.

    `again` is the reader of the formats. `chosen` is the only grammar that is asked.
    """
    text = _decoded(raw)
    if text is None:
        return None
    lines = _cleaned(text)
    readings: dict[str, list[Entry]] = {}
    faults: list[InputError] = []
    for name, rewritten, sure in _rewritings(lines, text, chosen, raw.startswith(_WIDE_MARKS)):
        items = _read(rewritten, lines, file, again)
        if isinstance(items, InputError):
            if sure or items.expected.startswith("a box shape"):
                faults.append(items)
        elif items and not any(_same(items, other) for other in readings.values()):
            readings[name if name not in readings else f"{name} in another way"] = items
    if len(readings) == 1:
        return next(iter(readings.values()))
    if readings:
        return _ambiguous(readings, file)
    if chosen and not faults:
        return InputError(Place(file, 1), "a text that is no such paste", f"{chosen.summary}, as --input-format says")
    return faults[0] if faults else None


def stream_paste(parts: Sequence[bytes], head: Head, file: str, again: ReadText) -> Iterator[Entry | InputError] | None:
    """The puzzles of a long text in which each line is one, as the only grammar that fits its beginning, `parts`, reads
    them; None if there is none."""
    text = _decoded(b"".join(parts[:_MOST_LINES]))
    if text is None:
        return None
    lines = _lines_of(text)
    fitting = [
        paste.by_line
        for paste in PASTES.values()
        if paste.by_line
        and (found := list(paste.rewrite(lines)))
        and isinstance(_read(found[0], lines, file, again), list)
    ]
    if len(fitting) != 1:
        return None
    head.rewind(parts)
    return again(_Rewriting(fitting[0], head))  # type: ignore[arg-type]


class _Rewriting:
    """A stream of lines, each rewritten as it is read; one that cannot be is left as it is, for its error."""

    def __init__(self, rewrite: Callable[[str], str | None], stream: Head) -> None:
        self._rewrite = rewrite
        self._stream = stream

    def readline(self, _: int = -1) -> bytes:
        raw = self._stream.readline(MAX_PASTE)
        text = raw.decode(errors="replace").rstrip("\r\n")
        new = line_or_title(self._rewrite, text)
        return raw if new is None or new is text else f"{new}\n".encode()

    def seekable(self) -> bool:
        return False


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


def _read(rewritten: Rewritten, lines: Sequence[str], file: str, again: ReadText) -> list[Entry] | InputError:
    """The puzzles of rewritten lines, or the first error, at the lines of the text that they come from."""
    raw = "\n".join(line.text for line in rewritten).encode("utf-8", "surrogatepass")
    entries = []
    for item in again(BytesIO(raw)):
        line = rewritten[min(item.place.line, len(rewritten)) - 1]
        kept = line.number <= len(lines) and lines[line.number - 1] == line.text
        place = Place(file, line.number, item.place.column if kept else 0)
        if isinstance(item, InputError):
            return InputError(place, item.found, item.expected)
        entries.append(replace(item, place=place))
    return entries


def _same(some: Sequence[Entry], others: Sequence[Entry]) -> bool:
    return [entry.puzzle for entry in some] == [entry.puzzle for entry in others]


def _ambiguous(readings: dict[str, list[Entry]], file: str) -> InputError:
    names = list(readings)
    place = next(iter(readings.values()))[0].place
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
    """The lines without the marks of forums, mails and pages around them, no-break spaces as spaces, full-width digits
    as digits, items without their bullets. One such sign among others of the usual kind is left, for its error."""
    lines = _lines_of(_KEYCAP.sub(r"\1", text))
    if _WIDE_DIGIT.search(text) and not any(_WIDE_DIGIT.search(line) and _DIGIT.search(line) for line in lines):
        lines = [line.translate(_WIDE) for line in lines]
    if _NO_BREAK.search(text) and not any(len(_NO_BREAK.findall(line)) == 1 and " " in line.strip() for line in lines):
        lines = [_NO_BREAK.sub(" ", line) for line in lines]
    if all(line.startswith(">") for line in lines if line.strip()):
        lines = [_QUOTED.sub("", line, count=1) for line in lines]
    lines = [_ITEM.sub("", line) for line in lines]
    if any("|" in line for line in lines):
        lines = [line.translate(_CORNERS) if _CORNERED.fullmatch(line) else line for line in lines]
    return ["" if _FENCE.fullmatch(line) else _TAG.sub("", line) for line in lines]
