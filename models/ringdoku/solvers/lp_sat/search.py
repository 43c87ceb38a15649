"""The ways to best scores, and how they take turns. It maximises.

1. The linear program gives prices, exact prices a bound (`ringdoku.duality`).
2. The questions from above (`above`): is the bound reached? Mostly it is, and the work is done. Where the puzzle is
   symmetric, a symmetric solution is asked for first, which is far easier to find.
3. The question from below (`below`): more than the best so far. Nearly determined puzzles end here.
4. CP-SAT on what survives (`cpsat`), given the bound and the best grid: strong where the gap is large.

On large blank puzzles a grid to start from comes from `pattern`.

Whoever has no answer within its conflicts waits for the next round, and budgets double from round to round: no way
starves another, and the total is within a constant of what the best of them takes. Nothing but the time limit looks at
a clock, so that a seed gives the same search on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TypeVar

import numpy as np

from ringdoku.deduction.propagation import Candidates
from ringdoku.domain.checker import check
from ringdoku.domain.errors import DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import incidence
from ringdoku.duality.linear_program import LpStatus
from ringdoku.duality.prices import exact_prices
from ringdoku.duality.projection import projected
from ringdoku.duality.reachable import reachable_scores
from ringdoku.duality.relaxation import ROUGH_TOLERANCE, TOLERANCE, Relaxation, relax
from ringdoku.duality.symmetry import half_turn
from ringdoku.solvers.base import Phase, Run
from ringdoku.solvers.lp_sat.above import FINE, MANY_REFUSALS, SOLVERS, Above
from ringdoku.solvers.lp_sat.below import FEW_CANDIDATES, Below
from ringdoku.solvers.lp_sat.cpsat import ask_cpsat
from ringdoku.solvers.lp_sat.host import Hosts
from ringdoku.solvers.lp_sat.knowledge import Knowledge, Tell
from ringdoku.solvers.lp_sat.pattern import pattern_grid
from ringdoku.solvers.lp_sat.question import Answer, Manner, Problem, Question
from ringdoku.solvers.registry import LARGEST_LIVE_ORDER, QUICK_ORDER

FIRST_CONFLICTS = 2000
LARGE = 10_000
"""Candidates. From here on only MiniSat's restarts and phases were seen to find the solutions of blank grids."""
LARGE_SOLVERS = ("minisat22", "glucose4")
PLAIN_SOLVER = "cadical195"
"""Without a budget: above 16×16 for nearly determined puzzles, and with other rules than houses."""
PLAIN_SHARE = 4
"""It gets so many times the conflicts of the others."""
SHARE_OF_FEW = 16
"""So many times with up to `FEW_CANDIDATES`, where other ways are hardly ever the first: then no puzzle takes much more
than a quarter longer than with it alone."""
DETERMINED_CANDIDATES = 8000
"""Above 16×16, puzzles with so few may have but a few solutions."""
CANDIDATES_A_ROUND = 8000
"""Questions about nearly all candidates of a large grid wait until a round is worth building them."""
CONFLICTS_OF_RULES = 600
"""Before the linear program, which takes as long."""
SHARE_OF_RULES = 4
"""With other rules than houses, the question from below gets so many times the conflicts of the others."""
SYMMETRIC_SHARE = 8
"""Symmetric solutions are so much easier to find that the question for them gets so many times the conflicts."""
NEAR = 16
"""Steps between bound and best from which on only the question from below is asked, unless a descent has begun."""
BELOW_MOST_CANDIDATES = 30_000
"""Above this, asking for a little more than the best keeps all candidates and leads nowhere."""
OTHERS_FROM_CONFLICTS = 32_000
"""In shorter rounds the descent gets all, once there is a solution."""


Q = TypeVar("Q", bound=Question)


@dataclass
class Search:
    """`candidates` are what propagation left of the puzzle; `objective` maximises. `known` is what comes out."""

    puzzle: Puzzle
    objective: Objective
    candidates: Candidates
    run: Run
    tell: Tell
    statistics: dict[str, int | float] = field(default_factory=lambda: {"questions": 0, "conflicts": 0})
    relaxation: Relaxation | None = None
    hosts: Hosts = field(default_factory=Hosts)

    def __post_init__(self) -> None:
        board, units = self.puzzle.board, incidence(self.puzzle)
        self._weights = weights = np.array(self.objective.of_cells(board), dtype=np.int64)
        reachable = reachable_scores(units, self.candidates, weights)
        # without a linear program, so that something is known while that takes its time
        unit_prices = np.zeros((len(units.units), units.order))
        if self.puzzle.ruleset.rest:
            multipliers = projected(self.puzzle, self.objective).multipliers
            unit_prices = np.array(multipliers, dtype=np.float64)[:, None] * units.digits
        self.prices = exact_prices(units, self.candidates, weights, unit_prices)
        upper = self.prices.best_score
        if self.run.bound is not None:
            upper = min(self.run.bound, upper)
        largest, exchange = max(map(abs, board.digits)), self.run.exchange
        self.known = Knowledge(self.objective, largest, reachable, upper, self.tell, exchange=exchange)
        if exchange is not None:
            # each look at the deadline takes what others found, and none of it is found twice
            self.run = replace(self.run, deadline=self.run.deadline.unless(self.known.hear))
        self.size = int(np.count_nonzero(self.candidates))
        if self.size > LARGE and self.puzzle.ruleset.classic_box and self.candidates.all() and not self.run.excluding:
            grid = pattern_grid(self.puzzle.ruleset, self.objective, self.run.seed, self.run.deadline)
            if violations := check(self.puzzle, grid):
                raise DisagreementError(f"the pattern grid is no solution: {violations[0]}")
            self.known.offer(grid)
        self._fractional = True
        self._likely = (self.prices.reduced_costs == 0).astype(np.float64)
        self._repeated = half_turn(self.puzzle.ruleset, self.candidates, weights)
        self._symmetric: Question | None = None
        # other rules have bounds that are seldom reached, the rest has hosts, or too large budgets, or needs none
        rest, order = self.puzzle.ruleset.rest, self.puzzle.order
        fewest = FEW_CANDIDATES if order > LARGEST_LIVE_ORDER else 0
        may_descend = not rest and order > QUICK_ORDER and fewest < self.size <= LARGE
        self.above = Above(self, int(np.ptp(weights)), may_descend)
        self._plain, self._near = Below(self), Below(self, FINE)

    def _relax(self) -> None:
        """Prices from the linear program, solved once."""
        if self.relaxation is None:
            rough = self.puzzle.order <= QUICK_ORDER or self.puzzle.ruleset.rest
            tolerance = ROUGH_TOLERANCE if rough else TOLERANCE
            deadline = self.run.deadline
            self.relaxation = relax(incidence(self.puzzle), self.candidates, self._weights, deadline, tolerance)
        self.prices, self._likely = self.relaxation.prices, self.relaxation.values
        self.known.lower_bound_to(self.prices.best_score)
        self._fractional = self.relaxation.status is not LpStatus.INFEASIBLE
        self._plain.learn(self.problem)

    def climb(self, solver_name: str) -> None:
        """The question from below alone, until the proof or the deadline."""
        conflicts = FIRST_CONFLICTS
        try:
            self._begin(solver_name, positive=False)
            while not self.is_over:
                self._plain.ask(conflicts, solver_name)
                conflicts *= 2
        except TimeLimitError:
            pass
        finally:
            self._close()

    def take_turns(self) -> None:
        """Until the proof or the deadline."""
        conflicts, round_number = FIRST_CONFLICTS, 0
        rules = bool(self.puzzle.ruleset.rest)
        solvers = LARGE_SOLVERS if self.size > LARGE else SOLVERS
        # large nearly determined puzzles are proved without a budget, though bound and best are near
        stays_plain = not rules and self.puzzle.order > LARGEST_LIVE_ORDER
        plain_share = SHARE_OF_FEW if self.size <= FEW_CANDIDATES else PLAIN_SHARE
        try:
            self._begin(PLAIN_SOLVER, positive=True)
            while not self.is_over:
                worth_building = self.size <= CANDIDATES_A_ROUND * 2**round_number
                near = round_number > 0 and self.known.near(NEAR)
                wanted = worth_building and (self.known.lower is None or self.size <= BELOW_MOST_CANDIDATES)
                if rules:
                    self._plain.ask(conflicts * SHARE_OF_RULES, PLAIN_SOLVER)
                elif wanted and stays_plain and not self._plain.levels:
                    self._plain.ask(conflicts * plain_share, PLAIN_SOLVER)
                if self._repeated is not None:
                    self._ask_for_symmetric(conflicts * SYMMETRIC_SHARE)
                if near and not self.above.descends:
                    self.above.forget()
                elif self._fractional and (worth_building or self._repeated is None):
                    self._ask_from_above(conflicts, solvers[round_number % len(solvers)])
                climb = self._near if stays_plain and not self._plain.levels else self._plain
                alone = self.known.near(2 * NEAR) or (
                    self.known.lower is not None and conflicts < OTHERS_FROM_CONFLICTS
                )
                leads = self.above.descends and alone
                if not leads:
                    if near:
                        climb.levels = max(climb.levels, FINE)
                    if near or (wanted and climb is self._plain):
                        climb.ask(conflicts, solvers[(round_number + 1) % len(solvers)])
                    ask_cpsat(self, conflicts)
                conflicts *= 2
                round_number += 1
        except TimeLimitError:
            # in the middle of building a question; what is known stays
            pass
        finally:
            self._close()

    def _begin(self, solver_name: str, positive: bool) -> None:
        """What all ways rest on: the prices. Puzzles that have one solution may not need them."""
        if self.puzzle.ruleset.rest:
            # such puzzles have few solutions, and bounds that no solution reaches
            self._plain.ask(CONFLICTS_OF_RULES, PLAIN_SOLVER)
        elif self.puzzle.order > LARGEST_LIVE_ORDER and self.size <= DETERMINED_CANDIDATES:
            self._plain.ask_for_few(solver_name, positive)
        if not self.is_over:
            self._relax()

    def _close(self) -> None:
        for each in (self.above, self._plain, self._near, self._symmetric):
            if each is not None:
                each.close()
        self._symmetric = None

    def excluding(self, grids: Sequence[Grid], upper: int) -> Search:
        """The search for the best of the other solutions, none of which scores more than `upper`."""
        run = replace(self.run, excluding=tuple(grids), bound=upper)
        return replace(self, run=run, relaxation=self.relaxation)

    @property
    def problem(self) -> Problem:
        """What questions are about, with the prices as they are."""
        prices = self.prices if self._fractional else None
        return Problem(self.puzzle, self.objective, self.candidates, prices, self._likely)

    @property
    def is_shared(self) -> bool:
        """Whether another process of a race asks the same questions."""
        return self.run.exchange is not None and not self.run.excluding

    @property
    def is_over(self) -> bool:
        """Whether all is proved, or the time is up."""
        return self.known.finished or self.run.deadline.expired

    def _ask_for_symmetric(self, conflicts: int) -> None:
        """Whether a solution that a half turn leaves as it is reaches the bound; given up where none does."""
        if self.is_over:
            return
        if self._symmetric is None or self._symmetric.target != self.known.upper:
            if self._symmetric is not None:
                self._symmetric.close()
            manner = Manner(LARGE_SOLVERS[0], repeated=self._repeated)
            self._symmetric = self.asked(Question, self.known.upper, manner)
        answer = self.ask(self._symmetric, conflicts)
        if answer is Answer.REFUTED or self._symmetric.refusals > MANY_REFUSALS:
            self._symmetric.close()
            self._symmetric = self._repeated = None

    def _ask_from_above(self, conflicts: int, solver_name: str) -> None:
        self.above.ask(conflicts, solver_name)
        if self.above.descends and self.puzzle.order <= LARGEST_LIVE_ORDER:
            self._plain.levels = max(self._plain.levels, FINE)

    def question(self, target: int, solver_name: str, levels: int, excluding: Sequence[Grid]) -> Question:
        """Is there a solution with this score, besides the excluded ones?"""
        if self.relaxation is None:
            self._relax()
        manner = Manner(solver_name, levels, hosts=self.hosts)
        return self.asked(Question, target, manner, replace(self.run, excluding=tuple(excluding)))

    def asked(
        self,
        kind: Callable[[Problem, int, Manner, Run], Q],
        target: int,
        manner: Manner,
        run: Run | None = None,
    ) -> Q:
        """A new question of this kind."""
        self.statistics["questions"] += 1
        run = run or self.run
        run.effort.enter(Phase.BUILD)
        question = kind(self.problem, target, manner, run)
        run.effort.enter(Phase.SOLVE)
        return question

    def ask(self, question: Question, conflicts: int, refusals: float = inf) -> Answer:
        """As `Question.ask`; what it finds is known from then on."""
        before = question.conflicts
        answer = question.ask(conflicts, refusals)
        self.statistics["conflicts"] += question.conflicts - before
        if question.best is not None:
            self.known.offer(question.best)
            # whatever the linear program said
            self._fractional = True
        return answer
