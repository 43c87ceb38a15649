"""Messages on standard error, all of one form: `ringdoku: error: …` and `ringdoku: …`."""

from __future__ import annotations

import sys
from contextlib import suppress


def complain(message: object) -> None:
    _say(f"ringdoku: error: {printable(str(message))}")


def note(message: object) -> None:
    _say(f"ringdoku: {printable(str(message))}")


def printable(text: str) -> str:
    """The text, with a backslash escape for every character that a terminal acts upon: controls, direction marks."""
    if text.isprintable():
        return text
    return "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in text)


def _say(line: str) -> None:
    # standard error may be closed, or be a terminal that was closed
    if sys.stderr is not None:
        with suppress(OSError):
            # in one piece: another program may print on the same terminal
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
