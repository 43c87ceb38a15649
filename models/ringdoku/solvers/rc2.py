"""RC2, PySAT's core-guided MaxSAT solver (Ignatiev, Morgado, Marques-Silva, JSAT 2019), on the projected objective.

With the original ring weights it proves nothing about puzzles of 24 clues in four seconds; projected, it takes 0.02.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pysat.examples.rc2 import RC2Stratified  # noqa: TID253 - this module itself is loaded on use
from pysat.formula import WCNF  # noqa: TID253

from ringdoku.domain import Grid, Objective, Puzzle, Result, Status, TimeLimitError
from ringdoku.duality.projection import projected
from ringdoku.lowering.cnf import lower_to_wcnf
from ringdoku.sat.formula import Cnf
from ringdoku.sat.options import PRESOLVED
from ringdoku.solvers.incremental import IncrementalSolver, python_handles_signals
from ringdoku.solvers.registry import Backend, Phase, Run

SOLVER = "minisat22"
"""The SAT solver inside RC2. Glucose 4 takes as long or a little longer, CaDiCaL 1.9.5 longer."""


Found: TypeAlias = Callable[[list[int] | None, int], None]
"""It receives the assignment that a call of the SAT solver found, if any, and the cost that is proved so far."""


class Rc2(Backend):
    """Stratified, with core exhaustion and intrinsic at-most-ones: together the fastest on 9×9 with random weights."""

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        run.effort.enter(Phase.BUILD)
        projection = projected(puzzle, objective)
        lowered = lower_to_wcnf(puzzle, projection.coefficients, objective.sense, PRESOLVED, run.deadline)
        hard, formula = lowered.wcnf.hard, WCNF()
        # RC2 gets the hard clauses later, and gives its own variables numbers above theirs
        formula.nv = hard.num_vars
        for clause, weight in lowered.wcnf.soft_clauses():
            formula.append(clause, weight)
        excluded = list(lowered.puzzle_cnf.digits.clauses_against(run.excluding))
        run.effort.facts |= {"live": 0, "variables": formula.nv, "clauses": hard.num_clauses + len(formula.soft)}
        best: Grid | None = None
        score: int | None = None

        def found(assignment: list[int] | None, cost: int) -> None:
            """Keeps the best solution so far, in case the deadline comes first."""
            nonlocal best, score
            if assignment is not None:
                grid = lowered.puzzle_cnf.decode(assignment)
                if score is None or objective.sense.better(objective.score(grid), score):
                    best, score = grid, objective.score(grid)
            run.report(score, projection.score(lowered.score(cost)), best)

        with python_handles_signals(), _InTurns(formula, hard, excluded, run, found) as rc2:
            try:
                # the first solution, before RC2 looks for cores
                feasible = rc2._call_oracle() and rc2.compute() is not None
                status = Status.OPTIMAL if feasible else Status.INFEASIBLE
            except TimeLimitError:
                status = Status.UNKNOWN if best is None else Status.FEASIBLE
            if status is Status.INFEASIBLE:
                return Result(status, statistics=rc2.statistics())
            return Result(status, best, score, projection.score(lowered.score(rc2.cost)), statistics=rc2.statistics())


class _InTurns(RC2Stratified):  # type: ignore[misc]  # PySAT has no types
    """RC2 that raises `TimeLimitError` at the deadline; `cost` is then a lower limit on the cost.

    RC2's own interruption uses the core of an earlier call as that of the interrupted one, so its cost becomes too
    high.
    """

    def __init__(self, formula: WCNF, hard: Cnf, excluded: list[list[int]], run: Run, found: Found) -> None:
        self._hard, self._excluded, self._run, self._found, self._calls = hard, excluded, run, found, 0
        super().__init__(formula, solver=SOLVER, adapt=True, exhaust=True)

    def init(self, formula: WCNF, incr: bool = False) -> None:
        """RC2's own initialisation, then the hard clauses. Raises `TimeLimitError` at the deadline."""
        self._run.effort.enter(Phase.LOAD)
        super().init(formula, incr)
        self._solver = IncrementalSolver(self.oracle, self._hard, self._run.deadline)
        self._solver.add(self._excluded)
        self._run.effort.enter(Phase.SOLVE)

    def adapt_am1(self) -> None:
        """RC2's search for soft clauses that exclude each other, with a solver call for each."""
        propagate = self.oracle.propagate

        def checked(*arguments: Any, **options: Any) -> Any:
            self._run.deadline.check()
            return propagate(*arguments, **options)

        self.oracle.propagate = checked
        try:
            super().adapt_am1()
        finally:
            del self.oracle.propagate

    def statistics(self) -> Mapping[str, int | float]:
        self._run.effort.facts |= {**self.oracle.accum_stats(), "calls": self._calls}
        return self._run.effort.statistics()

    def _call_oracle(self, assumptions: Any = (), expect_interrupt: bool = False) -> bool:  # noqa: ARG002
        answer = self._solver.is_satisfiable(list(assumptions))
        self._calls += 1
        self._found(self.oracle.get_model() if answer else None, self.cost)
        return answer
