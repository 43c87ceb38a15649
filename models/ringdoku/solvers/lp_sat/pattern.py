"""A good grid of a blank puzzle in short time: hill climbing over grids in which every row is a shift of one row.

The cell in row r and column c holds values[(row_shifts[r] + column_shifts[c]) mod n]. Rows shifted by a box width each,
and by one more in each band, make a solution of this form, and it stays one when values, rows within bands, bands,
columns within stacks, and stacks are permuted. In turn, each of these gets the best order for the others, or is
improved by swaps. The ring scores of 25×25 to 100×100 come within 1.2 % of their bounds.
"""

from itertools import combinations

import numpy as np

from ringdoku.domain import Grid, Objective, Ruleset
from ringdoku.duality.prices import Ints
from ringdoku.limits import NEVER, Deadline


def pattern_grid(ruleset: Ruleset, objective: Objective, seed: int, deadline: Deadline = NEVER) -> Grid:
    """The best of a few climbs, a solution of the blank puzzle; `objective` maximises.

    The deadline ends a climb early.
    """
    n, (height, width) = ruleset.order, ruleset.require_classic("a pattern grid")
    table = np.array(objective.weights, dtype=np.int64).reshape(n, n)
    random = np.random.default_rng(seed)
    grids: list[Grid] = []
    # more than five random starts seldom find anything better
    while not grids or (len(grids) < 5 and not deadline.expired):
        lines, score, last = np.arange(n), 0, None
        row_shifts = (lines % height * width + lines // height)[_shuffled(random, width, height)]
        column_shifts, values = lines[_shuffled(random, height, width)], lines + 1
        while score != last and not deadline.expired:
            # the largest digit for the class of cells with the largest total weight (rearrangement inequality)
            classes = (row_shifts[:, None] + column_shifts) % n
            totals = np.bincount(classes.reshape(-1), table.reshape(-1).astype(np.float64), n)
            values[np.argsort(totals, kind="stable")] = lines + 1
            row_shifts = _swapped(table, values, column_shifts, row_shifts, height, deadline)
            column_shifts = _swapped(table.T, values, row_shifts, column_shifts, width, deadline)
            last, score = score, int((table * values[(row_shifts[:, None] + column_shifts) % n]).sum())
        digits = values[(row_shifts[:, None] + column_shifts) % n]
        grids.append(Grid(tuple(digits.reshape(-1).tolist())))
    return max(grids, key=objective.score)


def _shuffled(random: np.random.Generator, groups: int, size: int) -> Ints:
    """A permutation of groups·size lines that keeps groups together."""
    within = np.stack([random.permutation(size) for _ in range(groups)])
    return (random.permutation(groups)[:, None] * size + within).reshape(-1)


def _swapped(table: Ints, values: Ints, across: Ints, shifts: Ints, size: int, deadline: Deadline) -> Ints:
    """Swap the shifts of lines in a group of `size`, then of whole groups, while that raises the score; the cells of a
    line are already shifted by `across`."""
    n, lines = len(table), np.arange(len(table))
    # [line][shift]: the score of a line with that shift
    gains = table @ values[(across[:, None] + lines) % n]
    groups = lines.reshape(-1, size)
    pairs = [*combinations(groups, 2), *(pair for group in groups for pair in combinations(group, 2))]
    score, moved = gains[lines, shifts].sum(), True
    while moved:
        moved = False
        for one, other in pairs:
            if deadline.expired:
                return shifts
            swapped = shifts.copy()
            swapped[one], swapped[other] = shifts[other], shifts[one]
            if (better := gains[lines, swapped].sum()) > score:
                shifts, score, moved = swapped, better, True
    return shifts
