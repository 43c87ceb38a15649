"""Malformed texts of every kind: the place, what was found, what was expected, and what is still read after it."""

from io import BytesIO
from pathlib import Path

import pytest

from ringdoku.domain.errors import InputError
from ringdoku.text import Entry, ReadOptions, parse_one, read

FOLDER = Path(__file__).parent.parent / "fixtures" / "malformed"
GOOD = (FOLDER.parent / "b4279.in").read_bytes()
UTF8 = "UTF-8 text"
NINE = "1-9 or a blank (0 . _ * ? -)"
BOXES = {"drawing-against-box": (3, 2), "order-against-box": (2, 3)}
KEY = "Expecting property name enclosed in double quotes"
TOO_MANY = "text that is not JSON (too many brackets or digits)"
PLAIN = "text without control characters"


def test_each_file_of_the_corpus_has_its_error_and_the_next_puzzle_is_not_spoilt() -> None:
    found = []
    for path in sorted(FOLDER.iterdir()):
        with path.open("rb") as stream:
            items = list(read(stream, path.name, ReadOptions(box=BOXES.get(path.stem))))
        [error] = [item for item in items if isinstance(item, InputError)]
        found.append(f"{error} ({len(items) - 1} read)")
    assert found == (FOLDER.parent / "malformed.txt").read_text().splitlines()
    rows = GOOD.decode().splitlines()
    broken = [*rows[:3], "x", *rows[4:]]
    first, second = read(BytesIO("\n".join([*broken, *rows]).encode()))
    assert isinstance(first, InputError)
    assert (first.place.line, first.found) == (4, "'x'")
    assert isinstance(second, Entry)
    assert second.puzzle == parse_one(GOOD.decode())


def spoilt(line: int, column: int, byte: bytes) -> bytes:
    """The good puzzle with one byte replaced."""
    start = (line - 1) * 10 + column - 1
    return GOOD[:start] + byte + GOOD[start + 1 :]


@pytest.mark.parametrize(
    ("raw", "line", "column", "found", "expected"),
    [
        (b"", 1, 1, "the end of the input", "a puzzle"),
        (spoilt(1, 2, b"\0"), 1, 2, "U+0000 control character", PLAIN),
        (spoilt(2, 1, b"\x1b"), 2, 1, "U+001B control character", PLAIN),
        (spoilt(4, 9, b"\x0c"), 4, 9, "U+000C control character", PLAIN),
        (spoilt(9, 5, b"\x7f"), 9, 5, "U+007F control character", PLAIN),
        (GOOD.replace(b"\n", b"\r"), 1, 10, "U+000D control character", PLAIN),
        (spoilt(6, 9, b"\xff"), 6, 9, "byte 0xFF", UTF8),
        (GOOD.decode().encode("utf-16")[:-1], 1, 1, "byte 0xFF", f"{UTF8} (is it UTF-16?)"),
        (b"# caf\xe9\n" + GOOD, 1, 6, "byte 0xE9", UTF8),
        (b"diagonal\0\n" + GOOD, 1, 9, "U+0000 control character", PLAIN),
        ("\ufeff\ufeff".encode() + GOOD, 1, 1, "U+FEFF ZERO WIDTH NO-BREAK SPACE", NINE),
        (b"." * (2**16 + 1), 1, 2**16 + 1, f"a line of more than {2**16} bytes", "a shorter line"),
        (b"\xef\xbb\xbf" + b"1" * (2**16 + 1), 1, 2**16 + 1, f"a line of more than {2**16} bytes", "a shorter line"),
        (b"{" * (2**23 + 1), 1, 2**23 + 1, f"a line of more than {2**23} bytes", "a shorter line"),
        (b"1" * 71**2, 1, 5042, "5041 characters", "at most 3721, for order 61; larger orders are written in numbers"),
        (b"{" + b"[" * 100_000, 1, 2, f"text that is not JSON ({KEY})", "a JSON object on one line"),
        (b'{"grid": ' + b"[" * 100_000, 1, 1, TOO_MANY, "a JSON object on one line"),
        (b'{"grid": ' + b"1" * 10_000 + b"}", 1, 1, TOO_MANY, "a JSON object on one line"),
        (b'{"grid": [], "rule": []}', 1, 1, "the key 'rule'", "'rules'"),
        (b"." * 82**2, 1, 6725, "6724 characters", "at most 3721, for order 61; larger orders are written in numbers"),
        (b"." * 40 + "\u200b".encode() + b"." * 41, 1, 41, "U+200B ZERO WIDTH SPACE", "characters that can be seen"),
        (b"." * 40 + "\u2028".encode() + b"." * 41, 1, 41, "U+2028 LINE SEPARATOR", "characters that can be seen"),
        (b'puzzle,solution\n"a",b\rc\n', 2, 6, "U+000D control character", PLAIN),
        (b"1" * 80 + b";" + b"1" * 81 + b"\n", 1, 163, "162 characters", "n² of them: 16, 81, 256, …"),
        (b"o" * 16 + b"\n2134342113424213\n", 1, 1, "'o'", "1-4 or a blank (0 . _ * ? -)"),
        (b"x", 1, 1, "'x'", "a puzzle"),
        (b"2", 1, 1, "'2'", "a puzzle"),
        (b"0 " * 1025 + b"\n", 1, 1, "a row of 1025 cells", "at most 1024"),
        (b"0 " * 16384 + b"\n", 1, 1, "a row of 16384 cells", "at most 1024"),
    ],
    ids=lambda value: value[:12] if isinstance(value, bytes) else None,
)
def test_generated(raw: bytes, line: int, column: int, found: str, expected: str) -> None:
    errors = [item for item in read(BytesIO(raw), "here") if isinstance(item, InputError)]
    assert str(errors[0]) == f"here:{line}:{column}: found {found}, expected {expected}"


@pytest.mark.parametrize(
    ("raw", "place"), [(b"." * (3 * 2**16) + b"\n\n", f"here:1:{2**16 + 1}"), (b"# \x07\n", "here:1:3")]
)
def test_reading_goes_on_after_a_line_that_is_no_text(raw: bytes, place: str) -> None:
    first, second = read(BytesIO(raw + GOOD), "here")
    assert isinstance(first, InputError)
    assert str(first.place) == place
    assert isinstance(second, Entry)
    assert second.place.line == raw.count(b"\n") + 1


@pytest.mark.parametrize("text", ["", "1 2\n", "\ud800", "x"])
def test_parse_one_needs_exactly_one_puzzle(text: str) -> None:
    with pytest.raises(InputError):
        parse_one(text)
    with pytest.raises(InputError, match=r"^<text>:10: found a second puzzle, expected one only$"):
        parse_one(GOOD.decode() * 2 + text)
