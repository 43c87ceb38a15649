"""Long plain inputs: classic puzzles up to 9×9, one a line and nothing else, which are answered together as arrays.

Most puzzles with one solution are solved by the search on arrays, 5 to 10 times as fast as one by one, and a solver
gets the others. So the answers are the solver's wherever there is another solution, and do not depend on which lines
are answered together. Every answer is checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from io import UnsupportedOperation
from math import isqrt
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from ringdoku.domain.checker import are_solutions, check_result
from ringdoku.domain.errors import DimensionError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.services.session import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SMALLEST, LARGEST = 4, 9
"""Orders. Above the largest, letters stand for digits, and each line shows its own alphabet."""
TOGETHER = 1000
"""Lines that are answered together. The arrays of fewer cost more for each puzzle."""
ARRAYS = "arrays"
"""What answers call the search on arrays, beside the names of backends."""

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Lines:
    """Puzzles of the same rules, n² characters each and nothing between; `first` is the number of the first line."""

    ruleset: Ruleset
    text: bytes
    first: int = 1

    def __len__(self) -> int:
        return len(self.text) // self.ruleset.board.cell_count

    @property
    def clues(self) -> bytes:
        """n² numbers 0..n for each puzzle, 0 for a blank."""
        return self.text.translate(_digits(self.ruleset.order))

    def line(self, index: int) -> bytes:
        """One of them as it was read, without its end."""
        size = self.ruleset.board.cell_count
        return self.text[index * size : (index + 1) * size]

    def puzzle(self, index: int) -> Puzzle:
        """One of them."""
        digits = tuple(self.line(index).translate(_digits(self.ruleset.order)))
        return Puzzle(self.ruleset, Grid(digits, self.ruleset.board))

    def parts(self, count: int = TOGETHER) -> Iterator[Lines]:
        """So many after so many; the last may have fewer."""
        size = self.ruleset.board.cell_count
        for start in range(0, len(self), count):
            yield Lines(self.ruleset, self.text[start * size : (start + count) * size], self.first + start)


def plain_lines(stream: BinaryIO, box: tuple[int, int] | None = None) -> Lines | None:
    """All that is left of a stream that can be rewound; None, and nothing is taken, where anything else is in it."""
    try:
        start = stream.tell()
        head = stream.readline(2 * LARGEST * LARGEST).rstrip(b" \r\n")
        stream.seek(start)
    except (UnsupportedOperation, OSError, ValueError):
        return None
    order = isqrt(len(head))
    if not SMALLEST <= order <= LARGEST or len(head) != order * order:
        return None
    try:
        ruleset = classic(order, box)
    except DimensionError:
        return None
    raw = stream.read()
    if not _many(order).fullmatch(raw):
        stream.seek(start)
        return None
    return Lines(ruleset, raw.translate(None, b" \r\n"))


@cache
def _many(order: int) -> re.Pattern[bytes]:
    """What such a line means depends on no other line. Beside other marks `0` may be a digit, so it is not plain."""
    one = rf"(?:[1-{order}._*?-]{{{order * order}}}|[0-{order}]{{{order * order}}})"
    return re.compile(rf"(?:{one} *+\r?\n)*+(?:{one} *+\r?)?".encode())


@cache
def _digits(order: int) -> bytes:
    """For each character its digit, and 0 for all that are none."""
    table = bytearray(256)
    for digit in range(1, order + 1):
        table[ord(str(digit))] = digit
    return bytes(table)


@dataclass(frozen=True)
class SolvedLines:
    """A line for each puzzle: its solution in n² characters, or zeros where `others` says what is known."""

    lines: bytes
    others: tuple[tuple[int, Result], ...]


def solve_lines(lines: Lines, time_limit: float | None, session: Session) -> SolvedLines:
    """A solution of each puzzle; the time limit (seconds) is for each."""
    import numpy as np

    grids, found = _only_solutions(lines, session)
    others: list[tuple[int, Result]] = []
    for index in np.flatnonzero(~found).tolist():
        # the session checks its answer
        result = session.solve(lines.puzzle(index), time_limit)
        grids[index] = result.grid.digits if result.grid else 0
        if result.grid is None:
            others.append((index, result))
    written = np.full((len(grids), grids.shape[1] + 1), ord("\n"), np.uint8)
    written[:, :-1] = grids + ord("0")
    return SolvedLines(written.tobytes(), tuple(others))


def count_lines(lines: Lines, session: Session, one: Answer, count: Callable[[int], Answer]) -> list[Answer]:
    """`one` for each puzzle that has exactly one solution, most of which are found together; else what `count` says of
    the puzzle of an index."""
    found = _only_solutions(lines, session)[1]
    return [one if has_one else count(index) for index, has_one in enumerate(found.tolist())]


def _only_solutions(lines: Lines, session: Session) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """As `deduction.many`, checked; nothing is found where the session has a backend of the caller's choice."""
    import numpy as np

    from ringdoku.deduction.many import only_solutions

    board, box = lines.ruleset.board, lines.ruleset.require_classic("lines")
    clues = np.frombuffer(lines.clues, np.uint8).reshape(-1, board.cell_count)
    if session.backend != "auto":
        return np.zeros_like(clues), np.zeros(len(clues), np.bool_)
    grids, found = only_solutions(clues, box)
    for index in np.flatnonzero(found & ~are_solutions(clues, grids, box)).tolist():
        wrong = Grid(tuple(grids[index].tolist()), board)
        # it says what is wrong
        check_result(lines.puzzle(index), Result(Status.SATISFIABLE, wrong, backend=ARRAYS))
        raise AssertionError("two checkers disagree")
    return grids, found
