"""Puzzles from files or standard input, one at a time, so that memory does not grow with their number."""

from __future__ import annotations

import os
import re
import select
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from glob import glob
from io import BytesIO, UnsupportedOperation
from itertools import islice
from math import isqrt
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO

from ringdoku.domain.errors import DimensionError, InputError, Place, UsageError
from ringdoku.domain.objective import Objective, Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.text import Entry, ReadOptions, Source, layout_named, read_source, read_weights
from ringdoku.text.between import option_lines
from ringdoku_cli.exits import Exit
from ringdoku_cli.messages import complain, note

if TYPE_CHECKING:
    from ringdoku.services.lines import Lines

STDIN = "<stdin>"
ARGUMENT = "<argument>"
"""What messages call a puzzle that stands on the command line itself."""
SHORTEST_LINK = 12
LEAST_ROWS = 4
LONGEST_NAME = 255
LONG = 1 << 12
"""Bytes of an input. A shorter one is answered before numpy is loaded."""


class Puzzles:
    """The puzzles of one input, or of several one after the other, as a context manager and an iterator.

    A malformed one raises its `InputError`; with `keep_going` it is reported on standard error instead, the next one
    follows, and `exit` becomes `Exit.USAGE`.
    """

    def __init__(
        self,
        paths: str | Sequence[str],
        how: ReadOptions,
        keep_going: bool = False,
    ) -> None:
        self.exit = Exit.OK
        self._keep_going = keep_going
        # what is wrong with the rules is said before any work
        self._how = replace(how, rules=option_lines(how.rules or ()), note=lambda place, text: note(f"{place}: {text}"))
        self._paths = [paths] if isinstance(paths, str) else list(paths)
        for later in self._paths[1:]:
            # before any work; a named pipe can be opened only once
            if later != "-" and as_text(later) is None and not Path(later).exists():
                raise UsageError(f"cannot read {_shown(later)}: No such file or directory")
        self._begun = 0
        self._source, self._size = self._open(self._paths[0])
        self._items: Iterator[Entry | InputError] = self._read()

    def __enter__(self) -> Puzzles:
        return self

    def _open(self, path: str) -> tuple[Source, int | None]:
        text = as_text(path)
        stream = open_binary(path) if text is None else BytesIO(text)
        self._stream = stream
        return Source(stream), _size(stream)

    def _read(self) -> Iterator[Entry | InputError]:
        for number, path in enumerate(self._paths):
            if number:
                self._close()
                self._begun = number
                self._source, self._size = self._open(path)
            name = input_name(path) if as_text(path) is None else ARGUMENT
            yield from read_source(self._source, name, self._how)

    def _close(self) -> None:
        if self._paths[self._begun] != "-":
            self._source.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def __iter__(self) -> Iterator[Entry]:
        for item in self._items:
            if isinstance(item, Entry):
                yield item
            elif isinstance(item, InputError):
                self._refuse(item)

    def plain_lines(self) -> Lines | None:
        """All puzzles, where the input is one long file of plain lines."""
        how = self._how
        asked = how.rules or how.ignore or how.format not in (None, "line")
        if asked or len(self._paths) > 1 or (self._size or 0) < LONG:
            return None
        from ringdoku.services.lines import plain_lines

        return plain_lines(self._stream, how.box or None)

    def entry_of(self, lines: Lines, index: int) -> Entry:
        """One of the plain lines."""
        place = Place(input_name(self._paths[0]), lines.first + index)
        return Entry(lines.puzzle(index), layout_named("line", lines.ruleset), place)

    def require_one(self, remedy: str) -> None:
        """Raises `UsageError` with the remedy when the input holds several puzzles, before any is worked on."""
        first = list(islice(self, 2))
        if len(first) > 1:
            raise UsageError(f"the input holds several puzzles; {remedy}")
        self._items = iter(first)

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

    def ready(self) -> bool:
        """Whether reading on will not wait for somebody to write, as far as is known."""
        try:
            return self._size is not None or self._source.has_line or bool(select.select([self._source], [], [], 0)[0])
        except UnsupportedOperation:
            # in memory
            return True
        except (OSError, ValueError):
            # a pipe on Windows
            return False

    @property
    def share_read(self) -> float | None:
        """How much of the input was read, 0..1; None where its size is unknown, as that of a pipe."""
        if not self._size:
            return None
        return (self._begun + min(1.0, self._source.given / self._size)) / len(self._paths)


def input_name(path: str) -> str:
    """What messages call an input."""
    return STDIN if path == "-" else path


def _shown(path: str) -> str:
    """A path for a message: what is too long for a name is no file, and only its beginning is shown."""
    return path if len(path) <= LONGEST_NAME else f"{path[:80]}…"


def files_of(sources: Sequence[str] | None) -> list[str]:
    """The inputs of a command: standard input if none is given; the files below a folder, sorted and without hidden
    ones; the files that a pattern with `*` and `?` matches, where the shell has not looked for them."""
    files: list[str] = []
    for source in sources or ("-",):
        if source and Path(source[:LONGEST_NAME]).is_dir():
            below = (path for path in sorted(Path(source).rglob("*")) if path.is_file())
            files += (str(path) for path in below if not path.name.startswith("."))
            continue
        # Path.glob takes no absolute patterns
        found = sorted(glob(source)) if set("*?") & set(source) and as_text(source) is None else []  # noqa: PTH207
        files += found or [source]
    return list(dict.fromkeys(files))


def as_text(path: str) -> bytes | None:
    """An argument that is not a file but a puzzle, a link or a constraint string; None for any other."""
    if path == "-" or len(path) < SHORTEST_LINK or Path(path[:LONGEST_NAME]).exists():
        return None
    # JSON may be damaged, and its error message tells more than that there is no such file
    if "\n" in path or path.lstrip().startswith("{"):
        return path.encode("utf-8", "surrogateescape")
    if rows := _rows(path):
        return "\n".join(rows).encode()
    from ringdoku.links import is_link

    return path.encode("utf-8", "surrogateescape") if is_link(path) else None


def _rows(text: str) -> list[str]:
    """The lines of a puzzle that is written as n² characters, or as n rows with `/` or spaces between them; none for
    another text."""
    rows = re.split("[/ ]+", text.strip("/ "))
    size = len(rows) if len(rows) > 1 else isqrt(len(text))
    wanted = size if len(rows) > 1 else size * size
    if size < LEAST_ROWS or any(len(row) != wanted for row in rows):
        return []
    digits = set("".join(rows)) - set(".0_*?-")
    # a word is no puzzle
    if not digits <= set("123456789ABCDEFGabcdefg") or not digits & set("123456789"):
        return [] if digits else rows
    return rows


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
        raise UsageError(f"cannot read {_shown(path)}: {getattr(error, 'strerror', None) or error}") from None


def marks_from(path: str, shape: tuple[int, int] | None) -> Puzzle:
    """What a player has: digits as clues, marks as rules. Raises `UsageError` unless the file holds one grid."""
    with Puzzles([path], ReadOptions(box=shape, verify=False)) as puzzles:
        found = [entry.puzzle for entry in puzzles]
    if len(found) != 1:
        raise UsageError(f"{path} holds {len(found)} grids; --marks are one")
    return found[0]


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
