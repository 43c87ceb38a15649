"""Grids in rows: empty cells as spreadsheets write them, and comments at the ends of rows."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from ringdoku.domain.errors import InputError
from ringdoku.domain.ruleset import classic
from ringdoku.services.generate import pattern_solution
from ringdoku.text import Entry, parse_one, read

FIXTURES = Path(__file__).parent.parent / "fixtures"
ROWS = (FIXTURES / "b4279.in").read_text().split()
PUZZLE = parse_one("\n".join(ROWS))


def sheet(rows: list[str], separator: str) -> str:
    return "".join(separator.join(row).replace(".", "") + "\n" for row in rows)


@pytest.mark.parametrize("separator", [",", "\t", ", "])
@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_an_empty_cell_between_separators_is_blank(separator: str, end: str) -> None:
    for shift in range(3):
        rows = ROWS[shift:] + ROWS[:shift]
        text = sheet(rows, separator)
        [entry] = read(BytesIO(text.replace("\n", end).encode()))
        assert isinstance(entry, Entry)
        assert entry.puzzle == parse_one("\n".join(rows))
        same = entry.layout.render(entry.puzzle.clues, entry.puzzle.ruleset)
        assert same == "\n".join(separator.join(row).replace(".", "0") for row in rows)


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_row_of_empty_cells(separator: str) -> None:
    rows = [*ROWS[:3], "." * 9, *ROWS[4:8], "." * 9]
    assert parse_one(sheet(rows, separator)) == parse_one("\n".join(rows))


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_sheet_that_begins_with_one_clue(separator: str) -> None:
    for clue in "19":
        rows = [clue + "." * 8, *ROWS[:8]]
        assert parse_one(sheet(rows, separator)) == parse_one("\n".join(rows))


@pytest.mark.parametrize("separator", [",", "\t"])
def test_a_row_of_a_sheet_with_too_few_cells(separator: str) -> None:
    for row in ("7,,,,,,,", "7", "1,2,,,,,,,,"):
        text = sheet([ROWS[0], *ROWS[:7]], separator) + row.replace(",", separator) + "\n"
        with pytest.raises(InputError, match=r"9 in this row"):
            parse_one(text)


def test_an_empty_cell_among_marked_blanks_is_a_lost_digit() -> None:
    with pytest.raises(InputError, match=r"^<text>:3:5: found an empty cell, expected a mark"):
        parse_one("1,0,3,4\n3,4,0,0\n2,1,,3\n4,3,2,1\n")


@pytest.mark.parametrize(
    "text",
    [
        "\t1\t2\t3\t4\n" * 4,
        "1\t\t2\t\t3\t\t4\n" * 4,
        "1 2\t\t3 4\n" * 4,
        "1,\t2,\t3,\t4\n" * 4,
        "1,2,3,4,\n" * 4,
        "1 2 3 4\t\n" * 4,
    ],
)
def test_separators_without_empty_cells(text: str) -> None:
    assert parse_one(text).clues.digits == (1, 2, 3, 4) * 4


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(ROWS),
        "\n".join(" ".join(row) for row in ROWS),
        "\n".join(f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in ROWS),
        sheet(ROWS, ",").rstrip("\n"),
        sheet(ROWS, "\t").rstrip("\n"),
    ],
)
def test_a_comment_at_the_end_of_a_row(text: str) -> None:
    commented = text.replace("\n", " # a | b, 5\n") + "#"
    for lines in (commented, f"1 # puzzle\n{commented}"):
        [entry] = read(BytesIO(lines.encode()))
        assert isinstance(entry, Entry)
        assert entry.puzzle == PUZZLE
    assert parse_one("\n".join(f"{row} # row" for row in ["1..5" + "." * 12] * 16)).order == 16


@pytest.mark.parametrize("separator", [",", "\t"])
def test_no_sheet_is_read_a_row_too_low(separator: str) -> None:
    full, open_at_top = sheet(ROWS, separator), sheet(["." * 9, *ROWS[1:]], separator)
    empty = separator * 8 + "\n"
    texts = [full + empty + full, empty + full + empty, open_at_top, open_at_top + empty, open_at_top + full]
    texts += [open_at_top + open_at_top, full + open_at_top, full + empty + open_at_top, full + full]
    right = {PUZZLE.clues, parse_one("\n".join(["." * 9, *ROWS[1:]])).clues}
    read_rightly = 0
    for text in texts:
        for item in read(BytesIO(text.encode())):
            if isinstance(item, Entry):
                assert item.puzzle.clues in right
                read_rightly += 1
    assert read_rightly > 5


@pytest.mark.parametrize("symbols", ["ABCDEFGHIJKLMNOP", "123456789ABCDEFG", "0123456789ABCDEF"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_letters_in_a_sheet_with_empty_cells(symbols: str, separator: str) -> None:
    clues = [digit if cell % 5 else 0 for cell, digit in enumerate(pattern_solution(classic(16)).digits)]
    signs = "".join(symbols[digit - 1] if digit else "." for digit in clues)
    rows = [signs[start : start + 16] for start in range(0, 256, 16)]
    assert parse_one(sheet(rows, separator)).clues.digits == tuple(clues)


def test_a_sheet_that_begins_with_few_letters() -> None:
    few = parse_one("A,B,C,D" + "," * 12 + "\n" + ("," * 15 + "\n") * 14 + "," * 15 + "P\n")
    assert few.clues.digits[:5] == (1, 2, 3, 4, 0)
