"""Long plain inputs: classic puzzles up to 9×9, one a line, which are answered together as arrays. Beside them there
may be their number above, as judges write it, and blank lines and `end` or 0 below; or solutions, as in CSV.

Most puzzles with one solution are solved by the search on arrays, 5 to 10 times as fast as one by one, and a solver
gets the others. So the answers are the solver's wherever there is another solution, and do not depend on which lines
are answered together. Every answer is checked.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from math import isqrt
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from ringdoku.domain import DimensionError, DisagreementError, Grid, Puzzle, Result, Ruleset, Status, classic
from ringdoku.domain.checker import are_solutions
from ringdoku.text.cells import BLANKS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Answer = TypeVar("Answer")
SMALLEST, LARGEST = 4, 9
"""Orders. Above the largest, letters stand for digits, and each line shows its own alphabet."""
TOGETHER = 1000
"""Lines that are answered together. The arrays of fewer cost more for each puzzle."""
ARRAYS = "arrays"
"""What answers call the search on arrays, beside the names of backends."""
_MARKS = re.escape("".join(filter(str.isascii, BLANKS)))
_HEADER = "(?i:(?:puzzles?|quiz|quizzes|question),solutions?)"
_DIGITS = bytes(mark - ord("0") if chr(mark) in "123456789" else 0 for mark in range(256))
"""For each character its digit, and 0 for all that are none."""


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

    def parts(self, count: int = TOGETHER) -> "Iterator[Lines]":
        """So many after so many; the last may have fewer."""
        for start in range(0, len(self), count):
            yield Lines(self.ruleset, self.digits[start : start + count], self.first + start)


def plain_lines(stream: BinaryIO, box: tuple[int, int] | None = None, verify: bool = True) -> Lines | None:
    """All that is left of a stream that can be rewound; None, and nothing is taken, where anything else is in it.

    What such a line means depends on no other line. Beside other marks `0` may be a digit, so it is not plain. Where
    solutions stand behind the puzzles, all are right, or nothing is taken; and without `verify`.
    """
    ruleset = None
    with suppress(OSError, ValueError, DimensionError):
        start = stream.tell()
        heads = [stream.readline(4 * LARGEST * LARGEST).rstrip(b" \r\n").split(b",") for _ in range(2)]
        stream.seek(start)
        head, *beside = heads[heads[1] != [b""]]
        order = isqrt(len(head))
        if SMALLEST <= order <= LARGEST and len(head) == order * order and (verify or not beside):
            ruleset = classic(order, box)
    if ruleset is None:
        return None
    found = _lines_in(stream.read(), ruleset, bool(beside))
    if found is None:
        stream.seek(start)
    return found


def _lines_in(raw: bytes, ruleset: Ruleset, has_solutions: bool) -> Lines | None:
    order, width = ruleset.order, 2 if has_solutions else 1
    one = rf"(?:[1-{order}{_MARKS}]{{{order * order}}}|[0-{order}]{{{order * order}}})"
    one += rf",[1-{order}]{{{order * order}}}" * has_solutions
    above = rf"(?:(?:(\d{{1,9}})|{_HEADER if has_solutions else '(?!)'}) *\r?\n)?"
    below = r"(?: *\r?\n)*+(?:(?:(?i:end)|0) *)?(?: *\r?\n)*+"
    found = re.fullmatch(rf"{above}((?:{one} *+\r?\n)*+(?:{one} *+\r?)?){below}".encode(), raw)
    digits = found[2].translate(_DIGITS, b" \r\n,") if found else b""
    count = len(digits) // order**2 // width
    if not found or int(found[1] or count) != count:
        return None
    import numpy as np

    both, box = np.frombuffer(digits, np.uint8).reshape(count, width, -1), ruleset.require_classic("lines")
    some = np.array_split(both, count // TOGETHER + 1) if has_solutions else ()
    are_right = all(are_solutions(part[:, 0], part[:, 1], box).all() for part in some)
    return Lines(ruleset, both[:, 0], 1 + (found.start(2) > 0)) if are_right else None


def lines_of(puzzles: Any) -> Lines | None:
    """The puzzles of a list of texts, or of an array N × n × n, where all are plain; None for any others."""
    if isinstance(puzzles, list | tuple) and all(isinstance(puzzle, str) for puzzle in puzzles):
        if any("\n" in puzzle or len(puzzle) != len(puzzles[0]) for puzzle in puzzles):
            return None
        text = "\n".join(puzzles).encode("utf-8", "surrogatepass")
    elif getattr(puzzles, "ndim", 0) == 3 and puzzles.dtype.kind in "iu" and len({*puzzles.shape[1:]}) == 1:
        if not puzzles.size or puzzles.min() < 0 or puzzles.max() > LARGEST:
            return None
        rows = puzzles.reshape(len(puzzles), -1) + ord("0")
        text = b"\n".join(map(bytes, rows.astype("u1")))
    else:
        return None
    lines = plain_lines(BytesIO(text))
    return lines if lines and len(lines) == len(puzzles) else None


def answers_of(
    method: Callable[..., Answer], known: Callable[[Grid, float], Answer], lines: Lines, session: Any
) -> list[Answer]:
    """What a method of the session says of each `puzzle`, or `known` of its only solution and the seconds it took."""
    start, board = time.perf_counter(), lines.ruleset.board
    grids, found = only_solutions_of(lines, session)
    seconds = (time.perf_counter() - start) / len(lines)
    return [
        known(Grid(tuple(digits), board), seconds) if is_only else method(session, puzzle=lines.puzzle(index))
        for index, (digits, is_only) in enumerate(zip(grids.tolist(), found.tolist(), strict=True))
    ]


def counts_of(puzzle: Puzzle) -> Iterator[int]:
    """How many solutions of a classic puzzle are found, again and again; in the end that are all. Each is checked."""
    import numpy as np

    from ringdoku.deduction.many import every_solution

    box, clues, known = puzzle.ruleset.require_classic("arrays"), np.array(puzzle.clues.digits, np.uint8), 0
    for grids in every_solution(clues, box):
        if not are_solutions(np.broadcast_to(clues, grids.shape), grids, box).all():
            raise DisagreementError(f"{ARRAYS} gave a wrong solution")
        known += len(grids)
        yield known


def only_result(grid: Grid, seconds: float) -> Result:
    """What `Session.solve` says of a solution that is the only one."""
    return Result(Status.SATISFIABLE, grid, backend=ARRAYS, seconds=seconds, ground="the grid")


def solve_lines(time_limit: float | None, lines: Lines, session: Any, *_: object) -> Iterator[str | tuple[int, Result]]:
    """A solution of each puzzle, in order: text with a line of n² digits for each of one or more puzzles, or the index
    of a puzzle that has none, with what is known of it. The time limit (seconds) is for each."""
    import numpy as np

    grids, found = only_solutions_of(lines, session)
    without: list[tuple[int, Result]] = []
    for index in np.flatnonzero(~found).tolist():
        # the session checks its answer
        result = session.solve(lines.puzzle(index), time_limit)
        if result.grid is None:
            without.append((index, result))
        else:
            grids[index] = result.grid.digits
    written = np.full((len(grids), grids.shape[1] + 1), ord("\n"), np.uint8)
    written[:, :-1] = grids + ord("0")
    start = 0
    for index, result in without:
        yield written[start:index].tobytes().decode("ascii")
        yield index, result
        start = index + 1
    yield written[start:].tobytes().decode("ascii")


def only_solutions_of(lines: Lines, session: Any) -> "tuple[NDArray[np.uint8], NDArray[np.bool_]]":
    """A grid for each puzzle, and whether it is its only solution, checked. Nothing is found for a session with a
    backend of the caller's choice, and for some puzzles that have one solution."""
    import numpy as np

    from ringdoku.deduction.many import only_solutions

    box, clues = lines.ruleset.require_classic("lines"), lines.digits
    if session.backend != "auto":
        return np.zeros_like(clues), np.zeros(len(clues), np.bool_)
    grids, found = only_solutions(clues, box)
    for index in np.flatnonzero(found & ~are_solutions(clues, grids, box)).tolist():
        raise DisagreementError(f"{ARRAYS} gave a wrong answer to the puzzle in line {lines.first + index}")
    return grids, found
