"""Naked and hidden singles one after the other, with what each of them removed: a derivation that can be gone back.

`ringdoku.lowering.propagation` comes to the same candidates, many times faster, and does not tell how.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.domain.puzzle import Puzzle


@dataclass(frozen=True)
class Single:
    """`digit` has to be in `cell`, and the candidates `removed`, as (cell, digit), are therefore gone.

    Why: no other place of the unit of index `hidden_in` is left for it; or, with None, it is a clue, or no other digit
    is left for the cell.
    """

    cell: int
    digit: int
    hidden_in: int | None
    removed: tuple[tuple[int, int], ...]


def singles(puzzle: Puzzle, units: Sequence[Sequence[int]]) -> tuple[list[set[int]], list[Single]] | None:
    """The candidates that are left for each cell, and the steps to them; None when they contradict each other."""
    n = puzzle.order
    candidates = [set(range(1, n + 1)) for _ in range(n * n)]
    places = [[n] * (n + 1) for _ in units]
    units_of: list[list[int]] = [[] for _ in candidates]
    for unit, cells in enumerate(units):
        for cell in cells:
            units_of[cell].append(unit)
    clues = [(cell, clue, None) for cell, clue in enumerate(puzzle.clues.digits) if clue]
    waiting: deque[tuple[int, int, int | None]] = deque(clues)
    placed: set[int] = set()
    steps = []
    while waiting:
        cell, digit, hidden_in = waiting.popleft()
        if digit not in candidates[cell]:
            return None
        if cell in placed:
            continue
        placed.add(cell)
        removed = {(cell, other) for other in candidates[cell]}
        removed |= {(peer, digit) for unit in units_of[cell] for peer in units[unit] if digit in candidates[peer]}
        removed.remove((cell, digit))
        for peer, gone in sorted(removed):
            candidates[peer].remove(gone)
            if not candidates[peer]:
                return None
            if len(candidates[peer]) == 1:
                waiting.append((peer, min(candidates[peer]), None))
            for unit in units_of[peer]:
                places[unit][gone] -= 1
                if not places[unit][gone]:
                    return None
                if places[unit][gone] == 1:
                    last = next(other for other in units[unit] if gone in candidates[other])
                    waiting.append((last, gone, unit))
        steps.append(Single(cell, digit, hidden_in, tuple(removed)))
    return candidates, steps
