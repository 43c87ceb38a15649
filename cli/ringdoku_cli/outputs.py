"""Where answers go: standard output, or a file that appears only when it is complete.

Each answer is flushed at once. A file is written under a temporary name beside it, and renamed at the end. After an
error, Ctrl-C or a full disk `FILE.partial` has the answers so far, and an older FILE stays as it was. Nothing is left
of a run without answers, nor of a file that is useless in part.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from ringdoku.domain import UsageError, refuse, refusing
from ringdoku.drawing import PICTURES
from ringdoku.text import Entry
from ringdoku_cli.exits import note
from ringdoku_cli.inputs import Puzzles

NUMBER, RANK, INPUT = "{number}", "{rank}", "{input}"
"""Fields in the name of an output: the puzzle's number, from 1; the rank of a grid among the best ones, from 1; and the
name of the input without folder and suffix."""

Writer: TypeAlias = Callable[[Entry, Any], str]
"""Turns an answer to a puzzle into text."""


def require_own_file(flag: str, path: str | None, *others: str | None) -> None:
    """Raises `UsageError` for a path that is standard output, or the same file as one of the others."""
    files = {os.path.realpath(other) for other in others if other not in (None, "-")}
    refuse(path == "-" or (path is not None and os.path.realpath(path) in files), f"{flag} needs a file of its own")


def require_writable(path: str, force: bool) -> os.stat_result | None:
    """The status of a file, None if there is none. Raises `UsageError`, before any work, where `open_output` would."""
    with refusing(f"cannot write {path}"):
        try:
            status = Path(path).stat()
        except FileNotFoundError:
            Path(path).parent.stat()  # a folder that is missing too is an error
            return None
    refuse(stat.S_ISDIR(status.st_mode), f"cannot write {path}: it is a folder")
    refuse(stat.S_ISREG(status.st_mode) and not force, f"{path} exists; --force replaces it")
    return status


@contextmanager
def open_output(path: str | None, force: bool, useless_in_part: bool = False) -> Iterator[TextIO]:
    """The stream for answers, or for something `useless_in_part`, such as a model. Raises `UsageError` if FILE exists
    and `force` is false, or if it cannot be written."""
    if path is None or path == "-":
        refuse(sys.stdout is None, "standard output is closed")
        yield sys.stdout
        # a full disk shows here, and not when Python ends
        sys.stdout.flush()
        return
    status = require_writable(path, force)
    # where FILE is a symbolic link, the file that it points to is replaced
    is_device = status is not None and not stat.S_ISREG(status.st_mode)
    target = Path(path if is_device else os.path.realpath(path))
    temporary = target if is_device else target.with_name(f".{target.name}.{os.getpid()}.part")
    with refusing(f"cannot write {target}"):
        stream = temporary.open("w" if is_device else "x", encoding="utf-8", errors="backslashreplace", newline="\n")
    if is_device:
        with stream:
            yield stream
        return
    if status is not None:
        temporary.chmod(stat.S_IMODE(status.st_mode))
    try:
        yield stream
        stream.close()
        # another program may have written FILE since
        require_writable(path, force)
    except BaseException as error:
        # on a full disk the buffer fails again; the error to report is the one that stopped the run
        with suppress(OSError):
            stream.close()
        if useless_in_part or not temporary.stat().st_size:
            temporary.unlink()
        else:
            partial = temporary.replace(target.with_name(f"{target.name}.partial"))
            doubt = "; the last one may be cut short" if isinstance(error, OSError) else ""
            note(f"the answers so far are in {partial}{doubt}")
        raise
    temporary.replace(target)


class Answers(ExitStack):
    """Where answers are written: standard output, one file, or several if {number}, {rank} or {input} is in its name.
    The writer that `writer_on` returns turns answers into text for a stream; `sources` are the inputs."""

    def __init__(
        self, path: str | None, force: bool, writer_on: Callable[[TextIO], Writer], sources: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self._path = "-" if path is None else path
        self.force, self._writer_on = force, writer_on
        self._split = any(part in self._path for part in (NUMBER, RANK, INPUT))
        self._name, self._written, self._is_first = "", 0, True
        self.stream: TextIO = StringIO()  # until a file is open; no terminal either
        make_folder_for(self._path, sources)

    def __enter__(self) -> "Answers":
        if not self._split:
            self._open(self._path)
        return self

    def begin(self, number: int, entry: Entry) -> None:
        """Prepare for the answers to a puzzle: complete the file of the one before, unless answers for it are still to
        come. Raises `UsageError` if the file of this puzzle cannot be written."""
        if self._split and (name := file_name(self._path, number, entry)) != self._name:
            if self._written == number - 1:
                self.close()
            require_writable(name, self.force)

    def write(self, number: int, entry: Entry, answer: Any, rank: int = 1, apart: bool = False) -> None:
        """Write an answer to puzzle `number`, from 1; `apart`: if it has several lines, below a blank line, unless it
        is the first of its stream."""
        self._written = number
        if self._split and (name := file_name(self._path, number, entry, rank)) != self._name:
            self.close()
            self._open(name)
        text: str = self._writer(entry, answer)
        self.write_text(f"\n{text}" if apart and not self._is_first and text.count("\n") > 1 else text)
        self._is_first = False

    def write_text(self, text: str) -> None:
        """Write text that a solver of plain lines has made already."""
        self.stream.write(text)
        self.stream.flush()

    @property
    def takes_lines(self) -> bool:
        """Whether all answers go to one stream that is no terminal, so that text for many can be written at once."""
        return not self._split and not self.stream.isatty()

    def _open(self, name: str) -> None:
        self._name, self._is_first = name, True
        is_picture = Path(name).suffix[1:] in PICTURES
        self.stream = self.enter_context(open_output(name, self.force, useless_in_part=is_picture))
        self._writer = self._writer_on(self.stream)


def file_name(path: str, number: int, entry: Entry, rank: int = 1) -> str:
    """The name of the file for an answer: `path` with its fields filled in."""
    name = path.replace(NUMBER, str(number)).replace(RANK, str(rank))
    return name.replace(INPUT, Path(entry.place.file).stem.strip("<>"))


def make_folder_for(path: str, sources: Sequence[str]) -> None:
    """Make the folder of `path` if {input} is in its name. Raises `UsageError` if two inputs would share a file."""
    if INPUT not in Path(path).name:
        return
    names = [Path(source).stem for source in sources]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two inputs are called {repeated}, and their answers would be in one file")
    with refusing(f"cannot write to {Path(path).parent}"):
        Path(path).parent.mkdir(parents=True, exist_ok=True)


def require_a_file_for_each(puzzles: Puzzles, path: str, form: str | None, several: bool) -> None:
    """Raises `UsageError` if two grids would go to one picture, or grids of two puzzles to one file. `several`: a
    puzzle may have more than one grid."""
    is_picture = form in PICTURES
    name = f"grid-{NUMBER}{f'-{RANK}' if several else ''}{f'.{form}' if is_picture else ''}"
    refuse(is_picture and several and RANK not in path, f"a picture holds one grid; -o '{name}' names a file for each")
    if NUMBER not in path and INPUT not in path and (is_picture or RANK in path):
        puzzles.require_one(f"-o '{name}' names a file for each")
