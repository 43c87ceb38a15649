"""Naked and hidden singles one after the other, each with the candidates that it removed: the steps of a derivation.

`ringdoku.deduction.propagation` finds the same candidates many times faster, without the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    candidates = [set(puzzle.board.digits) for _ in range(puzzle.board.cell_count)]
    for primitive in puzzle.ruleset.rest:
        if isinstance(primitive, Allowed):
            candidates[primitive.cell] &= primitive.digits
    peers: list[set[int]] = [set() for _ in candidates]
    for cells in units:
        for cell in cells:
            peers[cell].update(cells)
    blank = puzzle.board.blank
    found: list[tuple[int, int, int | None]]
    found = [(cell, clue, None) for cell, clue in enumerate(puzzle.clues.digits) if clue != blank]
    steps: list[Single] = []
    placed: set[int] = set()
    while True:
        for cell, digit, hidden_in in found:
            deadline.check()
            if digit not in candidates[cell]:
                return None
            if cell not in placed:
                removed = [(cell, other) for other in candidates[cell] if other != digit]
                removed += [(peer, digit) for peer in peers[cell] - {cell} if digit in candidates[peer]]
                for place, gone in removed:
                    candidates[place].remove(gone)
                placed.add(cell)
                steps.append(Single(cell, digit, hidden_in, tuple(removed)))
        if not all(candidates) or any(set(puzzle.board.digits) > _held(cells, candidates) for cells in units):
            return None
        found = list(_singles(candidates, units, placed))
        if not found:
            return candidates, steps


def _held(cells: Sequence[int], candidates: Sequence[set[int]]) -> set[int]:
    return set().union(*(candidates[cell] for cell in cells))


def _singles(
    candidates: Sequence[set[int]], units: Sequence[Sequence[int]], placed: set[int]
) -> Iterator[tuple[int, int, int | None]]:
    """Those that are not placed yet: cells with one candidate, and digits with one cell in a unit, with its index."""
    for cell, digits in enumerate(candidates):
        if len(digits) == 1 and cell not in placed:
            yield cell, min(digits), None
    for unit, cells in enumerate(units):
        several: set[int] = set()
        only: dict[int, int] = {}
        for cell in cells:
            several.update(only.keys() & candidates[cell])
            only.update(dict.fromkeys(candidates[cell], cell))
        for digit in only.keys() - several:
            if only[digit] not in placed:
                yield only[digit], digit, unit
