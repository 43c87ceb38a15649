"""Puzzles that others collected: RINGDOKU_COLLECTION names a folder of text files."""

import os
from pathlib import Path

import pytest

from ringdoku import Status, solve
from ringdoku.text import Entry, read

FOLDER = os.environ.get("RINGDOKU_COLLECTION")
FILES = sorted(Path(FOLDER).resolve().rglob("*.txt")) if FOLDER else []


@pytest.mark.skipif(not FILES, reason="RINGDOKU_COLLECTION names no folder of puzzles")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_read_whole_and_its_first_puzzle_solved(path: Path) -> None:
    with path.open("rb") as stream:
        items = list(read(stream, path.name))
    assert [item for item in items if not isinstance(item, Entry)] == []
    first = items[0]
    assert isinstance(first, Entry)
    assert solve(first.puzzle, time_limit=60).status in (Status.SATISFIABLE, Status.INFEASIBLE)
