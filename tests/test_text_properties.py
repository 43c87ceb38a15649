"""What is printed is read again, no text breaks the reader, and puzzles stream in memory that does not grow."""

import tracemalloc
from io import BufferedIOBase, BytesIO
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import LINE, ROWS, entries

from ringdoku.domain import Grid, InputError, Puzzle, Ruleset, classic
from ringdoku.text import FORMATS, OUTPUTS, Entry, ReadOptions, layout_named, read

SHAPES = [(1, 1), (2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5), (7, 7)]
PRINTED = [name for name in FORMATS if name in OUTPUTS or name == "json"]


def puzzles(shape: tuple[int, int]) -> st.SearchStrategy[Puzzle]:
    """Any clues, contradictory ones too, from none to all cells; low, high or all digits."""
    ruleset = classic(shape[0] * shape[1], shape)

    def puzzle(seed: int, filled: float, digits: tuple[int, int]) -> Puzzle:
        random = Random(seed)
        clues = [random.randint(*digits) if random.random() < filled else 0 for _ in range(ruleset.board.cell_count)]
        return Puzzle(ruleset, Grid(tuple(clues)))

    n = ruleset.order
    digits = st.sampled_from([(1, n), (1, n), (1, min(n, 4)), (min(n, 10), n), (n, n)])
    return st.builds(puzzle, st.integers(0, 10**9), st.sampled_from([0.0, 0.02, 0.3, 0.9, 1.0]), digits)


def printed(puzzle: Puzzle, name: str) -> str:
    return layout_named(name, puzzle.ruleset).render(puzzle.clues, puzzle.ruleset)


def box_to_give(ruleset: Ruleset, name: str) -> tuple[int, int] | None:
    """None if the text or the order shows the box shape; a puzzle of one cell has to be asked for."""
    shape = ruleset.require_classic("this")
    if shape == (1, 1):
        return shape
    return None if shape[0] == shape[1] or name in ("boxed", "json") else shape


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@given(data=st.data(), gap=st.sampled_from(["\n", "\n\n", "\n# a comment\n", "\r\n"]))
@settings(max_examples=12, deadline=None)
def test_reading_gives_what_was_printed(name: str, shape: tuple[int, int], data: st.DataObject, gap: str) -> None:
    several = data.draw(st.lists(puzzles(shape), min_size=1, max_size=3))
    box = box_to_give(several[0].ruleset, name)
    text = gap.join(printed(puzzle, name) for puzzle in several) + data.draw(st.sampled_from(["", "\n"]))
    assert [entry.puzzle for entry in entries(text, name, box)] == several
    puzzle = several[0]
    # rows of a 16×16 that hold nothing above 4 are 4×4 puzzles, one a line
    if puzzle.order == 16:
        puzzle = Puzzle(puzzle.ruleset, Grid((16, *puzzle.clues.digits[1:])))
    # and the format is found out
    assert [entry.puzzle for entry in entries(printed(puzzle, name) + "\n", None, box)] == [puzzle]


LINES = st.text(alphabet="0123456789.-_*?#|+=AaGgPpx ,\t{}[]:\"'ég１·│\u2500\0", max_size=40)
TEXTS = st.one_of(
    st.binary(max_size=400),
    st.lists(LINES, max_size=30).map(lambda lines: "\n".join(lines).encode()),
    st.lists(
        st.sampled_from(["1", "12..", "1 2 . .", "12|..", "--+--", "-----", "", "Grid 1", "[State]", "end", "1,2"])
    ).map(lambda lines: "\n".join(lines).encode()),
)


@given(raw=TEXTS, name=st.sampled_from([None, *FORMATS]), box=st.sampled_from([None, (2, 2), (1, 2), (1, 1)]))
@settings(max_examples=600, deadline=None)
def test_no_text_breaks_the_reader(raw: bytes, name: str | None, box: tuple[int, int] | None) -> None:
    items = list(read(BytesIO(raw), "file", ReadOptions(format=name, box=box)))
    assert items
    for item in items:
        assert isinstance(item, Entry | InputError)
        assert 1 <= item.place.line <= raw.count(b"\n") + 2
        if isinstance(item, Entry):
            if item.puzzle.order == 1:
                # above a border line it reads as a count
                continue
            # what is printed in the layout of the input is the puzzle again
            text = item.layout.render(item.puzzle.clues, item.puzzle.ruleset)
            shape = item.puzzle.ruleset.require_classic("this")
            assert [entry.puzzle for entry in entries(text, item.layout.format, shape)] == [item.puzzle]
        else:
            assert str(item).isprintable()


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
        ("\n".join(ROWS).replace(".", "0") + "\n", None, 9),
        ("1234\n0000\n0000\n0000\n", None, 4),
        ('{"grid": [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}\n', None, 1),
        ("\n".join(" ".join(row) for row in ROWS) + "\n", None, 9),
    ],
)
def test_nothing_is_read_beyond_a_puzzle(text: str, name: str | None, lines: int) -> None:
    stream = Endless(text)
    for number, item in enumerate(islice(read(stream, "file", ReadOptions(format=name)), 3), 1):  # type: ignore[arg-type]
        assert isinstance(item, Entry)
        assert stream.taken == number * lines


def test_detection_looks_ahead_a_bounded_number_of_lines_and_keeps_none_that_is_long() -> None:
    stream = Endless("----------------\n")
    next(read(stream))  # type: ignore[arg-type]
    assert stream.taken <= 100
    row = b"0 " * 30_000 + b"\n"
    tracemalloc.start()
    [*errors] = read(BytesIO(row * 200))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert all(isinstance(error, InputError) for error in errors)
    assert peak < 20_000_000


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
