"""An input as numbered lines: decoded, of limited length, without line ends and byte-order mark."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from ringdoku.domain.errors import InputError, Place
from ringdoku.text.cells import describe
from ringdoku.text.source import Source

MAX_LINE = 1 << 16
"""Most bytes in a line of text: eight times those of a row of the largest order."""

MAX_JSON_LINE = 1 << 23
"""Most bytes in a line that starts with a brace or a name, since it holds a whole grid, or a rule of all its cells."""

_LONG = re.compile(rb"\{|[A-Za-z]+(?:-[A-Za-z]+)*[ \t:]")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_BLANK_LINES = re.compile(rb"(?:[ \t]*+\r?\n)*+")


class Line(NamedTuple):
    """`text` has no line end and no trailing spaces, and is empty if the line is too long.

    `fault` is what is wrong with the line as text, whatever it means; `spaces` are those that end it.
    """

    number: int
    text: str
    fault: InputError | None = None
    spaces: str = ""


class Columns(NamedTuple):
    """The numbers of the columns of puzzle and solution, from 0, and what separates columns."""

    puzzle: int
    solution: int | None
    separator: str


class Lines:
    """The lines of a source, with look-ahead, and what readers have learnt from those before. No line is read before it
    is asked for."""

    def __init__(self, source: Source, file: str) -> None:
        self.file = file
        self.last_row = -1
        """Number of the last line of a puzzle; it shows whether the next puzzle follows directly."""
        self.after_grid = 0
        """Number of the line directly below the last grid."""
        self.single_cells = False
        """Whether puzzles of one cell were asked for."""
        self.zero_order = 0
        """Order of the puzzles whose digits start at `0`; 0 if none was read."""
        self.columns: Columns | None = None
        """Those that the last header named, where each line is a puzzle."""
        self.length = 0
        """Characters of the last puzzle on one line."""
        self.text_until = 0
        """Number of a line. The lines from the next one up to this one are text, or not content."""
        self.note: Callable[[Place, str], None] = lambda _place, _message: None
        """Is told of text that is passed over."""
        self.taken: Line | None = None
        """The line taken last."""
        self.is_file = source.seekable()
        """Whether all of the input is there, so that looking ahead does not wait for it."""
        self._source = source
        self._read = 0
        self._ended = False
        self._ahead: deque[Line] = deque()

    def peek(self, ahead: int = 0) -> Line | None:
        """The line `ahead` lines after the next one; None past the end."""
        while len(self._ahead) <= ahead:
            line = self._next()
            if line is None:
                return None
            self._ahead.append(line)
        return self._ahead[ahead]

    def take(self) -> Line | None:
        """The next line; None at the end."""
        self.taken = self._ahead.popleft() if self._ahead else self._next()
        return self.taken

    def take_blank(self) -> None:
        """Takes the next line, and the blank lines below it that have come."""
        self.take()
        if not self._ahead and (found := _BLANK_LINES.match(self._source.held)):
            self._read += found.group().count(b"\n")
            self._source.skip(found.end())

    @property
    def number(self) -> int:
        """Number of the next line."""
        return self._read + 1 - len(self._ahead)

    def place(self, column: int = 1) -> Place:
        """Where the next line is, or would be at the end."""
        return Place(self.file, self.number, column)

    def _next(self) -> Line | None:
        # a terminal can be read on after its end of file
        raw = b"" if self._ended else self._source.readline(MAX_LINE + 2)
        if not raw:
            self._ended = True
            return None
        self._read += 1
        number = self._read
        if number == 1 and raw.startswith(BOM_UTF8):
            raw = raw.removeprefix(BOM_UTF8)
            if not raw.endswith(b"\n"):
                raw += self._source.readline(len(BOM_UTF8))
        most = MAX_LINE
        if len(raw) > MAX_LINE and _LONG.match(raw):
            most = MAX_JSON_LINE
            if not raw.endswith(b"\n"):
                raw += self._source.readline(MAX_JSON_LINE)
        bare = raw.rstrip(b"\r\n")
        if len(bare) > most:
            while raw and not raw.endswith(b"\n"):
                raw = self._source.readline(MAX_LINE)
            place = Place(self.file, number, most + 1)
            return Line(number, "", InputError(place, f"a line of more than {most} bytes", "a shorter line"))
        return self._decoded(number, raw, bare)

    def _decoded(self, number: int, raw: bytes, bare: bytes) -> Line:
        try:
            text = bare.decode().rstrip(" \r\n")
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode()) + 1
            wide = number == 1 and raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
            expected = "UTF-8 text (is it UTF-16?)" if wide else "UTF-8 text"
            fault = InputError(Place(self.file, number, column), f"byte 0x{raw[error.start]:02X}", expected)
            return Line(number, raw.decode(errors="replace").rstrip(" \r\n"), fault)
        if not text.isprintable() and (control := _CONTROL.search(text)):
            place = Place(self.file, number, control.start() + 1)
            return Line(number, text, InputError(place, describe(control.group()), "text without control characters"))
        return Line(number, text, None, " " * (len(bare) - len(bare.rstrip(b" "))))
