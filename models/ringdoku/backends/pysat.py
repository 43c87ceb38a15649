"""The SAT solvers of PySAT. One solver stays live for each small ruleset, and each puzzle becomes assumptions on it.

Large puzzles, and any in an encoding of the caller's choice, have a formula and a solver of their own.
"""

from __future__ import annotations

import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import pysolvers
from pysat.solvers import Solver  # noqa: TID253 - this module itself is loaded on use

from ringdoku.backends.base import Run
from ringdoku.backends.interrupts import python_handles_signals
from ringdoku.backends.registry import LARGEST_LIVE_ORDER
from ringdoku.cnf import Cnf
from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.domain.ruleset import Ruleset
from ringdoku.encodings.digits.literals import DigitLiterals
from ringdoku.encodings.options import TEXTBOOK, EncodingOptions
from ringdoku.limits import Deadline, apart, interruptible
from ringdoku.lowering.cnf import PuzzleCnf, lower_to_cnf
from ringdoku.lowering.defaults import lower_by_size

FIRST_CONFLICTS = 500
"""The clock and Ctrl-C are looked at between calls of so many conflicts: a millisecond or two on 9×9."""

SLOW_CANDIDATES = 250_000
"""Of all cells: those of 64×64. CaDiCaL, which cannot be interrupted, may take seconds for a few conflicts there."""

MOST_CONFLICTS = 2**30
"""No budget at all."""

SMALL = 20_000
"""Variables. On formulas of up to so many a first call takes too little time for a thread of its own."""

TURN_SECONDS = 0.1
"""Later calls get more or fewer conflicts, so that they take about so long."""


class PySat:
    """One of PySAT's solvers, by its PySAT name."""

    def __init__(self, solver_name: str, encoding: EncodingOptions | None = None) -> None:
        self.solver_name = solver_name
        self.encoding = encoding
        self._live: dict[Ruleset, _Live] = {}

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        size = puzzle.board.cell_count * puzzle.order
        if size > SLOW_CANDIDATES and self.solver_name.startswith("cadical"):
            return apart(lambda: self._solve(puzzle, run), run.deadline)
        return self._solve(puzzle, run)

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
        try:
            formula = lower_to_cnf(puzzle, deadline=run.deadline)
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
        with self._ready(puzzle, run.deadline) as ready:
            solver = ready.solver
            # the clauses against solutions hold as long as this variable is assumed
            blocking = ready.spare
            try:
                while answer := solve_in_turns(solver, [*ready.assumptions, blocking], run.deadline):
                    grid = ready.decode(solver.get_model())
                    yield grid
                    if not (another := ready.digits.clause_against(grid)):
                        return
                    solver.add_clause([-blocking, *another])
            finally:
                solver.add_clause([-blocking])
            if answer is None:
                raise TimeLimitError

    @contextmanager
    def _ready(self, puzzle: Puzzle, deadline: Deadline) -> Iterator[_Ready]:
        ruleset = puzzle.ruleset
        if self.encoding is None and puzzle.order <= LARGEST_LIVE_ORDER and ruleset.classic_box:
            if ruleset not in self._live:
                formula = lower_to_cnf(Puzzle(ruleset, Grid.blank(puzzle.board)))
                solver = loaded(self.solver_name, formula.cnf, Deadline())
                # at the interpreter's end PySAT's own clearing up comes too late, and complains
                weakref.finalize(self, solver.delete)
                self._live[ruleset] = _Live(formula, solver, formula.cnf.num_vars)
            live = self._live[ruleset]
            live.spare += 1
            # the variable of digit d in cell c is c·n + d, here and back
            n = puzzle.order
            clues = [cell * n + digit for cell, digit in enumerate(puzzle.clues.digits) if digit]
            count = live.formula.cnf.num_vars
            yield _Ready(
                live.formula.cnf,
                live.formula.digits,
                live.solver,
                clues,
                live.spare,
                lambda literals: _decode(literals[:count], n),
            )
            return
        formula = self._formula(puzzle, deadline)
        with loaded(self.solver_name, formula.cnf, deadline) as solver:
            yield _Ready(formula.cnf, formula.digits, solver, [], formula.cnf.num_vars + 1, formula.decode)

    def _formula(self, puzzle: Puzzle, deadline: Deadline) -> PuzzleCnf:
        if self.encoding is None and not (puzzle.order <= LARGEST_LIVE_ORDER and puzzle.ruleset.classic_box):
            return lower_by_size(puzzle, deadline)
        return lower_to_cnf(puzzle, self.encoding or TEXTBOOK, deadline)


@dataclass
class _Live:
    """A solver that stays, and the last variable that was handed out."""

    formula: PuzzleCnf
    solver: Any
    spare: int


@dataclass(frozen=True)
class _Ready:
    """A formula, a solver that holds it, assumptions that make it the puzzle's, a spare variable, the way back."""

    cnf: Cnf
    digits: DigitLiterals
    solver: Any
    assumptions: Sequence[int]
    spare: int
    decode: Callable[[Sequence[int]], Grid]


def _decode(literals: Sequence[int], order: int) -> Grid:
    """The grid of an assignment of the textbook formula, which has no other variables. Quicker than arrays are."""
    return Grid(tuple([(literal - 1) % order + 1 for literal in literals if literal > 0]))


def loaded(solver_name: str, cnf: Cnf, deadline: Deadline, **options: bool) -> Any:
    """A solver that holds the formula. Raises `TimeLimitError` at the deadline: millions of clauses take seconds."""
    solver = Solver(name=solver_name, **options)
    try:
        add = adding(solver)
        for portion in cnf.portions():
            deadline.check()
            add(portion)
    except BaseException:
        solver.delete()
        raise
    return solver


def adding(solver: Any) -> Callable[[Sequence[Sequence[int]]], None]:
    """What adds clauses. PySAT's own loop over them takes longer than the solver does, so CaDiCaL gets them
    directly."""
    name = type(solver.solver).__name__.lower()
    add = getattr(pysolvers, f"{name}_add_cl", None)
    inner = getattr(solver.solver, "cadical", None)
    if add is None or inner is None:
        return lambda portion: solver.append_formula(portion, no_return=True)
    return lambda portion: deque(map(partial(add, inner), portion), maxlen=0)  # type: ignore[return-value]


def solve_in_turns(solver: Any, assumptions: Sequence[int], deadline: Deadline) -> bool | None:
    """Whether the solver's formula is satisfiable under `assumptions`; None when the deadline came first."""
    if can_be_interrupted(solver):
        # one long call: each limited one of the MiniSat family would begin its restarts anew
        return limited(solver, assumptions, MOST_CONFLICTS, deadline)
    conflicts = FIRST_CONFLICTS
    while not deadline.expired:
        start = time.monotonic()
        if (answer := limited(solver, assumptions, conflicts, deadline)) is not None:
            return answer
        conflicts = conflicts * 2 if time.monotonic() - start < TURN_SECONDS else max(1, conflicts // 2)
    return None


def limited(solver: Any, assumptions: Sequence[int], conflicts: int, deadline: Deadline) -> bool | None:
    """The answer within so many conflicts; None when they, or the deadline, come first.

    A solver that can be interrupted, and takes longer than a moment, is stopped at the deadline and by Ctrl-C.
    """
    if deadline.expired:
        return None
    answer: bool | None
    in_thread = can_be_interrupted(solver)
    if not in_thread or solver.nof_vars() <= SMALL:
        # most questions are answered in less time than a thread takes to start
        solver.conf_budget(min(conflicts, FIRST_CONFLICTS) if in_thread else conflicts)
        with python_handles_signals():
            answer = solver.solve_limited(assumptions=assumptions)
        if answer is not None or not in_thread or conflicts <= FIRST_CONFLICTS:
            return answer
    solver.conf_budget(conflicts)
    try:
        answer = interruptible(
            lambda: solver.solve_limited(assumptions=assumptions, expect_interrupt=True), solver.interrupt, deadline
        )
    finally:
        solver.clear_interrupt()
    return answer


def can_be_interrupted(solver: Any) -> bool:
    """Whether another thread can stop a call of this solver; the CaDiCaL family looks at its budget of conflicts
    only."""
    return not type(solver.solver).__name__.startswith("Cadical")
