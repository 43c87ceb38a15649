"""The ways to best scores, and how they take turns. It maximises.

1. The linear program gives prices, exact prices a bound (`ringdoku.duality`). Is it reached? Mostly it is, and the work
   is done. Where the puzzle is symmetric, a symmetric solution is asked for first, which is far easier to find.
2. The descent: each refuted target lowers the bound. The next one is lower by a stride that doubles each time, but at
   most half-way to the best. One solver serves many targets, which are assumed.
3. The ascent: more than the best so far, until that is refuted, without a budget. So are puzzles proved that have few
   solutions: those with other rules than houses, and large ones that are nearly determined.
4. CP-SAT on what survives, given the bound and the best grid: strong where the gap is large.

On large blank puzzles a grid to start from comes from `pattern`.

Whoever has no answer within its conflicts waits for the next round, and conflicts double from round to round: no way
starves another, and the total is within a constant of what the best of them takes. Nothing but the time limit looks at
a clock, so that a seed gives the same search on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from ringdoku.deduction.propagation import Candidates, propagate
from ringdoku.domain.checker import check
from ringdoku.domain.errors import DisagreementError, TimeLimitError
from ringdoku.domain.grid import Grid
from ringdoku.domain.objective import Objective
from ringdoku.domain.puzzle import Puzzle
from ringdoku.duality.incidence import Ints, incidence
from ringdoku.duality.prices import exact_prices, reachable_scores
from ringdoku.duality.projection import projected
from ringdoku.duality.relaxation import ROUGH_TOLERANCE, TOLERANCE, LpStatus, Relaxation, relax
from ringdoku.duality.symmetry import half_turn
from ringdoku.limits import interrupts_held
from ringdoku.solvers.base import Phase, Run
from ringdoku.solvers.lp_sat.pattern import pattern_grid
from ringdoku.solvers.lp_sat.question import Answer, Problem, Question, Rules
from ringdoku.solvers.registry import LARGEST_LIVE_ORDER, QUICK_ORDER

FIRST_CONFLICTS = 2000
ASCENT_SOLVER = "cadical195"
SHARE_OF_RULES, SHARE_OF_FEW = 4, 16
"""The ascent gets so many times the conflicts of the others, under other rules than houses and above 16×16."""
DESCENT_SOLVER, LARGE_SOLVER = "glucose4", "minisat22"
LARGE = 10_000
"""Candidates. From here on only MiniSat's restarts and phases were seen to find the solutions of blank grids."""
DETERMINED = 8000
"""Candidates. Above 16×16, puzzles with so few may have but a few solutions."""
CONFLICTS_OF_RULES, CONFLICTS_OF_FEW = 2000, 10_000
"""Of the ascent before the linear program, under other rules than houses and above 16×16: as long as that takes."""
SYMMETRIC_SHARE = 8
"""Symmetric solutions are so much easier to find that the question for them gets so many times the conflicts."""
MANY_REFUSALS = 30
"""So many symmetric solutions slipped through that the question is given up."""
COARSE, FINE = 8, 24
"""Levels of budgets: cheapest for the first question, fastest for hard ones."""
STRIDES_A_WEIGHT = 8
"""After the first refutation targets fall by at least such a part of the range of weights: huge ones have huge gaps."""
DEPTH = 6
"""Strides below the bound that the formula of a descent serves."""
EASY = 500
"""Conflicts up to which a refutation was so easy that the next target may be further away."""
CPSAT_CONFLICTS, CPSAT_CANDIDATES = 8000, 8000
"""Shorter rounds do not pay for loading CP-SAT, and more candidates take it too long."""
CONFLICTS_A_UNIT = 10_000
"""Its share of a round, in its own units of work, which take about a second each."""
CPSAT_SHARE_OF_HOUSES = 8
"""On boards with more houses than the classic ones it gets so many times the work: it proves the best score of the
blank 9×9 with diagonals in 2 s, for which the questions take a minute."""

Tell: TypeAlias = Callable[[int | None, int], None]
"""A function that receives the best score found, None if there is none, and the proved bound."""


@dataclass
class Search:
    """`candidates` are what propagation left of the puzzle; `objective` maximises. `rules` are solvers that stay.

    What comes out: `lower`, the score of `best`, one of the solutions `found`; `upper`, the proved bound; `infeasible`.
    `tell` is called with every change of `lower` and `upper`.
    """

    puzzle: Puzzle
    objective: Objective
    candidates: Candidates
    run: Run
    tell: Tell
    rules: dict[str, Rules] = field(default_factory=dict)
    relaxation: Relaxation | None = None
    statistics: dict[str, int | float] = field(default_factory=lambda: {"questions": 0, "conflicts": 0})

    def __post_init__(self) -> None:
        board, units = self.puzzle.board, incidence(self.puzzle)
        self._weights = np.array(self.objective.of_cells(board), dtype=np.int64)
        self.reachable = reachable_scores(units, self.candidates, self._weights)
        self.best: Grid | None = None
        self.lower: int | None = None
        self.found: list[Grid] = []
        self.infeasible = False
        self.size = int(np.count_nonzero(self.candidates))
        # without a linear program, so that something is known while that takes its time
        unit_prices = np.zeros((len(units.units), units.order))
        if self.puzzle.ruleset.rest:
            multipliers = projected(self.puzzle, self.objective).multipliers
            unit_prices = np.array(multipliers, dtype=np.float64)[:, None] * units.digits
        self.prices = exact_prices(units, self.candidates, self._weights, unit_prices)
        self._likely = (self.prices.reduced_costs == 0).astype(np.float64)
        bound = self.prices.best_score
        self.upper = self.reachable.at_most(bound if self.run.bound is None else min(self.run.bound, bound))
        self.tell(self.lower, self.upper)
        self._repeated = half_turn(self.puzzle.ruleset, self.candidates, self._weights)
        self._symmetric: Question | None = None
        self._ascent: Question | None = None
        self._descent: Question | None = None
        self._levels = COARSE
        step = self.reachable.step
        self._stride = step
        self._least_stride = max(int(np.ptp(self._weights)) // STRIDES_A_WEIGHT // step, 1) * step

    def take_turns(self) -> None:
        """Until the proof or the deadline."""
        conflicts, rules = FIRST_CONFLICTS, bool(self.puzzle.ruleset.rest)
        ascends = rules or (self.puzzle.order > LARGEST_LIVE_ORDER and self.size <= DETERMINED)
        try:
            self._start_from_pattern()
            if ascends:
                self._ascend(CONFLICTS_OF_RULES if rules else CONFLICTS_OF_FEW)
            if not self.is_over:
                self._relax()
            while not self.is_over:
                if ascends:
                    self._ascend(conflicts * (SHARE_OF_RULES if rules else SHARE_OF_FEW))
                self._ask_for_symmetric(conflicts * SYMMETRIC_SHARE)
                self._descend(conflicts)
                self._ask_cpsat(conflicts)
                conflicts *= 2
        except TimeLimitError:
            # in the middle of building a question; what is known stays
            pass
        finally:
            for question in (self._symmetric, self._ascent, self._descent):
                if question is not None:
                    question.close()
            self._symmetric = self._ascent = self._descent = None

    def excluding(self, grids: Sequence[Grid], upper: int) -> Search:
        """The search for the best of the other solutions, none of which scores more than `upper`."""
        return replace(self, run=replace(self.run, excluding=tuple(grids), bound=upper))

    def question(self, target: int, solver_name: str, excluding: Sequence[Grid]) -> Question:
        """Is there a solution with at least this score, besides the excluded ones?"""
        if self.relaxation is None:
            self._relax()
        run = replace(self.run, excluding=tuple(excluding))
        question = self._asked(target, solver_name, FINE, run=run)
        question.aim(target, for_good=True)
        return question

    @property
    def is_over(self) -> bool:
        """Whether all is proved, or the time is up."""
        proved = self.infeasible or (self.lower is not None and self.lower >= self.upper)
        return proved or self.run.deadline.expired

    @property
    def least(self) -> int:
        """A target that every solution reaches."""
        largest = max(map(abs, self.puzzle.board.digits))
        return self.reachable.at_most(-largest * sum(map(abs, self.objective.weights)))

    @property
    def least_wanted(self) -> int:
        """One step above the best score; without a solution, a target that every solution reaches."""
        return self.least if self.lower is None else self.lower + self.reachable.step

    def offer(self, grid: Grid) -> None:
        """Take a solution that was found."""
        score = self.objective.score(grid)
        self.found.append(grid)
        if self.lower is None or score > self.lower:
            self.lower, self.best = score, grid
            self.tell(self.lower, self.upper)

    def ask(self, question: Question, conflicts: int) -> Answer:
        """As `Question.ask`; what it finds is known from then on."""
        before = question.conflicts
        answer = question.ask(conflicts)
        self.statistics["conflicts"] += question.conflicts - before
        if question.best is not None:
            self.offer(question.best)
            question.best = None
        return answer

    def _refuted(self, target: int) -> None:
        """No solution has this score."""
        if target > self.least_wanted:
            self.upper = min(self.upper, self.reachable.at_most(target - self.reachable.step))
        elif self.lower is None:
            self.infeasible = True
        else:
            self.upper = self.lower
        self.tell(self.lower, self.upper)

    def _asked(
        self, lowest: int, solver_name: str, levels: int = 0, repeated: Ints | None = None, run: Run | None = None
    ) -> Question:
        """A new question."""
        self.statistics["questions"] += 1
        run = run or self.run
        run.effort.enter(Phase.BUILD)
        problem, rules = self._problem, None
        # larger boards search longer, and better in a formula of the surviving candidates alone; a budget beside other
        # rules than houses takes long, as does a symmetric formula
        if self.puzzle.order <= QUICK_ORDER and repeated is None and not (levels and self.puzzle.ruleset.rest):
            rules = Rules.of(self.rules, solver_name, problem, run.deadline)
        question = Question(problem, lowest, solver_name, run, levels, rules, repeated)
        run.effort.enter(Phase.SOLVE)
        return question

    @property
    def _problem(self) -> Problem:
        return Problem(self.puzzle, self.objective, self.candidates, self.prices, self._likely)

    def _start_from_pattern(self) -> None:
        if self.size > LARGE and self.puzzle.ruleset.classic_box and self.candidates.all() and not self.run.excluding:
            grid = pattern_grid(self.puzzle.ruleset, self.objective, self.run.seed, self.run.deadline)
            if violations := check(self.puzzle, grid):
                raise DisagreementError(f"the pattern grid is no solution: {violations[0]}")
            self.offer(grid)

    def _relax(self) -> None:
        """Prices from the linear program, solved once."""
        if self.relaxation is None:
            rough = self.puzzle.order <= QUICK_ORDER or self.puzzle.ruleset.rest
            tolerance = ROUGH_TOLERANCE if rough else TOLERANCE
            deadline = self.run.deadline
            self.relaxation = relax(incidence(self.puzzle), self.candidates, self._weights, deadline, tolerance)
        self.prices, self._likely = self.relaxation.prices, self.relaxation.values
        self.upper = min(self.upper, self.reachable.at_most(self.prices.best_score))
        self.tell(self.lower, self.upper)
        if self._ascent is not None:
            self._ascent.learn(self._problem)

    def _ascend(self, conflicts: int) -> None:
        """More than the best, step by step, until refuted or open."""
        while not self.is_over:
            target = self.least_wanted
            if self._ascent is None:
                self._ascent = self._asked(target, ASCENT_SOLVER)
            self._ascent.aim(target, for_good=True)
            answer = self.ask(self._ascent, conflicts)
            if answer is Answer.OPEN:
                return
            if answer is Answer.REFUTED:
                self._refuted(target)

    def _ask_for_symmetric(self, conflicts: int) -> None:
        """Whether a solution that a half turn leaves as it is reaches the bound; given up where none does."""
        if self.is_over or self._repeated is None:
            return
        if self._symmetric is not None and self._symmetric.target != self.upper:
            self._symmetric.close()
            self._symmetric = None
        if self._symmetric is None:
            self._symmetric = self._asked(self.upper, LARGE_SOLVER, repeated=self._repeated)
            self._symmetric.aim(self.upper)
        answer = self.ask(self._symmetric, conflicts)
        if answer is Answer.REFUTED or self._symmetric.refusals > MANY_REFUSALS:
            self._symmetric.close()
            self._symmetric = self._repeated = None

    def _descend(self, conflicts: int) -> None:
        """The bound, and targets below it, until one stays open."""
        assert self.relaxation is not None
        if self.relaxation.status is LpStatus.INFEASIBLE and self.lower is None:
            # mostly there is no solution, and no bound leads to that
            self._ascend(conflicts)
            return
        while not self.is_over:
            target = self._target()
            question = self._descent = self._aimed(target)
            before = question.conflicts
            answer = self.ask(question, conflicts)
            easy = question.conflicts - before <= EASY
            if answer is not Answer.FOUND and self._levels == COARSE and self.puzzle.order > QUICK_ORDER:
                # a small board takes longer to write the levels than to search without them
                question.close()
                self._levels, self._descent = FINE, None
            if answer is Answer.REFUTED:
                self._refuted(target)
                self._stride = max(2 * self._stride, self._least_stride) if easy else self._least_stride
            elif answer is Answer.OPEN and self._stride > self._least_stride:
                # a target nearer to the bound is easier to refute
                self._stride = self._least_stride
            elif answer is Answer.OPEN:
                return

    def _aimed(self, target: int) -> Question:
        """The question of the descent for this target; a new one where the formula is made for higher ones."""
        question = self._descent
        if question is None or target < question.lowest:
            if question is not None:
                question.close()
            least = max(self.upper - DEPTH * self._least_stride, self.least_wanted)
            lowest = target if self._levels == COARSE else min(least, target)
            solver = LARGE_SOLVER if self.size > LARGE else DESCENT_SOLVER
            self._descent = question = self._asked(lowest, solver, self._levels)
        question.aim(target)
        return question

    def _target(self) -> int:
        """A target some way below the bound, but at most half-way to the best score."""
        below = self._stride - self.reachable.step
        if self.lower is not None:
            below = min(below, (self.upper - self.lower) // 2)
        return max(self.reachable.at_most(self.upper - below), self.least_wanted)

    def _ask_cpsat(self, conflicts: int) -> None:
        """The best score and the proof, as long as SAT solvers take for about so many conflicts."""
        if conflicts < CPSAT_CONFLICTS or self.size > CPSAT_CANDIDATES or self.is_over:
            return
        # 0.3 s to load, so only where it pays
        with interrupts_held():
            from ringdoku.lowering.cpsat import lower_to_boolean_cpsat
            from ringdoku.solvers.cpsat import CpSatSearch

        units, ruleset = conflicts / CONFLICTS_A_UNIT, self.puzzle.ruleset
        self.run.effort.enter(Phase.BUILD)
        survivors = propagate(self.puzzle, self.prices.survivors(self.candidates, self.least_wanted), self.run.deadline)
        if survivors is None:
            self.run.effort.enter(Phase.SOLVE)
            self._refuted(self.least_wanted)
            return
        if not ruleset.classic_box and not ruleset.rest:
            # only houses: the wish for a better score misleads it, its own way down from the bound is faster
            lowered = lower_to_boolean_cpsat(self.puzzle, self.objective, self.candidates)
            lowered.between(None, self.upper)
            units *= CPSAT_SHARE_OF_HOUSES
        else:
            lowered = lower_to_boolean_cpsat(self.puzzle, self.objective, survivors)
            lowered.between(None if self.lower is None else self.least_wanted, self.upper)
            if self.best is not None:
                lowered.suggest(self.best)
        lowered.exclude(self.run.excluding)
        solving = CpSatSearch(lowered, Run(self.run.deadline, self.run.seed))
        solving.solver.parameters.max_deterministic_time = units
        self.run.effort.enter(Phase.SOLVE)
        for event in solving.events():
            if isinstance(event, Grid):
                self.offer(event)
        if solving.complete:
            self._refuted(self.least_wanted)
