"""What every reader of solver output needs: its lines, of which only so much is kept as an answer can need, and errors
that name the line.
"""

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

ENOUGH = "no more than an answer to this model needs"


_ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class SolverOutput:
    """What a solver wrote, read once and line by line; `name` says in messages where it came from."""

    def __init__(
        self, written: bytes | BinaryIO, name: str = "<output>", expired: Callable[[], bool] = lambda: False
    ) -> None:
        self._stream = BytesIO(written) if isinstance(written, bytes) else written
        self.name = name
        self._expired = expired

    def lines(self, room: int) -> Iterator[tuple[int, str]]:
        """Each line that is not blank, stripped and without colours, with its number from 1.

        Raises `InputError` for a line of more than `room` bytes, `TimeLimitError` once `expired` is true. Bytes outside
        ASCII become U+FFFD: solvers print them only in comments.
        """
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

    def error(self, line: int, found: str, expected: str) -> InputError:
        """What is wrong with a line, or with the whole where `line` is 0."""
        return InputError(Place(self.name, line), found, expected)


class Kept:
    """The lines that a reader keeps of an output, with their numbers: at most `room` characters of them."""

    def __init__(self, output: SolverOutput, room: int) -> None:
        self.lines: list[tuple[int, str]] = []
        self._output = output
        self._room = room
        self._size = 0

    def add(self, number: int, text: str) -> None:
        """Raises `InputError` when that is more than there is room for."""
        self._size += len(text) + 1
        if self._size > self._room:
            found = f"values of more than {self._room} characters"
            raise self._output.error(number, found, ENOUGH)
        self.lines.append((number, text))

    def clear(self) -> None:
        """Drop the lines, as those of a better answer follow."""
        self.lines, self._size = [], 0

    @property
    def text(self) -> str:
        return "\n".join(line for _, line in self.lines)


def room_for(values: int, width: int) -> int:
    """Room for so many values of `width` characters each, blanks included, and for talk."""
    return TALK + values * width


def shown(text: str) -> str:
    """The beginning of a text, quoted."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")
