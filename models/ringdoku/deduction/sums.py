"""The sets of digits that different cells can hold when their sum is given."""

from __future__ import annotations

from functools import lru_cache

MOST_SETS = 400
"""With more sets, other methods are better."""


@lru_cache(maxsize=1 << 14)
def digit_sets(
    size: int, digits: int, least: int, low: int | None, high: int | None, factor: int = 1
) -> tuple[int, ...] | None:
    """Every set of `size` of the digits in a mask (bit 0 for `least`) with low ≤ factor·(their sum) ≤ high, as masks.

    None for more than `MOST_SETS`.
    """
    if factor < 0:
        low, high, factor = None if high is None else -high, None if low is None else -low, -factor
    members = [bit for bit in range(digits.bit_length()) if digits >> bit & 1]
    base = size * least
    # limits on the sum of bit numbers, without `least` for each digit
    floor = 0 if low is None else -(-low // factor) - base
    ceiling = sum(members) if high is None else high // factor - base
    found: list[int] = []

    def extend(start: int, left: int, total: int, mask: int) -> bool:
        """Search on from here; False if there are too many sets."""
        if not left:
            if floor <= total <= ceiling:
                found.append(mask)
            return len(found) <= MOST_SETS
        for place in range(start, len(members) - left + 1):
            if total + sum(members[place : place + left]) > ceiling:
                break
            most = total + members[place] + sum(members[len(members) - left + 1 :])
            if most >= floor and not extend(place + 1, left - 1, total + members[place], mask | 1 << members[place]):
                return False
        return True

    return tuple(found) if extend(0, size, 0, 0) else None
