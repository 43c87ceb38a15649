"""What a solver wrote, read line by line. Only so much is kept as an answer can need, and errors name the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO

from ringdoku.domain.errors import InputError, Place, TimeLimitError

SHOWN = 40
"""Messages quote so many characters of a line."""

TALK = 1 << 16
"""A line may have so many characters for any model: solvers print their options in comments."""

WIDTH = 60
"""A value takes at most so many characters, blanks included: `(digit_NAME (- 100))`, perhaps on an indented line."""

ENOUGH = "no more than an answer to this model needs"

NUMBER = r"(-?[0-9]{1,30}(?:\.[0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?)"
"""A number in decimal notation."""

_ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class SolverOutput:
    """What a solver wrote, read once; `name` says in messages where it came from. A reader keeps the lines that it
    needs."""

    def __init__(
        self, written: bytes | BinaryIO, name: str = "<output>", expired: Callable[[], bool] = lambda: False
    ) -> None:
        self._stream = BytesIO(written) if isinstance(written, bytes) else written
        self.name = name
        self._expired = expired
        self._room = TALK
        self._size = 0
        self.kept: list[tuple[int, str]] = []
        """Lines with their numbers."""

    def lines(self, values: int) -> Iterator[tuple[int, str]]:
        """Each line that is not blank, stripped and without colours, with its number from 1.

        There is room for so many values, and for talk. Raises `InputError` for a longer line, `TimeLimitError` once
        `expired` is true. Bytes outside ASCII become U+FFFD: solvers print them only in comments.
        """
        room = self._room = TALK + values * WIDTH
        number = 0
        while line := self._stream.readline(room + 1):
            if self._expired():
                raise TimeLimitError
            number += 1
            if len(line) > room:
                raise self.error(number, f"a line of more than {room} bytes", ENOUGH)
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            text = line.decode("ascii", "replace")
            if "\x1b" in text:
                text = _ANSI_COLOUR.sub("", text)
            if stripped := text.strip():
                yield number, stripped

    def keep(self, number: int, text: str) -> None:
        """Raises `InputError` when that is more than there is room for."""
        self._size += len(text) + 1
        if self._size > self._room:
            raise self.error(number, f"values of more than {self._room} characters", ENOUGH)
        self.kept.append((number, text))

    def drop(self) -> None:
        """Keep nothing so far, as a better answer follows."""
        self.kept, self._size = [], 0

    @property
    def text(self) -> str:
        """The lines that are kept."""
        return "\n".join(line for _, line in self.kept)

    def error(self, line: int, found: str, expected: str) -> InputError:
        """What is wrong with a line, or with the whole where `line` is 0."""
        return InputError(Place(self.name, line), found, expected)


def shown(text: str) -> str:
    """The beginning of a text, quoted."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")
