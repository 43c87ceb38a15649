"""How many files and calls a question passes through: `python benchmarks/way.py`, for the second 9×9 of a session.

Files are modules of this library in which a function runs; the depth is the most calls of the library that are open at
once. Generators and comprehensions count as calls.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import ringdoku
from ringdoku import Puzzle, Session

LIBRARY = str(Path(ringdoku.__file__).parent)
PUZZLES = [
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "......8.5.3..........7......2.....6.....8.4..............6.3...............4.....",
]


def way(question: Callable[[], Any]) -> tuple[list[str], int]:
    """The files of the library, and the greatest depth."""
    files: dict[str, None] = {}
    depth = deepest = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth, deepest
        name = frame.f_code.co_filename
        if not name.startswith(LIBRARY):
            return
        if event == "call":
            files[name.removeprefix(LIBRARY)[1:]] = None
            depth += 1
            deepest = max(deepest, depth)
        elif event == "return":
            depth -= 1

    sys.setprofile(look)
    try:
        question()
    finally:
        sys.setprofile(None)
    return list(files), deepest


def main() -> None:
    session = Session()
    for line in PUZZLES:
        digits = [int(mark.replace(".", "0")) for mark in line]
        puzzle = Puzzle.of_rows([digits[start : start + 9] for start in range(0, 81, 9)])
        for ask in (session.solve, session.maximise):
            ask(puzzle)
            files, depth = way(partial(ask, puzzle))
            print(f"{ask.__name__}, {puzzle.clues.filled_count} clues: {len(files)} files, {depth} calls deep:")
            print("   ", *files)


if __name__ == "__main__":
    main()
