"""ISS's tokens of regions that are not given, of connected digits and of doppelgängers: they need extra cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ringdoku.constraints.digits import AllowedDigits, ContainsExactly
from ringdoku.constraints.logic import Either
from ringdoku.constraints.regions import ExtraRegion
from ringdoku.constraints.unknown import Connected, Run, UnknownRegions
from ringdoku.domain.constraint import Cells, Constraint
from ringdoku.domain.errors import LinkError
from ringdoku.links.iss_board import JOINS, LABELS, MARKS, STEPS, IssBoard, number_of
from ringdoku.links.iss_tokens import BREAK, Meaning, Words, parts


def _cells(board: IssBoard, *groups: str) -> Iterator[Cells]:
    return (tuple(board.group(prefix).cells) for prefix in groups)


def _regions(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
    yield UnknownRegions(board.region_size, *_cells(board, "", LABELS, STEPS, JOINS, MARKS))


def _label(board: IssBoard, name: str) -> int:
    """The extra cell with the region of a cell of the grid. The name is its own or that of the cell."""
    cell, labels = board.cell(name), board.group(LABELS).cells
    if cell in board.groups[0].cells:
        return labels[cell]
    if cell not in labels:
        raise LinkError(f"{name} is in no region")
    return cell


def _control(board: IssBoard, words: Words) -> tuple[int, int]:
    """The number that is added to the digit of the first cell, and that cell."""
    (cell,) = board.cells(words[:1])
    more = number_of(words[1], "the offset") if len(words) > 1 and words[1] else 0
    if more not in (0, 1):
        raise LinkError(f"an offset is 0 or 1, not {more}")
    return more, cell


def _run(more: int, cell: int, arms: Sequence[Cells]) -> Constraint:
    return Run(more, cell, tuple(arms)) if arms else AllowedDigits((1 - more,), (cell,))


def _arrow(board: IssBoard, words: Words) -> Iterator[Constraint]:
    more, cell = _control(board, words)
    arms = [[_label(board, name) for name in part] for part in parts(words[2:], BREAK)]
    if not arms:
        rays = (board.ray(cell, *step) for step in ((0, -1), (0, 1), (-1, 0), (1, 0)))
        arms = [[_label(board, board.name(member)) for member in ray] for ray in rays]
    if len({arm[0] for arm in arms}) > 1:
        raise LinkError("all arms start with the same cell")
    yield _run(more, cell, [tuple(board.alike(*pair) for pair in pairwise(arm)) for arm in arms if len(arm) > 1])


def _count(board: IssBoard, words: Words) -> Iterator[Constraint]:
    more, cell = _control(board, words)
    names = words[2:]
    if not names:
        rays = (board.ray(cell, down, right) for down in (-1, 0, 1) for right in (-1, 0, 1))
        names = [board.name(member) for member in (cell, *(ray[1] for ray in rays if len(ray) > 1))]
    first, *others = (_label(board, name) for name in names)
    # the first cell counts as often as it is named
    yield _run(more - others.count(first), cell, [(board.alike(first, other),) for other in others if other != first])


def _doppelgangers(board: IssBoard, words: Words) -> Iterator[Constraint]:  # noqa: ARG001
    """Each row, column and box has all digits together with an extra cell for its missing digit. That digit is not 0,
    and differs between any two rows, columns or boxes, and between the three that meet in a 0."""
    inside = board.board
    size = inside.rows
    if inside.columns != size or (inside.least, inside.order) != (0, size + 1):
        raise LinkError(f"doppelgängers are for boards of n×n with the digits 0-n, not for {inside}")
    rows = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    columns = [tuple(range(column, size * size, size)) for column in range(size)]
    kinds: list[tuple[str, Sequence[Cells]]] = [("DGC", rows), ("DGR", columns), ("DGB", board.boxes)]
    no_zero = tuple(inside.digits)[1:]
    lacking: dict[int, Cells] = dict.fromkeys(range(size * size), ())
    for prefix, regions in kinds:
        if regions:
            extra = tuple(board.group(prefix).cells)
            yield ExtraRegion(extra)
            yield AllowedDigits(no_zero, extra)
            for region, cell in zip(regions, extra, strict=True):
                yield ExtraRegion((*region, cell))
                for member in region:
                    lacking[member] = (*lacking[member], cell)
    for member, cells in lacking.items():
        yield Either(((AllowedDigits(no_zero, (member,)),), (ExtraRegion(cells),)))


def _connected(board: IssBoard, words: Words) -> Iterator[Constraint]:
    prefix, values, size = (*words, "", "", "")[:3]
    if prefix or "_" in values or not size:
        raise LinkError("connected values are supported for one digit in the grid, with their number")
    digit, count = number_of(values, "the digit"), number_of(size, "the number of cells")
    if not 1 <= count <= board.board.order or digit not in board.board.digits:
        raise LinkError(f"connected values are supported for 1 to {board.board.order} cells with a digit")
    yield ContainsExactly((digit,) * count, tuple(board.groups[0].cells))
    if digit == board.connected[0]:
        yield Connected(board.connected, *_cells(board, "", STEPS, JOINS))


OF_EXTRA_CELLS: Mapping[str, Meaning] = {
    "ChaosArrow": _arrow,
    "ChaosConstruction": _regions,
    "ChaosCount": _count,
    "ConnectedValues": _connected,
    "Doppelganger": _doppelgangers,
}

ONLY_LABELS = frozenset({"AllDifferent", "SameValues"})
OF_LABELS = frozenset({"ChaosArrow", "ChaosCount", "CountDistinct"}) | ONLY_LABELS
"""Tokens that may name labels, some of them only labels. Others would depend on the numbering of regions."""
