"""Rules beside grids, boards of any size and digits, and titles, which are no rules."""

from io import BytesIO
from random import Random

import pytest
from conftest import FIXTURES, Run
from texts import PACKED, ROWS, entries, same

from ringdoku import Board, Puzzle, Ruleset, parse
from ringdoku.constraints.registry import CONSTRAINTS, is_rule, shape_in, with_rules, write_board, write_rules
from ringdoku.domain import Grid, InputError, RuleError, UsageError, plain_rules
from ringdoku.text import FORMATS, Entry, ReadOptions, layout_named, parse_one, read

GRID = "1..4\n..1.\n2.4.\n.3..\n"
LINE = GRID.replace("\n", "") + "\n"
SPACED = "1 0 0 4\n0 0 1 0\n2 0 4 0\n0 3 0 0\n"
BOXED = "+-----+-----+\n| 1 . | . 4 |\n| . . | 1 . |\n+-----+-----+\n| 2 . | 4 . |\n| . 3 | . . |\n+-----+-----+\n"
JSON = '{"grid": [[1, 0, 0, 4], [0, 0, 1, 0], [2, 0, 4, 0], [0, 3, 0, 0]]}\n'
RULES = "diagonal\nkiller 3: r1c2 r1c3 # from the border\n"
JIGSAW = "regions: aabbcc aabbcc aabbcc ddeeff ddeeff ddeeff\n"


def read_all(text: str) -> list[str]:
    """What is read: the names of the rules of each puzzle, and errors."""
    items = read(BytesIO(text.encode()), "here")
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
def test_rules_stand_above_a_grid_in_any_layout(grid: str) -> None:
    (plain,) = entries(grid)
    for text in (RULES + grid, "# a\n" + RULES + "\nTitle 1\n" + grid):
        (entry,) = entries(text)
        assert names(entry) == ["lines", "boxes", "diagonal", "killer"]
        assert entry.puzzle.clues == plain.puzzle.clues
        # what carries rules in, carries them out
        assert ("rules" in same(entry)) is (plain.layout.format == "json")


CLASSIC, RULED = "lines boxes", "lines boxes diagonal"
BELOW = "here:5:1: found a rule below a grid, expected it above the grid"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (GRID + "diagonal\n" + GRID, [CLASSIC, RULED]),
        (GRID + "\ndiagonal\n\n" + GRID, [CLASSIC, RULED]),
        ("diagonal\n" + GRID + GRID, [RULED, CLASSIC]),
        ("2\ndiagonal\n" + GRID + GRID, [RULED, CLASSIC]),
        (GRID + "diagonal\n\n" + GRID, [CLASSIC, BELOW, CLASSIC]),
        (GRID + "diagonal\n", [CLASSIC, BELOW]),
        ("diagonal\n", ["here:1:1: found a rule, expected a grid below it"]),
        (LINE + "\n\n\n\ndiagonal\n", [CLASSIC, BELOW.replace("5:1", "6:1")]),
    ],
)
def test_rules_belong_to_the_grid_below(text: str, found: list[str]) -> None:
    assert read_all(text) == found


@pytest.mark.parametrize("case", (FIXTURES / "malformed_rules.txt").read_text().removeprefix("=== ").split("\n\n=== "))
def test_what_is_wrong_with_rules_has_its_place(case: str) -> None:
    error, _, text = case.rstrip("\n").partition("\n")
    found = read_all(f"{text}\n\n{JSON if text.startswith('{') else GRID}")
    assert [error in item for item in found].count(True) == 1, found
    # and the next puzzle is read all the same
    assert found[-1] == "lines boxes"


def test_lines_above_a_grid_say_its_boxes() -> None:
    for lines, expected in (
        (JIGSAW, "lines regions"),
        (JIGSAW + "diagonal\n", "lines regions diagonal"),
        ("No Box\n", "lines"),
        ("boxes 3x2\n", "lines boxes"),
        ("boxes 2x3\n" + JIGSAW, "lines boxes regions"),
    ):
        assert read_all(lines + "......\n" * 6 + "\n" + GRID) == [expected, "lines boxes"]
    (entry,) = entries("boxes 2x3\n" + "......\n" * 6, box=(2, 3))
    assert entry.puzzle.ruleset.classic_box == (2, 3)
    (error,) = read(BytesIO(("boxes 3x2\n" + "......\n" * 6).encode()), "here", ReadOptions(box=(2, 3)))
    assert str(error) == "here:2: found boxes of 3x2 in the rules, expected 2x3, as requested"


BOARDS = ["2x3 digits 0-2", "4x4 digits 0-3", "3x2 digits 5-12", "1x4", "4x1", "2x2 digits -1-1", "5x5", "16x16", "3x4"]


@pytest.mark.parametrize("text", BOARDS)
def test_grids_of_any_board_go_round_through_every_layout(text: str) -> None:
    board, _ = shape_in([f"board {text}"])
    assert board
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


def test_boards_say_what_zero_is_how_rows_are_read_and_which_extra_cells_there_are() -> None:
    assert parse("board 2x2 digits 2-3\nno boxes\n20\n.3\n").clues.digits == (2, 1, 1, 3)
    assert parse("board 2x2 digits 0-1\nno boxes\n10\n.1\n").clues.digits == (1, 0, -1, 1)
    beside = parse("board 1x2 digits 1-2 extra a\nsum 3: r1c1 a\nallowed 1: a\n..\n")
    clue = Puzzle(Ruleset(beside.board, beside.ruleset.constraints[:-1]), Grid((0, 0, 1), beside.board))
    assert parse(str(clue)) == beside
    assert parse("board 2x2 digits 0-11\nno boxes\n00 01\n__ 010\n").clues.digits == (0, 1, -1, 10)
    text = '{"grid": [[1, 0], [null, 1]], "board": "2x2 digits 0-1", "rules": ["no boxes"]}'
    assert parse(text).clues.digits == (1, 0, -1, 1)
    letters = "\n".join("ABCDEFGHIJKLMNOP"[row:] + "." * row for row in range(16))
    assert parse("board 16x16\n" + letters) == parse(letters)
    # 25 characters are one grid here, else a row
    (entry,) = entries("board 5x5\nno boxes\n" + "12345" + "." * 20 + " " + "1234523451345124512351234" + " Five\n")
    assert (entry.puzzle.board, entry.name) == (Board.square(5), "Five")
    assert entry.solution
    text = (
        '{"grid": [[1, 2], [2, 1]], "board": "2x2 extra a b", "rules": ["no boxes", "sum 3: a b"], "extra": {"a": 2}}'
    )
    (entry,) = entries(text)
    assert entry.puzzle.clues.digits == (1, 2, 2, 1, 2, 0)
    assert entries(same(entry))[0].puzzle == entry.puzzle
    assert plain_rules(Board(9, 9, 0, 8)).box == (3, 3)
    assert plain_rules(Board(4, 7)).box is None
    with pytest.raises(UsageError, match="6 is not a square number"):
        plain_rules(SIX)


def test_rules_of_the_caller_are_added_and_equal_rules_are_one_object() -> None:
    added = ["diagonal", "no boxes\n# and\nkiller 3: r1c2 r1c3"]
    for item in read(BytesIO((GRID + "\nanti-king\n" + GRID).encode()), "here", ReadOptions(rules=added)):
        assert isinstance(item, Entry)
        assert set(names(item)) - {"anti-king"} == {"lines", "diagonal", "killer"}
    with pytest.raises(UsageError, match="--rule 'foo': no constraint is called 'foo'"):
        read(BytesIO(b""), "here", ReadOptions(rules=["foo"]))
    (error,) = read(BytesIO(LINE.encode()), "here", ReadOptions(rules=["killer 3: r9c9"]))
    assert isinstance(error, InputError)
    assert error.found == "a puzzle for which --rule 'killer 3: r9c9' is wrong ('r9c9' is not on a board of 4x4)"
    one, other = entries("diagonal\n" + GRID + "\nDiagonal\n" + GRID)
    assert one.puzzle.ruleset == other.puzzle.ruleset == with_rules(plain_rules(Board.square(4)), "diagonal")
    assert entries("boxes 2x2\n" + GRID)[0].puzzle.ruleset is entries(GRID)[0].puzzle.ruleset
    assert names(entries(f"sum 3: {' '.join(['r1c1'] * 20_000)}\n{GRID}")[0])[-1] == "sum"


# the first column is blank: in CSV it would be a puzzle of order 1
SHEET = (FIXTURES / "nyoj722.in").read_text().partition("\n")[2].replace("\n8", "\n0")
LETTERS = (FIXTURES / "poj3076.in").read_text().partition("\n\n")[0] + "\n"
GRIDS = {
    "packed": PACKED,
    "spaced": SHEET,
    "commas": SHEET.replace(" ", ","),
    "line": "".join(ROWS) + "\n",
    "boxed": "".join(f"{row[:3]}|{row[3:6]}|{row[6:]}\n" for row in ROWS),
    "4x4": "1..4\n....\n....\n4..1\n",
    "16x16": LETTERS,
}


def lines_of(kind: str) -> list[str]:
    return (FIXTURES / "above" / f"{kind}.txt").read_text().splitlines()


@pytest.mark.parametrize("line", lines_of("rules"))
def test_a_rule_in_other_words_is_that_rule_or_an_error(line: str) -> None:
    for name, grid in (("packed", PACKED), ("spaced", SHEET), ("line", GRIDS["line"])):
        first, *_ = read(BytesIO(f"{line}\n{grid}".encode()))
        if isinstance(first, Entry):
            assert len(first.puzzle.ruleset.constraints) == 3, name
        else:
            assert first.place.line == 1, name
            assert line[:50] in first.found, name
            assert first.expected.startswith(("'", "a line such as '", "one of")), name


@pytest.mark.parametrize("line", lines_of("titles"))
def test_any_other_line_is_the_title(line: str) -> None:
    for grid in (PACKED, SHEET, GRIDS["line"], GRIDS["boxed"]):
        [entry] = entries(f"{line}\n{grid}")
        assert entry.puzzle == parse_one(grid)
        assert entry.name
        assert entry.name in line


def test_text_that_is_not_used_is_said(ringdoku_here: Run) -> None:
    text = f"My sudoku\nby me\n\n{PACKED}\nThanks!\nBye\n"
    title = "2: the text 'by me' is not used: the title is 'My sudoku'"
    below = "14: the text 'Thanks!' and 1 more line is not used: below the last puzzle"
    done = ringdoku_here("solve", "--output-format", "json", input=text)
    assert '"name": "My sudoku"' in done.stdout
    assert (done.returncode, done.stderr) == (0, f"ringdoku: <stdin>:{title}\nringdoku: <stdin>:{below}\n")
    with pytest.warns(UserWarning, match=f"<text>:({title}|{below})"):
        parse(text)


@pytest.mark.parametrize("below", ["more of it", "by A. Setter, 2024\n\nThank you!", "```", "[/code]\nme", '"""'])
def test_words_below_the_last_puzzle_are_skipped(below: str) -> None:
    for name, grid in GRIDS.items():
        [entry] = entries(f"{grid}\n{below}\n")
        assert entry.puzzle == parse_one(grid), name


def test_rows_in_letters_are_not_titles_and_a_title_may_stand_far_above() -> None:
    full = "".join(f"{'ABCDEFGHIJKLMNOP'[shift:]}{'ABCDEFGHIJKLMNOP'[:shift]}\n" for shift in range(16))
    for text in (full, full.replace("", " ")):
        assert parse_one(text).clues.is_full
    items = list(read(BytesIO(b"A title\n" * 150 + LETTERS.encode())))
    errors = [str(item) for item in items if isinstance(item, InputError)]
    assert errors == ["<stdin>:1:1: found 'A title', expected a puzzle"]
    assert [item.puzzle for item in items if isinstance(item, Entry)] == [parse_one(LETTERS)]


SIX = Board.square(6)
SQUARES = "regions: aabb aabb ccdd ccdd"


@pytest.mark.parametrize("text", (FIXTURES / "boards_and_rules.txt").read_text().splitlines()[1:])
def test_rules_are_written_as_they_are_read(text: str) -> None:
    board, *lines = text.split(" || ")
    where, _ = shape_in([f"board {board}"])
    assert where
    rules = with_rules(plain_rules(where, shape_in(lines)[1]), *lines)
    assert (write_board(where), write_rules(rules)) == (board, lines)


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["lines", "boxes 2x2"], ["lines", "boxes"]),
        (["boxes 1x4"], ["lines", "boxes"]),
        (["no boxes", "boxes 1x4"], ["lines", "boxes"]),
        (["diagonal", "Diagonal"], ["lines", "boxes", "diagonal"]),
        ([SQUARES], ["lines", "regions"]),
        ([SQUARES, "boxes 2x2"], ["lines", "boxes", "regions"]),
        (["board 4x4", "no lines"], ["boxes"]),
    ],
)
def test_lines_change_the_rules_before_them(lines: list[str], names: list[str]) -> None:
    rules = with_rules(plain_rules(Board.square(4)), *lines)
    assert [type(rule).text for rule in rules.constraints] == names


WRONG = (FIXTURES / "wrong_rules.txt").read_text().splitlines()[1:]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        *zip(WRONG[::2], WRONG[1::2], strict=True),
        *((f"{'either: { ' * depth}odd: r1c1{' }' * depth}", "nested more than 20 deep") for depth in (21, 5000)),
    ],
)
def test_a_line_that_is_wrong_says_why(line: str, problem: str) -> None:
    with pytest.raises(RuleError) as error:
        with_rules(plain_rules(Board.square(4)), line)
    assert problem.strip() in str(error.value)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        *(
            (line, True)
            for line in ("killer 15", "Killer Sudoku", "diagonals", "Even more", "sum of sums", "board six")
        ),
        *((kind.example, True) for kind in CONSTRAINTS.values()),
        *((line, True) for line in ("Killer 15: r1c1 r1c2", "KILLER R1C1", "Diagonal", "Boxes 2x3", "No Boxes")),
        *((line, True) for line in ("no lines", "no killer", "kiler 15: r1c1 r1c2", "Windoku", "x-sudoku", "a: b")),
        *((line, False) for line in ("board 12", "Board 12", "X", "V for", "see below:")),
        *((line, False) for line in ("No. 5", "no 5", "no solution", "Grid 01", "ABC DEF", "1 2 3", "")),
    ],
)
def test_titles_are_no_rules(line: str, expected: bool) -> None:
    assert is_rule(line) is expected


def test_damaged_lines_are_refused_or_read_but_never_crash() -> None:
    random = Random(1)
    board = Board.square(4)
    for example in (kind.example for kind in CONSTRAINTS.values()):
        for _ in range(30):
            place, end = sorted(random.sample(range(len(example) + 1), 2))
            damaged = example[:place] + random.choice(("", "r1c1", "|", ":", "-3", " ", "{", "9")) + example[end:]
            try:
                rules = with_rules(plain_rules(board), damaged)
            except RuleError:
                continue
            assert isinstance(rules, Ruleset)
            assert rules.primitives
            assert with_rules(plain_rules(board, shape_in(write_rules(rules))[1]), *write_rules(rules)) == rules
