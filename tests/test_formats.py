"""How puzzles are found in a text: formats, headers, counts, sizes, borders, several puzzles."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from io import BytesIO
from random import Random

import pytest
from texts import FIXTURES, LINE, PACKED, PUZZLE, ROWS, SPACED, entries, same

from ringdoku.domain.errors import InputError, UsageError
from ringdoku.domain.ruleset import classic
from ringdoku.services.generate import pattern_solution
from ringdoku.text import FORMATS, Entry, parse_one, read

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


@pytest.mark.parametrize("text", [DRAWN, UNICODE, DASHED + "\n"])
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


def test_an_irregular_drawing_becomes_the_usual_one() -> None:
    [entry] = entries(DRAWN.replace("|...|..7|59.|", "| ... | ..7 | 59. |"))
    assert same(entry).startswith("+-------+-------+-------+\n| 1 7 . | 5 . . | 8 . . |\n")


def test_aligned_columns_stay_aligned() -> None:
    rows = [[(4 * (row % 4) + row // 4 + column) % 16 + 1 for column in range(16)] for row in range(16)]
    text = "\n".join(" ".join(f"{digit:2}" for digit in row) for row in rows)
    [entry] = entries(text)
    assert same(entry) == text


def test_ragged_numbers_are_separated_by_one_space() -> None:
    [entry] = entries("1 2   0 4\n" * 4)
    assert same(entry) == "\n".join(["1 2 0 4"] * 4)


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


@pytest.mark.parametrize(("name", "box"), [*((name, None) for name in FORMATS if name != "json"), (None, (1, 1))])
def test_puzzles_of_order_one_where_they_were_asked_for(name: str | None, box: tuple[int, int] | None) -> None:
    assert [entry.puzzle.clues.digits for entry in entries("1\n.\n0\n", name, box)] == [(1,), (0,), (0,)]
    # above 1 a number is a count
    assert [entry.puzzle.clues.digits for entry in entries("2\n1\n.\n", name, box)] == [(1,), (0,)]


@pytest.mark.parametrize(
    ("before", "cells", "after", "found"),
    [
        (PACKED, "1\n", "", "a single cell"),
        (DRAWN, "1\n", "", "a single cell"),
        (LINE + "\n", ".\n", LINE + "\n", "1 character"),
        (SPACED, "5\n", SPACED, "'5'"),
        ("", "1\n", "", "a single cell"),
        ("", "7\n0\n0\n9\n", "", "4 lines of one cell"),
        ("", "1\n1\n", PACKED, "2 lines of one cell"),
        ("", "+---+\n| 1 |\n+---+\n", "+---+\n| 2 |\n+---+\n", "2 lines of one cell"),
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
        puzzle, error = read(BytesIO(f"{size}\n{PACKED}".encode()), "here")
        assert isinstance(puzzle, Entry)
        assert str(error) == (
            f"here:11:1: found the end of the input after 1, expected {size} puzzles, as line 1 says; "
            "pass --first-line order, or leave that line out, if it is the size of the puzzle"
        )


@pytest.mark.parametrize(
    ("first", "text", "expected"),
    [
        ("order", f"9\n{PACKED}", [81]),
        ("order", f"3\n{SPACED}3\n{SPACED}", [81, 81]),
        ("count", f"1\n{PACKED}", [81]),
        ("count", f"2\n9\n{PACKED}9\n{PACKED}", [81, 81]),
        ("none", PACKED, [81]),
        ("none", "1 2\n2 1\n", [4]),
        ("order", f"1\n{PACKED}", "found '1', expected the order of the puzzle below, or of its boxes"),
        ("order", PACKED, "found '17.5..8..', expected the order of the puzzle below, or of its boxes"),
        ("count", PACKED, "found '17.5..8..', expected the number of puzzles, as --first-line says"),
        ("none", f"1\n{PACKED}", "found a single cell, expected a puzzle"),
    ],
)
def test_the_first_line_is_what_the_caller_says(first: str, text: str, expected: list[int] | str) -> None:
    box = (1, 2) if text.startswith("1 2") else None
    items = list(read(BytesIO(text.encode()), "here", box=box, first_line=first))
    if isinstance(expected, str):
        assert expected in str(next(item for item in items if isinstance(item, InputError)))
    else:
        assert [isinstance(item, Entry) and len(item.puzzle.clues.digits) for item in items] == expected
    with pytest.raises(UsageError, match="the first line is order, count, none, not 'x'"):
        read(BytesIO(b""), first_line="x")


@pytest.mark.parametrize("text", ["1 2\n2 1\n", "2 1\n1 2\n"])
def test_a_row_of_a_small_puzzle_is_not_a_size(text: str) -> None:
    assert [entry.puzzle.order for entry in entries(text, box=(1, 2))] == [2]


def test_equally_long_lines_of_digits_are_rows_not_a_count() -> None:
    [entry] = entries("1234\n3412\n2143\n4321\n")
    assert entry.puzzle.clues.is_full


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
