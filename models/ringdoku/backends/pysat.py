"""The SAT solvers of PySAT. One solver stays live for each geometry, and each puzzle becomes assumptions on it.

In an encoding of the caller's choice each puzzle has a formula and a solver of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pysat.solvers import Solver  # noqa: TID253 - this module itself is loaded on use

from ringdoku.backends.base import Deadline, Run, TimeLimitError
from ringdoku.backends.interrupts import solver_interrupts
from ringdoku.domain.geometry import Geometry
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.encodings.options import TEXTBOOK, EncodingOptions
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_cnf

FIRST_CONFLICTS = 2000
"""A solver call holds the interpreter's lock, so the clock is looked at between calls of so many conflicts."""

TURN_SECONDS = 0.1
"""Calls grow while they take less than this, so that hard puzzles are not restarted too often."""


class PySat:
    """One of PySAT's solvers, by its PySAT name."""

    def __init__(self, solver_name: str, encoding: EncodingOptions | None = None) -> None:
        self.solver_name = solver_name
        self.encoding = encoding
        self._live: dict[Geometry, tuple[PuzzleCnf, Any]] = {}

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        start = time.perf_counter()
        with self._ready(puzzle) as (formula, solver, assumptions):
            statistics: dict[str, int | float] = {
                "build_seconds": time.perf_counter() - start,
                "variables": formula.cnf.num_vars,
                "clauses": formula.cnf.num_clauses,
            }
            before = solver.accum_stats()
            answer = solve_in_turns(solver, assumptions, run.deadline)
            after = solver.accum_stats()
            if after:
                statistics |= {name: after[name] - before[name] for name in after}
            match answer:
                case None:
                    return Result(Status.UNKNOWN, statistics=statistics)
                case False:
                    return Result(Status.INFEASIBLE, statistics=statistics)
            return Result(Status.SATISFIABLE, formula.decode(solver.get_model()), statistics=statistics)

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        formula = lower_to_cnf(puzzle, self.encoding or TEXTBOOK)
        with Solver(name=self.solver_name, bootstrap_with=formula.cnf.clauses()) as solver:
            while answer := solve_in_turns(solver, [], run.deadline):
                grid = formula.decode(solver.get_model())
                yield grid
                # another solution differs in a cell that is open
                literals = (formula.digits.literals[cell, digit - 1] for cell, digit in enumerate(grid.digits))
                others = [
                    -int(literal)
                    for literal, clue in zip(literals, puzzle.clues.digits, strict=True)
                    if literal and not clue
                ]
                if not others:
                    return
                solver.add_clause(others)
            if answer is None:
                raise TimeLimitError

    @contextmanager
    def _ready(self, puzzle: Puzzle) -> Iterator[tuple[PuzzleCnf, Any, list[int]]]:
        """A formula, a solver that holds it, and assumptions that make it the puzzle's."""
        if self.encoding is None:
            yield *self._solver(puzzle.geometry), clue_literals(puzzle)
            return
        formula = lower_to_cnf(puzzle, self.encoding)
        with Solver(name=self.solver_name, bootstrap_with=formula.cnf.clauses()) as solver:
            yield formula, solver, []

    def _solver(self, geometry: Geometry) -> tuple[PuzzleCnf, Any]:
        if geometry not in self._live:
            formula = lower_to_cnf(Puzzle(geometry, Grid.blank(geometry.order)))
            self._live[geometry] = formula, Solver(name=self.solver_name, bootstrap_with=formula.cnf.clauses())
        return self._live[geometry]


def clue_literals(puzzle: Puzzle) -> list[int]:
    """The variable of each clue in the direct encoding of the blank puzzle."""
    n = puzzle.order
    return [cell * n + digit for cell, digit in enumerate(puzzle.clues.digits) if digit]


def solve_in_turns(solver: Any, assumptions: list[int], deadline: Deadline) -> bool | None:
    """Whether the solver's formula is satisfiable under `assumptions`; None when the deadline came first."""
    conflicts = FIRST_CONFLICTS
    while not deadline.expired:
        start = time.monotonic()
        solver.conf_budget(conflicts)
        with solver_interrupts():
            answer: bool | None = solver.solve_limited(assumptions=assumptions)
        if answer is not None:
            return answer
        if time.monotonic() - start < TURN_SECONDS:
            conflicts *= 2
    return None
