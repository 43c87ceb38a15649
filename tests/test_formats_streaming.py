"""Puzzles are read one by one, no further ahead than needed, in memory that does not grow."""

from __future__ import annotations

import os
import tracemalloc
from io import BufferedIOBase, BytesIO
from itertools import islice
from pathlib import Path

import pytest

from ringdoku.domain.errors import InputError
from ringdoku.text import Entry, read

FIXTURES = Path(__file__).parent.parent / "fixtures"
ROWS = (FIXTURES / "b4279.in").read_text().split()
LINE = "".join(ROWS)


class Endless(BufferedIOBase):
    """The same lines again and again; counts the lines that are read."""

    def __init__(self, text: str) -> None:
        self._lines = text.encode().splitlines(keepends=True)
        self.taken = 0

    def read1(self, size: int = -1, /) -> bytes:  # noqa: ARG002  lines are short
        self.taken += 1
        return self._lines[(self.taken - 1) % len(self._lines)]


@pytest.mark.parametrize(
    ("text", "name", "lines"),
    [
        (LINE + "\n", None, 1),
        (LINE + "\n", "line", 1),
        ("1..4............\n", "line", 1),
        ("\n".join(ROWS) + "\n", None, 9),
        ('{"grid": [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}\n', None, 1),
        ("\n".join(" ".join(row) for row in ROWS) + "\n", None, 9),
    ],
)
def test_nothing_is_read_beyond_a_puzzle(text: str, name: str | None, lines: int) -> None:
    stream = Endless(text)
    for number, item in enumerate(islice(read(stream, format=name), 3), 1):  # type: ignore[arg-type]
        assert isinstance(item, Entry)
        assert stream.taken == number * lines


def test_detection_looks_ahead_a_bounded_number_of_lines() -> None:
    stream = Endless("----------------\n")
    next(read(stream))  # type: ignore[arg-type]
    assert stream.taken < 100


def test_lines_are_answered_while_the_pipe_is_open() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stream, os.fdopen(writing, "wb", buffering=0) as pipe:
        puzzles = read(stream)
        for _ in range(3):
            pipe.write(f"{LINE}\n".encode())
            assert isinstance(next(puzzles), Entry)


@pytest.mark.parametrize("text", [LINE + "\n", "Grid 01\n" + "\n".join(ROWS) + "\n", "x\n\n", "#\n" * 20 + LINE + "\n"])
def test_memory_does_not_grow_with_the_number_of_puzzles(text: str) -> None:
    items = read(Endless(text))  # type: ignore[arg-type]
    for _ in islice(items, 50):
        pass
    tracemalloc.start()
    for _ in islice(items, 500):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # a grid alone takes 700 bytes; Python keeps some freed tuples for itself
    assert peak < 200_000


def test_a_long_malformed_puzzle_is_not_kept() -> None:
    row = b"0 " * 30_000 + b"\n"
    tracemalloc.start()
    [*errors] = read(BytesIO(row * 200))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert all(isinstance(error, InputError) for error in errors)
    assert peak < 20_000_000


def test_the_end_of_a_terminal_is_asked_for_once() -> None:
    class Terminal(BytesIO):
        ends = 0

        def read1(self, size: int | None = -1, /) -> bytes:
            line = super().read1(size)
            self.ends += not line
            return line

    stream = Terminal(f"{LINE}\n".encode())
    assert len(list(read(stream))) == 1
    assert stream.ends == 1
