"""One question to a SAT solver: is there a solution that scores at least T?

The formula holds the candidates that the prices leave at T, and a budget on their costs, rounded down to a few levels.
A solution that slips through is worth less than T, and is refused by a clause that names the few dear candidates which
alone break the exact budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Any

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Floats, Ints
from ringdoku.duality.prices import Prices
from ringdoku.lowering.cnf import at_most_one_for, encode_candidates, nothing_known
from ringdoku.memory import without_collection
from ringdoku.sat import ClauseSink, Cnf, VarPool
from ringdoku.sat.digits import DigitLiterals
from ringdoku.sat.options import EncodingOptions
from ringdoku.solvers.base import Phase, Run
from ringdoku.solvers.lp_sat.costs import Budget, Costs, by_variable
from ringdoku.solvers.lp_sat.host import Hosts, QuestionHost
from ringdoku.solvers.sat_solver import FIRST_CONFLICTS, MOST_CONFLICTS, can_be_interrupted, limited, loaded, steady

MOST_PAIRS = 10**7
"""Pairwise clauses, as estimated, which search best while there is memory for them: ten million take about 2 GB."""


class Answer(Enum):
    """What is known about a question."""

    FOUND = "found"
    """A solution with at least the target score."""
    REFUTED = "refuted"
    """No solution has the target score."""
    OPEN = "open"
    """The turn was over first."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What questions are about: a puzzle, an `objective` that maximises, the `candidates` that propagation left, and
    what linear programming says of them.

    `prices` are None where it has no solution, and so no bound. `likely` (cells, digits) is its fractional solution,
    which solvers try first.
    """

    puzzle: Puzzle
    objective: Objective
    candidates: Candidates
    prices: Prices | None
    likely: Floats


@dataclass(frozen=True, eq=False)
class Manner:
    """How a question is asked: by which solver of PySAT, and how finely the budget is written, 0 for not at all.

    With `repeated`, as in `duality.symmetry.half_turn`, only symmetric solutions are looked for, and a refutation says
    nothing of others. One of the `hosts`, if given, may take the question as its guest.
    """

    solver_name: str
    levels: int = 0
    repeated: Ints | None = None
    hosts: Hosts | None = None


class Question:
    """A solver kept between turns, so that what it learned is not lost; `close` frees its memory.

    Solutions that the run excludes do not count. Raises `TimeLimitError` when the deadline comes while it is built.
    """

    @without_collection()
    def __init__(self, problem: Problem, target: int, manner: Manner, run: Run) -> None:
        self.target = target
        self.conflicts = 0
        self.refusals = 0
        self.best: Grid | None = None
        self._best_score = 0
        self._deadline = run.deadline
        self._costs: Costs | None = None
        self._budget = Budget()
        self._solver: Any = None
        survivors = _survivors(problem, target, run)
        self._refuted = survivors is None
        if survivors is None:
            return
        host = _host(problem, manner, run)
        self._pool, sink = host.pool() if host else VarPool(), ClauseSink(run.deadline)
        self._digits = host.digits(survivors) if host else _encoded(problem, survivors, manner, self._pool, sink)
        self._literals = self._digits.literals
        puzzle = problem.puzzle
        weights = problem.objective.of_cells(puzzle.board)
        self._worth = by_variable(self._literals, np.multiply.outer(weights, puzzle.board.digits))
        self._costs = self._costs_of(problem)
        if self._costs is not None:
            slack = self._costs.slack(target)
            self._budget = self._costs.budget(slack, manner.levels, survivors, self._pool, sink)
        formula = sink.formula(self._pool)
        run.effort.enter(Phase.LOAD)
        if host:
            self._solver = host.guest(survivors, formula)
        else:
            self._solver = self._loaded(formula, problem, manner)
        self._turn = MOST_CONFLICTS if can_be_interrupted(self._solver) else FIRST_CONFLICTS
        self._solver.append_formula(self._digits.clauses_against(run.excluding))
        self._try_first(problem.likely)

    def ask(self, conflicts: int, refusals: float = inf) -> Answer:
        """Search on for about so many conflicts, until so many solutions were refused, or until the run's deadline."""
        spent, refusals = 0, self.refusals + refusals
        before = 0 if self._refuted else self._solver.accum_stats()["conflicts"]
        while not self._refuted and spent < conflicts and not self._deadline.expired:
            assumed = self._assumptions()
            satisfiable = limited(self._solver, assumed, min(conflicts - spent, self._turn), self._deadline)
            after = self._solver.accum_stats()["conflicts"]
            used, before = max(after - before, 1), after
            spent += used
            self.conflicts += used
            if satisfiable is False:
                self._refuted = self._was_whole()
                continue
            self._spend(used)
            if satisfiable:
                # a model has the variables in their order, and a grid takes longer to make than to score
                chosen = [literal for literal in self._solver.get_model()[: len(self._worth) - 1] if literal > 0]
                score = sum(map(self._worth.__getitem__, chosen))
                if self.best is None or score > self._best_score:
                    self.best, self._best_score = self._digits.decode(chosen), score
                if score >= self.target:
                    return Answer.FOUND
                self._refuse(chosen)
                if self.refusals >= refusals:
                    break
        return Answer.REFUTED if self._refuted else Answer.OPEN

    def exclude(self, grid: Grid) -> None:
        """A solution that does not count from now on."""
        self.best = None
        self._solver.append_formula(self._digits.clauses_against((grid,)))

    def raise_target(self, target: int) -> bool:
        """Ask for more from now on; False when the budget is too coarse by now, or no prices tell scores.

        What it adds holds for good, so that the solver can simplify what it has: with assumptions instead, as in
        `Descent`, best scores of puzzles with a few killer cages took a fifth longer.
        """
        self.target = target
        if self._refuted:
            return True
        if self._costs is None:
            return False
        slack = self._costs.slack(target)
        if slack < 0:
            self._refuted = True
            return True
        for clause in self._costs.clauses(slack):
            self._solver.add_clause(clause)
        for variable in self._budget.beyond(slack):
            self._solver.add_clause([-variable])
        return not self._budget.is_coarse(slack)

    def learn(self, problem: Problem) -> None:
        """Go on with other prices and another fractional solution; for a question without a budget."""
        if self._solver is not None:
            self._costs = self._costs_of(problem)
            self._try_first(problem.likely)
            self.raise_target(self.target)

    def close(self) -> None:
        if self._solver is not None:
            self._solver.delete()
            self._solver = None

    def _loaded(self, formula: Cnf, problem: Problem, manner: Manner) -> Any:
        """A solver of its own."""
        # a budget, or other rules than houses, take longer with these
        plain = not manner.levels and not problem.puzzle.ruleset.rest
        settings = steady(manner.solver_name, formula) if plain else None
        return loaded(manner.solver_name, formula, self._deadline, settings)

    def _costs_of(self, problem: Problem) -> Costs | None:
        return None if problem.prices is None else Costs(problem.prices, problem.puzzle, self._literals)

    def _assumptions(self) -> Sequence[int]:
        """What the next call of the solver assumes."""
        return ()

    def _was_whole(self) -> bool:
        """Whether what the solver has just refuted is the whole question."""
        return True

    def _spend(self, conflicts: int) -> None:
        """The last call took so many conflicts and refuted nothing."""

    def _forbid(self, clause: Sequence[int]) -> None:
        """Add a clause against solutions that score less than the target."""
        self._solver.add_clause(clause)

    def _refuse(self, chosen: Sequence[int]) -> None:
        """Forbid the costs of a solution that slipped through; where they are within the slack, its grid alone."""
        self.refusals += 1
        assert self._costs is not None, "without prices every solution reaches the target"
        clause = self._costs.clause_against(chosen, self._costs.slack(self.target))
        clauses = self._digits.clauses_against((self._digits.decode(chosen),)) if clause is None else (clause,)
        for each in clauses:
            self._forbid(each)

    def _try_first(self, likely: Floats) -> None:
        """Let the solver first try what the fractional solution favours."""
        there = self._literals > 0
        variables = self._literals[there]
        self._solver.set_phases(np.where(likely[there] > 0.5, variables, -variables).tolist())


class Descent(Question):
    """A question whose target moves up and down, from the one that its formula is made for. `aim` comes first.

    What a target demands is assumed, so that all that was learned stays valid for others: that costs are within its
    budget, and its guard, a variable that clauses have which hold from this target up.
    """

    def __init__(self, problem: Problem, target: int, manner: Manner, run: Run) -> None:
        self._lowest = target
        self._guards: dict[int, int] = {}
        self._assumed: tuple[int, ...] = ()
        super().__init__(problem, target, manner, run)

    def aim(self, target: int) -> bool:
        """Ask for another score in the same solver, higher or lower; False for less than the formula was made for."""
        if target < self._lowest:
            return False
        self.target = target
        if self._solver is None:
            return True
        assert self._costs is not None, "without prices there is no budget"
        self._refuted = False
        if target not in self._guards:
            (self._guards[target],) = self._pool.reserve(1)
        # what is worth too little for a target is so for higher ones too
        guards = [guard for other, guard in self._guards.items() if other <= target]
        # the least total beyond the budget is implied by all others
        beyond = self._budget.beyond(self._costs.slack(target))[:1]
        self._assumed = (*guards, *(-variable for variable in beyond))
        return True

    def _assumptions(self) -> Sequence[int]:
        return self._assumed

    def _forbid(self, clause: Sequence[int]) -> None:
        super()._forbid([-self._guards[self.target], *clause])


def _survivors(problem: Problem, target: int, run: Run) -> Candidates | None:
    """The candidates that a solution which scores at least `target` may use; None where there is no such solution."""
    if problem.prices is None:
        return problem.candidates
    left = problem.prices.survivors(problem.candidates, target)
    if (left == problem.candidates).all():
        # they are propagated already
        return problem.candidates
    return propagate(problem.puzzle, left, run.deadline)


def _host(problem: Problem, manner: Manner, run: Run) -> QuestionHost | None:
    # a budget beside other rules than houses takes long, as does a symmetric formula
    if manner.hosts is None or manner.repeated is not None or (manner.levels and problem.puzzle.ruleset.rest):
        return None
    return manner.hosts.find(manner.solver_name, problem.puzzle, problem.candidates, run.deadline)


def _encoded(problem: Problem, survivors: Candidates, manner: Manner, pool: VarPool, sink: ClauseSink) -> DigitLiterals:
    """The candidates and the rules in a formula of their own."""
    most = MOST_PAIRS * (1 if manner.repeated is None else 2)
    options = EncodingOptions(at_most_one=at_most_one_for(survivors, most))
    known = nothing_known(problem.puzzle.board)
    return encode_candidates(problem.puzzle, survivors, known, options, pool, sink, manner.repeated)
