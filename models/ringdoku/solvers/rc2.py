"""RC2, PySAT's core-guided MaxSAT solver (Ignatiev, Morgado, Marques-Silva, JSAT 2019), on the projected objective.

With the original ring weights it proves nothing about puzzles of 24 clues in four seconds; projected, it takes 0.02.
"""

from pysat.examples.rc2 import RC2Stratified  # noqa: TID253 - this module itself is loaded on use
from pysat.formula import WCNF  # noqa: TID253

from ringdoku.domain import Objective, Puzzle, Result, Status
from ringdoku.duality.projection import projected
from ringdoku.limits import run_in_process
from ringdoku.lowering.cnf import lower_to_wcnf
from ringdoku.sat.options import PRESOLVED
from ringdoku.solvers.registry import Backend, Phase, Run

SOLVER = "minisat22"
"""The SAT solver inside RC2. Glucose 4 takes as long or a little longer, CaDiCaL 1.9.5 longer."""


class Rc2(Backend):
    """Stratified, with core exhaustion and intrinsic at-most-ones: together the fastest on 9×9 with random weights. It
    looks at no clock, so it works in a process of its own, and nothing is known before its end."""

    def optimise(self, puzzle: Puzzle, objective: Objective, run: Run) -> Result:
        run.effort.enter(Phase.BUILD)
        projection = projected(puzzle, objective)
        lowered, wcnf, _ = lower_to_wcnf(puzzle, projection.coefficients, objective.sense, PRESOLVED, run.deadline)
        run.effort.enter(Phase.LOAD)
        hard, formula = wcnf.hard, WCNF()
        # RC2 gives its own variables numbers above these
        formula.nv = hard.num_vars
        formula.extend([*hard.clauses(), *lowered.digits.blocking_clauses(run.excluding)])
        for clause, weight in wcnf.soft_clauses():
            formula.append(clause, weight)
        run.effort.facts |= {"live": 0, "variables": formula.nv, "clauses": hard.num_clauses + len(formula.soft)}
        run.effort.enter(Phase.SOLVE)

        def cheapest() -> tuple[list[int] | None, dict[str, int]]:
            with RC2Stratified(formula, solver=SOLVER, adapt=True, exhaust=True) as rc2:
                # where all solutions cost the same, RC2 asks for none
                return rc2.compute() if rc2.oracle.solve() else None, rc2.oracle.accum_stats()

        assignment, counts = run_in_process(cheapest, run.deadline)
        run.effort.facts |= counts
        if assignment is None:
            return Result(Status.INFEASIBLE)
        grid = lowered.digits.decode(assignment)
        score = objective.score(grid)
        run.report(score, score, grid)
        return Result(Status.OPTIMAL, grid, score, score)
