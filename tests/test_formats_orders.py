"""Columns, alphabets, boxes and layouts of puzzles of every order."""

from __future__ import annotations

from io import BytesIO

import pytest
from texts import FIXTURES, LINE, PUZZLE, SOLVED, entries, same

from ringdoku.domain.errors import DimensionError, InputError, UsageError
from ringdoku.domain.grid import Grid
from ringdoku.domain.ruleset import classic
from ringdoku.text import FORMATS, OUTPUTS, Entry, layout_named, parse_one, read

# the line format


def test_text_after_a_puzzle_on_its_line_is_its_name() -> None:
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
        ("0F..............", (1, 16), "0123456789ABCDEF"),
    ],
)
def test_alphabet_of_sixteen(row: str, digits: tuple[int, ...], symbols: str) -> None:
    text = "\n".join([row, *[row[-1] * 16] * 15])
    [entry] = entries(text, "packed")
    assert entry.puzzle.clues.digits[: len(digits)] == digits
    assert entry.layout.symbols == symbols
    [entry] = entries(text.replace("\n", ""))
    assert entry.puzzle.clues.digits[: len(digits)] == digits


def test_separate_letters() -> None:
    text = "\n".join([" ".join("A.C............P")] + [" ".join("................")] * 15)
    [entry] = entries(text)
    assert entry.puzzle.clues.digits[:16] == (1, 0, 3, *[0] * 12, 16)
    assert same(entry) == text


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


@pytest.mark.parametrize(
    ("form", "text"), [("packed", "12.4.6\n" * 6), ("spaced", "1 2 . 4 . 6\n" * 6), ("line", "12.4.6" * 6)]
)
def test_a_box_shape_is_given(form: str, text: str) -> None:
    [entry] = entries(text, box=(3, 2))
    assert entry.layout.format == form
    assert entry.puzzle.ruleset == classic(3 * 2, (3, 2))


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


def test_outputs_are_same_and_the_formats() -> None:
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
        layout_named(name, entry.puzzle.ruleset, entry.layout).render(entry.puzzle.clues, entry.puzzle.ruleset) == text
    )


def test_another_layout_keeps_the_alphabet() -> None:
    [entry] = entries((FIXTURES / "poj3076.in").read_text().split("\n\n")[0])
    line = layout_named("line", entry.puzzle.ruleset, entry.layout)
    assert same(entry).replace("\n", "").replace("-", ".") == line.render(entry.puzzle.clues, entry.puzzle.ruleset)


def test_json_has_the_box_when_it_is_not_square() -> None:
    [entry] = entries((FIXTURES / "boxed-6x6.in").read_text())
    text = layout_named("json", entry.puzzle.ruleset).render(entry.puzzle.clues, entry.puzzle.ruleset)
    assert entries(text)[0].puzzle == entry.puzzle


def test_json_and_the_user_agree_on_the_box() -> None:
    text = '{"grid": [' + ", ".join(["[0,0,0,0,0,0]"] * 6) + '], "box": [2, 3]}'
    with pytest.raises(InputError, match="found boxes of 2x3, expected 3x2, as requested"):
        parse_one(text, (3, 2))
    assert parse_one(text, (2, 3)).ruleset.box == (2, 3)
