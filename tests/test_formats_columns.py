"""Solutions and names on the line of a puzzle, with and without a header, with every separator."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from ringdoku.domain.errors import InputError
from ringdoku.text import Entry, parse_one, read

FIXTURES = Path(__file__).parent.parent / "fixtures"
LINE = (FIXTURES / "b4279.in").read_text().replace("\n", "")
SOLVED = (FIXTURES / "b4279.out").read_text().replace("\n", "")


def entries(text: str) -> list[Entry]:
    items = list(read(BytesIO(text.encode())))
    assert [str(item) for item in items if isinstance(item, InputError)] == []
    return [item for item in items if isinstance(item, Entry)]


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


def test_a_puzzle_in_quotes() -> None:
    assert [entry.solution is None for entry in entries(f'"{LINE}"\n"{LINE}","{SOLVED}"\n')] == [True, False]


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
        ('name,puzzle\n"a ""b"" c, d",  1..5............\n', None, "here:2:21: found '5', expected 1-4 or"),
        ('puzzle,solution\n"a",b\rc\n', None, "here:1:1: found 'puzzle,solution', expected a puzzle"),
        ('{"' + "a" * 200_000, "line", "here:1:200003: found 200002 characters, expected at most 3721"),
    ],
    ids=["doubled quotes", "carriage return", "long field"],
)
def test_faults_of_a_line_with_quotes(text: str, name: str | None, error: str) -> None:
    first = next(read(BytesIO(text.encode()), "here", name))
    assert isinstance(first, InputError)
    assert str(first).startswith(error)
