"""Puzzles from files, folders, standard input or arguments, one at a time: memory does not grow with their number."""

import os
import re
import select
import stat
import sys
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from filecmp import cmp
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from ringdoku.domain import InputError, Place, RingdokuError, UsageError, refuse, refusing
from ringdoku.services.lines import Lines, plain_lines
from ringdoku.text import Entry, ReadOptions, Source, layout_named, read
from ringdoku.text.between import option_lines
from ringdoku_cli.exits import Exit, note

LONGEST_NAME = 255
ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".7z", ".rar")
_CELLS = re.compile(r"(?=.*[0-9０-９._*?])[0-9０-９A-Ga-g._*?．。＊＿空/ -]{16,}")
"""The cells of a puzzle as an argument, perhaps a damaged one, with `/` or spaces between rows."""


class Puzzles(AbstractContextManager["Puzzles"]):
    """The puzzles of one input, or of several one after the other, as a context manager and an iterator. A malformed
    puzzle raises its `InputError`; with `keep_going` it is reported on standard error, `exit` becomes `Exit.USAGE`, and
    the next puzzle follows. `cached` has the content of inputs that were read before."""

    def __init__(self, paths: Sequence[str], how: ReadOptions, keep_going: bool, cached: Mapping[str, bytes]) -> None:
        self.exit, self._paths, self._keep_going, self._cached = Exit.OK, paths, keep_going, cached
        # refuses wrong rules before any work
        self._how = replace(how, rules=option_lines(how.rules or ()), note=lambda place, text: note(f"{place}: {text}"))
        self._stream: BinaryIO = BytesIO()
        self._open(paths[0])
        self._items: Iterator[Entry | InputError] = self._read()

    def _open(self, path: str) -> None:
        text = self._cached[path] if path in self._cached else inline_puzzle(path)
        stream = open_binary(path) if text is None else BytesIO(text)
        self.__exit__()
        self._stream, self._source = stream, Source(stream)

    def _read(self) -> Iterator[Entry | InputError]:
        for number, path in enumerate(self._paths):
            if number:
                self._open(path)
            yield from read(self._source, source_name(path), self._how)

    def __exit__(self, *_: object) -> None:
        if self._stream is not getattr(sys.stdin, "buffer", None):
            self._stream.close()

    def __iter__(self) -> Iterator[Entry]:
        for item in self._items:
            if isinstance(item, Entry):
                yield item
            else:
                self.refuse(item)

    def refuse(self, error: RingdokuError) -> None:
        """Raise the error of a puzzle that cannot be used, or with `keep_going` report it."""
        if not self._keep_going:
            raise error
        note(f"error: {error}")
        self.exit = Exit.USAGE

    def plain_lines(self) -> Lines | None:
        """All puzzles of one long input of plain lines, else None: for a short one, loading numpy takes too long. A
        pipe of up to 64 MiB is such an input if its writer does not make us wait, and is done in half a second."""
        how, stream = self._how, self._stream
        if how.rules or how.ignore or how.format not in (None, "line") or len(self._paths) > 1:
            return None
        if _size(stream) is None and not stream.isatty() and self._can_read(None):
            end = time.monotonic() + 0.5
            whole = self._source.whole(1 << 26, lambda: self._can_read(0.05) and time.monotonic() < end)
            stream = BytesIO(whole or b"")
        return plain_lines(stream, how.box or None, how.verify) if (_size(stream) or 0) >= 4096 else None

    def entry_of(self, lines: Lines, index: int) -> Entry:
        """The entry of one of the plain lines."""
        place = Place(input_name(self._paths[0]), lines.first + index)
        return Entry(lines.puzzle(index), layout_named("line", lines.ruleset), place)

    def require_one(self, remedy: str) -> None:
        """Raises `UsageError` with the remedy if the input holds several puzzles, before any is worked on."""
        first = list(islice(self, 2))
        refuse(len(first) > 1, f"the input holds several puzzles; {remedy}")
        self._items = iter(first)

    def ready(self) -> bool:
        """Whether the next puzzle can be read without waiting for a writer, as far as is known."""
        return _size(self._stream) is not None or self._source.has_line or self._can_read(0)

    def _can_read(self, wait: float | None) -> bool:
        """Whether a pipe has more, or its end, within so many seconds."""
        with suppress(OSError, ValueError):
            return bool(select.select([self._stream], [], [], wait)[0])
        # unknown for a pipe on Windows
        return False


def input_name(path: str) -> str:
    """The name of an input in messages."""
    return "<stdin>" if path == "-" else path


def source_name(path: str) -> str:
    """The name of an input in the places of its puzzles; the input may be a puzzle itself."""
    return input_name(path) if inline_puzzle(path) is None else "<argument>"


def files_of(sources: Sequence[str] | None) -> list[str]:
    """The inputs of a command, standard input by default. A folder stands for its files, hidden ones left out, sorted
    with 2 before 10; if it has tests N.in with answers, for these tests alone. Raises `UsageError` if it is empty."""
    files: list[str] = []
    for source in sources or ("-",):
        if source and Path(source[:LONGEST_NAME]).is_dir():
            paths = (path for path in sorted(Path(source).rglob("*"), key=_sort_key) if not path.name.startswith("."))
            inside = [str(path) for path in paths if not path.is_dir()]
            refuse(not inside, f"the folder {source} holds no file")
            for file in inside:
                refuse(not Path(file).is_file(), f"{file} is no file that can be read")
            answers = answers_beside(inside, {*inside})
            if any(test.endswith(".in") for test in answers):
                inside = [file for file in inside if file.endswith(".in") or file in answers]
            left_out = {*files, *answers.values()}
            files += [file for file in inside if file not in left_out]
        else:
            files.append(source)
    return files


def _sort_key(path: Path) -> list[tuple[int, str]]:
    """A sort key by which numbers in names are compared as numbers."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.findall(r"\d+|\D+", str(path))]


def answers_beside(files: Sequence[str], among: Container[str] | None = None) -> dict[str, str]:
    """For each input with an answer the file of it: N.out or N.ans for N.in; N.a for N, as in Polygon's packages. It is
    in the same folder, or one of `among`. Raises `UsageError` if there are two, and they differ."""
    answers: dict[str, str] = {}
    for file in files:
        beside = [file[:-2] + end for end in ("out", "ans")] if file.endswith(".in") else [f"{file}.a"]
        found = [answer for answer in beside if (Path(answer).is_file() if among is None else answer in among)]
        if len(found) > 1 and not cmp(found[0], found[1], shallow=False):
            raise UsageError(f"{' and '.join(found)} are different answers to {file}; keep one")
        if found:
            answers[file] = found[0]
    return answers


def inline_puzzle(path: str) -> bytes | None:
    """The content of an argument that is itself a puzzle, a link or a constraint string; None for any other."""
    if path == "-" or Path(path[:LONGEST_NAME]).exists():
        return None
    # damaged JSON too: the error of its reader says more than "no such file"
    if "\n" in path or path.lstrip().startswith("{"):
        return path.encode("utf-8", "surrogateescape")
    if _CELLS.fullmatch(path):
        return re.sub("[/ ]+", "\n", path.strip("/ ")).encode()
    from ringdoku.links import is_link

    return path.encode("utf-8", "surrogateescape") if is_link(path) else None


def open_binary(path: str) -> BinaryIO:
    """The file, or standard input for `-`. Raises `UsageError` when it cannot be read."""
    if path == "-":
        refuse(sys.stdin is None, "standard input is closed")
        if sys.stdin.isatty():
            note("reading from the terminal; Ctrl-D ends it")
        return sys.stdin.buffer
    refuse(not path, "the name of an input is empty; - is standard input")
    refuse(path.endswith(ARCHIVES), f"{path} is an archive; unpack it, and name the folder or a file")
    with refusing(f"cannot read {path if len(path) <= LONGEST_NAME else f'{path[:80]}…'}"):
        return Path(path).open("rb")


def _size(stream: BinaryIO) -> int | None:
    """The size of a file, or of bytes in memory; None for a pipe and other streams."""
    if isinstance(stream, BytesIO):
        return stream.getbuffer().nbytes
    with suppress(OSError):
        status = os.fstat(stream.fileno())
        return status.st_size if stat.S_ISREG(status.st_mode) else None
    return None
