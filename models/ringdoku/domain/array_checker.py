"""Which of many grids are solutions of their classic puzzles? As `checker` says of each, found for all at once.

As the checker it imports the domain and nothing else of this library.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def are_solutions(clues: NDArray[np.uint8], grids: NDArray[np.uint8], box: tuple[int, int]) -> NDArray[np.bool_]:
    """N booleans for N × n² clues 0..n and as many digits, n ≤ 63: each row, column and box of height × width `box`
    has every digit, and each clue is kept."""
    height, width = box
    n = height * width
    kept = ((clues == 0) | (clues == grids)).all(axis=1)
    in_range = ((grids >= 1) & (grids <= n)).all(axis=1)
    # n cells have n different digits where they have every digit
    sets = (np.uint64(1) << grids.astype(np.uint64)).reshape(-1, n, n)
    bands = sets.reshape(-1, n // height, height, n // width, width)
    every = np.uint64((1 << n + 1) - 2)
    units = (
        np.bitwise_or.reduce(sets, axis=2),
        np.bitwise_or.reduce(sets, axis=1),
        np.bitwise_or.reduce(bands, axis=(2, 4)).reshape(-1, n),
    )
    complete = [(unit == every).all(axis=1) for unit in units]
    found: NDArray[np.bool_] = kept & in_range & np.logical_and.reduce(complete)
    return found
