"""How puzzles are found and written: every layout, columns and spreadsheets, headers, counts, sizes."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from io import BytesIO
from random import Random

import pytest
from texts import FIXTURES, LINE, PACKED, PUZZLE, ROWS, SOLVED, SPACED, entries, same

from ringdoku.domain.errors import DimensionError, InputError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import classic
from ringdoku.services.generate import pattern_solution
from ringdoku.text import Entry, layout_named, parse_one, read

# fixtures


@pytest.mark.parametrize(
    ("name", "form", "count"),
    [
        ("b4279", "packed", 1),
        ("nyoj722", "spaced", 1),
        ("p1074-1", "spaced", 1),
        ("p1074-2", "spaced", 1),
        ("poj2676", "packed", 2),
        ("poj3074", "line", 2),
        ("poj3076", "packed", 2),
        ("euler96", "packed", 3),
        ("sdk", "packed", 1),
        ("csv", "line", 3),
        ("ss", "boxed", 1),
        ("boxed-6x6", "boxed", 1),
        ("boxed-12x12", "boxed", 1),
    ],
)
def test_a_fixture_is_read_and_its_solutions_have_its_layout(name: str, form: str, count: int) -> None:
    puzzles = entries((FIXTURES / f"{name}.in").read_bytes())
    assert [entry.layout.format for entry in puzzles] == [form] * count
    expected = (FIXTURES / f"{name}.out").read_text()
    if name.startswith("p1074"):
        return
    solutions = entries(expected, form)
    written = ""
    for entry, solution in zip(puzzles, solutions, strict=True):
        assert solution.puzzle.clues.is_full
        gap = "\n" if entry.layout.gap and written else ""
        written += f"{gap}{same(entry, solution.puzzle.clues)}\n"
    assert written == expected


# one puzzle, many ways


DRAWN = """\
 *-----------*
 |17.|5..|8..|
 |.52|.1.|...|
 |...|..7|59.|
 |---+---+---|
 |.8.|..9|4.3|
 |.19|7.4|..8|
 |7..|...|.15|
 |---+---+---|
 |4.1|...|6..|
 |3..|.2.|.59|
 |...|96.|.3.|
 *-----------*
"""
UNICODE = """\
╔═══════╦═══════╦═══════╗
║ 1 7 · ║ 5 · · ║ 8 · · ║
║ · 5 2 ║ · 1 · ║ · · · ║
║ · · · ║ · · 7 ║ 5 9 · ║
╠═══════╬═══════╬═══════╣
║ · 8 · ║ · · 9 ║ 4 · 3 ║
║ · 1 9 ║ 7 · 4 ║ · · 8 ║
║ 7 · · ║ · · · ║ · 1 5 ║
╠═══════╬═══════╬═══════╣
║ 4 · 1 ║ · · · ║ 6 · · ║
║ 3 · · ║ · 2 · ║ · 5 9 ║
║ · · · ║ 9 6 · ║ · 3 · ║
╚═══════╩═══════╩═══════╝
"""
EVERY_CELL = (
    "+---" * 9
    + "+\n"
    + "".join(
        "".join(f"| {cell if cell != '.' else ' '} " for cell in row) + "|\n" + "+---" * 9 + "+\n" for row in ROWS
    )
)
WITHOUT_OUTER = "\n".join(
    [
        "------+------+------" if not row else f"{row[:3]} | {row[3:6]} | {row[6:]}"
        for row in [*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:]]
    ]
)
DASHED = "\n".join(
    "---+---+---" if not row else f"{row[:3]}|{row[3:6]}|{row[6:]}".replace(".", "-")
    for row in [*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:]]
)
JSON = f'{{"grid": {[[int(cell) if cell != "." else 0 for cell in row] for row in ROWS]}, "status": "unknown"}}\n'


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (PACKED, "packed"),
        (PACKED.replace(".", "0"), "packed"),
        (PACKED.replace(".", "_"), "packed"),
        (PACKED.replace(".", "*"), "packed"),
        (PACKED.replace(".", "?"), "packed"),
        (PACKED.replace(".", "-"), "packed"),
        (PACKED.replace("\n", "\r\n"), "packed"),
        (PACKED.replace("\n", " \t\n"), "packed"),
        (PACKED.rstrip("\n"), "packed"),
        ("\ufeff" + PACKED, "packed"),
        ("\n\n# a comment\n  # another\n" + PACKED, "packed"),
        ("\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in ROWS), "packed"),
        ("\n\n".join("\n".join(ROWS[band : band + 3]) for band in (0, 3, 6)), "packed"),
        ("[Puzzle]\n" + PACKED + "[State]\n" + PACKED.replace("1", ".") + "[PencilMarks]\n.12.3\n", "packed"),
        (PACKED + "end\nwhatever follows\n", "packed"),
        (SPACED, "spaced"),
        (SPACED.replace(".", "0"), "spaced"),
        (SPACED.replace(".", "__"), "spaced"),
        (SPACED.replace(".", "-"), "spaced"),
        (SPACED.replace(" ", "\t"), "spaced"),
        (SPACED.replace(" ", ", "), "spaced"),
        (SPACED.replace(" ", ",").replace("\n", ",\n"), "spaced"),
        (SPACED.replace("5", "05"), "spaced"),
        (LINE, "line"),
        (LINE + "\nend\n", "line"),
        (DRAWN, "boxed"),
        (UNICODE, "boxed"),
        (EVERY_CELL, "boxed"),
        (WITHOUT_OUTER, "boxed"),
        (DASHED, "boxed"),
        (JSON, "json"),
    ],
)
def test_one_puzzle_written_in_many_ways(text: str, form: str) -> None:
    [entry] = entries(text)
    assert (entry.puzzle, entry.layout.format) == (PUZZLE, form)


@pytest.mark.parametrize("text", [PACKED, SPACED, SPACED.replace(" ", "\t"), SPACED.replace(" ", ", "), LINE + "\n"])
@pytest.mark.parametrize("blank", ["0", ".", "*"])
def test_printing_in_the_layout_of_the_input_returns_the_text(text: str, blank: str) -> None:
    text = text.replace(".", blank)
    [entry] = entries(text)
    assert same(entry) + "\n" == text


@pytest.mark.parametrize("text", [PACKED, SPACED, SPACED.replace(".", "0")])
def test_spaces_that_end_every_row_stay_there(text: str) -> None:
    ended = text.replace("\n", " \n")
    [entry] = entries(ended)
    assert (same(entry) + "\n", entry.puzzle) == (ended, PUZZLE)
    [entry] = entries(text.replace("\n", " \n", 3))
    assert same(entry) + "\n" == text


@pytest.mark.parametrize("text", [DRAWN, UNICODE, DASHED + "\n", DRAWN.replace("|...|..7|59.|", "| ... | ..7 | 59. |")])
def test_a_drawing_is_drawn_the_same_way(text: str) -> None:
    [entry] = entries(text)
    assert same(entry) + "\n" == text


def test_blank_lines_between_bands_are_kept() -> None:
    text = "\n\n".join("\n".join(ROWS[band : band + 3]) for band in (0, 3, 6))
    [entry] = entries(text)
    assert same(entry) == text


@pytest.mark.parametrize(
    "summaries",
    [
        ("solved by cadical195 in 1.2 ms", "score 12, proved best by rc2 in 2.00 s; ' marks a clue"),
        ("solved; ' marks a clue", "score -12, best, by the word of the solver"),
        ("score 12, not proved best; ' marks a clue", "no solution, by the word of the solver; ' marks a clue"),
    ],
)
def test_a_drawing_for_the_terminal_is_read_back(summaries: tuple[str, str]) -> None:
    marked = UNICODE.replace("8 · ·", "8'· 2 ")
    drawn = f"a file.txt:7\n{marked}{summaries[0]}\n\nGrid 02\n{UNICODE}{summaries[1]}\n\n"
    first, second = entries(drawn)
    assert first.puzzle.clues.digits[:9] == (1, 7, 0, 5, 0, 0, 8, 0, 2)
    assert (second.puzzle, second.name) == (PUZZLE, "Grid 02")


def test_aligned_columns_stay_aligned() -> None:
    rows = [[(4 * (row % 4) + row // 4 + column) % 16 + 1 for column in range(16)] for row in range(16)]
    text = "\n".join(" ".join(f"{digit:2}" for digit in row) for row in rows)
    [entry] = entries(text)
    assert same(entry) == text


# several puzzles


@pytest.mark.parametrize("text", [PACKED, SPACED])
@pytest.mark.parametrize("count", ["", "2\n", "# two\n2\n\n"])
@pytest.mark.parametrize("between", ["", "\n", "\n\n# next\n"])
def test_two_puzzles(text: str, count: str, between: str) -> None:
    first, second = entries(count + text + between + text)
    assert (first.puzzle, second.puzzle) == (PUZZLE, PUZZLE)
    assert (first.layout.gap, second.layout.gap) == (False, bool(between))
    assert second.place.line == first.place.line + 9 + between.count("\n")


def test_headers_name_the_puzzles() -> None:
    named = entries(f"Grid 01\n{PACKED}Grid 02\n{PACKED}\nCase #3:\n{PACKED}task: 4\n{PACKED}")
    assert [entry.name for entry in named] == ["Grid 01", "Grid 02", "Case #3", ""]
    assert [entry.place.line for entry in named] == [2, 12, 23, 33]


def test_headers_of_a_drawing_are_skipped() -> None:
    text = f"experiment: 3x3\nnumber of tasks: 2\ntask: 1\npuzzle size: 3x3\n{DRAWN}\n\ntask: 2\n{DRAWN}"
    assert [entry.puzzle for entry in entries(text)] == [PUZZLE, PUZZLE]


@pytest.mark.parametrize("name", [None, "line", "packed", "spaced"])
def test_puzzles_of_order_one_where_they_were_asked_for(name: str | None) -> None:
    assert [entry.puzzle.clues.digits for entry in entries("1\n.\n0\n", name, (1, 1))] == [(1,), (0,), (0,)]
    # above 1 a number is a count
    assert [entry.puzzle.clues.digits for entry in entries("2\n1\n.\n", name, (1, 1))] == [(1,), (0,)]


@pytest.mark.parametrize(
    ("before", "cells", "after", "found"),
    [
        (PACKED, "1\n", "", "a single cell"),
        (DRAWN, "1\n", "", "a single cell"),
        (LINE + "\n", ".\n", LINE + "\n", "1 character"),
        (SPACED, "5\n", SPACED, "'5'"),
        ("", "1\n", "", "a single cell"),
        ("", "7\n0\n0\n9\n", "", "'7'"),
        ("", "1\n1\n", PACKED, "a single cell"),
        ("", "+---+\n| 1 |\n+---+\n", "+---+\n| 2 |\n+---+\n", "a single cell"),
        ("", ";\n", "", "';'"),
        (PACKED.replace("17.", "17x"), "1\n", "", "a single cell"),
    ],
)
def test_a_single_cell_beside_other_content_is_not_a_puzzle(before: str, cells: str, after: str, found: str) -> None:
    items = list(read(BytesIO(f"{before}{cells}{after}".encode())))
    error = next(item for item in items if isinstance(item, InputError) and item.found == found)
    assert error.expected.startswith(("a puzzle", "rows of cells", "81"))
    assert not [item for item in items if isinstance(item, Entry) and item.puzzle.order == 1]
    if after.strip("+-| 2\n"):
        assert isinstance(items[-1], Entry)


def test_a_puzzle_in_another_format_than_the_first_is_an_error() -> None:
    first, *others = read(BytesIO(f"{SPACED}\n{PACKED}".encode()), "here")
    assert isinstance(first, Entry)
    assert str(others[0]) == "here:11:1: found '17.5..8..', expected a puzzle in the format of the first one"
    assert len(others) == 9


# sizes above puzzles


@pytest.mark.parametrize("size", ["9 9", "3 3", "9,9"])
@pytest.mark.parametrize("text", [PACKED, SPACED, DRAWN, WITHOUT_OUTER + "\n", PACKED.replace(".", "0")])
def test_a_line_of_two_numbers_above_a_grid_is_its_size(size: str, text: str) -> None:
    assert [entry.puzzle for entry in entries(f"{size}\n{text}{size}\n{text}")] == [PUZZLE, PUZZLE]


@pytest.mark.parametrize("size", ["9", "3"])
@pytest.mark.parametrize("between", ["", "\n"])
def test_each_puzzle_below_its_size(size: str, between: str) -> None:
    text = f"{size}\n{PACKED}{between}"
    assert [entry.puzzle for entry in entries(text + text + "0\n")] == [PUZZLE, PUZZLE]
    # and below their number
    assert [entry.puzzle for entry in entries(f"2\n{text}{text}")] == [PUZZLE, PUZZLE]


def test_one_number_above_one_puzzle_may_be_a_count_or_its_size() -> None:
    for size in "93":
        assert [entry.puzzle for entry in entries(f"{size}\n{PACKED}")] == [PUZZLE]
        *puzzles, error = read(BytesIO(f"{size}\n{PACKED}{PACKED}".encode()), "here")
        assert len(puzzles) == 2
        expected = f"{size} puzzles, as line 1 says"
        assert str(error) == f"here:20:1: found the end of the input after 2, expected {expected}"


@pytest.mark.parametrize("text", ["1 2\n2 1\n", "2 1\n1 2\n"])
def test_a_row_of_a_small_puzzle_is_not_a_size(text: str) -> None:
    assert [entry.puzzle.order for entry in entries(text, box=(1, 2))] == [2]


def test_rows_in_groups_are_not_headers() -> None:
    # DECF 87BA G154 9263 is not a name with a number
    solution = list(pattern_solution(classic(16)).digits)
    for name in range(40):
        digits = Random(name).sample(range(1, 17), 16)
        rows = [
            "".join("123456789ABCDEFG"[digits[digit - 1] - 1] for digit in solution[i : i + 16])
            for i in range(0, 256, 16)
        ]
        text = "".join(" ".join(row[i : i + 4] for i in range(0, 16, 4)) + "\n" for row in rows)
        assert parse_one(text, (4, 4)).clues.digits == tuple(digits[digit - 1] for digit in solution)


def test_a_byte_order_mark_does_not_count_in_a_long_line() -> None:
    blank = json.dumps({"grid": [[0] * 196] * 196})
    assert len(blank) > 2**16
    [item] = read(BytesIO(BOM_UTF8 + blank.encode()))
    assert isinstance(item, Entry)
    [item] = read(BytesIO(BOM_UTF8 + b"1" * (2**16 + 1)))
    assert isinstance(item, InputError)
    assert "a line of more than" in str(item)


@pytest.mark.parametrize("text", ["0\nend\n1234\n", "0\n[Comment]\n1234\n"])
def test_a_count_of_zero_is_not_a_puzzle(text: str) -> None:
    with pytest.raises(InputError, match="expected a puzzle"):
        parse_one(text)


@pytest.mark.parametrize("text", [PACKED, SPACED, LINE + "\n"])
def test_a_zero_that_ends_the_input_is_not_a_puzzle(text: str) -> None:
    assert [entry.puzzle for entry in entries(text + "0\n")] == [PUZZLE]
    assert [entry.puzzle for entry in entries(f"{text}\n{text}\n0\n\n")] == [PUZZLE, PUZZLE]
    assert [entry.puzzle.order for entry in entries("0\n1\n0\n", box=(1, 1))] == [1, 1, 1]


def test_a_word_as_long_as_a_puzzle_is_not_a_title() -> None:
    [item] = read(BytesIO(b"oooooooooooooooo\n2134342113424213\n"))
    assert isinstance(item, InputError)


# the line format


@pytest.mark.parametrize(
    "text",
    [
        f"puzzle,solution\n{LINE},{SOLVED}\n",
        f"quizzes,solutions\r\n{LINE},{SOLVED}\r\n",
        f"id, solution, question\n1, {SOLVED}, {LINE}\n",
        f'"puzzle","solution"\n"{LINE}","{SOLVED}"\n',
        f"{LINE},{SOLVED}\n",
    ],
)
def test_csv(text: str) -> None:
    [entry] = entries(text)
    assert entry.puzzle == PUZZLE
    assert entry.solution == parse_one(SOLVED).clues


def test_a_wrong_solution_is_read_without_verification() -> None:
    [entry] = read(BytesIO(f"{LINE},{SOLVED[::-1]}\n".encode()), verify=False)
    assert isinstance(entry, Entry)
    assert entry.solution == parse_one(SOLVED[::-1]).clues


# orders and alphabets


@pytest.mark.parametrize(
    ("row", "digits", "symbols"),
    [
        ("1...............", (1,), "123456789ABCDEFG"),
        ("1A..............", (1, 10), "123456789ABCDEFG"),
        ("1g.-............", (1, 16, 0, 0), "123456789ABCDEFG"),
        ("A---------------", (1,), "ABCDEFGHIJKLMNOP"),
        ("ap--------------", (1, 16), "ABCDEFGHIJKLMNOP"),
    ],
)
def test_alphabet_of_sixteen(row: str, digits: tuple[int, ...], symbols: str) -> None:
    text = "\n".join([row, *[row[-1] * 16] * 15])
    [entry] = entries(text, "packed")
    assert entry.puzzle.clues.digits[: len(digits)] == digits
    assert entry.layout.symbols == symbols
    [entry] = entries(text.replace("\n", ""))
    assert entry.puzzle.clues.digits[: len(digits)] == digits


def test_lower_case_is_a_digit_of_its_own_above_36() -> None:
    [entry] = entries("Aa" + "." * 47 + ("\n" + "." * 49) * 48)
    assert entry.puzzle.clues.digits[:2] == (10, 36)


@pytest.mark.parametrize("name", ["line", "packed"])
def test_one_character_a_cell_has_a_largest_order(name: str) -> None:
    with pytest.raises(UsageError, match="order 64 is above 61"):
        layout_named(name, classic(8 * 8, (8, 8)))


def test_sixteen_characters_are_one_puzzle_or_one_row() -> None:
    assert [entry.puzzle.order for entry in entries("1..4............\n" * 16)] == [4] * 16
    assert [entry.puzzle.order for entry in entries("1..5............\n" * 16)] == [16]
    assert [entry.puzzle.order for entry in entries("1..4............\n" * 16, "packed")] == [16]
    assert [entry.puzzle.order for entry in entries("1..4............\n" * 16, box=(4, 4))] == [16]
    assert [entry.puzzle.order for entry in entries("................\n" * 16)] == [16]
    assert [entry.puzzle.order for entry in entries("................\n" * 17)] == [4] * 17


def test_thirty_six_characters_are_a_row_unless_a_box_is_given() -> None:
    text = f"{'1..6':.<36}\n" * 36
    assert [entry.puzzle.order for entry in entries(text)] == [36]
    assert [entry.puzzle.order for entry in entries(text, box=(2, 3))] == [6] * 36


# boxes


@pytest.mark.parametrize(("height", "width"), [(2, 3), (3, 2), (3, 4), (4, 3), (2, 5), (6, 2), (1, 4), (4, 1)])
def test_a_drawing_shows_its_boxes(height: int, width: int) -> None:
    ruleset = classic(height * width, (height, width))
    layout = layout_named("boxed", ruleset)
    [entry] = entries(
        layout.render(Grid.blank(ruleset.order), ruleset), box=(height, width) if 1 in (height, width) else None
    )
    assert entry.puzzle.ruleset == ruleset


def test_bars_alone_show_the_boxes() -> None:
    assert entries("1 2 3 | . . .\n" * 6)[0].puzzle.ruleset == classic(2 * 3, (2, 3))
    assert entries(".2.|...\n" * 6)[0].puzzle.ruleset == classic(2 * 3, (2, 3))


def test_a_row_of_dashes_between_bars_is_a_row_of_blanks() -> None:
    text = "\n".join(["---|---|---", "1--|---|--9", "---|---|---"] * 3)
    assert entries(text)[0].puzzle.clues.digits[:11] == (0,) * 9 + (1, 0)


@pytest.mark.parametrize("box", [(0, 3), (-1, -9), (100, 100)])
def test_an_impossible_box_is_refused_at_once(box: tuple[int, int]) -> None:
    with pytest.raises(DimensionError):
        read(BytesIO(b""), box=box)


# names and layouts


def test_an_unknown_format_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="there is no format 'csv'; there are "):
        read(BytesIO(b""), format="csv")
    with pytest.raises(UsageError, match="there is no format 'csv'"):
        layout_named("csv", classic(3 * 3, (3, 3)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("line", "1..4............"),
        ("packed", "1..4\n....\n....\n...."),
        ("spaced", "1 0 0 4\n0 0 0 0\n0 0 0 0\n0 0 0 0"),
        (
            "boxed",
            "+-----+-----+\n| 1 . | . 4 |\n| . . | . . |\n+-----+-----+\n| . . | . . |\n| . . | . . |\n+-----+-----+",
        ),
        ("json", '{"grid": [[1, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}'),
    ],
)
def test_layout_by_name(name: str, text: str) -> None:
    [entry] = entries("1..4............")
    assert (
        layout_named(name, entry.puzzle.ruleset, entry.layout).render(entry.puzzle.clues, entry.puzzle.ruleset) == text
    )


def test_another_layout_keeps_the_alphabet() -> None:
    [entry] = entries((FIXTURES / "poj3076.in").read_text().split("\n\n")[0])
    line = layout_named("line", entry.puzzle.ruleset, entry.layout)
    assert same(entry).replace("\n", "").replace("-", ".") == line.render(entry.puzzle.clues, entry.puzzle.ruleset)


def test_json_and_the_user_agree_on_the_box() -> None:
    text = '{"grid": [' + ", ".join(["[0,0,0,0,0,0]"] * 6) + '], "box": [2, 3]}'
    with pytest.raises(InputError, match="found boxes of 2x3, expected 3x2, as requested"):
        parse_one(text, (3, 2))
    assert parse_one(text, (2, 3)).ruleset.box == (2, 3)


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


@pytest.mark.parametrize("symbols", ["ABCDEFGHIJKLMNOP", "123456789ABCDEFG"])
@pytest.mark.parametrize("separator", [",", "\t"])
def test_letters_in_a_sheet_with_empty_cells(symbols: str, separator: str) -> None:
    clues = [digit if cell % 5 else 0 for cell, digit in enumerate(pattern_solution(classic(16)).digits)]
    signs = "".join(symbols[digit - 1] if digit else "." for digit in clues)
    rows = [signs[start : start + 16] for start in range(0, 256, 16)]
    assert parse_one(sheet(rows, separator)).clues.digits == tuple(clues)


def test_a_sheet_that_begins_with_few_letters() -> None:
    few = parse_one("A,B,C,D" + "," * 12 + "\n" + ("," * 15 + "\n") * 14 + "," * 15 + "P\n")
    assert few.clues.digits[:5] == (1, 2, 3, 4, 0)


@pytest.mark.parametrize("separator", ["\t", " ", ";", " ; ", "  \t "])
def test_a_word_as_long_as_the_puzzle_is_its_solution(separator: str) -> None:
    for name in ("", "hard 7.1"):
        [entry] = entries(f"{LINE}{separator}{SOLVED}{separator}{name}\n")
        assert (entry.solution, entry.name) == (parse_one(SOLVED).clues, name)
    [entry] = entries(f"{LINE}{separator}hard 7.1\n")
    assert (entry.solution, entry.name) == (None, "hard 7.1")
    [error] = read(BytesIO(f"{LINE}{separator}{SOLVED[::-1]}\n".encode()), "here")
    assert isinstance(error, InputError)
    assert (error.place.column, error.found[:16]) == (82 + len(separator), "a wrong solution")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_header_names_the_columns(separator: str) -> None:
    lines = ["id solution name quiz", f"7 {SOLVED} hard {LINE}", f"8  hard {LINE}"]
    first, second = entries("\n".join(lines).replace(" ", separator))
    assert (first.puzzle, first.solution) == (parse_one(LINE), parse_one(SOLVED).clues)
    assert (second.puzzle, second.solution) == (parse_one(LINE), None)


def test_a_comma_in_quotes_is_not_a_separator() -> None:
    [entry] = entries(f'name,puzzle,solution\n"A, B ""C"" # 1",{LINE},{SOLVED}\n')
    assert (entry.puzzle, entry.solution) == (parse_one(LINE), parse_one(SOLVED).clues)


def test_a_second_header_names_other_columns() -> None:
    first, second = entries(f"quiz,solution\n{LINE},{SOLVED}\nsolution,quiz\n\n{SOLVED},{LINE}\n")
    assert (
        (first.puzzle, first.solution) == (second.puzzle, second.solution) == (parse_one(LINE), parse_one(SOLVED).clues)
    )
    assert second.place.line == 5


@pytest.mark.parametrize(
    ("text", "name", "error"),
    [
        ('puzzle,solution\n"a",b\rc\n', None, "here:2:6: found U+000D control character, expected text without"),
        ('{"' + "a" * 200_000, "line", "here:1:200003: found 200000 characters, expected at most 3721"),
    ],
    ids=["carriage return", "long field"],
)
def test_faults_of_a_line_with_quotes(text: str, name: str | None, error: str) -> None:
    first = next(read(BytesIO(text.encode()), "here", name))
    assert isinstance(first, InputError)
    assert str(first).startswith(error)
