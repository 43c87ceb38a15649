"""How puzzles are found in a text: formats told apart, alphabets, headers, counts, columns, borders, layouts."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from ringdoku.domain.errors import DimensionError, InputError, UsageError
from ringdoku.domain.geometry import Geometry
from ringdoku.domain.grid import Grid
from ringdoku.formats import FORMATS, OUTPUTS, Entry, layout_named, parse_one, read
from ringdoku.services.generate import pattern_solution

FIXTURES = Path(__file__).parent.parent / "fixtures"
ROWS = (FIXTURES / "b4279.in").read_text().split()
SOLVED_ROWS = (FIXTURES / "b4279.out").read_text().split()
PACKED = "\n".join(ROWS) + "\n"
SPACED = "\n".join(" ".join(row) for row in ROWS) + "\n"
LINE = "".join(ROWS)
SOLVED = "".join(SOLVED_ROWS)
PUZZLE = parse_one(PACKED)


def entries(text: str | bytes, name: str | None = None, box: tuple[int, int] | None = None) -> list[Entry]:
    """The puzzles of a text that has nothing wrong in it."""
    items = list(read(BytesIO(text.encode() if isinstance(text, str) else text), "here", name, box))
    assert [str(item) for item in items if isinstance(item, InputError)] == []
    return [item for item in items if isinstance(item, Entry)]


def same(entry: Entry, grid: Grid | None = None) -> str:
    return entry.layout.render(grid or entry.puzzle.clues, entry.puzzle.geometry)


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
def test_fixture_is_read_and_its_solutions_are_laid_out_alike(name: str, form: str, count: int) -> None:
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
def test_same_layout_gives_the_text_back(text: str, blank: str) -> None:
    text = text.replace(".", blank)
    [entry] = entries(text)
    assert same(entry) + "\n" == text


@pytest.mark.parametrize("text", [DRAWN, UNICODE, DASHED + "\n"])
def test_a_drawing_is_drawn_the_same_way(text: str) -> None:
    [entry] = entries(text)
    assert same(entry) + "\n" == text


def test_blank_lines_between_bands_are_kept() -> None:
    text = "\n\n".join("\n".join(ROWS[band : band + 3]) for band in (0, 3, 6))
    [entry] = entries(text)
    assert same(entry) == text


def test_a_drawing_for_the_terminal_is_read_back() -> None:
    marked = UNICODE.replace("8 · ·", "8'· 2 ")
    summaries = "solved by cadical195 in 1.2 ms\n\n", "score 12, proved best by rc2 in 2.00 s\n\n"
    drawn = f"a file.txt:7\n{marked}{summaries[0]}Grid 02\n{UNICODE}{summaries[1]}"
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


def test_headers_of_a_drawing_are_passed_over() -> None:
    text = f"experiment: 3x3\nnumber of tasks: 2\ntask: 1\npuzzle size: 3x3\n{DRAWN}\n\ntask: 2\n{DRAWN}"
    assert [entry.puzzle for entry in entries(text)] == [PUZZLE, PUZZLE]


@pytest.mark.parametrize("name", [None, "line", "packed", "spaced", "boxed"])
def test_puzzles_of_order_one(name: str | None) -> None:
    assert [entry.puzzle.clues.digits for entry in entries("1\n.\n0\n", name)] == [(1,), (0,), (0,)]


def test_above_one_a_single_number_is_a_count_even_for_order_one() -> None:
    assert [entry.puzzle.clues.digits for entry in entries("2\n1\n.\n")] == [(1,), (0,)]


def test_equally_long_lines_of_digits_are_rows_not_a_count() -> None:
    [entry] = entries("1234\n3412\n2143\n4321\n")
    assert entry.puzzle.clues.is_full


# the line format


def test_what_follows_a_puzzle_on_its_line_is_its_name() -> None:
    named = entries(f"{LINE} # from a book, page 3\n{LINE} hard 7.1\n{LINE}\n")
    assert [entry.name for entry in named] == ["from a book, page 3", "hard 7.1", ""]


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


def test_csv_without_a_solution() -> None:
    assert [entry.solution for entry in entries(f"puzzle,solution\n{LINE}\n{LINE},\n")] == [None, None]


def test_a_wrong_solution_passes_when_it_is_not_to_be_verified() -> None:
    [entry] = read(BytesIO(f"{LINE},{SOLVED[::-1]}\n".encode()), verify=False)
    assert isinstance(entry, Entry)
    assert entry.solution == parse_one(SOLVED[::-1]).clues


# orders and alphabets


@pytest.mark.parametrize(
    ("row", "digits", "symbols"),
    [
        ("1...............", (1,), "123456789ABCDEFG"),
        ("1A..............", (1, 10), "123456789ABCDEFG"),
        ("1g0-............", (1, 16, 0, 0), "123456789ABCDEFG"),
        ("A---------------", (1,), "ABCDEFGHIJKLMNOP"),
        ("ap--------------", (1, 16), "ABCDEFGHIJKLMNOP"),
        ("0F..............", (1, 16), "0123456789ABCDEF"),
        ("0G..............", (0, 7), "ABCDEFGHIJKLMNOP"),
        ("01G.............", (0, 1, 16), "123456789ABCDEFG"),
    ],
)
def test_alphabet_of_sixteen(row: str, digits: tuple[int, ...], symbols: str) -> None:
    text = "\n".join([row, *[row[-1] * 16] * 15])
    [entry] = entries(text, "packed")
    assert entry.puzzle.clues.digits[: len(digits)] == digits
    assert entry.layout.symbols == symbols
    [entry] = entries(text.replace("\n", ""))
    assert entry.puzzle.clues.digits[: len(digits)] == digits


def test_letters_apart() -> None:
    text = "\n".join([" ".join("A.C............P")] + [" ".join("................")] * 15)
    [entry] = entries(text)
    assert entry.puzzle.clues.digits[:16] == (1, 0, 3, *[0] * 12, 16)
    assert same(entry) == text


def test_lower_case_is_a_digit_of_its_own_above_36() -> None:
    [entry] = entries("Aa" + "." * 47 + ("\n" + "." * 49) * 48)
    assert entry.puzzle.clues.digits[:2] == (10, 36)


@pytest.mark.parametrize("name", ["line", "packed"])
def test_one_character_a_cell_has_an_end(name: str) -> None:
    with pytest.raises(UsageError, match="order 64 is above 61"):
        layout_named(name, Geometry(8, 8))


def test_sixteen_characters_are_one_puzzle_or_one_row() -> None:
    assert [entry.puzzle.order for entry in entries("1..4............\n" * 16)] == [4] * 16
    assert [entry.puzzle.order for entry in entries("1..5............\n" * 16)] == [16]
    assert [entry.puzzle.order for entry in entries("1..4............\n" * 16, "packed")] == [16]
    assert [entry.puzzle.order for entry in entries("1..4............\n" * 16, box=(4, 4))] == [16]
    assert [entry.puzzle.order for entry in entries("................\n" * 16)] == [16]
    assert [entry.puzzle.order for entry in entries("................\n" * 17)] == [4] * 17


def test_thirty_six_characters_are_a_row_where_nothing_says_that_boxes_are_oblong() -> None:
    text = f"{'1..6':.<36}\n" * 36
    assert [entry.puzzle.order for entry in entries(text)] == [36]
    assert [entry.puzzle.order for entry in entries(text, box=(2, 3))] == [6] * 36


# boxes


@pytest.mark.parametrize(
    ("form", "text"), [("packed", "12.4.6\n" * 6), ("spaced", "1 2 . 4 . 6\n" * 6), ("line", "12.4.6" * 6)]
)
def test_a_box_shape_is_given(form: str, text: str) -> None:
    [entry] = entries(text, box=(3, 2))
    assert entry.layout.format == form
    assert entry.puzzle.geometry == Geometry(3, 2)


@pytest.mark.parametrize(("height", "width"), [(2, 3), (3, 2), (3, 4), (4, 3), (2, 5), (6, 2), (1, 4), (4, 1)])
def test_a_drawing_shows_its_boxes(height: int, width: int) -> None:
    geometry = Geometry(height, width)
    layout = layout_named("boxed", geometry)
    [entry] = entries(
        layout.render(Grid.blank(geometry.order), geometry), box=(height, width) if 1 in (height, width) else None
    )
    assert entry.puzzle.geometry == geometry


def test_bars_alone_show_the_boxes() -> None:
    assert entries("1 2 3 | . . .\n" * 6)[0].puzzle.geometry == Geometry(2, 3)
    assert entries(".2.|...\n" * 6)[0].puzzle.geometry == Geometry(2, 3)


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
        layout_named("csv", Geometry(3, 3))


def test_outputs_are_the_formats_and_same() -> None:
    assert set(OUTPUTS) == {"same", *FORMATS} - {"json"}


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
        layout_named(name, entry.puzzle.geometry, entry.layout).render(entry.puzzle.clues, entry.puzzle.geometry)
        == text
    )


def test_another_layout_keeps_the_alphabet() -> None:
    [entry] = entries((FIXTURES / "poj3076.in").read_text().split("\n\n")[0])
    line = layout_named("line", entry.puzzle.geometry, entry.layout)
    assert same(entry).replace("\n", "").replace("-", ".") == line.render(entry.puzzle.clues, entry.puzzle.geometry)


def test_json_has_the_box_when_it_is_not_square() -> None:
    [entry] = entries((FIXTURES / "boxed-6x6.in").read_text())
    text = layout_named("json", entry.puzzle.geometry).render(entry.puzzle.clues, entry.puzzle.geometry)
    assert entries(text)[0].puzzle == entry.puzzle


def test_json_and_the_user_agree_on_the_box() -> None:
    text = '{"grid": [' + ", ".join(["[0,0,0,0,0,0]"] * 6) + '], "box": [2, 3]}'
    with pytest.raises(InputError, match="found boxes of 2x3, expected 3x2, as was asked for"):
        parse_one(text, (3, 2))
    assert parse_one(text, (2, 3)).geometry.box_height == 2


def test_rows_in_groups_are_no_headers() -> None:
    # DECF 87BA G154 9263 is no name with a number
    solution = list(pattern_solution(Geometry.of_order(16)).digits)
    for name in range(40):
        digits = Random(name).sample(range(1, 17), 16)
        rows = [
            "".join("123456789ABCDEFG"[digits[digit - 1] - 1] for digit in solution[i : i + 16])
            for i in range(0, 256, 16)
        ]
        text = "".join(" ".join(row[i : i + 4] for i in range(0, 16, 4)) + "\n" for row in rows)
        assert parse_one(text, (4, 4)).clues.digits == tuple(digits[digit - 1] for digit in solution)


def test_a_byte_order_mark_is_no_part_of_a_long_line() -> None:
    blank = json.dumps({"grid": [[0] * 196] * 196})
    assert len(blank) > 2**16
    [item] = read(BytesIO(BOM_UTF8 + blank.encode()))
    assert isinstance(item, Entry)
    [item] = read(BytesIO(BOM_UTF8 + b"1" * (2**16 + 1)))
    assert isinstance(item, InputError)
    assert "a line of more than" in str(item)


@pytest.mark.parametrize("text", ["0\nend\n1234\n", "0\n[Comment]\n1234\n"])
def test_a_count_of_nothing_is_no_puzzle(text: str) -> None:
    with pytest.raises(InputError, match="expected a puzzle"):
        parse_one(text)
