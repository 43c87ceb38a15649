"""Naked and hidden singles one after the other, each with the candidates that it removed: the steps of a derivation.

`ringdoku.deduction.propagation` finds the same candidates many times faster, without the steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from ringdoku.domain.primitives import Allowed
from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import NEVER, Deadline


@dataclass(frozen=True)
class Single:
    """`digit` must be in `cell`, which removes the candidates `removed`, as (cell, digit).

    The reason: it has no other cell in the unit of index `hidden_in`. With None, it is a clue, or the cell has no other
    candidate.
    """

    cell: int
    digit: int
    hidden_in: int | None
    removed: tuple[tuple[int, int], ...]


def singles(
    puzzle: Puzzle, units: Sequence[Sequence[int]], deadline: Deadline = NEVER
) -> tuple[list[set[int]], list[Single]] | None:
    """The remaining candidates of each cell, and the steps to them; None for a contradiction.

    The derivation starts from the clues and the digits that the rules allow in each cell, and uses units only. Raises
    `TimeLimitError` at the deadline.
    """
    board = puzzle.board
    candidates = [set(board.digits) for _ in range(board.cell_count)]
    for primitive in puzzle.ruleset.rest:
        if isinstance(primitive, Allowed):
            candidates[primitive.cell] &= primitive.digits
    if not all(candidates):
        return None
    units_of: list[list[int]] = [[] for _ in candidates]
    places = []
    for unit, cells in enumerate(units):
        places.append(dict.fromkeys(board.digits, 0))
        for cell in cells:
            units_of[cell].append(unit)
    for cell, digits in enumerate(candidates):
        deadline.check()
        for unit in units_of[cell]:
            for digit in digits:
                places[unit][digit] += 1
    clues = [(cell, clue, None) for cell, clue in enumerate(puzzle.clues.digits) if clue != board.blank]
    waiting: deque[tuple[int, int, int | None]] = deque(clues)
    waiting.extend((cell, min(digits), None) for cell, digits in enumerate(candidates) if len(digits) == 1)
    for unit, counts in enumerate(places):
        if not all(counts.values()):
            return None
        for digit, count in counts.items():
            if count == 1:
                waiting.append((next(cell for cell in units[unit] if digit in candidates[cell]), digit, unit))
    placed: set[int] = set()
    steps = []
    while waiting:
        deadline.check()
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
