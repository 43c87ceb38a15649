"""How objects are shown: as text, as pictures in notebooks, and by a `repr` that evaluates back."""

from collections.abc import Collection, Sequence
from enum import Enum
from importlib import import_module
from os import PathLike

_DRAWING_MODULE = "ringdoku.drawing.notebooks"
"""Loaded when something is drawn: the domain, and with it the checker, works without it."""


class Shown:
    """An object that can be drawn; `str` is its text."""

    def svg(self) -> str:
        """Its picture: one SVG element without ids, which is a complete file."""
        return str(import_module(_DRAWING_MODULE).svg_of(self))

    def save(self, path: str | PathLike[str]) -> None:
        """Write its picture to a file, as SVG, PNG or PDF, by the ending of its name, replacing any file there. Raises
        `UsageError` for another ending or an unwritable file, `MissingPackageError` if PNG or PDF lacks matplotlib."""
        import_module(_DRAWING_MODULE).save(self, path)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """The text and the picture; a notebook shows what it can."""
        return {"text/plain": str(self), "image/svg+xml": self.svg()}


def aligned(rows: Sequence[Sequence[str]], right: Collection[int]) -> list[str]:
    """A line of text for each row; columns with the indices in `right` are set right, others left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [str.rjust if place in right else str.ljust for place in range(len(widths))]
    return [
        "  ".join(side(text, width) for side, text, width in zip(sides, row, widths, strict=True)).rstrip()
        for row in rows
    ]


def named(member: Enum) -> str:
    """The repr of an enum's member that evaluates back, such as `Status.OPTIMAL`."""
    return f"{type(member).__name__}.{member.name}"
