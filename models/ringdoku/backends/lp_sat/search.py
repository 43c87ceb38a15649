"""The ways to best scores, and how they take turns. It maximises.

1. The linear program gives prices, exact prices a bound (`ringdoku.duality`).
2. The questions from above (`above`): is the bound reached? Mostly it is, and the work is done. Where the puzzle is
   symmetric, a symmetric solution is asked for first, which is far easier to find.
3. The question from below: more than the best so far. Its first form is "any solution", its refutation is the proof.
   Nearly determined puzzles end here.
4. CP-SAT on what survives, given the bound and the best grid: strong where the gap is large.

On large blank puzzles a grid to start from comes from `pattern`.

Whoever has no answer within its conflicts waits for the next round, and budgets double from round to round: no way
starves another, and the total is within a constant of what the best of them takes. Nothing but the time limit looks at
a clock, so that a seed gives the same search on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np

from ringdoku.backends.base import Phase, Run
from ringdoku.backends.lp_sat.above import FINE, MANY_REFUSALS, MOST_LEVELS, SOLVERS, Above
from ringdoku.backends.lp_sat.host import Hosts
from ringdoku.backends.lp_sat.knowledge import Knowledge, Tell
from ringdoku.backends.lp_sat.pattern import pattern_grid
from ringdoku.backends.lp_sat.question import Answer, Question
from ringdoku.backends.registry import LARGEST_LIVE_ORDER, QUICK_ORDER
from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.checker import check
from ringdoku.domain.errors import DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Ints, incidence
from ringdoku.duality.linear_program import LpStatus
from ringdoku.duality.prices import exact_prices
from ringdoku.duality.projection import projected
from ringdoku.duality.reachable import reachable_scores
from ringdoku.duality.relaxation import ROUGH_TOLERANCE, TOLERANCE, Relaxation, relax
from ringdoku.duality.symmetry import half_turn

FIRST_CONFLICTS = 2000
LARGE = 10_000
"""Candidates. From here on only MiniSat's restarts and phases were seen to find the solutions of blank grids."""
LARGE_SOLVERS = ("minisat22", "glucose4")
PLAIN_SOLVER = "cadical195"
"""Above 16×16, for any solution of nearly determined puzzles, and for the proof that there are no others."""
PLAIN_SHARE = 4
"""It gets so many times the conflicts of the others."""
FEW_CANDIDATES = 3000
"""With up to so many the puzzle is nearly determined, and other ways are hardly ever the first."""
SHARE_OF_FEW = 16
"""Then so many times, so that no puzzle takes much more than a quarter longer than with it alone."""
DETERMINED_CANDIDATES = 8000
"""Above 16×16, puzzles with so few may have but a few solutions."""
CONFLICTS_FOR_FEW = 10_000
"""To find them takes as long as the linear program."""
FEW = 10
CANDIDATES_A_ROUND = 8000
"""Questions about nearly all candidates of a large grid wait until a round is worth building them."""
CPSAT_FROM_CONFLICTS = 8000
"""Shorter rounds do not pay for loading CP-SAT."""
CPSAT_SHARE_OF_HOUSES = 8
"""On boards with more houses than the classic ones it gets so many times the work: it proves the best score of the
blank 9×9 with diagonals in 2 s, for which the questions take a minute."""
CONFLICTS_A_UNIT = 10_000
"""Its share of a round, in its own units of work, which take about a second each."""
CONFLICTS_OF_RULES = 600
"""Before the linear program, which takes as long."""
SOLVER_OF_RULES = "cadical195"
SHARE_OF_RULES = 4
"""With other rules than houses, the question from below gets so many times the conflicts of the others."""
CPSAT_MOST_CANDIDATES = 8000
SYMMETRIC_SHARE = 8
"""Symmetric solutions are so much easier to find that the question for them gets so many times the conflicts."""
NEAR = 16
"""Steps between bound and best from which on only the question from below is asked, unless a descent has begun."""
BELOW_MOST_CANDIDATES = 30_000
"""Above this, asking for a little more than the best keeps all candidates and leads nowhere."""
MANY_REFUSALS_OF_RULES = 300
"""In place of `MANY_REFUSALS` with other rules than houses, whose formulas take longer to make."""
MANY_REFUSALS_OF_PLAIN = 300
"""Then a puzzle is not nearly determined, and a step to the next better solution takes seconds."""
OTHERS_FROM_CONFLICTS = 32_000
"""In shorter rounds the descent gets all, once there is a solution."""


@dataclass
class _Climb:
    """A question from below, and how finely its budget is written: 0 for no budget."""

    levels: int
    question: Question | None = None


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
        # cells outside the grid weigh nothing
        self._weights = weights = np.zeros(board.cell_count, dtype=np.int64)
        weights[: board.grid_count] = self.objective.weights
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
        self._size = int(np.count_nonzero(self.candidates))
        if self._size > LARGE and self.puzzle.ruleset.classic_box and self.candidates.all() and not self.run.excluding:
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
        may_descend = not rest and order > QUICK_ORDER and fewest < self._size <= LARGE
        self._above = Above(self, int(np.ptp(weights)), may_descend)
        # nearly determined puzzles need no budget, and it would slow them down
        self._plain, self._near = _Climb(0), _Climb(FINE)

    @property
    def _many_refusals(self) -> float:
        """So many solutions slipped through that a finer budget is worth a new formula."""
        if not self.puzzle.ruleset.rest:
            return MANY_REFUSALS
        return MANY_REFUSALS_OF_RULES if self.relaxation else inf

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
        if self._plain.question is not None:
            self._plain.question.learn(self.prices, self._likely)

    def climb(self, solver_name: str) -> None:
        """The question from below alone, until the proof or the deadline."""
        conflicts = FIRST_CONFLICTS
        try:
            self._begin(solver_name)
            while not self.is_over:
                self._ask_from_below(self._plain, conflicts, solver_name)
                conflicts *= 2
        except TimeLimitError:
            pass
        finally:
            self._close()

    def take_turns(self) -> None:
        """Until the proof or the deadline."""
        conflicts, round_number = FIRST_CONFLICTS, 0
        rules = bool(self.puzzle.ruleset.rest)
        solvers = LARGE_SOLVERS if self._size > LARGE else SOLVERS
        # large nearly determined puzzles are proved without a budget, though bound and best are near
        stays_plain = not rules and self.puzzle.order > LARGEST_LIVE_ORDER
        plain_share = SHARE_OF_FEW if self._size <= FEW_CANDIDATES else PLAIN_SHARE
        try:
            self._begin(PLAIN_SOLVER)
            while not self.is_over:
                worth_building = self._size <= CANDIDATES_A_ROUND * 2**round_number
                near = round_number > 0 and self.known.near(NEAR)
                wanted = worth_building and (self.known.lower is None or self._size <= BELOW_MOST_CANDIDATES)
                if rules:
                    self._ask_from_below(self._plain, conflicts * SHARE_OF_RULES, SOLVER_OF_RULES)
                elif wanted and stays_plain and not self._plain.levels:
                    self._ask_from_below(self._plain, conflicts * plain_share, PLAIN_SOLVER)
                if self._repeated is not None:
                    self._ask_for_symmetric(conflicts * SYMMETRIC_SHARE)
                if near and not self._above.descends:
                    self._above.forget()
                elif self._fractional and (worth_building or self._repeated is None):
                    self._ask_from_above(conflicts, solvers[round_number % len(solvers)])
                climb = self._near if stays_plain and not self._plain.levels else self._plain
                alone = self.known.near(2 * NEAR) or (
                    self.known.lower is not None and conflicts < OTHERS_FROM_CONFLICTS
                )
                leads = self._above.descends and alone
                if not leads and (near or (wanted and climb is self._plain)):
                    climb.levels = max(climb.levels, FINE) if near else climb.levels
                    self._ask_from_below(climb, conflicts, solvers[(round_number + 1) % len(solvers)])
                if conflicts >= CPSAT_FROM_CONFLICTS and self._size <= CPSAT_MOST_CANDIDATES and not leads:
                    self._ask_cpsat(conflicts / CONFLICTS_A_UNIT)
                conflicts *= 2
                round_number += 1
        except TimeLimitError:
            # in the middle of building a question; what is known stays
            pass
        finally:
            self._close()

    def _begin(self, solver_name: str) -> None:
        """What all ways rest on: the prices. Puzzles that have one solution may not need them."""
        if self.puzzle.ruleset.rest:
            # such puzzles have few solutions, and bounds that no solution reaches
            self._ask_from_below(self._plain, CONFLICTS_OF_RULES, SOLVER_OF_RULES)
        elif self.puzzle.order > LARGEST_LIVE_ORDER and self._size <= DETERMINED_CANDIDATES:
            self._ask_for_few(solver_name)
        if not self.is_over:
            self._relax()

    def _ask_for_few(self, solver_name: str) -> None:
        """Whether there are but a few solutions, and which of them is best."""
        # another process of a race asks the same
        shared = self.known if self.run.exchange is not None and not self.run.excluding else None
        question = self.asked(self.known.least_wanted, solver_name, 0, self.run, None, shared)
        self._plain.question = question
        spent, solutions = 0, 0
        while not self.is_over and spent < CONFLICTS_FOR_FEW and solutions + question.refusals <= FEW:
            answer = self.ask(question, FIRST_CONFLICTS)
            spent += FIRST_CONFLICTS
            if answer is Answer.FOUND:
                solutions += 1
                question.raise_target(self.known.least_wanted)
            elif answer is Answer.REFUTED:
                self.known.nothing_better()

    def _close(self) -> None:
        self._above.close()
        for question in (self._plain.question, self._near.question, self._symmetric):
            if question is not None:
                question.close()
        self._plain.question = self._near.question = self._symmetric = None

    def excluding(self, grids: Sequence[Grid], upper: int) -> Search:
        """The search for the best of the other solutions, none of which scores more than `upper`."""
        run = replace(self.run, excluding=tuple(grids), bound=upper)
        return replace(self, run=run, relaxation=self.relaxation)

    def question(self, target: int, solver_name: str, levels: int, excluding: Sequence[Grid]) -> Question:
        """Is there a solution with this score, besides the excluded ones?"""
        if self.relaxation is None:
            self._relax()
        return self.asked(target, solver_name, levels, replace(self.run, excluding=tuple(excluding)), None)

    @property
    def is_over(self) -> bool:
        """Whether all is proved, or the time is up."""
        return self.known.finished or self.run.deadline.expired

    def _ask_for_symmetric(self, conflicts: int) -> None:
        """Whether a solution that a half turn leaves as it is reaches the bound; given up where none does."""
        if self.is_over:
            return
        if self._symmetric is None or self._symmetric.target != self.known.upper:
            self._symmetric = self._renewed(self._symmetric, self.known.upper, LARGE_SOLVERS[0], 0, symmetric=True)
        answer = self.ask(self._symmetric, conflicts)
        if answer is Answer.REFUTED or self._symmetric.refusals > MANY_REFUSALS:
            self._symmetric.close()
            self._symmetric = self._repeated = None

    def _ask_from_above(self, conflicts: int, solver_name: str) -> None:
        self._above.ask(conflicts, solver_name)
        if self._above.descends and self.puzzle.order <= LARGEST_LIVE_ORDER:
            self._plain.levels = max(self._plain.levels, FINE)

    def _ask_from_below(self, climb: _Climb, conflicts: int, solver_name: str) -> None:
        """More than the best, step by step, until refuted or open, or until a plain question lets too many through."""
        plain = solver_name == PLAIN_SOLVER and not self.puzzle.ruleset.rest
        while not self.is_over:
            target = self.known.least_wanted
            if self._above.asks_for(target):
                return
            below = climb.question
            if below is None or not (below.target == target or (below.target < target and below.raise_target(target))):
                below = climb.question = self._renewed(below, target, solver_name, climb.levels)
            # nearly determined puzzles may have few more solutions
            at_most = MANY_REFUSALS_OF_PLAIN + 1 if plain and self._size > FEW_CANDIDATES else inf
            answer = self.ask(below, conflicts, at_most)
            if answer is Answer.REFUTED:
                self.known.nothing_better()
            elif answer is Answer.OPEN or (plain and below.refusals > MANY_REFUSALS_OF_PLAIN):
                if below.refusals <= self._many_refusals or climb.levels >= MOST_LEVELS:
                    return
                climb.levels = max(FINE, 2 * climb.levels)
                below.close()
                climb.question = None
                if solver_name == PLAIN_SOLVER:
                    # it is slower than others with a budget
                    return

    def _ask_cpsat(self, units: float) -> None:
        """The complete way on what survives, for so much work."""
        if self.is_over:
            return
        # 0.3 s to load, so only where it pays
        from ringdoku.backends.cpsat import CpSatSearch
        from ringdoku.lowering.cpsat_boolean import lower_to_boolean_cpsat

        least = self.known.least_wanted
        self.run.effort.enter(Phase.BUILD)
        survivors = propagate(self.puzzle, self.prices.survivors(self.candidates, least), self.run.deadline)
        if survivors is None:
            self.run.effort.enter(Phase.SOLVE)
            self.known.nothing_better()
            return
        ruleset = self.puzzle.ruleset
        if not ruleset.classic_box and not ruleset.rest:
            # only houses: the wish for a better score misleads it, its own way down from the bound is faster
            lowered = lower_to_boolean_cpsat(self.puzzle, self.objective, self.candidates)
            lowered.between(None, self.known.upper)
            units *= CPSAT_SHARE_OF_HOUSES
        else:
            lowered = lower_to_boolean_cpsat(self.puzzle, self.objective, survivors)
            lowered.between(None if self.known.lower is None else least, self.known.upper)
            if self.known.best is not None:
                lowered.suggest(self.known.best)
        lowered.exclude(self.run.excluding)
        search = CpSatSearch(lowered, Run(self.run.deadline, self.run.seed))
        search.solver.parameters.max_deterministic_time = units
        self.run.effort.enter(Phase.SOLVE)
        for event in search.events():
            if isinstance(event, Grid):
                self.known.offer(event)
        if search.complete:
            self.known.nothing_better()

    def _renewed(
        self, old: Question | None, target: int, solver_name: str, levels: int, symmetric: bool = False
    ) -> Question:
        if old is not None:
            old.close()
        return self.asked(target, solver_name, levels, self.run, self._repeated if symmetric else None)

    def asked(
        self,
        target: int,
        solver_name: str,
        levels: int,
        run: Run,
        repeated: Ints | None,
        shared: Knowledge | None = None,
    ) -> Question:
        """A new question, with the prices as they are; `Question` says what its arguments mean."""
        self.statistics["questions"] += 1
        prices = self.prices if self._fractional else None
        run.effort.enter(Phase.BUILD)
        host = None
        # a budget beside other rules than houses takes long, as does a symmetric formula
        if shared is None and repeated is None and not (levels and self.puzzle.ruleset.rest):
            host = self.hosts.find(solver_name, self.puzzle, self.candidates, run.deadline)
        question = Question(
            self.puzzle,
            self.objective,
            self.candidates,
            prices,
            target,
            run,
            solver_name,
            self._likely,
            levels,
            repeated,
            host,
            shared,
            positive=solver_name == PLAIN_SOLVER,
        )
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
