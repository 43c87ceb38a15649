"""A puzzle of order 16 or above and its solution are read in one alphabet, and printed in it."""

from __future__ import annotations

from io import BytesIO

import pytest

from ringdoku.domain.errors import InputError
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import classic
from ringdoku.services.generate import pattern_solution
from ringdoku.text import Entry, layout_named, pair, parse_one, read
from ringdoku.text.cells import DIGITS, LETTERS, symbols_from_zero

SIXTEEN = classic(16)
HEXADECIMAL = symbols_from_zero(16)
SOLVED = pattern_solution(SIXTEEN)
ALPHABETS = {"1-9A-G": DIGITS[:16], "A-P": LETTERS[:16], "0-9A-F": HEXADECIMAL}
FORMS = ("line", "packed", "spaced", "boxed")


def written(grid: Grid, symbols: str, form: str = "packed") -> str:
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


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("symbols", ALPHABETS.values(), ids=ALPHABETS)
def test_a_full_grid_shows_its_alphabet(symbols: str, form: str) -> None:
    entry = one(written(SOLVED, symbols, form))
    assert (entry.puzzle.clues, entry.layout.symbols) == (SOLVED, symbols)
    assert one(entry.layout.render(SOLVED, SIXTEEN)).puzzle == entry.puzzle
    line = layout_named("line", SIXTEEN, entry.layout)
    assert one(line.render(SOLVED, SIXTEEN)).puzzle == entry.puzzle


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("symbols", ALPHABETS.values(), ids=ALPHABETS)
@pytest.mark.parametrize(
    "digits", [{*range(1, 16)}, {*range(1, 16, 2)}, {11, 12}, {11, 12, 13, 14, 15}, {3, 11}], ids=str
)
def test_a_full_answer_shows_the_alphabet_of_few_clues(symbols: str, digits: set[int], form: str) -> None:
    entry, answer = pair(one(written(only(digits), symbols, form)), one(written(SOLVED, symbols)))
    assert (entry.puzzle.clues, answer, entry.layout.symbols) == (only(digits), SOLVED, symbols)
    entry = one(f"{written(only(digits), symbols, 'line')[:-1]},{written(SOLVED, symbols, 'line')}")
    assert (entry.puzzle.clues, entry.solution) == (only(digits), SOLVED)


def test_a_faulty_answer_is_read_in_the_alphabet_of_its_puzzle() -> None:
    clues = one(written(only({1, 2, 15}), HEXADECIMAL))
    for faulty in (Grid((0, *SOLVED.digits[1:])), Grid((1, 1, *SOLVED.digits[2:]))):
        assert pair(clues, one(written(faulty, HEXADECIMAL)))[1] == faulty


def test_an_answer_in_another_alphabet_is_refused() -> None:
    clues = one(written(only({1, 16}), DIGITS))
    with pytest.raises(InputError, match=r"^here:1: found 'H' in r1c8, expected 1-9, A-G or a blank .*, as in here:1$"):
        pair(clues, one(written(SOLVED, LETTERS)))
    with pytest.raises(InputError, match="<text>:1:265: found 'H'"):
        parse_one(f"{written(clues.puzzle.clues, DIGITS, 'line')[:-1]},{written(SOLVED, LETTERS, 'line')}")


def test_numbers_go_with_every_alphabet() -> None:
    numbers = one(layout_named("spaced", SIXTEEN).render(SOLVED, SIXTEEN))
    for symbols in ALPHABETS.values():
        assert pair(one(written(only({1, 15}), symbols)), numbers)[1] == SOLVED


def test_case_matters_from_36_on() -> None:
    row = "aA" + "." * 34
    assert one("\n".join([row, *["." * 36] * 35])).puzzle.clues.digits[:2] == (36, 10)
    with pytest.raises(InputError, match="found 'b', expected 1-9, A-Z, a or a blank"):
        parse_one("\n".join([row.replace("A", "b"), *["." * 36] * 35]))
