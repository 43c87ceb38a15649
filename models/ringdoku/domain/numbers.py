"""Integers of any type as Python's own, which cannot overflow; what else callers give; and counts in sentences."""

from collections.abc import Iterable
from operator import index
from typing import Any

from ringdoku.domain.errors import UsageError

LARGEST_EXACT = 2**62
"""With larger numbers what counts in 64 bits overflows, most programs silently."""


def whole_numbers(values: Any, what: str) -> tuple[int, ...]:
    """The values as `int`, of whole floats too. Raises `UsageError`, which calls them `what`, for anything else."""
    found = []
    for value in values if type(values) is tuple else listed(values, what):
        try:
            found.append(index(value))
        except TypeError:
            # NumPy and pandas make floats of whole numbers
            is_integer = getattr(value, "is_integer", None)
            if is_integer is None or not is_integer():
                raise UsageError(f"{what} are whole numbers, not {value!r} ({type(value).__name__})") from None
            found.append(int(value))
    return tuple(found)


def rows_of_numbers(rows: Any, what: str) -> list[tuple[int, ...]]:
    """Rows of whole numbers. Raises `UsageError`, which calls them `what`, for anything else."""
    return [whole_numbers(row, what) for row in listed(rows, f"rows of {what}")]


def listed(values: Any, what: str) -> Iterable[Any]:
    """The values, of a DataFrame its rows. Raises `UsageError`, which calls them `what`, for a text and for anything
    else that is no list."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, (str, bytes, dict)) or not isinstance(values, Iterable):
        raise UsageError(f"{what} are given as a list, not as {values!r} ({type(values).__name__})")
    return values


def expect(value: Any, kind: type, what: str) -> None:
    """Raises `UsageError`, which says that `what` is such a `kind`, for anything else."""
    if not isinstance(value, kind):
        raise UsageError(f"{what} is a {kind.__name__}, not {value!r} ({type(value).__name__})")


def counted(number: int, what: str) -> str:
    """`1 row`, `2 rows`: a number with its noun, whose plural ends in s."""
    return f"{number} {what}{'' if number == 1 else 's'}"
