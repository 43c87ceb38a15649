"""Solving many classic puzzles at once, if singles and a short search show that they have only one solution; and
finding all solutions of one puzzle.

A lane is a state of the search for one puzzle: a bit mask for each cell, bit d − 1 for the digit d. All lanes take a
round of naked and hidden singles together. A lane in which these find nothing more is split in two at a cell with few
candidates. The result for a puzzle does not depend on the other puzzles.
"""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

MOST_SPLITS = 16
"""A puzzle that needs more splits is left to a solver. Of puzzles with 17 clues 5 % are, and of the hardest all, for
which the splits take a tenth of the solver's time."""

MOST_LANES = 2048
"""The most lanes of one puzzle at once: with more, the time for each no longer falls."""

Digits: TypeAlias = NDArray[np.uint8]
Masks: TypeAlias = NDArray[np.uint16]
"""n × n × lanes: the lanes of a cell lie side by side, which processors work on together."""
Places: TypeAlias = NDArray[np.intp]
"""Indices of lanes."""


def only_solutions(clues: Digits, box: tuple[int, int]) -> tuple[Digits, NDArray[np.bool_]]:
    """For N × n² clues 0..n, n ≤ 16: N × n² digits, and for each puzzle whether they are its only solution. If not,
    nothing is known about it. `box` = (height, width)."""
    count = len(clues)
    grids = np.zeros_like(clues)
    found, splits = np.zeros(count, np.intp), np.zeros(count, np.intp)
    owner, lanes = np.arange(count), _lanes(clues, box[0] * box[1])
    while owner.size:
        masks, full, going, stuck = _round_of_singles(lanes, box)
        if full.size:
            found += np.bincount(owner[full], minlength=count)
            grids[owner[full]] = _digits(masks, full)
        splits += np.bincount(owner[stuck], minlength=count)
        goes_on = (found < 2) & (splits <= MOST_SPLITS)
        going, stuck = going[goes_on[owner[going]]], stuck[goes_on[owner[stuck]]]
        owner = np.concatenate([owner[going], owner[stuck], owner[stuck]])
        lanes = _split(masks, going, stuck, box)
    return grids, (found == 1) & (splits <= MOST_SPLITS)


def every_solution(clues: Digits, box: tuple[int, int]) -> Iterator[Digits]:
    """All solutions of one puzzle with n² clues 0..n, n ≤ 16, in arrays of any number of rows of n² digits."""
    waiting = [_lanes(clues[None], box[0] * box[1])]
    while waiting:
        lanes = waiting.pop()
        if lanes.shape[-1] > MOST_LANES:
            # depth first, so that few wait
            waiting += [lanes[..., MOST_LANES:], lanes[..., :MOST_LANES]]
            continue
        masks, full, going, stuck = _round_of_singles(lanes, box)
        yield _digits(masks, full)
        if going.size or stuck.size:
            waiting.append(_split(masks, going, stuck, box))


def _lanes(clues: Digits, n: int) -> Masks:
    """A lane for each of N × n² clues."""
    masks = np.where(clues.T, (1 << clues.T.astype(np.uint32)) >> 1, (1 << n) - 1)
    return masks.astype(np.uint16, order="C").reshape(n, n, -1)


def _digits(masks: Masks, lanes: Places) -> Digits:
    """The digits of full lanes, in rows."""
    return np.bitwise_count(masks.take(lanes, axis=1) - 1).T + 1


def _round_of_singles(lanes: Masks, box: tuple[int, int]) -> tuple[Masks, Places, Places, Places]:
    """After a round of singles: the masks, n² × lanes, and the lanes that are full, open and changed, or stuck."""
    n, every = lanes.shape[0], (1 << lanes.shape[0]) - 1
    after, placed = _with_singles(lanes, box)
    masks, before = after.reshape(n * n, lanes.shape[-1]), lanes.reshape(n * n, lanes.shape[-1])
    possible = (placed == every) & (np.minimum.reduce(masks, axis=0) > 0)
    is_open = np.bitwise_or.reduce(masks & (masks - 1), axis=0) > 0
    changed = np.bitwise_or.reduce(masks ^ before, axis=0) > 0
    full = np.flatnonzero(possible & ~is_open)
    # hidden singles of different units may place a digit twice in a row
    full = full[_with_singles(after.take(full, axis=2), box)[1] == every]
    return masks, full, np.flatnonzero(possible & is_open & changed), np.flatnonzero(possible & is_open & ~changed)


def _split(masks: Masks, going: Places, stuck: Places, box: tuple[int, int]) -> Masks:
    """The lanes that are going on, then two lanes for each that is stuck."""
    n = box[0] * box[1]
    one, rest = _branches(masks.take(stuck, axis=1), box)
    return np.concatenate([masks.take(going, axis=1), one, rest], axis=1).reshape(n, n, -1)


def _with_singles(lanes: Masks, box: tuple[int, int]) -> tuple[Masks, Masks]:
    """The lanes after a round of singles: naked ones are removed from the other cells of their units, hidden ones are
    placed. Also, for each lane, the digits that have a place in every unit."""
    n, (height, width), count = lanes.shape[0], box, lanes.shape[-1]

    def boxed(cells: Masks) -> Masks:
        return cells.reshape(n // height, height, n // width, width, count)

    single = lanes * (lanes & (lanes - 1) == 0)
    in_rows, in_columns = np.bitwise_or.reduce(single, axis=1), np.bitwise_or.reduce(single, axis=0)
    in_boxes = np.bitwise_or.reduce(np.bitwise_or.reduce(boxed(single), axis=3), axis=1)
    allowed = ~in_rows[:, None] & ~in_columns
    of_boxes = boxed(allowed)
    of_boxes &= ~in_boxes[:, None, :, None]
    allowed |= single
    allowed &= lanes

    groups = boxed(allowed)
    in_row, alone_in_row = _places([allowed[:, column] for column in range(n)])
    in_column, alone_in_column = _places([allowed[row] for row in range(n)])
    in_box, alone_in_box = _places([groups[:, row, :, column] for row in range(height) for column in range(width)])
    hidden = alone_in_row[:, None] | alone_in_column
    of_boxes = boxed(hidden)
    of_boxes |= alone_in_box[:, None, :, None]
    hidden &= allowed
    hidden |= -(hidden == 0).astype(np.uint16)
    allowed &= hidden
    placed = [np.bitwise_and.reduce(unit.reshape(n, count), axis=0) for unit in (in_row, in_column, in_box)]
    return allowed, np.bitwise_and.reduce(placed)


def _places(cells: list[Masks]) -> tuple[Masks, Masks]:
    """For each unit of a kind: the digits with at least one place, and those with at most one. `cells` has the first
    cells of all the units, then the second cells, and so on."""
    some, several = cells[0] | cells[1], cells[0] & cells[1]
    for each in cells[2:]:
        several |= some & each
        some |= each
    return some, ~several


def _branches(masks: Masks, box: tuple[int, int]) -> tuple[Masks, Masks]:
    """Splits each lane into one with the least candidate of a cell, and one with its others. The cell has the fewest
    candidates, then the most cells with two candidates in its units, so that much follows."""
    (height, width), lanes = box, masks.shape[1]
    n, counts = height * width, np.bitwise_count(masks)
    two = (counts == 2).view(np.uint8).reshape(n, n, lanes)
    near = two.sum(axis=1, dtype=np.int16)[:, None] + two.sum(axis=0, dtype=np.int16)
    shape = n // height, height, n // width, width, lanes
    in_boxes = near.reshape(shape)
    in_boxes += two.reshape(shape).sum(axis=(1, 3), dtype=np.int16)[:, None, :, None]
    # decided cells come last; near is at most 3n
    counts[counts < 2] = 255
    cell = (counts * np.int16(3 * n + 1) - near.reshape(n * n, lanes)).argmin(axis=0)
    lane = np.arange(lanes)
    chosen = masks[cell, lane]
    least = chosen & -chosen
    rest = masks.copy()
    masks[cell, lane], rest[cell, lane] = least, chosen ^ least
    return masks, rest
