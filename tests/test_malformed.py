"""Malformed texts of every kind: the place, what was found, what was expected, and what is still read after it."""

from __future__ import annotations

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
TOO_MANY = "JSON with too many brackets or digits"
PLAIN = "text without control characters"
# A file of the corpus, the place of its one error, what was found and expected, and how many puzzles are still read.
CASES = [
    ("arabic-digit", 1, 3, "'٧' U+0667 ARABIC-INDIC DIGIT SEVEN", NINE, 0),
    ("comments-only", 4, 1, "the end of the input", "a puzzle", 0),
    ("count-too-high", 20, 1, "the end of the input after 2", "3 puzzles, as line 1 says", 2),
    ("count-too-low", 11, 1, "a further puzzle", "1 puzzle, as line 1 says", 2),
    ("csv-solution-too-short", 2, 163, "a solution of 80 characters", "81", 0),
    ("csv-solution-with-letter", 2, 163, "'z'", NINE, 0),
    ("csv-without-the-column", 2, 1, "'7'", "a puzzle", 0),
    ("csv-wrong-solution", 2, 83, "a wrong solution: r9c8 is 4, but the clue is 3", "one of this puzzle", 0),
    ("digit-above-the-order", 2, 3, "'5'", "1-4 or a blank (0 . _ * ? -)", 0),
    ("drawing-against-box", 1, 1, "boxes of 2x3 in the drawing", "3x2, as requested", 0),
    ("drawing-border-missing", 6, 9, "no border before cell 7", "one, as in line 1", 0),
    ("drawing-border-moved", 6, 8, "a border before cell 6", "none, as in line 1", 0),
    ("drawing-boxes-of-other-size", 1, 1, "boxes of 3x3 in the drawing", "boxes of 6 cells", 0),
    ("drawing-ends-early", 9, 1, "the end of the input after 6 rows", "9 rows", 0),
    ("drawing-row-too-short", 6, 11, "8 cells", "9 in this row", 0),
    ("drawing-unequal-bands", 1, 1, "borders after row 3, 5", "borders at equal distances", 0),
    ("drawing-unequal-boxes", 1, 1, "borders after column 3, 7", "borders at equal distances", 0),
    ("drawing-without-rows", 3, 1, "the end of the input after 0 rows", "some rows", 0),
    ("empty", 1, 1, "the end of the input", "a puzzle", 0),
    ("first-row-too-short", 1, 9, "8 cells", "9 in this row", 0),
    ("full-width-digit", 2, 9, "'３' U+FF13 FULLWIDTH DIGIT THREE", NINE, 0),
    ("header-only", 2, 1, "the end of the input", "a puzzle", 0),
    ("json-box", 1, 1, "the box [0, 2]", "its height and width, such as [2, 3]", 0),
    ("json-broken", 1, 16, "text that is not JSON (Expecting ',' delimiter)", "a JSON object on one line", 0),
    ("json-digit", 1, 1, "5 in row 2", "integers 0-4", 0),
    ("json-no-grid", 1, 1, "no list of rows under the key grid", "a list of 1 to 1024 rows", 0),
    ("json-ragged", 1, 1, "2 values as row 2", "4 integers in each row", 0),
    ("letter", 6, 9, "'x'", NINE, 0),
    ("line-letter", 1, 41, "'y'", NINE, 0),
    ("line-too-long", 1, 83, "82 characters", "n² of them: 16, 81, 256, …", 0),
    ("line-too-short", 2, 81, "80 characters", "81", 1),
    ("no-break-space", 1, 2, "U+00A0 NO-BREAK SPACE", NINE, 0),
    ("number-above-the-order", 9, 13, "'10'", NINE, 0),
    ("number-with-many-digits", 9, 17, "a number of 12 digits", NINE, 0),
    ("order-against-box", 1, 1, "order 9", "order 6, for boxes of 2x3", 0),
    (
        "order-without-box",
        1,
        1,
        "order 6, which is not a square number",
        "a box shape, for example --box 2x3 or 3x2",
        0,
    ),
    ("row-too-long", 5, 10, "10 cells", "9 in this row", 0),
    ("row-too-short", 3, 9, "8 cells", "9 in this row", 0),
    ("signed-number", 7, 5, "'+'", NINE, 0),
    ("sixteen-mixed-alphabets", 1, 16, "'P'", "1-9, A-G or a blank (0 . _ * ? -)", 0),
    ("spaced-row-too-long", 4, 19, "11 cells", "9 in this row", 0),
    ("spaced-row-too-short", 4, 8, "4 cells", "9 in this row", 0),
    ("superscript", 2, 1, "'²' U+00B2 SUPERSCRIPT TWO", NINE, 0),
    ("too-few-rows-before-a-blank-line", 8, 1, "a blank line after 7 rows", "9 rows", 1),
    ("too-few-rows-before-a-header", 10, 1, "a header line after 8 rows", "9 rows", 1),
    ("too-few-rows", 9, 1, "the end of the input after 8 rows", "9 rows", 0),
    ("too-many-rows", 10, 1, "1 row more directly after a puzzle", "9 rows a puzzle", 1),
    ("underscored-number", 7, 6, "'_'", NINE, 0),
]


@pytest.mark.parametrize(("name", "line", "column", "found", "expected", "count"), CASES)
def test_corpus(name: str, line: int, column: int, found: str, expected: str, count: int) -> None:
    with (FOLDER / f"{name}.txt").open("rb") as stream:
        items = list(read(stream, "here", ReadOptions(box=BOXES.get(name))))
    [error] = [item for item in items if isinstance(item, InputError)]
    assert str(error) == f"here:{line}:{column}: found {found}, expected {expected}"
    assert len(items) == count + 1


def test_every_file_of_the_corpus_has_a_case() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {case[0] for case in CASES}


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
        ("\ufeff\ufeff".encode() + GOOD, 1, 1, "U+FEFF ZERO WIDTH NO-BREAK SPACE", NINE),
        (b"." * (2**16 + 1), 1, 2**16 + 1, f"a line of more than {2**16} bytes", "a shorter line"),
        (b"{" * (2**23 + 1), 1, 2**23 + 1, f"a line of more than {2**23} bytes", "a shorter line"),
        (b"{" + b"[" * 100_000, 1, 2, f"text that is not JSON ({KEY})", "a JSON object on one line"),
        (b'{"grid": ' + b"[" * 100_000, 1, 1, TOO_MANY, "a JSON object with the key grid"),
        (b'{"grid": ' + b"1" * 10_000 + b"}", 1, 1, TOO_MANY, "a JSON object with the key grid"),
        (b"." * 82**2, 1, 6725, "6724 characters", "at most 3721, for order 61; larger orders are written in numbers"),
        (b"." * 40 + "\u200b".encode() + b"." * 41, 1, 41, "U+200B ZERO WIDTH SPACE", "characters that can be seen"),
        (b"." * 40 + "\u2028".encode() + b"." * 41, 1, 41, "U+2028 LINE SEPARATOR", "characters that can be seen"),
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


def test_reading_goes_on_after_a_line_that_is_too_long() -> None:
    raw = b"." * (3 * 2**16) + b"\n\n" + GOOD
    first, second = read(BytesIO(raw))
    assert isinstance(first, InputError)
    assert isinstance(second, Entry)
    assert second.place.line == 3


def test_a_control_character_in_a_comment_is_an_error_and_the_puzzle_is_read() -> None:
    first, second = read(BytesIO(b"# \x07\n" + GOOD))
    assert isinstance(first, InputError)
    assert (first.place.line, first.place.column) == (1, 3)
    assert isinstance(second, Entry)


def test_a_malformed_puzzle_does_not_spoil_the_next_without_a_blank_line() -> None:
    rows = GOOD.decode().splitlines()
    broken = [*rows[:3], "x", *rows[4:]]
    first, second = read(BytesIO("\n".join([*broken, *rows]).encode()))
    assert isinstance(first, InputError)
    assert (first.place.line, first.found) == (4, "'x'")
    assert isinstance(second, Entry)
    assert second.puzzle == parse_one(GOOD.decode())


@pytest.mark.parametrize("text", ["", "1 2\n", GOOD.decode() * 2, "\ud800", "x"])
def test_parse_one_needs_exactly_one_puzzle(text: str) -> None:
    with pytest.raises(InputError):
        parse_one(text)


def test_parse_one_names_the_second_puzzle() -> None:
    with pytest.raises(InputError, match=r"^<text>:10: found a second puzzle, expected one only$"):
        parse_one(GOOD.decode() * 2)
