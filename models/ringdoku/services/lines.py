"""Long plain inputs: classic puzzles up to 9×9, one a line, which are answered together as arrays. The number of
puzzles may stand above them, as judges write it; blank lines and `end` or 0 below; solutions behind them, as in CSV.

The search on arrays solves most puzzles that have one solution, 5 to 10 times as fast as a solver that gets them one by
one. The solver gets all others. So where a puzzle has several solutions the answer is always the solver's, and no
answer depends on which lines share a batch. Every answer is checked.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from math import isqrt
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from ringdoku.domain import DimensionError, DisagreementError, Grid, Puzzle, Result, Ruleset, classic
from ringdoku.domain.checker import are_solutions
from ringdoku.text.cells import BLANKS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Answer = TypeVar("Answer")
ORDERS = range(4, 10)
"""Above the largest one letters stand for digits, and each line shows its own alphabet."""
BATCH = 1000
"""How many lines are answered together. Smaller arrays cost more for each puzzle."""
ARRAYS = "arrays"
"""The search on arrays in answers, where others name a backend."""
_MARKS = re.escape("".join(filter(str.isascii, BLANKS)))
_HEADER = "(?i:(?:puzzles?|quiz|quizzes|question),solutions?)"
_DIGIT_OF = bytes(mark - ord("0") if chr(mark) in "123456789" else 0 for mark in range(256))
"""The digit of each character, 0 for a character that is none."""


@dataclass(frozen=True)
class Lines:
    """Puzzles of the same rules, in rows of n² `digits` 0..n; `first` is the number of the first line."""

    ruleset: Ruleset
    digits: "NDArray[np.uint8]"
    first: int = 1

    def __len__(self) -> int:
        return len(self.digits)

    def puzzle(self, index: int) -> Puzzle:
        return Puzzle(self.ruleset, Grid(tuple(self.digits[index].tolist()), self.ruleset.board))

    def batches(self, count: int = BATCH) -> "Iterator[Lines]":
        """Successive groups of `count` puzzles; the last may be smaller."""
        for start in range(0, len(self), count):
            yield Lines(self.ruleset, self.digits[start : start + count], self.first + start)


def plain_lines(stream: BinaryIO, box: tuple[int, int] | None = None, verify: bool = True) -> Lines | None:
    """The puzzles in the rest of a seekable stream. If anything there is not plain: None, and the stream stays put.

    The meaning of a plain line depends on no other line. Beside other marks for blanks `0` may be a digit, so it is not
    plain. Nor are lines with solutions, if one of these is wrong, or without `verify`.
    """
    ruleset = None
    with suppress(OSError, ValueError, DimensionError):
        start = stream.tell()
        heads = [stream.readline(4 * ORDERS[-1] ** 2).rstrip(b" \r\n").split(b",") for _ in range(2)]
        stream.seek(start)
        head, *beside = heads[heads[1] != [b""]]
        order = isqrt(len(head))
        if order in ORDERS and len(head) == order * order and (verify or not beside):
            ruleset = classic(order, box)
    if ruleset is None:
        return None
    found = _parsed_lines(stream.read(), ruleset, bool(beside))
    if found is None:
        stream.seek(start)
    return found


def _parsed_lines(raw: bytes, ruleset: Ruleset, has_solutions: bool) -> Lines | None:
    order, width = ruleset.order, 2 if has_solutions else 1
    line = rf"(?![-_*]{{{order * order}}})(?:[1-{order}{_MARKS}]{{{order * order}}}|[0-{order}]{{{order * order}}})"
    line += rf",[1-{order}]{{{order * order}}}" * has_solutions
    above = rf"(?:(?:(\d{{1,9}})|{_HEADER if has_solutions else '(?!)'}) *\r?\n)?"
    below = r"(?: *\r?\n)*+(?:(?:(?i:end)|0) *)?(?: *\r?\n)*+"
    found = re.fullmatch(rf"{above}((?:{line} *+\r?\n)*+(?:{line} *+\r?)?){below}".encode(), raw)
    digits = found[2].translate(_DIGIT_OF, b" \r\n,") if found else b""
    count = len(digits) // order**2 // width
    if not found or int(found[1] or count) != count:
        return None
    import numpy as np

    grids, box = np.frombuffer(digits, np.uint8).reshape(count, width, -1), ruleset.require_classic("lines")
    batches = np.array_split(grids, count // BATCH + 1) if has_solutions else ()
    are_right = all(are_solutions(batch[:, 0], batch[:, 1], box).all() for batch in batches)
    return Lines(ruleset, grids[:, 0], 1 + (found.start(2) > 0)) if are_right else None


def lines_of(puzzles: Any) -> Lines | None:
    """The puzzles of a list of texts, or of an array N × n × n, if all are plain; otherwise None."""
    text = b""
    is_array = getattr(puzzles, "ndim", 0) == 3 and puzzles.dtype.kind in "iu" and len({*puzzles.shape[1:]}) == 1
    if isinstance(puzzles, list | tuple) and all(isinstance(puzzle, str) for puzzle in puzzles):
        if not any("\n" in puzzle or len(puzzle) != len(puzzles[0]) for puzzle in puzzles):
            text = "\n".join(puzzles).encode("utf-8", "surrogatepass")
    elif is_array and puzzles.size and puzzles.min() >= 0 and puzzles.max() <= ORDERS[-1]:
        text = b"\n".join(map(bytes, (puzzles.reshape(len(puzzles), -1) + ord("0")).astype("u1")))
    lines = plain_lines(BytesIO(text))
    return lines if lines and len(lines) == len(puzzles) else None


def answers_to_lines(
    method: Callable[..., Answer], of_unique: Callable[[Grid, float], Answer], lines: Lines, session: Any
) -> list[Answer]:
    """What `method` returns for each puzzle; `of_unique` makes it from an only solution and its seconds."""
    start, board = time.perf_counter(), lines.ruleset.board
    grids, found = only_solutions_of(lines, session)
    seconds = (time.perf_counter() - start) / len(lines)
    return [
        of_unique(Grid(tuple(digits), board), seconds) if is_only else method(session, puzzle=lines.puzzle(index))
        for index, (digits, is_only) in enumerate(zip(grids.tolist(), found.tolist(), strict=True))
    ]


def running_counts(puzzle: Puzzle) -> Iterator[int]:
    """How many solutions of a classic puzzle are known so far; the last number counts all. Each solution is checked."""
    import numpy as np

    from ringdoku.deduction.many import every_solution

    box, clues, known = puzzle.ruleset.require_classic("arrays"), np.array(puzzle.clues.digits, np.uint8), 0
    for grids in every_solution(clues, box):
        if not are_solutions(np.broadcast_to(clues, grids.shape), grids, box).all():
            raise DisagreementError(f"{ARRAYS} gave a wrong solution")
        known += len(grids)
        yield known


def solve_lines(time_limit: float | None, lines: Lines, session: Any, *_: object) -> Iterator[str | tuple[int, Result]]:
    """The answers to all puzzles, in order. Solutions come as text, a line of n² digits for each of some puzzles in a
    row; a puzzle without a known solution as its index and result. The time limit (seconds) is for each puzzle."""
    import numpy as np

    grids, found = only_solutions_of(lines, session)
    unsolved: list[tuple[int, Result]] = []
    for index in np.flatnonzero(~found).tolist():
        # the session checks its answer
        result = session.solve(lines.puzzle(index), time_limit)
        if result.grid is None:
            unsolved.append((index, result))
        else:
            grids[index] = result.grid.digits
    text = np.pad(grids + ord("0"), ((0, 0), (0, 1)), constant_values=ord("\n"))
    start = 0
    for index, result in unsolved:
        yield text[start:index].tobytes().decode("ascii")
        yield index, result
        start = index + 1
    yield text[start:].tobytes().decode("ascii")


def only_solutions_of(lines: Lines, session: Any) -> "tuple[NDArray[np.uint8], NDArray[np.bool_]]":
    """A grid for each puzzle, and whether that is its only solution, checked. Some puzzles with one solution are not
    solved, and none is for a session whose backend the caller chose."""
    import numpy as np

    from ringdoku.deduction.many import only_solutions

    box, clues = lines.ruleset.require_classic("lines"), lines.digits
    if session.backend != "auto":
        return np.zeros_like(clues), np.zeros(len(clues), np.bool_)
    grids, found = only_solutions(clues, box)
    for index in np.flatnonzero(found & ~are_solutions(clues, grids, box)).tolist():
        raise DisagreementError(f"{ARRAYS} gave a wrong answer to the puzzle in line {lines.first + index}")
    return grids, found
