"""Shapes of clauses and sets that encodings share. Arrays of literals broadcast against each other; each result is
(m, k)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ringdoku.sat.formula import Literals, occurring


def implies(left: Literals, right: Literals) -> Literals:
    """left → right."""
    return np.stack(np.broadcast_arrays(-left, right), axis=-1).reshape(-1, 2)


def implies_any(left: Literals, right: Literals) -> Literals:
    """left → right₁ ∨ … ∨ right_k for `left` (m,) and `right` (m, k)."""
    return np.concatenate((-left[:, None], right), axis=1)


def all_imply(left: Literals, right: Literals) -> Literals:
    """left₁ ∧ … ∧ left_k → right for `left` (m, k) and `right` (m,)."""
    return np.concatenate((-left, right[:, None]), axis=1)


def code_width(count: int) -> int:
    """⌈log₂ count⌉, the number of bits that distinguish `count` things; 0 if `count` is 0."""
    return max(count - 1, 0).bit_length()


def code_literals(bits: Literals, count: int) -> Literals:
    """(m, count, w) literals from m rows of w bits. The i-th w literals of a row are all true when its bits are the
    number i."""
    spelled = np.arange(count)[:, None] >> np.arange(bits.shape[1]) & 1
    return np.where(spelled == 1, bits[:, None, :], -bits[:, None, :]).astype(np.int32)


def by_size(padded: Literals) -> Iterator[Literals]:
    """The rows of an (m, k) array are sets of different sizes, with 0 for "absent". Yields one full (m′, k′) array for
    each size k′ ≥ 1.

    Sets and literals keep their order; smaller sets come first.
    """
    sizes = np.count_nonzero(padded, axis=1)
    for size in occurring(sizes):
        if size == padded.shape[1]:
            yield padded[sizes == size] if sizes.min() < size else padded
        elif size:
            rows = padded[sizes == size]
            yield rows[rows != 0].reshape(-1, size)
