"""Integers of any type as Python's own, which have no largest value that a sum could pass; and numbers in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import SupportsIndex

from ringdoku.domain.errors import UsageError


def whole_numbers(values: Iterable[SupportsIndex], what: str) -> tuple[int, ...]:
    """Raises `UsageError`, which says `what` they are, for anything that is no whole number."""
    try:
        return tuple(map(index, values))
    except TypeError as error:
        raise UsageError(f"{what} are whole numbers ({error})") from None


def counted(number: int, what: str) -> str:
    """`1 row`, `2 rows`: how many there are of something whose plural ends in s."""
    return f"{number} {what}{'' if number == 1 else 's'}"
