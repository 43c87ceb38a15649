"""How things show themselves: text and a picture in notebooks, a drawing in terminals, Python that makes them again.

What draws is above the domain. Each room registers there how it draws its things, with `picture_of` and `drawing_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum
from functools import singledispatch


class Shown:
    """Something with a picture. `str` is its text."""

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        """What notebooks show: text, and a picture that needs nothing else."""
        makers: dict[str, Callable[[object], str]] = {"text/plain": str, "image/svg+xml": picture_of}
        wanted = [kind for kind in makers if (not include or kind in include) and kind not in (exclude or ())]
        return {kind: makers[kind](self) for kind in wanted}

    def __rich__(self) -> object:
        """What rich prints."""
        return drawing_of(self)


@singledispatch
def picture_of(thing: object) -> str:
    """One SVG element without ids, which is a complete file."""
    raise TypeError(f"there is no picture of a {type(thing).__name__}")


@singledispatch
def drawing_of(thing: object) -> object:
    """Text of rich, in colours."""
    raise TypeError(f"there is no drawing of a {type(thing).__name__}")


def named(member: Enum) -> str:
    """`Status.OPTIMAL`, the repr of a member that evaluates back."""
    return f"{type(member).__name__}.{member.name}"
