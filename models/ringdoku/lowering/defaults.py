"""Which encoding a puzzle gets when nobody chose one, by its size, and the measurements that decided it.

Up to 16×16 one solver holds the textbook formula and puzzles are assumptions on it, which is a millisecond each.
Above that the clues leave most of a board decided, so each puzzle is propagated and its open part encoded. Measured
with `benchmarks/large_grids.py --encodings`, seconds to encode and load and to solve with MiniSat 2.2:

| puzzle | open cells, candidates | pairwise | bimander | product | ladder |
| --- | --- | --- | --- | --- | --- |
| 36×36, 42 % clues | 748, 7,186 | 0.26 + 1.2 | > 25 | | 0.1 + 4.6 |
| 144×144, 70 % clues | 5,644, 32,518 | 1.1 + 12 | > 25 | | > 25 |
| 100×100, 62 % clues | 3,531, 32,793 | 1.2 + 0.07 | 0.78 + 0.26 | 0.8 + 0.87 | 0.5 + 0.84 |
| 225×225, 74 % clues | 11,659, 66,923 | 4.3 + 3.9 | 2.5 + 4.1 | 2.0 + 9.2 | 1.0 + 1.9 |
| 25×25, blank | 625, 15,625 | 1.1 + 0.03 | 0.28 + 0.05 | 0.3 + 0.2 | |
| 36×36, blank | 1,296, 46,656 | 4.9 + 0.27 | 1.4 + 0.13 | 0.7 + 0.8 | |
| 49×49, blank | 2,401, 117,649 | 19.6 + 1.2 | 3.5 + 1.6 | 2.0 + 6.2 | |

So pairwise, which searches best, while it is small, and bimander above. Minimal and efficient clause sets time out
where extended takes under a second; triads, order and log cost more than they save; the other solvers of PySAT were
slower on every row that takes over a second, or did not end.
"""

from __future__ import annotations

import numpy as np

from ringdoku.domain.puzzle import Puzzle
from ringdoku.encodings.digits.literals import Candidates
from ringdoku.encodings.options import EncodingOptions
from ringdoku.lowering.cnf import PuzzleCnf, lower_propagated
from ringdoku.lowering.propagation import propagate

LARGEST_LIVE_ORDER = 16
"""Above it the formula of the blank puzzle has over 10⁶ clauses, most of which the clues of a puzzle make idle."""

MOST_PAIRS = 500_000
"""Pairwise clauses, as estimated, up to which the time they take to load is below what they save in search."""


def lower_by_size(puzzle: Puzzle) -> PuzzleCnf:
    """The open part of a puzzle in the encoding that was measured to be best for as much as is open."""
    candidates = propagate(puzzle)
    pairs = 0 if candidates is None else estimated_pairs(candidates)
    at_most_one = "pairwise" if pairs <= MOST_PAIRS else "bimander"
    return lower_propagated(puzzle, candidates, EncodingOptions(at_most_one=at_most_one, presolve=True))


def estimated_pairs(candidates: Candidates) -> int:
    """About how many pairwise clauses there are, from candidates (n², n): every set taken to be of average size."""
    counts = np.count_nonzero(candidates, axis=1)
    opened = counts[counts > 1]
    # in its cell, row, column and box a candidate meets so many others, and each pair is met twice
    return int(2 * opened.sum() * (opened.mean() - 1)) if len(opened) else 0
