"""What people paste: each case of the corpus is read as it says, or refused with the words that it says."""

from io import BytesIO
from itertools import islice
from pathlib import Path

import pytest
from conftest import Run, cases_in
from texts import LINE, PACKED, PUZZLE, ROWS, entries

from ringdoku.domain.errors import InputError
from ringdoku.text import Entry, ReadOptions, read

FOLDER = Path(__file__).parent.parent / "fixtures" / "pastes"
LARGE = 2_200_000
"""Bytes of a text that is not read as a whole."""
DIGITS = ".123456789ABCDEFG"


def read_back(text: str) -> list[str]:
    """The puzzles, as lines; or the first error."""
    items = list(read(BytesIO(f"{text}\n".encode())))
    for item in items:
        if isinstance(item, InputError):
            return [f"error: found {item.found}, expected {item.expected}"]
    return [
        "".join(DIGITS[digit] for digit in item.puzzle.clues.digits) + (" solution" if item.solution else "")
        for item in items
        if isinstance(item, Entry)
    ]


@pytest.mark.parametrize("file", sorted(FOLDER.iterdir()), ids=lambda file: file.stem)
def test_corpus(file: Path) -> None:
    # the first line is the name of the case
    cases = [(*given.partition("\n")[::2], expected) for given, expected in cases_in(file)]
    wrong = [(name, found, expected) for name, text, expected in cases if (found := read_back(text)) != expected]
    assert wrong == []


LISTS = str([list(row) for row in ROWS])
HODOKU = f":0000:x:{LINE}:::"


@pytest.mark.parametrize("text", [LISTS, HODOKU, f"https://www.sudokuwiki.org/sudoku.htm?bd={LINE}"])
def test_a_paste_is_solved_from_any_kind_of_input_and_an_address(ringdoku_here: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "paste.txt").write_text(text)
    expected = ringdoku_here("solve", "--output-format", "line", input=PACKED)
    asked: list[tuple[str | Path, str]] = [("-", text), (tmp_path / "paste.txt", "")]
    for argument, given in [*asked, (text, "")] if text.startswith("https:") else asked:
        done = ringdoku_here("solve", "--output-format", "line", argument, input=given)
        assert (done.returncode, done.stdout, done.stderr) == (0, expected.stdout, "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_with_a_mark_is_read(encoding: str) -> None:
    mark = "" if encoding == "utf-16" else "\ufeff"
    assert [entry.puzzle for entry in entries((mark + PACKED).encode(encoding))] == [PUZZLE]


def test_a_paste_keeps_its_rules_and_lines_and_errors_have_their_place(ringdoku_here: Run) -> None:
    [entry] = read(BytesIO(f"board = [\n{LISTS[1:]}".encode()), "here", ReadOptions(rules=["diagonal"]))
    assert isinstance(entry, Entry)
    assert len(entry.puzzle.ruleset.constraints) == len(PUZZLE.ruleset.constraints) + 1
    assert str(entry.place) == "here:2"
    [error] = read(BytesIO(f"x = [\n{LISTS[1:].replace('5', '55', 1)}".encode()), "here")
    assert str(error) == "here:2: found '55', expected 1-9 or a blank (0 . _ * ? -)"
    done = ringdoku_here("solve", input='{"size":9,"grid":[[{' + '"a":[' * 30_000)
    assert done.returncode == 2
    assert done.stderr.startswith("ringdoku: error: <stdin>:1")


@pytest.mark.parametrize("rule", ["diagonal", "board 9x9 digits 0-8", "Anti-knight"])
def test_a_rule_above_a_paste_is_not_lost(rule: str) -> None:
    assert isinstance(next(read(BytesIO(f"{rule}\n{LISTS}\n".encode()))), InputError)


def test_long_inputs_stream_where_each_line_is_a_puzzle() -> None:
    raw = f"{HODOKU}\n".encode()
    stream = BytesIO(raw * (LARGE // len(raw)) + b":0000:x:17:::\n" + raw)
    items = read(stream)
    for item in islice(items, 5):
        assert isinstance(item, Entry)
        assert item.puzzle == PUZZLE
    assert stream.tell() < len(stream.getvalue())
    assert sum(isinstance(item, InputError) for item in items) == 1
    # a long text that is no list of lines keeps its first error
    lists = f"{LISTS}\n" * (LARGE // len(LISTS))
    assert str(next(read(BytesIO(lists.encode()), "here"))).startswith("here:1:1: found '[', expected")


def test_rows_beside_a_list_are_noted_and_a_count_above_rows_of_its_length_is_none_of_them() -> None:
    notes: list[str] = []
    rows = "1.5.\n2...\n...1\n3.4.\n"
    text = f"p = '1.....3..2.....4'\n\n{rows}"
    options = ReadOptions(note=lambda place, text: notes.append(f"{place}: {text}"))
    assert len(list(read(BytesIO(text.encode()), "here", options))) == 1
    assert notes == ["here:3: 4 lines that look like rows of a grid are not used"]
    for blank in ("", "\n"):
        grids = "1...\n..3.\n.2..\n...4\n" * 1000
        assert len(entries(f"1000\n{blank}{grids}".encode())) == 1000
    assert [entry.puzzle.clues.filled_count for entry in entries(b"1000\n0200\n0030\n0004\n")] == [4]


@pytest.mark.parametrize("row", ["ONE-F-CMBIJPDHAG", "S-EPUXCTWMHVOJFQILDBRKNGA"])
def test_a_row_of_letters_is_no_rule_though_it_begins_like_one(row: str) -> None:
    blank = f"{'-' * len(row)}\n" * (len(row) - 2)
    (entry,) = entries(f"{blank}{row}\n{'-' * len(row)}\n".encode())
    assert entry.puzzle.clues.filled_count == len(row) - row.count("-")
