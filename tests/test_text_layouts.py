"""How puzzles are found and written: every layout, columns and spreadsheets, headers, counts, sizes."""

from io import BytesIO
from random import Random

import pytest
from conftest import FIXTURES
from texts import LINE, PACKED, PUZZLE, ROWS, SOLVED, SPACED, entries, same

from ringdoku.domain import DimensionError, Grid, InputError, UsageError, classic, pattern_solution
from ringdoku.text import Entry, ReadOptions, layout_named, parse_one, read

FULL = parse_one(SOLVED).clues
COUNTS = {"poj2676": 2, "poj3074": 2, "poj3076": 2, "euler96": 3, "csv": 3}
FORMS = {"poj3074": "line", "csv": "line", "nyoj722": "spaced", "p1074-1": "spaced", "p1074-2": "spaced"}
FORMS |= dict.fromkeys(("ss", "boxed-6x6", "boxed-12x12"), "boxed")


@pytest.mark.parametrize("name", ["b4279", "poj2676", "poj3076", "euler96", "sdk", *FORMS])
def test_a_fixture_is_read_and_its_solutions_have_its_layout(name: str) -> None:
    puzzles, form = entries((FIXTURES / f"{name}.in").read_bytes()), FORMS.get(name, "packed")
    assert [entry.layout.format for entry in puzzles] == [form] * COUNTS.get(name, 1)
    expected = (FIXTURES / f"{name}.out").read_text()
    if name.startswith("p1074"):
        return
    written = ""
    for entry, solution in zip(puzzles, entries(expected, form), strict=True):
        assert solution.puzzle.clues.is_full
        gap = "\n" if entry.layout.gap and written else ""
        written += f"{gap}{same(entry, solution.puzzle.clues)}\n"
    assert written == expected


# one puzzle, many ways

BANDS = "\n\n".join("\n".join(ROWS[band : band + 3]) for band in (0, 3, 6)) + "\n"
DRAWN = (FIXTURES / "ss.in").read_text()


def in_boxes(bar: str, border: str, joiner: str = "", ends: tuple[str, str, str] = ("", "", "")) -> str:
    """The puzzle with bars between boxes and a border between bands; `ends`: above it, around a row, and below."""
    above, around, below = ends
    rows = [bar.join(joiner.join(row[start : start + 3]) for start in (0, 3, 6)) for row in ROWS]
    lines = [f"{around}{row}{around[::-1]}" for row in rows]
    for band in (6, 3):
        lines.insert(band, border)
    return "\n".join([*filter(None, [above]), *lines, *filter(None, [below])]) + "\n"


STARS = in_boxes("|", " |---+---+---|", ends=(" *-----------*", " |", " *-----------*")).replace("| \n", "|\n")
UNICODE = in_boxes(
    " ║ ", "╠═══════╬═══════╬═══════╣", " ", ("╔═══════╦═══════╦═══════╗", "║ ", "╚═══════╩═══════╩═══════╝")
).replace(".", "·")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        *((PACKED.replace(".", blank), "packed") for blank in ".0_*?-"),
        *((SPACED.replace(".", blank), "spaced") for blank in (".", "0", "-", "*")),
        *((SPACED.replace(" ", gap), "spaced") for gap in ("\t", ", ", ",")),
        *((f"{LINE}\n".replace(".", blank), "line") for blank in ".0*"),
        (BANDS, "packed"),
        ("\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in ROWS) + "\n", "packed"),
        (STARS, "boxed"),
        (STARS.replace("|...|..7|59.|", "| ... | ..7 | 59. |"), "boxed"),
        (UNICODE, "boxed"),
        (in_boxes("|", "---+---+---").replace(".", "-"), "boxed"),
        (in_boxes(" | ", "------+------+------", " "), "boxed"),
    ],
)
def test_one_puzzle_is_printed_as_it_is_written(text: str, form: str) -> None:
    [entry] = entries(text)
    assert (entry.puzzle, entry.layout.format) == (PUZZLE, form)
    assert same(entry) + "\n" == text


@pytest.mark.parametrize(
    "text",
    [
        PACKED.replace("\n", "\r\n"),
        PACKED.replace("\n", " \t\n"),
        SPACED.replace("\n", " \n", 3),
        PACKED.rstrip("\n"),
        "\ufeff" + PACKED,
        "[Puzzle]\n" + PACKED + "[State]\n" + PACKED.replace("1", ".") + "[PencilMarks]\n.12.3\n",
        PACKED + "end\nwhatever follows\n",
        LINE + "\nend\n",
        SPACED.replace(" ", ",").replace("\n", ",\n"),
        *(text + "0\n" for text in (PACKED, SPACED, LINE + "\n")),
        *(text.replace("\n", " # a | b, 5\n") + "#" for text in (PACKED, SPACED, in_boxes("|", "---+---+---"))),
    ],
)
def test_one_puzzle_written_in_other_ways(text: str) -> None:
    assert [entry.puzzle for entry in entries(text)] == [PUZZLE]


@pytest.mark.parametrize(
    "summaries",
    [
        ("solved (cadical195, 1.2 ms)", "score 12, the best (rc2, 2.00 s); ' marks a clue"),
        ("solved by cadical195 in 1.2 ms", "score 12, the best, by the word of CP-SAT (lp-sat, 2.00 s)"),
        ("solved; ' marks a clue", "score -12, the best, by the word of the solver"),
        ("score 12, not proved best; ' marks a clue", "no solution, by the word of the solver; ' marks a clue"),
    ],
)
def test_a_drawing_for_the_terminal_is_read_back(summaries: tuple[str, str]) -> None:
    marked = UNICODE.replace("8 · ·", "8'· 2 ")
    drawn = f"a file.txt:7\n{marked}{summaries[0]}\n\nGrid 02\n{UNICODE}{summaries[1]}\n\n"
    first, second = entries(drawn)
    assert first.puzzle.clues.digits[:9] == (1, 7, 0, 5, 0, 0, 8, 0, 2)
    assert (second.puzzle, second.name) == (PUZZLE, "Grid 02")


def test_aligned_columns_stay_aligned_and_rows_in_groups_are_not_headers() -> None:
    rows = [[(4 * (row % 4) + row // 4 + column) % 16 + 1 for column in range(16)] for row in range(16)]
    text = "\n".join(" ".join(f"{digit:2}" for digit in row) for row in rows)
    assert same(entries(text)[0]) == text
    # DECF 87BA G154 9263 is not a name with a number
    solution = list(pattern_solution(classic(16)).digits)
    for name in range(40):
        digits = Random(name).sample(range(1, 17), 16)
        signs = "".join("123456789ABCDEFG"[digits[digit - 1] - 1] for digit in solution)
        text = "".join(f"{signs[i : i + 4]}{' ' if i % 16 < 12 else chr(10)}" for i in range(0, 256, 4))
        assert parse_one(text, (4, 4)).clues.digits == tuple(digits[digit - 1] for digit in solution)


# several puzzles, counts and sizes


@pytest.mark.parametrize("text", [PACKED, SPACED])
@pytest.mark.parametrize("count", ["", "2\n", "# two\n2\n\n"])
@pytest.mark.parametrize("between", ["", "\n", "\n\n# next\n", "\n9\n"])
def test_two_puzzles(text: str, count: str, between: str) -> None:
    first, second = entries(count + text + between + text)
    assert (first.puzzle, second.puzzle) == (PUZZLE, PUZZLE)
    assert (first.layout.gap, second.layout.gap) == (False, bool(between))
    assert second.place.line == first.place.line + 9 + between.count("\n")


def test_headers_name_the_puzzles_and_others_are_skipped() -> None:
    named = entries(f"Grid 01\n{PACKED}Grid 02\n{PACKED}\nCase #3:\n{PACKED}task: 4\npuzzle size: 3x3\n{PACKED}")
    assert [entry.name for entry in named] == ["Grid 01", "Grid 02", "Case #3", ""]
    assert [entry.place.line for entry in named] == [2, 12, 23, 34]
    text = f"Title: One\nBy: Ann # B\nrules: See r1c1: {'word' * 5}.\nRules:\nRules:Two.\n\n{PACKED}\n{PACKED}"
    first, second = entries(text)
    assert (first.name, first.author, first.about) == ("One", "Ann # B", f"See r1c1: {'word' * 5}.\n\nTwo.")
    assert (second.name, second.author, second.about) == ("", "", "")


@pytest.mark.parametrize("name", [None, "line", "packed", "spaced"])
def test_puzzles_of_order_one_where_they_were_asked_for(name: str | None) -> None:
    for text, digits in (("1\n.\n0\n", [1, 0, 0]), ("2\n1\n.\n", [1, 0]), ("0\n1\n0\n", [0, 1, 0])):
        # above 1 a number is a count
        assert [entry.puzzle.clues.digits[0] for entry in entries(text, name, (1, 1))] == digits


@pytest.mark.parametrize(
    ("before", "cells", "after", "found"),
    [
        (PACKED, "1\n", "", "a single cell"),
        (LINE + "\n", ".\n", LINE + "\n", "1 character"),
        (SPACED, "5\n", SPACED, "'5'"),
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
    assert error.expected.startswith(("a puzzle", "n²"))
    assert not [item for item in items if isinstance(item, Entry) and item.puzzle.order == 1]
    assert not after.strip("+-| 2\n") or isinstance(items[-1], Entry)


def test_another_format_too_few_puzzles_and_lost_digits_are_errors() -> None:
    first, *others = read(BytesIO(f"{SPACED}\n{PACKED}".encode()), "here")
    assert isinstance(first, Entry)
    assert str(others[0]) == "here:11:1: found '17.5..8..', expected a puzzle in the format of the first one"
    assert len(others) == 9
    *puzzles, error = read(BytesIO(f"3\n{PACKED}{PACKED}".encode()), "here")
    assert len(puzzles) == 2
    assert str(error) == "here:20:1: found the end of the input after 2, expected 3 puzzles, as line 1 says"
    for text in ("0\nend\n1234\n", "0\n[Comment]\n1234\n"):
        with pytest.raises(InputError, match="expected a puzzle"):
            parse_one(text)
    with pytest.raises(InputError, match=r"^<text>:3:5: found an empty cell, expected a mark"):
        parse_one("1,0,3,4\n3,4,0,0\n2,1,,3\n4,3,2,1\n")


@pytest.mark.parametrize("size", ["9 9", "3 3", "9,9", "9", "3"])
@pytest.mark.parametrize("text", [PACKED, SPACED, STARS, in_boxes(" | ", "------+------+------", " ")])
def test_a_line_with_the_size_of_the_grid_below(size: str, text: str) -> None:
    for between in ("", "\n"):
        assert [entry.puzzle for entry in entries(f"{size}\n{text}{between}" * 2 + "0\n")] == [PUZZLE, PUZZLE]
    assert [entry.puzzle for entry in entries(f"2\n{size}\n{text}{size}\n{text}")] == [PUZZLE, PUZZLE]
    assert [entry.puzzle for entry in entries(f"{size}\n{text}")] == [PUZZLE]


@pytest.mark.parametrize("text", ["1 2\n2 1\n", "2 1\n1 2\n"])
def test_a_row_of_a_small_puzzle_is_not_a_size(text: str) -> None:
    assert [entry.puzzle.order for entry in entries(text, box=(1, 2))] == [2]


# lines with other text


@pytest.mark.parametrize(
    ("text", "solution", "name"),
    [
        (f"puzzle,solution\n{LINE},{SOLVED}\n", FULL, ""),
        (f"quizzes,solutions\r\n{LINE},{SOLVED}\r\n", FULL, ""),
        (f'"puzzle","solution"\n"{LINE}","{SOLVED}"\n', FULL, ""),
        (f"{LINE},{SOLVED}\n", FULL, ""),
        (f"id, solution, question\n1, {SOLVED}, {LINE}\n", FULL, "1"),
        (f"id;solution;name;quiz\n7;{SOLVED};hard;{LINE}\n", FULL, "7 hard"),
        (f"id\tsolution\tname\tquiz\n8\t\thard\t{LINE}\n", None, "8 hard"),
        (f'name,puzzle,solution\n"A, B ""C"" # 1",{LINE},{SOLVED}\n', FULL, "A B C # 1"),
        *((f"{LINE}{gap}{SOLVED}{gap}hard 7.1\n", FULL, "hard 7.1") for gap in ("\t", " ", ";", " ; ", "  \t ")),
        *((f"{LINE}{gap}hard 7.1\n", None, "hard 7.1") for gap in ("\t", " ", ";", " # ")),
    ],
)
def test_other_fields_of_a_line_are_its_solution_and_its_name(text: str, solution: Grid | None, name: str) -> None:
    [entry] = entries(text)
    assert (entry.puzzle, entry.solution, entry.name) == (parse_one(LINE), solution, name)


def test_a_second_header_names_other_columns_and_a_wrong_solution_is_an_error() -> None:
    first, second = entries(f"quiz,solution\n{LINE},{SOLVED}\nsolution,quiz\n\n{SOLVED},{LINE}\n")
    assert (first.puzzle, first.solution) == (second.puzzle, second.solution) == (parse_one(LINE), FULL)
    assert second.place.line == 5
    text = f"{LINE};{SOLVED[::-1]}\n".encode()
    [error] = read(BytesIO(text), "here")
    assert isinstance(error, InputError)
    assert (error.place.line, error.found[:16]) == (1, "a wrong solution")
    [entry] = read(BytesIO(text), "here", ReadOptions(verify=False))
    assert isinstance(entry, Entry)
    assert entry.solution == parse_one(SOLVED[::-1]).clues


def test_a_long_field_of_a_line_is_no_json() -> None:
    error = next(read(BytesIO(b'{"' + b"a" * 200_000), "here", ReadOptions(format="line")))
    assert str(error).startswith("here:1:200003: found 200002 characters, expected at most 3721")


# orders and alphabets


@pytest.mark.parametrize(
    ("row", "count", "name", "box", "orders"),
    [
        ("1..4............", 16, None, None, [4] * 16),
        ("1..5............", 16, None, None, [16]),
        ("1..4............", 16, "packed", None, [16]),
        ("1..4............", 16, None, (4, 4), [16]),
        ("................", 16, None, None, [16]),
        ("................", 17, None, None, [4] * 17),
        (f"{'1..6':.<36}", 36, None, None, [36]),
        (f"{'1..6':.<36}", 36, None, (2, 3), [6] * 36),
        ("1..5............ # row", 16, None, None, [16]),
    ],
)
def test_puzzles_or_rows(
    row: str, count: int, name: str | None, box: tuple[int, int] | None, orders: list[int]
) -> None:
    assert [entry.puzzle.order for entry in entries(f"{row}\n" * count, name, box)] == orders


# boxes


def test_bars_alone_show_the_boxes_and_json_agrees_with_the_user() -> None:
    assert entries("1 2 3 | . . .\n" * 6)[0].puzzle.ruleset == classic(2 * 3, (2, 3))
    assert entries(".2.|...\n" * 6)[0].puzzle.ruleset == classic(2 * 3, (2, 3))
    text = "\n".join(["---|---|---", "1--|---|--9", "---|---|---"] * 3)
    assert entries(text)[0].puzzle.clues.digits[:11] == (0,) * 9 + (1, 0)
    text = '{"grid": [' + ", ".join(["[0,0,0,0,0,0]"] * 6) + '], "box": [2, 3]}'
    with pytest.raises(InputError, match="found boxes of 2x3 in the rules, expected 3x2, as requested"):
        parse_one(text, (3, 2))
    assert parse_one(text, (2, 3)).ruleset.box == (2, 3)


# names and layouts


def test_an_unknown_format_and_an_impossible_box_are_refused_at_once() -> None:
    for box in ((0, 3), (-1, -9), (100, 100)):
        with pytest.raises(DimensionError):
            read(BytesIO(b""), "here", ReadOptions(box=box))
    with pytest.raises(UsageError, match="there is no format 'csv'; there are "):
        read(BytesIO(b""), "here", ReadOptions(format="csv"))
    with pytest.raises(UsageError, match="there is no format 'csv'"):
        layout_named("csv", classic(3 * 3, (3, 3)))
    for name in ("line", "packed"):
        with pytest.raises(UsageError, match="order 64 is above 61"):
            layout_named(name, classic(8 * 8, (8, 8)))


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
    puzzle = entry.puzzle
    assert layout_named(name, puzzle.ruleset, entry.layout).render(puzzle.clues, puzzle.ruleset) == text


# spreadsheets


def sheet(rows: list[str], separator: str) -> str:
    return "".join(separator.join(row).replace(".", "") + "\n" for row in rows)


@pytest.mark.parametrize("separator", [",", "\t", ", "])
@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_an_empty_cell_between_separators_is_blank(separator: str, end: str) -> None:
    shifted = [ROWS[shift:] + ROWS[:shift] for shift in range(3)]
    cut = [[clue + "." * 8, *ROWS[:8]] for clue in "19"]
    for rows in (*shifted, *cut, [*ROWS[:3], "." * 9, *ROWS[4:8], "." * 9]):
        found = entries(f"{sheet(rows, separator)}\n{sheet(ROWS, separator)}".replace("\n", end))
        assert [entry.puzzle for entry in found] == [parse_one("\n".join(rows)), PUZZLE]


@pytest.mark.parametrize("separator", [",", "\t"])
def test_no_sheet_is_read_a_row_too_low_or_with_too_few_cells(separator: str) -> None:
    for row in ("7,,,,,,,", "7", "1,2,,,,,,,,", "1,,2,,3,,4"):
        text = sheet([ROWS[0], *ROWS[:7]], separator) + row.replace(",", separator) + "\n"
        with pytest.raises(InputError, match=r"an empty cell, expected a mark|9 in this row"):
            parse_one(text)
    full, open_at_top = sheet(ROWS, separator), sheet(["." * 9, *ROWS[1:]], separator)
    empty = separator * 8 + "\n"
    texts = [full + empty + full, empty + full + empty, open_at_top, open_at_top + empty, open_at_top + full]
    texts += [open_at_top + open_at_top, full + open_at_top, full + empty + open_at_top, full + full]
    right = {PUZZLE.clues, parse_one("\n".join(["." * 9, *ROWS[1:]])).clues}
    found = [item.puzzle.clues for text in texts for item in read(BytesIO(text.encode())) if isinstance(item, Entry)]
    assert right.issuperset(found)


@pytest.mark.parametrize("row", ["\t1\t2\t3\t4", "1,\t2,\t3,\t4", "1,2,3,4,", "1 2 3 4\t"])
def test_separators_without_empty_cells(row: str) -> None:
    assert parse_one(f"{row}\n" * 4).clues.digits == (1, 2, 3, 4) * 4
