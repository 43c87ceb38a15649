"""Puzzles from a file or standard input, one at a time, so that memory does not grow with their number."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from ringdoku.domain.errors import DimensionError, InputError, UsageError
from ringdoku.domain.objective import Objective, Sense
from ringdoku.formats import Entry, read, read_weights
from ringdoku.formats.rules import option_lines
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import complain, note

STDIN = "<stdin>"
ARGUMENT = "<argument>"
"""What messages call a puzzle that stands on the command line itself."""
SHORTEST_LINK = 12
LONGEST_NAME = 255


class Puzzles:
    """The puzzles of one input, as a context manager and an iterator.

    A malformed one raises its `InputError`; with `keep_going` it is reported on standard error instead, the next one
    follows, and `exit` becomes `Exit.USAGE`.
    """

    def __init__(
        self,
        path: str,
        format_name: str | None,
        box: tuple[int, int] | None,
        keep_going: bool = False,
        verify: bool = True,
        rules: Sequence[str] | None = None,
        ignore: bool = False,
    ) -> None:
        self.exit = Exit.OK
        self._keep_going = keep_going
        added = option_lines(rules or ())
        self._owned = path != "-"
        text = _as_text(path)
        self._stream = open_binary(path) if text is None else BytesIO(text)
        self._size = _size(self._stream)
        self._entries: Iterator[Entry | InputError] = read(
            self._stream, input_name(path) if text is None else ARGUMENT, format_name, box, verify, added, ignore
        )

    def __enter__(self) -> Puzzles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._owned:
            self._stream.close()

    def __iter__(self) -> Iterator[Entry]:
        for item in self._entries:
            if isinstance(item, InputError):
                self._refuse(item)
            else:
                yield item

    def require_one(self, remedy: str) -> None:
        """Raises `UsageError` with the remedy when the input holds several puzzles, before any is worked on."""
        first = list(islice(self, 2))
        if len(first) > 1:
            raise UsageError(f"the input holds several puzzles; {remedy}")
        self._entries = iter(first)

    def fit(self, entry: Entry, weights: Objective | None) -> bool:
        """Whether the puzzle has the size of the weights, if there are any; otherwise it counts as malformed."""
        if weights is None:
            return True
        board = entry.puzzle.board
        try:
            weights.fits(board)
        except DimensionError:
            found = f"a puzzle of {board.rows}x{board.columns} cells"
            self._refuse(InputError(entry.place, found, f"{weights.size} cells, as there are weights"))
            return False
        return True

    def _refuse(self, error: InputError) -> None:
        if not self._keep_going:
            raise error
        complain(error)
        self.exit = Exit.USAGE

    @property
    def share_read(self) -> float | None:
        """How much of the input was read, 0..1; None where its size is unknown, as that of a pipe."""
        return min(1.0, self._stream.tell() / self._size) if self._size else None


def input_name(path: str) -> str:
    """What messages call an input."""
    return STDIN if path == "-" else path


def _as_text(path: str) -> bytes | None:
    """An argument that is not a file but a link or a constraint string; None for any other."""
    if path == "-" or len(path) < SHORTEST_LINK or Path(path[:LONGEST_NAME]).exists():
        return None
    from ringdoku.links import is_link

    return path.encode("utf-8", "surrogateescape") if is_link(path) else None


def open_binary(path: str) -> BinaryIO:
    """The file, or standard input for `-`. Raises `UsageError` when it cannot be read."""
    if path == "-":
        if sys.stdin is None:
            raise UsageError("standard input is closed")
        if sys.stdin.isatty():
            note("reading from the terminal; Ctrl-D ends it")
        return sys.stdin.buffer
    if not path:
        raise UsageError("the name of an input is empty; - is standard input")
    try:
        return Path(path).open("rb")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None


def weights_from(path: str, sense: Sense) -> Objective:
    """The weight matrix of a file, or of standard input for `-`."""
    with open_binary(path) as stream:
        return Objective.of_rows(read_weights(stream, input_name(path)), sense)


def _size(stream: BinaryIO) -> int | None:
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        # not a file of the operating system
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
