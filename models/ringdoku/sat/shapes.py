"""Clause shapes that encodings share. Arrays of literals broadcast against each other; each result is (m, k)."""

from __future__ import annotations

import numpy as np

from ringdoku.sat.formula import Literals


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
