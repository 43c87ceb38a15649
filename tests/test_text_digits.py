"""Alphabets: digits from 0, letters, a puzzle and its solution in one alphabet; matrices of weights."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from random import Random
from subprocess import CompletedProcess

import pytest
from texts import entries, same

from ringdoku.domain.errors import InputError
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.services.generate import pattern_solution
from ringdoku.text import OUTPUTS, Entry, layout_named, pair, parse_one, read, read_weights
from ringdoku.text.cells import DIGITS, LETTERS, numbers_from_zero, symbols_from_zero

NINE = classic(9)
SHAPES = [(2, 2), (2, 3), (3, 3), (2, 5), (3, 4), (4, 4), (5, 5), (6, 6), (7, 7)]
APART = ("spaced", "drawn", "tabs")
FORMS = ["line", "packed", "letters", "touching", *APART]


def half(ruleset: Ruleset) -> Grid:
    """Half of the cells of a solution; the first digit is in some of them, but not everywhere."""
    digits = pattern_solution(ruleset).digits
    first, second = (cell for cell, digit in enumerate(digits[: 2 * ruleset.order]) if digit == 1)
    kept = {first} | set(Random(1).sample(range(len(digits)), len(digits) // 2)) - {second}
    return Grid(tuple(digit if cell in kept else 0 for cell, digit in enumerate(digits)))


def written(grid: Grid, ruleset: Ruleset, form: str, blank: str = ".") -> str:
    """A grid with digits from 0, in one of the ways to write it."""
    n = grid.order
    names = numbers_from_zero(n) if form in APART else symbols_from_zero(n)
    wide = max(map(len, names)) if form in APART else 1
    cells = [(names[digit - 1] if digit else blank).rjust(wide) for digit in grid.digits]
    rows = [cells[start : start + n] for start in range(0, n * n, n)]
    if form in ("line", "packed"):
        return ("" if form == "line" else "\n").join("".join(row) for row in rows) + "\n"
    if form in ("letters", "spaced"):
        return "".join(" ".join(row) + "\n" for row in rows)
    if form == "tabs":
        return "".join("\t".join("" if cell == blank else cell.strip() for cell in row) + "\n" for row in rows)
    between, around = ("", "|") if form == "touching" else (" ", " | ")
    height, width = ruleset.require_classic("this")
    starts = range(0, n, width)
    lines = [around.join(between.join(row[start : start + width]) for start in starts) for row in rows]
    for row in range(n - height, 0, -height):
        lines.insert(row, "+".join(["---"] * height))
    return "\n".join(lines) + "\n"


def both(text: str, answer: str, box: tuple[int, int] | None = None) -> tuple[Entry, Grid]:
    return pair(entries(text, box=box)[0], entries(answer, box=box)[0])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_digits_from_zero(shape: tuple[int, int], form: str) -> None:
    ruleset = classic(shape[0] * shape[1], shape)
    clues, solution = half(ruleset), pattern_solution(ruleset)
    name = "packed" if form == "packed" else None
    text = written(clues, ruleset, form, "__" if form in APART and ruleset.order > 10 else ".")
    [entry] = entries(text, name, shape)
    assert entry.puzzle.clues == clues
    answer = same(entry, solution) + "\n"
    assert answer == written(solution, ruleset, form)
    # a full grid alone does not always show that 0 is a digit, but beside its puzzle it does
    checked, read_back = both(text, answer, shape)
    assert (checked.puzzle, read_back) == (entry.puzzle, solution)
    for output in (name for name in OUTPUTS if ruleset.order < 62 or name not in ("line", "packed")):
        other = layout_named(output, ruleset, entry.layout)
        assert entries(other.render(clues, ruleset), box=shape)[0].puzzle == entry.puzzle


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_puzzle_with_its_solution_on_one_line(shape: tuple[int, int]) -> None:
    ruleset = classic(shape[0] * shape[1], shape)
    clues, solution = half(ruleset), pattern_solution(ruleset)
    without_zero = Grid(tuple(digit if digit > 1 else 0 for digit in clues.digits))
    without_last = Grid(tuple(digit % ruleset.order for digit in without_zero.digits))
    for given in (clues, without_zero, without_last):
        text = f"{written(given, ruleset, 'line').strip()},{written(solution, ruleset, 'line')}"
        [entry] = entries(text, "line", shape)
        assert (entry.puzzle.clues, entry.solution) == (given, solution)


def test_lower_case_is_upper_case_in_36_symbols_from_zero() -> None:
    ruleset = classic(36)
    for form in ("line", "packed"):
        [entry] = entries(written(half(ruleset), ruleset, form).lower())
        assert entry.puzzle.clues == half(ruleset)


@pytest.mark.parametrize("text", ["000000001\n" * 9, "0 0 0 0 0 0 0 0 1\n" * 9])
def test_zero_is_a_blank_where_there_is_no_other_mark(text: str) -> None:
    [entry] = entries(text)
    assert set(entry.puzzle.clues.digits) == {0, 1}
    assert "0" not in entry.layout.symbols


@pytest.mark.parametrize(
    ("text", "place", "digits"),
    [
        # symbol n
        ("0...9....\n" + ".........\n" * 8, "1:1", "0-8"),
        ("0 . . . 9 . . . .\n" + ". . . . . . . . .\n" * 8, "1:1", "0-8"),
        ("1g0.............\n" + "................\n" * 15, "1:3", "0-F"),
        ("0 . . 16" + " ." * 12 + "\n" + (" ".join("." * 16) + "\n") * 15, "1:1", "0-15"),
        # more zeros than any digit has
        ("000000000\n0.......1\n" + ".........\n" * 7, "1:1", "0-8"),
        ("0 0 0 0 0 0 0 0 0\n0 . . . . . . . 1\n" + ". . . . . . . . .\n" * 7, "1:1", "0-8"),
    ],
)
def test_zero_beside_another_mark_is_a_digit_or_an_error(text: str, place: str, digits: str) -> None:
    with pytest.raises(InputError) as error:
        parse_one(text)
    assert str(error.value) == (
        f"<text>:{place}: found 0 beside '.' for blanks, expected one mark for every blank, or digits {digits} where 0 "
        "is a digit"
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_zero_twice_in_a_unit_may_be_a_blank(form: str) -> None:
    for cells, unit in (((3, 8), "row 1"), ((3, 75), "column 4"), ((0, 10), "box 1")):
        grid = Grid(tuple(1 if cell in cells else 5 if cell == 40 else 0 for cell in range(81)))
        text = written(grid, NINE, form)
        with pytest.raises(InputError) as error:
            parse_one(text)
        assert error.value.found == f"a second 0 in {unit}, and '.' for blanks"
        assert error.value.expected == "one 0 in each unit if it is a digit of 0-8, or one mark for every blank"
        place = error.value.place
        assert text.splitlines()[place.line - 1][place.column - 1] == "0"


def test_a_puzzle_without_0_and_9_is_read_like_the_one_before_it() -> None:
    first, second, third, fourth = entries("".join(f"{clues:.<81}\n" for clues in ("018", "1", "9", "1")))
    assert {first.layout.symbols, second.layout.symbols} == {"012345678"}
    assert {third.layout.symbols, fourth.layout.symbols} == {"123456789"}
    assert [entry.puzzle.clues.digits[0] for entry in (first, second, third, fourth)] == [1, 2, 9, 1]


def test_digits_from_zero_after_a_puzzle_without_0_and_9() -> None:
    text = "".join(f"{clues:.<81}\n" for clues in ("12", "01", "12"))
    first, second, third = read(BytesIO(text.encode()), "here")
    assert isinstance(first, Entry)
    assert isinstance(third, Entry)
    assert third.puzzle.clues.digits[:2] == (2, 3)
    expected = "digits from 1, as line 1 was read; a puzzle with a 0 has to come before it"
    assert str(second) == f"here:2: found digits from 0, expected {expected}"


@pytest.mark.parametrize(("shape", "symbols"), [((3, 3), "0-8"), ((4, 4), "0-9, A-F")])
def test_what_is_expected_of_a_cell(shape: tuple[int, int], symbols: str) -> None:
    ruleset = classic(shape[0] * shape[1], shape)
    answer = written(pattern_solution(ruleset), ruleset, "line")
    too_high = "9" if ruleset.order == 9 else "G"
    with pytest.raises(InputError) as error:
        both(written(half(ruleset), ruleset, "line"), answer.replace(answer[3], too_high))
    assert error.value.found == f"'{too_high}' in r1c4"
    assert error.value.expected == f"{symbols} or a blank (. _ * ? -), as in here:1"


def test_answers_are_written_in_the_alphabet_of_the_puzzle(ringdoku_here: Callable[..., CompletedProcess[str]]) -> None:
    text = written(half(NINE), NINE, "packed")
    answer = written(pattern_solution(NINE), NINE, "packed")
    assert ringdoku_here("solve", input=text).stdout == answer
    for output_format in ("pretty", "svg"):
        drawn = ringdoku_here("solve", "--output-format", output_format, input=text).stdout
        digits = re.findall(r">(\d)<" if output_format == "svg" else r"(\d)[ ']", drawn.partition("solved")[0])
        assert "".join(digits) == answer.replace("\n", "")
    clue = max(text[:9].replace(".", ""))
    doubled = ringdoku_here("check", input=text.replace(".", clue, 1))
    assert f"\n  row 1 has {clue} in r1c" in doubled.stdout


SIXTEEN = classic(16)
HEXADECIMAL = symbols_from_zero(16)
SOLVED = pattern_solution(SIXTEEN)
ALPHABETS = {"1-9A-G": DIGITS[:16], "A-P": LETTERS[:16], "0-9A-F": HEXADECIMAL}
LAYOUTS = ("line", "packed", "spaced", "boxed")


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
def test_a_full_grid_shows_its_alphabet(symbols: str, form: str) -> None:
    entry = one(in_symbols(SOLVED, symbols, form))
    assert (entry.puzzle.clues, entry.layout.symbols) == (SOLVED, symbols)
    assert one(entry.layout.render(SOLVED, SIXTEEN)).puzzle == entry.puzzle
    line = layout_named("line", SIXTEEN, entry.layout)
    assert one(line.render(SOLVED, SIXTEEN)).puzzle == entry.puzzle


@pytest.mark.parametrize("form", LAYOUTS)
@pytest.mark.parametrize("symbols", ALPHABETS.values(), ids=ALPHABETS)
@pytest.mark.parametrize(
    "digits", [{*range(1, 16)}, {*range(1, 16, 2)}, {11, 12}, {11, 12, 13, 14, 15}, {3, 11}], ids=str
)
def test_a_full_answer_shows_the_alphabet_of_few_clues(symbols: str, digits: set[int], form: str) -> None:
    entry, answer = pair(one(in_symbols(only(digits), symbols, form)), one(in_symbols(SOLVED, symbols)))
    assert (entry.puzzle.clues, answer, entry.layout.symbols) == (only(digits), SOLVED, symbols)
    entry = one(f"{in_symbols(only(digits), symbols, 'line')[:-1]},{in_symbols(SOLVED, symbols, 'line')}")
    assert (entry.puzzle.clues, entry.solution) == (only(digits), SOLVED)


def test_a_faulty_answer_is_read_in_the_alphabet_of_its_puzzle() -> None:
    clues = one(in_symbols(only({1, 2, 15}), HEXADECIMAL))
    for faulty in (Grid((0, *SOLVED.digits[1:])), Grid((1, 1, *SOLVED.digits[2:]))):
        assert pair(clues, one(in_symbols(faulty, HEXADECIMAL)))[1] == faulty


def test_an_answer_in_another_alphabet_is_refused() -> None:
    clues = one(in_symbols(only({1, 16}), DIGITS))
    with pytest.raises(InputError, match=r"^here:1: found 'H' in r1c8, expected 1-9, A-G or a blank .*, as in here:1$"):
        pair(clues, one(in_symbols(SOLVED, LETTERS)))
    with pytest.raises(InputError, match="<text>:1:265: found 'H'"):
        parse_one(f"{in_symbols(clues.puzzle.clues, DIGITS, 'line')[:-1]},{in_symbols(SOLVED, LETTERS, 'line')}")


def test_numbers_go_with_every_alphabet() -> None:
    numbers = one(layout_named("spaced", SIXTEEN).render(SOLVED, SIXTEEN))
    for symbols in ALPHABETS.values():
        assert pair(one(in_symbols(only({1, 15}), symbols)), numbers)[1] == SOLVED


def test_case_matters_from_36_on() -> None:
    row = "aA" + "." * 34
    assert one("\n".join([row, *["." * 36] * 35])).puzzle.clues.digits[:2] == (36, 10)
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
        ("1 2\n3 x\n", "w:2:3: found 'x', expected integers"),
        ("1 2.5\n", "w:1:4: found '.', expected integers"),
        ("1 １\n", "w:1:3: found '１' U+FF11 FULLWIDTH DIGIT ONE, expected integers"),
        ("1 −1\n", "w:1:3: found '−' U+2212 MINUS SIGN, expected integers"),
        ("1 2-1\n", "w:1:3: found '2-1', expected an integer of at most nine digits"),
        ("1 1234567890\n", "w:1:3: found '1234567890', expected an integer of at most nine digits"),
        ("1 \0\n", "w:1:3: found U+0000 control character, expected text without control characters"),
        ("0 " * 1025, "w:1:2049: found 1025 weights, expected 1024 in each row"),
    ],
)
def test_malformed_weights(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_weights(BytesIO(text.encode()), "w")
    assert str(error.value) == message
