"""Sets of different sizes, which remain when some candidates are impossible."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ringdoku.sat.formula import Literals, occurring


def by_size(padded: Literals) -> Iterator[Literals]:
    """The rows of an (m, k) array are sets, with 0 for "absent". Yields one full (m′, k′) array for each size k′ ≥ 1.

    Sets and literals keep their order; smaller sets come first.
    """
    sizes = np.count_nonzero(padded, axis=1)
    for size in occurring(sizes):
        if size == padded.shape[1]:
            yield padded[sizes == size] if sizes.min() < size else padded
        elif size:
            rows = padded[sizes == size]
            yield rows[rows != 0].reshape(-1, size)
