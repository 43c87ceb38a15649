"""Puzzle → CNF for programs and files, which is never empty."""

from __future__ import annotations

from dataclasses import replace

from ringdoku.domain.puzzle import Puzzle
from ringdoku.limits import NEVER, Deadline
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_cnf
from ringdoku.sat.options import EncodingOptions


def lower_to_nonempty_cnf(puzzle: Puzzle, options: EncodingOptions, deadline: Deadline = NEVER) -> PuzzleCnf:
    """As `lower_to_cnf`, but without presolve if that decides every cell and leaves no variable.

    Some programs refuse a formula without variables, and it would be of no use to anybody.
    """
    lowered = lower_to_cnf(puzzle, options, deadline)
    return lowered if lowered.cnf.num_vars else lower_to_cnf(puzzle, replace(options, presolve=False), deadline)
