"""Where thick borders and the lines around cells run."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ringdoku.domain.board import Board

Point = tuple[float, float]
"""Row and column, in cells from the top left corner of the grid."""

_Step = tuple[int, int]


def outlines(cells: Collection[int], board: Board, inset: float = 0) -> Iterator[list[Point]]:
    """The corners of each closed line around the cells, clockwise outside and counter-clockwise around holes. The line
    is `inset` (as a fraction of a cell's side) inside the border. Cells that touch only at a corner have separate
    lines."""
    within = set(cells)
    steps: dict[tuple[int, int], list[_Step]] = {}
    for cell in sorted(within):
        row, column = divmod(cell, board.columns)
        for start, step, other in (
            ((row, column), (0, 1), board.at(row - 1, column)),
            ((row, column + 1), (1, 0), board.at(row, column + 1)),
            ((row + 1, column + 1), (0, -1), board.at(row + 1, column)),
            ((row + 1, column), (-1, 0), board.at(row, column - 1)),
        ):
            if other not in within:
                steps.setdefault(start, []).append(step)
    while steps:
        start = next(iter(steps))
        yield _line(start, steps, inset)


def _line(start: tuple[int, int], steps: dict[tuple[int, int], list[_Step]], inset: float) -> list[Point]:
    """Remove the steps of one closed line, and return its corners."""
    way: list[tuple[tuple[int, int], _Step]] = []
    place, before = start, (0, 0)
    while place in steps:
        # where two cells touch at a corner, follow the same cell
        choice = steps[place]
        step = _right(before) if _right(before) in choice else choice[0]
        choice.remove(step)
        if not choice:
            del steps[place]
        way.append((place, step))
        place, before = (place[0] + step[0], place[1] + step[1]), step
        if place == start and _right(before) not in steps.get(place, ()):
            break
    corners = []
    for ((row, column), step), (_, last) in zip(way, [way[-1], *way[:-1]], strict=True):
        if step != last:
            # the cells are to the right of each step
            (down, right), (down_before, right_before) = _right(step), _right(last)
            corners.append((row + inset * (down + down_before), column + inset * (right + right_before)))
    return corners


def _right(step: _Step) -> _Step:
    return step[1], -step[0]
