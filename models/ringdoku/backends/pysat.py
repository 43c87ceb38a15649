"""The SAT solvers of PySAT. One solver stays live for each small ruleset, and each puzzle becomes assumptions on it.

Large puzzles, and any in an encoding of the caller's choice, have a formula and a solver of their own.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pysat.solvers import Solver  # noqa: TID253 - this module itself is loaded on use

from ringdoku.backends.base import Deadline, Run
from ringdoku.backends.interrupts import python_handles_signals
from ringdoku.backends.registry import LARGEST_LIVE_ORDER
from ringdoku.cnf import Cnf
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.encodings.options import TEXTBOOK, EncodingOptions
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_cnf
from ringdoku.lowering.defaults import lower_by_size

FIRST_CONFLICTS = 500
"""The clock and Ctrl-C are looked at between calls of so many conflicts: a millisecond or two on 9×9."""

TURN_SECONDS = 0.1
"""Later calls get more or fewer conflicts, so that they take about so long."""


class PySat:
    """One of PySAT's solvers, by its PySAT name."""

    def __init__(self, solver_name: str, encoding: EncodingOptions | None = None) -> None:
        self.solver_name = solver_name
        self.encoding = encoding
        self._live: dict[Ruleset, tuple[Cnf, Any]] = {}

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        try:
            return self._solve(puzzle, run)
        except TimeLimitError:
            return Result(Status.UNKNOWN)

    def _solve(self, puzzle: Puzzle, run: Run) -> Result:
        start = time.perf_counter()
        with self._ready(puzzle, run.deadline) as ready:
            statistics: dict[str, int | float] = {
                "build_seconds": time.perf_counter() - start,
                "variables": ready.cnf.num_vars,
                "clauses": ready.cnf.num_clauses,
            }
            before = ready.solver.accum_stats()
            answer = solve_in_turns(ready.solver, ready.assumptions, run.deadline)
            after = ready.solver.accum_stats()
            if after:
                statistics |= {name: after[name] - before[name] for name in after}
            match answer:
                case None:
                    return Result(Status.UNKNOWN, statistics=statistics)
                case False:
                    return Result(Status.INFEASIBLE, statistics=statistics)
            return Result(Status.SATISFIABLE, ready.decode(ready.solver.get_model()), statistics=statistics)

    def refute(self, puzzle: Puzzle, run: Run) -> Result:
        # a solver of its own: under assumptions some proofs end in an empty clause that does not follow
        formula = lower_to_cnf(puzzle)
        try:
            with loaded(self.solver_name, formula.cnf, run.deadline, with_proof=True) as solver:
                answer = solve_in_turns(solver, [], run.deadline)
                if answer:
                    return Result(Status.SATISFIABLE, formula.decode(solver.get_model()))
                if answer is False:
                    steps = solver.get_proof()
                    if steps[-1:] != ["0"]:
                        # some solvers leave the empty clause unsaid
                        steps.append("0")
                    return Result(Status.INFEASIBLE, proof=tuple(steps))
        except TimeLimitError:
            pass
        return Result(Status.UNKNOWN)

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        formula = self._formula(puzzle)
        with loaded(self.solver_name, formula.cnf, run.deadline) as solver:
            while answer := solve_in_turns(solver, [], run.deadline):
                grid = formula.decode(solver.get_model())
                yield grid
                if not (another := formula.digits.clause_against(grid)):
                    return
                solver.add_clause(another)
            if answer is None:
                raise TimeLimitError

    @contextmanager
    def _ready(self, puzzle: Puzzle, deadline: Deadline) -> Iterator[_Ready]:
        if self.encoding is None and puzzle.order <= LARGEST_LIVE_ORDER and puzzle.ruleset.classic_box:
            if puzzle.ruleset not in self._live:
                cnf = lower_to_cnf(Puzzle(puzzle.ruleset, Grid.blank(puzzle.board))).cnf
                solver = loaded(self.solver_name, cnf, Deadline())
                # at the interpreter's end PySAT's own clearing up comes too late, and complains
                weakref.finalize(self, solver.delete)
                self._live[puzzle.ruleset] = cnf, solver
            # the variable of digit d in cell c is c·n + d, here and back
            n = puzzle.order
            clues = [cell * n + digit for cell, digit in enumerate(puzzle.clues.digits) if digit]
            yield _Ready(*self._live[puzzle.ruleset], clues, lambda literals: _decode(literals, n))
            return
        formula = self._formula(puzzle)
        with loaded(self.solver_name, formula.cnf, deadline) as solver:
            yield _Ready(formula.cnf, solver, [], formula.decode)

    def _formula(self, puzzle: Puzzle) -> PuzzleCnf:
        if self.encoding is None and not (puzzle.order <= LARGEST_LIVE_ORDER and puzzle.ruleset.classic_box):
            return lower_by_size(puzzle)
        return lower_to_cnf(puzzle, self.encoding or TEXTBOOK)


@dataclass(frozen=True)
class _Ready:
    """A formula, a solver that holds it, assumptions that make it the puzzle's, and the way back."""

    cnf: Cnf
    solver: Any
    assumptions: Sequence[int]
    decode: Callable[[Sequence[int]], Grid]


def _decode(literals: Sequence[int], order: int) -> Grid:
    """The grid of an assignment of the textbook formula, which has no other variables. Quicker than arrays are."""
    return Grid(tuple([(literal - 1) % order + 1 for literal in literals if literal > 0]))


def loaded(solver_name: str, cnf: Cnf, deadline: Deadline, **options: bool) -> Any:
    """A solver that holds the formula. Raises `TimeLimitError` at the deadline: millions of clauses take seconds."""
    solver = Solver(name=solver_name, **options)
    try:
        for portion in cnf.portions():
            if deadline.expired:
                raise TimeLimitError
            solver.append_formula(portion)
    except BaseException:
        solver.delete()
        raise
    return solver


def solve_in_turns(solver: Any, assumptions: Sequence[int], deadline: Deadline) -> bool | None:
    """Whether the solver's formula is satisfiable under `assumptions`; None when the deadline came first."""
    conflicts = FIRST_CONFLICTS
    while not deadline.expired:
        start = time.monotonic()
        solver.conf_budget(conflicts)
        with python_handles_signals():
            answer: bool | None = solver.solve_limited(assumptions=assumptions)
        if answer is not None:
            return answer
        conflicts = conflicts * 2 if time.monotonic() - start < TURN_SECONDS else max(1, conflicts // 2)
    return None
