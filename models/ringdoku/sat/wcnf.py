"""Weighted partial MaxSAT: hard clauses must hold; a soft clause that does not hold costs its weight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ringdoku.sat.formula import Cnf, Literals


@dataclass(frozen=True)
class Wcnf:
    """`soft` has the layout of a `Cnf`: each clause is followed by a 0. Each soft clause has a positive weight.

    An assignment of `hard`'s variables that satisfies `hard` costs the sum of the weights of violated soft clauses.
    """

    hard: Cnf
    soft: Literals
    weights: NDArray[np.int64]

    @property
    def num_vars(self) -> int:
        return self.hard.num_vars

    @property
    def top(self) -> int:
        """More than any assignment costs: the weight of hard clauses, in formats that need one."""
        return int(self.weights.sum()) + 1

    def soft_clauses(self) -> Iterator[tuple[list[int], int]]:
        """Each soft clause with its weight, in order."""
        literals, start = self.soft.tolist(), 0
        for end, weight in zip(np.flatnonzero(self.soft == 0).tolist(), self.weights.tolist(), strict=True):
            yield literals[start:end], weight
            start = end + 1
