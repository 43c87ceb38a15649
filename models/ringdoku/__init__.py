"""Sudoku as a mathematical model: solve, maximise with a proof, export, compare.

>>> from ringdoku import parse, solve
>>> solve(parse("1...\\n.1..\\n....\\n....\\n")).status.value
'infeasible'
"""

from ringdoku.backends.base import Progress
from ringdoku.backends.registry import BACKENDS
from ringdoku.domain.board import Board
from ringdoku.domain.bound import Bound, check_bound
from ringdoku.domain.checker import (
    BlankCell,
    BrokenRule,
    ChangedClue,
    RepeatedDigit,
    Violation,
    WrongOrder,
    WrongScore,
    check,
)
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
from ringdoku.formats import parse_one as parse
from ringdoku.proofs.claims import Claim
from ringdoku.services import (
    Session,
    best_solutions,
    bound,
    candidates,
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

__version__ = "0.2.0"

maximize = maximise
minimize = minimise

__all__ = [
    "BACKENDS",
    "BackendError",
    "BlankCell",
    "Board",
    "Bound",
    "BrokenRule",
    "ChangedClue",
    "Claim",
    "DimensionError",
    "DisagreementError",
    "Grid",
    "InputError",
    "MissingPackageError",
    "Objective",
    "Place",
    "Progress",
    "Puzzle",
    "RepeatedDigit",
    "Result",
    "RingdokuError",
    "Ruleset",
    "Sense",
    "Session",
    "Status",
    "TimeLimitError",
    "UsageError",
    "Violation",
    "WrongOrder",
    "WrongScore",
    "best_solutions",
    "bound",
    "candidates",
    "certify",
    "check",
    "check_bound",
    "classic",
    "count_solutions",
    "explain",
    "maximise",
    "maximise_many",
    "maximize",
    "minimise",
    "minimize",
    "parse",
    "rate",
    "refute",
    "ring_weights",
    "solutions",
    "solve",
    "solve_many",
    "verify",
    "why_best",
    "why_none",
    "why_several",
]
