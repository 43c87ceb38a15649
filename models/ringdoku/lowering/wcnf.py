"""Puzzle and objective → weighted CNF.

For a cell of weight w there is, for each k, a soft clause "the digit is the k-th best candidate or better". It costs
|w|·(difference between the k-th and the next worse candidate). The violated clauses of a cell then cost |w|·(difference
between its digit and its best candidate). The clauses use only the literals of the encoding, and there are few
different weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ringdoku.domain.objective import Sense
from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import NEVER, Deadline
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_cnf
from ringdoku.sat import ClauseSink, VarPool
from ringdoku.sat.digits import DigitLiterals
from ringdoku.sat.formula import Wcnf, occurring
from ringdoku.sat.options import TEXTBOOK, EncodingOptions


@dataclass(frozen=True)
class PuzzleWcnf:
    """A weighted formula whose cheapest assignments are a puzzle's best solutions, and the map back to grids.

    `best` is Σ sign·weight·digit if every cell had its best candidate, which would cost 0.
    """

    wcnf: Wcnf
    puzzle_cnf: PuzzleCnf
    sense: Sense
    best: int

    def score(self, cost: int) -> int:
        """Σ weight·digit of an assignment with this cost. It maps a lower limit on costs to a limit on scores."""
        return self.sense.sign * (self.best - cost)


def lower_to_wcnf(
    puzzle: Puzzle,
    weights: Sequence[int],
    sense: Sense,
    options: EncodingOptions = TEXTBOOK,
    deadline: Deadline = NEVER,
) -> PuzzleWcnf:
    """The clauses of `lower_to_cnf` are hard; the score Σ weight·digit, a weight for each cell of the grid, is soft."""
    lowered = lower_to_cnf(puzzle, options, deadline)
    gains = np.array(weights, dtype=np.int64) * sense.sign
    digits, size = lowered.digits, len(gains)
    known = digits.known[:size] != puzzle.board.blank
    best = int(gains @ np.where(known, digits.known[:size], 0))
    sink, costs = ClauseSink(deadline), [np.zeros(0, dtype=np.int64)]
    open_cells = np.flatnonzero((digits.literals[:size] != 0).any(axis=1) & (gains != 0))
    sizes = np.count_nonzero(digits.literals[open_cells], axis=1)
    for size in occurring(sizes):
        cells = open_cells[sizes == size]
        values, literals = _best_first(digits, cells, gains[cells] > 0, int(size))
        best += int(gains[cells] @ values[:, 0])
        for k in range(1, size):
            sink.add(literals[:, :k])
            costs.append(gains[cells] * (values[:, k - 1] - values[:, k]))
    soft = sink.formula(VarPool(lowered.cnf.num_vars)).literals
    return PuzzleWcnf(Wcnf(lowered.cnf, soft, np.concatenate(costs)), lowered, sense, best)


def _best_first(
    digits: DigitLiterals, cells: NDArray[np.int64], high: NDArray[np.bool_], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The `size` candidates of each cell and their literals, (cells, size) each; highest first where `high`."""
    columns = np.nonzero(digits.literals[cells])[1].reshape(-1, size)
    columns[high] = columns[high, ::-1]
    return columns + digits.board.least, digits.literals[cells[:, None], columns]
