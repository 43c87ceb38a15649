"""Clones that are only drawn: a converter writes the grey cells of a shape and then those of its clone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ringdoku.constraints.pairs import Clone
from ringdoku.links.shared import Draft

_MAX_CELLS, _MAX_STEPS = 400, 5_000


def read_clones(draft: Draft, cells: Sequence[int]) -> list[Clone] | None:
    """The clones in a list of cells; None if there is no way to split it, or several with different meanings.

    Each shape is followed by its moved copy. Cells that share a house cannot be equal, so they are not clones.
    """
    peers = [frozenset[int]()] * draft.board.cell_count
    for constraint in draft.constraints:
        for house in constraint.houses(draft.board):
            for cell in house.cells:
                peers[cell] |= frozenset(house.cells)
    if len(cells) > _MAX_CELLS:
        return None
    steps = 0

    def cuts(start: int) -> Iterator[list[Clone]]:
        nonlocal steps
        if start == len(cells):
            yield []
        for size in range((len(cells) - start) // 2, 0, -1):
            steps += 1
            if steps > _MAX_STEPS:
                return
            first, other = cells[start : start + size], cells[start + size : start + 2 * size]
            if _is_clone(draft, first, other, peers):
                for rest in cuts(start + 2 * size):
                    yield [Clone((tuple(first), tuple(other))), *rest]

    found: list[Clone] | None = None
    for clones in cuts(0):
        if found is not None and _classes(found) != _classes(clones):
            return None
        found = clones
    return found if steps <= _MAX_STEPS else None


def _is_clone(draft: Draft, first: Sequence[int], other: Sequence[int], peers: Sequence[frozenset[int]]) -> bool:
    columns = draft.board.columns
    moves = {(b // columns - a // columns, b % columns - a % columns) for a, b in zip(first, other, strict=True)}
    different = len(set(first)) == len(first) and not any(b in peers[a] for a, b in zip(first, other, strict=True))
    return len(moves) == 1 and different


def _classes(clones: Sequence[Clone]) -> set[frozenset[int]]:
    """The sets of cells that are equal."""
    found: list[set[int]] = []
    for clone in clones:
        for pair in zip(*clone.groups, strict=True):
            joined = set(pair).union(*(group for group in found if group & set(pair)))
            found = [group for group in found if not group & joined] + [joined]
    return {frozenset(group) for group in found}
