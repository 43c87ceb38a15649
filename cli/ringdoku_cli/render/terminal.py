"""Is an output seen on a terminal, and how wide is that?"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from typing import TextIO


def terminal_width(stream: TextIO) -> int | None:
    """Columns: COLUMNS of the environment if set, else those of the terminal; None where `stream` is not a terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def errors_are_seen() -> bool:
    """Whether standard error is a terminal, on which something can be drawn."""
    return sys.stderr is not None and sys.stderr.isatty()


def may_reach_terminal(stream: TextIO) -> bool:
    """Whether what is written may be seen on a terminal: on one, or through a pipe to a program that prints it."""
    if stream.isatty():
        return True
    try:
        return stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        # not a file of the operating system
        return False
