"""Sudoku as a mathematical model: solve, maximise with a proof, count, export, compare.

A puzzle is a `Puzzle`, a text in nearly any form, or rows of digits, such as a NumPy array:

>>> import ringdoku
>>> puzzle = ringdoku.parse("1...\\n.2..\\n....\\n...3\\n")
>>> print(puzzle)
+-----+-----+
| 1 . | . . |
| . 2 | . . |
+-----+-----+
| . . | . . |
| . . | . 3 |
+-----+-----+

Functions ask one question each. Every grid and score is checked before you get it:

>>> ringdoku.solve(puzzle).status.value
'satisfiable'
>>> ringdoku.solve("1...\\n.1..\\n....\\n....\\n").status.value
'infeasible'
>>> best = ringdoku.maximise(puzzle)
>>> best.score, best.bound, best.status.value
(250, 250, 'optimal')
>>> ringdoku.count_solutions(puzzle)
6
>>> ringdoku.candidates(puzzle)[1]
(3, 4)

`minimise`, `best_solutions` and `bound` ask more of the score, `solutions` gives every grid, `refute` a proof that
there is none, and `check` says what is wrong with a grid. A `Session` has them as methods and keeps its solver between
many puzzles.

Grids are rows of digits, and arrays:

>>> grid = best.grid
>>> grid[0, 0], len(grid), sum(map(sum, grid))
(1, 4, 40)

Further: `ringdoku.exports` writes models for other solvers, `ringdoku.compare` measures them, and `classic`, `Ruleset`
and `ringdoku.constraints` are for other rules.
"""

from ringdoku.domain.board import Board
from ringdoku.domain.checker import Violation
from ringdoku.domain.errors import (
    BackendError,
    DimensionError,
    DisagreementError,
    InputError,
    MissingPackageError,
    Place,
    RingdokuError,
    TimeLimitError,
    UsageError,
)
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective, Sense, ring_weights
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset, classic
from ringdoku.duality.bound import Bound, check_bound
from ringdoku.explanations.explanation import Explanation, Rating, Step
from ringdoku.explanations.inferences import Case, CellTruth, HouseTruth, Inference, RuleTruth, UnitTruth
from ringdoku.explanations.path import Outcome
from ringdoku.proofs.model import Claim
from ringdoku.services import (
    Session,
    best_solutions,
    bound,
    candidates,
    check,
    count_exactly,
    count_solutions,
    explain,
    maximise,
    maximise_many,
    minimise,
    rate,
    refute,
    solutions,
    solve,
    solve_many,
    why_best,
    why_none,
    why_several,
)
from ringdoku.services.certifying import certify, verify
from ringdoku.solvers.registry import BACKENDS, Progress
from ringdoku.text import parse_one as parse
from ringdoku.text import read_puzzles, write_puzzles

__version__ = "0.2.0"

maximize = maximise
minimize = minimise

__all__ = [
    "BACKENDS",
    "BackendError",
    "Board",
    "Bound",
    "Case",
    "CellTruth",
    "Claim",
    "DimensionError",
    "DisagreementError",
    "Explanation",
    "Grid",
    "HouseTruth",
    "Inference",
    "InputError",
    "MissingPackageError",
    "Objective",
    "Outcome",
    "Place",
    "Progress",
    "Puzzle",
    "Rating",
    "Result",
    "RingdokuError",
    "RuleTruth",
    "Ruleset",
    "Sense",
    "Session",
    "Status",
    "Step",
    "TimeLimitError",
    "UnitTruth",
    "UsageError",
    "Violation",
    "best_solutions",
    "bound",
    "candidates",
    "certify",
    "check",
    "check_bound",
    "classic",
    "count_exactly",
    "count_solutions",
    "explain",
    "maximise",
    "maximise_many",
    "maximize",
    "minimise",
    "minimize",
    "parse",
    "rate",
    "read_puzzles",
    "refute",
    "ring_weights",
    "solutions",
    "solve",
    "solve_many",
    "verify",
    "why_best",
    "why_none",
    "why_several",
    "write_puzzles",
]
