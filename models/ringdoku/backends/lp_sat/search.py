"""The state of an optimisation between turns, and the ways that take turns on it. It maximises.

1. The linear program gives prices, exact prices a bound (`ringdoku.duality`).
2. The question from above: is the bound reached (`question`)? Mostly it is, and the work is done. Where the puzzle is
   symmetric, a symmetric solution is asked for first, which is far easier to find. Refuted: the bound falls, and the
   next target is 1, 2, 4, … steps lower, but at most half-way to what is known.
3. The question from below: more than the best so far. Its first form is "any solution", its refutation is the proof.
   Nearly determined puzzles end here.
4. CP-SAT on what survives, given the bound and the best grid: strong where the gap is large.

Whoever has no answer within its conflicts, or its share of time, waits for the next round, and budgets double from
round to round: no way starves another, and the total is within a constant of what the best of them takes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from ringdoku.backends.base import Deadline, Progress, Run
from ringdoku.backends.lp_sat.question import Answer, Question
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Candidates, incidence
from ringdoku.duality.linear_program import LpStatus
from ringdoku.duality.reachable import reachable_scores
from ringdoku.duality.relaxation import relax
from ringdoku.duality.symmetry import half_turn
from ringdoku.lowering.propagation import propagate

FIRST_CONFLICTS = 2000
SOLVERS = ("glucose4", "minisat22")
LARGE = 10_000
"""Candidates. From here on only MiniSat's restarts and phases were seen to find the solutions of blank grids."""
LARGE_SOLVERS = ("minisat22", "glucose4")
CANDIDATES_A_ROUND = 8000
"""Questions about nearly all candidates of a large grid wait until a round is worth building them."""
CPSAT_FROM_SECONDS = 2.0
"""Rounds shorter than this do not pay for loading CP-SAT."""
CPSAT_SHARE = 0.3
CPSAT_MOST_CANDIDATES = 8000
SYMMETRIC_SHARE = 8
"""Symmetric solutions are so much easier to find that the question for them gets so many times the conflicts."""
NEAR = 16
"""Steps between bound and best from which on only the question from below is asked."""
MANY_REFUSALS = 30
MOST_LEVELS = 200


@dataclass
class Search:
    """`candidates` are what propagation left of the puzzle; `objective` maximises."""

    puzzle: Puzzle
    objective: Objective
    candidates: Candidates
    run: Run
    best: Grid | None = None
    lower: int | None = None
    infeasible: bool = False
    statistics: dict[str, int | float] = field(default_factory=lambda: {"questions": 0, "conflicts": 0})

    def __post_init__(self) -> None:
        self._start = time.monotonic()
        weights = np.array(self.objective.weights, dtype=np.int64)
        relaxation = relax(incidence(self.puzzle), self.candidates, weights, time_limit=self.run.deadline.remaining())
        self.prices = relaxation.prices
        self._fractional = relaxation.status is not LpStatus.INFEASIBLE
        self._likely = relaxation.values
        self._reachable = reachable_scores(self.puzzle.order, self.candidates, weights)
        known = self.prices.best_score if self.run.bound is None else min(self.run.bound, self.prices.best_score)
        self.upper = self._reachable.at_most(known)
        self._size = int(np.count_nonzero(self.candidates))
        self._repeated = half_turn(self.puzzle.geometry, self.candidates, weights)
        self._stride = self._reachable.step
        self._above: dict[str, Question] = {}
        self._below: Question | None = None
        self._symmetric: Question | None = None
        self._levels_above = 8
        # nearly determined puzzles need no budget, and it would slow them down
        self._levels_below = 0
        self._tell()

    @property
    def finished(self) -> bool:
        """Proved, one way or the other."""
        return self.infeasible or (self.lower is not None and self.lower >= self.upper)

    def take_turns(self) -> None:
        """Until the proof or the deadline."""
        conflicts, round_number = FIRST_CONFLICTS, 0
        solvers = LARGE_SOLVERS if self._size > LARGE else SOLVERS
        try:
            while not self._over:
                start = time.monotonic()
                worth_building = self._size <= CANDIDATES_A_ROUND * 2**round_number
                if self._repeated is not None:
                    self._ask_for_symmetric(conflicts * SYMMETRIC_SHARE)
                near = self.lower is not None and self.upper - self.lower <= NEAR * self._reachable.step
                if near:
                    self._forget_above()
                elif self._fractional and (worth_building or self._repeated is None):
                    self._ask_from_above(conflicts, solvers[round_number % len(solvers)])
                if worth_building:
                    self._ask_from_below(conflicts, solvers[(round_number + 1) % len(solvers)])
                spent = time.monotonic() - start
                if spent > CPSAT_FROM_SECONDS and self._size <= CPSAT_MOST_CANDIDATES:
                    self._ask_cpsat(spent * CPSAT_SHARE)
                conflicts *= 2
                round_number += 1
        finally:
            self._forget_above()
            for question in (self._below, self._symmetric):
                if question is not None:
                    question.close()

    @property
    def _over(self) -> bool:
        return self.finished or self.run.deadline.expired

    def _ask_for_symmetric(self, conflicts: int) -> None:
        """Whether a solution that a half turn leaves as it is reaches the bound; given up where none does."""
        if self._over:
            return
        if self._symmetric is None or self._symmetric.target != self.upper:
            self._symmetric = self._renewed(self._symmetric, self.upper, LARGE_SOLVERS[0], 0, symmetric=True)
        answer = self._ask(self._symmetric, conflicts)
        if answer is Answer.REFUTED or self._symmetric.refusals > MANY_REFUSALS:
            self._symmetric.close()
            self._symmetric = self._repeated = None

    def _ask_from_above(self, conflicts: int, solver_name: str) -> None:
        """Questions from the bound downwards, until one stays open or finds a solution that settles it."""
        while not self._over:
            target = self._target_above()
            if any(question.target != target for question in self._above.values()):
                self._forget_above()
            if solver_name not in self._above:
                self._above[solver_name] = self._renewed(None, target, solver_name, self._levels_above)
            question = self._above[solver_name]
            answer = self._ask(question, conflicts)
            if answer is Answer.REFUTED and target <= self._least_wanted():
                self._nothing_better()
            elif answer is Answer.REFUTED:
                self._lower_bound_to(target - self._reachable.step)
                self._stride *= 2
                self._levels_above = max(self._levels_above, 24)
            elif answer is Answer.OPEN:
                if question.refusals <= MANY_REFUSALS or self._levels_above >= MOST_LEVELS:
                    return
                self._levels_above *= 2
                self._forget_above()

    def _forget_above(self) -> None:
        for question in self._above.values():
            question.close()
        self._above.clear()

    def _ask_from_below(self, conflicts: int, solver_name: str) -> None:
        """More than the best, step by step, until refuted or open."""
        while not self._over:
            target = self._least_wanted()
            if any(question.target <= target for question in self._above.values()):
                return
            below = self._below
            if below is None or not (below.target == target or (below.target < target and below.raise_target(target))):
                below = self._below = self._renewed(below, target, solver_name, self._levels_below)
            answer = self._ask(below, conflicts)
            if answer is Answer.REFUTED:
                self._nothing_better()
            elif answer is Answer.OPEN:
                if below.refusals <= MANY_REFUSALS or self._levels_below >= MOST_LEVELS:
                    return
                self._levels_below = max(24, 2 * self._levels_below)
                below.close()
                self._below = None

    def _ask_cpsat(self, seconds: float) -> None:
        """The complete way on what survives, for so long."""
        if self._over:
            return
        # 0.3 s to load, so only where it pays
        from ringdoku.backends.cpsat import CpSatSearch
        from ringdoku.lowering.cpsat_boolean import lower_to_boolean_cpsat

        start = time.monotonic()
        least = self._least_wanted()
        survivors = propagate(self.puzzle, self.prices.survivors(self.candidates, least))
        if survivors is None:
            self._nothing_better()
            return
        lowered = lower_to_boolean_cpsat(self.puzzle, self.objective, survivors)
        lowered.exclude(self.run.excluding)
        lowered.between(least if self.lower is not None else None, self.upper)
        if self.best is not None:
            lowered.suggest(self.best)
        remaining = self.run.deadline.remaining()
        limit = Deadline(seconds if remaining is None else min(seconds, remaining))
        search = CpSatSearch(lowered, Run(limit, self.run.seed), start)
        for event in search.events():
            if isinstance(event, Grid):
                self._offer(event)
        if search.complete:
            self._nothing_better()

    def _renewed(
        self, old: Question | None, target: int, solver_name: str, levels: int, symmetric: bool = False
    ) -> Question:
        if old is not None:
            old.close()
        self.statistics["questions"] += 1
        return Question(
            self.puzzle,
            self.objective,
            self.candidates,
            self.prices if self._fractional else None,
            target,
            solver_name,
            self._likely,
            levels,
            self._repeated if symmetric else None,
            self.run.excluding,
        )

    def _ask(self, question: Question, conflicts: int) -> Answer:
        before = question.conflicts
        answer = question.ask(conflicts, self.run.deadline)
        self.statistics["conflicts"] += question.conflicts - before
        if question.best is not None:
            self._offer(question.best)
        return answer

    def _target_above(self) -> int:
        """From the bound down by the stride, but at most half the way to what is known."""
        step = self._reachable.step
        if self.lower is None:
            return max(self._reachable.at_most(self.upper - (self._stride - step)), self._least_wanted())
        target = self.upper - min(self._stride - step, (self.upper - self.lower) // 2)
        return self._reachable.at_most(max(target, self.lower + step))

    def _least_wanted(self) -> int:
        """A step more than the best; without a solution a target that every one reaches."""
        if self.lower is not None:
            return self.lower + self._reachable.step
        return self._reachable.at_most(-self.puzzle.order * sum(map(abs, self.objective.weights)))

    def _nothing_better(self) -> None:
        if self.lower is None:
            self.infeasible = True
        else:
            self._lower_bound_to(self.lower)

    def _offer(self, grid: Grid) -> None:
        score = self.objective.score(grid)
        if self.lower is None or score > self.lower:
            self.lower, self.best = score, grid
            self._tell()

    def _lower_bound_to(self, bound: int) -> None:
        bound = self._reachable.at_most(bound)
        if bound < self.upper:
            self.upper = bound
            self._tell()

    def _tell(self) -> None:
        if self.run.on_progress is not None:
            self.run.on_progress(Progress(time.monotonic() - self._start, self.lower, self.upper))
