"""Connected sets of cells, by trying."""

from collections.abc import Collection, Iterator
from itertools import combinations

from ringdoku.domain.board import Board


def are_connected(cells: Collection[int], board: Board) -> bool:
    """Whether steps over edges lead from any of the cells to all others."""
    reached = set(list(cells)[:1])
    while (
        more := {other for pair in board.neighbours() for other in pair if reached & set(pair)} & set(cells) - reached
    ):
        reached |= more
    return reached == set(cells)


def partitions(cells: frozenset[int], size: int, board: Board) -> Iterator[list[tuple[int, ...]]]:
    """All ways to cut cells into connected sets of a size."""
    if not cells:
        yield []
        return
    first = min(cells)
    for others in combinations(sorted(cells - {first}), size - 1):
        part = (first, *others)
        if are_connected(part, board):
            for rest in partitions(cells - set(part), size, board):
                yield [part, *rest]
