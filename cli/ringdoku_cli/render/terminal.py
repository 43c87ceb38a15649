"""How much room a terminal has."""

from __future__ import annotations

import shutil
from typing import TextIO


def terminal_width(stream: TextIO) -> int | None:
    """Columns, COLUMNS of the environment before what the terminal says; None where `stream` is no terminal."""
    return shutil.get_terminal_size().columns if stream.isatty() else None
