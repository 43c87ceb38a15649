"""What every reader of solver output needs: lines with their numbers, and errors that name the place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ringdoku.domain.errors import InputError, Place

SHOWN = 40
"""So many characters of a line that is not understood are shown."""


@dataclass(frozen=True)
class SolverOutput:
    """All that a solver wrote, and the name of where it came from for messages."""

    text: str
    name: str = "<output>"

    @staticmethod
    def of_bytes(data: bytes, name: str) -> SolverOutput:
        """Bytes outside ASCII become U+FFFD: solvers write such only in comments."""
        return SolverOutput(data.removeprefix(b"\xef\xbb\xbf").decode("ascii", "replace"), name)

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line that is not blank, stripped, with its number from 1."""
        for number, line in enumerate(self.text.split("\n"), 1):
            if stripped := line.strip():
                yield number, stripped

    def error(self, line: int, found: str, expected: str) -> InputError:
        """What is wrong with a line, or with the whole where `line` is 0."""
        return InputError(Place(self.name, line), found, expected)


def shown(text: str) -> str:
    """The beginning of a text, quoted."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "…")
