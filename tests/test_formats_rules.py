"""Rules beside grids, boards of any size and digits, in every layout."""

from __future__ import annotations

from io import BytesIO

import pytest
from texts import entries, same

from ringdoku import Board, InputError, Puzzle, parse
from ringdoku.constraints.text import plain_rules, with_rules
from ringdoku.domain.errors import UsageError
from ringdoku.domain.grid import Grid
from ringdoku.text import FORMATS, Entry, layout_named, read

GRID = "1..4\n..1.\n2.4.\n.3..\n"
LINE = GRID.replace("\n", "") + "\n"
SPACED = "1 0 0 4\n0 0 1 0\n2 0 4 0\n0 3 0 0\n"
BOXED = "+-----+-----+\n| 1 . | . 4 |\n| . . | 1 . |\n+-----+-----+\n| 2 . | 4 . |\n| . 3 | . . |\n+-----+-----+\n"
JSON = '{"grid": [[1, 0, 0, 4], [0, 0, 1, 0], [2, 0, 4, 0], [0, 3, 0, 0]]}\n'
RULES = "diagonal\nkiller 3: r1c2 r1c3 # from the border\n"
JIGSAW = "regions: aabbcc aabbcc aabbcc ddeeff ddeeff ddeeff\n"


class Pipe(BytesIO):
    """An input that is not a file."""

    def seekable(self) -> bool:
        return False


def read_all(text: str, stream: type[BytesIO] = BytesIO) -> list[str]:
    """What is read: the names of the rules of each puzzle, and errors."""
    items = read(stream(text.encode()), "here")
    return [" ".join(names(item)) if isinstance(item, Entry) else str(item) for item in items]


def names(entry: Entry) -> list[str]:
    return [type(rule).text for rule in entry.puzzle.ruleset.constraints]


@pytest.mark.parametrize("text", ["1............... aaabacbbccdbcddd", "1...............aaabacbbccdbcddd"])
def test_clues_and_the_letters_of_regions_are_a_jigsaw(text: str) -> None:
    (entry,) = entries(text)
    assert names(entry) == ["lines", "regions"]
    # a second word whose letters are apart is a solution
    solved = "1234341221434321"
    assert entries(f"1............... {solved}")[0].solution is not None


@pytest.mark.parametrize("grid", [GRID, LINE, SPACED, BOXED, JSON], ids=["packed", "line", "spaced", "boxed", "json"])
def test_rules_stand_above_or_below_a_grid_in_any_layout(grid: str) -> None:
    (plain,) = entries(grid)
    for text in (RULES + grid, "# a\n" + RULES + "\nTitle 1\n" + grid, grid + RULES, grid + "\n" + RULES + "\n"):
        (entry,) = entries(text)
        assert names(entry) == ["lines", "boxes", "diagonal", "killer"]
        assert entry.puzzle.clues == plain.puzzle.clues
        # what carries rules in, carries them out
        assert ("rules" in same(entry)) is (plain.layout.format == "json")


@pytest.mark.parametrize("stream", [BytesIO, Pipe], ids=["file", "pipe"])
def test_rules_between_grids_belong_to_the_one_below(stream: type[BytesIO]) -> None:
    classic, ruled = "lines boxes", "lines boxes diagonal"
    assert read_all(GRID + "diagonal\n" + GRID, stream) == [classic, ruled]
    assert read_all(GRID + "\ndiagonal\n\n" + GRID, stream) == [classic, ruled]
    assert read_all("diagonal\n" + GRID + GRID, stream) == [ruled, classic]
    assert read_all("2\ndiagonal\n" + GRID + GRID, stream) == [ruled, classic]


def test_rules_directly_below_a_grid_are_read_from_files_alone() -> None:
    text = GRID + "diagonal\n\n" + GRID
    assert read_all(text) == ["lines boxes diagonal", "lines boxes"]
    error = "here:5:1: found a rule below a grid, expected it above the grid; below, it is read from files alone"
    assert read_all(text, Pipe) == ["lines boxes", error, "lines boxes"]
    assert read_all(GRID + "diagonal\n", Pipe) == ["lines boxes", error]


def test_rules_without_a_grid_are_an_error() -> None:
    assert read_all("diagonal\n") == ["here:1:1: found a rule, expected a grid below it"]
    assert read_all(LINE + "\n\ndiagonal\n", Pipe)[1:] == ["here:4:1: found a rule, expected a grid below it"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "diagonal\n  killer 99: r1c2 r1c3\n" + GRID,
            "here:2:3: found 'killer 99: r1c2 r1c3' (2 different digits have a sum from 3 to 7, not 99), expected a "
            "line such as 'killer 8: r1c1 r1c2 r2c1'",
        ),
        (
            GRID + "kiler 3: r1c2",
            "here:5:1: found 'kiler 3: r1c2' (no constraint is called 'kiler'), expected 'killer'",
        ),
        ("board six\n" + GRID, "here:1:1: found 'board six' (this is not a board), expected"),
        (
            "no thing\nno diagonal\n" + GRID,
            "here:2:1: found 'no diagonal' (this cannot be left out), expected 'no boxes'",
        ),
        ("diagonal\0\n" + GRID, "here:1:9: found U+0000 control character"),
        ("1234\ndiagonal\n" + GRID, "here:2:1: found a rule after 1 row, expected 4 rows"),
        (
            JSON.replace("}", ', "rules": ["od: r1c1"]}'),
            "found 'od: r1c1' among the rules (no constraint is called 'od')",
        ),
        (JSON.replace("}", ', "rules": "diagonal"}'), "found the rules 'diagonal', expected a list of lines"),
        (JSON.replace("}", ', "board": [4, 4]}'), "found the board [4, 4], expected a text such as '4x7 digits 0-6'"),
        (JSON.replace("}", ', "board": "4x5"}'), "found 4 values as row 1, expected 5 integers in each row"),
        (JSON.replace("}", ', "extra": {"a": 1}}'), "found the extra cell 'a', expected"),
        ("board 4x4 digits 0-3\n" + GRID, "here:2:4: found '4', expected 0-3 or a blank (. _ * ? -)"),
        (
            "board 4x4 digits -1-2\n" + GRID,
            "here:2:1: found one character a cell on a board of 4x4 with digits -1-2, expected numbers, separated by",
        ),
        ("board 4x5\n" + GRID, "here:2:5: found 4 cells, expected 5 in this row"),
        ("board 5x4\n" + GRID, "here:6:1: found a blank line after 4 rows, expected 5 rows"),
        ("board 6x6\n" + "......\n" * 6, "here:2:1: found a board of 6x6 (6 is not a square number"),
        ("......\n" * 6 + JIGSAW, "here:1:1: found order 6, which is not a square number"),
    ],
)
def test_what_is_wrong_with_rules_has_its_place(text: str, error: str) -> None:
    found = read_all(f"{text}\n\n{JSON if text.startswith('{') else GRID}")
    assert [error in item for item in found].count(True) == 1, found
    # and the next puzzle is read all the same
    assert found[-1] == "lines boxes"


def test_lines_above_a_grid_say_its_boxes() -> None:
    for lines, expected in (
        (JIGSAW, "lines regions"),
        ("no boxes\n", "lines"),
        ("boxes 3x2\n", "lines boxes"),
        ("boxes 2x3\n" + JIGSAW, "lines boxes regions"),
    ):
        assert read_all(lines + "......\n" * 6 + "\n" + GRID) == [expected, "lines boxes"]
    (entry,) = entries("boxes 2x3\n" + "......\n" * 6, box=(2, 3))
    assert entry.puzzle.ruleset.classic_box == (2, 3)
    (error,) = read(BytesIO(("boxes 3x2\n" + "......\n" * 6).encode()), "here", box=(2, 3))
    assert str(error) == "here:2: found boxes of 3x2 in the rules, expected 2x3, as requested"


BOARDS = ["2x3 digits 0-2", "4x4 digits 0-3", "3x2 digits 5-12", "1x4", "4x1", "2x2 digits -1-1", "5x5", "16x16", "3x4"]


@pytest.mark.parametrize("text", BOARDS)
def test_grids_of_any_board_go_round_through_every_layout(text: str) -> None:
    (board,) = {parse(f"board {text}\nno boxes\n{shape}").board for shape in (_spaced(text),)}
    rules = plain_rules(board, ())
    digits = tuple(board.digits[cell % board.order] for cell in range(board.cell_count))
    blanks = tuple(digit if cell % 3 else board.blank for cell, digit in enumerate(digits))
    for grid in (Grid(digits, board), Grid(blanks, board)):
        for name in FORMATS:
            if board.least < 0 and name in ("line", "packed"):
                with pytest.raises(UsageError, match="no one character for each digit"):
                    layout_named(name, rules)
                continue
            layout = layout_named(name, rules)
            (entry,) = entries(f"board {text}\nno boxes\n{layout.render(grid, rules)}\n")
            assert entry.puzzle == Puzzle(rules, grid), name
            # the layout of the input is that of the output
            assert same(entry) == layout.render(grid, rules)


def _spaced(text: str) -> str:
    rows, columns = map(int, text.split()[0].split("x"))
    return "\n".join([" ".join(["."] * columns)] * rows)


def test_zero_is_a_blank_where_it_is_no_digit() -> None:
    assert parse("board 2x2 digits 2-3\nno boxes\n20\n.3\n").clues.digits == (2, 1, 1, 3)
    assert parse("board 2x2 digits 0-1\nno boxes\n10\n.1\n").clues.digits == (1, 0, -1, 1)
    text = '{"grid": [[1, 0], [null, 1]], "board": "2x2 digits 0-1", "rules": ["no boxes"]}'
    assert parse(text).clues.digits == (1, 0, -1, 1)


def test_a_board_of_n_by_n_is_read_as_every_grid_of_its_order() -> None:
    letters = "\n".join("ABCDEFGHIJKLMNOP"[row:] + "." * row for row in range(16))
    assert parse("board 16x16\n" + letters) == parse(letters)
    # 25 characters are one grid here, else a row
    (entry,) = entries("board 5x5\nno boxes\n" + "12345" + "." * 20 + " " + "1234523451345124512351234" + " Five\n")
    assert (entry.puzzle.board, entry.name) == (Board.square(5), "Five")
    assert entry.solution


def test_extra_cells_are_written_in_json() -> None:
    text = (
        '{"grid": [[1, 2], [2, 1]], "board": "2x2 extra a b", "rules": ["no boxes", "sum 3: a b"], "extra": {"a": 2}}'
    )
    (entry,) = entries(text)
    assert entry.puzzle.clues.digits == (1, 2, 2, 1, 2, 0)
    assert entries(same(entry))[0].puzzle == entry.puzzle


def test_rules_of_the_caller_are_added_to_every_puzzle() -> None:
    added = ["diagonal", "no boxes\n# and\nkiller 3: r1c2 r1c3"]
    for item in read(BytesIO((GRID + "\nanti-king\n" + GRID).encode()), rules=added):
        assert isinstance(item, Entry)
        assert set(names(item)) - {"anti-king"} == {"lines", "diagonal", "killer"}
    with pytest.raises(UsageError, match="--rule 'foo': no constraint is called 'foo'"):
        read(BytesIO(b""), rules=["foo"])
    (error,) = read(BytesIO(LINE.encode()), "here", rules=["killer 3: r9c9"])
    assert isinstance(error, InputError)
    assert error.found == "a puzzle for which --rule 'killer 3: r9c9' is wrong ('r9c9' is not on a board of 4x4)"


def test_equal_rules_are_one_object() -> None:
    one, other = entries("diagonal\n" + GRID + "\nDiagonal\n" + GRID)
    assert one.puzzle.ruleset == other.puzzle.ruleset == with_rules(plain_rules(Board.square(4)), ["diagonal"])
    (first,) = entries("boxes 2x2\n" + GRID)
    (plain,) = entries(GRID)
    assert first.puzzle.ruleset is plain.puzzle.ruleset


def test_a_long_rule_is_read() -> None:
    cells = " ".join(["r1c1"] * 20_000)
    assert names(entries(f"sum 3: {cells}\n{GRID}")[0])[-1] == "sum"
