"""How things show themselves: text, a picture in notebooks, Python that makes them again."""

from collections.abc import Collection, Sequence
from enum import Enum
from importlib import import_module
from os import PathLike

_DRAWN_BY = "ringdoku.drawing.notebooks"
"""Loaded when a thing is drawn: the domain, and with it the checker, stands without it."""


class Shown:
    """Something with a picture. `str` is its text."""

    def svg(self) -> str:
        """Its picture: one SVG element without ids, which is a complete file."""
        return str(import_module(_DRAWN_BY).svg_of(self))

    def save(self, path: str | PathLike[str]) -> None:
        """Write its picture to a file, as SVG, PNG or PDF, by the ending of its name, replacing any file there. Raises
        `UsageError` for another ending or a file that cannot be written, and `MissingPackageError` where PNG or PDF is
        asked for without matplotlib."""
        import_module(_DRAWN_BY).save(self, path)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """Text, and a picture that needs nothing else; a notebook shows what it can."""
        return {"text/plain": str(self), "image/svg+xml": self.svg()}


def aligned(rows: Sequence[Sequence[str]], right: Collection[int]) -> list[str]:
    """Rows of texts as lines; columns with these indices are set right, others left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [str.rjust if place in right else str.ljust for place in range(len(widths))]
    return [
        "  ".join(side(text, width) for side, text, width in zip(sides, row, widths, strict=True)).rstrip()
        for row in rows
    ]


def named(member: Enum) -> str:
    """`Status.OPTIMAL`, the repr of a member that evaluates back."""
    return f"{type(member).__name__}.{member.name}"
