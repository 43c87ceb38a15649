"""An input as numbered lines: decoded, ends of line and one byte-order mark removed, lengths capped."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import deque
from typing import BinaryIO, NamedTuple

from ringdoku.domain.errors import InputError, Place
from ringdoku.formats.symbols import describe

MAX_LINE = 1 << 16
"""Bytes in a line of text; a row of the largest order fits eight times."""

MAX_JSON_LINE = 1 << 23
"""Bytes in a line that starts with a brace or a name: such a line holds a whole grid, or a rule of all its cells."""

_LONG = re.compile(rb"\{|[A-Za-z]+(?:-[A-Za-z]+)*[ \t:]")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


class Line(NamedTuple):
    """`text` has no end of line and no trailing spaces, and is empty for a line that is too long.

    `fault` says what is wrong with the line, apart from what it means.
    """

    number: int
    text: str
    fault: InputError | None = None


class Lines:
    """Lines of a binary stream, read no further than they are asked for, with look-ahead."""

    def __init__(self, stream: BinaryIO, file: str) -> None:
        self.file = file
        self.last_row = -1
        """Number of the last line that belonged to a puzzle, for telling whether the next one follows directly."""
        self.after_grid = 0
        """Number of the line directly below the grid read last."""
        self.taken: Line | None = None
        """The line taken last."""
        self.is_file = _is_file(stream)
        """Whether all of the input is there, so that looking ahead does not wait for it."""
        self._stream = stream
        self._read = 0
        self._ended = False
        self._ahead: deque[Line] = deque()

    def peek(self, ahead: int = 0) -> Line | None:
        """The line `ahead` lines after the next one, None past the end."""
        while len(self._ahead) <= ahead:
            line = self._next()
            if line is None:
                return None
            self._ahead.append(line)
        return self._ahead[ahead]

    def take(self) -> Line | None:
        """The next line, None at the end."""
        self.taken = self._ahead.popleft() if self._ahead else self._next()
        return self.taken

    @property
    def number(self) -> int:
        """Number of the next line."""
        return self._read + 1 - len(self._ahead)

    def place(self, column: int = 1) -> Place:
        """Where the next line is, or would be at the end."""
        return Place(self.file, self.number, column)

    def _next(self) -> Line | None:
        # a terminal goes on after its end of file, so the stream is not asked again
        raw = b"" if self._ended else self._stream.readline(MAX_LINE + 2)
        if not raw:
            self._ended = True
            return None
        self._read += 1
        number = self._read
        if number == 1 and raw.startswith(BOM_UTF8):
            raw = raw.removeprefix(BOM_UTF8)
            if not raw.endswith(b"\n"):
                raw += self._stream.readline(len(BOM_UTF8))
        most = MAX_LINE
        if len(raw) > MAX_LINE and _LONG.match(raw):
            most = MAX_JSON_LINE
            if not raw.endswith(b"\n"):
                raw += self._stream.readline(MAX_JSON_LINE)
        if len(raw.rstrip(b"\r\n")) > most:
            self._skip_rest(raw)
            place = Place(self.file, number, most + 1)
            return Line(number, "", InputError(place, f"a line of more than {most} bytes", "a shorter line"))
        try:
            text = raw.decode().rstrip(" \r\n")
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode()) + 1
            wide = number == 1 and raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
            expected = "UTF-8 text (is it UTF-16?)" if wide else "UTF-8 text"
            fault = InputError(Place(self.file, number, column), f"byte 0x{raw[error.start]:02X}", expected)
            return Line(number, raw.decode(errors="replace").rstrip(" \r\n"), fault)
        if not text.isprintable() and (control := _CONTROL.search(text)):
            place = Place(self.file, number, control.start() + 1)
            return Line(number, text, InputError(place, describe(control.group()), "text without control characters"))
        return Line(number, text)

    def _skip_rest(self, raw: bytes) -> None:
        while raw and not raw.endswith(b"\n"):
            raw = self._stream.readline(MAX_LINE)


def _is_file(stream: BinaryIO) -> bool:
    try:
        return stream.seekable()
    except (AttributeError, ValueError):
        return False
