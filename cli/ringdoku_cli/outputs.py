"""Where answers go: standard output, or a file that appears only when it is whole.

Each answer is flushed at once, so that none is lost, and so that a program at the other end of a pipe gets it. A file
is written under a temporary name in the same folder. It gets its own name

- at the end, or when an error in the input stopped the run: it then holds the answers before it, as a pipe would;
- not after Ctrl-C, a full disk or a bug: then `FILE.partial` has the answers so far, and an older FILE stays as it was.

A run that fails before it answered anything leaves no file, nor does a failed one of what is useless in part.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from ringdoku.domain.errors import DisagreementError, RingdokuError, UsageError
from ringdoku_cli.messages import note


def require_own_file(flag: str, path: str | None, *others: str | None) -> None:
    """Raises `UsageError` for a path that is not the name of a file, or is one of the others."""
    if path is None:
        return
    files = {os.path.realpath(other) for other in others if other not in (None, "-")}
    if path in ("", "-") or os.path.realpath(path) in files:
        raise UsageError(f"{flag} needs a file of its own")


def require_writable(path: str, force: bool) -> os.stat_result | None:
    """The status of FILE, None where there is none; raises `UsageError` as `open_output` does, before any work."""
    if not path:
        raise UsageError("the name of the output is empty; - is standard output")
    try:
        status = Path(path).stat()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None
    if stat.S_ISDIR(status.st_mode):
        raise UsageError(f"cannot write {path}: it is a folder")
    if stat.S_ISREG(status.st_mode) and not force:
        raise UsageError(f"{path} exists; --force replaces it")
    return status


def require_absent(paths: Iterable[Path | None], force: bool) -> None:
    """Raises `UsageError` when one of the files exists and `force` is false; None is not a file."""
    for path in paths:
        if path and path.exists() and not force:
            raise UsageError(f"{path} exists; --force replaces it")


@contextmanager
def open_output(path: str | None, force: bool, useless_in_part: bool = False) -> Iterator[TextIO]:
    """The stream for answers, or for something `useless_in_part`, such as a model.

    Raises `UsageError` when FILE exists and `force` is false, or cannot be written.
    """
    if path is None or path == "-":
        yield _standard_output()
        return
    status, target = require_writable(path, force), Path(path)
    if status is not None and not stat.S_ISREG(status.st_mode):
        # a device or a named pipe is written to, not replaced
        with target.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            yield stream
        return
    mode = None if status is None else stat.S_IMODE(status.st_mode)
    # where FILE is a symbolic link, the file that it points to is replaced
    yield from _whole_file(Path(os.path.realpath(target)), mode, useless_in_part)


def _whole_file(target: Path, mode: int | None, useless_in_part: bool) -> Iterator[TextIO]:
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        stream = temporary.open("x", encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}") from None
    try:
        yield stream
        stream.close()
        _put_in_place(temporary, target, mode)
    except BaseException as error:
        _close(stream)
        if useless_in_part or not temporary.stat().st_size:
            temporary.unlink()
        elif isinstance(error, RingdokuError) and not isinstance(error, DisagreementError):
            _put_in_place(temporary, target, mode)
        else:
            partial = target.with_name(f"{target.name}.partial")
            temporary.replace(partial)
            cut = "; the last one may be cut short" if isinstance(error, OSError) else ""
            note(f"the answers so far are in {partial}{cut}")
        raise


def _put_in_place(temporary: Path, target: Path, mode: int | None) -> None:
    if mode is not None:
        temporary.chmod(mode)
    temporary.replace(target)


def _close(stream: TextIO) -> None:
    # on a full disk the buffer fails again; the error to report is the one that stopped the run
    with suppress(OSError):
        stream.close()


def _standard_output() -> TextIO:
    if sys.stdout is None:
        raise UsageError("standard output is closed")
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        # the same bytes on every system; a name from a file may have characters that the terminal's encoding lacks
        reconfigure(newline="\n", errors="backslashreplace")
    return sys.stdout
