"""One puzzle as text in several formats, and shortcuts for reading and printing."""

from io import BytesIO

from conftest import FIXTURES

from ringdoku.domain import Grid, InputError
from ringdoku.text import Entry, ReadOptions, parse_one, read

ROWS = (FIXTURES / "b4279.in").read_text().split()
SOLVED_ROWS = (FIXTURES / "b4279.out").read_text().split()
PACKED = "\n".join(ROWS) + "\n"
SPACED = "\n".join(" ".join(row) for row in ROWS) + "\n"
LINE = "".join(ROWS)
SOLVED = "".join(SOLVED_ROWS)
PUZZLE = parse_one(PACKED)


def entries(text: str | bytes, name: str | None = None, box: tuple[int, int] | None = None) -> list[Entry]:
    """The puzzles of a text without errors."""
    raw = text.encode() if isinstance(text, str) else text
    items = list(read(BytesIO(raw), "here", ReadOptions(format=name, box=box)))
    assert [str(item) for item in items if isinstance(item, InputError)] == []
    return [item for item in items if isinstance(item, Entry)]


def same(entry: Entry, grid: Grid | None = None) -> str:
    return entry.layout.render(grid or entry.puzzle.clues, entry.puzzle.ruleset)
