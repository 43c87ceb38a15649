"""Alphabets: 0 beside other blanks, letters, a puzzle and its solution in one alphabet; matrices of weights."""

import re
from io import BytesIO

import pytest

from ringdoku.domain import Grid, InputError, classic, pattern_solution
from ringdoku.text import Entry, answer_in_alphabet, layout_named, parse_one, read, read_weights
from ringdoku.text.cells import DIGITS, LETTERS

SIXTEEN = classic(16)
SOLVED = pattern_solution(SIXTEEN)
ALPHABETS = {"1-9A-G": DIGITS[:16], "A-P": LETTERS[:16]}
LAYOUTS = ("line", "packed", "spaced", "boxed")
HEXADECIMAL = "0123456789ABCDEF"


@pytest.mark.parametrize(
    ("text", "place", "found", "board"),
    [
        ("0...9....\n" + ".........\n" * 8, "1:1", "0 beside '.' for blanks", "9x9 digits 0-8"),
        ("1 . 0 . 4 . . . .\n" + ". . . . . . . . .\n" * 8, "1:5", "0 beside '.' for blanks", "9x9 digits 0-8"),
        (f"{'018':.<81}\n", "1:1", "0 beside '.' for blanks", "9x9 digits 0-8"),
        ("1 0 __ __\n" * 4, "1:3", "0 beside '__' for blanks", "4x4 digits 0-3"),
        ("1g0.............\n" + "................\n" * 15, "1:3", "0 beside '.' for blanks", "16x16 digits 0-15"),
        ("".join(HEXADECIMAL[row:] + HEXADECIMAL[:row] + "\n" for row in range(16)), "1:1", "0 once in every row", ""),
    ],
)
def test_a_zero_that_may_be_a_digit_is_refused_with_a_remedy(text: str, place: str, found: str, board: str) -> None:
    expected = f"one mark for every blank, or a line such as: board {board or '16x16 digits 0-15'}"
    with pytest.raises(InputError, match=f"^<text>:{place}: found {re.escape(found)}, expected {expected}$"):
        parse_one(text)
    rules = f"board {expected.partition('board ')[2]}\n"
    assert 0 in parse_one(rules + text.replace("g", "f").replace("9....", ".....")).board.digits


def in_symbols(grid: Grid, symbols: str, form: str = "packed") -> str:
    """The grid in those symbols, `.` for blank."""
    text = "".join("." if not digit else symbols[digit - 1] for digit in grid.digits)
    rows = [text[start : start + 16] for start in range(0, 256, 16)]
    match form:
        case "line":
            return text + "\n"
        case "packed":
            return "\n".join(rows) + "\n"
        case "spaced":
            return "".join(" ".join(row) + "\n" for row in rows)
    return "".join("|".join(row[start : start + 4] for start in range(0, 16, 4)) + "\n" for row in rows)


def only(digits: set[int]) -> Grid:
    """The clues with these digits; at least one cell is blank."""
    return Grid(tuple(digit if digit in digits else 0 for digit in SOLVED.digits))


def one(text: str) -> Entry:
    [entry] = read(BytesIO(text.encode()), "here")
    assert isinstance(entry, Entry)
    return entry


@pytest.mark.parametrize("form", LAYOUTS)
@pytest.mark.parametrize("symbols", ALPHABETS.values(), ids=ALPHABETS)
def test_an_answer_is_read_in_the_alphabet_of_its_puzzle(symbols: str, form: str) -> None:
    entry = one(in_symbols(only({*range(1, 17, 2)}), symbols, form))
    assert entry.puzzle.clues == only({*range(1, 17, 2)})
    assert one(entry.layout.render(SOLVED, SIXTEEN)).puzzle.clues == SOLVED
    line = layout_named("line", SIXTEEN, entry.layout)
    assert one(line.render(SOLVED, SIXTEEN)).puzzle.clues == SOLVED
    for answer in (SOLVED, Grid((0, *SOLVED.digits[1:])), Grid((1, 1, *SOLVED.digits[2:]))):
        assert answer_in_alphabet(entry, one(in_symbols(answer, symbols))) == answer
    entry = one(f"{in_symbols(only({1, 3}), symbols, 'line')[:-1]},{in_symbols(SOLVED, symbols, 'line')}")
    assert (entry.puzzle.clues, entry.solution) == (only({1, 3}), SOLVED)


def test_an_answer_in_another_alphabet_is_refused_and_numbers_go_with_every_one() -> None:
    clues = one(in_symbols(only({1, 16}), DIGITS))
    with pytest.raises(InputError, match=r"^here:1: found 'H' in r1c8, expected 1-9, A-G or a blank .*, as in here:1$"):
        answer_in_alphabet(clues, one(in_symbols(SOLVED, LETTERS)))
    with pytest.raises(InputError, match="<text>:1:265: found 'H'"):
        parse_one(f"{in_symbols(clues.puzzle.clues, DIGITS, 'line')[:-1]},{in_symbols(SOLVED, LETTERS, 'line')}")
    numbers = one(layout_named("spaced", SIXTEEN).render(SOLVED, SIXTEEN))
    for symbols in ALPHABETS.values():
        assert answer_in_alphabet(one(in_symbols(only({1, 15}), symbols)), numbers) == SOLVED


def test_case_matters_from_36_on() -> None:
    row = "aA" + "." * 34
    assert one("\n".join([row, *["." * 36] * 35])).puzzle.clues.digits[:2] == (36, 10)
    assert one("Aa" + "." * 47 + ("\n" + "." * 49) * 48).puzzle.clues.digits[:2] == (10, 36)
    # it begins as packed text does
    assert one(("N4" + DIGITS[:25] * 25)[:625]).puzzle.clues.digits[:2] == (23, 4)
    with pytest.raises(InputError, match="found 'b', expected 1-9, A-Z, a or a blank"):
        parse_one("\n".join([row.replace("A", "b"), *["." * 36] * 35]))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1", ((1,),)),
        ("1 2\n3 4\n\n5 6\n", ((1, 2), (3, 4), (5, 6))),
        ("# rings\n\n6, -7\n+8\t0 # last\n", ((6, -7), (8, 0))),
        ("\ufeff1 2 \r\n3 4\r\n", ((1, 2), (3, 4))),
        ("999999999 -999999999\n0 -0", ((999999999, -999999999), (0, 0))),
    ],
)
def test_weights(text: str, rows: tuple[tuple[int, ...], ...]) -> None:
    assert read_weights(BytesIO(text.encode())) == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "w:1:1: found the end of the input after 0 rows, expected rows of weights"),
        ("1 2\n3\n", "w:2:2: found 1 weight, expected 2 in each row"),
        ("1 2\n3 4 5\n", "w:2:5: found 3 weights, expected 2 in each row"),
        ("1\n" * 1025, "w:1025:1: found row 1025, expected at most 1024 rows"),
        ("1 2.5\n", "w:1:3: found '2.5', expected an integer of at most nine digits"),
        ("1 １\n", "w:1:3: found '１' U+FF11 FULLWIDTH DIGIT ONE, expected an integer of at most nine digits"),
        ("1 2-1\n", "w:1:3: found '2-1', expected an integer of at most nine digits"),
        ("1 1234567890\n", "w:1:3: found '1234567890', expected an integer of at most nine digits"),
        ("1 \0\n", "w:1:3: found U+0000 control character, expected text without control characters"),
        ("0 " * 1025, "w:1:2049: found 1025 weights, expected 1024 in each row"),
    ],
)
def test_malformed_weights(text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        read_weights(BytesIO(text.encode()), "w")
