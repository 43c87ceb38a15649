"""CaDiCaL on a live solver, in turns with CP-SAT where that takes long: sums that search leads nowhere with may be
refuted by linear programming.

The turns have limits of their own, conflicts and CP-SAT's units of work, which double from round to round. So the
search is the same on every machine, and takes a small number of times as long as the better of the two alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import count

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.primitives import Linear
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.limits import interrupts_held
from ringdoku.solvers.base import Run
from ringdoku.solvers.pysat import PySat

FIRST_CONFLICTS = 120_000
"""For each solution. The hardest killers known need up to 80,000, in about six seconds."""
FIRST_UNITS = 10.0
"""Of about a second each."""


class Portfolio:
    """For puzzles with other rules than houses."""

    def __init__(self) -> None:
        self._sat = PySat("cadical195")

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        try:
            grid = next(self.enumerate(puzzle, run), None)
            status = Status.INFEASIBLE if grid is None else Status.SATISFIABLE
        except TimeLimitError:
            grid, status = None, Status.UNKNOWN
        return Result(status, grid, statistics=run.effort.statistics())

    def enumerate(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if not any(isinstance(primitive, Linear) for primitive in puzzle.ruleset.rest):
            # linear programming is no help without sums
            yield from self._sat.enumerate(puzzle, run)
            return
        found: dict[tuple[tuple[int, ...], ...], None] = {}
        for round_number in count():
            conflicts, units = FIRST_CONFLICTS << round_number, FIRST_UNITS * 2**round_number
            for ask in (partial(self._sat.enumerate, conflicts=conflicts), partial(_ask_cpsat, units=units)):
                # the time limit, or that of the turn
                with suppress(TimeLimitError):
                    for grid in ask(puzzle, run):
                        if grid.rows not in found:
                            found[grid.rows] = None
                            yield grid
                    return
                run.deadline.check()


def _ask_cpsat(puzzle: Puzzle, run: Run, units: float) -> Iterator[Grid]:
    # takes 0.3 s to load
    with interrupts_held():
        from ringdoku.solvers.cpsat import CpSat

    return CpSat("boolean").enumerate(puzzle, run, units)
