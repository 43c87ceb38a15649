"""The default encoding of a puzzle, by its size, and the measurements that decided it.

Up to 16×16 one solver holds the textbook formula, and each puzzle is a set of assumptions on it, which takes a
millisecond. Above that, the clues decide most of a board, so each puzzle is propagated and its open part encoded.
Processor seconds for all of it, by `benchmarks/large_grids.py --encodings`; - means no answer within 20 s of wall-clock
time:

| puzzle | MiniSat 2.2 pairwise | bimander | product | commander | bitwise | ladder |
| --- | --- | --- | --- | --- | --- | --- |
| 25×25 blank | 0.53 | 0.18 | 0.23 | 0.16 | 0.19 | 0.16 |
| 36×36 blank | 2.1 | 0.67 | 0.98 | 0.92 | 0.86 | 0.73 |
| 49×49 blank | 8.8 | 3.7 | - | - | - | - |
| 36×36, 42 % clues | 0.46 | 8.2 | 0.20 | 6.6 | - | 12 |
| 100×100, 68 % clues | 0.11 | 0.11 | 0.12 | 0.12 | 0.12 | 0.12 |
| 144×144, 70 % clues | 1.6 | 2.7 | 3.5 | 4.8 | 3.8 | 5.6 |

| puzzle | Glucose 4 pairwise | bimander | CaDiCaL 1.9.5 pairwise | bimander |
| --- | --- | --- | --- | --- |
| 25×25 blank | 0.44 | 0.19 | 0.58 | 1.4 |
| 36×36 blank | 3.4 | 1.3 | 2.7 | - |
| 49×49 blank | - | - | - | - |
| 36×36, 42 % clues | 1.8 | 3.4 | 1.2 | 0.36 |
| 100×100, 68 % clues | 0.11 | 0.11 | 0.14 | 0.15 |
| 144×144, 70 % clues | 1.8 | 2.9 | 3.3 | 5.7 |

So the default is MiniSat with pairwise, which searches best, while the formula is small, and bimander above. Minimal
and efficient clause sets time out where extended takes under a second. Triads, order and log cost more than they save.
"""

from __future__ import annotations

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import NEVER, Deadline
from ringdoku.lowering.cnf import PuzzleCnf, lower_propagated
from ringdoku.sat.options import EncodingOptions

MOST_PAIRS = 500_000
"""Up to this estimated number of clauses, pairwise saves more time in search than it takes to load."""


def lower_by_size(puzzle: Puzzle, deadline: Deadline = NEVER) -> PuzzleCnf:
    """The open part of a puzzle, in the encoding that was fastest for a part of this size.

    Raises `TimeLimitError` at the deadline.
    """
    candidates = propagate(puzzle, deadline=deadline)
    at_most_one = "pairwise" if candidates is None else at_most_one_for(estimated_pairs(candidates), MOST_PAIRS)
    innies = bool(puzzle.ruleset.rest)
    options = EncodingOptions(at_most_one=at_most_one, innies=innies, presolve=True)
    return lower_propagated(puzzle, candidates, options, deadline)


def at_most_one_for(pairs: int, most: int) -> str:
    """Pairwise for up to `most` clauses, else the encoding that was fastest above."""
    return "pairwise" if pairs <= most else "bimander"


def estimated_pairs(candidates: Candidates) -> int:
    """An estimate of the number of pairwise clauses for candidates (cells, digits), as if every set had the average
    size."""
    counts = np.count_nonzero(candidates, axis=1)
    opened = counts[counts > 1]
    # a candidate conflicts with this many others in its cell, row, column and box, and each pair counts twice
    return int(2 * opened.sum() * (opened.mean() - 1)) if len(opened) else 0
