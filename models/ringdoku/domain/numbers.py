"""Integers of any type as Python's own, which cannot overflow; and counts in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import SupportsIndex

from ringdoku.domain.errors import UsageError

LARGEST_EXACT = 2**62
"""With larger numbers what counts in 64 bits overflows, most programs silently."""


def whole_numbers(values: Iterable[SupportsIndex], what: str) -> tuple[int, ...]:
    """The values as `int`. Raises `UsageError`, which calls them `what`, for anything that is not a whole number."""
    found = []
    for value in values:
        try:
            found.append(index(value))
        except TypeError:
            raise UsageError(f"{what} are whole numbers, not {value!r} ({type(value).__name__})") from None
    return tuple(found)


def counted(number: int, what: str) -> str:
    """`1 row`, `2 rows`: a number with its noun, whose plural ends in s."""
    return f"{number} {what}{'' if number == 1 else 's'}"
