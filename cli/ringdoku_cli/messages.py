"""What is said on standard error, in one shape: `ringdoku: error: …` and `ringdoku: …`."""

from __future__ import annotations

import sys
from contextlib import suppress


def complain(message: object) -> None:
    _say(f"ringdoku: error: {printable(str(message))}")


def note(message: object) -> None:
    _say(f"ringdoku: {printable(str(message))}")


def printable(text: str) -> str:
    """Every character a terminal would act upon (controls, escapes, direction marks) as a backslash escape."""
    if text.isprintable():
        return text
    return "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in text)


def _say(line: str) -> None:
    # without a standard error, or with that of a terminal that was closed, there is nobody to tell
    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr, flush=True)
