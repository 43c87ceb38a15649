"""Integers of any type as Python's own, which cannot overflow; and counts in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import SupportsIndex

from ringdoku.domain.errors import UsageError


def whole_numbers(values: Iterable[SupportsIndex], what: str) -> tuple[int, ...]:
    """The values as `int`. Raises `UsageError`, which calls them `what`, for anything that is not a whole number."""
    values = tuple(values)
    try:
        return tuple(map(index, values))
    except TypeError:
        wrong = next(value for value in values if not _is_whole(value))
        raise UsageError(f"{what} are whole numbers, not {wrong!r} ({type(wrong).__name__})") from None


def _is_whole(value: SupportsIndex) -> bool:
    try:
        index(value)
    except TypeError:
        return False
    return True


def counted(number: int, what: str) -> str:
    """`1 row`, `2 rows`: a number with its noun, whose plural ends in s."""
    return f"{number} {what}{'' if number == 1 else 's'}"
