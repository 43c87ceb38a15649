"""Free text above puzzles is skipped in every format, and no puzzle is skipped with it."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from ringdoku.domain.errors import InputError
from ringdoku.text import Entry, parse_one, read

FIXTURES = Path(__file__).parent.parent / "fixtures"
ROWS = (FIXTURES / "b4279.in").read_text().split()
PACKED = "\n".join(ROWS) + "\n"
# the first column is blank: in CSV it would be a puzzle of order 1
SPACED = (FIXTURES / "nyoj722.in").read_text().partition("\n")[2].replace("\n8", "\n0")
LETTERS = (FIXTURES / "poj3076.in").read_text().partition("\n\n")[0] + "\n"
GRIDS = {
    "packed": PACKED,
    "spaced": SPACED,
    "commas": SPACED.replace(" ", ","),
    "line": "".join(ROWS) + "\n",
    "boxed": "".join(f"{row[:3]}|{row[3:6]}|{row[6:]}\n" for row in ROWS),
    "4x4": "1..4\n....\n....\n4..1\n",
    "16x16": LETTERS,
}
TITLES = [
    "Sudoku",
    "puzzle",
    "Sudoku, hard",
    "Sudoku; hard",
    "My sudoku",
    "Hard",
    "No. 5",
    "// x",
    "9x9",
    "=== Level 5 ===",
    '"title"',
    "Sudoku 2024-05-17",
    "Übung\n\nschwer",
]


@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_skipped(title: str) -> None:
    for name, grid in GRIDS.items():
        [entry] = read(BytesIO(f"{title}\n{grid}".encode()))
        assert isinstance(entry, Entry), name
        assert entry.puzzle == parse_one(grid), name


def lines_of(kind: str) -> list[str]:
    return (FIXTURES / "above" / f"{kind}.txt").read_text().splitlines()


@pytest.mark.parametrize("line", lines_of("rules"))
def test_a_rule_in_other_words_is_that_rule_or_an_error(line: str) -> None:
    for name, grid in (("packed", PACKED), ("spaced", SPACED), ("line", GRIDS["line"])):
        first, *_ = read(BytesIO(f"{line}\n{grid}".encode()))
        if isinstance(first, Entry):
            assert len(first.puzzle.ruleset.constraints) == 3, name
        else:
            assert first.place.line == 1, name
            assert line[:50] in first.found, name
            assert first.expected.startswith(("'", "a line such as '")), name


@pytest.mark.parametrize("line", lines_of("titles"))
def test_any_other_line_is_the_title(line: str) -> None:
    for grid in (PACKED, SPACED, GRIDS["line"], GRIDS["boxed"]):
        [entry] = read(BytesIO(f"{line}\n{grid}".encode()))
        assert isinstance(entry, Entry)
        assert entry.puzzle == parse_one(grid)
        assert entry.name
        assert entry.name in line


def test_text_that_is_not_used_is_said(ringdoku_here: Callable[..., CompletedProcess[str]]) -> None:
    text = f"My sudoku\nby me\n\n{PACKED}\nThanks!\nBye\n"
    done = ringdoku_here("solve", "--output-format", "json", input=text)
    assert '"name": "My sudoku"' in done.stdout
    assert (done.returncode, done.stderr) == (
        0,
        "ringdoku: <stdin>:2: the text 'by me' is not used: the title is 'My sudoku'\n"
        "ringdoku: <stdin>:14: the text 'Thanks!' and 1 more line is not used: below the last puzzle\n",
    )


def test_titles_between_puzzles() -> None:
    items = list(read(BytesIO(f"Hard\n{PACKED}Harder\n{PACKED}\nEasy\n\n{PACKED}".encode())))
    assert [isinstance(item, Entry) and item.place.line for item in items] == [2, 12, 24]


@pytest.mark.parametrize("below", ["more of it", "by A. Setter, 2024\n\nThank you!", "```", "[/code]\nme", '"""'])
def test_words_below_the_last_puzzle_are_skipped(below: str) -> None:
    for name, grid in GRIDS.items():
        [entry] = read(BytesIO(f"{grid}\n{below}\n".encode()))
        assert isinstance(entry, Entry), name
        assert entry.puzzle == parse_one(grid), name


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Hard\n", "here:1:1: found 'Hard', expected a puzzle"),
        (f"{PACKED}\n17x\n", "here:11:1: found '17x', expected a puzzle"),
        (f"{PACKED}\nmore of it\n17.5..8..\n", "here:13:1: found the end of the input after 1 row, expected 9 rows"),
        (f"Hard\n{PACKED.replace('17.', '17x')}", "here:2:3: found 'x', expected 1-9 or a blank (0 . _ * ? -)"),
        (
            "".join(ROWS)[:40] + "x\n" + GRIDS["line"],
            "here:1:42: found 41 characters, expected n² of them: 16, 81, 256, …",
        ),
    ],
)
def test_text_and_damaged_puzzles_are_errors(text: str, error: str) -> None:
    errors = [item for item in read(BytesIO(text.encode()), "here") if isinstance(item, InputError)]
    assert str(errors[0]) == error


def test_rows_in_letters_are_not_titles() -> None:
    full = "".join(f"{'ABCDEFGHIJKLMNOP'[shift:]}{'ABCDEFGHIJKLMNOP'[:shift]}\n" for shift in range(16))
    for text in (full, full.replace("", " ")):
        assert parse_one(text).clues.is_full


def test_a_small_puzzle_has_nothing_else_on_its_line() -> None:
    for row in ("0 1", "0,1", "1;1", "1 # name"):
        [error] = read(BytesIO(f"{row}\n".encode()), format="line")
        assert isinstance(error, InputError)
        assert error.found.startswith("other text on the line of a puzzle of ")


def test_a_title_far_above_a_puzzle_in_letters() -> None:
    text = "A title\n" * 150 + LETTERS
    items = list(read(BytesIO(text.encode())))
    assert sum(isinstance(item, InputError) for item in items) in range(1, 100)
    assert [item.puzzle for item in items if isinstance(item, Entry)] == [parse_one(LETTERS)]
