"""An input as numbered lines (`Lines`): decoded, of limited length, and classified as part of a grid or not."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import BinaryIO

from ringdoku.domain import InputError, Place
from ringdoku.limits import PORTION
from ringdoku.text.cells import describe, is_square

MAX_WHOLE = 1 << 21
"""Most bytes of a text that is read as a whole."""
MAX_LINE = 1 << 16
"""Most bytes in a line of text: eight times those of a row of the largest order."""
MAX_JSON_LINE = 1 << 23
"""Most bytes in a line that starts with a brace or a name, since it holds a whole grid, or a rule of all its cells."""
LOOK_AHEAD = 100
"""How many lines are searched for the next content."""
SHORTEST = 16
"""Characters of the smallest puzzle that may have other text on its line: a 4×4."""
_LONG_LINE = re.compile(rb"\{|[A-Za-z]+(?:-[A-Za-z]+)*[ \t:]")
_TWO_BYTE_CHARACTERS = re.compile(rb"(?:[\x81-\xfe][\x40-\xfe]){2}")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


class Source:
    """A buffered binary stream. `whole` returns all of a short one without consuming it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._read = getattr(stream, "read1", stream.read)
        self._ended = False
        self._buffer = bytearray()
        self._at = 0
        self.keeps_start = True
        """Whether the buffer keeps what was already read, up to `MAX_WHOLE` bytes."""

    @property
    def has_line(self) -> bool:
        return self._buffer.find(b"\n", self._at) >= 0

    @property
    def has_text(self) -> bool:
        return re.compile(rb"\S").search(self._buffer, self._at) is not None

    def _read_part(self) -> bytes:
        """The next bytes, none at the end. A terminal can be read on after its end of file."""
        part: bytes = b"" if self._ended else self._read(PORTION)
        self._ended = not part
        return part

    def readline(self, size: int) -> bytes:
        """The next line, or its first `size` bytes if it is longer."""
        end = self._buffer.find(b"\n", self._at) + 1
        if not end and self._at > (MAX_WHOLE if self.keeps_start else 0):
            del self._buffer[: self._at]
            self._at, self.keeps_start = 0, False
        while not end and len(self._buffer) - self._at < size and (part := self._read_part()):
            before = len(self._buffer)
            self._buffer += part
            end = self._buffer.find(b"\n", before) + 1
        start = self._at
        self._at = min(end or len(self._buffer), start + size)
        return bytes(self._buffer[start : self._at])

    def whole(self, most: int = MAX_WHOLE, ready: Callable[[], bool] = lambda: True) -> bytes | None:
        """All of the input, without consuming any of it; None for more than `most` bytes, if the start was not kept,
        and where a part is not `ready`."""
        while self.keeps_start and len(self._buffer) <= most and ready():
            if not (part := self._read_part()):
                return bytes(self._buffer)
            self._buffer += part
        return None


class Kind(Enum):
    """What a line is to a reader of grids."""

    CONTENT = "content"
    """May be part of a grid, or a title."""
    BLANK = "a blank line"
    """Only spaces and at most two tabs: more of them are a row of empty cells."""
    COMMENT = "a comment"
    """Starts with `#`, as the `#A` … `#U` lines of .sdk files do."""
    HEADER = "a header line"
    """`Grid 01`, `Case #3:`, `puzzle size: 4x4`, `puzzle,solution`, and lines around drawings and pasted text."""
    RULE = "a rule"
    """It names a cell, has a colon, or begins with a word of a constraint's name: a constraint or an error."""
    SECTION = "a section line"
    """`[Puzzle]`, as in .sdk files."""
    END = "the end of the input"
    """There is no further line, or the line is `end`, as in POJ 3074."""


_NUMBERED = re.compile(r"([A-Z]{2,})(?: [A-Z]+)* +#?[0-9]+\W*", re.ASCII | re.IGNORECASE)
_KEYED = re.compile(r"([A-Z]++|标题|標題|作者)[\w -]*+[:：]", re.ASCII | re.IGNORECASE)
RULES_TEXT = re.compile("(?:rules|规则|規則)[ \t]*[:：]", re.IGNORECASE)
_TEXT_KEYS = re.compile(
    "author|by|copyright|creator|date|difficulty|file|id|name|setter|source|title|url|version|website|标题|標題|作者"
)
"""The first words of headers that no puzzle follows, so that a long word is a name: `Title: Easy`."""
_HEADER_KEYS = re.compile(
    f"{_TEXT_KEYS.pattern}|case|code|experiment|game|grid|https?|input|level|no|number|output|problem|puzzle|rating|score|size"
    "|solution|sudoku|task|test"
)
"""The first words of all headers: `Grid 01`, `Case #3:`, `puzzle size: 4x4`, `number of tasks: 2`."""
_FIELD_OF_KEY = {
    **dict.fromkeys(("name", "puzzle", "sudoku", "title", "标题", "標題"), "name"),
    **dict.fromkeys(("author", "by", "creator", "setter", "作者"), "author"),
    **dict.fromkeys(("rules", "规则", "規則"), "about"),
}
"""The fields of an `Entry` that headers set, by the keys of the headers."""
_HEADINGS = re.compile(r'[\w" /-]*(?:[,;\t|][\w" /-]*)+', re.ASCII)
_PUZZLE_HEADING = re.compile(r'(?:^|[,;\t|])[ "]*(?:puzzles?|quiz|quizzes|question|solutions?)[ "]*(?:$|[,;\t|])', re.I)
CELL_NAME = re.compile(r"\b[rR][0-9]+[cC][0-9]+\b")
_TEXT_AFTER_COLON = re.compile(r"[^:]{0,99}:[ \t]*[^ \t]")
_LONG_WORD = re.compile(r"[!-9;-~·]{16}")
"""A row of letters, not a word; titles in Chinese have no spaces."""
_NAMED = re.compile(r"(?:[A-Z]{2,}|[A-Z][_ -][A-Z]{2,})(?:['_-][A-Z]+)*(?=[ \t:：,;.!?]|$)", re.ASCII | re.IGNORECASE)
_ROW_OF_LETTERS = re.compile("(?=.*[-_?*])(?:[A-Z_?*-]{16}|[A-Z_?*-]{25})")
"""A row of a grid of that order, which may begin like the name of a rule: `ONE-F-CMBIJPDHAG`."""
_FULL_WIDTH = {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F) if chr(code) != ":"}
_ALIKE = str.maketrans({"\u00a0": " ", "\u200b": "", "\ufeff": "", "\u3000": " ", "。": ".", "、": ",", **_FULL_WIDTH})
"""Characters that look like ASCII ones, such as full-width ones. A full-width colon may be part of a title."""
_ALIKE_IN_RULES = _ALIKE | {ord("："): ":"}
_FILE = re.compile(r".*\.[A-Za-z]\w{0,4}|<\w+>")
_FENCE = re.compile(r"/\*+|\*+/|(?:```|'''|\"\"\")\w*")
"""Begins or ends code, a text or a comment."""
_SECTION = re.compile(r"\[[A-Za-z ]+\]")
_WORDS = re.compile(r"""[^\s,;:|"'=()<>{}\[\]&?/`~]+""")
_CELL_SIGNS = re.compile(r"[0-9._*?xX-]")


def mostly_marks(word: str) -> bool:
    """Whether most of a word is digits and marks of blanks."""
    return 2 * len(_CELL_SIGNS.findall(word)) > len(word)


def without_comment(text: str) -> str:
    """A line up to `#`, without trailing blanks."""
    return text.partition("#")[0].rstrip(" \t")


def looks_like_rule(text: str) -> bool:
    """Whether a text names a cell or has text after a colon."""
    return bool(CELL_NAME.search(text) or (_TEXT_AFTER_COLON.match(text) and not _LONG_WORD.search(text)))


def header_field(header: str) -> tuple[str, str]:
    """The field of an `Entry` that a header sets, "" for none, and its value: `author` and `Ann` for `Author: Ann`."""
    bare = header.strip(" \t")
    if _NUMBERED.fullmatch(bare):
        return "name", bare.rstrip(":")
    key, *value = re.split("[:：]", bare, maxsplit=1)
    return _FIELD_OF_KEY.get(key.strip(" \t#0123456789").lower(), ""), "".join(value).strip(" \t")


def _is_header(bare: str) -> bool:
    if RULES_TEXT.match(bare) or (_HEADINGS.fullmatch(bare) and _PUZZLE_HEADING.search(bare)):
        return True
    header = _NUMBERED.fullmatch(bare) or _KEYED.match(bare)
    if header is None or not _HEADER_KEYS.fullmatch(header[1].lower()) or CELL_NAME.search(bare):
        return False
    # a puzzle may have a key, and an address is long too
    return "//" in bare or bool(_TEXT_KEYS.fullmatch(header[1].lower())) or not _LONG_WORD.search(bare)


def _is_rule(bare: str) -> bool:
    if looks_like_rule(bare):
        return True
    if not _NAMED.match(bare) or _ROW_OF_LETTERS.fullmatch(bare):
        return False
    from ringdoku.constraints.registry import is_rule

    return is_rule(without_comment(bare))


def _is_caption(bare: str) -> bool:
    """Whether the line is `FILE:LINE`, or words and a time such as `Solved in 12:34`, and is no rule."""
    file, _, line = bare.rpartition(":")
    if not (line.isdecimal() and len(line) < SHORTEST and any(map(str.isalpha, file)) and bare[0] not in "{|"):
        return False
    if CELL_NAME.search(bare) or " #" in bare:
        return False
    is_time = len(line) == 2 and re.search("[ :][0-9]{1,2}$", file)
    words = "" if re.search("[:+=,;|]", file) and not is_time else re.split("[:0-9]", file)[0].strip(" \t")
    return bool(_FILE.fullmatch(file)) or (words != "" and not _is_rule(words))


def holds_puzzle(bare: str) -> bool:
    """Whether one word is as long as a puzzle, and longer than other words are."""
    words = (word for word in _WORDS.findall(bare) if len(word) > 2 * SHORTEST)
    return any(is_square(len(word)) and mostly_marks(word) for word in words)


def kind_of(text: str) -> Kind:
    """The kind of a line with this text."""
    bare = text.translate(_ALIKE).strip(" \t")
    if not bare:
        return Kind.CONTENT if "\t\t\t" in text else Kind.BLANK
    if bare[0] == "#":
        return Kind.COMMENT
    if _is_caption(bare) or _FENCE.fullmatch(bare):
        return Kind.HEADER
    if (bare[0].isalpha() or bare[0] in '",') and not holds_puzzle(bare):
        if bare.lower() == "end":
            return Kind.END
        if _is_header(bare):
            return Kind.HEADER
        if _is_rule(bare):
            return Kind.RULE
    return Kind.SECTION if bare[0] == "[" and _SECTION.fullmatch(bare) else Kind.CONTENT


@dataclass(frozen=True)
class Line:
    """`text` has no line end and no trailing spaces, and is empty if the line is too long.

    `fault` is what is wrong with the line as text, whatever it means. `is_end`: there is no further line.
    """

    number: int
    text: str
    fault: InputError | None = None
    is_end: bool = False

    @cached_property
    def kind(self) -> Kind:
        return Kind.END if self.is_end else kind_of(self.text)

    @property
    def bare(self) -> str:
        """The text without its comment and the blanks around it."""
        text = self.text.translate(_ALIKE_IN_RULES) if self.kind is Kind.RULE else self.text
        return without_comment(text).strip(" \t")

    @property
    def width(self) -> int:
        """How many characters it has, without blanks between them."""
        return len(re.sub("[ \t]+", "", self.bare))


_END = Line(0, "", is_end=True)


class Lines:
    """The lines of a source, with look-ahead. No line is read before it is asked for."""

    def __init__(self, source: Source, file: str) -> None:
        self.file = file
        self.after_grid = 0
        """Number of the line directly below the last grid; 0 above the first one."""
        self._source = source
        self._read = 0
        self._ahead: deque[Line] = deque()

    def peek(self, ahead: int = 0) -> Line:
        """The line `ahead` lines after the next one, or the end."""
        while len(self._ahead) <= ahead:
            line = self._read_line()
            if line.is_end:
                return line
            self._ahead.append(line)
        return self._ahead[ahead]

    def is_read(self, ahead: int) -> bool:
        """Whether `peek` needs not wait for the line."""
        return len(self._ahead) > ahead or self._source.has_text

    def take(self) -> Line:
        return self._ahead.popleft() if self._ahead else self._read_line()

    def take_sound(self) -> Line:
        """Takes the next line. Raises `InputError` if something is wrong with it as text."""
        line = self.take()
        if line.fault:
            raise line.fault
        return line

    def next_content(self, after: int = 0) -> tuple[int, Line]:
        """The first content line that is more than `after` lines ahead, and how far; the end if none is near."""
        for further in range(after + 1, LOOK_AHEAD):
            line = self.peek(further)
            if line.kind is Kind.CONTENT or line.is_end:
                return further, line
        return after, _END

    @property
    def number(self) -> int:
        return self._read + 1 - len(self._ahead)

    def place(self, column: int = 1) -> Place:
        """The place of the next line; at the end, the place below the last line."""
        return Place(self.file, self.number, column)

    def _read_line(self) -> Line:
        raw = self._source.readline(MAX_JSON_LINE + len(BOM_UTF8) + 2)
        if not raw:
            return _END
        self._read += 1
        number = self._read
        if number == 1:
            raw = raw.removeprefix(BOM_UTF8)
        most = MAX_JSON_LINE if _LONG_LINE.match(raw) else MAX_LINE
        bare = raw.rstrip(b"\r\n")
        if len(bare) > most:
            while raw and not raw.endswith(b"\n"):
                raw = self._source.readline(MAX_LINE)
            place = Place(self.file, number, most + 1)
            return Line(number, "", InputError(place, f"a line of more than {most} bytes", "a shorter line"))
        return self._decoded_line(number, bare)

    def _decoded_line(self, number: int, raw: bytes) -> Line:
        try:
            text = raw.decode().rstrip(" \r\n")
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode()) + 1
            wide = number == 1 and raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
            # two accented letters in a row are rare
            other = "(is it GBK or Big5? iconv -f GBK -t UTF-8 converts it)" if _TWO_BYTE_CHARACTERS.search(raw) else ""
            expected = f"UTF-8 text {'(is it UTF-16?)' if wide else other}".rstrip()
            fault = InputError(Place(self.file, number, column), f"byte 0x{raw[error.start]:02X}", expected)
            return Line(number, raw.decode(errors="replace").rstrip(" \r\n"), fault)
        if not text.isprintable() and (control := _CONTROL.search(text)):
            place = Place(self.file, number, control.start() + 1)
            return Line(number, text, InputError(place, describe(control.group()), "text without control characters"))
        return Line(number, text)
