"""Several SAT solvers of PySAT that take turns on one formula: what one of them finds hard, another often does not.

Turns are counted in conflicts and double from round to round, so that the search is the same on every machine, and
takes at most a small number of times as long as the best of them alone. A solver is loaded when its first turn comes:
most puzzles are answered before the second one's.

Nearly determined puzzles have small formulas, on which CaDiCaL is mostly the first. There its turns are twice as long,
so that it waits no longer than it works.

Before all that, milliseconds tell whether the puzzle is a shuffled pattern (`shifted`), as most large ones are.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ringdoku.domain.errors import TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.puzzle import Puzzle
from ringdoku.domain.result import Result, Status
from ringdoku.lowering.cnf import PuzzleCnf, lower_by_size
from ringdoku.solvers.base import Phase, Run
from ringdoku.solvers.sat_solver import SLOW_CANDIDATES, loaded, solve_in_turns, steady
from ringdoku.solvers.shifted import shifted_solution

SOLVERS = ("minisat22", "cadical195")
SLOW_SOLVERS = ("minisat22", "glucose4")
"""Above `SLOW_CANDIDATES`, where CaDiCaL would keep a deadline waiting."""

FIRST_TURN = 4000
"""Conflicts."""

STEADY_SHARE = 2
"""Of the conflicts, for CaDiCaL where it is mostly the first."""


class Turns:
    """Nothing stays live between puzzles."""

    def solve(self, puzzle: Puzzle, run: Run) -> Result:
        grids = self.enumerate(puzzle, run)
        try:
            grid = next(grids, None)
            status = Status.INFEASIBLE if grid is None else Status.SATISFIABLE
        except TimeLimitError:
            grid, status = None, Status.UNKNOWN
        finally:
            grids.close()
        return Result(status, grid, statistics=run.effort.statistics())

    def enumerate(self, puzzle: Puzzle, run: Run) -> Generator[Grid, None, None]:
        run.effort.enter(Phase.SOLVE)
        shifted = shifted_solution(puzzle, run.deadline)
        if shifted is not None:
            yield shifted
        with _rounds(puzzle, run) as rounds:
            if shifted is not None and not rounds.exclude(shifted):
                return
            while (grid := rounds.solution()) is not None:
                yield grid
                if not rounds.exclude(grid):
                    return


class _Rounds:
    """The solvers of one formula. `rules`: it has others than houses."""

    def __init__(self, solver_names: Sequence[str], formula: PuzzleCnf, rules: bool, run: Run) -> None:
        self._names = solver_names
        self._rules = rules
        self._formula = formula
        self._run = run
        self._solvers: dict[str, Any] = {}
        self._excluded: list[list[int]] = []
        self._conflicts = FIRST_TURN
        self._next = 0

    def solution(self) -> Grid | None:
        """One that is not excluded, None when there is none. Raises `TimeLimitError` at the deadline."""
        while not self._run.deadline.expired:
            solver = self._solver(self._names[self._next])
            share = STEADY_SHARE if self._settings(self._names[self._next]) else 1
            answer = solve_in_turns(solver, (), self._run.deadline, self._conflicts * share)
            if answer is not None:
                return self._formula.decode(solver.get_model()) if answer else None
            self._next = (self._next + 1) % len(self._names)
            if self._next == 0:
                self._conflicts *= 2
        raise TimeLimitError

    def exclude(self, grid: Grid) -> bool:
        """False when there is no other."""
        clause = self._formula.digits.clause_against(grid)
        if not clause:
            return False
        self._excluded.append(clause)
        for solver in self._solvers.values():
            solver.add_clause(clause)
        return True

    def close(self) -> None:
        facts = self._run.effort.facts
        for solver in self._solvers.values():
            for name, count in (solver.accum_stats() or {}).items():
                facts[name] = facts.get(name, 0) + count
            solver.delete()

    def _settings(self, name: str) -> Mapping[str, int] | None:
        return None if self._rules else steady(name, self._formula.cnf)

    def _solver(self, name: str) -> Any:
        if name not in self._solvers:
            self._run.effort.enter(Phase.LOAD)
            solver = self._solvers[name] = loaded(name, self._formula.cnf, self._run.deadline, self._settings(name))
            solver.append_formula(self._excluded)
            self._run.effort.enter(Phase.SOLVE)
        return self._solvers[name]


@contextmanager
def _rounds(puzzle: Puzzle, run: Run) -> Iterator[_Rounds]:
    run.effort.enter(Phase.BUILD)
    formula = lower_by_size(puzzle, run.deadline)
    run.effort.facts |= {"live": 0, "variables": formula.cnf.num_vars, "clauses": formula.cnf.num_clauses}
    is_slow = puzzle.board.cell_count * puzzle.order > SLOW_CANDIDATES
    rounds = _Rounds(SLOW_SOLVERS if is_slow else SOLVERS, formula, bool(puzzle.ruleset.rest), run)
    try:
        yield rounds
    finally:
        rounds.close()
