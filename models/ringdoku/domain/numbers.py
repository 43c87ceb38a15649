"""Numbers of any integer type, NumPy's too, as Python's own: those have no largest value that sums could pass."""

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
