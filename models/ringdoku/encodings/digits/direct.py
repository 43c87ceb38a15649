"""Direct encoding (de Kleer, IJCAI 1989): variable x[c,d] says that cell c holds digit d.

One variable for each candidate: n³ for an n×n grid without presolve, where x[row,column,d] = (row·n + column)·n + d.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ringdoku.cnf import VarPool
from ringdoku.cnf.formula import Literals
from ringdoku.domain.grid import Grid


@dataclass(frozen=True)
class Direct:
    """`literals[c, d − 1]`, an (n², n) array: the variable of "cell c holds d", 0 where that is impossible."""

    literals: Literals

    @staticmethod
    def of_candidates(candidates: NDArray[np.bool_], pool: VarPool) -> Direct:
        """A new variable for each true entry of an (n², n) array, in reading order."""
        literals = np.zeros(candidates.shape, dtype=np.int32)
        literals[candidates] = pool.take(int(np.count_nonzero(candidates)))
        return Direct(literals)

    @cached_property
    def _meaning(self) -> tuple[int, Literals, Literals]:
        # the first variable, and from there on each one's cell and digit
        cells, digits = np.nonzero(self.literals)
        return int(self.literals[cells[0], digits[0]]), cells.astype(np.int32), digits.astype(np.int32) + 1

    def decode(self, assignment: Iterable[int]) -> Grid:
        """The grid of a satisfying assignment, given as literals; other variables' literals are passed over."""
        first, cells, digits = self._meaning
        # most literals are negative: dropping them before numpy sees them saves most of the time
        true = np.array([lit for lit in assignment if lit > 0], dtype=np.int64) - first
        true = true[(true >= 0) & (true < len(cells))]
        grid = np.zeros(len(self.literals), dtype=np.int32)
        grid[cells[true]] = digits[true]
        return Grid(tuple(grid.tolist()))
